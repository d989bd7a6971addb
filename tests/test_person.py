import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13 import money
from failure13.guarded import objections_to, question_about
from failure13.guards import GUARDS
from failure13.replay import replay
from failure13.visit import person
from failure13.visit.runs import Run
from samples import ELSEWHERE, HONEST, calls, case, containers, order, scenario, step, values

OFF = {"order_id": "A102", "amount": 20.0}


def waits(*steps, of=None, guards=GUARDS):
    """What the last step of a scenario leaves to a person."""
    one = scenario(*steps, of=of)
    outcomes = {agent: of_agent[-1] for agent, of_agent in replay(one, guards=guards).items()}
    (waiting,) = Run(1, one, one.steps, len(steps) - 1, edited=False, outcomes=outcomes).waiting()
    return waiting


def approve(waiting, step_now=None, ledger=None, guards=GUARDS):
    """An approval with nothing changed since, unless given."""
    ledger = waiting.outcome.ledger if ledger is None else ledger
    run = waiting.run
    now = run if step_now is None else replace(run, steps=[*run.steps[: run.index], step_now])
    return person.approve(waiting, now, ledger, guards)


def test_an_approval_pays_the_call_that_was_shown():
    waiting = waits(step(ELSEWHERE))
    before = copy.deepcopy(waiting)
    paid = approve(waiting)
    assert (paid.status, paid.message) == ("executed", "approved by a person: refunded $200.00 on A101")
    assert (paid.paid, paid.ledger, paid.waiting) == ([("A101", 200.0)], [("A101", 200.0)], None)
    assert paid.told == "We refunded $200.00 on A101."
    assert paid.record == {"status": "approved by a person", "problems": waiting.outcome.problems}
    assert waiting == before, "what waited stays as it was"


def test_an_approval_adds_one_row_to_the_ledger_as_it_is_now():
    waiting = waits(step(HONEST), step(OFF))
    paid = approve(waiting)
    assert (paid.before, paid.paid) == ([("A100", 20.0)], [("A102", 20.0)])
    ledger = [("A100", 20.0), ("A101", 1.0)]
    paid = approve(waiting, ledger=ledger)
    assert (paid.before, paid.paid) == (ledger, [("A102", 20.0)])
    assert ledger == [("A100", 20.0), ("A101", 1.0)]


@pytest.mark.parametrize(
    ("do", "owed", "verdict", "still"),
    [
        (ELSEWHERE, HONEST, "wrong money", "$20.00 on A100"),
        (ELSEWHERE, ELSEWHERE, "paid as owed", "nothing"),
        (ELSEWHERE, None, "wrong money", "nothing"),
        ({**ELSEWHERE, "method": "paypal"}, ELSEWHERE, "wrong money", "nothing"),
        ({**ELSEWHERE, "currency": "USD"}, ELSEWHERE, "paid as owed", "nothing"),
        ({**HONEST, "amount": 5.0}, HONEST, "wrong money", "$15.00 on A100"),
    ],
)
def test_an_approval_is_held_against_what_was_owed(do, owed, verdict, still):
    paid = approve(waits(step(do, owed=owed)))
    assert (paid.verdict, paid.still_owed) == (verdict, still)


@pytest.mark.parametrize(
    ("amount", "currency", "paid"),
    [("20.00", "USD", 20.0), (17.98999999999998, "USD", 17.99), (500, "JPY", 500.0), ("1.234", "KWD", 1.234)],
)
def test_an_approval_pays_the_amount_that_was_shown_at_the_cent(amount, currency, paid):
    waiting = waits(
        step({"order_id": "A200", "amount": amount}), of=case(A200=order(currency=currency, refundable="0"))
    )
    assert repr(approve(waiting).paid) == repr([("A200", paid)])


# What a person saw is what they approve.


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
        None,
    ],
    ids=ascii,
)
def test_a_call_that_has_changed_since_it_was_shown_is_refused(now):
    waiting = waits(step(ELSEWHERE))
    before = copy.deepcopy(waiting)
    with pytest.raises(person.Refused, match=r"has changed since it was shown: it was .* Nothing was paid"):
        approve(waiting, step(now))
    assert waiting == before


@given(calls, calls)
def test_only_the_call_that_was_shown_is_paid(shown, now):
    slip = {**shown, "order_id": "A101", "amount": 200.0}
    waiting = waits(step(slip))
    if repr(now) != repr(slip) and now != slip:
        with pytest.raises(person.Refused, match="has changed"):
            approve(waiting, step(now))


def test_a_refusal_names_both_calls():
    with pytest.raises(person.Refused) as refused:
        approve(waits(step(ELSEWHERE)), step({**ELSEWHERE, "amount": 7}))
    assert 'was {"order_id": "A101", "amount": 200.0}, it is {"order_id": "A101", "amount": 7}.' in str(refused.value)


def test_a_change_of_said_alone_is_no_change_of_the_call():
    now = {**step(ELSEWHERE), "said": "So be it."}
    assert approve(waits(step(ELSEWHERE)), now).paid == [("A101", 200.0)]


def test_an_intent_or_a_record_that_changed_refuses_where_it_brings_a_new_objection_and_pays_where_it_takes_one_away():
    waiting = waits(step(ELSEWHERE))
    with pytest.raises(person.Refused, match="no intent is declared as data"):
        approve(waiting, step(ELSEWHERE, None))
    assert approve(waiting, step(ELSEWHERE, ELSEWHERE)).paid == [("A101", 200.0)]
    scenario_now = replace(waiting.run.scenario, case=case(A101=order(customer_id="C3")))
    with pytest.raises(person.Refused, match="belongs to 'C3'"):
        person.approve(waiting, replace(waiting.run, scenario=scenario_now), [])


def test_what_was_shown_after_a_retry_is_the_second_answer():
    retry = {"intent": HONEST, "do": {**HONEST, "amount": 30.0}}
    waiting = waits(step(ELSEWHERE, retry=retry))
    assert waiting.call == retry["do"]
    assert approve(waiting).paid == [("A100", 30.0)]
    for now in (step(ELSEWHERE), step(ELSEWHERE, retry={**retry, "do": HONEST})):
        with pytest.raises(person.Refused, match="has changed"):
            approve(waiting, now)


# Every guard is asked again; what was shown is overridden and nothing else.


def refusal(*arguments, **more):
    with pytest.raises(person.Refused) as refused:
        approve(*arguments, **more)
    assert str(refused.value).endswith("Nothing was paid. Run the step again, or decline this.")
    return str(refused.value)


ROOMY = case(None, A100=order(paid="100.00", refundable="100.00"))


def test_every_objection_that_was_shown_is_overridden():
    call = {"order_id": "A101", "amount": 200.0, "currency": "EUR"}
    retry = {"intent": {**call, "cap": 1}, "do": call}
    waiting = waits(step(HONEST, "{}", retry=retry))
    shown = waiting.outcome.record["objections"][-1]
    assert set(shown) == set(GUARDS) - {"intent declared", "call well formed", "same plan"}
    assert approve(waiting).paid == [("A101", 200.0, {"currency": "EUR"})]


@pytest.mark.parametrize("of", [case(), ROOMY, case("35.00", A100=order(paid="50.00", refundable="50.00"))])
@pytest.mark.parametrize("paid", [("A100", 20.0), ("A100", 35.0), ("A100", 99.0), ("A100", 70, {"reason": "x"})])
def test_what_was_paid_meanwhile_refuses_where_a_guard_now_objects_to_something_else(of, paid):
    waiting = waits(step({**HONEST, "amount": 35.0}), of=of)
    shown = waiting.outcome.record["objections"][-1]
    now = objections_to(question_about(waiting.run.step, 0, [paid], of))
    fresh = [objection for name, objection in now.items() if shown.get(name) != objection]
    ledger = [paid]
    if fresh:
        said = refusal(waiting, ledger=ledger)
        assert "Something speaks against it that was not shown: " + "; ".join(fresh) in said
        assert not [objection for objection in shown.values() if objection in said and objection not in fresh]
    else:
        assert approve(waiting, ledger=ledger).paid == [("A100", 35.0)]
    assert ledger == [paid]


def test_a_refund_that_another_step_paid_meanwhile_is_not_approved():
    slip = step({**HONEST, "method": "card"})
    for of in (case(), case(None), case(A100=order(paid="100.00", refundable="100.00"))):
        waiting = waits(slip, of=of)
        assert list(waiting.outcome.record["objections"][-1]) == ["call equals intent"]
        said = refusal(waiting, ledger=[("A100", 20.0)])
        assert "$20.00" in said
        assert ("is paid" in said) or ("already paid" in said)


@pytest.mark.parametrize(
    ("call", "of"),
    [
        ({**HONEST, "method": "card"}, case()),
        ({**HONEST, "method": "card"}, case(None)),
        ({**HONEST, "method": "card"}, case(A100=order(paid="90.00", refundable="90.00"))),
        (ELSEWHERE, case()),
        (ELSEWHERE, case(None)),
        ({"order_id": "A999", "amount": 20.0}, case()),
        ({**HONEST, "amount": -20.0}, case()),
    ],
)
def test_the_same_call_is_not_approved_twice_where_a_guard_counts_what_was_paid(call, of):
    first, second = waits(step(call), of=of), waits(step(call), of=of)
    paid = approve(first)
    assert len(paid.paid) == 1
    said = refusal(second, ledger=paid.ledger)
    assert "paid" in said.removesuffix(person.NOTHING_PAID)


@pytest.mark.parametrize("name", ["call equals intent", "ticket's order", "still refundable", "agreed amount"])
def test_a_guard_that_was_off_when_it_waited_refuses_once_it_is_on_again(name):
    without = {other: guard for other, guard in GUARDS.items() if other != name}
    waiting = waits(step(ELSEWHERE), guards=without)
    assert name not in waiting.outcome.record["objections"][-1]
    said = refusal(waiting)
    assert waits(step(ELSEWHERE)).outcome.record["objections"][-1][name] in said
    assert approve(waiting, guards=without).paid == [("A101", 200.0)]


def test_an_objection_that_is_gone_refuses_nothing():
    waiting = waits(step({**HONEST, "amount": 10.0}, {**HONEST, "amount": 10.0}))
    assert list(waiting.outcome.record["objections"][-1]) == ["agreed amount"]
    assert approve(waiting, ledger=[("A100", 10.0)]).paid == [("A100", 10.0)], "what is left of the agreed sum"
    assert approve(waits(step(ELSEWHERE)), guards={}).paid == [("A101", 200.0)]


def test_money_paid_meanwhile_in_another_currency_is_not_counted_as_the_orders_own():
    said = refusal(waits(step({**HONEST, "amount": 35.0}), of=ROOMY), ledger=[("A100", 20.0, {"currency": "EUR"})])
    assert "20.0 in 'EUR' is already paid on 'A100'" in said


rows = st.sampled_from([("A100", 20.0), ("A100", 5.0), ("A101", 200.0), ("A100", 20.0, {"currency": "EUR"})])


@given(
    calls,
    st.lists(rows, max_size=2),
    st.sampled_from([case(), case(None), ROOMY]),
    st.sets(st.sampled_from(list(GUARDS))),
)
def test_an_approval_pays_only_where_every_objection_now_was_shown(do, ledger, of, off):
    call = {**do, "order_id": "A100"}
    guards = {name: guard for name, guard in GUARDS.items() if name not in off}
    outcomes = replay(scenario(step(call), of=of), guards=guards)
    if outcomes["guarded"][0].waiting is None:
        return
    waiting = waits(step(call), of=of, guards=guards)
    now = objections_to(question_about(step(call), 0, ledger, of))
    before = list(ledger)
    try:
        paid = approve(waiting, ledger=ledger)
    except person.Refused:
        assert ledger == before
        assert not set(now.items()) <= set(waiting.outcome.record["objections"][-1].items()) or person.unpayable(
            waiting
        )
    else:
        assert set(now.items()) <= set(waiting.outcome.record["objections"][-1].items())
        assert len(paid.paid) == 1
        assert paid.before == before


# What cannot be paid, whoever approves it.

UNPAYABLE = [
    (None, "nothing was called: the sentence is all there is"),
    (
        '{"order_id": "A100", "amount": 2',
        "the call cannot be compared: line 1, column 33: expected ',' or '}', found the end",
    ),
    (
        '{"order_id": "A100", "amount": 20.0, "amount": 200.0}',
        'the call cannot be compared: line 1, column 38: the key "amount" stands twice',
    ),
    ({"amount": 20.0}, "the call names no order"),
    ({**HONEST, "order_id": None}, "the call names no order"),
    ({**HONEST, "order_id": ""}, "the call names no order"),
    ({"order_id": "A100"}, "the call names no amount"),
    ({**HONEST, "amount": None}, "None is no amount"),
    ({**HONEST, "amount": True}, "True is no amount"),
    ({**HONEST, "amount": "twenty"}, "'twenty' is no amount"),
    ({**HONEST, "amount": [20.0]}, "an object or list is no amount"),
    ({**HONEST, "amount": 10.005}, "10.005 is no whole number of the smallest unit of USD (2 decimals)"),
    ({**HONEST, "amount": 10**400}, "an amount of more than 15 digits in USD cannot be paid exactly"),
    ({**HONEST, "amount": 0}, "the amount is zero"),
    ({**HONEST, "ledger": []}, "'ledger' is no argument of the tool"),
]


@pytest.mark.parametrize(("do", "why"), UNPAYABLE, ids=range(len(UNPAYABLE)))
def test_what_cannot_be_read_or_paid_is_refused_in_plain_words_and_nothing_is_paid(do, why):
    waiting = waits(step(do))
    assert person.unpayable(waiting) == why
    with pytest.raises(person.Refused) as refused:
        approve(waiting)
    assert str(refused.value) == f"The call cannot be paid: {why}. Decline it."
    assert waiting.outcome.ledger == []


@given(values)
def test_an_amount_is_paid_as_money_or_refused_whatever_it_is(amount):
    waiting = waits(step({"order_id": "A101", "amount": amount}))
    if person.unpayable(waiting):
        with pytest.raises(person.Refused, match=r"^The call cannot be paid: .+\. Decline it\.$"):
            approve(waiting)
    else:
        paid = approve(waiting)
        assert type(paid.paid[0][1]) is float
        assert money.same(paid.paid[0][1], amount)
        assert "no amount" not in paid.told


def test_what_can_be_paid_says_so():
    for do in (ELSEWHERE, {**ELSEWHERE, "order_id": "A999"}, {**HONEST, "amount": -20.0}):
        assert person.unpayable(waits(step(do))) == ""
    assert person.unpayable(waits(step(None, retry={"intent": HONEST, "do": ELSEWHERE}))) == ""


# Declining.


@pytest.mark.parametrize(
    ("do", "verdict"),
    [(ELSEWHERE, "rightly stopped"), ({**HONEST, "currency": "USD"}, "needless block"), (None, "nothing done")],
)
def test_a_decline_leaves_the_money_where_it_is_and_the_verdict_as_it_was(do, verdict):
    waiting = waits(step(do))
    declined = person.decline(waiting, [])
    assert (declined.status, declined.paid, declined.ledger) == ("blocked", [], [])
    assert (declined.verdict, declined.waiting, declined.still_owed) == (verdict, None, "$20.00 on A100")
    assert declined.message == "declined by a person: nothing was paid"
    assert declined.told == "Nothing has been refunded yet; a person has looked at it."
    assert declined.record == {"status": "declined by a person", "problems": waiting.outcome.problems}


def test_a_decline_after_a_payment_keeps_its_row():
    declined = person.decline(waits(step(HONEST), step(HONEST)), [("A100", 20.0)])
    assert (declined.before, declined.ledger, declined.paid) == ([("A100", 20.0)], [("A100", 20.0)], [])
    assert declined.told == "We refunded $20.00 on A100 before, and nothing since; a person has looked at it."


def test_a_decline_says_what_is_owed_on_the_ledger_as_it_is_now():
    waiting = waits(step(ELSEWHERE))
    assert person.decline(waiting, []).still_owed == "$20.00 on A100"
    paid_since = person.decline(waiting, [("A100", 20.0)])
    assert (paid_since.still_owed, paid_since.ledger, paid_since.paid) == ("nothing", [("A100", 20.0)], [])


def test_the_row_that_is_paid_shares_nothing_with_the_step():
    waiting = waits(step({**ELSEWHERE, "reason": ["late"]}))
    paid = approve(waiting)
    assert not containers(tuple(paid.paid)) & containers(waiting.run.step)
    assert not containers(tuple(paid.paid)) & containers(waiting.outcome.waiting)
