"""The one tool: money leaves here."""

from typing import Any


def refund(ledger: list[tuple[Any, ...]], order_id: Any, amount: Any, **extras: Any) -> str:
    """Pay `amount` (in the order's currency units) back on `order_id` and add the row to `ledger`.

    Example: refund([], "A100", 20.0) -> "refunded $20.00 on A100", ledger [("A100", 20.0)]

    Further arguments are part of the payment and stay in its row: ("A100", 20.0, {"method": "paypal"}).
    Whatever raises, such as an amount no number can be made of, leaves the ledger as it was.
    """
    message = f"refunded ${amount:.2f} on {order_id}"
    ledger.append((order_id, amount, extras) if extras else (order_id, amount))
    return message
