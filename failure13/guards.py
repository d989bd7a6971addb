"""The guards: one check each in front of a payment.

fixed.py compares what a model declared with what it called, and both are the model's own words. These also ask the
records that the model cannot write. Each guard answers None when it is content, else the objection in a clause that
holds both values, quoted so that their types and whatever deceives the eye can be seen. Only what matches passes; what
cannot be compared does not.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from failure13 import Call, Case, Ledger, Order, money
from failure13.characters import quoted
from failure13.compare import ABSENT, CANNOT_COMPARE, MATCHES, compare, same


@dataclass(frozen=True)
class Question:
    """What a guard is asked about: an answer as read, or why it could not be, and the records to hold it against.

    intent and call are None where they cannot be read; `no_intent` and `no_call` then say why. `first_intent` is what
    the first answer declared, where this is the second one.
    """

    intent: Call | None
    call: Call | None
    no_intent: str
    no_call: str
    case: Case
    ledger: Ledger
    first_intent: Call | None = None

    @property
    def order_id(self) -> Any:
        """The call's order id as it is, text or not; None where it names none."""
        order_id = None if self.call is None else self.call.get("order_id")
        return None if order_id == "" else order_id

    @property
    def order(self) -> Order | None:
        """The record of the call's order, if there is one."""
        return self.case["orders"].get(self.order_id) if isinstance(self.order_id, str) else None

    @property
    def currency(self) -> str:
        """The currency of the call's order, else of the ticket's, else dollars."""
        return self.order["currency"] if self.order else self.ticket_currency

    @property
    def ticket_currency(self) -> str:
        """The currency of the ticket's order, dollars where that is not on file."""
        return money.currency_on_file(self.case["ticket"]["order_id"], self.case)

    @property
    def amount(self) -> Decimal:
        """What the call would pay, exactly; raises NotMoney when that is no amount."""
        if self.call is None or "amount" not in self.call:
            raise money.NotMoney("the call names no amount")
        return money.read(self.call["amount"], self.currency)

    @property
    def paid(self) -> Decimal:
        """What the ledger has already paid on the call's order.

        Raises NotMoney when a row of it is no amount, or is in another currency, for the two are never added.
        """
        total = Decimal(0)
        for order_id, amount, *extras in self.ledger:
            if same(order_id, self.order_id):
                named = extras[0].get("currency", self.currency) if extras else self.currency
                if not same(named, self.currency):
                    raise money.NotMoney(f"{quoted(amount)} in {quoted(named)} is already paid on {quoted(order_id)}")
                total += money.read(amount, self.currency)
        return total


Guard = Callable[[Question], str | None]


class _Side(NamedTuple):
    """One of two sides to compare: its fields, the verb for what it does with each, and its own name."""

    fields: Call
    verb: str
    name: str

    def words(self, field: str) -> str:
        """What this side does with a field: "declared 20.0", or "left out of the intent"."""
        return f"{self.verb} {quoted(self.fields[field])}" if field in self.fields else f"left out of {self.name}"


def _differences(question: Question, one: _Side, other: _Side) -> str | None:
    """A clause for each field that does not match, those aside that move no money; None where all match."""
    clauses: list[str] = []
    for field in sorted({*one.fields, *other.fields} - {*question.case.get("harmless", ())}):
        left, right = one.fields.get(field, ABSENT), other.fields.get(field, ABSENT)
        result = compare(field, left, right, question.currency)
        if result != MATCHES:
            cannot = ", which cannot be compared" if result == CANNOT_COMPARE else ""
            clauses.append(f"{quoted(field)}: {one.words(field)}, {other.words(field)}{cannot}")
    return "; ".join(clauses) or None


def intent_is_declared(question: Question) -> str | None:
    """The intent is declared as data, not only told in prose."""
    if question.intent is None:
        return question.no_intent
    return None if question.intent else "the declared intent is an empty object"


def call_is_well_formed(question: Question) -> str | None:
    """The call is well formed: an id that is text, an amount that is money."""
    call = question.call
    if call is None:
        return question.no_call
    problems: list[str] = []
    if question.order_id is None:
        problems.append("the call names no order")
    elif not isinstance(question.order_id, str):
        problems.append(f"the call's order_id is {quoted(question.order_id)}, and an id is text")
    try:
        if question.amount <= 0:
            problems.append(f"the call's amount is {quoted(call['amount'])}, and a refund is more than zero")
    except money.NotMoney as error:
        problems.append(f"amount: {error}" if "amount" in call else str(error))
    if "ledger" in call:
        problems.append(f"'ledger' is {quoted(call['ledger'])} in the call, and no argument of the tool")
    return "; ".join(problems) or None


def call_equals_intent(question: Question) -> str | None:
    """The call equals the declared intent, field by field."""
    if not question.intent or question.call is None:
        return None
    declared = _Side(question.intent, "declared", "the intent")
    return _differences(question, declared, _Side(question.call, "called", "the call"))


def order_is_the_tickets(question: Question) -> str | None:
    """The order is the one the ticket is about."""
    of_ticket = question.case["ticket"]["order_id"]
    if question.call is None or (of_ticket and same(of_ticket, question.order_id)):
        return None
    called = "names no order" if question.order_id is None else f"is about {quoted(question.order_id)}"
    is_about = "" if called.startswith("is about") else "is "
    ticket = f"{is_about}about {quoted(of_ticket)}" if of_ticket else "names no order"
    return f"the call {called}, the ticket {ticket}"


def order_is_the_customers(question: Question) -> str | None:
    """The order belongs to the ticket's customer."""
    customer = question.case["ticket"]["customer_id"]
    if question.call is None:
        return None
    if question.order_id is None:
        return "the call names no order"
    if question.order is None:
        return f"{quoted(question.order_id)} is not on file"
    owner = question.order["customer_id"]
    if customer and owner == customer:
        return None
    of = f"belongs to {quoted(owner)}" if owner else "belongs to nobody"
    return (
        f"{quoted(question.order_id)} {of}, the ticket {f'to {quoted(customer)}' if customer else 'names no customer'}"
    )


def amount_is_refundable(question: Question) -> str | None:
    """The amount is still refundable on that order."""
    if question.call is None or question.order is None:  # an order that is not on file has no figure to hold against
        return None
    try:
        amount = question.amount
        allowed = min(money.read(question.order[key], question.currency) for key in ("refundable", "paid"))
        paid = question.paid
    except money.NotMoney as error:
        return f"what is refundable cannot be compared: {error}"
    if amount <= allowed - paid:
        return None
    left = max(allowed - paid, money.read(0, question.currency))
    wanted, rest, before = (money.text(each, question.currency) for each in (amount, left, paid))
    after = f" after the {before} already paid" if paid else ""
    return f"{wanted} is more than the {rest} still refundable on {quoted(question.order_id)}{after}"


def currency_is_the_orders(question: Question) -> str | None:
    """The currency, where the call names one, is the order's."""
    if question.call is None or "currency" not in question.call:
        return None
    named = quoted(question.call["currency"])
    if question.order_id is None:
        return f"the call is in {named} and names no order"
    if question.order is None:
        return f"the call is in {named}, and the currency of {quoted(question.order_id)} is not on file"
    if same(question.call["currency"], question.order["currency"]):
        return None
    return f"the call is in {named}, {quoted(question.order_id)} in {quoted(question.order['currency'])}"


def customer_agreed_to_amount(question: Question) -> str | None:
    """The customer agreed to this amount, where the ticket records one, and it has not been paid already."""
    agreed, currency = question.case["ticket"].get("agreed_amount"), question.ticket_currency
    if question.call is None or agreed is None:
        return None
    try:
        amount, whole, paid = question.amount, money.read(agreed, currency), question.paid
    except money.NotMoney as error:
        return f"what the customer agreed to cannot be compared: {error}"
    if question.currency == currency and amount == whole - paid:
        return None
    before = f", of which {money.text(paid, currency)} is paid" if paid and question.currency == currency else ""
    pays = money.text(amount, question.currency)
    return f"the customer agreed to {money.text(whole, currency)}{before}, and the call pays {pays}"


def plan_is_the_same(question: Question) -> str | None:
    """A second answer declares what the first declared: it may mend the call, never the plan."""
    if not question.first_intent or question.intent is None:
        return None
    first = _Side(question.first_intent, "first declared", "the first intent")
    return _differences(question, first, _Side(question.intent, "then declared", "the second intent"))


GUARDS: Mapping[str, Guard] = {
    "intent declared": intent_is_declared,
    "call well formed": call_is_well_formed,
    "call equals intent": call_equals_intent,
    "ticket's order": order_is_the_tickets,
    "customer's order": order_is_the_customers,
    "still refundable": amount_is_refundable,
    "order's currency": currency_is_the_orders,
    "agreed amount": customer_agreed_to_amount,
    "same plan": plan_is_the_same,
}


def all_but(off: Collection[str]) -> dict[str, Guard]:
    """The guards that are on, in asking order, where those named in `off` are switched off."""
    return {name: guard for name, guard in GUARDS.items() if name not in off}
