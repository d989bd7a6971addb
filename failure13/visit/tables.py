"""Records and outcomes as sentences and tables."""

from typing import NamedTuple

from failure13 import Case, Ledger, Step, money
from failure13.characters import json_text
from failure13.limits import LIMITS
from failure13.replay import Outcome
from failure13.scenarios import Scenario
from failure13.verdicts import PAID_AS_OWED, RIGHTLY_STOPPED
from failure13.visit import cells, grid


class Table(NamedTuple):
    """A table of text: what it is about, what its columns are, and its rows."""

    caption: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]


def ticket_line(case: Case) -> str:
    """The ticket in a line: "Ticket T1, customer C1, order A100, 20.00 agreed with the customer"."""
    ticket = case["ticket"]
    agreed = f", {ticket['agreed_amount']} agreed with the customer" if "agreed_amount" in ticket else ""
    return f"Ticket {ticket['id']}, customer {ticket['customer_id']}, order {ticket['order_id']}{agreed}"


def orders(case: Case) -> Table:
    """The orders on file."""
    rows = [
        (order_id, order["customer_id"], f"{order['paid']} {order['currency']}", order["refundable"])
        for order_id, order in case["orders"].items()
    ]
    return Table("Order records", ("order on file", "customer", "paid", "refundable"), rows)


def owed(step: Step, case: Case) -> str:
    """The right payment in words, "$20.00 on A100"; what the outcomes are held against and no agent sees."""
    payment = step["owed"]
    if payment is None:
        return "nothing"
    return money.in_words(payment, case)


def problems(outcome: Outcome, step: Step) -> list[Table]:
    """What an agent named: objections to a first answer where there was a second, else the fields that differ."""
    objections = outcome.record.get("objections")
    if objections is not None:  # those to its last answer are in its message
        return [Table("First answer", ("guard", "objection"), list(each.items())) for each in objections[:-1]]
    if outcome.problems:
        return [Table("Problems it named", ("field", "declared", "called"), list(grid.differences(step)))]
    return []


def ledger(rows: Ledger, before: int) -> Table:
    """A ledger of which the first `before` rows were there before the step."""
    further = any(len(row) > 2 for row in rows)
    return Table(
        f"Ledger, {before} before and {len(rows)} after",
        ("row", "order", "amount", *(["further arguments"] if further else [])),
        [
            (
                "new" if number >= before else "before",
                cells.write(row[0]),
                cells.write(row[1]),
                *([json_text(row[2]) if len(row) > 2 else ""] if further else []),
            )
            for number, row in enumerate(rows)
        ],
    )


def second_answer(outcome: Outcome, step: Step) -> str:
    """The retry that the guarded agent asked for, as text, or nothing where it did not ask."""
    retry = step.get("retry")
    if retry is None or len(outcome.record.get("objections", [])) < 2:
        return ""
    return "\n".join(f"{side}: {cells.as_sent(retry[side])}" for side in grid.SIDES)


# Limits that are there even when the verdict is good.
SHOW_IN_ANY_VERDICT = ("free text", "a block goes nowhere")


def limit(scenario: Scenario, outcome: Outcome) -> str | None:
    """The limit that an outcome shows, where its scenario is about one of its agent's: a key of LIMITS."""
    name = scenario.limit
    if name is None or LIMITS[name].agent != outcome.agent:
        return None
    went_well = outcome.verdict in (PAID_AS_OWED, RIGHTLY_STOPPED)
    return None if went_well and name not in SHOW_IN_ANY_VERDICT else name


def overview(outcomes: dict[str, list[Outcome]]) -> Table:
    """What each agent does with each step of a scenario."""
    steps = range(max(map(len, outcomes.values())))
    rows = [
        (f"{index + 1}", agent, outcome.verdict, outcome.message, outcome.still_owed)
        for index in steps
        for agent, outcome in ((agent, of_agent[index]) for agent, of_agent in outcomes.items())
    ]
    return Table("What each agent does with it", ("step", "agent", "verdict", "message", "still owed"), rows)
