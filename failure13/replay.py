"""Steps become outcomes: every agent handles every step on a ledger of its own; nothing is shared or stored."""

import copy
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from failure13 import AGENTS, Audit, Call, Case, Ledger, Row, Step, broken, calls, fixed, guarded, verdicts
from failure13.compare import same
from failure13.guards import GUARDS, Guard
from failure13.scenarios import Scenario

EXECUTED, BLOCKED, ESCALATED, CRASHED = "executed", "blocked", "escalated", "crashed"
STATUS = {
    "executed": EXECUTED,
    "executed after retry": EXECUTED,
    "BLOCKED mismatch": BLOCKED,
    guarded.ESCALATED: ESCALATED,
}


@dataclass(frozen=True)
class Outcome:
    """What one agent did with one step.

    status: executed, blocked, escalated or crashed; message: what the agent returned, or the exception's own words;
    problems: the differences or objections it named; paid: the rows this step added; ledger: all rows after it;
    verdict: held against what was owed; told: what the customer reads; record: the agent's audit record, if it keeps
    one; waiting: what it put in a person's queue, if anything.
    """

    agent: str
    status: str
    message: str
    problems: list[str]
    paid: list[Row]
    ledger: Ledger
    verdict: str
    told: str
    record: dict[str, Any] = field(default_factory=dict[str, Any])
    waiting: dict[str, Any] | None = None

    @property
    def before(self) -> Ledger:
        """The ledger before this step."""
        return self.ledger[: len(self.ledger) - len(self.paid)]


def replay(
    scenario: Scenario, steps: list[Step] | None = None, guards: Mapping[str, Guard] = GUARDS
) -> dict[str, list[Outcome]]:
    """Each agent's outcomes, one per step in order; `steps` are a visitor's edited steps, else the scenario's own.

    `guards` are those the guarded agent asks. An agent that raises is an outcome too: `crashed`, with the ledger as it
    was. Nothing raises out of here.
    """
    outcomes: dict[str, list[Outcome]] = {}
    for agent in AGENTS:
        ledger: Ledger = []
        outcomes[agent] = []
        for step in scenario.steps if steps is None else steps:
            outcome = _outcome(agent, step, ledger, scenario.case, guards)
            outcomes[agent].append(outcome)
            ledger = outcome.ledger
    return outcomes


def unmet(expect: Mapping[str, Any] | None, outcomes: Mapping[str, list[Outcome]]) -> list[str]:
    """Where outcomes are not what `expect` says, a sentence each: {"broken": {"ledger": [...], "verdicts": [...]}}."""
    sentences: list[str] = []
    for agent, expected in (expect or {}).items():
        found = {
            "ledger": [list(row) for row in outcomes[agent][-1].ledger],
            "verdicts": [outcome.verdict for outcome in outcomes[agent]],
        }
        for part in ("ledger", "verdicts"):
            if not same(found[part], expected[part]):
                sentences.append(f"{agent}: expected {part} {expected[part]}, found {found[part]}")
    return sentences


def as_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain JSON data.

    A number that is not finite, which JSON cannot write, becomes its name as text; what lies too deep becomes "...".
    """
    names = ("agent", "status", "verdict", "message", "problems", "paid", "ledger")
    return {name: finite(getattr(outcome, name)) for name in names}


def _outcome(agent: str, step: Step, before: Ledger, case: Case, guards: Mapping[str, Guard]) -> Outcome:
    ledger = list(before)
    audit: Audit = []
    queue: list[dict[str, Any]] = []
    try:
        message = run_agent(agent, copy.deepcopy(step), ledger, case, audit, queue, guards)
        status = STATUS[audit[-1]["status"]] if audit else EXECUTED
    except Exception as error:  # whatever was typed, an agent's crash is one of the things to see
        message, status = f"{type(error).__name__}: {error}", CRASHED
        ledger = list(before)
    record = audit[-1] if audit else {}
    paid = ledger[len(before) :]
    return Outcome(
        agent=agent,
        status=status,
        message=message,
        problems=record.get("problems", []),
        paid=paid,
        ledger=ledger,
        verdict=verdicts.CRASHED
        if status == CRASHED
        else verdicts.verdict(paid, _asked(agent, step), step.get("owed"), case["orders"]),
        told=_told(agent, status, before, paid, step, case),
        record=record,
        waiting=queue[-1] if queue else None,
    )


def _told(agent: str, status: str, before: Ledger, paid: list[Row], step: Step, case: Case) -> str:
    if agent != "guarded":
        return step.get("said", "")
    return "Nothing has been refunded." if status == CRASHED else guarded.receipt(before, paid, case)


def run_agent(
    agent: str,
    step: Step,
    ledger: Ledger,
    case: Case,
    audit: Audit,
    queue: list[dict[str, Any]],
    guards: Mapping[str, Guard],
) -> str:
    """Let the agent of that name handle a step; nothing is printed, and what it raises is raised."""
    if agent == "broken":
        return broken.run_agent(step, ledger, say=_unsaid)
    if agent == "fixed":
        return fixed.run_agent(step, ledger, audit)
    return guarded.run_agent(step, ledger, case, audit, queue, guards)


def _unsaid(*words: object) -> None:
    """Where the broken agent says its sentence when it runs here: nowhere, for `told` holds it."""


def _asked(agent: str, step: Step) -> list[Call]:
    """The calls that the agent was asked to make, as it reads them; what it cannot read asks for no payment."""
    read = calls.read_side if agent == "guarded" else plain
    answers: list[Any] = guarded.answers_of(step) if agent == "guarded" else [step]
    found: list[Any] = []
    for answer in answers:
        try:
            found.append(read(answer["do"]))
        except (KeyError, RecursionError, TypeError, ValueError):
            continue
    return [call for call in found if calls.is_object(call)]


def plain(side: Any) -> Any:
    """One side of a step as broken.py and fixed.py read it: the last of two equal keys wins, and NaN is a number."""
    return json.loads(side) if isinstance(side, str) else side


def finite(value: Any, levels: int = 2 * calls.MOST_LEVELS) -> Any:
    """A value that JSON can write: a number that is not finite becomes its name, what lies too deep becomes "..."."""
    if levels == 0:
        return "..."
    if calls.is_object(value):
        return {key: finite(inner, levels - 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner, levels - 1) for inner in cast("list[Any] | tuple[Any, ...]", value)]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value
