import copy
import inspect
import math
import re
from decimal import Decimal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from failure13 import money
from failure13.characters import quoted
from failure13.compare import same
from failure13.guarded import objections_to, question_about
from failure13.guards import GUARDS, Question
from samples import ELSEWHERE, HONEST, amounts, calls, case, order, order_ids, step, texts, values, wild_numbers

IN_ORDER = [
    "intent declared",
    "call well formed",
    "call equals intent",
    "ticket's order",
    "customer's order",
    "still refundable",
    "order's currency",
    "agreed amount",
    "same plan",
]


def objections(call, intent=None, ledger=(), of=None):
    """What the guards say to a call; the intent is the same unless given."""
    return objections_to(question_about(step(call, call if intent is None else intent), 0, list(ledger), of or case()))


def objections_to_retry(first, intent, call=None, of=None, ledger=()):
    """What the guards say to a second answer, after a first one with the intent `first` and another call."""
    retry = {"intent": intent, "do": intent if call is None else call}
    return objections_to(question_about(step(ELSEWHERE, first, retry=retry), 1, list(ledger), of or case()))


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
        "the call's amount is -20.0, and a refund is more than zero",
    ),
    "call equals intent": ({**HONEST, "cap": None}, HONEST, (), case(), "'cap': left out of the intent, called None"),
    "ticket's order": (
        *({**HONEST, "order_id": "A102"}, None, (), case(A102=order())),
        "the call is about 'A102', the ticket about 'A100'",
    ),
    "customer's order": (
        *(HONEST, None, (), case(A100=order(customer_id="C2"))),
        "'A100' belongs to 'C2', the ticket to 'C1'",
    ),
    "still refundable": (
        *(HONEST, None, [("A100", 5.0), ("A101", 90.0)], case(None)),
        "$20.00 is more than the $15.00 still refundable on 'A100' after the $5.00 already paid",
    ),
    "order's currency": ({**HONEST, "currency": "EUR"}, None, (), case(), "the call is in 'EUR', 'A100' in 'USD'"),
    "agreed amount": (
        *({**HONEST, "amount": 40.0}, None, (), case("20.00", A100=order(refundable="40.00"))),
        "the customer agreed to $20.00, and the call pays $40.00",
    ),
}


def test_every_guard_has_a_witness_here():
    assert {*WITNESSES, "same plan"} == {*GUARDS}


@pytest.mark.parametrize("guard", WITNESSES)
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
        ("call well formed", {"amount": 20.0}, None, "the call names no order"),
        ("call well formed", {**HONEST, "order_id": None}, None, "the call names no order"),
        ("call well formed", {**HONEST, "order_id": ""}, None, "the call names no order"),
        ("call well formed", {**HONEST, "order_id": 100}, None, "the call's order_id is 100, and an id is text"),
        (
            *("call well formed", {**HONEST, "order_id": ["A100"]}, None),
            "the call's order_id is ['A100'], and an id is text",
        ),
        ("call well formed", {"order_id": "A100"}, None, "the call names no amount"),
        ("call well formed", {**HONEST, "amount": None}, None, "amount: None is no amount"),
        ("call well formed", {**HONEST, "amount": True}, None, "amount: True is no amount"),
        ("call well formed", {**HONEST, "amount": 0}, None, "the call's amount is 0, and a refund is more than zero"),
        (
            *("call well formed", {**HONEST, "amount": 1e-9}, None),
            "the call's amount is 1e-09, and a refund is more than zero",
        ),
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
        (
            *("call well formed", {**HONEST, "ledger": 1}, None),
            "'ledger' is 1 in the call, and no argument of the tool",
        ),
        (
            *("call well formed", {"ledger": []}, None),
            "the call names no order; the call names no amount; "
            "'ledger' is [] in the call, and no argument of the tool",
        ),
        (
            *("call equals intent", {"order_id": "A101", "amount": 200.0, "cap": None}, HONEST),
            "'amount': declared 20.0, called 200.0; 'cap': left out of the intent, called None; "
            "'order_id': declared 'A100', called 'A101'",
        ),
        ("call equals intent", HONEST, {**HONEST, "cap": None}, "'cap': declared None, left out of the call"),
        (
            *("call equals intent", {**HONEST, "amount": True}, {**HONEST, "amount": 1}),
            "'amount': declared 1, called True",
        ),
        (
            *("call equals intent", {**HONEST, "amount": 234.0}, {**HONEST, "amount": "2,34"}),
            "'amount': declared '2,34', called 234.0, which cannot be compared",
        ),
        (
            *("call equals intent", {**HONEST, "order_id": "А100"}, HONEST),
            "'order_id': declared 'A100', called 'А100' (А is U+0410 CYRILLIC CAPITAL LETTER A)",
        ),
        (
            *("call equals intent", {**HONEST, "order_id": "A100 "}, HONEST),
            "'order_id': declared 'A100', called 'A100 ' (a blank at the end)",
        ),
        (
            *("call equals intent", {**HONEST, "order_id": "a100"}, HONEST),
            "'order_id': declared 'A100', called 'a100'",
        ),
        (
            *("call equals intent", {**HONEST, "order_id": 100}, {**HONEST, "order_id": "100"}),
            "'order_id': declared '100', called 100",
        ),
        ("ticket's order", {"amount": 20.0}, None, "the call names no order, the ticket is about 'A100'"),
        (
            *("ticket's order", {**HONEST, "order_id": ""}, None),
            "the call names no order, the ticket is about 'A100'",
        ),
        (
            *("ticket's order", {**HONEST, "order_id": "A100 "}, None),
            "the call is about 'A100 ' (a blank at the end), the ticket about 'A100'",
        ),
        (
            *("ticket's order", {**HONEST, "order_id": "a100"}, None),
            "the call is about 'a100', the ticket about 'A100'",
        ),
        (
            *("ticket's order", {**HONEST, "order_id": "А100"}, None),
            "the call is about 'А100' (А is U+0410 CYRILLIC CAPITAL LETTER A), the ticket about 'A100'",
        ),
        ("customer's order", {"amount": 20.0}, None, "the call names no order"),
        ("customer's order", {**HONEST, "order_id": "A999"}, None, "'A999' is not on file"),
        ("customer's order", {**HONEST, "order_id": {}}, None, "{} is not on file"),
        ("customer's order", {**HONEST, "order_id": "A101"}, None, "'A101' belongs to 'C2', the ticket to 'C1'"),
        (
            *("still refundable", {**HONEST, "amount": 20.01}, None),
            "$20.01 is more than the $20.00 still refundable on 'A100'",
        ),
        (
            *("still refundable", {**HONEST, "amount": "x"}, None),
            "what is refundable cannot be compared: 'x' is no amount",
        ),
        ("order's currency", {**HONEST, "currency": None}, None, "the call is in None, 'A100' in 'USD'"),
        ("order's currency", {**HONEST, "currency": "usd"}, None, "the call is in 'usd', 'A100' in 'USD'"),
        ("order's currency", {"amount": 20.0, "currency": "EUR"}, None, "the call is in 'EUR' and names no order"),
        (
            *("order's currency", {**HONEST, "order_id": "A999", "currency": "USD"}, None),
            "the call is in 'USD', and the currency of 'A999' is not on file",
        ),
        ("agreed amount", {**HONEST, "amount": 19.99}, None, "the customer agreed to $20.00, and the call pays $19.99"),
        (
            *("agreed amount", {**HONEST, "amount": None}, None),
            "what the customer agreed to cannot be compared: None is no amount",
        ),
        (
            *("agreed amount", {"order_id": "A100"}, None),
            "what the customer agreed to cannot be compared: the call names no amount",
        ),
    ],
)
def test_a_guard_objects_in_a_clause_that_holds_both_values(guard, call, intent, sentence):
    assert objections(call, intent)[guard] == sentence


def test_a_call_that_cannot_be_read_is_one_objection_not_nine():
    assert list(objections("{", HONEST)) == ["call well formed"]
    assert list(objections("{", "{")) == ["intent declared", "call well formed"]
    assert objections_to(question_about(step(None, HONEST), 0, [], case())) == {
        "call well formed": "nothing was called: the sentence is all there is"
    }
    assert objections_to(question_about(step(HONEST, None), 0, [], case())) == {
        "intent declared": "no intent is declared as data"
    }


# Money: by the order's currency, by what the records allow, by what is paid already.


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
    other = case(None, K1=order(currency="KWD", paid="4.000", refundable="2.000"))
    assert list(objections({"order_id": "K1", "amount": 1.234}, of=other)) == ["ticket's order"]
    assert objections({"order_id": "A100", "amount": 2.001}, of=dinars) == {
        "still refundable": "2.001 KWD is more than the 2.000 KWD still refundable on 'A100'"
    }


def test_a_row_that_cannot_be_counted_leaves_nothing_known_to_be_left():
    assert objections(HONEST, ledger=[("A100", math.nan)]) == {
        "still refundable": "what is refundable cannot be compared: nan is not finite",
        "agreed amount": "what the customer agreed to cannot be compared: nan is not finite",
    }
    assert objections(HONEST, ledger=[("A101", math.nan), (["A100"], 1), (100, 20.0)]) == {}


@pytest.mark.parametrize("named", ["EUR", "JPY", "usd", None, 1])
def test_a_row_in_another_currency_is_never_added_up_with_the_orders_own(named):
    why = f"5.0 in {named!r} is already paid on 'A100'"
    assert objections(HONEST, ledger=[("A100", 5.0, {"currency": named})], of=ROOMY) == {
        "still refundable": f"what is refundable cannot be compared: {why}"
    }
    assert objections(HONEST, ledger=[("A100", 5.0, {"currency": "USD", "reason": "late"})], of=ROOMY) == {}


def test_the_same_refund_a_second_time_is_stopped_even_where_more_is_refundable():
    for refundable in ("20.00", "40.00", "60.00", "100.00"):
        of = case(A100=order(paid="100.00", refundable=refundable))
        assert objections(HONEST, of=of) == {}
        for before in ([("A100", 20.0)], [("A100", 20.0), ("A100", 20.0)], [("A100", 20.0, {"reason": "late"})]):
            paid = f"${20 * len(before)}.00"
            assert objections(HONEST, ledger=before, of=of)["agreed amount"] == (
                f"the customer agreed to $20.00, of which {paid} is paid, and the call pays $20.00"
            )


cents = st.integers(1, 20_000)


def dollars(amount):
    return f"{amount // 100}.{amount % 100:02}"


@given(cents, st.lists(cents, max_size=3), st.integers(-2, 2))
def test_what_is_left_of_an_agreed_amount_is_the_one_amount_that_passes(agreed, before, off):
    call = {"order_id": "A100", "amount": dollars(max(1, agreed - sum(before) + off))}
    of = case(dollars(agreed), A100=order(paid="9999.00", refundable="9999.00"))
    objects = "agreed amount" in objections(call, ledger=[("A100", each / 100) for each in before], of=of)
    assert objects is (money.read(call["amount"]) != Decimal(agreed - sum(before)) / 100)


@given(cents, cents, st.lists(cents, max_size=3), cents)
@example(2000, 1000, [], 1500)
@example(1000, 2000, [], 1500)
def test_no_more_is_refundable_than_the_record_says_and_was_paid_less_what_the_ledger_paid(
    refundable, paid, before, wanted
):
    of = case(None, A100=order(paid=dollars(paid), refundable=dollars(refundable)))
    call = {"order_id": "A100", "amount": wanted / 100}
    found = objections(call, ledger=[("A100", each / 100) for each in before], of=of)
    left = min(refundable, paid) - sum(before)
    assert ("still refundable" in found) is (wanted > left)
    if wanted > left:
        assert f"is more than the ${dollars(max(left, 0))} still refundable on 'A100'" in found["still refundable"]
        assert ("already paid" in found["still refundable"]) is bool(before)


def test_a_payment_made_meanwhile_shows_in_the_sentence_even_where_nothing_was_refundable_before():
    before, after = (objections(ELSEWHERE, ledger=rows)["still refundable"] for rows in ([], [("A101", 200.0)]))
    assert before == "$200.00 is more than the $0.00 still refundable on 'A101'"
    assert after == before + " after the $200.00 already paid"


def test_an_agreed_amount_in_another_currency_than_the_orders_is_not_agreed():
    of = case("2000", A100=order(currency="JPY"), A102=order(paid="2000.00", refundable="2000.00"))
    call = {"order_id": "A102", "amount": 2000.0}
    for ledger in ([], [("A102", 5.0)]):
        assert objections(call, ledger=ledger, of=of)["agreed amount"] == (
            "the customer agreed to 2000 JPY, and the call pays $2000.00"
        )


@pytest.mark.parametrize("order_id", ["A999", "a100", "A100 ", "А100", "A100\u200b", "100"])
@pytest.mark.parametrize("amount", [20.0, 0.01, "20.00", 10**9])
def test_of_an_order_that_is_not_on_file_only_one_guard_speaks_and_no_figure_is_made_up(order_id, amount):
    call = {"order_id": order_id, "amount": amount}
    of = case(None)
    of["ticket"]["order_id"] = order_id
    assert objections(call, of=of) == {"customer's order": f"{quoted(order_id)} is not on file"}


# A second answer may mend the call, never the plan.


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (
            *(HONEST, {**HONEST, "amount": 35.0}),
            "'amount': first declared 20.0, then declared 35.0",
        ),
        (
            *(HONEST, {**HONEST, "cap": None}),
            "'cap': left out of the first intent, then declared None",
        ),
        (
            *({**HONEST, "reason": "late"}, HONEST),
            "'reason': first declared 'late', left out of the second intent",
        ),
        (
            *({**HONEST, "amount": 1}, {**HONEST, "amount": True}),
            "'amount': first declared 1, then declared True",
        ),
        (
            *({**HONEST, "amount": "20,00"}, HONEST),
            "'amount': first declared '20,00', then declared 20.0, which cannot be compared",
        ),
        (
            *('{"order_id": "A101", "amount": 20.0}', HONEST),
            "'order_id': first declared 'A101', then declared 'A100'",
        ),
        (
            *(HONEST, {**HONEST, "order_id": "A100\u200b"}),
            "'order_id': first declared 'A100', then declared 'A100\\u200b' (U+200B ZERO WIDTH SPACE)",
        ),
    ],
)
def test_a_second_answer_that_declares_another_plan_is_objected_to(first, second, sentence):
    assert objections_to_retry(first, second, of=ROOMY)["same plan"] == sentence


@pytest.mark.parametrize("first", [None, "", "{", "7", "[]", "{} {}", '{"amount": 1, "amount": 1}'])
@pytest.mark.parametrize("second", [HONEST, {**HONEST, "amount": 35.0}, None, "{"])
def test_where_no_first_plan_could_be_read_there_is_none_to_keep(first, second):
    assert "same plan" not in objections_to_retry(first, second, of=ROOMY)


def test_the_same_plan_in_another_form_is_kept_and_so_is_one_in_other_words_that_move_no_money():
    assert objections_to_retry({**HONEST, "amount": "20.00"}, '{"amount": 20, "order_id": "A100"}') == {}
    reason = {**HONEST, "reason": "late"}
    assert list(objections_to_retry(HONEST, reason)) == ["same plan"]
    assert objections_to_retry(HONEST, reason, of={**case(), "harmless": ["reason"]}) == {}


def test_only_one_guard_objects_to_a_retry_that_declares_its_mistake():
    of = case(None, A100=order(paid="60.00", refundable="60.00"))
    assert list(objections_to_retry(HONEST, {**HONEST, "amount": 35.0}, of=of)) == ["same plan"]


def test_a_first_answer_has_no_plan_before_it():
    assert GUARDS["same plan"](question_about(step(ELSEWHERE, ELSEWHERE), 0, [], case())) is None


@given(calls | st.none(), calls | st.none(), calls)
def test_a_plan_is_the_same_where_a_call_would_equal_an_intent(first, second, call):
    kept = "same plan" not in objections_to_retry(first, second, call, of=ROOMY)
    if not first or second is None:
        assert kept
    else:
        assert kept is would_match(first, second)


def would_match(intent, call):
    """Whether two sides would match as an intent and a call, in dollars, which all orders here are in."""
    return GUARDS["call equals intent"](Question(intent, call, "", "", case(), [])) is None


@pytest.mark.parametrize("field", ["reason", "idempotency_key", "note", ""])
@given(one=values, other=values)
def test_a_field_that_moves_no_money_is_not_compared(field, one, other):
    of = {**case(), "harmless": [field]}
    intent, call = {**HONEST, field: one}, {**HONEST, field: other}
    assert objections(call, intent, of=of) == objections(HONEST, intent, of=of) == objections(call, HONEST, of=of) == {}
    assert ("call equals intent" in objections(call, intent)) is not same(one, other)


# Objections are evidence for a person.


def test_an_id_shows_its_type():
    of = case(None)
    of["ticket"]["order_id"] = "123456"
    assert objections({"order_id": 123456, "amount": 20.0}, of=of)["ticket's order"] == (
        "the call is about 123456, the ticket about '123456'"
    )
    for odd in (True, 1.0, ["A100"], {"id": "A100"}):
        found = objections({"order_id": odd, "amount": 20.0})
        assert repr(odd) in found["ticket's order"]
        assert found["customer's order"] == f"{odd!r} is not on file"


def test_a_ticket_that_names_no_order_or_no_customer_is_told_as_such():
    of = case(None)
    of["ticket"].update(order_id="", customer_id="")
    assert objections({"amount": 20.0}, of=of)["ticket's order"] == "the call names no order, the ticket names no order"
    found = objections(HONEST, of=of)
    assert found["ticket's order"] == "the call is about 'A100', the ticket names no order"
    assert found["customer's order"] == "'A100' belongs to 'C1', the ticket names no customer"
    nobodys = case(None, A100=order(customer_id=""))
    assert objections(HONEST, of=nobodys)["customer's order"] == "'A100' belongs to nobody, the ticket to 'C1'"
    nobodys["ticket"]["customer_id"] = ""
    assert "customer's order" in objections(HONEST, of=nobodys), "no owner and no customer are not the same one"


DECEIVING = {
    "A100\u200b": "U+200B ZERO WIDTH SPACE",
    "\u202eA100": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "A100\u00a0": "U+00A0 NO-BREAK SPACE",
    "A100\ufe0f": "U+FE0F VARIATION SELECTOR-16",
    "A100 ": "a blank at the end",
    " A100": "a blank in front",
    "А100": "U+0410 CYRILLIC CAPITAL LETTER A",
    "А-100": "U+0410 CYRILLIC CAPITAL LETTER A",
    "A１00": "U+FF11 FULLWIDTH DIGIT ONE",
}
each_deceiving = pytest.mark.parametrize(("deceiving", "named"), DECEIVING.items(), ids=map(ascii, DECEIVING))


@each_deceiving
def test_what_deceives_the_eye_in_the_records_own_ids_is_named(deceiving, named):
    of = case(None)
    of["ticket"]["order_id"] = deceiving
    assert named in objections(HONEST, of=of)["ticket's order"]
    of = case(None, A100=order(customer_id=deceiving))
    assert named in objections(HONEST, of=of)["customer's order"]
    of = case(None)
    of["ticket"]["customer_id"] = deceiving
    assert named in objections(HONEST, of=of)["customer's order"]


@each_deceiving
def test_what_deceives_the_eye_in_an_id_of_the_call_is_named_by_every_guard_that_names_it(deceiving, named):
    call = {"order_id": deceiving, "amount": 20.0, "currency": "EUR"}
    found = objections(call, HONEST)
    for guard in ("call equals intent", "ticket's order", "customer's order", "order's currency"):
        assert named in found[guard]
    of = case(None, **{deceiving: order(refundable="0.00")})
    for guard in ("still refundable", "order's currency"):
        assert named in objections(call, of=of)[guard]


@each_deceiving
def test_what_deceives_the_eye_in_a_field_name_is_named(deceiving, named):
    field = deceiving.replace("A100", "amount")
    for call, intent in (({**HONEST, field: 1}, HONEST), (HONEST, {**HONEST, field: 1})):
        clause = objections(call, intent)["call equals intent"]
        assert clause.startswith(quoted(field))
        assert named in clause
    assert named in objections_to_retry(HONEST, {**HONEST, field: 1})["same plan"]


@pytest.mark.parametrize("field", ["cap: declared 1, called 1; note", "cap': declared 1, called 1; 'note", "a; b", ""])
def test_a_field_name_never_reads_as_a_clause_of_its_own(field):
    clause = objections({**HONEST, field: 1}, HONEST)["call equals intent"]
    assert clause == f"{field!r}: left out of the intent, called 1"


@given(texts, texts.filter(str.isidentifier), values, values)
def test_a_clause_quotes_field_and_values_as_they_are(field, order_id, left, right):
    call, intent = {**HONEST, field: right}, {**HONEST, field: left}
    assume(field not in HONEST and not same(left, right))
    assert objections(call, intent)["call equals intent"] == (
        f"{quoted(field)}: declared {quoted(left)}, called {quoted(right)}"
    )
    of = case(None)
    of["ticket"]["order_id"] = order_id
    assume(order_id != "A100")
    assert objections(HONEST, of=of)["ticket's order"] == (
        f"the call is about 'A100', the ticket about {quoted(order_id)}"
    )


ledgers = st.lists(st.tuples(order_ids, amounts | wild_numbers), max_size=3)
tickets = st.fixed_dictionaries(
    {"id": texts, "order_id": texts | st.just("A100"), "customer_id": texts | st.just("C1"), "text": texts},
    optional={"agreed_amount": st.sampled_from(["20.00", "2000", "x", ""])},
)
records = st.fixed_dictionaries(
    {
        "customer_id": texts | st.just("C1"),
        "paid": st.sampled_from(["40.00", "10.00", "x", ""]),
        "refundable": st.sampled_from(["20.00", "0.00", "x"]),
        "currency": st.sampled_from(["USD", "JPY", "KWD", "XYZ", ""]),
    }
)
cases = st.fixed_dictionaries(
    {"ticket": tickets, "orders": st.dictionaries(st.just("A100") | texts, records, max_size=3)},
    optional={"harmless": st.lists(st.sampled_from(["reason", "", "cap"]), max_size=2)},
)


@given(cases, st.none() | calls, st.none() | calls, ledgers, st.none() | calls)
def test_no_guard_raises_or_changes_what_it_is_asked_about(of, call, intent, ledger, first):
    asked = Question(intent, call, "no intent", "no call", of, ledger, first)
    before = copy.deepcopy((intent, call, of, ledger, first))
    for guard in GUARDS.values():
        answer = guard(asked)
        assert answer is None or (isinstance(answer, str) and answer)
        assert repr((intent, call, of, ledger, first)) == repr(before)
        assert guard(asked) == answer, "a guard remembers nothing"


@given(cases, calls | calls.map(lambda call: {**call, "order_id": None}), ledgers)
def test_no_objection_makes_a_name_of_nothing(of, call, ledger):
    for objection in objections(call, ledger=ledger, of=of).values():
        assert not re.search(
            r"\b(about|on|to) (None|'')|\b(None|'') (is not|belongs)\b|\b(about|on|to) ?($|[,;])", objection
        )


@given(calls | values | wild_numbers, calls | values, ledgers)
def test_what_no_guard_objects_to_is_a_refund_that_the_records_allow(call, intent, ledger):
    of = case()
    asked = question_about(step(call, intent), 0, ledger, of)
    if not objections_to(asked):
        assert asked.call is not None
        assert asked.call["order_id"] == "A100"
        assert asked.amount == 20 - asked.paid
        assert not isinstance(asked.call["amount"], bool)
        assert set(asked.call) == set(asked.intent)
