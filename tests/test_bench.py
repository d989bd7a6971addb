"""The picture of the bench: what a visitor sees of every scenario, edit and decision, as plain data."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import get_type_hints, is_typeddict

import pytest

from desk import ADDRESS, Desk, actions, fields, texts
from failure13.agents import AGENTS
from failure13.guards import GUARDS
from failure13.limits import LIMITS, MAST
from failure13.replay import expectation, replay
from failure13.scenarios import load_all, most_fields, most_orders
from failure13.verdicts import VERDICTS
from failure13.visit import picture as shapes
from failure13.visit.bench import MOST_WAITS, NOBODY
from failure13.visit.shown import MOST_SHOWN, shown
from samples import ELSEWHERE, HONEST, case, order, scenario, step

ROOT = Path(__file__).parents[1]
PACK, _ = load_all(ROOT / "scenarios")
EACH = pytest.mark.parametrize("scenario_id", [each.id for each in PACK])
BY_ID = {each.id: each for each in PACK}
SCRIPT = (ROOT / "failure13/page/bench/bench.js").read_text("utf-8")


@pytest.fixture
def desk():
    return Desk(PACK)


def desk_of(*steps, of=None):
    return Desk([scenario(*steps, of=of)])


# What is there of every scenario.


@EACH
def test_a_scenario_shows_what_its_file_expects_of_every_agent(scenario_id):
    at, of = Desk(PACK, scenario_id), BY_ID[scenario_id]
    expect, limits = of.expect or expectation(replay(of)), set()
    for index, each in enumerate(of.steps):
        at.press("step", str(index))
        assert at.verdicts() == {agent: one["verdicts"][index] for agent, one in expect.items()}
        picture = at.picture
        assert (picture["said"]["text"], picture["records"]["text"]["text"]) == (
            each["said"],
            of.case["ticket"]["text"],
        )
        limits |= {said["lead"] for lane in picture["lanes"] for said in lane["limit"]}
        for lane in picture["lanes"]:
            owed = replay(of)[lane["agent"]][index].still_owed
            assert owed == "nothing" or owed.partition(" on ")[0] in lane["money"]
    for agent, one in expect.items():
        assert at.ledger(agent) == repr([tuple(row) for row in one["ledger"]])
    assert limits == ({f"{LIMITS[of.limit].heading}: {of.limit}"} if of.limit else set())
    at.press("open", "why")
    lines = [line["text"] for line in at.picture["panel"][0]["lines"]]
    assert [*(of.why or {}).values(), MAST] == [line for line in lines if line in [*(of.why or {}).values(), MAST]]
    assert of.limit is None or LIMITS[of.limit].answer in lines


@EACH
def test_every_try_of_a_scenario_says_what_it_changed_and_shows_what_it_expects(scenario_id):
    at, of = Desk(PACK, scenario_id), BY_ID[scenario_id]
    for number, attempt in enumerate(of.tries):
        at.press("try", str(number))
        changed = []
        for index in range(len(of.steps)):
            at.press("step", str(index))
            changed.append(at.picture["changed"])
            for agent, each in attempt.get("expect", {}).items():
                assert at.verdicts()[agent] == each["verdicts"][index]
        assert any(changed)


@EACH
def test_a_picture_is_json_with_every_button_on_it_once(scenario_id):
    picture = Desk(PACK, scenario_id).picture
    assert json.loads(json.dumps(picture)) == picture
    names = [field["name"] for field in fields(picture)]
    assert len(names) == len(set(names)), "a screen reader tells the fields apart"
    pressed = [(each["verb"], *each["about"]) for each in actions(picture) if each["verb"] != "pick"]
    assert len(pressed) == len(set(pressed))


# What is there besides the scenario.


def test_the_picker_offers_every_scenario_with_its_hook_and_marks_the_edited_ones(desk):
    desk.fill("do amount", "7.5")
    desk.press("open", "scenarios")
    [panel] = desk.picture["panel"]
    assert [(each["action"]["label"], each["detail"]) for each in panel["options"]] == [
        (f"{number}. {each.title}", each.hook) for number, each in enumerate(PACK, start=1)
    ]
    assert [each["mark"] for each in panel["options"][:2]] == ["edited", ""]
    assert [each["current"] for each in panel["options"][:2]] == [True, False]
    assert desk.picture["marks"] == ["edited"]


def test_previous_and_next_end_where_the_scenarios_end():
    at_first, at_last = (Desk(PACK, PACK[at].id).picture["pick"] for at in (0, -1))
    assert [each["enabled"] for each in (*at_first, *at_last)] == [False, True, True, False]
    assert [each["about"] for each in (at_first[1], at_last[0])] == [[PACK[1].id], [PACK[-2].id]]


def test_the_words_between_the_sentence_and_the_intent_say_that_nobody_compares_them(desk):
    assert desk.picture["nobody"] == NOBODY == "nobody compares these"


def test_every_gate_has_its_number_name_and_sentence(desk):
    gates = desk.lane("guarded")["gates"]
    assert [(gate["sign"], gate["name"]) for gate in gates] == [(str(n), name) for n, name in enumerate(GUARDS, 1)]
    assert all(gate["sentence"] == GUARDS[gate["name"]].__doc__.splitlines()[0] for gate in gates)
    assert [gate["name"] for gate in gates if gate["state"] == "objects"] == [
        "call equals intent",
        "ticket's order",
        "customer's order",
        "still refundable",
        "agreed amount",
    ]
    assert gates[-1]["state"] == "idle", "no second answer, no second plan"
    assert [gate["state"] for gate in desk.lane("fixed")["gates"]] == ["objects"]
    assert desk.lane("broken")["gates"] == []


def test_a_gate_that_is_off_says_so_and_the_lane_says_how_many_are_on(desk):
    assert desk.lane("guarded")["way"] == "9 gates: also asks the records"
    before = desk.lane("guarded")["cost"]
    for name in GUARDS:
        desk.press("guard", name)
    lane = desk.lane("guarded")
    assert lane["way"] == "0 of 9 gates: also asks the records"
    assert {gate["state"] for gate in lane["gates"]} == {"off"}
    assert lane["verdict"] == "wrong money"
    assert (lane["cost"]["wrong"] > before["wrong"], lane["cost"]["needless"] < before["needless"]) == (True, True)
    assert [each["enabled"] for each in lane["gates_actions"]] == [True, False]
    desk.press("guards", "on")
    assert (desk.lane("guarded")["cost"], desk.visitor.guards_off) == (before, set())
    desk.press("guards", "off")
    assert desk.visitor.guards_off == set(GUARDS)


@pytest.mark.parametrize(
    ("do", "coin", "reached", "end", "money"),
    [
        (ELSEWHERE, "$200.00", "end", "C2, order A101", "$200.00 to C2; C1 is still owed $20.00"),
        (HONEST, "$20.00", "end", "C1, order A100", "$20.00 to C1, as owed"),
        ({**HONEST, "cap": 5}, "$20.00", "end", "C1, order A100", "$20.00 (cap: 5) to C1; nothing more is owed"),
        ({**HONEST, "amount": 45}, "$45.00", "end", "C1, order A100", "$45.00 to C1; nothing more is owed"),
        (
            {**HONEST, "order_id": "A102"},
            "$20.00",
            "end",
            "C1, order A102",
            "$20.00 to C1 on A102; C1 is still owed $20.00",
        ),
        ({**HONEST, "order_id": "X"}, "$20.00", "end", "an order not on file, order X", None),
        (None, "no call", "start", "nothing was called", "Nothing paid; C1 is still owed $20.00"),
        ("{", "unreadable", "start", "crashed", "Nothing paid; C1 is still owed $20.00"),
        ({"order_id": "A100"}, "no amount", "start", "crashed", "Nothing paid; C1 is still owed $20.00"),
        ({**HONEST, "amount": True}, "True", "end", "C1, order A100", None),
    ],
)
def test_the_money_comes_first(do, coin, reached, end, money):
    lane = desk_of(step(do), of=case(A102=order())).lane("broken")
    assert (lane["coin"], lane["reached"], lane["end"]) == (coin, reached, end)
    assert money is None or lane["money"] == money


def test_the_coin_stops_at_the_gate_and_the_rest_waits_for_a_person(desk):
    fixed, guarded = desk.lane("fixed"), desk.lane("guarded")
    assert (fixed["coin"], fixed["reached"], fixed["end"]) == ("$200.00", "gate", "nothing leaves")
    assert fixed["printed"] == [
        "BLOCKED: amount: said 20.0, did 200.0; order_id: said 'A100', did 'A101'",
        "ledger: []",
    ]
    assert (guarded["reached"], guarded["end"]) == ("gate", "a person")
    assert guarded["money"] == "Nothing paid; in a person's queue; C1 is still owed $20.00"
    assert guarded["printed"] == ["ESCALATED to a person", "ledger: []"]
    assert guarded["objections"][1]["text"] == "the call is about 'A101', the ticket about 'A100'"


def test_nothing_owed_is_said_where_nothing_was_paid():
    assert desk_of(step(None, owed=None)).lane("broken")["money"] == "Nothing paid; nothing is owed"


def test_objections_to_a_first_answer_stand_before_those_to_the_second():
    lane = Desk(PACK, "retry-asks-for-more").lane("guarded")
    assert "'A101' belongs to 'C2', the ticket to 'C1'" in [each["text"] for each in lane["first"]]
    assert "the customer agreed to $20.00, and the call pays $45.00" in [each["text"] for each in lane["objections"]]
    assert lane["coin"] == "$45.00"


def test_the_customer_reads_the_receipt_of_the_guarded_agent_alone():
    at = Desk(PACK, "prose-says-otherwise")
    assert at.lane("guarded")["reads"] == {"lead": "The customer reads", "text": "We refunded $20.00 on A100."}
    assert at.lane("broken")["reads"]["text"] == at.picture["said"]["text"]
    at = Desk(PACK)
    assert at.lane("fixed")["reads"]["lead"] == "The customer reads, though nothing was paid"


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_its_sign_and_tone_on_some_lane(verdict):
    found = {
        (lane["verdict"], lane["sign"], lane["tone"]) for each in PACK for lane in Desk(PACK, each.id).picture["lanes"]
    }
    crash = desk_of(step("{")).lane("broken")
    found.add((crash["verdict"], crash["sign"], crash["tone"]))
    assert (verdict, VERDICTS[verdict].sign, VERDICTS[verdict].tone) in found


# Field by field.


@pytest.mark.parametrize(
    ("intent", "do", "sign", "words"),
    [
        ("20.0", "20.0", "=", "the same"),
        ("20.0", "20", "=", "the same"),
        ("20.0", '"20.00"', "=", "the same money; fixed.py finds a difference"),
        ("20.0", "200.0", "≠", "differs"),
        ("1", "true", "≠", "differs; fixed.py finds no difference"),
        ("234.0", "2,34", "?", "cannot be compared"),
        ("20.0", "", "≠", "differs"),
    ],
)
def test_the_sign_between_two_values_is_what_the_third_guard_makes_of_them(desk, intent, do, sign, words):
    desk.fill("intent amount", intent)
    desk.fill("do amount", do)
    pair = next(pair for pair in desk.picture["answers"][0]["pairs"] if pair["name"]["text"] == "amount")
    assert (pair["sign"], pair["words"]) == (sign, words)
    objected = {gate["name"] for gate in desk.lane("guarded")["gates"] if gate["state"] == "objects"}
    desk.fill("do order_id", "A100")
    assert ("call equals intent" in objected) or sign == "="


def test_a_harmless_field_is_marked_as_not_compared():
    at = Desk(PACK, "a-reason-in-other-words")
    pair = next(pair for pair in at.picture["answers"][0]["pairs"] if pair["name"]["text"] == "reason")
    assert (pair["sign"], pair["words"]) == ("·", "moves no money: guarded does not compare it, fixed does")


def test_types_show_beside_values_where_only_they_differ(desk):
    desk.fill("do amount", '"20.0"')
    pair = desk.picture["answers"][0]["pairs"][1]
    assert (pair["intent"]["note"], pair["do"]["note"]) == ("number", "text")


def test_what_deceives_the_eye_is_named_wherever_it_stands(desk):
    desk.fill("do order_id", "А100")
    desk.fill("refundable of A100", "20.00 ")
    desk.fill("Said", "A10\u202e0")
    assert "U+0410 CYRILLIC CAPITAL LETTER A" in desk.field("do order_id")["note"]
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in desk.field("Said")["note"]
    desk.press("order add")
    desk.type("A100 ", "order", "A102")
    assert desk.field("id of A100 ")["note"] == "a blank at the end"
    assert "A10⟨U+202E⟩0" in desk.lane("broken")["reads"]["text"]


def test_a_call_as_text_is_two_texts_with_its_mistake_and_place():
    at = Desk(PACK, "cut-off-call")
    [answer] = at.picture["answers"]
    assert [field["name"] for field in answer["texts"]] == ["intent as JSON text", "do as JSON text"]
    assert any(note.startswith("do: line 1, column") for note in answer["notes"])
    at.fill("do as JSON text", '{"order_id": "A100", "amount": 20.0}')
    assert at.picture["answers"][0]["notes"] == []
    assert at.verdicts()["fixed"] == "paid as owed"
    at.press("fields", "first")
    assert at.field("do amount")["text"] == "20.0"


def test_a_call_that_names_no_order_and_no_amount_says_how_to_map_it(desk):
    desk.press("raw", "first")
    desk.fill("do as JSON text", '{"charge": "ch_1"}')
    assert any(note.startswith("This is no refund call") for note in desk.picture["answers"][0]["notes"])


# Tools.


def test_the_link_holds_records_and_gates_and_its_qr_code_says_the_same(desk):
    desk.fill("refundable of A100", "30.00")
    desk.press("guard", "agreed amount")
    desk.press("open", "share")
    [panel] = desk.picture["panel"]
    assert panel["link"].startswith(f"{ADDRESS}?s=2.")
    assert (panel["qr"], panel["qr_size"]) == (f"QR of {panel['link']}", 21)


def test_what_fits_no_link_says_why_and_shows_none(desk):
    desk.press("raw", "first")
    desk.fill("do as JSON text", "".join(map(chr, range(0x4E00, 0x9000))))
    desk.press("open", "share")
    [panel] = desk.picture["panel"]
    assert (panel["link"], panel["qr"]) == ("", "")
    assert "expected a link of at most 8192 characters" in panel["lines"][0]["text"]


def test_save_hands_over_the_file_and_the_test_as_they_are_on_screen(desk):
    desk.fill("refundable of A100", "30.00")
    desk.fill("do amount", "7.5")
    desk.press("open", "save")
    file, test = desk.picture["panel"][0]["files"]
    assert json.loads(file["text"])["case"]["orders"]["A100"]["refundable"] == "30.00"
    assert (file["name"], test["name"]) == ("right-words-wrong-order.json", "test_right_words_wrong_order.py")
    assert "7.5" in test["text"]
    assert "30.00" in test["text"]


def test_the_list_of_edits_names_them_and_marks_the_one_on_screen(desk):
    desk.fill("refundable of A100", "30.00")
    desk.fill("do amount", "7.5")
    desk.press("undo")
    desk.press("open", "edits")
    options = desk.picture["panel"][0]["options"]
    assert [each["action"]["label"] for each in options] == [
        "0. as in the file",
        "1. order A100 refundable (order A100 refundable: 20.00 to 30.00)",
        "2. do.amount (do.amount: 200.0 to 7.5)",
    ]
    assert [each["current"] for each in options] == [False, True, False]


def test_undo_redo_and_reset_can_be_pressed_where_there_is_something_to_do(desk):
    def enabled():
        return [each["enabled"] for each in desk.picture["tools"][:3]]

    assert enabled() == [False, False, False]
    desk.fill("do amount", "7.5")
    assert enabled() == [True, False, True]
    desk.press("undo")
    assert enabled() == [False, True, False]


# The queue.


def test_the_queue_has_a_label_where_something_waits_and_shows_it_once_it_is_open(desk):
    assert desk.picture["queue"]["label"] == ""
    desk.press("run")
    assert (desk.picture["queue"]["label"], desk.picture["queue"]["waits"]) == ("A person's queue: 1 waiting", [])
    desk.press("queue")
    [waits] = desk.picture["queue"]["waits"]
    assert waits["call"] == '{"order_id": "A101", "amount": 200.0}'
    assert "the call is about 'A101', the ticket about 'A100'" in waits["problems"]
    assert [each["enabled"] for each in waits["actions"]] == [True, True]


def test_the_queue_is_shown_a_page_at_a_time(desk):
    desk.press("queue")
    for _ in range(2 * MOST_WAITS + 1):
        desk.press("run")
    shown_by_page = []
    for page in (0, 1, 2, 7):
        desk.press("queue page", str(page))
        shown_by_page.append([waits["heading"].partition(":")[0] for waits in desk.picture["queue"]["waits"]])
    assert [len(each) for each in shown_by_page] == [MOST_WAITS, MOST_WAITS, 1, 1]
    assert (shown_by_page[0][0], shown_by_page[1][0], shown_by_page[2]) == (
        "Run 1",
        f"Run {MOST_WAITS + 1}",
        [f"Run {2 * MOST_WAITS + 1}"],
    )
    assert [each["enabled"] for each in desk.picture["queue"]["actions"]] == [True, False]


def test_what_cannot_be_paid_cannot_be_approved():
    at = desk_of(step("{"))
    at.press("run")
    at.press("queue")
    [waits] = at.picture["queue"]["waits"]
    assert [each["enabled"] for each in waits["actions"]] == [False, True]
    assert any(line["lead"] == "It cannot be paid" for line in waits["lines"])


# What is shown is text, and bounded.


def test_a_text_that_no_browser_could_lay_out_is_cut_with_its_length():
    assert shown("x" * (MOST_SHOWN + 1)) == "x" * MOST_SHOWN + f" ... ({MOST_SHOWN + 1} characters in all)"
    at = desk_of(step({"order_id": "x" * 20_000, "amount": 1.0}))
    at.press("run")
    at.press("queue")
    of_fields = {field["text"] for field in fields(at.picture)}
    long = [text for text in texts(at.picture) if len(text) > 2 * MOST_SHOWN and text not in of_fields]
    assert long == []


def test_three_hundred_fields_and_a_hundred_orders_are_drawn_and_no_more_can_be_added():
    many = {f"f{n}": n for n in range(most_fields() - 2)}
    at = desk_of(step({**HONEST, **many}), of=case(**{f"B{n}": order() for n in range(most_orders() - 2)}))
    assert len(at.picture["answers"][0]["pairs"]) == most_fields()
    at.press("add", "first")
    assert "at most 300 fields" in at.picture["answers"][0]["notes"][0]
    at.press("order add")
    assert at.picture["records"]["notes"] == ["at most 100 orders fit in the book"]
    assert len(at.picture["records"]["orders"]) == most_orders()


def shape(kind):
    """A shape as its fields and their types, the way the script's comments write them."""
    plain = {str: "string", int: "number", bool: "boolean"}

    def written(hint):
        inner = getattr(hint, "__args__", None)
        return f"{written(inner[0])}[]" if inner else plain.get(hint) or hint.__name__

    return {name: written(hint) for name, hint in get_type_hints(kind).items()}


@pytest.mark.parametrize(
    "kind", [each for each in vars(shapes).values() if is_typeddict(each)], ids=lambda kind: kind.__name__
)
def test_the_script_knows_the_shapes_that_python_sends(kind):
    comment = " ".join(line.strip().removeprefix("*").strip() for line in SCRIPT.splitlines())
    [found] = re.findall(rf"@typedef \{{\{{([^}}]*)\}}\}} {kind.__name__}\b", comment)
    assert dict(re.findall(r"(\w+): ([\w\[\]]+)", found)) == shape(kind)


def test_a_scenario_of_ones_own_is_marked(desk):
    desk.visitor.take(replace(PACK[0], title="Mine"))
    desk.scenarios += desk.visitor.own_scenarios()
    assert desk.picture["marks"] == ["your own"]


def test_the_pictures_agents_are_those_there_are(desk):
    assert [lane["agent"] for lane in desk.picture["lanes"]] == list(AGENTS)
