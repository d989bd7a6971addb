"""What a browser sends: every event is taken once and in order, and nothing that it can send stops the page."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk import Desk, actions, fields
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.scenarios import load_all
from failure13.visit import screen
from failure13.visit.visitor import Visitor
from samples import ELSEWHERE, HONEST, scenario, step

PACK, _ = load_all(Path(__file__).parents[1] / "scenarios")
FIRST, TWO_STEPS = PACK[0].id, "paid-twice"


@pytest.fixture
def desk():
    return Desk(PACK)


def do(desk):
    return desk.visit.step["do"]


# Once and in order.


def test_events_are_taken_once_however_often_they_are_sent(desk):
    event = {"kind": "press", "verb": "run", "about": [], "scenario": FIRST, "step": 0, "n": 1}
    for _ in range(3):
        screen.take(desk.screen, desk.visitor, PACK, {"session": "mine", "events": [event]})
    assert (len(desk.visitor.trail), desk.screen.heard) == (1, 1)


def test_events_of_another_session_are_not_taken(desk):
    event = {"kind": "type", "place": ["said"], "text": "x", "scenario": FIRST, "step": 0, "n": 1}
    screen.take(desk.screen, desk.visitor, PACK, {"session": "another", "events": [event]})
    assert (desk.visitor.works, desk.screen.heard) == ({}, 0)


def test_what_was_typed_on_a_scenario_that_has_left_the_screen_goes_where_it_was_typed(desk):
    desk.press("pick", TWO_STEPS)
    desk.type("7.5", "first", "do", "amount", scenario=FIRST)
    assert desk.visit.scenario.id == TWO_STEPS
    assert desk.visitor.works[FIRST].steps[0]["do"]["amount"] == 7.5
    assert not desk.visitor.is_edited(desk.visit.scenario)


def test_what_was_typed_in_a_step_goes_into_that_step(desk):
    desk.press("pick", TWO_STEPS)
    desk.press("step", "1")
    desk.type("7.5", "first", "do", "amount", step=0)
    assert [each["do"]["amount"] for each in desk.visit.work.steps] == [7.5, 20.0]


def test_typing_and_a_press_in_one_message_are_taken_in_their_order(desk):
    desk.send(
        {"kind": "type", "place": ["first", "do", "amount"], "text": "5"},
        {"kind": "press", "verb": "run", "about": []},
        {"kind": "type", "place": ["first", "do", "amount"], "text": "6"},
    )
    assert desk.visitor.trail[0].step["do"]["amount"] == 5
    assert do(desk)["amount"] == 6


# Editing.


def test_a_cell_the_sentence_and_a_name_are_typed(desk):
    desk.fill("do order_id", "A100")
    desk.fill("do amount", "20")
    desk.fill("Said", "Done.")
    assert (do(desk), desk.visit.step["said"]) == ({"order_id": "A100", "amount": 20}, "Done.")
    assert desk.verdicts() == dict.fromkeys(("broken", "fixed", "guarded"), "paid as owed")
    desk.fill("name of amount", "sum")
    assert do(desk) == {"order_id": "A100", "sum": 20}


def test_a_name_that_is_taken_or_empty_is_refused_in_words_until_the_next_button(desk):
    for name, why in (
        ("order_id", '"order_id" is taken by another; this is still amount'),
        ("", '"" is no name; this'),
    ):
        desk.fill("name of amount", name)
        assert desk.field("name of amount")["note"].startswith(why)
        assert do(desk) == ELSEWHERE
    desk.press("undo")
    assert desk.field("name of amount")["note"] == ""


def test_fields_are_added_and_removed_on_both_answers(desk):
    desk.press("pick", "retry-asks-for-more")
    for answer, names in (("first", ""), ("second", "second ")):
        desk.press("add", answer)
        desk.fill(f"{names}do field", "5")
        desk.press("remove", answer, "amount")
    assert do(desk) == {"order_id": "A101", "field": 5}
    assert desk.visit.answer(1)["do"] == {"order_id": "A100", "field": 5}


def test_a_side_becomes_null_and_something_again(desk):
    desk.press("null", "first", "do")
    assert (do(desk), desk.verdicts()["guarded"]) == (None, "nothing done")
    desk.press("object", "first", "do")
    assert do(desk) == HONEST, "what the other side has"
    desk.press("null", "first", "intent")
    assert desk.picture["answers"][0]["intent"] == "null, nothing declared"
    desk.press("null", "first", "do")
    desk.press("object", "first", "do")
    assert do(desk) == ELSEWHERE, "what the file has, where the other side has nothing"


def test_a_second_answer_begins_as_the_first_and_can_be_edited_and_removed(desk):
    desk.press("second add")
    assert desk.visit.answer(1) == {"intent": HONEST, "do": ELSEWHERE}
    desk.fill("second do order_id", "A100")
    desk.fill("second do amount", "20")
    assert desk.lane("guarded")["printed"] == ["refunded $20.00 on A100", "ledger: [('A100', 20.0)]"]
    desk.press("raw", "second")
    desk.fill("second do as JSON text", "{")
    assert any(note.startswith("do: line 1") for note in desk.picture["answers"][1]["notes"])
    desk.press("second remove")
    assert "retry" not in desk.visit.step
    for _ in range(4):
        desk.press("undo")
    assert desk.visit.answer(1)["do"]["order_id"] == "A100"


def test_text_that_spells_no_object_stays_text_and_says_why(desk):
    desk.press("raw", "first")
    desk.fill("do as JSON text", "[1]")
    desk.press("fields", "first")
    assert desk.visit.step["do"] == "[1]"
    assert any("expected an object, found a list" in note for note in desk.picture["answers"][0]["notes"])
    desk.fill("do as JSON text", json.dumps({f"f{n}": n for n in range(301)}))
    desk.press("fields", "first")
    assert any(
        "at most 300 fields can be shown, and this would be 301" in n for n in desk.picture["answers"][0]["notes"]
    )


def test_a_text_longer_than_is_taken_is_refused_and_the_last_one_stays(desk):
    desk.fill("Said", "x" * 20_000)
    desk.fill("Said", "x" * 20_001)
    assert len(desk.visit.step["said"]) == 20_000
    assert desk.field("Said")["note"] == "not taken: at most 20,000 characters are, and this has more"
    desk.fill("Said", "y")
    assert desk.field("Said")["note"] == ""
    desk.press("raw", "first")
    desk.fill("do as JSON text", "x" * 100_000)
    desk.fill("do as JSON text", "x" * 100_001)
    assert len(do(desk)) == 100_000


# The records.


def test_records_are_typed_and_each_agent_answers_to_them(desk):
    desk.fill("customer of A101", "C1")
    desk.fill("refundable of A101", "200.00")
    objected = {gate["name"] for gate in desk.lane("guarded")["gates"] if gate["state"] == "objects"}
    assert objected == {"call equals intent", "ticket's order", "agreed amount"}
    desk.fill("ticket order", "A101")
    desk.fill("agreed amount", "")
    desk.fill("owed amount", "200")
    desk.fill("owed order", "A101")
    assert desk.lane("broken")["money"] == "$200.00 to C1, as owed"
    assert desk.visit.work.case["ticket"].get("agreed_amount") is None


@pytest.mark.parametrize("text", ["abc", "", "-1", "20.005", "1e2", " 20.00", "\u0662\u0660.00", "9" * 400])
def test_a_record_that_is_no_amount_is_said_beside_it_and_the_last_good_one_stays_in_force(desk, text):
    desk.fill("refundable of A100", "30.00")
    before = desk.picture["lanes"]
    desk.fill("refundable of A100", text)
    field = desk.field("refundable of A100")
    assert (field["text"], desk.visit.work.case["orders"]["A100"]["refundable"]) == (text, "30.00")
    assert field["note"].startswith("case.orders.A100.refundable: expected ")
    assert field["note"].endswith("; '30.00' stays in force")
    assert desk.picture["lanes"] == before
    desk.press("undo")
    assert desk.field("refundable of A100")["note"] == ""


def test_records_that_only_go_together_come_into_force_together(desk):
    desk.fill("paid of A101", "200.50")
    desk.fill("currency of A101", "JPY")
    assert "smallest unit of JPY" in desk.field("currency of A101")["note"]
    desk.fill("paid of A101", "200")
    desk.fill("refundable of A101", "0")
    assert [field["note"] for field in fields(desk.picture) if field["note"]] == []
    assert desk.visit.work.case["orders"]["A101"] == {
        "customer_id": "C2",
        "paid": "200",
        "refundable": "0",
        "currency": "JPY",
    }


def test_harmless_fields_are_names_with_commas_between(desk):
    desk.fill("fields that move no money", "reason, key ,")
    assert desk.visit.work.case["harmless"] == ["reason", "key"]
    desk.fill("fields that move no money", "amount")
    assert "other than order_id, amount and currency" in desk.field("fields that move no money")["note"]
    assert desk.visit.work.case["harmless"] == ["reason", "key"]
    desk.fill("fields that move no money", "")
    assert "harmless" not in desk.visit.work.case


def test_orders_are_added_renamed_and_removed(desk):
    desk.press("order add")
    desk.type("B7", "order", "A102")
    assert list(desk.visit.work.case["orders"]) == ["A100", "A101", "B7"]
    desk.type("A100", "order", "B7")
    assert desk.field("id of B7")["note"] == '"A100" is taken by another; this is still B7'
    desk.press("order remove", "A101")
    assert list(desk.visit.work.case["orders"]) == ["A100", "B7"]
    assert desk.lane("broken")["money"] == "$200.00 to an order not on file; C1 is still owed $20.00"


def test_something_is_owed_or_nothing(desk):
    desk.press("owed nothing")
    assert (desk.visit.step["owed"], desk.picture["records"]["owed"]) == (None, [])
    assert desk.lane("broken")["money"] == "$200.00 to C2; nothing more is owed"
    desk.press("owed something")
    assert desk.visit.step["owed"] == HONEST


def test_reset_brings_records_back_and_keeps_raw_json_as_it_is(desk):
    desk.fill("refundable of A100", "30.00")
    desk.press("raw", "first")
    desk.fill("do as JSON text", "{")
    desk.press("reset")
    assert desk.visit.work.case == PACK[0].case
    assert json.loads(desk.field("do as JSON text")["text"]) == ELSEWHERE
    assert not desk.visitor.is_edited(PACK[0])
    desk.press("undo")
    assert desk.field("do as JSON text")["text"] == "{"


# Running and deciding.


def test_a_run_keeps_what_is_on_screen_and_asks_for_all_to_be_drawn_anew(desk):
    desk.fill("refundable of A100", "30.00")
    assert desk.press("run").all_anew
    assert desk.visitor.trail[0].scenario.case["orders"]["A100"]["refundable"] == "30.00"
    assert not desk.fill("do amount", "5").all_anew
    assert desk.press("run all").all_anew
    assert len(desk.visitor.trail) == 1 + sum(len(each.steps) for each in PACK)


def test_what_waits_is_approved_once_and_the_queue_says_what_was_paid(desk):
    desk.press("run")
    desk.press("queue")
    for _ in range(2):
        desk.press("approve", "1-guarded")
    assert [run.outcomes["guarded"].paid for run in desk.visitor.trail] == [[], [("A101", 200.0)]]
    queue = desk.picture["queue"]
    assert (queue["open"], queue["label"]) == (True, "A person's queue: 0 waiting")
    assert queue["notes"] == ["Run 1: approved by a person: refunded $200.00 on A101"]


def test_a_step_or_a_record_that_changed_since_is_not_approved(desk):
    desk.press("run")
    desk.press("queue")
    desk.fill("do amount", "199")
    desk.press("approve", "1-guarded")
    assert "The call has changed since it was shown" in desk.picture["queue"]["notes"][0]
    desk.press("undo")
    desk.fill("customer of A101", "C3")
    desk.press("approve", "1-guarded")
    assert "belongs to 'C3'" in desk.picture["queue"]["notes"][0]
    assert len(desk.visitor.trail) == 1
    desk.press("undo")
    desk.press("approve", "1-guarded")
    assert desk.visitor.trail[-1].outcomes["guarded"].paid == [("A101", 200.0)]


def test_clearing_takes_the_runs_and_what_waits(desk):
    desk.press("run")
    desk.press("clear")
    assert (desk.visitor.trail, desk.visitor.queue, desk.picture["queue"]["label"]) == ([], [], "")
    assert desk.press("forget").forget


def test_a_page_is_asked_for_by_its_name(desk):
    assert desk.press("page", "learn").page == "learn"


# Nothing stops the page.

ANYTHING = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.text(max_size=5),
    st.lists(st.text(max_size=8), max_size=4),
    st.booleans(),
    st.floats(),
)
VERBS = [*screen.EDITS, *screen.SCREEN, *screen.EVERYWHERE, "page", "forget", "nothing"]
ABOUT = st.lists(
    st.sampled_from(
        ["first", "second", "intent", "do", "amount", "0", "1", "-1", "99", "x", *GUARDS, FIRST, "1-guarded"]
    ),
    max_size=3,
)
PLACES = [field["place"] for each in PACK[:3] for field in fields(Desk(PACK, each.id).picture)]


@settings(max_examples=60)
@given(
    st.lists(
        st.fixed_dictionaries(
            {}, optional=dict.fromkeys(("n", "kind", "scenario", "step", "place", "text", "verb", "about"), ANYTHING)
        ),
        max_size=4,
    ),
    ANYTHING,
)
def test_no_message_stops_the_page(events, message):
    at = Desk(PACK[:2])
    for sent in (
        message,
        {"session": "mine"},
        {"session": "mine", "events": message},
        {"session": "mine", "events": events},
    ):
        screen.take(at.screen, at.visitor, at.scenarios, sent)
    assert at.picture["lanes"]


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.just("press"), st.sampled_from(VERBS), ABOUT)
        | st.tuples(st.just("type"), st.sampled_from(PLACES), st.text(max_size=12)),
        max_size=12,
    )
)
def test_whatever_is_typed_and_pressed_the_picture_is_drawn_and_undo_leads_back_to_the_file(done):
    at = Desk(PACK[:3], "missing-amount")
    for kind, what, more in done:
        if kind == "press":
            at.press(what, *more)
        else:
            at.type(more, *what)
        json.dumps(at.picture)
    for each in at.scenarios:
        work = at.visitor.work(each)
        work.go_to(0)
        assert same(work.steps, each.steps)
        assert work.case == each.case
        assert not at.visitor.is_edited(each)


@pytest.mark.parametrize("scenario_id", [FIRST, "retry-asks-for-more", "cut-off-call", TWO_STEPS])
def test_every_button_that_is_shown_does_something_or_leaves_all_as_it_was(scenario_id):
    for tool in ("", *screen.TOOLS):
        at = Desk(PACK, scenario_id)
        at.press("run")
        at.press("queue")
        if tool:
            at.press("open", tool)
        for each in list(actions(at.picture)):
            assert each["verb"] in VERBS
            at.press(each["verb"], *each["about"])
            json.dumps(at.picture)


HOSTILE = {
    "nothing": "",
    "blanks": "   ",
    "nan": "NaN",
    "infinite": "-Infinity",
    "beyond a float": "1e400",
    "at the end of a float": "1.7e308",
    "a key twice": '{"a":1,"a":2}',
    "half a pair": '"\\ud800"',
    "half a pair as such": "\ud800",
    "half a pair as a key": '{"\\ud800": 1}',
    "digits": "9" * 5000,
    "fewer digits": "9" * 4300,
    "beyond a cell": "x" * 20_000,
    "lists": "[" * 5000,
    "closed lists": "[" * 64 + "]" * 64,
    "quotes": '"',
    "more quotes": "'\"`\\",
    "html": "<script>alert(1)</script>",
    "a negative": "-1",
    "true": "true",
    "null": "null",
    "an object": '{"order_id": {"order_id": []}}',
    "right to left": "\u202eA100\u0000\u200b",
    "lines": '"a\\r\\nb\\u2028c"',
    "a name that the tool keeps": "ledger",
    "a name that Python keeps": "self",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_typed_in_any_field_stops_the_page(text):
    for scenario_id in (FIRST, "retry-asks-for-more", "cut-off-call"):
        at = Desk(PACK, scenario_id)
        at.press("add", "first")
        for place in [field["place"] for field in fields(at.picture)]:
            at.type(text, *place)
        at.press("run")
        at.press("guards", "off")
        at.press("run")
        at.press("queue")
        for tool in screen.TOOLS:
            at.press("open", tool)
            json.dumps(at.picture, allow_nan=False).encode()
        for verb in ("approve", "decline"):
            for waiting in at.visitor.waiting():
                at.press(verb, waiting.key)
        json.dumps(at.picture, allow_nan=False)


def test_an_argument_that_the_tool_keeps_for_itself_is_a_crash_to_be_seen():
    at = Desk([scenario(step({**HONEST, "ledger": 1}))])
    message, ledger = at.lane("broken")["printed"]
    assert message.startswith("TypeError: ")
    assert message.endswith("got multiple values for argument 'ledger'")
    assert (ledger, at.verdicts()["broken"]) == ("ledger: []", "crashed")


def test_a_session_without_a_visitor_yet_takes_events():
    at = screen.Screen("s")
    event = {"n": 1, "kind": "type", "scenario": FIRST, "step": 0, "place": ["said"], "text": "Hello."}
    me = Visitor()
    screen.take(at, me, PACK, {"session": "s", "events": [event]})
    assert me.works[FIRST].steps[0]["said"] == "Hello."
