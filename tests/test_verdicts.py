import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.payments import refund
from failure13.verdicts import (
    NEEDLESS_BLOCK,
    PAID_AS_OWED,
    RIGHTLY_STOPPED,
    VERDICTS,
    WRONG_MONEY,
    is_owed,
    verdict,
)
from samples import ELSEWHERE, HONEST, calls, order, order_ids, values

ORDERS = {"A100": order(), "A101": order(customer_id="C2"), "K1": order(currency="KWD"), "J1": order(currency="JPY")}


@pytest.mark.parametrize(
    ("paid", "asked", "owed", "expected"),
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
        ([], [], HONEST, RIGHTLY_STOPPED),
        ([], [{"order_id": "A100"}], HONEST, RIGHTLY_STOPPED),
        ([], [{"amount": 20.0}], HONEST, RIGHTLY_STOPPED),
        ([], [{**HONEST, "ledger": 1}], HONEST, RIGHTLY_STOPPED),
    ],
)
def test_an_outcome_is_held_against_what_was_owed(paid, asked, owed, expected):
    assert verdict(paid, asked, owed, ORDERS) == expected


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
    assert is_owed(call, owed, ORDERS) is expected


owed_payments = st.none() | st.fixed_dictionaries(
    {"order_id": st.sampled_from(["A100", "A101", "K1", "off file"]), "amount": st.sampled_from([20.0, "20.00", 1])},
    optional={"currency": st.sampled_from(["USD", "KWD"]), "reason": values},
)


@given(calls, owed_payments)
def test_the_verdict_depends_on_what_was_paid_before_what_was_asked(call, owed):
    owes = is_owed(call, owed, ORDERS)
    assert verdict([], [call], owed, ORDERS) == (NEEDLESS_BLOCK if owes else RIGHTLY_STOPPED)
    ledger = []
    try:
        refund(ledger, **call)
    except (TypeError, ValueError, OverflowError):
        return
    assert verdict(ledger, [], owed, ORDERS) == (PAID_AS_OWED if owes else WRONG_MONEY)


@given(order_ids, values, owed_payments)
def test_any_row_has_a_verdict(order_id, amount, owed):
    assert verdict([(order_id, amount, {"reason": amount})], [], owed, ORDERS) in VERDICTS
    assert is_owed({"order_id": order_id, "amount": [10**5000]}, owed, ORDERS) is False
