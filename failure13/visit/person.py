"""A person's queue: what an agent left to a person, and what the person decides."""

from collections.abc import Mapping
from dataclasses import replace

from failure13 import Ledger, guarded, money, verdicts
from failure13.agents import AGENTS
from failure13.compare import same
from failure13.guards import GUARDS, Guard, Question
from failure13.payments import refund
from failure13.replay import BLOCKED, EXECUTED, Outcome
from failure13.visit import cells
from failure13.visit.runs import Run, Waiting

APPROVED, DECLINED = "approved by a person", "declined by a person"
NOTHING_PAID = "Nothing was paid. Run the step again, or decline this."


class Refused(ValueError):
    """Why what waits cannot be approved now."""


def approve(waiting: Waiting, now: Run, ledger: Ledger, guards: Mapping[str, Guard] = GUARDS) -> Outcome:
    """Pay the call that was shown, once every guard was asked again on steps, records and ledger as they are now.

    `now` is the run that waits with what is on screen in its place. A person overrides the objections that were shown
    and no others. Raises Refused when the call has changed since, when a guard objects to something that was not shown,
    and when the call cannot be paid; nothing is paid then.
    """
    call = AGENTS[waiting.agent].hears(now.step)[-1].get("do")
    if not same(waiting.call, call):
        raise Refused(
            f"The call has changed since it was shown: it was {cells.as_sent(waiting.call)}, "
            f"it is {cells.as_sent(call)}. {NOTHING_PAID}"
        )
    question = _question(waiting.agent, now, ledger)
    shown: dict[str, str] = waiting.outcome.record.get("objections", [{}])[-1]
    objections = guarded.objections_to(question, guards)
    fresh = [objection for guard, objection in objections.items() if shown.get(guard) != objection]
    if fresh:
        raise Refused(f"Something speaks against it that was not shown: {'; '.join(fresh)}. {NOTHING_PAID}")
    if why := _unpayable(question):
        raise Refused(f"The call cannot be paid: {why}. Decline it.")
    after = list(ledger)
    message = refund(after, **guarded.payment_of(question))
    verdict = verdicts.verdict(after[len(ledger) :], [], now.step["owed"], now.scenario.case)
    return replace(_decided(waiting, now, APPROVED, message, ledger, after), status=EXECUTED, verdict=verdict)


def decline(waiting: Waiting, ledger: Ledger) -> Outcome:
    """Leave the money where it is, in the ledger as it is now; the verdict stays what it was."""
    return replace(_decided(waiting, waiting.run, DECLINED, "nothing was paid", ledger, ledger), status=BLOCKED)


def unpayable(waiting: Waiting) -> str:
    """Why the call that waits cannot be paid, whoever approves it, or ""."""
    return _unpayable(_question(waiting.agent, waiting.run, []))


def _decided(waiting: Waiting, now: Run, decision: str, message: str, before: Ledger, after: Ledger) -> Outcome:
    """What a decision made of the outcome that waited, on a ledger `before` it and `after`."""
    paid, case = after[len(before) :], now.scenario.case
    return replace(
        waiting.outcome,
        message=f"{decision}: {message}",
        paid=paid,
        ledger=list(after),
        still_owed=verdicts.still_owed([step["owed"] for step in now.steps], after, case),
        told=guarded.receipt(before, paid, case, "a person has looked at it"),
        record={"status": decision, "problems": waiting.outcome.problems},
        waiting=None,
    )


def _question(agent: str, run: Run, ledger: Ledger) -> Question:
    """What the guards are asked about the answer that waits: the last one that its agent heard."""
    last = len(AGENTS[agent].hears(run.step)) - 1
    return guarded.question_about(run.step, last, ledger, run.scenario.case)


def _unpayable(question: Question) -> str:
    if question.call is None:
        return question.no_call
    if question.order_id is None:
        return "the call names no order"
    if "ledger" in question.call:
        return "'ledger' is no argument of the tool"
    try:
        return "" if question.amount else "the amount is zero"
    except money.NotMoney as error:
        return str(error)
