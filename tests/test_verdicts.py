import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.payments import refund
from failure13.verdicts import (
    NEEDLESS_BLOCK,
    NOTHING_DONE,
    PAID_AS_OWED,
    RIGHTLY_STOPPED,
    VERDICTS,
    WRONG_MONEY,
    is_owed,
    still_owed,
    verdict,
    wrong_part,
)
from samples import ELSEWHERE, HONEST, calls, case, order, order_ids, values

CASE = case(A101=order(customer_id="C2"), K1=order(currency="KWD"), J1=order(currency="JPY"))
HARMLESS = {**CASE, "harmless": ["reason", "idempotency_key"]}


def test_a_verdict_is_a_row_under_its_word():
    assert list(VERDICTS) == [
        *("paid as owed", "rightly stopped", "needless block", "wrong money", "nothing done", "crashed")
    ]
    assert all(row.word == word for word, row in VERDICTS.items())
    for part in ("sign", "tone", "color"):
        assert len({getattr(row, part) for row in VERDICTS.values()}) == len(VERDICTS), "never told by one means alone"


@pytest.mark.parametrize(
    ("paid", "calls", "owed", "expected"),
    [
        ([("A100", 20.0)], [HONEST], HONEST, PAID_AS_OWED),
        ([("A100", 20)], [], {"order_id": "A100", "amount": "20.00"}, PAID_AS_OWED),
        ([("A100", 17.98999999999998)], [], {"order_id": "A100", "amount": 17.99}, PAID_AS_OWED),
        ([("A101", 200.0)], [ELSEWHERE], HONEST, WRONG_MONEY),
        ([("A100", 20.01)], [HONEST], HONEST, WRONG_MONEY),
        ([("A100", 20.0)], [HONEST], None, WRONG_MONEY),
        ([("A100", 20.0), ("A100", 20.0)], [HONEST], HONEST, WRONG_MONEY),
        ([("A100", True)], [], {"order_id": "A100", "amount": 1}, WRONG_MONEY),
        ([(100, 20.0)], [], {"order_id": "100", "amount": 20.0}, WRONG_MONEY),
        ([("A100", 20.0, {"method": "paypal"})], [], HONEST, WRONG_MONEY),
        ([("A100", 20.0, {"cap": None})], [], HONEST, WRONG_MONEY),
        ([("A100", 20.0, {"method": "card"})], [], {**HONEST, "method": "card"}, PAID_AS_OWED),
        ([("A100", 20.0)], [], {**HONEST, "method": "card"}, WRONG_MONEY),
        ([("A100", 20.0, {"currency": "USD"})], [], HONEST, PAID_AS_OWED),
        ([("A100", 20.0)], [], {**HONEST, "currency": "USD"}, PAID_AS_OWED),
        ([("A100", 20.0, {"currency": "EUR"})], [], HONEST, WRONG_MONEY),
        ([("A100", float("nan"))], [], HONEST, WRONG_MONEY),
        ([], [HONEST], HONEST, NEEDLESS_BLOCK),
        ([], [{"order_id": "A100", "amount": "20.00"}], HONEST, NEEDLESS_BLOCK),
        ([], [{**HONEST, "currency": "USD"}], HONEST, NEEDLESS_BLOCK),
        ([], [ELSEWHERE, HONEST], HONEST, NEEDLESS_BLOCK),
        ([], [ELSEWHERE], HONEST, RIGHTLY_STOPPED),
        ([], [HONEST], None, RIGHTLY_STOPPED),
        ([], [json.dumps(HONEST)], HONEST, NEEDLESS_BLOCK),
        ([], ['{"order_id": "A100", "amount": 20.0, "amount": 20.0}'], HONEST, NEEDLESS_BLOCK),
        ([], ['{"order_id": "A100", "amount": 20.0, "amount": 200.0}'], HONEST, RIGHTLY_STOPPED),
        ([], ['{"order_id": "A100", "amount": 20.0'], HONEST, RIGHTLY_STOPPED),
        ([], ["[" * 9000], HONEST, RIGHTLY_STOPPED),
        ([], ["null"], HONEST, RIGHTLY_STOPPED),
        ([], [None], HONEST, NOTHING_DONE),
        ([], [None, None], HONEST, NOTHING_DONE),
        ([], [], HONEST, NOTHING_DONE),
        ([], [None], None, RIGHTLY_STOPPED),
        ([], [None, HONEST], HONEST, NEEDLESS_BLOCK),
        ([], [HONEST, None], HONEST, NEEDLESS_BLOCK),
        ([], [None, ELSEWHERE], HONEST, RIGHTLY_STOPPED),
        ([("A100", 20.0)], [None, HONEST], HONEST, PAID_AS_OWED),
        ([], [{"order_id": "A100"}], HONEST, RIGHTLY_STOPPED),
        ([], [{"amount": 20.0}], HONEST, RIGHTLY_STOPPED),
        ([], [{**HONEST, "ledger": 1}], HONEST, RIGHTLY_STOPPED),
    ],
)
def test_an_outcome_is_held_against_what_was_owed(paid, calls, owed, expected):
    assert verdict(paid, [{"do": do} for do in calls], owed, CASE) == expected


@pytest.mark.parametrize("field", HARMLESS["harmless"])
@pytest.mark.parametrize("value", ["charged twice", None, 7, ["x"], {"a": 1}], ids=str)
def test_what_moves_no_money_counts_as_not_given(field, value):
    more = {**HONEST, field: value}
    row = [("A100", 20.0, {field: value})]
    for owed in (HONEST, {**HONEST, field: "other words"}):
        assert verdict(row, [], owed, HARMLESS) == PAID_AS_OWED
        assert verdict([("A100", 20.0)], [], owed, HARMLESS) == PAID_AS_OWED
        assert verdict([], [{"do": more}], owed, HARMLESS) == NEEDLESS_BLOCK
        assert verdict(row, [], owed, CASE) == WRONG_MONEY
        assert verdict([], [{"do": more}], owed, CASE) == RIGHTLY_STOPPED
    both = [("A100", 20.0, {field: value, "store_credit": 50})]
    assert verdict(both, [], HONEST, HARMLESS) == WRONG_MONEY


@pytest.mark.parametrize(
    ("call", "owed", "expected"),
    [
        ({"order_id": "K1", "amount": 1.234}, {"order_id": "K1", "amount": "1.234"}, True),
        ({"order_id": "K1", "amount": 1.234}, {"order_id": "K1", "amount": "1.235"}, False),
        ({"order_id": "J1", "amount": 2000.0}, {"order_id": "J1", "amount": "2000"}, True),
        ({"order_id": "J1", "amount": 20.5}, {"order_id": "J1", "amount": 20.5}, False),
        ({"order_id": "J1", "amount": 20, "currency": "JPY"}, {"order_id": "J1", "amount": "20"}, True),
        ({"order_id": "J1", "amount": 20, "currency": "USD"}, {"order_id": "J1", "amount": "20"}, False),
        ({"order_id": "off file", "amount": 20.0}, {"order_id": "off file", "amount": "20.00"}, True),
        ({"order_id": "off file", "amount": 20.0, "currency": "USD"}, {"order_id": "off file", "amount": 20}, True),
    ],
)
def test_money_is_owed_in_the_currency_of_the_order(call, owed, expected):
    assert is_owed(call, owed, CASE) is expected


owed_payments = st.none() | st.fixed_dictionaries(
    {"order_id": st.sampled_from(["A100", "A101", "K1", "off file"]), "amount": st.sampled_from([20.0, "20.00", 1])},
    optional={"currency": st.sampled_from(["USD", "KWD"]), "reason": values},
)


@given(calls, owed_payments)
def test_the_verdict_depends_on_what_was_paid_before_what_was_called(call, owed):
    owes = is_owed(call, owed, CASE)
    assert verdict([], [{"do": call}], owed, CASE) == (NEEDLESS_BLOCK if owes else RIGHTLY_STOPPED)
    ledger = []
    try:
        refund(ledger, **call)
    except (TypeError, ValueError, OverflowError):
        return
    assert verdict(ledger, [], owed, CASE) == (PAID_AS_OWED if owes else WRONG_MONEY)


@given(order_ids, values, owed_payments)
def test_any_row_has_a_verdict_a_wrong_part_and_something_still_owed(order_id, amount, owed):
    rows = [(order_id, amount, {"reason": amount})]
    assert verdict(rows, [], owed, CASE) in VERDICTS
    assert still_owed([owed], rows, CASE)
    assert all(part >= 0 for part in wrong_part(rows, owed, CASE).values())
    assert is_owed({"order_id": order_id, "amount": [10**5000]}, owed, CASE) is False


# What is still owed.

YEN = {"order_id": "J1", "amount": "2000"}
CARD = {**HONEST, "method": "gift_card"}


@pytest.mark.parametrize(
    ("owed", "ledger", "still"),
    [
        ([None], [], "nothing"),
        ([], [], "nothing"),
        ([None], [("A100", 20.0)], "nothing"),
        ([HONEST], [], "$20.00 on A100"),
        ([HONEST], [("A100", 20.0)], "nothing"),
        ([HONEST], [("A100", "20.00")], "nothing"),
        ([HONEST], [("A100", 20.0, {"currency": "USD"})], "nothing"),
        ([HONEST], [("A100", 200.0)], "nothing"),
        ([HONEST], [("A100", 5.0)], "$15.00 on A100"),
        ([HONEST], [("A100", 5.0), ("A100", 5)], "$10.00 on A100"),
        ([HONEST], [("A101", 20.0)], "$20.00 on A100"),
        ([HONEST], [("a100", 20.0), (100, 20.0), (["A100"], 20.0)], "$20.00 on A100"),
        ([HONEST], [("A100", -20.0)], "$40.00 on A100"),
        ([HONEST], [("A100", -20.0), ("A100", 40.0)], "nothing"),
        ([HONEST], [("A100", True), ("A100", "x"), ("A100", 10.005)], "$20.00 on A100"),
        ([HONEST], [("A100", 20.0, {"currency": "EUR"})], "$20.00 on A100"),
        ([HONEST], [("A100", 20.0, {"currency": "usd"})], "$20.00 on A100"),
        ([HONEST], [("A100", 20.0, {"currency": None})], "$20.00 on A100"),
        ([HONEST], [("A100", 20.0, {"store_credit": 50})], "nothing"),
        ([HONEST], [("A100", 20.0, {"cap": None})], "nothing"),
        ([CARD], [], "$20.00 on A100 (method: gift_card)"),
        ([CARD], [("A100", 20.0, {"method": "paypal"})], "$20.00 on A100 (method: gift_card)"),
        ([CARD], [("A100", 20.0)], "$20.00 on A100 (method: gift_card)"),
        ([CARD], [("A100", 20.0, {"method": "gift_card"})], "nothing"),
        ([YEN], [], "2000 JPY on J1"),
        ([YEN], [("J1", 500)], "1500 JPY on J1"),
        ([{**HONEST, "currency": "EUR"}], [("A100", 20.0)], "20.00 EUR on A100"),
        ([{"order_id": "K1", "amount": 1.234}], [("K1", "1.000")], "0.234 KWD on K1"),
        ([{"order_id": "gone", "amount": 5}], [], "$5.00 on gone"),
        ([HONEST, HONEST], [("A100", 20.0)], "$20.00 on A100"),
        ([HONEST, None], [("A100", 20.0)], "nothing"),
        ([None, HONEST], [("A100", 20.0)], "nothing"),
        ([HONEST, YEN], [], "$20.00 on A100 and 2000 JPY on J1"),
        ([HONEST, ELSEWHERE], [("A100", 20.0), ("A101", 50.0)], "$150.00 on A101"),
        ([HONEST, CARD], [("A100", 20.0, {"method": "gift_card"})], "$20.00 on A100"),
        ([HONEST, CARD], [("A100", 20.0)], "$20.00 on A100 (method: gift_card)"),
        ([HONEST, CARD], [("A100", 20.0), ("A100", 20.0, {"method": "gift_card"})], "nothing"),
    ],
)
def test_what_is_still_owed_is_told_by_order_and_in_its_currency(owed, ledger, still):
    assert still_owed(owed, ledger, CASE) == still


def test_what_moves_no_money_leaves_nothing_owed():
    owed = {**HONEST, "reason": "charged twice"}
    assert still_owed([owed], [("A100", 20.0, {"reason": "late"})], HARMLESS) == "nothing"
    assert still_owed([owed], [], HARMLESS) == "$20.00 on A100"


@given(st.lists(owed_payments, max_size=3), owed_payments)
def test_after_every_payment_as_owed_nothing_is_still_owed(owed, more):
    ledger = []
    for payment in [*owed, more]:
        if payment is not None:
            refund(ledger, **{**payment, "amount": float(payment["amount"])})
    assert still_owed([*owed, more], ledger, CASE) == "nothing"
    if more is not None:
        assert more["order_id"] in still_owed([more], [], CASE)


@given(st.integers(1, 10_000), st.lists(st.integers(-10_000, 10_000), max_size=4))
def test_what_is_still_owed_is_the_difference_to_the_cent(owed, paid):
    left = owed - sum(paid)
    payment = {"order_id": "A100", "amount": owed / 100}
    rows = [("A100", each / 100) for each in paid]
    assert still_owed([payment], rows, CASE) == (f"${left // 100}.{left % 100:02} on A100" if left > 0 else "nothing")


# The part of a payment that is wrong.


@pytest.mark.parametrize(
    ("paid", "owed", "wrong"),
    [
        ([], HONEST, {}),
        ([("A100", 20.0)], HONEST, {"USD": "0.00"}),
        ([("A100", 20.0)], None, {"USD": "20.00"}),
        ([("A101", 200.0)], HONEST, {"USD": "200.00"}),
        ([("A100", 200.0)], HONEST, {"USD": "180.00"}),
        ([("A100", 5)], HONEST, {"USD": "15.00"}),
        ([("A100", -20.0)], HONEST, {"USD": "20.00"}),
        ([("A100", 20.0, {"store_credit": 50})], HONEST, {"USD": "50.00"}),
        ([("A100", 20.0, {"store_credit": -50})], HONEST, {"USD": "50.00"}),
        ([("A100", 200.0, {"store_credit": 50})], HONEST, {"USD": "230.00"}),
        ([("A100", 20.0, {"cap": None, "flag": True, "list": [1]})], HONEST, {"USD": "0.00"}),
        ([("A100", 20.0, {"method": "paypal"})], {**HONEST, "method": "gift_card"}, {"USD": "20.00"}),
        ([("A100", 20.0)], {**HONEST, "method": "gift_card"}, {"USD": "20.00"}),
        ([("A100", 20.0, {"currency": "EUR"})], HONEST, {"EUR": "20.00"}),
        ([("J1", 2000)], HONEST, {"JPY": "2000"}),
        ([("J1", 2500)], YEN, {"JPY": "500"}),
        ([("A100", 20.0), ("J1", 2000)], None, {"USD": "20.00", "JPY": "2000"}),
        ([("A100", 20.0), ("A100", 20.0)], HONEST, {"USD": "20.00"}),
        ([("A100", True), ("A100", "x"), ("A100", None)], HONEST, {"USD": "0"}),
    ],
)
def test_only_the_part_that_is_wrong_counts_and_by_currency(paid, owed, wrong):
    assert wrong_part(paid, owed, CASE) == {currency: Decimal(part) for currency, part in wrong.items()}


def test_a_number_that_moves_no_money_is_no_wrong_part():
    case_ = {**CASE, "harmless": ["attempt"]}
    assert wrong_part([("A100", 20.0, {"attempt": 2})], HONEST, case_) == {"USD": Decimal(0)}


@given(calls, owed_payments)
def test_what_was_paid_as_owed_has_no_wrong_part_and_what_was_not_owed_has_all_of_it(call, owed):
    ledger = []
    try:
        refund(ledger, **call)
    except (TypeError, ValueError, OverflowError):
        return
    part = wrong_part(ledger, owed, CASE)
    assert len(part) == 1, "one payment, one currency"
    if verdict(ledger, [], owed, CASE) == PAID_AS_OWED:
        assert set(part.values()) == {Decimal(0)}
        assert still_owed([owed], ledger, CASE) == "nothing"
