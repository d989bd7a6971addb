import pytest
from hypothesis import given

from failure13.payments import refund
from samples import amounts, order_ids, values, wild_numbers


def test_a_refund_is_a_row_and_a_sentence():
    ledger = [("A7", 1.0)]
    assert refund(ledger, "A100", 20.0) == "refunded $20.00 on A100"
    assert ledger == [("A7", 1.0), ("A100", 20.0)]


def test_further_arguments_stay_in_the_row():
    ledger = []
    assert refund(ledger, "A100", 20, method="paypal", cap=None) == "refunded $20.00 on A100"
    assert ledger == [("A100", 20, {"method": "paypal", "cap": None})]


@pytest.mark.parametrize("amount", ["20.00", None, [20.0], {"amount": 20.0}, 10**400])
def test_an_amount_that_is_no_number_raises_and_leaves_the_ledger(amount):
    ledger = [("A7", 1.0)]
    with pytest.raises((TypeError, ValueError, OverflowError)):
        refund(ledger, "A100", amount)
    assert ledger == [("A7", 1.0)]


@given(order_ids | values, amounts | wild_numbers, values)
def test_whatever_raises_leaves_the_ledger_and_what_does_not_adds_one_row(order_id, amount, extra):
    ledger = [("A7", 1.0)]
    try:
        refund(ledger, order_id, amount, extra=extra)
    except (TypeError, ValueError, OverflowError):
        assert ledger == [("A7", 1.0)]
    else:
        assert len(ledger) == 2
        assert ledger[0] == ("A7", 1.0)
        assert ledger[1][0] is order_id
        assert ledger[1][1] is amount


def test_an_order_id_that_cannot_be_written_leaves_the_ledger():
    ledger = []
    with pytest.raises(ValueError, match="digits"):
        refund(ledger, 10**5000, 20.0)
    assert ledger == []
