"""The guarded agent goes on where fixed.py stops: it asks the records, asks the model once more, then asks a person."""

from collections.abc import Mapping
from typing import Any

from failure13 import Audit, Call, Case, Ledger, Row, calls, money
from failure13.guards import GUARDS, Guard, Question
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
    questions: list[Question] = []
    objections: list[dict[str, str]] = []
    for number in range(len(answers_of(step))):
        question = question_about(step, number, ledger, case)
        questions.append(question)
        objections.append(objections_to(question, guards))
        if question.call is not None and not objections[-1]:
            payment = payment_of(question)
            status = "executed after retry" if number else "executed"
            audit.append({"status": status, "problems": [], "guards": [], "objections": objections})
            return refund(ledger, **payment)
    problems = list(objections[-1].values()) or [questions[-1].no_call]  # with guards off, no guard may have said so
    record = {"problems": problems, "guards": list(objections[-1]), "objections": objections}
    audit.append({"status": ESCALATED, **record})
    queue.append({"call": answers_of(step)[-1].get("do"), **record})
    return f"{ESCALATED}{' after one retry' if len(questions) > 1 else ''}: " + "; ".join(problems)


def answers_of(step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a model answers to one ticket: the step itself, then its one scripted `retry` if there is one."""
    return [step, step["retry"]] if step.get("retry") else [step]


def question_about(step: Mapping[str, Any], number: int, ledger: Ledger, case: Case) -> Question:
    """An answer of a step, 0 for the first, read strictly, with the records: what every guard is asked about."""
    answers = answers_of(step)
    intent, no_intent = _read(answers[number].get("intent"), "intent", "no intent is declared as data")
    call, no_call = _read(answers[number].get("do"), "call", "nothing was called: the sentence is all there is")
    first_intent = _read(answers[0].get("intent"), "intent", "")[0] if number else None
    return Question(intent, call, no_intent, no_call, case, list(ledger), first_intent)


def objections_to(question: Question, guards: Mapping[str, Guard] = GUARDS) -> dict[str, str]:
    """Every objection, by the name of the guard that raised it; all guards are asked, in their order."""
    answers = {name: guard(question) for name, guard in guards.items()}
    return {name: objection for name, objection in answers.items() if objection}


def payment_of(question: Question) -> Call:
    """The arguments that are paid: the call as read, with the amount as the number it spells, at the cent.

    Raises ValueError where the call could not be read; an amount that is no money stays for the tool to refuse.
    """
    if question.call is None:
        raise ValueError(question.no_call)
    try:
        return {**question.call, "amount": float(question.amount)}
    except money.NotMoney:
        return question.call


def receipt(before: Ledger, paid: list[Row], case: Case, person: str = "a person is looking at it") -> str:
    """What the customer reads, made from the ledger: the rows `before` this answer and those it `paid`.

    Examples: ([], [("A100", 20.0)]) -> "We refunded $20.00 on A100."; ([], []) -> "Nothing has been refunded yet; a
    person is looking at it." Where nothing was paid, `person` says what a person does about it, or is "" for nothing.
    """
    if paid:
        return " ".join(f"We refunded {money.in_words(money.as_call(row), case)}." for row in paid)
    done = ", ".join(money.in_words(money.as_call(row), case) for row in before)
    so_far = f"We refunded {done} before, and nothing since" if before else "Nothing has been refunded yet"
    return f"{so_far}; {person}." if person else f"{so_far}."


def _read(side: Any, name: str, missing: str) -> tuple[Call | None, str]:
    if side is None:
        return None, missing
    try:
        return calls.read_side(side), ""
    except calls.Unreadable as error:
        return None, f"the {name} cannot be compared: {error}"
