"""Two values of one field: they match, they differ, or they cannot be compared."""

import math
from typing import Any

from failure13 import money
from failure13.calls import is_list, is_object

MATCHES, DIFFERS, CANNOT_COMPARE = "matches", "differs", "cannot compare"
ABSENT = object()


def compare(field: str, left: Any, right: Any, currency: str = "USD") -> str:
    """Whether `left` and `right`, both the value of `field`, match: presence first, then type and value, then money.

    Either side may be ABSENT. Only an `amount` may match across types, and only as the same money of `currency`:
    "20.00" and 20.0 match, True and 1 differ, "A100" and "a100" differ, 1 and 1.0 differ in any field but `amount`.
    A number that is not finite cannot be compared, and neither can amounts of two types where one is no money ("2,34"
    and 234.0).
    """
    if left is ABSENT or right is ABSENT:
        return MATCHES if left is right else DIFFERS
    if not (all_finite(left) and all_finite(right)):
        return CANNOT_COMPARE
    if same(left, right):
        return MATCHES
    if field == "amount" and not isinstance(left, bool) and not isinstance(right, bool):
        try:
            return MATCHES if money.read(left, currency) == money.read(right, currency) else DIFFERS
        except money.NotMoney:
            return CANNOT_COMPARE if type(left) is not type(right) else DIFFERS
    return DIFFERS


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are one, types included, all the way down: [1] is not [True], 1 is not 1.0."""
    if type(left) is not type(right):
        return False
    if is_object(left):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if is_list(left):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def all_finite(value: Any) -> bool:
    """Whether every number in a JSON value is finite."""
    if is_object(value):
        return all(map(all_finite, value.values()))
    if is_list(value):
        return all(map(all_finite, value))
    return not isinstance(value, float) or math.isfinite(value)
