import copy
import inspect
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.guarded import objections_to, question
from failure13.guards import GUARDS, Asked
from samples import HONEST, amounts, calls, case, order, order_ids, step, values, wild_numbers

IN_ORDER = [
    "intent declared",
    "call well formed",
    "call equals intent",
    "ticket's order",
    "customer's order",
    "still refundable",
    "order's currency",
    "agreed amount",
]


def objections(call, intent=None, ledger=(), of=None):
    """What the guards say to a call; the intent is the same unless given."""
    return objections_to(question(step(call, call if intent is None else intent), list(ledger), of or case()))


def test_the_guards_are_asked_in_this_order():
    assert list(GUARDS) == IN_ORDER


def test_a_guards_name_on_the_page_is_its_one_sentence():
    sentences = [inspect.getdoc(guard) for guard in GUARDS.values()]
    assert all(sentence and sentence.endswith(".") and sentence.count(". ") == 0 for sentence in sentences)
    assert all("\n" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(GUARDS)


@pytest.mark.parametrize(
    "call",
    [
        HONEST,
        {**HONEST, "amount": 20},
        {**HONEST, "amount": "20.00"},
        {**HONEST, "amount": 19.99999999999998},
        {**HONEST, "currency": "USD", "reason": "charged twice"},
        '{"order_id": "A100", "amount": 20.0}',
    ],
)
def test_every_guard_is_content_with_honest_work(call):
    assert objections(call) == {}


@pytest.mark.parametrize(
    ("intent", "call"),
    [("20.00", 20.0), (20, 20.0), (17.99, 17.98999999999998), ("20.0", "20.00")],
)
def test_the_same_money_in_two_forms_is_no_difference(intent, call):
    assert objections({**HONEST, "amount": call}, {**HONEST, "amount": intent}, of=case(None)) == {}


ROOMY = case(None, A100=order(refundable="40.00"))
WITNESSES = {
    "intent declared": (
        HONEST,
        "",
        (),
        case(),
        "the intent cannot be compared: line 1, column 1: expected a value, found the end",
    ),
    "call well formed": (
        *({**HONEST, "amount": -20.0}, None, (), ROOMY),
        "amount is -20.0, and a refund is more than zero",
    ),
    "call equals intent": ({**HONEST, "cap": None}, HONEST, (), case(), "cap: said nothing, did None"),
    "ticket's order": (
        *({**HONEST, "order_id": "A102"}, None, (), case(A102=order())),
        "the call is about A102, the ticket about A100",
    ),
    "customer's order": (
        *(HONEST, None, (), case(A100=order(customer_id="C2"))),
        "A100 belongs to C2, the ticket to C1",
    ),
    "still refundable": (
        *(HONEST, None, [("A100", 5.0), ("A101", 90.0)], case()),
        "$20.00 is more than the $15.00 still refundable on A100",
    ),
    "order's currency": ({**HONEST, "currency": "EUR"}, None, (), case(), "the call is in 'EUR', A100 in USD"),
    "agreed amount": (
        *({**HONEST, "amount": 40.0}, None, (), case("20.00", A100=order(refundable="40.00"))),
        "the customer agreed to $20.00, the call pays $40.00",
    ),
}


def test_every_guard_has_a_witness_here():
    assert list(WITNESSES) == list(GUARDS)


@pytest.mark.parametrize("guard", GUARDS)
def test_only_one_guard_objects_to_its_witness_and_names_both_values(guard):
    call, intent, ledger, of, sentence = WITNESSES[guard]
    assert objections(call, intent, ledger, of) == {guard: sentence}


@pytest.mark.parametrize(
    ("guard", "call", "intent", "sentence"),
    [
        ("intent declared", HONEST, {}, "the declared intent is an empty object"),
        (
            *("intent declared", HONEST, '{"amount": 1, "amount": 2}'),
            'the intent cannot be compared: line 1, column 15: the key "amount" stands twice',
        ),
        (
            "intent declared",
            HONEST,
            "[]",
            "the intent cannot be compared: line 1, column 1: expected an object, found a list",
        ),
        (
            *("call well formed", '{"order_id": "A100", "amount": 2', HONEST),
            "the call cannot be compared: line 1, column 33: expected ',' or '}', found the end",
        ),
        (
            *("call well formed", {"order_id": "A100", "amount": math.nan}, HONEST),
            "the call cannot be compared: line 1, column 32: expected a value, found 'NaN}'",
        ),
        ("call well formed", {"amount": 20.0}, None, "order_id is nothing, and an id is text"),
        ("call well formed", {**HONEST, "order_id": 100}, None, "order_id is 100, and an id is text"),
        ("call well formed", {**HONEST, "order_id": ["A100"]}, None, "order_id is ['A100'], and an id is text"),
        ("call well formed", {"order_id": "A100"}, None, "amount is nothing, and a refund needs one"),
        ("call well formed", {**HONEST, "amount": None}, None, "amount: None is no amount"),
        ("call well formed", {**HONEST, "amount": True}, None, "amount: True is no amount"),
        ("call well formed", {**HONEST, "amount": 0}, None, "amount is 0, and a refund is more than zero"),
        ("call well formed", {**HONEST, "amount": 1e-9}, None, "amount is 1e-09, and a refund is more than zero"),
        ("call well formed", {**HONEST, "amount": "2,34"}, None, "amount: '2,34' is no amount"),
        ("call well formed", {**HONEST, "amount": [20.0]}, None, "amount: an object or list is no amount"),
        (
            *("call well formed", {**HONEST, "amount": 10.005}, None),
            "amount: 10.005 is no whole number of the smallest unit of USD (2 decimals)",
        ),
        (
            *("call well formed", {**HONEST, "amount": 10**4000}, None),
            "amount: an amount of more than 15 digits in USD cannot be paid exactly",
        ),
        ("call well formed", {**HONEST, "ledger": 1}, None, "ledger is no argument of the tool"),
        (
            *("call well formed", {"ledger": []}, None),
            "order_id is nothing, and an id is text; amount is nothing, and a refund needs one; "
            "ledger is no argument of the tool",
        ),
        (
            *("call equals intent", {"order_id": "A101", "amount": 200.0, "cap": None}, HONEST),
            "amount: said 20.0, did 200.0; cap: said nothing, did None; order_id: said 'A100', did 'A101'",
        ),
        ("call equals intent", HONEST, {**HONEST, "cap": None}, "cap: said None, did nothing"),
        ("call equals intent", {**HONEST, "amount": True}, {**HONEST, "amount": 1}, "amount: said 1, did True"),
        (
            *("call equals intent", {**HONEST, "amount": 234.0}, {**HONEST, "amount": "2,34"}),
            "amount: said '2,34', did 234.0, which cannot be compared",
        ),
        (
            *("call equals intent", {**HONEST, "order_id": "А100"}, HONEST),
            "order_id: said 'A100', did 'А100' (А is U+0410 CYRILLIC CAPITAL LETTER A)",
        ),
        ("call equals intent", {**HONEST, "order_id": "A100 "}, HONEST, "order_id: said 'A100', did 'A100 '"),
        ("call equals intent", {**HONEST, "order_id": "a100"}, HONEST, "order_id: said 'A100', did 'a100'"),
        (
            "call equals intent",
            {**HONEST, "order_id": 100},
            {**HONEST, "order_id": "100"},
            "order_id: said '100', did 100",
        ),
        ("ticket's order", {"amount": 20.0}, None, "the call is about None, the ticket about A100"),
        ("ticket's order", {**HONEST, "order_id": "A100 "}, None, "the call is about 'A100 ', the ticket about A100"),
        ("ticket's order", {**HONEST, "order_id": ""}, None, "the call is about '', the ticket about A100"),
        ("ticket's order", {**HONEST, "order_id": "a100"}, None, "the call is about a100, the ticket about A100"),
        (
            *("ticket's order", {**HONEST, "order_id": "А100"}, None),
            "the call is about 'А100' (А is U+0410 CYRILLIC CAPITAL LETTER A), the ticket about A100",
        ),
        ("customer's order", {**HONEST, "order_id": "A999"}, None, "A999 is not on file"),
        ("customer's order", {**HONEST, "order_id": {}}, None, "{} is not on file"),
        ("customer's order", {**HONEST, "order_id": "A101"}, None, "A101 belongs to C2, the ticket to C1"),
        (
            "still refundable",
            {**HONEST, "amount": 20.01},
            None,
            "$20.01 is more than the $20.00 still refundable on A100",
        ),
        (
            "still refundable",
            {**HONEST, "order_id": "A999"},
            None,
            "$20.00 is more than the $0.00 still refundable on A999",
        ),
        (
            "still refundable",
            {**HONEST, "amount": "x"},
            None,
            "what is refundable cannot be compared: 'x' is no amount",
        ),
        ("order's currency", {**HONEST, "currency": None}, None, "the call is in None, A100 in USD"),
        ("order's currency", {**HONEST, "currency": "usd"}, None, "the call is in 'usd', A100 in USD"),
        (
            *("order's currency", {**HONEST, "order_id": "A999", "currency": "USD"}, None),
            "the currency of A999 is not on file",
        ),
        ("agreed amount", {**HONEST, "amount": 19.99}, None, "the customer agreed to $20.00, the call pays $19.99"),
        (
            *("agreed amount", {**HONEST, "amount": None}, None),
            "what the customer agreed to cannot be compared: None is no amount",
        ),
    ],
)
def test_a_guard_objects_in_a_clause_that_holds_both_values(guard, call, intent, sentence):
    assert objections(call, intent)[guard] == sentence


def test_a_call_that_cannot_be_read_is_one_objection_not_eight():
    assert list(objections("{", HONEST)) == ["call well formed"]
    assert list(objections("{", "{")) == ["intent declared", "call well formed"]
    assert objections_to(question(step(HONEST, None), [], case())) == {
        "intent declared": "no intent is declared as data"
    }


def test_money_is_checked_in_the_currency_of_the_order():
    yen = case("2000", A100=order(currency="JPY", paid="4000", refundable="2000"))
    assert objections({"order_id": "A100", "amount": 2000.0, "currency": "JPY"}, of=yen) == {}
    assert objections({"order_id": "A100", "amount": 2000.5}, of=yen)["call well formed"] == (
        "amount: 2000.5 is no whole number of the smallest unit of JPY (0 decimals)"
    )
    assert "of JPY" in objections({"order_id": "A999", "amount": 0.5}, of=yen)["call well formed"], "the ticket's"
    dinars = case(None, A100=order(currency="KWD", paid="4.000", refundable="2.000"))
    assert objections({"order_id": "A100", "amount": 1.234}, of=dinars) == {}
    assert objections({"order_id": "A100", "amount": 1.234}, {"order_id": "A100", "amount": "1.234"}, of=dinars) == {}
    assert list(objections({"order_id": "K1", "amount": 1.234}, of=case(None, K1=order(currency="KWD")))) == [
        "ticket's order"
    ]
    assert objections({"order_id": "A100", "amount": 2.001}, of=dinars) == {
        "still refundable": "2.001 KWD is more than the 2.000 KWD still refundable on A100"
    }


def test_a_row_that_cannot_be_counted_leaves_nothing_known_to_be_refundable():
    assert objections(HONEST, ledger=[("A100", math.nan)]) == {
        "still refundable": "what is refundable cannot be compared: nan is not finite"
    }
    assert objections(HONEST, ledger=[("A101", math.nan), (["A100"], 1)]) == {}


ledgers = st.lists(st.tuples(order_ids, amounts | wild_numbers), max_size=3)


@given(st.none() | calls, st.none() | calls, ledgers)
def test_no_guard_raises_or_changes_what_it_is_asked_about(call, intent, ledger):
    of = case()
    asked = Asked(intent, call, "no intent", "no call", of, ledger)
    before = copy.deepcopy((intent, call, of, ledger))
    for guard in GUARDS.values():
        answer = guard(asked)
        assert answer is None or (isinstance(answer, str) and answer)
        assert repr((intent, call, of, ledger)) == repr(before)
        assert guard(asked) == answer, "a guard remembers nothing"


@given(calls | values | wild_numbers, calls | values, ledgers)
def test_what_no_guard_objects_to_is_a_refund_that_the_records_allow(call, intent, ledger):
    of = case()
    asked = question(step(call, intent), ledger, of)
    if not objections_to(asked):
        assert asked.call is not None
        assert asked.call["order_id"] == "A100"
        assert asked.amount == 20
        assert not isinstance(asked.call["amount"], bool)
        assert asked.refundable >= 20
        assert set(asked.call) == set(asked.intent)
