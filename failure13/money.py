"""Money: a text or number becomes an exact amount in the currency's smallest unit, or is refused with the reason."""

import math
import re
from decimal import Decimal
from typing import Any

# ISO 4217, the number of decimals of a currency's minor unit. A currency that is not listed is never guessed.
DECIMALS = {
    **dict.fromkeys("CLP ISK JPY KRW PYG UGX VND XAF XOF".split(), 0),
    **dict.fromkeys("AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD INR MXN NOK NZD PLN SEK SGD TRY USD ZAR".split(), 2),
    **dict.fromkeys("BHD JOD KWD OMR TND".split(), 3),
}
MOST_DIGITS = 15  # of an amount in minor units: so many come out of a float as they went in
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
        raise NotMoney(f"{'an object or list' if isinstance(value, dict | list) else repr(value)} is no amount")
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
