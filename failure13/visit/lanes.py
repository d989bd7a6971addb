"""An agent's lane on the bench: the money as a coin that passes, stops at a gate, or lands with a customer."""

from collections.abc import Mapping, Sequence
from typing import Any

from failure13 import Call, Case, Row, Step, calls, money, verdicts
from failure13.agents import AGENTS, Agent
from failure13.characters import quoted, shortened, visible
from failure13.limits import LIMITS
from failure13.replay import BLOCKED, CRASHED, ESCALATED, EXECUTED, NO_CALL, Outcome
from failure13.visit.picture import Action, Cost, Gate, Lane, Objection, Said
from failure13.visit.shown import action, shown

MOST_COIN, MOST_END = 18, 60  # characters on the coin, and where it ends
PASSES, OBJECTS, OFF, IDLE = "passes", "objects", "off", "idle"


def lane(
    agent: str, outcome: Outcome, step: Step, case: Case, limit: str | None, off: Sequence[str], cost: Cost
) -> Lane:
    """The lane of an agent for one step: `limit` is the one that shows here, `off` the guards that are switched off."""
    row, verdict = AGENTS[agent], verdicts.VERDICTS[outcome.verdict]
    answers = row.hears(step)
    objected: list[dict[str, str]] = outcome.record.get("objections", [])
    heard = answers[max(len(objected) - 1, 0)]
    on = [name for name in row.gates if name not in off or not row.switches]
    unpaid = "" if outcome.paid or row.receipt else ", though nothing was paid"
    return {
        "agent": agent,
        "name": agent.capitalize(),
        "way": _way(row, len(on)),
        "coin": _coin(outcome, heard, case),
        "reached": _reached(outcome, row),
        "tone": _tone(outcome),
        "end": shortened(visible(_end(outcome, case)), MOST_END),
        "gates": [_gate(name, number, row, outcome, off) for number, name in enumerate(row.gates, start=1)],
        "gates_actions": _all_gates(row, off),
        "printed": [shown(_printed(outcome, objected)), shown(f"ledger: {outcome.ledger}")],
        "objections": _objections(row, objected[-1]) if outcome.status == ESCALATED and objected else [],
        "first": _objections(row, objected[0]) if len(objected) > 1 else [],
        "sign": verdict.sign,
        "verdict": verdict.word,
        "money": shown(money_line(outcome, case)),
        "reads": {"lead": f"The customer reads{unpaid}", "text": shown(outcome.told)},
        "limit": _limit(limit),
        "cost": cost,
    }


def cost_of(counts: Mapping[str, int]) -> Cost:
    """What an agent's verdicts over the whole pack come to: harm, and what it blocks needlessly."""
    steps = sum(counts.values())
    wrong, needless = counts[verdicts.WRONG_MONEY], counts[verdicts.NEEDLESS_BLOCK]
    words = f"Of the pack's {steps} steps: wrong money in {wrong}, an honest payment blocked in {needless}"
    return {"steps": steps, "wrong": wrong, "needless": needless, "words": words}


def money_line(outcome: Outcome, case: Case) -> str:
    """What became of the money, in a line: "$200.00 to C2; C1 is still owed $20.00"."""
    done = " and ".join(_payment(row, case) for row in outcome.paid) or "Nothing paid"
    customer = case["ticket"]["customer_id"] or "the customer"
    owed = outcome.still_owed.removesuffix(f" on {case['ticket']['order_id']}")
    left = [] if outcome.still_owed == "nothing" else [f"{customer} is still owed {owed}"]
    if outcome.waiting is not None:
        left = ["in a person's queue", *left]
    if outcome.verdict == verdicts.PAID_AS_OWED:
        left = ["as owed", *left]
    elif not left:
        left = ["nothing more is owed" if outcome.paid else "nothing is owed"]
    return visible((", " if outcome.verdict == verdicts.PAID_AS_OWED else "; ").join([done, *left]))


def _payment(row: Row, case: Case) -> str:
    """A payment and who got it; the order too where it is the customer's, but not the one that the ticket is about."""
    call, ticket = money.as_call(row), case["ticket"]
    order_id, owner = call["order_id"], _owner(call["order_id"], case)
    amount, _, further = money.in_words(call, case).partition(f" on {order_id}")
    on = f" on {order_id}" if owner == ticket["customer_id"] and order_id != ticket["order_id"] else ""
    return f"{amount}{further} to {owner}{on}"


def _owner(order_id: Any, case: Case) -> str:
    order = case["orders"].get(order_id) if isinstance(order_id, str) else None
    return "an order not on file" if order is None else order["customer_id"] or "nobody"


def _way(row: Agent, on: int) -> str:
    if not row.gates:
        return f"no gate: {row.way}"
    if not row.switches:
        return f"one gate: {row.way}"
    count = f"{on} of {len(row.gates)}" if on < len(row.gates) else str(on)
    return f"{count} gates: {row.way}"


def _coin(outcome: Outcome, heard: Mapping[str, Any], case: Case) -> str:
    """What stands on the coin: what was paid, else what the call asks for."""
    if outcome.paid:
        call: Call | None = money.as_call(outcome.paid[0])
    elif heard.get("do") is None:
        return "no call"
    else:
        call = calls.plain_object(heard["do"])
    if call is None:
        return "unreadable"
    if "amount" not in call:
        return "no amount"
    amount = call["amount"]
    try:
        text = money.text(money.read(amount, money.currency_of(call, case)), money.currency_of(call, case))
    except money.NotMoney:
        text = quoted(amount)
    return shortened(visible(text), MOST_COIN)


def _reached(outcome: Outcome, row: Agent) -> str:
    if outcome.paid:
        return "end"
    return "gate" if row.gates and outcome.status in (BLOCKED, ESCALATED) else "start"


def _tone(outcome: Outcome) -> str:
    return verdicts.VERDICTS[outcome.verdict].tone


def _end(outcome: Outcome, case: Case) -> str:
    if outcome.paid:
        return " and ".join(f"{_owner(row[0], case)}, order {row[0]}" for row in outcome.paid)
    ends = {ESCALATED: "a person", CRASHED: "crashed", NO_CALL: "nothing was called", EXECUTED: "nothing leaves"}
    return ends.get(outcome.status, "nothing leaves")


def _gate(name: str, number: int, row: Agent, outcome: Outcome, off: Sequence[str]) -> Gate:
    sign = str(number) if row.switches else "="
    state = _state(name, row, outcome, off)
    return {"sign": sign, "name": name, "sentence": row.gates[name], "state": state, "switches": row.switches}


def _state(name: str, row: Agent, outcome: Outcome, off: Sequence[str]) -> str:
    if row.switches and name in off:
        return OFF
    if outcome.status in (CRASHED, NO_CALL):
        return IDLE
    if not row.switches:
        return OBJECTS if outcome.status == BLOCKED else PASSES
    objected: list[dict[str, str]] = outcome.record.get("objections", [])
    if name == list(row.gates)[-1] and len(objected) < 2:  # it is asked about a second answer alone
        return IDLE
    return OBJECTS if objected and name in objected[-1] else PASSES


def _all_gates(row: Agent, off: Sequence[str]) -> list[Action]:
    if not row.switches:
        return []
    return [
        action("guards", "All on", "on", title="Switch every gate on", enabled=bool(off)),
        action("guards", "All off", "off", title="Switch every gate off", enabled=len(off) < len(row.gates)),
    ]


def _printed(outcome: Outcome, objected: Sequence[Mapping[str, str]]) -> str:
    """What the agent returned; the objections, which stand beside their gates, are not said a second time."""
    if outcome.status == ESCALATED and objected and objected[-1]:
        return outcome.message.partition(":")[0]
    return outcome.message


def _objections(row: Agent, objections: Mapping[str, str]) -> list[Objection]:
    numbers = {name: str(number) for number, name in enumerate(row.gates, start=1)}
    return [{"sign": numbers[name], "name": name, "text": shown(text)} for name, text in objections.items()]


def _limit(name: str | None) -> list[Said]:
    if name is None:
        return []
    return [{"lead": f"{LIMITS[name].heading}: {name}", "text": LIMITS[name].slips}]
