"""What one visitor has done: the place they are at, the edits they made, the runs they asked for."""

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from failure13 import Ledger, Step
from failure13.compare import same
from failure13.guards import GUARDS, Guard, all_but
from failure13.replay import Outcome, replay
from failure13.scenarios import Scenario, as_edited, from_data, to_json
from failure13.visit import edits, person
from failure13.visit.edits import Work
from failure13.visit.lessons import Progress
from failure13.visit.runs import Run, Waiting, decided, with_case, with_guards
from failure13.visit.share import Opened

MOST_OWN = 20  # scenarios of a visitor's own; the oldest go first
MOST_RUNS = 1000  # kept in the trail, and at most as many wait; the oldest go first


class Replayed(NamedTuple):
    """Outcomes, and what they are of: a scenario, an edit of it by its number, the guards that were off."""

    scenario: Scenario
    edit: int
    guards_off: frozenset[str]
    outcomes: dict[str, list[Outcome]]


@dataclass
class Visitor:
    """One visitor's place, edits by scenario id, trail, what waits for a person, and guards switched off.

    `ran` counts their runs since they last cleared them, and `cleared` how often they did. `own` are the contents of
    their own scenario files by id, `writing` is the one they are at, as text, and `opened` the link they opened last.
    `lessons` is how far they are in Learn. `replayed` only saves work: what was on screen last, so that a run stores it
    as it is.
    """

    place: str = ""
    works: dict[str, Work] = field(default_factory=dict[str, Work])
    trail: list[Run] = field(default_factory=list[Run])
    queue: list[Waiting] = field(default_factory=list[Waiting])
    ran: int = 0
    cleared: int = field(default=0, compare=False)
    guards_off: set[str] = field(default_factory=set[str])
    refused: str = ""  # why the last approval was not made
    own: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    writing: str | None = None
    opened: str = ""
    lessons: Progress = field(default_factory=Progress)
    replayed: Replayed | None = field(default=None, compare=False)

    def work(self, scenario: Scenario) -> Work:
        """The visitor's work on a scenario, begun with what the file has, and anew when the file has something else."""
        if not self._has_begun(scenario):
            self.works[scenario.id] = Work(scenario)
        return self.works[scenario.id]

    def now(self, scenario: Scenario) -> Scenario:
        """The scenario with the case and the steps that are on screen, or as it is where the visitor has not been."""
        if not self._has_begun(scenario):
            return scenario
        work = self.works[scenario.id]
        return as_edited(scenario, work.case, work.steps)

    def steps(self, scenario: Scenario) -> list[Step]:
        """The steps on screen for a scenario, or its own where the visitor has not been."""
        return self.works[scenario.id].steps if self._has_begun(scenario) else scenario.steps

    def is_edited(self, scenario: Scenario) -> bool:
        """Whether what is on screen is other than the file's."""
        if not self._has_begun(scenario):
            return False
        work = self.works[scenario.id]
        return work.at > 0 and not edits.is_same(work.now.draft, work.edits[0].draft)

    def own_scenarios(self) -> list[Scenario]:
        """The visitor's own scenarios, oldest first."""
        return [from_data(scenario_id, data) for scenario_id, data in self.own.items()]

    def guards(self) -> dict[str, Guard]:
        """The guards that are switched on, in asking order."""
        return all_but(self.guards_off)

    def outcomes(self, scenario: Scenario) -> dict[str, list[Outcome]]:
        """What each agent does with each step as it is on screen; worked out once, until something of it changes."""
        edit = self.work(scenario).now.number if self._has_begun(scenario) else 0
        key = (scenario, edit, frozenset(self.guards_off))
        if self.replayed is None or self.replayed[:3] != key:
            self.replayed = Replayed(*key, replay(self.now(scenario), guards=self.guards()))
        return self.replayed.outcomes

    # Coming to a place.

    def open_link(self, link: Opened) -> None:
        """Go to the scenario of a link, with what it holds as an edit on top of what the visitor had made of it.

        The guards become those of the link, where it says which.
        """
        self.work(link.scenario).open_shared(link.steps, link.case, link.step)
        self.place = link.scenario.id
        if link.off is not None and set(link.off) != self.guards_off:
            self._switch(set(link.off))

    def take(self, scenario: Scenario) -> None:
        """Add a scenario to the visitor's own and go there; the same content keeps the same id."""
        text = to_json(scenario)
        name = re.sub(r"[^a-z0-9]+", "-", scenario.title.lower()).strip("-")
        self.place = f"own-{name}-{zlib.crc32(text.encode()):08x}"
        self.own.pop(self.place, None)
        self.own[self.place] = json.loads(text)
        for oldest in list(self.own)[:-MOST_OWN]:
            del self.own[oldest]

    # Running, switching guards, deciding what waits.

    def run_step(self, scenario: Scenario) -> None:
        """Put the step on screen, as every agent handled it, into the trail; what one left to a person waits."""
        self._run(scenario, self.work(scenario).step)

    def run_all(self, scenarios: Sequence[Scenario]) -> None:
        """Run every step of every scenario, edited as it is."""
        for scenario in scenarios:
            for index in range(len(self.steps(scenario))):
                self._run(scenario, index)

    def clear(self) -> None:
        """Forget every run, and what waits because of one."""
        self.trail.clear()
        self.queue.clear()
        self.ran, self.refused = 0, ""
        self.cleared += 1

    def switch_guard(self, name: str) -> None:
        """Switch a guard off, or on again; the trail shows what its runs would have been."""
        if name in GUARDS:
            self._switch(self.guards_off ^ {name})

    def switch_guards(self, on: bool) -> None:
        """Switch every guard on, or every one off."""
        self._switch(set() if on else set(GUARDS))

    def _switch(self, off: set[str]) -> None:
        self.guards_off = off
        self.trail = [with_guards(run, self.guards()) for run in self.trail]

    def waiting(self) -> list[Waiting]:
        """What waits with the guards as they are now; with some off, the agent would have paid."""
        if not self.guards_off:  # what some guards objected to, all of them object to
            return list(self.queue)
        now = {run.number: run for run in self.trail}  # which shows its runs with these guards already
        runs = [now.get(each.run.number) or with_guards(each.run, self.guards()) for each in self.queue]
        return [each for each, run in zip(self.queue, runs, strict=True) if run.outcomes[each.agent].waiting]

    def ledger_now(self, waiting: Waiting) -> Ledger:
        """What its agent has paid in a scenario by now.

        Each run begins with an empty ledger, so of those since the one that waits the one that paid most counts. What a
        person approved is paid for good.
        """
        runs = [run for run in self.trail if run.scenario.id == waiting.run.scenario.id]
        since = [run for run in runs if not run.decision and run.number > waiting.run.number]
        last = max([waiting.run, *since], key=lambda run: len(run.outcomes[waiting.agent].ledger))
        decided = [run.outcomes[waiting.agent] for run in runs if run.decision and waiting.agent in run.outcomes]
        return [*last.outcomes[waiting.agent].ledger, *(row for outcome in decided for row in outcome.paid)]

    def as_now(self, run: Run) -> Run:
        """A run with the records and the steps that are on screen by now, where its scenario still has such a step."""
        work = self.works.get(run.scenario.id)
        if work is None or run.index >= len(work.steps):
            return run
        return replace(run, scenario=with_case(run.scenario, work.case), steps=work.steps[: run.index + 1])

    def approve(self, waiting: Waiting) -> None:
        """Pay what waits, unless its step or what speaks against it has changed since; then say so and let it wait."""
        try:
            outcome = person.approve(waiting, self.as_now(waiting.run), self.ledger_now(waiting), self.guards())
        except person.Refused as error:
            self.refused = str(error)
        else:
            self._decide(waiting, outcome)

    def decline(self, waiting: Waiting) -> None:
        """Leave what waits unpaid."""
        self._decide(waiting, person.decline(waiting, self.ledger_now(waiting)))

    def _decide(self, waiting: Waiting, outcome: Outcome) -> None:
        left = [each for each in self.queue if each.key != waiting.key]
        if len(left) == len(self.queue):  # a second press that came late
            return
        self.queue, self.refused = left, ""
        self._keep(decided(waiting, outcome, self._next()))

    def _run(self, scenario: Scenario, index: int) -> None:
        outcomes = {agent: of_agent[index] for agent, of_agent in self.outcomes(scenario).items()}
        now, edited, guards_off = self.now(scenario), self.is_edited(scenario), frozenset(self.guards_off)
        of, steps = with_case(scenario, now.case), now.steps[: index + 1]
        done = Run(self._next(), of, steps, index, edited, outcomes, guards_off=guards_off)
        self.queue.extend(done.waiting())
        self._keep(done)

    def _next(self) -> int:
        self.ran += 1
        return self.ran

    def _keep(self, done: Run) -> None:
        self.trail.append(done)
        del self.trail[:-MOST_RUNS], self.queue[:-MOST_RUNS]

    def _has_begun(self, scenario: Scenario) -> bool:
        work = self.works.get(scenario.id)
        if work is None or work.of is scenario:
            return work is not None
        return same(work.of.steps, scenario.steps) and same(work.of.case, scenario.case)
