import copy

import pytest

from failure13 import visitor
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.scenarios import Scenario
from failure13.visitor import Visitor
from samples import ELSEWHERE, HONEST, case, containers, scenario, step

TRIES = (
    {"label": "Agree", "set": {"steps[0].do": HONEST}},
    {"label": "Say less", "set": {"steps[0].said": "Done."}},
)


def sample(*steps, name="sample"):
    return Scenario(name, "A sample", case(), list(steps) or [step(ELSEWHERE)], tries=TRIES)


def typed(work, text, side="do", field="amount"):
    """Type `text` as a browser sends it, one character more each time."""
    for end in range(1, len(text) + 1):
        visitor.set_cell(work, side, field, text[:end])


def undo(work):
    visitor.go_to(work, work.at - 1)


def redo(work):
    visitor.go_to(work, work.at + 1)


@pytest.fixture
def work():
    return Visitor().work(sample())


def do(work):
    return work.steps[work.step]["do"]


def test_work_begins_with_the_files_own_steps():
    one, me = sample(), Visitor()
    work = me.work(one)
    assert same(work.steps, one.steps)
    assert (work.at, work.step, work.shown) == (0, 0, ["order_id", "amount"])
    assert not me.is_edited(one)
    assert me.work(one) is work


def test_typing_on_in_a_field_is_one_edit(work):
    typed(work, "7.50")
    assert do(work)["amount"] == 7.5
    assert [edit.label for edit in work.edits] == ["as in the file", "do.amount"]
    undo(work)
    assert do(work)["amount"] == 200.0
    redo(work)
    assert do(work)["amount"] == 7.5


def test_typing_in_another_field_is_another_edit(work):
    typed(work, "7")
    typed(work, "7", side="intent")
    visitor.say(work, "D")
    visitor.say(work, "Done.")
    typed(work, "8")
    assert [edit.label for edit in work.edits[1:]] == ["do.amount", "intent.amount", "said", "do.amount"]
    undo(work)
    assert (do(work)["amount"], work.steps[0]["said"]) == (7, "Done.")


def test_typing_the_same_field_of_another_step_is_another_edit():
    work = Visitor().work(sample(step(ELSEWHERE), step(ELSEWHERE)))
    typed(work, "5")
    work.step = 1
    typed(work, "6")
    undo(work)
    assert [one["do"]["amount"] for one in work.steps] == [5, 200.0]


def test_typing_after_undo_is_a_new_edit_and_drops_what_was_undone(work):
    typed(work, "7")
    typed(work, "8", field="cap")
    undo(work)
    typed(work, "9")
    assert [edit.label for edit in work.edits] == ["as in the file", "do.amount", "do.amount"]
    assert do(work) == {"order_id": "A101", "amount": 9}
    undo(work)
    assert do(work)["amount"] == 7


def test_a_button_pressed_between_typing_makes_it_two_edits(work):
    typed(work, "7")
    visitor.add_field(work)
    typed(work, "8")
    assert [edit.label for edit in work.edits[1:]] == ["do.amount", "add field", "do.amount"]


def test_typing_keeps_the_fields_on_screen_and_every_button_draws_them_anew(work):
    typed(work, "7.5")
    assert work.now.revision == 0
    seen = {0}
    for press in (
        lambda: visitor.add_field(work),
        lambda: visitor.rename_field(work, "field", "cap"),
        lambda: visitor.remove_field(work, "cap"),
        lambda: visitor.attempt(work, TRIES[0]),
        lambda: visitor.reset(work),
        lambda: undo(work),
        lambda: redo(work),
    ):
        press()
        assert work.now.revision not in seen
        seen.add(work.now.revision)


def test_fields_are_added_under_names_that_are_free(work):
    for _ in range(3):
        visitor.add_field(work)
    assert work.shown == ["order_id", "amount", "field", "field_2", "field_3"]
    assert do(work) == ELSEWHERE, "a row is no field until it holds a value"


def test_a_field_is_renamed_in_its_place_on_both_sides(work):
    visitor.rename_field(work, "order_id", "order")
    assert work.shown == ["order", "amount"]
    assert work.steps[0]["intent"] == {"order": "A100", "amount": 20.0}
    assert do(work) == {"order": "A101", "amount": 200.0}
    undo(work)
    assert do(work) == ELSEWHERE


@pytest.mark.parametrize("name", ["", "order_id", "amount", "field"])
def test_a_field_takes_no_name_that_is_empty_or_taken(work, name):
    visitor.add_field(work)
    before = copy.deepcopy(work)
    visitor.rename_field(work, "amount", name)
    assert work == before


def test_a_field_removed_takes_its_values_along(work):
    visitor.remove_field(work, "amount")
    assert (work.shown, do(work), work.steps[0]["intent"]) == (
        ["order_id"],
        {"order_id": "A101"},
        {"order_id": "A100"},
    )
    undo(work)
    assert do(work) == ELSEWHERE


def test_a_cell_that_is_emptied_keeps_its_row(work):
    visitor.set_cell(work, "do", "amount", "")
    assert (work.shown, do(work)) == (["order_id", "amount"], {"order_id": "A101"})


def test_a_side_sent_as_text_is_replaced_as_a_whole(work):
    visitor.set_side(work, "do", "{")
    visitor.set_side(work, "do", "{}")
    assert (do(work), len(work.edits)) == ("{}", 2)


def test_a_try_starts_from_the_files_steps(work):
    typed(work, "3", side="intent")
    visitor.attempt(work, TRIES[1])
    assert work.steps[0] == {**step(ELSEWHERE), "said": "Done."}
    visitor.attempt(work, TRIES[0])
    assert work.steps[0] == step(HONEST)
    assert [edit.label for edit in work.edits[1:]] == ["intent.amount", "Say less", "Agree"]


def test_reset_brings_back_the_file_and_can_be_undone():
    one, me = sample(), Visitor()
    work = me.work(one)
    typed(work, "7.5")
    visitor.add_field(work)
    assert me.is_edited(one)
    visitor.reset(work)
    assert not me.is_edited(one)
    assert (work.steps, work.shown) == (one.steps, ["order_id", "amount"])
    undo(work)
    assert (do(work)["amount"], work.shown) == (7.5, ["order_id", "amount", "field"])
    assert me.is_edited(one)


def test_a_change_of_type_alone_is_an_edit():
    one, me = sample(step({"order_id": "A100", "amount": 1})), Visitor()
    visitor.set_cell(me.work(one), "do", "amount", "true")
    assert me.is_edited(one)


def test_two_hundred_edits_can_be_taken_back_and_the_files_steps_are_never_lost(work):
    for number in range(2 * visitor.MOST_EDITS):
        visitor.set_cell(work, ("intent", "do")[number % 2], "amount", str(number))
    assert len(work.edits) == visitor.MOST_EDITS + 1 > 50
    assert work.steps[0]["do"]["amount"] == 2 * visitor.MOST_EDITS - 1
    undo(work)
    assert work.steps[0]["do"]["amount"] == 2 * visitor.MOST_EDITS - 3
    while work.at > 1:
        undo(work)
    assert work.steps[0]["do"]["amount"] == visitor.MOST_EDITS - 1
    undo(work)
    assert work.steps == [step(ELSEWHERE)]


def test_no_edit_changes_an_edit_before_it_nor_the_scenario():
    one = sample(step(ELSEWHERE), step(HONEST))
    file, work = copy.deepcopy(one), Visitor().work(one)
    kept = []
    for edit in (
        lambda: typed(work, "7"),
        lambda: visitor.set_cell(work, "intent", "cap", "[1]"),
        lambda: visitor.rename_field(work, "cap", "roof"),
        lambda: visitor.add_field(work),
        lambda: visitor.remove_field(work, "roof"),
        lambda: visitor.attempt(work, TRIES[0]),
        lambda: visitor.say(work, ""),
        lambda: visitor.reset(work),
        lambda: visitor.set_side(work, "do", "{"),
    ):
        kept.append(copy.deepcopy(work.edits))
        edit()
        assert work.edits[:-1] == kept[-1]
    assert one == file
    assert work.edits[0].draft.steps == file.steps


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


def test_an_edit_of_a_step_leaves_the_others_alone():
    one = sample(step(ELSEWHERE), step(HONEST))
    work = Visitor().work(one)
    work.step = 1
    typed(work, "7")
    visitor.add_field(work)
    assert (work.steps[0], do(work)["amount"]) == (one.steps[0], 7)
    work.step = 0
    assert work.shown == ["order_id", "amount"]


def used(one):
    """A visitor who has used everything there is."""
    me = Visitor(place=one.id)
    visitor.run_all(me, [one])
    typed(me.work(one), "7")
    visitor.add_field(me.work(one))
    visitor.run_step(me, one)
    visitor.switch_guard(me, "agreed amount")
    visitor.decline(me, 0)
    visitor.run_step(me, one)
    return me


def everything(me):
    """The ids of every list and dict that a visitor holds, those of the scenario aside."""
    works = [(edit.draft.shown, edit.draft.steps) for work in me.works.values() for edit in work.edits[1:]]
    outcomes = [tuple(vars(each).values()) for run in [*me.trail, *me.queue] for each in run.outcomes.values()]
    return containers((works, me.trail, me.queue, tuple(works), tuple(outcomes))) | {id(me.works), id(me.guards_off)}


def test_two_visitors_share_nothing():
    one = sample()
    first, second = used(one), used(one)
    shared = everything(first) & everything(second)
    file = containers(tuple((tuple(each), tuple(each.values())) for each in one.steps)) | set(map(id, one.steps))
    assert shared <= file
    assert first == second


def test_what_one_visitor_does_never_shows_with_another_nor_in_the_scenario():
    one = sample(step(ELSEWHERE), step(HONEST))
    file, other = copy.deepcopy(one), used(one)
    before = copy.deepcopy(other)
    me = used(one)
    visitor.reset(me.work(one))
    visitor.clear(me)
    assert (other, one) == (before, file)
    assert Visitor() == Visitor(works={}, trail=[], queue=[], guards_off=set())


def test_a_run_is_of_the_step_on_screen_as_it_is_edited():
    me, one = Visitor(), sample(step(HONEST), step(HONEST))
    visitor.run_step(me, one)
    me.work(one).step = 1
    typed(me.work(one), "5")
    visitor.run_step(me, one)
    assert [(run.index, run.edited) for run in me.trail] == [(0, False), (1, True)]
    assert [run.outcomes["broken"].ledger for run in me.trail] == [[("A100", 20.0)], [("A100", 20.0), ("A100", 5)]]
    typed(me.work(one), "6")
    assert me.trail[1].step["do"]["amount"] == 5, "a run stays what it was"


def test_run_all_runs_every_step_of_every_scenario_as_edited():
    me, one, other = Visitor(), sample(step(HONEST), step(ELSEWHERE)), sample(name="other")
    typed(me.work(other), "5")
    visitor.run_all(me, [one, other])
    assert [(run.scenario.id, run.index, run.edited) for run in me.trail] == [
        ("sample", 0, False),
        ("sample", 1, False),
        ("other", 0, True),
    ]
    assert me.trail[2].step["do"]["amount"] == 5
    assert list(me.works) == ["other"], "to run a scenario is not to work on it"


def test_clear_forgets_every_run_and_what_waits_because_of_one():
    me, one = Visitor(), sample()
    visitor.run_step(me, one)
    typed(me.work(one), "5")
    visitor.approve(me, 0)
    assert me.refused
    visitor.clear(me)
    assert (me.trail, me.queue, me.refused) == ([], [], "")
    assert do(me.work(one))["amount"] == 5, "the edits stay"


def test_the_trail_and_the_queue_keep_the_newest_runs_only():
    me = Visitor()
    many = sample(*[step("{") for _ in range(20)])
    for _ in range(visitor.MOST_RUNS // 20):
        me.trail.extend(me.trail[:20] or used_up(many))
    me.queue.extend(me.trail)
    newest = sample(name="newest")
    visitor.run_step(me, newest)
    assert (len(me.trail), len(me.queue)) == (visitor.MOST_RUNS, visitor.MOST_RUNS)
    assert (me.trail[-1].scenario, me.queue[-1].scenario) == (newest, newest)
    assert me.trail[0].index == 1


def used_up(one):
    me = Visitor()
    visitor.run_all(me, [one])
    return me.trail


def test_a_guard_is_switched_off_and_on_again():
    me = Visitor()
    visitor.switch_guard(me, "agreed amount")
    assert list(me.guards()) == [name for name in GUARDS if name != "agreed amount"]
    visitor.switch_guard(me, "agreed amount")
    assert dict(me.guards()) == dict(GUARDS)


def test_the_trail_follows_the_switches_and_keeps_what_a_person_decided():
    me, one = (
        Visitor(),
        sample(step(ELSEWHERE, ELSEWHERE), step({**HONEST, "amount": 10.0}, {**HONEST, "amount": 10.0})),
    )
    visitor.run_all(me, [one])
    visitor.decline(me, 1)
    for name in GUARDS:
        visitor.switch_guard(me, name)
    assert [run.outcomes["guarded"].paid for run in me.trail] == [[("A101", 200.0)], [("A100", 10.0)], []]
    assert [run.decision for run in me.trail] == ["", "", "declined by a person"]
    for name in GUARDS:
        visitor.switch_guard(me, name)
    assert [run.outcomes["guarded"].paid for run in me.trail] == [[], [], []]


def test_what_waits_joins_the_queue_and_leaves_it_when_decided():
    me, one = Visitor(), sample()
    visitor.run_step(me, sample(step(HONEST), name="honest"))
    assert me.queue == []
    for _ in range(3):
        visitor.run_step(me, one)
    assert len(me.queue) == 3
    visitor.approve(me, 1)
    visitor.decline(me, 1)
    assert len(me.queue) == 1
    assert [run.decision for run in me.trail] == ["", "", "", "", "approved by a person", "declined by a person"]
    assert me.trail[4].outcomes["guarded"].paid == [("A101", 200.0)]
    assert (me.trail[5].outcomes["guarded"].paid, me.trail[3].outcomes["guarded"].paid) == ([], [])


def test_a_changed_step_is_not_approved_and_waits_on_until_it_is_as_shown_again():
    me, one = Visitor(), sample()
    visitor.run_step(me, one)
    typed(me.work(one), "7")
    visitor.approve(me, 0)
    assert "has changed since it was shown" in me.refused
    assert (len(me.queue), len(me.trail)) == (1, 1)
    undo(me.work(one))
    visitor.approve(me, 0)
    assert (me.refused, len(me.queue), me.trail[-1].outcomes["guarded"].paid) == ("", 0, [("A101", 200.0)])


def test_a_refusal_is_forgotten_once_something_is_decided():
    me, one = Visitor(), sample()
    visitor.run_step(me, one)
    typed(me.work(one), "7")
    visitor.approve(me, 0)
    visitor.decline(me, 0)
    assert me.refused == ""


def test_a_scenario_without_a_visit_is_run_from_its_file():
    assert Visitor().steps(scenario(step(HONEST))) == [step(HONEST)]
    assert not Visitor().is_edited(scenario(step(HONEST)))


@pytest.mark.parametrize("intent", [HONEST, None, {}, '{"cut', '{"amount": 20.0}'], ids=repr)
def test_showing_a_step_as_text_is_no_edit_of_it(intent):
    me, one = Visitor(), sample({**step(HONEST), "intent": intent})
    visitor.use_text(me.work(one))
    assert not me.is_edited(one)
