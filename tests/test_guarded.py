import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failure13 import calls as reading
from failure13 import fixed, money
from failure13.compare import same
from failure13.guarded import answers_of, objections_to, question_about, receipt, run_agent
from failure13.guards import GUARDS
from samples import ELSEWHERE, HONEST, calls, case, order, step, values, wild_numbers

RETRY = {"intent": HONEST, "do": HONEST}


def run(*steps, of=None, guards=GUARDS):
    """The ledger, audit, queue and last message after some steps."""
    ledger, audit, queue, message = [], [], [], ""
    for one in steps:
        message = run_agent(one, ledger, of or case(), audit, queue, guards)
    return ledger, audit, queue, message


def test_what_no_guard_objects_to_is_paid():
    ledger, audit, queue, message = run(step(HONEST))
    assert ledger == [("A100", 20.0)]
    assert audit == [{"status": "executed", "problems": [], "guards": [], "objections": [{}]}]
    assert queue == []
    assert message == "refunded $20.00 on A100"


@pytest.mark.parametrize(
    ("amount", "agreed", "paid"),
    [("20.00", None, 20.0), (20, None, 20.0), (17.98999999999998, None, 17.99), ("17.98999999999998", "17.99", 17.99)],
)
def test_what_is_paid_is_the_amount_that_was_compared(amount, agreed, paid):
    ledger, *_ = run(
        step({**HONEST, "amount": amount, "note": "x"}, {**HONEST, "amount": paid, "note": "x"}), of=case(agreed)
    )
    assert same(list(ledger[0]), ["A100", paid, {"note": "x"}])


def test_a_large_amount_is_paid_to_the_cent_or_not_at_all():
    large = case(None, A100=order(paid="9999999999999.99", refundable="9999999999999.99"))
    most = {**HONEST, "amount": "9999999999999.99"}
    assert run(step(most, most), of=large)[0] == [("A100", 9999999999999.99)]
    for amount in (2**53 + 1, 10**400):
        call = {**HONEST, "amount": amount}
        assert run(step(call, call), of=large)[0] == []


def test_with_no_guard_asked_a_call_is_paid_as_it_stands_and_never_as_a_neighbour():
    assert run(step({**HONEST, "amount": 2**53 + 1}), guards={})[0] == [("A100", 2**53 + 1)]
    with pytest.raises(OverflowError):
        run(step({**HONEST, "amount": 10**400}), guards={})


def test_all_objections_are_collected_and_a_person_gets_them():
    ledger, audit, queue, message = run(step({**ELSEWHERE, "currency": "EUR"}))
    assert ledger == []
    names = [
        "call equals intent",
        "ticket's order",
        "customer's order",
        "still refundable",
        "order's currency",
        "agreed amount",
    ]
    assert audit[0]["status"] == "ESCALATED to a person"
    assert audit[0]["guards"] == names
    assert len(audit[0]["problems"]) == 6
    assert audit[0]["objections"] == [dict(zip(names, audit[0]["problems"], strict=True))]
    assert queue == [
        {"call": {**ELSEWHERE, "currency": "EUR"}, **{key: audit[0][key] for key in audit[0] if key != "status"}}
    ]
    assert message == "ESCALATED to a person: " + "; ".join(audit[0]["problems"])


def test_a_call_that_cannot_be_read_waits_as_it_was_sent():
    text = '{"order_id": "A100", "amount": 20.0, "amount": 200.0}'
    ledger, _, queue, message = run(step(text))
    assert ledger == []
    assert queue[0]["call"] == text
    assert message == (
        'ESCALATED to a person: the call cannot be compared: line 1, column 38: the key "amount" stands twice'
    )


def test_the_second_answer_is_checked_once_and_may_be_paid():
    ledger, audit, queue, message = run(step(ELSEWHERE, retry=RETRY))
    assert ledger == [("A100", 20.0)]
    assert queue == []
    assert message == "refunded $20.00 on A100"
    assert [record["status"] for record in audit] == ["executed after retry"]
    assert audit[0]["problems"] == audit[0]["guards"] == []
    assert "call equals intent" in audit[0]["objections"][0]
    assert audit[0]["objections"][1:] == [{}]


def test_a_first_answer_that_passes_is_never_asked_again():
    ledger, audit, _, _ = run(step(HONEST, retry={"intent": ELSEWHERE, "do": ELSEWHERE}))
    assert ledger == [("A100", 20.0)]
    assert audit[0]["status"] == "executed"


def test_there_is_no_second_retry():
    second = {**ELSEWHERE, "amount": 50.0}
    ledger, audit, queue, message = run(step(ELSEWHERE, retry={"intent": HONEST, "do": second, "retry": RETRY}))
    assert ledger == []
    assert len(audit) == len(queue) == 1
    assert len(audit[0]["objections"]) == 2
    assert queue[0]["call"] == second
    assert message.startswith("ESCALATED to a person after one retry: 'amount': declared 20.0, called 50.0; 'order_id'")


def test_a_retry_may_not_change_the_money_the_customer_agreed_to():
    more = {**HONEST, "amount": 40.0}
    roomy = case("20.00", A100=order(refundable="40.00"))
    ledger, audit, _, _ = run(step(more, more, retry={"intent": more, "do": more}), of=roomy)
    assert ledger == []
    assert audit[0]["guards"] == ["agreed amount"]


ROOMY = case(None, A100=order(paid="60.00", refundable="60.00"))


@pytest.mark.parametrize("amount", [35.0, 20.01, 0.01, 60, "35.00", True])
@pytest.mark.parametrize("first", [HONEST, '{"order_id": "A100", "amount": 20.0}'], ids=["object", "text"])
def test_a_retry_may_mend_the_call_and_never_the_plan(amount, first):
    slip = {**HONEST, "amount": amount}
    ledger, audit, queue, _ = run(step(slip, first, retry={"intent": slip, "do": slip}), of=ROOMY)
    assert ledger == []
    assert "same plan" in audit[0]["guards"]
    assert queue[0]["call"] == slip
    mended, *_ = run(step(slip, first, retry=RETRY), of=ROOMY)
    assert mended == [("A100", 20.0)]


def test_only_the_plan_stops_a_retry_that_declares_its_mistake():
    slip = {**HONEST, "amount": 35.0}
    answers = step(slip, retry={"intent": slip, "do": slip})
    _, audit, *_ = run(answers, of=ROOMY)
    assert audit[0]["guards"] == ["same plan"]
    assert audit[0]["problems"] == ["'amount': first declared 20.0, then declared 35.0"]
    without = {name: guard for name, guard in GUARDS.items() if name != "same plan"}
    assert run(answers, of=ROOMY, guards=without)[0] == [("A100", 35.0)]


@pytest.mark.parametrize("first", [None, "{", "", "[]", '{"amount": 20.0, "amount": 20.0}'])
def test_a_retry_that_declares_what_no_first_plan_said_is_paid(first):
    ledger, audit, *_ = run(step(HONEST, first, retry=RETRY))
    assert ledger == [("A100", 20.0)]
    assert audit[0]["status"] == "executed after retry"


@pytest.mark.parametrize("refundable", ["20.00", "40.00", "60.00", "100.00"])
@pytest.mark.parametrize("amount", [20.0, 20, "20.00", 20.000000000000004])
def test_the_same_refund_again_is_paid_once_however_much_is_refundable(refundable, amount):
    call = {**HONEST, "amount": amount}
    of = case(A100=order(paid="100.00", refundable=refundable))
    ledger, audit, queue, _ = run(*[step(call, call)] * 3, of=of)
    assert ledger == [("A100", 20.0)]
    assert [record["status"] for record in audit] == ["executed", "ESCALATED to a person", "ESCALATED to a person"]
    assert len(queue) == 2


def test_an_agreed_sum_in_two_parts_goes_to_a_person_twice():
    ledger, _, queue, _ = run(*[step({**HONEST, "amount": 10.0}, {**HONEST, "amount": 10.0})] * 2)
    assert ledger == []
    assert len(queue) == 2


@pytest.mark.parametrize("field", ["reason", "idempotency_key"])
@pytest.mark.parametrize("declared", [{}, {"reason": "charged twice", "idempotency_key": "k1"}])
def test_a_field_that_moves_no_money_stops_nothing_and_stays_in_the_row(field, declared):
    call = {**HONEST, field: "in other words"}
    intent = {**HONEST, **{name: value for name, value in declared.items() if name == field}}
    assert run(step(call, intent))[0] == []
    assert run(step(call, intent), of={**case(), "harmless": [field]})[0] == [("A100", 20.0, {field: "in other words"})]


def test_where_nothing_was_called_the_model_is_asked_once_more():
    ledger, audit, queue, message = run(step(None, retry=RETRY))
    assert (ledger, queue, message) == ([("A100", 20.0)], [], "refunded $20.00 on A100")
    assert audit[0]["objections"][0] == {"call well formed": "nothing was called: the sentence is all there is"}


@pytest.mark.parametrize("more", [{}, {"retry": {"intent": HONEST, "do": None}}], ids=["alone", "twice"])
@pytest.mark.parametrize("intent", [HONEST, None, "{"], ids=str)
def test_where_nothing_was_called_a_person_is_told(more, intent):
    ledger, audit, queue, message = run(step(None, intent, **more))
    assert ledger == []
    assert audit[0]["status"] == "ESCALATED to a person"
    assert queue[0]["call"] is None
    assert "nothing was called: the sentence is all there is" in message


@pytest.mark.parametrize(
    ("do", "why"),
    [
        (None, "nothing was called: the sentence is all there is"),
        ("{", "the call cannot be compared: line 1, column 2: expected a key in double quotes, found the end"),
        ("7", "the call cannot be compared: line 1, column 1: expected an object, found a number"),
    ],
)
def test_with_every_guard_off_nothing_is_paid_where_there_is_no_call_and_a_person_is_told_why(do, why):
    ledger, audit, queue, message = run(step(do), guards={})
    assert ledger == []
    assert message == f"ESCALATED to a person: {why}"
    assert (audit[0]["problems"], queue[0]["problems"], queue[0]["guards"]) == ([why], [why], [])
    assert run(step(do, retry=RETRY), guards={})[0] == [("A100", 20.0)]


def test_the_record_is_written_before_the_money_moves():
    audit = []

    class Watched(list):
        def append(self, row):
            assert [record["status"] for record in audit] == ["executed"]
            super().append(row)

    ledger = Watched()
    run_agent(step(HONEST), ledger, case(), audit)
    assert ledger == [("A100", 20.0)]


def test_an_agent_without_guards_still_leaves_the_ledger_when_the_tool_raises():
    ledger, audit = [], []
    with pytest.raises(ValueError, match="format code"):
        run_agent(step({**HONEST, "amount": "2,34"}), ledger, case(), audit, [], {})
    assert ledger == []
    assert audit[0]["status"] == "executed", "the record comes first"


def test_a_guard_that_is_switched_off_is_not_asked():
    ledger, *_ = run(step(ELSEWHERE, ELSEWHERE), guards={"call equals intent": GUARDS["call equals intent"]})
    assert ledger == [("A101", 200.0)]


def test_an_order_is_paid_back_only_once():
    ledger, audit, queue, _ = run(step(HONEST), step(HONEST))
    assert ledger == [("A100", 20.0)]
    assert [record["status"] for record in audit] == ["executed", "ESCALATED to a person"]
    assert queue[0]["problems"] == [
        "$20.00 is more than the $0.00 still refundable on 'A100' after the $20.00 already paid",
        "the customer agreed to $20.00, of which $20.00 is paid, and the call pays $20.00",
    ]


def test_a_step_that_lacks_a_side_waits_for_a_person():
    ledger, audit, queue, _ = run({"said": "I refund $20.00."})
    assert ledger == []
    assert audit[0]["problems"] == ["no intent is declared as data", "nothing was called: the sentence is all there is"]
    assert queue[0]["call"] is None


def test_audit_and_queue_may_be_left_out_and_are_never_shared():
    ledger = []
    assert run_agent(step(HONEST), ledger, case()) == "refunded $20.00 on A100"
    assert run_agent(step(ELSEWHERE), ledger, case()).startswith("ESCALATED")
    assert ledger == [("A100", 20.0)]


@pytest.mark.parametrize(
    ("paid", "told"),
    [
        ([], "Nothing has been refunded yet; a person is looking at it."),
        ([("A100", 20.0)], "We refunded $20.00 on A100."),
        ([("A100", "20")], "We refunded $20.00 on A100."),
        ([("J1", 2000.0)], "We refunded 2000 JPY on J1."),
        ([("A100", 20.0, {"method": "paypal", "fee": 1})], "We refunded $20.00 on A100 (method: paypal, fee: 1)."),
        ([("A100", 5.0), ("A999", 15.0)], "We refunded $5.00 on A100. We refunded $15.00 on A999."),
        ([("A100", 20.0, {"currency": "EUR"})], "We refunded 20.00 EUR on A100."),
        ([("A100", 20.0, {"currency": "USD"})], "We refunded $20.00 on A100."),
        ([("A100", 10.005)], "We refunded 10.005 (no amount) on A100."),
        ([(["A100"], True)], "We refunded True (no amount) on ['A100']."),
        ([("A100", "twenty")], "We refunded 'twenty' (no amount) on A100."),
    ],
)
def test_the_customer_reads_what_the_ledger_says(paid, told):
    assert receipt([], paid, case(J1=order(currency="JPY"))) == told


def test_the_customer_reads_what_was_paid_before_where_nothing_was_paid_since():
    assert receipt([("A100", 20.0)], [], case()) == (
        "We refunded $20.00 on A100 before, and nothing since; a person is looking at it."
    )


texts = st.one_of(
    calls.map(json.dumps),
    calls.map(lambda call: json.dumps(call)[:-2]),
    st.sampled_from(['{"order_id": "A100", "amount": 20.0, "amount": 20.0}', '{"amount": NaN}', "", "[]", "null"]),
)
sides = st.one_of(calls, st.just(HONEST), texts, st.none(), values, wild_numbers)
answers = st.fixed_dictionaries({"intent": sides, "do": sides})
guard_sets = st.one_of(
    st.just(GUARDS),
    st.sets(st.sampled_from(sorted(GUARDS))).map(
        lambda off: {name: guard for name, guard in GUARDS.items() if name not in off}
    ),
)
cases = st.sampled_from(
    [
        case(),
        case(None),
        case(A100=order(paid="100.00", refundable="100.00")),
        {**case(None, A100=order(currency="JPY", paid="4000", refundable="2000")), "harmless": ["reason", "cap"]},
    ]
)
ledgers = st.lists(
    st.sampled_from([("A100", 20.0), ("A100", 5), ("A101", 200.0), ("A100", math.nan), ("A100", 1.0, {"cap": None})]),
    max_size=2,
)


@settings(max_examples=300)
@given(answers, st.none() | answers, answers, ledgers, cases, guard_sets)
def test_money_moves_only_where_no_guard_objects_and_never_for_a_third_answer(first, second, third, before, of, guards):
    one = {"said": "", **first, **({"retry": {**second, "retry": third}} if second else {})}
    kept = repr((one, of))
    ledger, audit, queue = list(before), [], []
    try:
        message = run_agent(one, ledger, of, audit, queue, guards)
    except (TypeError, ValueError, OverflowError):
        assert repr(ledger) == repr(before), "whatever raises leaves the ledger as it was"
        assert guards is not GUARDS, "with every guard on nothing raises"
        return
    assert repr((one, of)) == kept
    asked = [question_about(one, number, before, of) for number in range(len(answers_of(one)))]
    objections = [objections_to(question, guards) for question in asked]
    content = [q for q, found in zip(asked, objections, strict=True) if q.call is not None and not found]
    assert len(audit) == 1
    if not content:
        assert repr(ledger) == repr(before)
        assert (audit[0]["status"], audit[0]["guards"]) == ("ESCALATED to a person", list(objections[-1]))
        assert audit[0]["objections"] == objections
        assert len(queue) == 1
        assert audit[0]["problems"]
        assert message.startswith("ESCALATED to a person" + (" after one retry" if second else ""))
    else:
        assert repr(ledger[:-1]) == repr(before)
        order_id, amount, *_ = ledger[-1]
        assert same(order_id, content[0].call.get("order_id"))
        assert same(amount, content[0].call["amount"]) or money.same(
            amount, content[0].call["amount"], content[0].currency
        )
        assert queue == []
        assert audit[0]["status"] == ("executed" if content[0] is asked[0] else "executed after retry")


@settings(max_examples=300)
@given(answers, answers, ledgers, cases)
def test_what_is_paid_after_a_retry_is_what_was_declared_before_it(first, second, before, of):
    ledger, audit = list(before), []
    run_agent({"said": "", **first, "retry": second}, ledger, of, audit)
    if audit[0]["status"] != "executed after retry":
        return
    try:
        planned = reading.read_side(first["intent"])
    except reading.Unreadable:
        return
    if planned:
        order_id, amount, *extras = ledger[-1]
        paid = {"order_id": order_id, "amount": amount, **(extras[0] if extras else {})}
        moved = [{k: v for k, v in side.items() if k not in of.get("harmless", ())} for side in (planned, paid)]
        currency = of["orders"]["A100"]["currency"]
        assert money.same(moved[0].pop("amount"), moved[1].pop("amount"), currency)
        assert fixed.diff_intent(*moved) == []


@given(answers, ledgers, cases)
def test_no_objection_speaks_of_none_as_if_it_were_a_name(first, before, of):
    audit = []
    run_agent({"said": "", **first}, list(before), of, audit)
    for problem in audit[0]["problems"]:
        assert "None is on" not in problem
        assert "None is not on file" not in problem
        assert "about None" not in problem


@given(calls, calls)
def test_what_is_owed_and_what_is_said_change_nothing(do, intent):
    runs = [run(step(do, intent, owed=owed, said=said)) for owed, said in ((HONEST, ""), (None, "$200.00 on A101"))]
    assert repr(runs[0]) == repr(runs[1])
