"""A visit: all that one drawing of the page is made from, built once for it. Panels read it and call its verbs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from failure13 import Step
from failure13.characters import visible
from failure13.guards import GUARDS
from failure13.replay import Outcome, no_refund_call
from failure13.scenarios import Scenario, to_json, with_steps
from failure13.visit import export, grid, share
from failure13.visit.edits import Work
from failure13.visit.grid import Change, GridRow
from failure13.visit.visitor import Visitor


@dataclass(frozen=True)
class Visit:
    """A visitor, the scenarios they can pick, the one on screen, and what the agents do with it as edited."""

    visitor: Visitor
    scenarios: Sequence[Scenario]
    scenario: Scenario

    @property
    def at(self) -> int:
        """The place of the scenario on screen among those that can be picked, counted from 0."""
        return [scenario.id for scenario in self.scenarios].index(self.scenario.id)

    @cached_property
    def work(self) -> Work:
        """The visitor's edits to the scenario."""
        return self.visitor.work(self.scenario)

    @property
    def step(self) -> Step:
        """The step on screen, as edited."""
        return self.work.steps[self.work.step]

    @cached_property
    def outcomes(self) -> dict[str, list[Outcome]]:
        """What each agent does with each step, as edited and with the guards that are on."""
        return self.visitor.outcomes(self.scenario)

    def outcome(self, agent: str) -> Outcome:
        """What an agent does with the step on screen."""
        return self.outcomes[agent][self.work.step]

    @cached_property
    def is_edited(self) -> bool:
        """Whether the steps are other than the file's."""
        return self.visitor.is_edited(self.scenario)

    @property
    def is_own(self) -> bool:
        """Whether the scenario is one of the visitor's own."""
        return self.scenario.id in self.visitor.own

    @property
    def guards_off(self) -> list[str]:
        """The guards that are switched off, in asking order."""
        return [name for name in GUARDS if name in self.visitor.guards_off]

    def labels(self) -> list[str]:
        """The scenarios as a picker has them: number, title and hook."""
        return [
            visible(f"{number}. {each.title}{f': {each.hook}' if each.hook else ''}")
            for number, each in enumerate(self.scenarios, start=1)
        ]

    def rows(self) -> list[GridRow]:
        """The step on screen field by field."""
        return grid.rows(self.step, self.work.fields)

    def changes(self) -> list[Change]:
        """What the step on screen has other than the file's."""
        own = self.scenario.steps[self.work.step]
        return grid.changes(grid.content(own), grid.content(self.step))

    def no_refund_call(self) -> str:
        """Why the call on screen is no refund call, and the way out, or ""."""
        return no_refund_call(self.step)

    # What is handed on: all that is on screen, as the text of a link, a file and a test.

    def link(self) -> str:
        """The text of a link to the scenario, its steps as edited and the one on screen; raises share.BadLink."""
        if self.is_own:
            raise share.BadLink(
                "A link holds edits to a scenario of the pack, and this one is your own: download it instead."
            )
        return share.encode(self.scenario.id, self.work.steps, self.work.step)

    def file(self) -> str:
        """The scenario as edited, as the text of its file; raises scenarios.BrokenFile."""
        return to_json(with_steps(self.scenario, self.work.steps))

    def test(self) -> str:
        """What is on screen as the text of a pytest file."""
        return export.as_pytest(self.scenario, self.work.steps, self.outcomes, self.guards_off)

    # Verbs.

    def pick(self, at: int) -> None:
        """Go to another scenario, by its place."""
        self.visitor.place = self.scenarios[at].id

    def undo(self) -> None:
        """Take the edit on screen back."""
        self.work.go_to(self.work.at - 1)

    def redo(self) -> None:
        """Make the edit again that was taken back."""
        self.work.go_to(self.work.at + 1)

    def run(self) -> None:
        """Put what is on screen into the trail."""
        self.visitor.run_step(self.scenario)
