"""A person's queue: what the guarded agent left to a person, and what the person decides."""

from dataclasses import replace
from typing import Any

from failure13 import Step, cells, guarded, verdicts
from failure13.compare import same
from failure13.payments import refund
from failure13.replay import BLOCKED, EXECUTED, Outcome
from failure13.scenarios import Scenario

APPROVED, DECLINED = "approved by a person", "declined by a person"


class Refused(ValueError):
    """Why what waits cannot be approved now."""


def approve(scenario: Scenario, step_now: Step, waiting: Outcome) -> Outcome:
    """Pay the call that was shown, once more held against the step as it is now.

    `waiting` is the guarded agent's outcome that holds what waits; the answer is a new outcome on top of its ledger.
    Raises Refused when the call has changed since, or cannot be read and so cannot be paid; nothing is paid then.
    """
    shown, now = shown_call(waiting), guarded.answers_of(step_now)[-1]["do"]
    if not same(shown, now):
        raise Refused(
            f"The call has changed since it was shown: it was {cells.as_sent(shown)}, it is {cells.as_sent(now)}. "
            "Nothing was paid. Run the step again, or decline this."
        )
    ledger = list(waiting.ledger)
    try:
        asked = guarded.question({"do": shown}, ledger, scenario.case)
        message = refund(ledger, **guarded.payment_of(asked))
    except Exception as error:  # a person may approve what no payment tool can pay
        raise Refused(f"The call cannot be paid: {error}. Decline it.") from None
    paid = ledger[len(waiting.ledger) :]
    return replace(
        waiting,
        status=EXECUTED,
        message=f"{APPROVED}: {message}",
        paid=paid,
        ledger=ledger,
        verdict=verdicts.verdict(paid, [], step_now["owed"], scenario.case["orders"]),
        told=guarded.receipt(waiting.ledger, paid, scenario.case),
        record={"status": APPROVED, "problems": waiting.problems},
        waiting=None,
    )


def decline(waiting: Outcome) -> Outcome:
    """Leave the money where it is; the verdict stays what it was."""
    return replace(
        waiting,
        status=BLOCKED,
        message=f"{DECLINED}: nothing was paid",
        paid=[],
        told="Nothing has been refunded; a person has looked at it.",
        record={"status": DECLINED, "problems": waiting.problems},
        waiting=None,
    )


def shown_call(waiting: Outcome) -> Any:
    """The arguments that wait for a person, as the step had them: an object or its text."""
    return (waiting.waiting or {})["call"]
