"""A visit: all that one drawing of the page is made from, built once for it. Panels read it and call its verbs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from failure13 import Step
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.replay import Outcome, no_refund_call
from failure13.scenarios import Scenario, to_json
from failure13.visit import edits, export, grid, records, share
from failure13.visit.edits import Work
from failure13.visit.grid import Change
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

    def of_the_pack(self) -> list[Scenario]:
        """The scenarios that are not the visitor's own."""
        return [each for each in self.scenarios if each.id not in self.visitor.own]

    @cached_property
    def work(self) -> Work:
        """The visitor's edits to the scenario."""
        return self.visitor.work(self.scenario)

    @property
    def step(self) -> Step:
        """The step on screen, as edited."""
        return self.work.steps[self.work.step]

    def answer(self, number: int) -> Any:
        """The first answer of the step on screen, the step itself, or with 1 its second."""
        return self.step.get("retry") if number else self.step

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

    def changes(self) -> list[Change]:
        """What the step on screen and the records have other than the file's."""
        own = self.work.edits[0].draft
        of_step = grid.changes(*(edits.content([each[self.work.step]])[0] for each in (own.steps, self.work.steps)))
        return [*of_step, *records.changes(own.case, self.work.case)]

    def no_refund_call(self) -> str:
        """Why the call on screen is no refund call, and the way out, or ""."""
        return no_refund_call(self.step)

    # What is handed on: all that is on screen, as the text of a link, a file and a test.

    def link(self) -> str:
        """The text of a link to all that is on screen, guards included; raises share.BadLink."""
        if self.is_own:
            raise share.BadLink(
                "A link holds edits to a scenario of the pack, and this one is your own: save it instead."
            )
        case = None if same(self.work.case, self.scenario.case) else self.work.case
        return share.encode(self.scenario.id, self.work.steps, self.work.step, case, self.guards_off)

    def file(self) -> str:
        """The scenario as edited, as the text of its file; raises scenarios.BrokenFile."""
        return to_json(self.visitor.now(self.scenario))

    def test(self) -> str:
        """What is on screen as the text of a pytest file."""
        return export.as_pytest(self.visitor.now(self.scenario), self.work.steps, self.outcomes, self.guards_off)

    # Verbs.

    def pick(self, at: int) -> None:
        """Go to another scenario, by its place."""
        self.visitor.place = self.scenarios[at].id

    def run(self) -> None:
        """Put what is on screen into the trail."""
        self.visitor.run_step(self.scenario)
