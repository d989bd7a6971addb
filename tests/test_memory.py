"""Whatever a visitor does, events bring it back; two tabs add up, what is cleared is gone, what is spoilt is missing.

golden/events.json holds events as they were written before runs had numbers.
"""

import copy
import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failure13.agents import AGENTS
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.kept.memory import forget, keep, recall
from failure13.kept.store import NotKept, open_at
from failure13.scenarios import from_data, load_all
from failure13.visit import grid, lessons, person, share, tables, trail
from failure13.visit import visitor as doing
from failure13.visit.edits import Draft, Edit
from failure13.visit.runs import as_rows
from failure13.visit.visitor import Visitor
from samples import HONEST, scalars, step, values
from samples import scenario as sample

ROOT = Path(__file__).parents[1]
GOLDEN = json.loads((Path(__file__).parent / "golden" / "events.json").read_text(encoding="utf-8"))
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
                "edits": [(edit.label, *vars(edit.draft).values()) for edit in work.edits],
                "at": work.at,
                "step": work.step,
            }
            for name, work in sorted(visitor.works.items())
            if len(work.edits) > 1 or work.step
        },
        "trail": [run_seen(run) for run in visitor.trail],
        "queue": [(run_seen(waiting.run), waiting.agent) for waiting in visitor.queue],
        "ran": visitor.ran,
        "guards_off": sorted(visitor.guards_off),
        "lessons": visitor.lessons,
        "own": visitor.own,
        "texts": (visitor.writing, visitor.opened),
    }


def run_seen(run):
    off = sorted(run.guards_off)
    return run.number, run.scenario.id, run.steps, run.index, run.edited, off, run.decision, run.outcomes


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
            work.say(text)
        case "cell":
            work.set_cell(("intent", "do")[number % 2], ("amount", "order_id")[number // 2 % 2], text)
        case "side":
            work.set_side("do", text)
        case "add":
            work.add_field()
        case "remove":
            work.remove_field("amount")
        case "attempt" if scenario.tries:
            work.attempt(scenario.tries[number % len(scenario.tries)])
        case "reset":
            work.reset()
        case "go":
            work.go_to(number % len(work.edits))
        case "run":
            visitor.run_step(scenario)
        case "run all":
            visitor.run_all(FEW)
        case "guard":
            visitor.switch_guard(list(GUARDS)[number % len(GUARDS)])
        case "approve" if visitor.queue:
            visitor.approve(visitor.queue[number % len(visitor.queue)])
        case "decline" if visitor.queue:
            visitor.decline(visitor.queue[number % len(visitor.queue)])
        case "clear":
            visitor.clear()


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
        visitor.work(FEW[0]).say("Refunding $20.00 on A100."[:length])
        keep(memory, visitor)
    assert [event.kind for event in store.events("ann")].count("edit") == 1


def test_an_edit_that_was_undone_and_replaced_leaves_no_event(store):
    visitor, memory = recall(store, "ann", FEW)
    for text in ("one", "two", "three"):
        visitor.work(FEW[0]).say(text)
        keep(memory, visitor)
        visitor.work(FEW[0]).go_to(0)
        keep(memory, visitor)
    visitor.work(FEW[0]).add_field()
    keep(memory, visitor)
    assert [event.body.get("label") for event in store.events("ann") if event.kind in ("edit", "at")] == ["add field"]


def test_the_runs_of_two_tabs_add_up_and_the_newest_edit_is_on_screen(store):
    one, of_one = recall(store, "ann", FEW)
    two, of_two = recall(store, "ann", FEW)
    for tab, memory, text in ((one, of_one, "from one"), (two, of_two, "from two"), (one, of_one, "from one again")):
        work = tab.work(FEW[0])
        work.typing = ""
        work.say(text)
        tab.run_step(FEW[0])
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
        tab.work(FEW[0]).say("Words to be forgotten.")
        tab.run_step(FEW[0])
        tab.work(FEW[0]).reset()
        keep(memory, tab)
    one.clear()
    keep(of_one, one)
    assert recall(store, "ann", FEW)[0].trail == []
    two.run_step(FEW[1])
    keep(of_two, two)
    assert len(recall(store, "ann", FEW)[0].trail) == 1
    of_one = forget(of_one)
    assert shown(recall(store, "ann", FEW)[0]) == shown(Visitor())
    assert b"Words to be forgotten" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    one.run_step(FEW[1])
    keep(of_one, one)
    assert len(recall(store, "ann", FEW)[0].trail) == 1


def test_no_visitor_recalls_anothers(store):
    ann, memory = recall(store, "ann", FEW)
    ann.run_all(FEW)
    keep(memory, ann)
    assert shown(recall(store, "bob", FEW)[0]) == shown(Visitor())


def test_a_run_comes_back_with_its_values_of_any_kind(store):
    visitor, memory = recall(store, "ann", FEW)
    steps = [{**FEW[1].steps[0], "do": {"order_id": "\ud800", "amount": 10**400, "x": [-0.0, True, None, "\u202e"]}}]
    visitor.work(FEW[1]).edits.append(Edit(1, "raw", Draft(steps, [["amount"]], FEW[1].case, [[]]), 1))
    visitor.work(FEW[1]).at = 1
    visitor.run_step(FEW[1])
    keep(memory, visitor)
    [run] = recall(store, "ann", FEW)[0].trail
    assert same(run.steps, steps)


def test_only_the_newest_thousand_runs_are_kept_as_on_the_page(store, monkeypatch):
    monkeypatch.setattr(doing, "MOST_RUNS", 5)
    visitor, memory = recall(store, "ann", FEW)
    for _ in range(9):
        visitor.run_step(FEW[1])
        keep(memory, visitor)
    assert [event.kind for event in store.events("ann")].count("run") == 5
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_decision_outlives_the_run_that_waited_for_it(store, monkeypatch):
    monkeypatch.setattr(doing, "MOST_RUNS", 2)
    visitor, memory = recall(store, "ann", FEW)
    visitor.run_step(FEW[1])
    keep(memory, visitor)
    visitor.switch_guard(next(iter(GUARDS)))
    keep(memory, visitor)
    visitor.decline(visitor.queue[0])
    keep(memory, visitor)
    visitor.run_step(FEW[2])
    keep(memory, visitor)
    assert [bool(run.decision) for run in visitor.trail] == [True, False]
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_scenario_that_is_gone_or_has_other_steps_by_now_takes_nothing_else_along(store):
    visitor, memory = recall(store, "ann", FEW)
    visitor.run_all(FEW)
    visitor.work(FEW[0]).say("x")
    visitor.work(FEW[1]).say("y")
    keep(memory, visitor)
    again, _ = recall(store, "ann", FEW[1:])
    assert {run.scenario.id for run in again.trail} == {each.id for each in FEW[1:]}
    assert list(again.works) == [FEW[1].id]


def test_a_scenario_that_has_fewer_steps_by_now_comes_back_with_what_still_fits(store):
    visitor, memory = recall(store, "ann", [IN_PARTS, FEW[1]])
    visitor.run_all([IN_PARTS, FEW[1]])
    visitor.work(IN_PARTS).say("x")
    visitor.work(IN_PARTS).step = 1
    keep(memory, visitor)
    shorter = replace(IN_PARTS, steps=IN_PARTS.steps[:1])
    again, _ = recall(store, "ann", [shorter, FEW[1]])
    assert [(run.scenario.id, run.index) for run in again.trail] == [("sample", 0), (FEW[1].id, 0)]
    assert (len(again.work(shorter).edits), again.work(shorter).step) == (1, 0)
    check_goes_on([(event.number, event.kind, event.body) for event in store.events("ann")], [shorter, FEW[1]])


def test_no_more_edits_come_back_than_can_be_gone_back_to(store, monkeypatch):
    visitor, memory = recall(store, "ann", FEW)
    for _ in range(5):
        visitor.work(FEW[1]).add_field()
    keep(memory, visitor)
    monkeypatch.setattr("failure13.kept.memory.MOST_EDITS", 3)
    work = recall(store, "ann", FEW)[0].work(FEW[1])
    assert [edit.label for edit in work.edits] == ["as in the file", "add field_3", "add field_4", "add field_5"]
    assert work.at == 3


def test_what_only_the_newest_event_tells_is_one_event(store):
    visitor, memory = recall(store, "ann", FEW)
    for at in (1, 0, 1):
        visitor.place, visitor.writing = FEW[at].id, str(at)
        visitor.work(FEW[0]).step = at
        visitor.switch_guard("same plan")
        keep(memory, visitor)
    assert sorted(event.kind for event in store.events("ann")) == ["part", "part", "place", "step"]


def test_events_of_another_time_count_for_nothing(store):
    for kind in ("run", "decision", "edit", "at", "place", "part", "wish"):
        store.append("ann", kind, {"part": "wishes", "key": "x", "value": 1})
        store.append("ann", kind, {"scenario": "gone", "part": "guards_off"})
        store.append("ann", kind, {"scenario": ["x"], "step": None, "edit": {}})
    assert shown(recall(store, "ann", FEW)[0]) == shown(Visitor())


def test_lessons_own_scenarios_and_what_is_being_written_come_back(store):
    scenario = PACK[0]
    visitor, memory = recall(store, "me", PACK)
    lessons.predict(visitor.lessons, lessons.lessons_of(PACK)[0], lessons.RIGHT)
    visitor.take(replace(scenario, title="Mine", limit=None))
    mine = visitor.own_scenarios()[0]
    visitor.work(mine).set_cell("do", "amount", "7.5")
    visitor.run_step(mine)
    visitor.writing, visitor.opened = '{"half', "1.abc"
    keep(memory, visitor)
    back, _ = recall(store, "me", PACK)
    assert shown(back) == shown(visitor)
    assert back.place == mine.id
    assert back.lessons.predictions == {scenario.id: {"broken": lessons.RIGHT}}
    assert [run.scenario.title for run in back.trail] == ["Mine"]
    visitor.lessons = lessons.Progress()
    keep(memory, visitor)
    assert recall(store, "me", PACK)[0].lessons == lessons.Progress()


def test_what_cannot_be_kept_now_is_said_and_kept_later(store):
    visitor, memory = recall(store, "ann", FEW)
    run = store._connection.execute
    run(f"pragma max_page_count = {run('pragma page_count').fetchone()[0]}")
    visitor.work(FEW[0]).say("x" * 20_000)
    visitor.run_step(FEW[0])
    keep(memory, visitor)
    assert "disk is full" in memory.problem
    run("pragma max_page_count = 1000000")
    keep(memory, visitor)
    assert memory.problem == ""
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_visitor_whose_events_cannot_be_read_begins_anew_and_is_told(store):
    store._connection.execute("drop table events")
    visitor, memory = recall(store, "ann", FEW)
    assert shown(visitor) == shown(Visitor())
    assert "no such table" in memory.problem


# Runs keep their numbers, and decisions what they were made on.


def numbers(visitor):
    return [run.number for run in visitor.trail]


def test_the_runs_of_two_tabs_have_numbers_of_their_own_and_a_decision_is_on_its_own_run(store):
    one, of_one = recall(store, "ann", FEW)
    two, of_two = recall(store, "ann", FEW)
    for tab, memory, text in ((one, of_one, "from one"), (two, of_two, "from two")):
        tab.work(FEW[1]).say(text)
        tab.run_step(FEW[1])
        keep(memory, tab)
        assert numbers(tab) == [1]
    two.decline(two.queue[0])
    keep(of_two, two)
    again, memory = recall(store, "ann", FEW)
    assert (numbers(again), again.ran) == ([1, 2, 3], 3)
    assert [(each.run.number, each.run.step["said"]) for each in again.queue] == [(1, "from one")]
    assert [(run.step["said"], run.decision, run.waited) for run in again.trail[2:]] == [
        ("from two", person.DECLINED, 2)
    ]
    again.run_step(FEW[1])
    keep(memory, again)
    assert numbers(recall(store, "ann", FEW)[0]) == [1, 2, 3, 4]


def test_what_two_tabs_decide_is_decided_once(store):
    first, memory = recall(store, "ann", FEW)
    first.run_step(FEW[1])
    keep(memory, first)
    tabs = [recall(store, "ann", FEW) for _ in range(2)]
    for tab, of_tab in tabs:
        tab.approve(tab.queue[0])
        assert tab.refused == ""
        keep(of_tab, tab)
    again, _ = recall(store, "ann", FEW)
    assert [run.decision for run in again.trail] == ["", person.APPROVED]
    assert again.queue == []


def test_the_numbers_go_on_after_runs_that_are_no_longer_kept(store, monkeypatch):
    monkeypatch.setattr(doing, "MOST_RUNS", 2)
    visitor, memory = recall(store, "ann", FEW)
    for _ in range(5):
        visitor.run_step(FEW[2])
        keep(memory, visitor)
    again, _ = recall(store, "ann", FEW)
    assert (numbers(again), again.ran) == ([4, 5], 5)


def test_what_waits_is_kept_though_its_run_left_the_trail_before_that(store, monkeypatch):
    for module in ("failure13.visit.visitor", "failure13.kept.memory"):
        monkeypatch.setattr(f"{module}.MOST_RUNS", 2)
    visitor, memory = recall(store, "ann", FEW)
    for scenario in (FEW[1], FEW[1], FEW[2], FEW[2]):
        visitor.run_step(scenario)
    keep(memory, visitor)
    assert (numbers(visitor), [each.run.number for each in visitor.queue]) == ([3, 4], [1, 2])
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_number_that_no_chart_can_show_is_as_good_as_none(store):
    visitor, memory = recall(store, "ann", FEW)
    for _ in range(3):
        visitor.run_step(FEW[1])
    keep(memory, visitor)
    second = store.events("ann")[1]
    body = json.dumps({**second.body, "number": 10**30})
    store._connection.execute("update events set body = ? where number = ?", (body, second.number))
    assert numbers(recall(store, "ann", FEW)[0]) == [1, 2, 3]


def test_runs_after_a_clear_that_was_not_kept_yet_are_not_taken_for_those_before(store):
    visitor, memory = recall(store, "ann", FEW)
    visitor.run_all(FEW)
    keep(memory, visitor)
    visitor.clear()
    visitor.work(FEW[1]).say("after the clear")
    for _ in range(6):
        visitor.run_step(FEW[1])
    keep(memory, visitor)
    again, _ = recall(store, "ann", FEW)
    assert shown(again) == shown(visitor)
    assert {run.step["said"] for run in again.trail} == {"after the clear"}


PAYS_LESS = [step({**HONEST, "amount": 5.0}), step({**HONEST, "amount": 7.0})]
IN_PARTS = sample(*PAYS_LESS, of={**FEW[1].case, "ticket": {**FEW[1].case["ticket"]}})
IN_PARTS.case["ticket"].pop("agreed_amount", None)


def in_parts(store):
    """A visitor who approved what both steps left to a person, the second on what the first had paid by then."""
    visitor, memory = recall(store, "ann", [IN_PARTS])
    visitor.run_all([IN_PARTS])
    keep(memory, visitor)
    for _ in range(2):
        visitor.approve(visitor.queue[0])
        assert visitor.refused == ""
        keep(memory, visitor)
    assert visitor.trail[-1].outcomes["guarded"].ledger == [("A100", 5.0), ("A100", 7.0)]
    return visitor


def test_an_approval_comes_back_with_the_ledger_that_it_was_made_on(store):
    visitor = in_parts(store)
    assert shown(recall(store, "ann", [IN_PARTS])[0]) == shown(visitor)


def test_an_approval_outlives_a_guard_that_says_more_by_now(store, monkeypatch):
    in_parts(store)
    monkeypatch.setitem(GUARDS, "agreed amount", lambda question: f"{len(question.ledger)} payments before this one")
    back, _ = recall(store, "ann", [IN_PARTS])
    assert [run.outcomes["guarded"].paid for run in back.trail if run.decision] == [[("A100", 5.0)], [("A100", 7.0)]]
    assert back.queue == []


def test_a_decision_on_what_no_guard_would_stop_by_now_counts_for_nothing(store, monkeypatch):
    in_parts(store)
    monkeypatch.setitem(GUARDS, "call equals intent", lambda _: None)
    back, _ = recall(store, "ann", [IN_PARTS])
    assert [run.decision for run in back.trail] == ["", ""]
    assert (back.queue, back.ran) == ([], 2)


def test_an_approval_comes_back_though_its_step_was_edited_before_it_was_kept(store):
    visitor, memory = recall(store, "ann", [IN_PARTS])
    visitor.run_step(IN_PARTS)
    keep(memory, visitor)
    visitor.approve(visitor.queue[0])
    visitor.work(IN_PARTS).set_cell("do", "amount", "6")
    keep(memory, visitor)
    assert shown(recall(store, "ann", [IN_PARTS])[0]) == shown(visitor)


def test_what_failed_halfway_is_written_once(store, monkeypatch):
    visitor, memory = recall(store, "ann", FEW)
    visitor.run_all(FEW)
    for text in ("one", "two", "three"):
        visitor.work(FEW[0]).say(text)
        visitor.work(FEW[0]).add_field()
    append, calls = store.append, itertools.count()

    def failing(*args):
        if next(calls) % 3 == 2:
            raise NotKept("the disk is full")
        return append(*args)

    monkeypatch.setattr(store, "append", failing)
    for _ in range(12):
        keep(memory, visitor)
    assert memory.problem == ""
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)
    kinds = [event.kind for event in store.events("ann")]
    assert (kinds.count("run"), kinds.count("edit")) == (len(visitor.trail), 6)


def test_the_same_steps_are_looked_at_once_for_mistakes(store, monkeypatch):
    visitor, memory = recall(store, "ann", FEW)
    for _ in range(20):
        visitor.run_step(FEW[1])
    keep(memory, visitor)
    looked = []
    monkeypatch.setattr("failure13.kept.memory.steps_mistakes", lambda steps, case: looked.append((steps, case)) or [])
    assert len(recall(store, "ann", FEW)[0].trail) == 20
    assert len(looked) == 1


def test_more_own_scenarios_of_two_tabs_than_are_kept_leave_the_newest(store):
    tabs = [recall(store, "ann", FEW) for _ in range(2)]
    for tab, (visitor, memory) in enumerate(tabs):
        for number in range(doing.MOST_OWN):
            visitor.take(replace(FEW[1], title=f"Mine {tab} {number}"))
            keep(memory, visitor)
    back, _ = recall(store, "ann", FEW)
    assert [each.title for each in back.own_scenarios()] == [f"Mine 1 {number}" for number in range(doing.MOST_OWN)]


def test_what_the_newest_tab_took_back_is_gone_though_another_did_it_too(store):
    tabs = [recall(store, "ann", FEW) for _ in range(2)]
    for visitor, memory in tabs:
        visitor.switch_guard("same plan")
        visitor.take(FEW[1])
        visitor.writing, visitor.opened, visitor.lessons.presenter = "{", "1.abc", True
        keep(memory, visitor)
    assert recall(store, "ann", FEW)[0].lessons.presenter
    visitor, memory = tabs[1]
    visitor.switch_guard("same plan")
    visitor.own.clear()
    visitor.writing, visitor.opened, visitor.lessons = None, "", lessons.Progress()
    visitor.place = FEW[0].id
    keep(memory, visitor)
    assert shown(recall(store, "ann", FEW)[0]) == shown(visitor)


def test_a_lesson_that_is_no_longer_the_last_has_no_sandbox_to_come_back_to(store):
    visitor, memory = recall(store, "ann", FEW[:1])
    pack = lessons.lessons_of(FEW[:1])
    visitor.lessons.presenter = True
    lessons.go(visitor.lessons, pack, 0, len(lessons.beats(0, 1)))
    keep(memory, visitor)
    assert recall(store, "ann", FEW[:1])[0].lessons == visitor.lessons
    assert recall(store, "ann", FEW)[0].lessons.beat == visitor.lessons.beat - 1


# Events as they were written before.


def written(rows, visitor_id="ann"):
    """A store in memory that holds events as they are: (number, kind, body), the body as text, bytes or a value."""
    store = open_at(__file__ + "/no-folder", lambda: 0.0)
    probe = store.append(visitor_id, "probe", {})
    [(visitor,)] = store._connection.execute("select visitor from events")
    store._connection.execute("delete from events where number = ?", (probe,))
    for number, kind, body in rows:
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        store._connection.execute(
            "insert into events values (?, ?, 0, ?, ?, ?)", (number, visitor, kind, len(text), text)
        )
    return store


OLD = from_data("sample", GOLDEN["scenario"])
OLD_ROWS = [(event["number"], event["kind"], event["body"]) for event in GOLDEN["events"]]


def test_events_that_were_written_before_still_come_back():
    store = written(OLD_ROWS)
    back, memory = recall(store, "ann", [OLD])
    work = back.work(OLD)
    assert [(edit.label, edit.draft.fields[0]) for edit in work.edits] == [
        ("as in the file", ["order_id", "amount"]),
        ("do.amount", ["order_id", "amount"]),
        ("add field", ["order_id", "amount", "field"]),
    ]
    assert (work.at, work.step, work.steps[0]["do"]) == (1, 1, {"order_id": "A100", "amount": 7.5})
    own = "own-mine-546df195"
    assert (back.place, list(back.own), back.writing, back.opened) == (own, [own], '{"half', "1.abc")
    assert back.guards_off == {"agreed amount"}
    assert back.lessons == lessons.Progress(
        place="sample",
        beat=8,
        predictions={"sample": {"broken": lessons.RIGHT, "fixed": lessons.RIGHT, "guarded": lessons.NOTHING}},
        hands={"sample": {"broken": {lessons.WRONG: 12}}},
        locked=["sample"],
        done=["sample"],
    )
    assert [(run.number, run.scenario.id, run.index, run.edited, run.decision) for run in back.trail] == [
        (1, "sample", 0, False, ""),
        (2, "sample", 1, False, ""),
        (3, "sample", 0, True, ""),
        (4, "sample", 0, True, person.APPROVED),
        (5, "sample", 1, False, person.DECLINED),
        (6, "sample", 1, True, ""),
        (7, own, 0, False, ""),
    ]
    assert [run.outcomes["guarded"].paid for run in back.trail] == [
        [("A100", 20.0)],
        [],
        [],
        [("A100", 7.5)],
        [],
        [],
        [("A100", 20.0)],
    ]
    assert [(each.run.number, each.agent) for each in back.queue] == [(6, "guarded")]
    assert back.ran == 7
    use(back, [OLD])
    keep(memory, back)
    assert shown(recall(store, "ann", [OLD])[0]) == shown(back)
    store.close()


# Rows that are spoilt.


def draw(visitor, scenarios):
    """Work out all that the pages show of a visitor."""
    pack = lessons.lessons_of(scenarios)
    for scenario in [*scenarios, *visitor.own_scenarios()]:
        work = visitor.work(scenario)
        for at, names in enumerate(work.now.draft.fields):
            grid.rows(work.steps[at], names)
            assert len(set(names)) == len(names)
        assert 0 <= work.step < len(work.steps)
        "".join([*work.names(), *work.fields(), str(work.shared)]).encode("utf-8", "surrogatepass")
        tables.overview(visitor.outcomes(scenario))
        visitor.is_edited(scenario)
    for run in visitor.trail:
        for outcome in run.outcomes.values():
            tables.ledger(outcome.ledger, len(outcome.before))
            tables.problems(outcome, run.step)
    json.dumps(as_rows(visitor.trail), allow_nan=False)
    for each in (trail.table, trail.wrong_money, trail.verdict_counts, trail.differing_fields, trail.to_csv):
        each(visitor.trail)
    for waiting in visitor.waiting():
        person.unpayable(waiting)
    progress = visitor.lessons
    at = lessons.at(progress, pack)
    for name in lessons.beats(at, len(pack))[: progress.beat]:
        lessons.beat_of(name, pack[at], progress)
    lessons.beats(at, len(pack))[progress.beat - 1]
    for one in pack:
        lessons.result(progress, one), lessons.title(progress, one), lessons.outstanding(progress, one)
    lessons.past_the_guards(pack, visitor.is_edited, visitor.outcomes)
    (visitor.opened + (visitor.writing or "") + visitor.place + progress.place).encode()
    assert visitor.guards_off <= set(GUARDS)


def use(visitor, scenarios):
    """Do all that the pages offer."""
    draw(visitor, scenarios)
    for scenario in [*scenarios, *visitor.own_scenarios()]:
        work = visitor.work(scenario)
        visitor.run_step(scenario)
        work.go_to(max(0, work.at - 1))
        work.go_to(min(len(work.edits) - 1, work.at + 1))
        work.say("Used.")
        work.set_cell("do", "amount", "20.5")
        work.add_field()
        work.rename_field(work.fields()[-1], "renamed")
        work.remove_field(work.fields()[0])
        work.use_text()
        work.reset()
        for one in scenario.tries[:1]:
            work.attempt(one)
    visitor.run_all(scenarios)
    for waiting in list(visitor.queue):
        visitor.approve(waiting)
        if waiting in visitor.queue:
            visitor.decline(waiting)
    for name in list(GUARDS)[:2]:
        visitor.switch_guard(name)
    pack, progress = lessons.lessons_of(scenarios), visitor.lessons
    for one in pack:
        lessons.predict(progress, one, lessons.WRONG)
        lessons.take_back(progress, one)
        lessons.predict(progress, one, lessons.RIGHT)
        lessons.raise_hands(progress, one, "fixed", lessons.RIGHT, 3)
    lessons.forward(progress, pack)
    lessons.back(progress, pack)
    lessons.again(progress, pack, 0)
    visitor.take(replace(scenarios[0], title="Used"))
    visitor.open_link(share.opened(share.encode(scenarios[0].id, scenarios[0].steps), scenarios))
    draw(visitor, scenarios)


def history():
    """Events of every kind and every part."""
    store = open_at(__file__ + "/no-folder", lambda: 0.0)
    visitor, memory = recall(store, "ann", FEW)

    def kept():
        keep(memory, visitor)

    visitor.place = FEW[0].id
    for scenario in FEW[:2]:
        work = visitor.work(scenario)
        work.set_cell("do", "amount", "7.5")
        work.add_field()
        kept()
        work.go_to(1)
        kept()
    visitor.work(FEW[0]).step = 1
    visitor.take(replace(PACK[0], title="Mine", limit=None))
    visitor.writing, visitor.opened = "{", "1.abc"
    visitor.run_all([*FEW, *visitor.own_scenarios()])
    kept()
    visitor.approve(next(each for each in visitor.queue if each.run.scenario.id == FEW[1].id))
    kept()
    visitor.decline(visitor.queue[0])
    visitor.switch_guard("same plan")
    pack = lessons.lessons_of(FEW)
    for choice in lessons.CHOICES:
        lessons.predict(visitor.lessons, pack[0], choice)
    lessons.go(visitor.lessons, pack, 0, lessons.GAP_AT)
    lessons.raise_hands(visitor.lessons, pack[0], "broken", lessons.WRONG, 12)
    kept()
    rows = store._connection.execute("select number, kind, body from events order by number").fetchall()
    store.close()
    return [(number, kind, json.loads(body)) for number, kind, body in rows]


ROWS = history()


def test_the_history_that_is_spoilt_has_every_kind_and_every_part():
    assert {kind for _, kind, _ in ROWS} == {"run", "decision", "edit", "at", "step", "place", "part"}
    assert {body["part"] for _, kind, body in ROWS if kind == "part"} == {"guards_off", "own", "text", "lessons"}
    assert {body["approved"] for _, kind, body in ROWS if kind == "decision"} == {True, False}


def places(value, place=()):
    """Every place in a JSON value."""
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*place, key))


def value_at(value, place):
    for key in place:
        value = value[key]
    return value


def with_value(body, place, value):
    body = copy.deepcopy(body)
    value_at(body, place[:-1])[place[-1]] = value
    return body


SPOILT = [
    *((kind, (), body) for kind in ("run", "part") for body in (b"\xff", "", "{", "[]", "7", "null", "[" * 100_000)),
    *((kind, (key,), 7.5) for kind in ("run", "decision") for key in ("number", "scenario", "index", "edited", "off")),
    *((kind, ("steps",), value) for kind in ("run", "decision", "edit") for value in (5, [], [5], {}, [{"said": "x"}])),
    *((kind, ("scenario",), "gone") for kind in ("run", "decision", "edit", "at", "step", "place")),
    *(("run", ("index",), value) for value in (-1, 1, True, 10**400, None, "0")),
    *(("run", ("off",), value) for value in ("same plan", {"same plan": 1}, [1], ["same plan", "same plan"])),
    ("run", ("steps", 0, "said"), 5),
    ("run", ("steps", 0, "owed"), {"amount": 20.0}),
    ("run", ("steps", 0, "do"), json.loads('{"a":' * 200 + "1" + "}" * 200)),
    *(("decision", ("agent",), value) for value in ("nobody", 5, None, "broken")),
    *(("decision", ("approved",), value) for value in (1, None, "yes")),
    *(("decision", ("run",), value) for value in (-1, None, "13")),
    *(("decision", ("step",), value) for value in (5, {}, None, {"said": "", "intent": {}, "do": {}, "owed": None})),
    *(("decision", ("ledger",), value) for value in (5, [5], [[]], [["A100"]], [["A100", "20"]], [["A100", 1.0, 5]])),
    ("decision", ("ledger",), [["A100", float("nan")]]),
    *(("edit", ("label",), value) for value in (5, None, "\ud800")),
    *(("edit", ("fields",), value) for value in (5, [], [["a"]] * 3, [5, 5], [[5], [5]], [["a", "a"], ["a"]])),
    ("edit", ("steps", 1), {"said": "", "intent": {}, "do": {}}),
    *(("at", ("edit",), value) for value in (-1, 10**6, True, "1", None, [1])),
    *(("step", ("step",), value) for value in (-1, 0.5, True, "1", None)),
    *(("place", ("scenario",), value) for value in (5, None, ["x"], {})),
    *(("part", ("part",), value) for value in (5, None, "works", "__class__", ["own"])),
    *(("part", ("key",), value) for value in (5, None, "works", "\ud800")),
    ("guards_off", ("key",), "long gone"),
    ("lessons", ("key",), "other"),
    *(("guards_off", ("value",), value) for value in (1, "yes", [])),
    *(("own", ("value",), value) for value in (5, {}, {"title": "x"})),
    ("own", ("value", "title"), ""),
    ("own", ("value", "extra"), 1),
    ("own", ("value", "steps", 0, "do"), {"amount": float("nan")}),
    ("own", ("key",), FEW[0].id),
    *(("text", ("value",), value) for value in (5, True, [], {}, "\ud800")),
    *(("lessons", ("value",), value) for value in (5, [], {"extra": 1}, {"place": 5})),
    *(("lessons", ("value", "predictions"), value) for value in (5, [], {"x": 5}, {"x": {"broken": "a choice"}})),
    ("lessons", ("value", "predictions"), {"x": {"nobody": lessons.RIGHT}}),
    *(("lessons", ("value", "hands"), {"x": {"broken": {lessons.RIGHT: value}}}) for value in (-1, "1", 1.5, 10**6)),
    *(("lessons", ("value", key), value) for key in ("locked", "done") for value in ("x", [5], ["x", "x"], None)),
    *(
        ("lessons", ("value", key), value)
        for key in ("presenter", "challenged", "answer_seen")
        for value in (1, None, "x")
    ),
    *(("lessons", ("value", "beat"), value) for value in (0, True, "8", 1.5, None)),
]


@pytest.mark.parametrize(("kind", "place", "value"), SPOILT)
def test_a_row_of_another_form_counts_for_nothing_and_takes_nothing_else_along(kind, place, value):
    at = next(at for at, (_, of, body) in enumerate(ROWS) if kind in (of, body.get("part")))
    number, of, body = ROWS[at]
    rows = [*ROWS[:at], (number, of, with_value(body, place, value) if place else value), *ROWS[at + 1 :]]
    stores = [written(rows), written(ROWS[:at] + ROWS[at + 1 :])]
    spoilt, without = (shown(recall(store, "ann", FEW)[0]) for store in stores)
    assert spoilt == without
    for store in stores:
        store.close()


@pytest.mark.parametrize("key", sorted({(kind, key) for _, kind, body in ROWS for key in body}))
def test_a_row_without_one_of_its_keys_harms_no_other(key):
    kind, name = key
    rows = [(number, of, {k: v for k, v in body.items() if (of, k) != key}) for number, of, body in ROWS]
    stores = [written(ROWS), written(rows)]
    whole, back = (recall(store, "ann", FEW)[0] for store in stores)
    if kind not in ("run", "decision", "part") or name in ("number", "agent"):  # older events have none
        assert list(map(run_seen, back.trail)) == list(map(run_seen, whole.trail))
    for store in stores:
        store.close()
    check_goes_on(rows, FEW)


def test_a_guard_that_is_no_more_was_off_for_nothing():
    stores = [written(ROWS), written([(number, kind, with_guard_off(body)) for number, kind, body in ROWS])]
    before, after = (shown(recall(store, "ann", FEW)[0]) for store in stores)
    assert after == before
    for store in stores:
        store.close()


def with_guard_off(body):
    return {**body, "off": ["long gone"]} if "off" in body else body


PIECES = [value_at(body, place) for _, _, body in ROWS for place in places(body)]
spoiling = st.one_of(
    scalars,
    values,
    st.sampled_from(PIECES),
    st.sampled_from(
        [-1, 10**9, 2**53, 2**53 + 1, 10**400, float("nan"), float("inf"), "\ud800", "own-x-00000000", "own", "all"]
    ),
    st.sampled_from([*GUARDS, *AGENTS, *lessons.CHOICES, *(each.id for each in FEW)]),
    st.integers(60, 200).map(lambda levels: json.loads("[" * levels + "]" * levels)),
)


@st.composite
def spoilt(draw, rows):
    """The rows with some of them spoilt: another value at a place, a key gone or added, another kind, or any text."""
    rows = copy.deepcopy(rows)
    for at in draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=4)):
        number, kind, body = rows[at]
        how = draw(st.sampled_from(["value"] * 6 + ["key", "kind", "text", "bytes", "cut"]))
        if how == "kind":
            rows[at] = number, draw(st.sampled_from([kind for _, kind, _ in rows])), body
        elif how == "text":
            rows[at] = number, kind, draw(st.text(st.characters(exclude_categories=["Cs"])))
        elif how == "bytes":
            rows[at] = number, kind, draw(st.binary())
        elif not isinstance(body, str | bytes):
            rows[at] = number, kind, spoil(draw, body, how)
    return rows


def spoil(draw, body, how):
    place = draw(st.sampled_from(list(places(body))))
    if how == "cut":
        text = json.dumps(body)
        return text[: draw(st.integers(0, len(text)))]
    if how == "key":
        inside = value_at(body, place)
        if isinstance(inside, dict):
            inside[draw(st.sampled_from([*inside, "steps", "number", "extra"]))] = draw(spoiling)
    elif not place:
        return json.dumps(draw(spoiling))
    elif draw(st.integers(0, 4)):
        value_at(body, place[:-1])[place[-1]] = draw(spoiling)
    else:
        del value_at(body, place[:-1])[place[-1]]
    return body


def check_goes_on(rows, scenarios):
    """Whatever the rows hold: a visitor comes back on whom all works, and what they then do comes back as well."""
    store = written(rows)
    visitor, memory = recall(store, "ann", scenarios)
    assert memory.problem == store.problem
    use(visitor, scenarios)
    keep(memory, visitor)
    assert memory.problem == store.problem
    back, before = seen(recall(store, "ann", scenarios)[0]), seen(visitor)
    assert [part for part in before if repr(back[part]) != repr(before[part])] == []
    store.close()


@settings(max_examples=60)
@given(spoilt(ROWS))
def test_whatever_is_spoilt_the_visitor_can_go_on(rows):
    check_goes_on(rows, FEW)


@settings(max_examples=40)
@given(spoilt(OLD_ROWS))
def test_whatever_is_spoilt_in_events_from_before_the_visitor_can_go_on(rows):
    check_goes_on(rows, [OLD])
