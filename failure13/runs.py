"""Runs: one step handled by every agent, or one decision of a person; what the trail is made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from failure13 import Step, verdicts
from failure13.guards import GUARDS, Guard
from failure13.replay import Outcome, as_json, finite, replay
from failure13.scenarios import Scenario


@dataclass(frozen=True)
class Run:
    """The scenario, its steps as they were then, which of them ran, and the outcome by agent.

    `decision` is what a person decided where that is what the run was; it then has the guarded agent's outcome alone.
    """

    scenario: Scenario
    steps: list[Step]
    index: int
    edited: bool
    outcomes: Mapping[str, Outcome]
    decision: str = ""

    @property
    def step(self) -> Step:
        """The step that ran."""
        return self.steps[self.index]


def run(scenario: Scenario, steps: list[Step], index: int, edited: bool, guards: Mapping[str, Guard] = GUARDS) -> Run:
    """Run step `index` of `steps` with every agent, on the ledgers that the steps before it left."""
    steps = steps[: index + 1]
    outcomes = {agent: of_agent[index] for agent, of_agent in replay(scenario, steps, guards).items()}
    return Run(scenario, steps, index, edited, outcomes)


def decided(waiting: Run, outcome: Outcome) -> Run:
    """The run that a person's decision makes of one that waited."""
    return replace(waiting, outcomes={outcome.agent: outcome}, decision=outcome.record["status"])


def with_guards(runs: Sequence[Run], guards: Mapping[str, Guard]) -> list[Run]:
    """The same runs as they would have gone with these guards; what a person decided stays."""
    return [old if old.decision else run(old.scenario, old.steps, old.index, old.edited, guards) for old in runs]


def tally(scenarios: Iterable[Scenario], guards: Mapping[str, Guard]) -> dict[str, dict[str, int]]:
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


def records(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """One flat record per run and agent, oldest first, with the step as it was run and the outcome as plain data."""
    return [
        {
            "run": number,
            "scenario": done.scenario.id,
            "step": done.index + 1,
            "edited": done.edited,
            "decision": done.decision,
            "said": done.step["said"],
            "intent": finite(done.step["intent"]),
            "do": finite(done.step["do"]),
            **as_json(outcome),
        }
        for number, done in enumerate(runs, start=1)
        for outcome in done.outcomes.values()
    ]
