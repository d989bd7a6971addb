"""What the tests share: the records of the base case, steps on them, and strategies for JSON values."""

import copy
import math
from itertools import pairwise

from hypothesis import strategies as st

from failure13.scenarios import Scenario

HONEST = {"order_id": "A100", "amount": 20.0}
ELSEWHERE = {"order_id": "A101", "amount": 200.0}


def case(agreed_amount="20.00", **orders):
    """Ticket T1 of customer C1 about A100; `orders` adds records or replaces them."""
    ticket = {"id": "T1", "order_id": "A100", "customer_id": "C1", "text": "A100 was charged twice."}
    return {
        "ticket": ticket if agreed_amount is None else {**ticket, "agreed_amount": agreed_amount},
        "orders": {"A100": order(), "A101": order(customer_id="C2", paid="200.00", refundable="0.00"), **orders},
    }


def order(**changes):
    return {"customer_id": "C1", "paid": "40.00", "refundable": "20.00", "currency": "USD", **changes}


def step(do, intent=HONEST, owed=HONEST, **more):
    return copy.deepcopy({"said": "Refunding $20.00 on A100.", "intent": intent, "do": do, "owed": owed, **more})


def scenario(*steps, of=None):
    return Scenario("sample", "A sample", of or case(), list(steps))


def typed(work, text, side="do", field="amount"):
    """Type `text` in a cell as a browser sends it, one character more each time."""
    for end in range(1, len(text) + 1):
        work.set_cell(side, field, text[:end])


def undo(work):
    work.go_to(work.at - 1)


def redo(work):
    work.go_to(work.at + 1)


def is_whole(text):
    """Whether no high half of a surrogate pair stands before a low one, which JSON text would make one character."""
    return not any("\ud800" <= a <= "\udbff" and "\udc00" <= b <= "\udfff" for a, b in pairwise(text))


def containers(value):
    """The ids of every list and dict in a value, however deep."""
    if isinstance(value, dict):
        return {id(value)}.union(*map(containers, value.values()))
    if isinstance(value, list | tuple):
        own = {id(value)} if isinstance(value, list) else set()
        return own.union(*map(containers, value))
    return set()


numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0, 1, -0.0, 20, 20.0, 17.99, 17.98999999999998, 10.005, 2**53 + 1, 10**400, 1e300, -20.0]),
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["", "20.00", "20.0", "2,34", "1e2", " 20", "A100", "а100", "A\u200b100", "true", "NaN", "null"]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
wild_numbers = st.sampled_from([math.nan, math.inf, -math.inf])

order_ids = st.sampled_from(["A100", "A101", "A999", "a100", "A100 ", "", 100, None, True, ["A100"], {"A100": 1}])
amounts = st.one_of(
    st.sampled_from(
        [20.0, 20, "20.00", "20.0", 20.000000000000004, 200.0, 0, -20.0, 10.005, True, None, "2,34", "1e1"]
    ),
    values,
)
calls = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "order_id": order_ids,
            "amount": amounts,
            "currency": st.sampled_from(["USD", "EUR", "JPY", None, 1]),
            "ledger": st.just(1),
            "": scalars,
            "cap": st.none(),
            "reason": values,
        },
    ),
    st.dictionaries(texts, values, max_size=4),
    st.just(HONEST),
    st.just(ELSEWHERE),
).map(copy.deepcopy)
