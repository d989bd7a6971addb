import copy

import pytest
from hypothesis import given

from failure13 import money
from failure13.compare import same
from failure13.guarded import objections_to, question, receipt, run_agent
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
    large = case(None, A100=order(refundable="9999999999999.99"))
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
    assert message.startswith("ESCALATED to a person after one retry: amount: said 20.0, did 50.0; order_id")


def test_a_retry_may_not_change_the_money_the_customer_agreed_to():
    more = {**HONEST, "amount": 40.0}
    roomy = case("20.00", A100=order(refundable="40.00"))
    ledger, audit, _, _ = run(step(ELSEWHERE, retry={"intent": more, "do": more}), of=roomy)
    assert ledger == []
    assert audit[0]["guards"] == ["agreed amount"]


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
    with pytest.raises(ValueError, match="the call cannot be compared"):
        run_agent(step("{"), ledger, case(), [], [], {})
    assert ledger == []


def test_a_guard_that_is_switched_off_is_not_asked():
    ledger, *_ = run(step(ELSEWHERE, ELSEWHERE), guards={"call equals intent": GUARDS["call equals intent"]})
    assert ledger == [("A101", 200.0)]


def test_an_order_is_paid_back_only_once():
    ledger, audit, queue, _ = run(step(HONEST), step(HONEST))
    assert ledger == [("A100", 20.0)]
    assert [record["status"] for record in audit] == ["executed", "ESCALATED to a person"]
    assert queue[0]["problems"] == ["$20.00 is more than the $0.00 still refundable on A100"]


def test_a_step_that_lacks_a_side_waits_for_a_person():
    ledger, audit, queue, _ = run({"said": "I refund $20.00."})
    assert ledger == []
    assert audit[0]["problems"] == ["no intent is declared as data", "no call is declared as data"]
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
        ([("A100", 10.005)], "We refunded 10.005 on A100."),
        ([(["A100"], True)], "We refunded True on ['A100']."),
    ],
)
def test_the_customer_reads_what_the_ledger_says(paid, told):
    assert receipt([], paid, case(J1=order(currency="JPY"))) == told


@given(calls | values | wild_numbers, calls | values, calls | values, calls | values)
def test_money_moves_only_where_no_guard_objects_and_nothing_given_is_changed(do, intent, second_do, second_intent):
    one = step(do, intent, retry={"intent": second_intent, "do": second_do})
    of, before = case(), copy.deepcopy(one)
    ledger, audit, queue, message = run(one, of=of)
    assert repr(one) == repr(before)
    assert of == case()
    assert len(audit) == 1
    first, second = (objections_to(question(answer, [], of)) for answer in (one, one["retry"]))
    if not first or not second:
        call = question(one["retry"] if first else one, [], of).call
        assert ledger[0][:2] == (call["order_id"], 20.0)
        assert money.same(ledger[0][1], call["amount"])
        assert audit[0]["status"] == ("executed after retry" if first else "executed")
        assert queue == []
    else:
        assert ledger == []
        assert audit[0]["status"] == "ESCALATED to a person"
        assert audit[0]["guards"] == list(second)
        assert audit[0]["problems"] == list(second.values())
        assert len(queue) == 1
        assert message == "ESCALATED to a person after one retry: " + "; ".join(second.values())


@given(calls, calls)
def test_what_is_owed_and_what_is_said_change_nothing(do, intent):
    runs = [run(step(do, intent, owed=owed, said=said)) for owed, said in ((HONEST, ""), (None, "$200.00 on A101"))]
    assert repr(runs[0]) == repr(runs[1])
