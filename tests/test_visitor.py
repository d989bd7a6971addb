"""One visitor: their edits by scenario, their trail, what waits for a person, and what is shared with nobody."""

import copy

import pytest

from failure13.compare import same
from failure13.guards import GUARDS
from failure13.scenarios import Scenario
from failure13.visit.share import Opened
from failure13.visit.visitor import MOST_OWN, MOST_RUNS, Visitor
from samples import ELSEWHERE, HONEST, case, containers, order, scenario, step, typed, undo

TRIES = (
    {"label": "Agree", "set": {"steps[0].do": HONEST}},
    {"label": "Say less", "set": {"steps[0].said": "Done."}},
)


def sample(*steps, name="sample", of=None):
    return Scenario(name, "A sample", of or case(), list(steps) or [step(ELSEWHERE)], tries=TRIES)


def do(work):
    return work.steps[work.step]["do"]


def test_work_begins_with_the_files_own_steps():
    one, me = sample(), Visitor()
    work = me.work(one)
    assert same(work.steps, one.steps)
    assert (work.at, work.step, work.fields()) == (0, 0, ["order_id", "amount"])
    assert not me.is_edited(one)
    assert me.work(one) is work


def test_reset_brings_back_the_file_and_can_be_undone():
    one, me = sample(), Visitor()
    work = me.work(one)
    typed(work, "7.5")
    work.add_field()
    assert me.is_edited(one)
    work.reset()
    assert not me.is_edited(one)
    assert (work.steps, work.fields()) == (one.steps, ["order_id", "amount"])
    undo(work)
    assert (do(work)["amount"], work.fields()) == (7.5, ["order_id", "amount", "field"])
    assert me.is_edited(one)


def test_a_change_of_type_alone_is_an_edit():
    one, me = sample(step({"order_id": "A100", "amount": 1})), Visitor()
    me.work(one).set_cell("do", "amount", "true")
    assert me.is_edited(one)


def test_each_scenario_keeps_its_own_edits():
    me, one, other = Visitor(), sample(), sample(name="other")
    typed(me.work(one), "7")
    typed(me.work(other), "8", field="cap")
    assert do(me.work(one)) == {**ELSEWHERE, "amount": 7}
    assert do(me.work(other)) == {**ELSEWHERE, "cap": 8}
    undo(me.work(one))
    assert (me.is_edited(one), me.is_edited(other)) == (False, True)


def test_work_begins_anew_when_the_file_has_other_steps():
    me, before, after = Visitor(), sample(step(HONEST), step(HONEST)), sample(step(HONEST))
    me.work(before).step = 1
    typed(me.work(before), "7")
    assert (me.steps(after), me.is_edited(after)) == (after.steps, False)
    assert (me.work(after).step, me.work(after).steps) == (0, after.steps)


def used(one):
    """A visitor who has used everything there is."""
    me = Visitor(place=one.id)
    me.run_all([one])
    typed(me.work(one), "7")
    me.work(one).add_field()
    me.run_step(one)
    me.switch_guard("agreed amount")
    me.decline(me.queue[0])
    me.run_step(one)
    return me


def state(me):
    """All that a visitor is, as values that can be compared."""
    return {**vars(me), "works": {name: vars(work) for name, work in me.works.items()}}


def everything(me):
    """The ids of every list and dict that a visitor holds, those of the scenario aside."""
    works = [(edit.draft.fields, edit.draft.steps) for work in me.works.values() for edit in work.edits[1:]]
    outcomes = [
        tuple(vars(each).values())
        for run in [*me.trail, *(each.run for each in me.queue)]
        for each in run.outcomes.values()
    ]
    return containers((works, me.trail, me.queue, tuple(works), tuple(outcomes))) | {id(me.works), id(me.guards_off)}


def test_two_visitors_share_nothing():
    one = sample()
    first, second = used(one), used(one)
    shared = everything(first) & everything(second)
    file = containers(tuple((tuple(each), tuple(each.values())) for each in one.steps)) | set(map(id, one.steps))
    assert shared <= file
    assert state(first) == state(second)


def test_what_one_visitor_does_never_shows_with_another_nor_in_the_scenario():
    one = sample(step(ELSEWHERE), step(HONEST))
    file, other = copy.deepcopy(one), used(one)
    before = copy.deepcopy(state(other))
    me = used(one)
    me.work(one).reset()
    me.clear()
    assert (state(other), one) == (before, file)
    assert state(Visitor()) == state(Visitor(works={}, trail=[], queue=[], guards_off=set()))


def test_a_run_is_of_the_step_on_screen_as_it_is_edited():
    me, one = Visitor(), sample(step(HONEST), step(HONEST))
    me.run_step(one)
    me.work(one).step = 1
    typed(me.work(one), "5")
    me.run_step(one)
    assert [(run.index, run.edited) for run in me.trail] == [(0, False), (1, True)]
    assert [run.outcomes["broken"].ledger for run in me.trail] == [[("A100", 20.0)], [("A100", 20.0), ("A100", 5)]]
    typed(me.work(one), "6")
    assert me.trail[1].step["do"]["amount"] == 5, "a run stays what it was"


def test_run_all_runs_every_step_of_every_scenario_as_edited():
    me, one, other = Visitor(), sample(step(HONEST), step(ELSEWHERE)), sample(name="other")
    typed(me.work(other), "5")
    me.run_all([one, other])
    assert [(run.scenario.id, run.index, run.edited) for run in me.trail] == [
        ("sample", 0, False),
        ("sample", 1, False),
        ("other", 0, True),
    ]
    assert me.trail[2].step["do"]["amount"] == 5
    assert list(me.works) == ["other"], "to run a scenario is not to work on it"


def test_clear_forgets_every_run_and_what_waits_because_of_one():
    me, one = Visitor(), sample()
    me.run_step(one)
    typed(me.work(one), "5")
    me.approve(me.queue[0])
    assert me.refused
    me.clear()
    assert (me.trail, me.queue, me.refused, me.ran) == ([], [], "", 0)
    assert do(me.work(one))["amount"] == 5, "the edits stay"


def test_the_trail_and_the_queue_keep_the_newest_runs_only():
    me = Visitor()
    many = sample(*[step("{") for _ in range(20)])
    for _ in range(MOST_RUNS // 20):
        me.trail.extend(me.trail[:20] or used_up(many))
    me.queue.extend(waiting for run in me.trail for waiting in run.waiting())
    newest = sample(name="newest")
    me.run_step(newest)
    assert (len(me.trail), len(me.queue)) == (MOST_RUNS, MOST_RUNS)
    assert (me.trail[-1].scenario, me.queue[-1].run.scenario) == (newest, newest)
    assert me.trail[0].index == 1


def used_up(one):
    me = Visitor()
    me.run_all([one])
    return me.trail


def test_a_guard_is_switched_off_and_on_again():
    me = Visitor()
    me.switch_guard("agreed amount")
    assert list(me.guards()) == [name for name in GUARDS if name != "agreed amount"]
    me.switch_guard("agreed amount")
    assert dict(me.guards()) == dict(GUARDS)


def test_the_trail_follows_the_switches_and_keeps_what_a_person_decided():
    me, one = (
        Visitor(),
        sample(step(ELSEWHERE, ELSEWHERE), step({**HONEST, "amount": 10.0}, {**HONEST, "amount": 10.0})),
    )
    me.run_all([one])
    me.decline(me.queue[1])
    for name in GUARDS:
        me.switch_guard(name)
    assert [run.outcomes["guarded"].paid for run in me.trail] == [[("A101", 200.0)], [("A100", 10.0)], []]
    assert [run.decision for run in me.trail] == ["", "", "declined by a person"]
    for name in GUARDS:
        me.switch_guard(name)
    assert [run.outcomes["guarded"].paid for run in me.trail] == [[], [], []]


def test_what_waits_joins_the_queue_and_leaves_it_when_decided():
    me, one = Visitor(), sample()
    me.run_step(sample(step(HONEST), name="honest"))
    assert me.queue == []
    for _ in range(3):
        me.run_step(one)
    assert len(me.queue) == 3
    me.approve(me.queue[1])
    me.decline(me.queue[1])
    assert len(me.queue) == 1
    assert [run.decision for run in me.trail] == ["", "", "", "", "approved by a person", "declined by a person"]
    assert me.trail[4].outcomes["guarded"].paid == [("A101", 200.0)]
    assert (me.trail[5].outcomes["guarded"].paid, me.trail[3].outcomes["guarded"].paid) == ([], [])


def test_a_changed_step_is_not_approved_and_waits_on_until_it_is_as_shown_again():
    me, one = Visitor(), sample()
    me.run_step(one)
    typed(me.work(one), "7")
    me.approve(me.queue[0])
    assert "has changed since it was shown" in me.refused
    assert (len(me.queue), len(me.trail)) == (1, 1)
    undo(me.work(one))
    me.approve(me.queue[0])
    assert (me.refused, len(me.queue), me.trail[-1].outcomes["guarded"].paid) == ("", 0, [("A101", 200.0)])


def test_a_refusal_is_forgotten_once_something_is_decided():
    me, one = Visitor(), sample()
    me.run_step(one)
    typed(me.work(one), "7")
    me.approve(me.queue[0])
    me.decline(me.queue[0])
    assert me.refused == ""


def test_a_scenario_without_a_visit_is_run_from_its_file():
    assert Visitor().steps(scenario(step(HONEST))) == [step(HONEST)]
    assert not Visitor().is_edited(scenario(step(HONEST)))


@pytest.mark.parametrize("intent", [HONEST, None, {}, '{"cut', '{"amount": 20.0}'], ids=repr)
def test_showing_a_step_as_text_is_no_edit_of_it(intent):
    me, one = Visitor(), sample({**step(HONEST), "intent": intent})
    me.work(one).use_text()
    assert not me.is_edited(one)


# Approving: on the ledger as it is now, past what was shown and nothing else.

SLIP = step({**HONEST, "method": "card"})
ROOMY = case(None, A100=order(paid="100.00", refundable="100.00"))
BOOKS = pytest.mark.parametrize("of", [case(), case(None), case(A100=order(paid="90.00", refundable="90.00"))])


def guarded(run):
    return run.outcomes["guarded"]


@BOOKS
def test_a_refund_that_a_later_step_paid_meanwhile_is_not_approved(of):
    me, one = Visitor(), sample(SLIP, step(HONEST), of=of)
    me.run_step(one)
    me.work(one).step = 1
    me.run_step(one)
    assert guarded(me.trail[1]).paid == [("A100", 20.0)]
    (waiting,) = me.waiting()
    me.approve(waiting)
    assert "Something speaks against it that was not shown" in me.refused
    assert "paid" in me.refused.removesuffix("Nothing was paid. Run the step again, or decline this.")
    assert (me.queue, [run.decision for run in me.trail]) == ([waiting], ["", ""])
    assert me.ledger_now(waiting) == [("A100", 20.0)]


@BOOKS
def test_a_step_that_ran_twice_is_approved_once(of):
    me, one = Visitor(), sample(SLIP, of=of)
    me.run_step(one)
    me.run_step(one)
    first, second = me.waiting()
    me.approve(first)
    assert guarded(me.trail[-1]).paid == [("A100", 20.0, {"method": "card"})]
    me.approve(second)
    assert "Something speaks against it that was not shown" in me.refused
    assert me.queue == [second]
    assert [run.decision for run in me.trail] == ["", "", "approved by a person"]
    assert me.ledger_now(second) == [("A100", 20.0, {"method": "card"})]


def test_what_was_paid_since_is_not_forgotten_when_the_step_runs_once_more():
    me, one = Visitor(), sample(SLIP)
    me.run_step(one)
    (waiting,) = me.waiting()
    me.work(one).set_cell("do", "method", "")
    me.run_step(one)
    assert guarded(me.trail[1]).paid == [("A100", 20.0)]
    me.work(one).go_to(0)
    me.run_step(one)
    me.approve(waiting)
    assert "of which $20.00 is paid" in me.refused
    assert [run.decision for run in me.trail] == ["", "", ""]


def test_an_approval_counts_for_the_next_step_that_waits():
    me, one = Visitor(), sample(SLIP, SLIP)
    me.run_all([one])
    first, second = me.waiting()
    me.approve(second)
    me.approve(first)
    assert len(me.queue) == 1
    assert "of which $20.00 is paid" in me.refused


def test_what_waited_with_a_guard_off_is_not_approved_once_it_is_on_again():
    me, one = Visitor(), sample()
    me.switch_guard("still refundable")
    me.run_step(one)
    me.switch_guard("still refundable")
    me.approve(me.queue[0])
    assert "$200.00 is more than the $0.00 still refundable on 'A101'" in me.refused
    assert len(me.queue) == 1
    me.switch_guard("still refundable")
    me.approve(me.queue[0])
    assert (me.refused, guarded(me.trail[-1]).paid) == ("", [("A101", 200.0)])


def test_the_ledger_now_is_of_the_last_step_that_ran_and_of_this_scenario_alone():
    me, one = Visitor(), sample(SLIP, step(HONEST), SLIP)
    other = sample(SLIP, step(ELSEWHERE, ELSEWHERE), step(HONEST), step(HONEST), name="other")
    me.run_all([one, other])
    me.approve(me.waiting()[3])
    assert me.trail[-1].decision == "approved by a person"
    waiting = me.waiting()[0]
    assert me.ledger_now(waiting) == [("A100", 20.0)]
    alone = Visitor()
    alone.run_step(one)
    assert alone.ledger_now(alone.waiting()[0]) == []


def test_an_approval_of_what_cannot_be_paid_says_so_in_plain_words_and_waits_on():
    me, one = Visitor(), sample(step({**HONEST, "amount": True}))
    me.run_step(one)
    me.approve(me.queue[0])
    assert me.refused == "The call cannot be paid: True is no amount. Decline it."
    assert len(me.queue) == 1


def test_where_nothing_was_called_a_person_can_only_decline():
    me, one = Visitor(), sample(step(None))
    me.run_step(one)
    me.approve(me.queue[0])
    assert "nothing was called" in me.refused
    me.decline(me.queue[0])
    assert (me.queue, guarded(me.trail[-1]).verdict) == ([], "nothing done")


def test_what_would_be_paid_with_the_guards_as_they_are_does_not_wait():
    me = Visitor()
    me.run_step(sample(step(ELSEWHERE, ELSEWHERE), name="paid"))
    me.run_step(sample(step("{"), name="unreadable"))
    assert len(me.waiting()) == 2
    for name in GUARDS:
        me.switch_guard(name)
    assert [waiting.run.scenario.id for waiting in me.waiting()] == ["unreadable"]
    assert len(me.queue) == 2


# What is worked out, and what is kept.


def test_what_is_on_screen_is_worked_out_once_and_a_run_keeps_it():
    me, one = Visitor(), sample()
    shown = me.outcomes(one)
    assert me.outcomes(one) is shown
    me.run_step(one)
    assert guarded(me.trail[0]) is shown["guarded"][0]
    typed(me.work(one), "7")
    assert me.outcomes(one)["broken"][0].paid == [("A101", 7)]
    undo(me.work(one))
    assert me.outcomes(one)["broken"][0].paid == [("A101", 200.0)]
    for name in GUARDS:
        me.switch_guard(name)
    assert me.outcomes(one)["guarded"][0].paid == [("A101", 200.0)]
    assert me.outcomes(sample(step(HONEST)))["broken"][0].paid == [("A100", 20.0)]


def test_every_run_and_decision_has_a_number_of_its_own_that_only_grows():
    me, one = Visitor(), sample()
    for _ in range(3):
        me.run_step(one)
    me.decline(me.queue[0])
    for name in GUARDS:
        me.switch_guard(name)
    assert [run.number for run in me.trail] == [1, 2, 3, 4]
    assert [waiting.run.number for waiting in me.queue] == [2, 3]
    del me.trail[:2]
    me.run_step(one)
    assert me.trail[-1].number == 5


def test_a_link_leads_to_its_scenario_on_top_of_what_was_made_of_it():
    me, one = Visitor(), sample(step(ELSEWHERE), step(ELSEWHERE))
    typed(me.work(one), "7")
    me.open_link(Opened(one, [step(ELSEWHERE), step(HONEST)], one.case, 1, None))
    assert (me.place, me.work(one).step) == ("sample", 1)
    assert me.steps(one) == [step(ELSEWHERE), step(HONEST)]
    undo(me.work(one))
    assert me.steps(one)[0]["do"]["amount"] == 7


def test_a_scenario_taken_is_ones_own_once_and_the_oldest_go_first():
    me = Visitor()
    for number in range(MOST_OWN + 2):
        me.take(Scenario("upload", f"Mine, number {number}!", case(), [step(HONEST)]))
    assert len(me.own) == MOST_OWN
    newest = me.own_scenarios()[-1]
    assert (me.place, newest.title) == (newest.id, f"Mine, number {MOST_OWN + 1}!")
    assert newest.id.startswith(f"own-mine-number-{MOST_OWN + 1}-")
    me.take(Scenario("again", "Mine, number 5!", case(), [step(HONEST)]))
    assert (len(me.own), me.own_scenarios()[-1].title) == (MOST_OWN, "Mine, number 5!")
    assert me.own_scenarios()[-1].steps == [step(HONEST)]
