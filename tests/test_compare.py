import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failure13 import money
from failure13.compare import ABSENT, CANNOT_COMPARE, DIFFERS, MATCHES, all_finite, compare, same
from failure13.fixed import diff_intent
from samples import amounts, values, wild_numbers


@pytest.mark.parametrize(
    ("field", "left", "right", "result"),
    [
        ("amount", 20.0, 20.0, MATCHES),
        ("amount", 20, 20.0, MATCHES),
        ("amount", "20.00", 20.0, MATCHES),
        ("amount", "20.00", "20.0", MATCHES),
        ("amount", 17.99, 17.98999999999998, MATCHES),
        ("amount", 20.0, 20.01, DIFFERS),
        ("amount", 20.0, 2000, DIFFERS),
        ("amount", True, 1, DIFFERS),
        ("amount", True, "1", DIFFERS),
        ("amount", False, 0.0, DIFFERS),
        ("amount", True, True, MATCHES),
        ("amount", True, False, DIFFERS),
        ("amount", "2,34", 234.0, CANNOT_COMPARE),
        ("amount", "2,34", "2.34", DIFFERS),
        ("amount", "2,34", "2,34", MATCHES),
        ("amount", 10.005, "10.005", CANNOT_COMPARE),
        ("amount", 10.005, 10.005, MATCHES),
        ("amount", float("nan"), float("nan"), CANNOT_COMPARE),
        ("amount", float("inf"), 20.0, CANNOT_COMPARE),
        ("amount", [20.0], 20.0, CANNOT_COMPARE),
        ("amount", None, None, MATCHES),
        pytest.param("amount", 10**5000, 10**5000, MATCHES, id="huge"),
        ("amount", ABSENT, None, DIFFERS),
        ("amount", ABSENT, ABSENT, MATCHES),
        ("cap", None, ABSENT, DIFFERS),
        ("cap", ABSENT, float("nan"), DIFFERS),
        ("cap", [1.0, float("nan")], [1.0, float("nan")], CANNOT_COMPARE),
        ("cap", {"a": float("inf")}, {"a": float("inf")}, CANNOT_COMPARE),
        ("cap", 1, 1.0, DIFFERS),
        ("cap", 1, True, DIFFERS),
        ("cap", [1], [True], DIFFERS),
        ("cap", {"a": 1, "b": [2]}, {"b": [2], "a": 1}, MATCHES),
        ("cap", {"a": 1}, {"a": 1, "b": None}, DIFFERS),
        ("cap", [1, 2], [1], DIFFERS),
        ("order_id", "A100", "A100", MATCHES),
        ("order_id", "A100", "a100", DIFFERS),
        ("order_id", "A100", "A100 ", DIFFERS),
        ("order_id", "А100", "A100", DIFFERS),
        ("order_id", "1234567890123456789", 1234567890123456768, DIFFERS),
        ("order_id", "100", 100, DIFFERS),
        ("order_id", "20.00", "20.0", DIFFERS),
    ],
)
def test_two_values_match_differ_or_cannot_be_compared(field, left, right, result):
    assert compare(field, left, right) == result
    assert compare(field, right, left) == result


def test_money_is_compared_at_the_minor_unit_of_the_currency():
    assert compare("amount", 10.005, "10.005", "KWD") == MATCHES
    assert compare("amount", "2000", 1999.9999999999998, "JPY") == MATCHES
    assert compare("amount", "2000", 2000.5, "JPY") == CANNOT_COMPARE
    assert compare("amount", "20.00", 20.0, "XYZ") == CANNOT_COMPARE


@st.composite
def pairs(draw):
    """Two values: unrelated, equal, or one the other in another form."""
    left = draw(amounts | values | wild_numbers)
    forms = [left, copy.deepcopy(left), [left], {"a": left}, str(left) if not isinstance(left, int) else "1"]
    if isinstance(left, int | float) and abs(left) < 1e15:
        forms += [float(left), bool(left), f"{left:.2f}", round(float(left), 2), left + 0.01, left + 1e-9, int(left)]
    if isinstance(left, str):
        forms += [left.strip(), left.swapcase(), left + " "]
    return left, draw(st.sampled_from(forms) | amounts | values)


FIELDS = st.sampled_from(["amount", "order_id", "cap", "currency"])


@settings(max_examples=400)
@given(FIELDS, pairs())
def test_comparing_is_symmetric_and_never_matches_across_types_but_for_the_same_money(field, pair):
    left, right = pair
    result = compare(field, left, right)
    assert result in (MATCHES, DIFFERS, CANNOT_COMPARE)
    assert compare(field, right, left) == result
    if result == MATCHES and type(left) is not type(right):
        assert field == "amount"
        assert money.same(left, right)
    if all_finite(left):
        assert compare(field, left, copy.deepcopy(left)) == MATCHES
    else:
        assert result == CANNOT_COMPARE


@settings(max_examples=400)
@given(FIELDS, pairs())
def test_comparing_is_never_stricter_than_diff_intent_on_money_nor_looser_on_anything_else(field, pair):
    left, right = pair
    result = compare(field, left, right)
    if field == "amount" and money.same(left, right):
        assert result == MATCHES
    elif result == MATCHES:
        assert diff_intent({field: left}, {field: right}) == []


@given(FIELDS, values)
def test_a_field_that_is_there_never_matches_one_that_is_not(field, value):
    assert compare(field, value, ABSENT) == compare(field, ABSENT, value) == DIFFERS


@given(values, values)
def test_the_same_value_is_the_same_json_text(left, right):
    def text(value):
        return json.dumps(value, sort_keys=True).replace("-0.0", "0.0")

    assert same(left, right) is (text(left) == text(right))
    assert same(left, copy.deepcopy(left))
