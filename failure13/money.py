"""Money: a text or number becomes an exact amount in the currency's smallest unit, or is refused with the reason."""

import math
import re
from decimal import Decimal
from typing import Any

from failure13 import Call, Case, Row
from failure13.characters import json_text, quoted

# ISO 4217, the number of decimals of a currency's minor unit. A currency that is not listed is never guessed.
DECIMALS = {
    **dict.fromkeys("CLP ISK JPY KRW PYG UGX VND XAF XOF".split(), 0),
    **dict.fromkeys("AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD INR MXN NOK NZD PLN SEK SGD TRY USD ZAR".split(), 2),
    **dict.fromkeys("BHD JOD KWD OMR TND".split(), 3),
}
MOST_DIGITS = 15  # of an amount in minor units: a float keeps as many exactly
NOISE = Decimal("0.000001")  # what adding and multiplying floats leaves behind stays far below it
PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


class NotMoney(ValueError):
    """Why a value is no amount of money."""


def read(value: Any, currency: str = "USD") -> Decimal:
    """The amount that `value` spells, in units of `currency`, exact to its smallest unit; it may be negative.

    Examples: 20.0, 20 and "20.00" -> Decimal("20.00"); 17.98999999999998 -> Decimal("17.99")

    Raises NotMoney for true and false, what is neither number nor plain decimal text ("2,34"), what is not finite, and
    what is no whole number of minor units (10.005 dollars, 0.5 yen) or too large to be paid exactly as a float.
    """
    if currency not in DECIMALS:
        raise NotMoney(f"the smallest unit of {currency!r} is not known")
    exact = _exact(value)
    places = DECIMALS[currency]
    if exact.adjusted() + places >= MOST_DIGITS:
        raise NotMoney(f"an amount of more than {MOST_DIGITS} digits in {currency} cannot be paid exactly")
    amount = exact.quantize(Decimal(1).scaleb(-places))
    if abs(exact - amount) >= NOISE:
        raise NotMoney(f"{value!r} is no whole number of the smallest unit of {currency} ({places} decimals)")
    return amount


def _exact(value: Any) -> Decimal:
    if isinstance(value, str) and PLAIN.fullmatch(value):
        return Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotMoney(f"{'an object or list' if isinstance(value, dict | list) else quoted(value)} is no amount")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotMoney(f"{value!r} is not finite")
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def same(left: Any, right: Any, currency: str = "USD") -> bool:
    """Whether both are amounts and the same one: "20.00" and 20.0 are; True and 1, "2,34" and "2,34" are not."""
    try:
        return read(left, currency) == read(right, currency)
    except NotMoney:
        return False


def text(amount: Decimal, currency: str = "USD") -> str:
    """How a person writes an amount: Decimal("20.00") -> "$20.00", in yen "2000 JPY"."""
    return f"${amount}" if currency == "USD" else f"{amount} {currency}"


def spelled(value: Any, currency: str = "USD") -> str:
    """How a person writes the amount that `value` spells: 20.0 -> "$20.00"; of none, True -> "True (no amount)".

    Of a currency that is not listed, nobody knows what an amount is; it is written as it stands: "20.0 XYZ".
    """
    if currency not in DECIMALS:
        return f"{value} {currency}"
    try:
        return text(read(value, currency), currency)
    except NotMoney:
        return f"{quoted(value)} (no amount)"


def currency_of(payment: Call, case: Case) -> str:
    """The currency of a call or a payment: the one it names, known or not, else its order's, else dollars."""
    named = payment.get("currency")
    return named if isinstance(named, str) else currency_on_file(payment.get("order_id"), case)


def as_call(row: Row) -> Call:
    """A row of a ledger as the call that it paid: ("A100", 20.0, {"cap": 1}) -> {"order_id": "A100", ..., "cap": 1}."""
    order_id, amount, *extras = row
    return {"order_id": order_id, "amount": amount, **(extras[0] if extras else {})}


def further(payment: Call, case: Case) -> Call:
    """The further arguments of a payment, without those that the case calls harmless and the order's own currency."""
    passed_over = {"order_id", "amount", *case.get("harmless", ())}
    found = {field: value for field, value in payment.items() if field not in passed_over}
    if found.get("currency") == currency_on_file(payment.get("order_id"), case):
        del found["currency"]
    return found


def in_words(payment: Call, case: Case) -> str:
    """A payment as a person reads it: "$20.00 on A100", "$9.89 on A100 (method: gift_card)"."""
    arguments = further(payment, case)
    currency = currency_of(payment, case)
    if arguments.get("currency") == currency:  # the amount says it
        del arguments["currency"]
    told = ", ".join(
        f"{field}: {value if isinstance(value, str) else json_text(value)}" for field, value in arguments.items()
    )
    return f"{spelled(payment['amount'], currency)} on {payment['order_id']}{f' ({told})' if told else ''}"


def currency_on_file(order_id: Any, case: Case) -> str:
    """The currency of an order; dollars where it is not on file."""
    order = case["orders"].get(order_id) if isinstance(order_id, str) else None
    return order["currency"] if order else "USD"
