"""Steps become outcomes: every agent handles every step on a ledger of its own; nothing is shared or stored."""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from failure13 import Call, Ledger, Row, Step, calls, verdicts
from failure13.agents import AGENTS, Agent, Turn
from failure13.characters import json_text, shortened
from failure13.compare import same
from failure13.guards import GUARDS, Guard
from failure13.scenarios import Scenario

EXECUTED, BLOCKED, ESCALATED, CRASHED, NO_CALL = "executed", "blocked", "escalated", "crashed", "no call"


@dataclass(frozen=True)
class Outcome:
    """What one agent did with one step.

    status: executed, blocked, escalated, crashed or no call; message: what the agent returned, or the exception's own
    words; problems: the differences or objections it named; paid: the rows this step added; ledger: all rows after it;
    verdict: held against what was owed; still_owed: what is left to pay after it, in words; told: what the customer
    reads; record: the agent's audit record, if it keeps one; waiting: what it put in a person's queue, if anything.
    """

    agent: str
    status: str
    message: str
    problems: list[str]
    paid: list[Row]
    ledger: Ledger
    verdict: str
    still_owed: str
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
    steps = scenario.steps if steps is None else steps
    outcomes: dict[str, list[Outcome]] = {}
    for name, agent in AGENTS.items():
        ledger: Ledger = []
        outcomes[name] = []
        for number in range(len(steps)):
            turn = Turn(steps[number], list(ledger), scenario.case, guards=guards)
            outcomes[name].append(_outcome(name, agent, turn, steps[: number + 1]))
            ledger = outcomes[name][-1].ledger
    return outcomes


def no_refund_call(step: Step) -> str:
    """Why the step's call is no refund call, and the way out, in a sentence; "" where it names an order or an amount.

    Such a call is usually another tool's, or a whole message of which the arguments are only a part.
    """
    try:
        call = None if step.get("do") is None else calls.read_plainly(step["do"])
    except (RecursionError, ValueError):
        return ""
    if step.get("do") is None or (calls.is_object(call) and {"order_id", "amount"} & call.keys()):
        return ""
    fields = f", only {shortened(', '.join(map(json_text, call)), 120)}" if calls.is_object(call) and call else ""
    return (
        f"This is no refund call: it names neither order_id nor amount{fields}. Put the arguments of the tool alone "
        "here, as one object, and name the one that holds the order order_id, the one that holds the money amount."
    )


def expectation(outcomes: Mapping[str, list[Outcome]]) -> dict[str, dict[str, Any]]:
    """The `expect` that these outcomes meet: {"broken": {"ledger": [["A101", 200.0]], "verdicts": ["wrong money"]}}."""
    return {
        agent: {
            "ledger": [list(row) for row in of_agent[-1].ledger],
            "verdicts": [outcome.verdict for outcome in of_agent],
        }
        for agent, of_agent in outcomes.items()
    }


def unmet(expect: Mapping[str, Any] | None, outcomes: Mapping[str, list[Outcome]]) -> list[str]:
    """Where outcomes are not what `expect` says, a sentence each."""
    found = expectation(outcomes) if expect else {}
    return [
        f"{agent}: expected {part} {expected[part]}, found {found[agent][part]}"
        for agent, expected in (expect or {}).items()
        for part in ("ledger", "verdicts")
        if not same(found[agent][part], expected[part])
    ]


def as_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain JSON data, as `jsonable` makes it."""
    names = ("agent", "status", "verdict", "message", "problems", "paid", "ledger")
    return {name: jsonable(getattr(outcome, name)) for name in names}


def jsonable(value: Any, levels: int = 2 * calls.MOST_LEVELS) -> Any:
    """A value that JSON can write: a number that is not finite becomes its name, what lies too deep becomes "..."."""
    if levels == 0:
        return "..."
    if calls.is_object(value):
        return {key: jsonable(inner, levels - 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(inner, levels - 1) for inner in cast("list[Any] | tuple[Any, ...]", value)]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _outcome(name: str, agent: Agent, turn: Turn, steps: Sequence[Step]) -> Outcome:
    before, step = list(turn.ledger), turn.step
    ledger = turn.ledger
    if step.get("do") is None and not agent.asks_again:
        message, status = "nothing was called", NO_CALL
    else:
        try:
            message = agent.run(replace(turn, step=copy.deepcopy(step)))
            status = EXECUTED if len(ledger) > len(before) else ESCALATED if turn.queue else BLOCKED
        except Exception as error:  # whatever was typed, an agent's crash is one of the things to see
            message, status = f"{type(error).__name__}: {error}", CRASHED
            ledger = before
    record = turn.audit[-1] if turn.audit else {}
    waits = bool(turn.queue) and status != CRASHED
    paid = ledger[len(before) :]
    owed = [_owed(each) for each in steps]
    return Outcome(
        agent=name,
        status=status,
        message=message,
        problems=record.get("problems", []),
        paid=paid,
        ledger=ledger,
        verdict=CRASHED if status == CRASHED else verdicts.verdict(paid, agent.hears(step), owed[-1], turn.case),
        still_owed=verdicts.still_owed(owed, ledger, turn.case),
        told=_told(agent, turn, before, paid, waits),
        record=record,
        waiting=turn.queue[-1] if waits else None,
    )


def _owed(step: Step) -> Call | None:
    """What a step is scored by: a payment, or nothing; what names no order or no amount is no payment."""
    owed: Any = step.get("owed")
    return owed if calls.is_object(owed) and {"order_id", "amount"} <= owed.keys() else None


def _told(agent: Agent, turn: Turn, before: Ledger, paid: list[Row], waits: bool) -> str:
    if agent.receipt is None:
        return turn.step.get("said", "")
    return agent.receipt(before, paid, turn.case, "a person is looking at it" if waits else "")
