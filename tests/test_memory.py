"""Whatever a visitor does, the events bring it back; two tabs add up, and what is cleared is gone."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failure13 import lesson
from failure13 import visitor as doing
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.memory import forget, keep, recall
from failure13.scenarios import load_all
from failure13.store import open_at

ROOT = Path(__file__).parents[1]
PACK, _ = load_all(ROOT / "scenarios")
FEW = [
    next(each for each in PACK if len(each.steps) > 1),
    *PACK[:1],
    next(each for each in PACK if each.id == "only-prose"),
]


@pytest.fixture
def store(tmp_path):
    store = open_at(tmp_path / "visitors.sqlite3", lambda: 0.0)
    yield store
    store.close()


def seen(visitor):
    """All of a visitor that the page shows, as plain data."""
    return {
        "place": visitor.place,
        "works": {
            name: {
                "edits": [(edit.label, edit.draft.steps, edit.draft.shown) for edit in work.edits],
                "at": work.at,
                "step": work.step,
            }
            for name, work in sorted(visitor.works.items())
            if len(work.edits) > 1 or work.step
        },
        "trail": [
            (run.scenario.id, run.steps, run.index, run.edited, run.decision, run.outcomes) for run in visitor.trail
        ],
        "queue": [(run.scenario.id, run.steps, run.index, run.edited, run.outcomes) for run in visitor.queue],
        "guards_off": sorted(visitor.guards_off),
        "lessons": visitor.lessons,
        "own": visitor.own,
        "texts": (visitor.writing, visitor.opened),
    }


def shown(visitor):
    return repr(seen(visitor))


def act(visitor, scenario, action, number, text):
    """Do one thing that the page offers."""
    work = visitor.work(scenario)
    visitor.place = visitor.place or scenario.id
    match action:
        case "pick":
            visitor.place = scenario.id
        case "step":
            work.step = number % len(work.steps)
        case "say":
            doing.say(work, text)
        case "cell":
            doing.set_cell(work, ("intent", "do")[number % 2], ("amount", "order_id")[number // 2 % 2], text)
        case "side":
            doing.set_side(work, "do", text)
        case "add":
            doing.add_field(work)
        case "remove":
            doing.remove_field(work, "amount")
        case "attempt" if scenario.tries:
            doing.attempt(work, scenario.tries[number % len(scenario.tries)])
        case "reset":
            doing.reset(work)
        case "go":
            doing.go_to(work, number % len(work.edits))
        case "run":
            doing.run_step(visitor, scenario)
        case "run all":
            doing.run_all(visitor, FEW)
        case "guard":
            doing.switch_guard(visitor, list(GUARDS)[number % len(GUARDS)])
        case "approve" if visitor.queue:
            doing.approve(visitor, number % len(visitor.queue))
        case "decline" if visitor.queue:
            doing.decline(visitor, number % len(visitor.queue))
        case "clear":
            doing.clear(visitor)


ACTIONS = (
    "pick step say say cell cell side add remove attempt reset go go run run all guard approve decline clear".replace(
        "run all", "run-all"
    ).split()
)
actions = st.lists(
    st.tuples(
        st.integers(0, len(FEW) - 1),
        st.sampled_from(ACTIONS).map(lambda name: name.replace("-", " ")),
        st.integers(0, 11),
        st.sampled_from(["20.0", '"20.00"', "200", "R", "Re", '{"a": 1', "\ud800", ""]),
    ),
    max_size=25,
)


@settings(max_examples=150)
@given(actions)
def test_whatever_a_visitor_does_a_reload_brings_it_back(things):
    store = open_at(__file__ + "/no-folder", lambda: 0.0)  # so it is in memory
    visitor, memory = recall(store, "ann", FEW)
    for at, action, number, text in things:
        act(visitor, FEW[at], action, number, text)
        keep(memory, visitor)
        assert memory.problem == store.problem
    again, memory = recall(store, "ann", FEW)
    assert shown(again) == shown(visitor)
    before = len(store.events("ann"))
    keep(memory, again)
    assert len(store.events("ann")) == before
    store.close()


@settings(max_examples=60)
@given(actions, actions)
def test_what_is_done_after_a_reload_comes_back_too(first, then):
    store = open_at(__file__ + "/no-folder", lambda: 0.0)  # so it is in memory
    for things in (first, then):
        visitor, memory = recall(store, "ann", FEW)
        for at, action, number, text in things:
            act(visitor, FEW[at], action, number, text)
            keep(memory, visitor)
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)
    store.close()


def test_typing_on_in_a_field_stays_one_event(store):
    visitor, memory = recall(store, "ann", FEW)
    for length in range(1, 30):
        doing.say(visitor.work(FEW[0]), "Refunding $20.00 on A100."[:length])
        keep(memory, visitor)
    assert [event.kind for event in store.events("ann")].count("edit") == 1


def test_an_edit_that_was_undone_and_replaced_leaves_no_event(store):
    visitor, memory = recall(store, "ann", FEW)
    for text in ("one", "two", "three"):
        doing.say(visitor.work(FEW[0]), text)
        keep(memory, visitor)
        doing.go_to(visitor.work(FEW[0]), 0)
        keep(memory, visitor)
    doing.add_field(visitor.work(FEW[0]))
    keep(memory, visitor)
    assert [event.body.get("label") for event in store.events("ann") if event.kind in ("edit", "at")] == ["add field"]


def test_the_runs_of_two_tabs_add_up_and_the_newest_edit_is_on_screen(store):
    one, of_one = recall(store, "ann", FEW)
    two, of_two = recall(store, "ann", FEW)
    for tab, memory, text in ((one, of_one, "from one"), (two, of_two, "from two"), (one, of_one, "from one again")):
        work = tab.work(FEW[0])
        work.typing = False
        doing.say(work, text)
        doing.run_step(tab, FEW[0])
        keep(memory, tab)
    again, _ = recall(store, "ann", FEW)
    assert [run.step["said"] for run in again.trail] == ["from one", "from two", "from one again"]
    assert [edit.draft.steps[0]["said"] for edit in again.work(FEW[0]).edits[1:]] == [
        "from one",
        "from two",
        "from one again",
    ]
    assert again.steps(FEW[0])[0]["said"] == "from one again"


def test_clear_in_one_tab_clears_the_runs_of_both_and_no_byte_is_left(store, tmp_path):
    one, of_one = recall(store, "ann", FEW)
    two, of_two = recall(store, "ann", FEW)
    for tab, memory in ((one, of_one), (two, of_two)):
        doing.say(tab.work(FEW[0]), "Words to be forgotten.")
        doing.run_step(tab, FEW[0])
        doing.reset(tab.work(FEW[0]))
        keep(memory, tab)
    doing.clear(one)
    keep(of_one, one)
    assert recall(store, "ann", FEW)[0].trail == []
    doing.run_step(two, FEW[1])
    keep(of_two, two)
    assert len(recall(store, "ann", FEW)[0].trail) == 1
    of_one = forget(of_one)
    assert shown(recall(store, "ann", FEW)[0]) == shown(doing.Visitor())
    assert b"Words to be forgotten" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    doing.run_step(one, FEW[1])
    keep(of_one, one)
    assert len(recall(store, "ann", FEW)[0].trail) == 1


def test_no_visitor_recalls_anothers(store):
    ann, memory = recall(store, "ann", FEW)
    doing.run_all(ann, FEW)
    keep(memory, ann)
    assert shown(recall(store, "bob", FEW)[0]) == shown(doing.Visitor())


def test_a_run_comes_back_with_its_values_of_any_kind(store):
    visitor, memory = recall(store, "ann", FEW)
    steps = [{**FEW[1].steps[0], "do": {"order_id": "\ud800", "amount": 10**400, "x": [-0.0, True, None, "\u202e"]}}]
    visitor.work(FEW[1]).edits.append(doing.Edit("raw", doing.Draft(steps, [["amount"]]), 1))
    visitor.work(FEW[1]).at = 1
    doing.run_step(visitor, FEW[1])
    keep(memory, visitor)
    [run] = recall(store, "ann", FEW)[0].trail
    assert same(run.steps, steps)


def test_only_the_newest_thousand_runs_are_kept_as_on_the_page(store, monkeypatch):
    monkeypatch.setattr(doing, "MOST_RUNS", 5)
    visitor, memory = recall(store, "ann", FEW)
    for _ in range(9):
        doing.run_step(visitor, FEW[1])
        keep(memory, visitor)
    assert [event.kind for event in store.events("ann")].count("run") == 5
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_decision_outlives_the_run_that_waited_for_it(store, monkeypatch):
    monkeypatch.setattr(doing, "MOST_RUNS", 2)
    visitor, memory = recall(store, "ann", FEW)
    doing.run_step(visitor, FEW[1])
    keep(memory, visitor)
    doing.switch_guard(visitor, next(iter(GUARDS)))
    keep(memory, visitor)
    doing.decline(visitor, 0)
    keep(memory, visitor)
    doing.run_step(visitor, FEW[2])
    keep(memory, visitor)
    assert [bool(run.decision) for run in visitor.trail] == [True, False]
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_scenario_that_is_gone_or_has_other_steps_by_now_takes_nothing_else_along(store):
    visitor, memory = recall(store, "ann", FEW)
    doing.run_all(visitor, FEW)
    doing.say(visitor.work(FEW[0]), "x")
    doing.say(visitor.work(FEW[1]), "y")
    keep(memory, visitor)
    again, _ = recall(store, "ann", FEW[1:])
    assert {run.scenario.id for run in again.trail} == {each.id for each in FEW[1:]}
    assert list(again.works) == [FEW[1].id]


def test_events_of_another_time_count_for_nothing(store):
    for kind in ("run", "decision", "edit", "at", "place", "part", "wish"):
        store.append("ann", kind, {"part": "wishes", "key": "x", "value": 1})
        store.append("ann", kind, {"scenario": "gone", "part": "guards_off"})
        store.append("ann", kind, {"scenario": ["x"], "step": None, "edit": {}})
    assert shown(recall(store, "ann", FEW)[0]) == shown(doing.Visitor())


def test_lessons_own_scenarios_and_what_is_being_written_come_back(store):
    scenario = PACK[0]
    visitor, memory = recall(store, "me", PACK)
    lesson.predict(visitor.lessons, scenario, lesson.RIGHT)
    doing.take(visitor, replace(scenario, title="Mine", limit=None))
    mine = visitor.own_scenarios()[0]
    doing.set_cell(visitor.work(mine), "do", "amount", "7.5")
    doing.run_step(visitor, mine)
    visitor.writing, visitor.opened = '{"half', "1.abc"
    keep(memory, visitor)
    back, _ = recall(store, "me", PACK)
    assert shown(back) == shown(visitor)
    assert back.place == mine.id
    assert back.lessons.predictions == {scenario.id: {"broken": lesson.RIGHT}}
    assert [run.scenario.title for run in back.trail] == ["Mine"]
    visitor.lessons = lesson.Lessons()
    keep(memory, visitor)
    assert recall(store, "me", PACK)[0].lessons == lesson.Lessons()


def test_what_cannot_be_kept_now_is_said_and_kept_later(store):
    visitor, memory = recall(store, "ann", FEW)
    run = store._connection.execute
    run(f"pragma max_page_count = {run('pragma page_count').fetchone()[0]}")
    doing.say(visitor.work(FEW[0]), "x" * 20_000)
    doing.run_step(visitor, FEW[0])
    keep(memory, visitor)
    assert "disk is full" in memory.problem
    run("pragma max_page_count = 1000000")
    keep(memory, visitor)
    assert memory.problem == ""
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_visitor_whose_events_cannot_be_read_begins_anew_and_is_told(store):
    store._connection.execute("drop table events")
    visitor, memory = recall(store, "ann", FEW)
    assert shown(visitor) == shown(doing.Visitor())
    assert "no such table" in memory.problem
