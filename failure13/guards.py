"""The guards: one check each in front of a payment.

fixed.py compares what a model declared with what it called, and both are the model's own words. These also ask the
records that the model cannot write. Each guard answers None when it is content, else the objection in a clause that
holds both values. Only what matches passes; what cannot be compared does not.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from failure13 import Call, Case, Ledger, Order, money
from failure13.characters import quoted
from failure13.compare import ABSENT, CANNOT_COMPARE, MATCHES, compare


@dataclass(frozen=True)
class Asked:
    """What a guard may look at: an answer as read, or why it could not be, and the records.

    intent and call are None where they cannot be read; `no_intent` and `no_call` then say why.
    """

    intent: Call | None
    call: Call | None
    no_intent: str
    no_call: str
    case: Case
    ledger: Ledger

    @property
    def order_id(self) -> Any:
        """The call's order id as it is, text or not; None where there is none."""
        return None if self.call is None else self.call.get("order_id")

    @property
    def order(self) -> Order | None:
        """The record of the call's order, if there is one."""
        return self.case["orders"].get(self.order_id) if isinstance(self.order_id, str) else None

    @property
    def currency(self) -> str:
        """The currency of the call's order, else of the ticket's, else dollars."""
        order = self.order or self.case["orders"].get(self.case["ticket"]["order_id"])
        return order["currency"] if order else "USD"

    @property
    def amount(self) -> Decimal:
        """What the call would pay, exactly; raises NotMoney when that is no amount."""
        if self.call is None or "amount" not in self.call:
            raise money.NotMoney("the call names no amount")
        return money.read(self.call["amount"], self.currency)

    @property
    def refundable(self) -> Decimal:
        """What the order in the records still allows, less what the ledger has already paid on it."""
        allowed = money.read(self.order["refundable"] if self.order else 0, self.currency)
        return allowed - sum(money.read(row[1], self.currency) for row in self.ledger if row[0] == self.order_id)


Guard = Callable[[Asked], str | None]


def intent_is_declared(asked: Asked) -> str | None:
    """The intent is declared as data, not only told in prose."""
    if asked.intent is None:
        return asked.no_intent
    return None if asked.intent else "the declared intent is an empty object"


def call_is_well_formed(asked: Asked) -> str | None:
    """The call is well formed: an id that is text, an amount that is money."""
    if asked.call is None:
        return asked.no_call
    problems: list[str] = []
    if not isinstance(asked.order_id, str):
        problems.append(f"order_id is {_value(asked.call, 'order_id')}, and an id is text")
    try:
        if asked.amount <= 0:
            problems.append(f"amount is {_value(asked.call, 'amount')}, and a refund is more than zero")
    except money.NotMoney as error:
        problems.append(f"amount: {error}" if "amount" in asked.call else "amount is nothing, and a refund needs one")
    if "ledger" in asked.call:
        problems.append("ledger is no argument of the tool")
    return "; ".join(problems) or None


def call_equals_intent(asked: Asked) -> str | None:
    """The call equals the declared intent, field by field."""
    intent, call = asked.intent, asked.call
    if not intent or call is None:
        return None
    problems: list[str] = []
    for field in sorted({*intent, *call}):
        result = compare(field, intent.get(field, ABSENT), call.get(field, ABSENT), asked.currency)
        if result != MATCHES:
            clause = f"{field}: said {_value(intent, field)}, did {_value(call, field)}"
            problems.append(clause + (", which cannot be compared" if result == CANNOT_COMPARE else ""))
    return "; ".join(problems) or None


def order_is_the_tickets(asked: Asked) -> str | None:
    """The order is the one the ticket is about."""
    of_ticket = asked.case["ticket"]["order_id"]
    if asked.call is None or compare("order_id", of_ticket, asked.order_id) == MATCHES:
        return None
    return f"the call is about {_name(asked)}, the ticket about {of_ticket}"


def order_is_the_customers(asked: Asked) -> str | None:
    """The order belongs to the ticket's customer."""
    customer = asked.case["ticket"]["customer_id"]
    if asked.call is None:
        return None
    if asked.order is None:
        return f"{_name(asked)} is not on file"
    if asked.order["customer_id"] == customer:
        return None
    return f"{asked.order_id} belongs to {asked.order['customer_id']}, the ticket to {customer}"


def amount_is_refundable(asked: Asked) -> str | None:
    """The amount is still refundable on that order."""
    if asked.call is None:
        return None
    try:
        amount, left = asked.amount, asked.refundable
    except money.NotMoney as error:
        return f"what is refundable cannot be compared: {error}"
    if amount <= left:
        return None
    return f"{_money(amount, asked)} is more than the {_money(left, asked)} still refundable on {_name(asked)}"


def currency_is_the_orders(asked: Asked) -> str | None:
    """The currency, where the call names one, is the order's."""
    if asked.call is None or "currency" not in asked.call:
        return None
    if asked.order is None:
        return f"the currency of {_name(asked)} is not on file"
    if asked.call["currency"] == asked.order["currency"]:
        return None
    return f"the call is in {_value(asked.call, 'currency')}, {asked.order_id} in {asked.order['currency']}"


def customer_agreed_to_amount(asked: Asked) -> str | None:
    """The customer agreed to this amount, where the ticket records one."""
    agreed = asked.case["ticket"].get("agreed_amount")
    if asked.call is None or agreed is None:
        return None
    try:
        amount, expected = asked.amount, money.read(agreed, asked.currency)
    except money.NotMoney as error:
        return f"what the customer agreed to cannot be compared: {error}"
    if amount == expected:
        return None
    return f"the customer agreed to {_money(expected, asked)}, the call pays {_money(amount, asked)}"


GUARDS: Mapping[str, Guard] = {
    "intent declared": intent_is_declared,
    "call well formed": call_is_well_formed,
    "call equals intent": call_equals_intent,
    "ticket's order": order_is_the_tickets,
    "customer's order": order_is_the_customers,
    "still refundable": amount_is_refundable,
    "order's currency": currency_is_the_orders,
    "agreed amount": customer_agreed_to_amount,
}


def _value(side: Call, field: str) -> str:
    return quoted(side[field]) if field in side else "nothing"


def _name(asked: Asked) -> str:
    order_id = asked.order_id
    return order_id if isinstance(order_id, str) and re.fullmatch(r"[!-~]+", order_id) else quoted(order_id)


def _money(amount: Decimal, asked: Asked) -> str:
    return money.text(amount, asked.currency)
