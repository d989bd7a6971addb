import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13 import money
from samples import calls, case, order, values, wild_numbers

CURRENCIES = st.sampled_from(sorted(money.DECIMALS))
MINOR_UNITS = st.integers(-(10**15 - 1), 10**15 - 1)


@pytest.mark.parametrize(
    ("value", "currency", "amount"),
    [
        (20.0, "USD", "20.00"),
        (20, "USD", "20.00"),
        ("20.00", "USD", "20.00"),
        ("20", "EUR", "20.00"),
        ("20.0000", "USD", "20.00"),
        (17.98999999999998, "USD", "17.99"),
        (0.1 + 0.2, "USD", "0.30"),
        (-20.0, "USD", "-20.00"),
        ("2000", "JPY", "2000"),
        (1999.9999999999998, "JPY", "2000"),
        ("1.234", "KWD", "1.234"),
        (10.005, "KWD", "10.005"),
        (0, "USD", "0.00"),
        (9999999999999.99, "USD", "9999999999999.99"),
    ],
)
def test_an_amount_is_read_exactly_at_the_minor_unit(value, currency, amount):
    read = money.read(value, currency)
    assert read == Decimal(amount)
    assert str(read) == amount


@pytest.mark.parametrize(
    ("value", "currency", "why"),
    [
        (True, "USD", "True is no amount"),
        (False, "USD", "False is no amount"),
        (None, "USD", "None is no amount"),
        ([20.0], "USD", "an object or list is no amount"),
        ({"amount": 20.0}, "USD", "an object or list is no amount"),
        ([10**5000], "USD", "an object or list is no amount"),
        ("2,34", "USD", "'2,34' is no amount"),
        ("1,234.50", "USD", "'1,234.50' is no amount"),
        ("1e2", "USD", "'1e2' is no amount"),
        ("+20", "USD", "'+20' is no amount"),
        (" 20.00", "USD", "' 20.00' (a blank in front) is no amount"),
        ("20.00 ", "USD", "'20.00 ' (a blank at the end) is no amount"),
        ("20.00\u200b", "USD", r"'20.00\u200b' (U+200B ZERO WIDTH SPACE) is no amount"),
        ("2O.00", "USD", "'2O.00' is no amount"),
        ("2О.00", "USD", "'2О.00' (О is U+041E CYRILLIC CAPITAL LETTER O) is no amount"),
        ("20.00\n", "USD", r"'20.00\n' is no amount"),
        ("$20.00", "USD", "'$20.00' is no amount"),
        ("020", "USD", "'020' is no amount"),
        ("1_000", "USD", "'1_000' is no amount"),
        ("20.", "USD", "'20.' is no amount"),
        (".5", "USD", "'.5' is no amount"),
        ("٢٠", "USD", "'٢٠' is no amount"),
        ("2٠", "USD", "'2٠' (٠ is U+0660 ARABIC-INDIC DIGIT ZERO) is no amount"),
        ("20.٠٠", "USD", "'20.٠٠' (٠ is U+0660 ARABIC-INDIC DIGIT ZERO) is no amount"),
        ("NaN", "USD", "'NaN' is no amount"),
        ("", "USD", "'' is no amount"),
        (math.nan, "USD", "nan is not finite"),
        (math.inf, "USD", "inf is not finite"),
        (-math.inf, "USD", "-inf is not finite"),
        (10.005, "USD", "10.005 is no whole number of the smallest unit of USD (2 decimals)"),
        ("10.005", "EUR", "'10.005' is no whole number of the smallest unit of EUR (2 decimals)"),
        (10.000001, "USD", "10.000001 is no whole number of the smallest unit of USD (2 decimals)"),
        (0.5, "JPY", "0.5 is no whole number of the smallest unit of JPY (0 decimals)"),
        (1.2345, "KWD", "1.2345 is no whole number of the smallest unit of KWD (3 decimals)"),
        (10**13, "USD", "an amount of more than 15 digits in USD cannot be paid exactly"),
        (1e300, "USD", "an amount of more than 15 digits in USD cannot be paid exactly"),
        pytest.param(-(10**5000), "JPY", "an amount of more than 15 digits in JPY cannot be paid exactly", id="huge"),
        (20.0, "XYZ", "the smallest unit of 'XYZ' is not known"),
        (20.0, "usd", "the smallest unit of 'usd' is not known"),
    ],
)
def test_what_is_no_amount_is_refused_with_the_reason(value, currency, why):
    with pytest.raises(money.NotMoney) as refused:
        money.read(value, currency)
    assert str(refused.value) == why
    assert not money.same(value, value, currency)


@pytest.mark.parametrize(("noise", "is_amount"), [("0.00000099", True), ("0.000001", False), ("-0.00000099", True)])
def test_noise_is_less_than_a_millionth_of_a_unit(noise, is_amount):
    value = str(Decimal("20.00") + Decimal(noise))
    assert money.same(value, "20.00") is is_amount
    assert money.same(float(value), 20.0) is is_amount


@given(MINOR_UNITS, CURRENCIES)
def test_every_amount_comes_back_from_its_text_and_from_its_float(units, currency):
    amount = Decimal(units).scaleb(-money.DECIMALS[currency])
    text = f"{amount:f}"
    assert money.read(text, currency) == amount
    assert str(money.read(text, currency)) == text
    assert money.read(float(amount), currency) == amount
    assert float(money.read(float(amount), currency)) == float(amount)


@given(st.lists(st.integers(-(10**6), 10**6), max_size=50))
def test_adding_floats_up_leaves_the_same_cents(cents):
    assert money.read(sum(cent / 100 for cent in cents)) == Decimal(sum(cents)).scaleb(-2)


@given(values | wild_numbers, CURRENCIES)
def test_any_value_is_an_amount_at_the_minor_unit_or_refused(value, currency):
    try:
        amount = money.read(value, currency)
    except money.NotMoney:
        assert not money.same(value, value, currency)
    else:
        assert amount.as_tuple().exponent == -money.DECIMALS[currency]
        assert abs(amount - Decimal(str(value))) < money.NOISE
        assert not isinstance(value, bool)
        assert money.same(value, value, currency)


def test_the_same_money_is_the_same_in_any_form():
    assert money.same("20.00", 20.0)
    assert money.same(20, 20.0)
    assert not money.same(20.0, 20.01)
    assert not money.same(True, 1)
    assert not money.same("2,34", 234.0)


def test_a_currency_has_the_decimals_of_its_minor_unit():
    assert [money.DECIMALS[currency] for currency in ("JPY", "USD", "EUR", "KWD")] == [0, 2, 2, 3]


def test_money_is_written_with_its_currency():
    assert money.text(Decimal("20.00")) == "$20.00"
    assert money.text(Decimal("2000"), "JPY") == "2000 JPY"
    assert money.text(Decimal("1.500"), "KWD") == "1.500 KWD"


@pytest.mark.parametrize(
    ("value", "currency", "spelled"),
    [
        (20.0, "USD", "$20.00"),
        ("20", "EUR", "20.00 EUR"),
        (17.98999999999998, "USD", "$17.99"),
        (2000, "JPY", "2000 JPY"),
        (-20.0, "USD", "$-20.00"),
        (True, "USD", "True (no amount)"),
        (None, "USD", "None (no amount)"),
        ("2,34", "USD", "'2,34' (no amount)"),
        (10.005, "USD", "10.005 (no amount)"),
        (math.nan, "USD", "nan (no amount)"),
        ([20.0], "USD", "[20.0] (no amount)"),
    ],
)
def test_any_value_can_be_spelled_and_says_so_where_it_is_no_amount(value, currency, spelled):
    assert money.spelled(value, currency) == spelled


@given(values | wild_numbers, CURRENCIES)
def test_spelling_never_raises_and_never_makes_an_amount_of_what_is_none(value, currency):
    assert money.spelled(value, currency).endswith("(no amount)") is not money.same(value, value, currency)


BOOK = case(None, J1=order(currency="JPY"), K1=order(currency="KWD"))


@pytest.mark.parametrize(
    ("payment", "currency"),
    [
        ({"order_id": "A100"}, "USD"),
        ({"order_id": "J1"}, "JPY"),
        ({"order_id": "K1", "currency": "EUR"}, "EUR"),
        ({"order_id": "J1", "currency": "jpy"}, "jpy"),
        ({"order_id": "J1", "currency": None}, "JPY"),
        ({"order_id": "J1", "currency": ["EUR"]}, "JPY"),
        ({"order_id": "gone"}, "USD"),
        ({"order_id": "gone", "currency": "KWD"}, "KWD"),
        ({"order_id": ["J1"]}, "USD"),
        ({}, "USD"),
    ],
)
def test_a_payment_is_in_the_currency_it_names_known_or_not_else_in_its_orders(payment, currency):
    assert money.currency_of(payment, BOOK) == currency


@given(calls)
def test_every_call_has_a_currency_whose_smallest_unit_is_known(call):
    assert money.currency_of(call, BOOK) in money.DECIMALS
