import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13 import calls as calls_read
from failure13 import fixed
from failure13.compare import same
from failure13.scenarios import with_edit
from failure13.visit import cells, grid
from samples import ELSEWHERE, HONEST, calls, case, is_whole, scenario, step, texts, values

sides = calls | st.none()
cell_texts = texts | st.text(max_size=8) | values.map(cells.write)
names = st.sampled_from(["order_id", "amount", "cap", ""]) | texts


def row(intent, do, field="x"):
    return grid.rows(step(do, intent), [field])[0]


def test_the_rows_are_the_fields_of_both_sides_in_order_of_appearance():
    one = step({"cap": 1, "order_id": "A100"}, {"order_id": "A100", "amount": 20.0})
    assert grid.fields(one) == ["order_id", "amount", "cap"]
    assert [(r.field, r.intent, r.do, r.differs) for r in grid.rows(one, grid.fields(one))] == [
        ("order_id", "A100", "A100", False),
        ("amount", "20.0", "", True),
        ("cap", "", "1", True),
    ]


def test_a_side_that_is_text_or_null_has_no_fields():
    assert grid.fields(step(HONEST, None)) == grid.fields(step(HONEST, "{}")) == ["order_id", "amount"]
    assert [grid.is_text(step(HONEST, side)) for side in ({}, None, "{}")] == [False, False, True]
    assert grid.is_text(step("{}"))


def test_a_row_may_stand_before_either_side_has_its_field():
    assert row({}, {}) == grid.GridRow("x", "", "", False, [], [])


@given(sides, calls)
def test_a_mark_agrees_with_diff_intent(intent, do):
    one = step(do, intent)
    named = fixed.diff_intent(intent or {}, do)
    for each in grid.rows(one, grid.fields(one)):
        alone = [{each.field: side[each.field]} if each.field in side else {} for side in (intent or {}, do)]
        assert each.differs is any(problem in named for problem in fixed.diff_intent(*alone))
        assert each.differs is ((intent or {}).get(each.field) != do.get(each.field))
    if intent is not None:
        assert len(grid.differences(one)) == len(named)


@pytest.mark.parametrize(
    ("intent", "do", "notes"),
    [
        ({}, {"x": None}, (["absent"], ["null"])),
        ({"x": None}, {}, (["null"], ["absent"])),
        ({"x": True}, {"x": 1}, (["true/false"], ["whole number"])),
        ({"x": 1}, {"x": 1.0}, (["whole number"], ["number"])),
        ({"x": "20"}, {"x": 20}, (["text"], ["whole number"])),
        ({"x": None}, {"x": 0}, (["null"], ["whole number"])),
        ({"x": []}, {"x": {}}, (["list"], ["object"])),
        ({"x": 1}, {"x": 2}, ([], [])),
        ({"x": 1}, {"x": 1}, ([], [])),
        ({}, {"x": 1}, ([], [])),
        ({"x": "A100"}, {"x": "А100"}, ([], ["А is U+0410 CYRILLIC CAPITAL LETTER A"])),
        ({"x": 1}, {"x": "\u200b"}, (["whole number"], ["text", "U+200B ZERO WIDTH SPACE"])),
    ],
)
def test_a_cell_notes_its_type_where_the_types_differ_and_what_deceives_the_eye(intent, do, notes):
    found = row(intent, do)
    assert (found.intent_notes, found.do_notes) == notes


@pytest.mark.parametrize(
    ("intent", "do", "differs"),
    [({}, {"x": None}, False), ({"x": True}, {"x": 1}, False), ({"x": "20"}, {"x": 20}, True)],
)
def test_a_mark_keeps_the_holes_of_diff_intent(intent, do, differs):
    assert row(intent, do).differs is differs


@given(sides, calls, st.sampled_from(grid.SIDES), names, cell_texts)
def test_a_cell_typed_changes_that_cell_alone(intent, do, side, field, text):
    before = step(do, intent)
    kept = copy.deepcopy(before)
    after = grid.with_cell(before, side, field, text)
    other = grid.SIDES[side == "intent"]
    assert same(before, kept), "the step given stays as it is"
    assert same({**after, side: 0}, {**before, side: 0}), f"{other}, said and owed stay"
    assert (field in after[side]) is (text != "")
    if text:
        assert same(after[side][field], cells.read(text))
    assert same(
        {name: value for name, value in after[side].items() if name != field},
        {name: value for name, value in (before[side] or {}).items() if name != field},
    )


@given(calls, calls)
def test_every_cell_typed_again_as_shown_changes_nothing(intent, do):
    one = step(do, intent)
    for each in grid.rows(one, grid.fields(one)):
        for side in grid.SIDES:
            assert same(grid.with_cell(one, side, each.field, getattr(each, side)), one)


@given(sides, calls, names)
def test_a_field_renamed_keeps_its_place_and_its_values_on_both_sides(intent, do, old):
    before = step(do, intent)
    kept = copy.deepcopy(before)
    after = grid.renamed(before, old, "a new name")
    assert same(before, kept)
    for side in grid.SIDES:
        was, now = before[side] or {}, after[side] or {}
        assert list(now) == ["a new name" if name == old else name for name in was]
        assert same(list(now.values()), list(was.values()))
    assert same(grid.renamed(after, "a new name", old), before)


@given(sides, calls, names)
def test_a_field_removed_is_gone_on_both_sides_and_nothing_else_is(intent, do, field):
    before = step(do, intent)
    kept = copy.deepcopy(before)
    after = grid.without(before, field)
    assert same(before, kept)
    assert grid.fields(after) == [name for name in grid.fields(before) if name != field]
    assert (after["intent"] is None) is (intent is None)
    assert all(after[side] is None or field not in after[side] for side in grid.SIDES)


@given(sides, calls)
def test_edits_share_nothing_with_the_step_they_started_from(intent, do):
    before = step({**do, "deep": [{"a": []}]}, intent)
    after = grid.with_cell(grid.renamed(grid.without(before, "amount"), "deep", "moved"), "intent", "y", "[]")
    after["do"]["moved"][0]["a"].append("changed")
    assert before["do"]["deep"] == [{"a": []}]


def test_a_side_shown_as_text_is_the_text_that_a_model_would_send():
    sent = grid.as_text(step(ELSEWHERE, None))
    assert (sent["intent"], cells.read(sent["do"])) == ("null", ELSEWHERE)
    assert grid.as_text(step("{", "}"))["do"] == "{", "a text stays as it was sent"


def test_where_nothing_was_called_there_is_no_text_and_nothing_to_read():
    silent = grid.as_text(step(None))
    assert silent["do"] is None
    assert cells.read(silent["intent"]) == HONEST
    assert same(grid.as_fields(silent), step(None))
    assert grid.unreadable(step(None)) == []
    assert grid.unreadable(step(None, "{")) == [
        "intent: line 1, column 2: expected a key in double quotes, found the end"
    ]
    assert grid.fields(step(None)) == ["order_id", "amount"]
    assert [(each.do, each.differs) for each in grid.rows(step(None), ["order_id", "amount"])] == [("", True)] * 2


def test_a_cell_typed_where_nothing_was_called_begins_a_call():
    assert grid.with_cell(step(None), "do", "amount", "20")["do"] == {"amount": 20}


@pytest.mark.parametrize("side", grid.SIDES)
def test_only_the_text_null_of_an_intent_spells_nothing(side):
    one = {**step(HONEST), side: " null "}
    if side == "intent":
        assert grid.as_fields(one)["intent"] is None
        assert grid.content(one)["intent"] is None
    else:
        with pytest.raises(calls_read.Unreadable):
            grid.as_fields(one)
        assert grid.content(one)["do"] == " null ", "a text that spells no call stays"


def test_what_cannot_be_read_strictly_is_told_by_side_with_its_place():
    assert grid.unreadable(step(HONEST)) == []
    assert grid.unreadable(step('{"a": 1, "a": 2}', '{"amount": 2')) == [
        "intent: line 1, column 13: expected ',' or '}', found the end",
        'do: line 1, column 10: the key "a" stands twice',
    ]


def test_the_fields_that_differ_are_read_as_the_articles_agents_read_them():
    assert grid.differences(step('{"amount": 1, "amount": 2, "cap": null}', {"amount": 1})) == [("amount", "1", "2")]
    assert grid.differences(step({"a": "1"}, {"a": 1})) == [("a", "1", '"1"')]
    assert grid.differences(step(ELSEWHERE)) == [("amount", "20.0", "200.0"), ("order_id", "A100", "A101")]
    assert grid.differences(step({"cap": 0}, {})) == [("cap", "absent", "0")]


@pytest.mark.parametrize("do", ["{", "[1]", "7", "[" * 9000, None, 7, [1]])
def test_a_side_that_is_no_object_has_no_fields_to_differ_in(do):
    assert grid.differences(step(do)) == []


def test_what_changed_is_told_by_place_with_both_values():
    before = step(ELSEWHERE)
    assert grid.changes(before, copy.deepcopy(before)) == []
    after = grid.with_cell(grid.with_cell({**before, "said": "Done."}, "do", "amount", "20"), "intent", "cap", "null")
    assert grid.changes(before, grid.without(after, "order_id")) == [
        ("said", "Refunding $20.00 on A100.", "Done."),
        ("intent.order_id", "A100", "absent"),
        ("intent.cap", "absent", "null"),
        ("do.order_id", "A101", "absent"),
        ("do.amount", "200.0", "20"),
    ]


def test_a_change_of_type_alone_is_a_change():
    assert grid.changes(step({"x": 1}), step({"x": True})) == [("do.x", "1", "true")]
    assert grid.changes(step({"x": 1}), step({"x": 1.0})) == [("do.x", "1", "1.0")]
    assert grid.changes(step(HONEST, None), step(HONEST, {})) == [("intent", "null", "{}")]


def test_a_changed_second_answer_is_told_by_its_own_places():
    before = step(HONEST, retry={"said": "a", "intent": None, "do": HONEST})
    after = step(HONEST, retry={"intent": {}, "do": {**HONEST, "amount": 5}})
    assert grid.changes(before, after) == [
        ("retry.said", "a", "absent"),
        ("retry.intent", "null", "{}"),
        ("retry.do.amount", "20.0", "5"),
    ]
    assert grid.changes(step(HONEST), step(HONEST, retry=before["retry"]))[0][:2] == ("retry", "absent")


@given(sides, calls, sides, calls)
def test_what_changed_is_empty_only_where_nothing_did(intent, do, intent_then, do_then):
    before, after = step(do, intent), step(do_then, intent_then)
    assert (grid.changes(before, after) == []) is same(before, after)


@given(st.text(max_size=6).filter(is_whole))
def test_a_try_and_a_cell_typed_come_to_the_same_step(text):
    one = scenario(step(ELSEWHERE), of=case())
    typed = grid.with_cell(one.steps[0], "do", "order_id", cells.write(text))
    assert same(with_edit(one.steps, {"steps[0].do.order_id": text})[0], typed)


@pytest.mark.parametrize("text", ["[1]", "[0, 3]", "7", "null", '"x"', "[[]]"])
def test_sides_that_are_no_objects_have_no_fields_to_differ_in(text):
    assert grid.differences({"said": "", "intent": text, "do": text, "owed": None}) == []
    assert grid.differences({"said": "", "intent": "[0, 3]", "do": "[5, 0]", "owed": None}) == []
