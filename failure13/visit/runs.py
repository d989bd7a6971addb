"""Runs: one step handled by every agent, or one decision of a person; what the trail is made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from failure13 import Case, Step, verdicts
from failure13.compare import same
from failure13.guards import GUARDS, Guard
from failure13.replay import Outcome, as_json, jsonable, replay
from failure13.scenarios import Scenario


@dataclass(frozen=True)
class Run:
    """A scenario with its case, and its steps, as they were then, which of them ran, and the outcome by agent.

    A visitor's runs are told apart by `number`, which only grows. A person's decision is a run too: `decision` then
    says what was decided, `waited` is the number of the run that had left it to the person, and there is one outcome
    only, that of the agent that left it to the person. `guards_off` are the guards that were off when it ran; later
    switches may have changed the outcomes.
    """

    number: int
    scenario: Scenario
    steps: list[Step]
    index: int
    edited: bool
    outcomes: Mapping[str, Outcome]
    decision: str = ""
    waited: int = 0
    guards_off: frozenset[str] = frozenset()

    @property
    def step(self) -> Step:
        """The step that ran."""
        return self.steps[self.index]

    def waiting(self) -> list["Waiting"]:
        """What this run left to a person."""
        return [Waiting(self, agent) for agent, outcome in self.outcomes.items() if outcome.waiting]


@dataclass(frozen=True)
class Waiting:
    """What waits for a person: the run that left it, and the agent of that run which did."""

    run: Run
    agent: str

    @property
    def key(self) -> str:
        """A name that nothing else that waits has: "7-guarded"."""
        return f"{self.run.number}-{self.agent}"

    @property
    def outcome(self) -> Outcome:
        """The agent's outcome, with the call as shown and every objection to it."""
        return self.run.outcomes[self.agent]

    @property
    def call(self) -> Any:
        """The arguments that wait, as the step had them: an object, its text, or null where nothing was called."""
        return (self.outcome.waiting or {})["call"]


def decided(waiting: Waiting, outcome: Outcome, number: int) -> Run:
    """The run that a person's decision makes of what waited."""
    decision = outcome.record["status"]
    outcomes = {outcome.agent: outcome}
    return replace(waiting.run, number=number, outcomes=outcomes, decision=decision, waited=waiting.run.number)


def with_case(scenario: Scenario, case: Case) -> Scenario:
    """The scenario with this case, which may be its own."""
    return scenario if same(case, scenario.case) else replace(scenario, case=case)


def with_guards(run: Run, guards: Mapping[str, Guard]) -> Run:
    """The same run as it would have gone with these guards; what a person decided stays."""
    if run.decision:
        return run
    outcomes = replay(run.scenario, run.steps, guards)
    return replace(run, outcomes={agent: of_agent[run.index] for agent, of_agent in outcomes.items()})


def tally(scenarios: Iterable[Scenario], guards: Mapping[str, Guard] = GUARDS) -> dict[str, dict[str, int]]:
    """Over every step of every scenario as its file has it, how often each agent earned each verdict.

    Example: {"broken": {"paid as owed": 6, "wrong money": 20, ...}, "fixed": {...}, "guarded": {...}}
    """
    counts: dict[str, dict[str, int]] = {}
    for scenario in scenarios:
        for agent, outcomes in replay(scenario, guards=guards).items():
            of_agent = counts.setdefault(agent, dict.fromkeys(verdicts.VERDICTS, 0))
            for outcome in outcomes:
                of_agent[outcome.verdict] += 1
    return counts


def as_rows(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """A flat row per run and agent, oldest first, with the step as it was run and the outcome as plain data."""
    return [
        {
            "run": run.number,
            "scenario": run.scenario.id,
            "step": run.index + 1,
            "edited": run.edited,
            "decision": run.decision,
            "said": run.step["said"],
            "intent": jsonable(run.step["intent"]),
            "do": jsonable(run.step["do"]),
            **as_json(outcome),
            "still_owed": outcome.still_owed,
            "told": outcome.told,
        }
        for run in runs
        for outcome in run.outcomes.values()
    ]
