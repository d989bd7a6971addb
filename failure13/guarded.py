"""The guarded agent goes on where fixed.py stops: it asks the records, asks the model once more, then asks a person."""

from collections.abc import Mapping
from typing import Any

from failure13 import Audit, Call, Case, Ledger, Row, calls, money
from failure13.guards import GUARDS, Asked, Guard
from failure13.payments import refund

ESCALATED = "ESCALATED to a person"


def run_agent(
    step: Mapping[str, Any],
    ledger: Ledger,
    case: Case,
    audit: Audit | None = None,
    queue: list[dict[str, Any]] | None = None,
    guards: Mapping[str, Guard] = GUARDS,
) -> str:
    """Pay when no guard objects to the step or, failing that, to its one scripted `retry`; else leave it to a person.

    The record is written before the money moves: {"status": "executed", "problems": [], "guards": [], "objections":
    [{}]} with the objections to each answer, by guard. What waits for a person goes to `queue`, with the call as shown.
    """
    audit = [] if audit is None else audit
    queue = [] if queue is None else queue
    answers = answers_of(step)
    objections: list[dict[str, str]] = []
    for answer in answers:
        asked = question(answer, ledger, case)
        objections.append(objections_to(asked, guards))
        if not objections[-1]:
            payment = payment_of(asked)
            status = "executed" if answer is step else "executed after retry"
            audit.append({"status": status, "problems": [], "guards": [], "objections": objections})
            return refund(ledger, **payment)
    problems = list(objections[-1].values())
    record = {"problems": problems, "guards": list(objections[-1]), "objections": objections}
    audit.append({"status": ESCALATED, **record})
    queue.append({"call": answers[-1].get("do"), **record})
    return f"{ESCALATED}{' after one retry' if len(answers) > 1 else ''}: " + "; ".join(problems)


def answers_of(step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a model answers to one ticket: the step itself, then its one scripted `retry` if there is one."""
    return [step, step["retry"]] if step.get("retry") else [step]


def question(answer: Mapping[str, Any], ledger: Ledger, case: Case) -> Asked:
    """An answer read strictly, with the records to hold it against: what every guard is asked about."""
    intent, no_intent = _read(answer.get("intent"), "intent")
    call, no_call = _read(answer.get("do"), "call")
    return Asked(intent, call, no_intent, no_call, case, list(ledger))


def objections_to(asked: Asked, guards: Mapping[str, Guard] = GUARDS) -> dict[str, str]:
    """Every objection, by the name of the guard that raised it; all guards are asked, in their order."""
    answers = {name: guard(asked) for name, guard in guards.items()}
    return {name: objection for name, objection in answers.items() if objection}


def receipt(before: Ledger, paid: list[Row], case: Case) -> str:
    """What the customer reads, made from the ledger: the rows `before` this answer and those it `paid`.

    Examples: ([], [("A100", 20.0)]) -> "We refunded $20.00 on A100."; ([], []) -> "Nothing has been refunded yet; a
    person is looking at it."
    """
    if paid:
        return " ".join(f"We refunded {_spelled(row, case)}." for row in paid)
    if before:
        done = ", ".join(_spelled(row, case) for row in before)
        return f"We refunded {done} before, and nothing since; a person is looking at it."
    return "Nothing has been refunded yet; a person is looking at it."


def _spelled(row: Row, case: Case) -> str:
    order_id, amount, *extras = row
    order = case["orders"].get(order_id) if isinstance(order_id, str) else None
    currency = order["currency"] if order else "USD"
    try:
        spelled = money.text(money.read(amount, currency), currency)
    except money.NotMoney:
        spelled = str(amount)
    further = ", ".join(f"{field}: {value}" for field, value in extras[0].items()) if extras else ""
    return f"{spelled} on {order_id}{f' ({further})' if further else ''}"


def _read(side: Any, name: str) -> tuple[Call | None, str]:
    if side is None:
        return None, f"no {name} is declared as data"
    try:
        return calls.read_side(side), ""
    except calls.Unreadable as error:
        return None, f"the {name} cannot be compared: {error}"


def payment_of(asked: Asked) -> Call:
    """The arguments that are paid: the call as read, with the amount as the number it spells, at the cent.

    Raises ValueError where the call could not be read; an amount that is no money stays for the tool to refuse.
    """
    if asked.call is None:
        raise ValueError(asked.no_call)
    try:
        return {**asked.call, "amount": float(asked.amount)}
    except money.NotMoney:
        return asked.call
