"""What an outcome was worth: what was paid, held against what was owed."""

from collections.abc import Mapping

from failure13 import Call, Order, Row, money
from failure13.compare import same

PAID_AS_OWED, WRONG_MONEY = "paid as owed", "wrong money"
NEEDLESS_BLOCK, RIGHTLY_STOPPED = "needless block", "rightly stopped"
CRASHED = "crashed"
VERDICTS = (PAID_AS_OWED, RIGHTLY_STOPPED, NEEDLESS_BLOCK, WRONG_MONEY, CRASHED)


def verdict(paid: list[Row], asked: list[Call], owed: Call | None, orders: Mapping[str, Order]) -> str:
    """The verdict on an agent that added the rows `paid`, or on one that was `asked` to make a call and did not.

    Example: ([("A101", 200.0)], [...], {"order_id": "A100", "amount": 20.0}, orders) -> "wrong money"
    """
    if paid:
        return PAID_AS_OWED if len(paid) == 1 and is_owed(_as_call(paid[0]), owed, orders) else WRONG_MONEY
    return NEEDLESS_BLOCK if any(is_owed(call, owed, orders) for call in asked) else RIGHTLY_STOPPED


def is_owed(call: Call, owed: Call | None, orders: Mapping[str, Order]) -> bool:
    """Whether `call` would pay what is owed: same order, same money at the cent, same further arguments.

    A `currency` that is the order's own says nothing new and counts as not given.
    """
    if owed is None or not {"order_id", "amount"} <= call.keys() or not same(call["order_id"], owed["order_id"]):
        return False
    currency = orders[owed["order_id"]]["currency"] if owed["order_id"] in orders else "USD"
    return money.same(call["amount"], owed["amount"], currency) and same(
        _further(call, currency), _further(owed, currency)
    )


def _as_call(row: Row) -> Call:
    order_id, amount, *extras = row
    return {"order_id": order_id, "amount": amount, **(extras[0] if extras else {})}


def _further(call: Call, currency: str) -> Call:
    further = {field: value for field, value in call.items() if field not in ("order_id", "amount")}
    if further.get("currency") == currency:
        del further["currency"]
    return further
