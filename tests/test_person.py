import copy

import pytest

from failure13 import person
from failure13.replay import replay
from samples import ELSEWHERE, HONEST, case, containers, order, scenario, step


def waits(*steps, of=None):
    """A scenario and the guarded agent's outcome of its last step, which waits."""
    one = scenario(*steps, of=of)
    outcome = replay(one)["guarded"][-1]
    assert outcome.status == "escalated"
    return one, outcome


def test_an_approval_pays_the_call_that_was_shown():
    one, outcome = waits(step(ELSEWHERE))
    before = copy.deepcopy((one, outcome))
    paid = person.approve(one, one.steps[0], outcome)
    assert (paid.status, paid.message) == ("executed", "approved by a person: refunded $200.00 on A101")
    assert (paid.paid, paid.ledger, paid.waiting) == ([("A101", 200.0)], [("A101", 200.0)], None)
    assert paid.told == "We refunded $200.00 on A101."
    assert paid.record == {"status": "approved by a person", "problems": outcome.problems}
    assert (one, outcome) == before, "what waited stays as it was"


def test_an_approval_adds_one_row_to_the_ledger_that_was_there():
    one, outcome = waits(step(HONEST), step(HONEST))
    paid = person.approve(one, one.steps[1], outcome)
    assert (paid.before, paid.paid) == ([("A100", 20.0)], [("A100", 20.0)])
    assert paid.ledger is not outcome.ledger


@pytest.mark.parametrize(
    ("do", "owed", "verdict"),
    [
        (ELSEWHERE, HONEST, "wrong money"),
        (ELSEWHERE, ELSEWHERE, "paid as owed"),
        (ELSEWHERE, None, "wrong money"),
        ({**ELSEWHERE, "method": "paypal"}, ELSEWHERE, "wrong money"),
        ({**ELSEWHERE, "currency": "USD"}, ELSEWHERE, "paid as owed"),
    ],
)
def test_the_verdict_on_an_approval_is_what_it_paid_held_against_what_was_owed(do, owed, verdict):
    one, outcome = waits(step(do, owed=owed))
    assert person.approve(one, one.steps[0], outcome).verdict == verdict


@pytest.mark.parametrize(
    ("amount", "currency", "paid"),
    [
        ("20.00", "USD", 20.0),
        (17.98999999999998, "USD", 17.99),
        (500, "JPY", 500.0),
        ("1.234", "KWD", 1.234),
        (10.005, "USD", 10.005),
        (True, "USD", True),
    ],
)
def test_an_approval_pays_the_amount_that_was_shown_at_the_cent(amount, currency, paid):
    one, outcome = waits(
        step({"order_id": "A200", "amount": amount}), of=case(A200=order(currency=currency, refundable="0"))
    )
    assert repr(person.approve(one, one.steps[0], outcome).paid) == repr([("A200", paid)])


@pytest.mark.parametrize(
    "now",
    [
        {**ELSEWHERE, "amount": 200},
        {**ELSEWHERE, "amount": "200.0"},
        {**ELSEWHERE, "order_id": "A102"},
        {**ELSEWHERE, "cap": None},
        {"order_id": "A101"},
        '{"order_id": "A101", "amount": 200.0}',
        "\ud800",
    ],
    ids=ascii,
)
def test_a_call_that_has_changed_since_it_was_shown_is_refused(now):
    one, outcome = waits(step(ELSEWHERE))
    before = copy.deepcopy(outcome)
    with pytest.raises(person.Refused, match=r"has changed since it was shown: it was .* Nothing was paid"):
        person.approve(one, step(now), outcome)
    assert outcome == before


def test_a_refusal_names_both_calls():
    one, outcome = waits(step(ELSEWHERE))
    with pytest.raises(person.Refused) as refused:
        person.approve(one, step({**ELSEWHERE, "amount": 7}), outcome)
    assert 'was {"order_id": "A101", "amount": 200.0}, it is {"order_id": "A101", "amount": 7}.' in str(refused.value)


def test_a_change_of_said_or_intent_alone_is_no_change_of_the_call():
    one, outcome = waits(step(ELSEWHERE))
    assert person.approve(one, {**step(ELSEWHERE, None), "said": "So be it."}, outcome).paid == [("A101", 200.0)]


def test_what_was_shown_after_a_retry_is_the_second_answer():
    retry = {"intent": HONEST, "do": {**HONEST, "amount": 30.0}}
    one, outcome = waits(step(ELSEWHERE, retry=retry))
    assert person.shown_call(outcome) == retry["do"]
    assert person.approve(one, one.steps[0], outcome).paid == [("A100", 30.0)]
    with pytest.raises(person.Refused, match="has changed"):
        person.approve(one, step(ELSEWHERE), outcome)
    with pytest.raises(person.Refused, match="has changed"):
        person.approve(one, step(ELSEWHERE, retry={**retry, "do": HONEST}), outcome)


@pytest.mark.parametrize(
    "do",
    [
        '{"order_id": "A100", "amount": 2',
        '{"order_id": "A100", "amount": 20.0, "amount": 200.0}',
        '{"order_id": "A100", "amount": NaN}',
        {"amount": 20.0},
        {"order_id": "A100"},
        {"order_id": "A100", "amount": None},
        {"order_id": "A100", "amount": "twenty"},
        {"order_id": "A100", "amount": [20.0]},
        {"order_id": "A100", "amount": 10**400},
        {**HONEST, "ledger": []},
    ],
    ids=range(10),
)
def test_what_cannot_be_read_or_paid_is_refused_and_nothing_is_paid(do):
    one, outcome = waits(step(do))
    with pytest.raises(person.Refused, match=r"The call cannot be paid: .+ Decline it\."):
        person.approve(one, one.steps[0], outcome)
    assert outcome.ledger == []


def test_a_decline_leaves_the_money_where_it_is_and_the_verdict_as_it_was():
    for do, verdict in ((ELSEWHERE, "rightly stopped"), ({**HONEST, "currency": "USD"}, "needless block")):
        _, outcome = waits(step(do))
        declined = person.decline(outcome)
        assert (declined.status, declined.paid, declined.ledger) == ("blocked", [], [])
        assert (declined.verdict, declined.waiting) == (verdict, None)
        assert declined.message == "declined by a person: nothing was paid"
        assert declined.told == "Nothing has been refunded; a person has looked at it."
        assert declined.record == {"status": "declined by a person", "problems": outcome.problems}


def test_a_decline_after_a_payment_keeps_its_row():
    _, outcome = waits(step(HONEST), step(HONEST))
    declined = person.decline(outcome)
    assert (declined.before, declined.ledger, declined.paid) == ([("A100", 20.0)], [("A100", 20.0)], [])


def test_the_row_that_is_paid_shares_nothing_with_the_step():
    one, outcome = waits(step({**ELSEWHERE, "reason": ["late"]}))
    paid = person.approve(one, one.steps[0], outcome)
    assert not containers(tuple(paid.paid)) & containers(one.steps[0])
    assert not containers(tuple(paid.paid)) & containers(outcome.waiting)
