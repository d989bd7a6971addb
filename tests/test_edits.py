"""Edits: what typing, a button, a try, a link and undo make of one scenario's steps."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.calls import Unreadable
from failure13.compare import same
from failure13.visit.edits import MOST_EDITS, SHARED, Work, content
from samples import ELSEWHERE, HONEST, case, redo, scenario, step, typed, undo

TRIES = (
    {"label": "Agree", "set": {"steps[0].do": HONEST}},
    {"label": "Say less", "set": {"steps[0].said": "Done."}},
)


@pytest.fixture
def work():
    return Work(scenario(step(ELSEWHERE)))


def do(work):
    return work.steps[work.step]["do"]


def labels(work):
    return [edit.label for edit in work.edits[1:]]


def test_work_begins_with_the_steps_it_is_given_and_nothing_else(work):
    assert (work.steps, work.fields(), work.at, work.step) == ([step(ELSEWHERE)], ["order_id", "amount"], 0, 0)
    assert [edit.label for edit in work.edits] == ["as in the file"]
    assert work.shared is None


# Typing.


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
    work.say("D")
    work.say("Done.")
    typed(work, "8")
    assert [edit.label for edit in work.edits[1:]] == ["do.amount", "intent.amount", "said", "do.amount"]
    undo(work)
    assert (do(work)["amount"], work.steps[0]["said"]) == (7, "Done.")


def test_typing_the_same_field_of_another_step_is_another_edit():
    work = Work(scenario(step(ELSEWHERE), step(ELSEWHERE)))
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


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ("7", "75", 1),
        ("75", "7", 1),
        ("20.0", "2.0", 1),
        ("20.0", "", 1),
        ("", "20.0", 1),
        ("20.0", "19.0", 2),
        ("20.0", "7", 2),
        ("abc", "xyz", 2),
    ],
)
def test_text_that_grows_or_shrinks_at_one_place_is_typed_on_and_any_other_is_another_edit(work, before, after, edits):
    work.say(before)
    work.say(after)
    assert len(labels(work)) == edits
    assert work.steps[0]["said"] == after


def test_what_was_typed_on_has_a_number_of_its_own(work):
    numbers = []
    for text in ("7", "7.", "7.5"):
        work.set_cell("do", "amount", text)
        numbers.append(work.now.number)
    assert len(set(numbers)) == 3
    assert 0 not in numbers
    assert len(work.edits) == 2


def test_typing_where_nothing_was_called_makes_a_call():
    work = Work(scenario(step(None)))
    typed(work, "20")
    assert do(work) == {"amount": 20}
    undo(work)
    assert do(work) is None


# Buttons, each an edit of its own.


def test_a_button_pressed_between_typing_makes_it_two_edits(work):
    typed(work, "7")
    work.add_field()
    typed(work, "8")
    assert [edit.label for edit in work.edits[1:]] == ["do.amount", "add field", "do.amount"]


def test_typing_keeps_the_fields_on_screen_and_every_button_draws_them_anew(work):
    typed(work, "7.5")
    assert work.now.revision == 0
    seen = {0}
    for press in (
        work.add_field,
        lambda: work.rename_field("field", "cap"),
        lambda: work.remove_field("cap"),
        lambda: work.attempt(TRIES[0]),
        work.reset,
        lambda: undo(work),
        lambda: redo(work),
    ):
        press()
        assert work.now.revision not in seen
        seen.add(work.now.revision)


def test_fields_are_added_under_names_that_are_free(work):
    for _ in range(3):
        work.add_field()
    assert work.fields() == ["order_id", "amount", "field", "field_2", "field_3"]
    assert do(work) == ELSEWHERE, "a row is no field until it holds a value"


def test_a_field_is_renamed_in_its_place_on_both_sides(work):
    work.rename_field("order_id", "order")
    assert work.fields() == ["order", "amount"]
    assert work.steps[0]["intent"] == {"order": "A100", "amount": 20.0}
    assert do(work) == {"order": "A101", "amount": 200.0}
    undo(work)
    assert do(work) == ELSEWHERE


@pytest.mark.parametrize("name", ["", "order_id", "amount", "field"])
def test_a_field_takes_no_name_that_is_empty_or_taken(work, name):
    work.add_field()
    before = copy.deepcopy(vars(work))
    work.rename_field("amount", name)
    assert vars(work) == before


def test_a_field_removed_takes_its_values_along(work):
    work.remove_field("amount")
    assert (work.fields(), do(work), work.steps[0]["intent"]) == (
        ["order_id"],
        {"order_id": "A101"},
        {"order_id": "A100"},
    )
    undo(work)
    assert do(work) == ELSEWHERE


def test_a_cell_that_is_emptied_keeps_its_row(work):
    work.set_cell("do", "amount", "")
    assert (work.fields(), do(work)) == (["order_id", "amount"], {"order_id": "A101"})


def test_a_side_sent_as_text_is_replaced_as_a_whole(work):
    work.set_side("do", "{")
    work.set_side("do", "{}")
    assert (do(work), len(work.edits)) == ("{}", 2)


def test_a_try_starts_from_the_files_steps(work):
    typed(work, "3", side="intent")
    work.attempt(TRIES[1])
    assert work.steps[0] == {**step(ELSEWHERE), "said": "Done."}
    work.attempt(TRIES[0])
    assert work.steps[0] == step(HONEST)
    assert [edit.label for edit in work.edits[1:]] == ["intent.amount", "Say less", "Agree"]


def test_two_hundred_edits_can_be_taken_back_and_the_files_steps_are_never_lost(work):
    for number in range(2 * MOST_EDITS):
        work.set_cell(("intent", "do")[number % 2], "amount", str(number))
    assert len(work.edits) == MOST_EDITS + 1 > 50
    assert work.steps[0]["do"]["amount"] == 2 * MOST_EDITS - 1
    undo(work)
    assert work.steps[0]["do"]["amount"] == 2 * MOST_EDITS - 3
    while work.at > 1:
        undo(work)
    assert work.steps[0]["do"]["amount"] == MOST_EDITS - 1
    undo(work)
    assert work.steps == [step(ELSEWHERE)]


def test_no_edit_changes_an_edit_before_it_nor_the_scenario():
    one = [step(ELSEWHERE), step(HONEST)]
    file, work = copy.deepcopy(one), Work(scenario(*one))
    kept = []
    for edit in (
        lambda: typed(work, "7"),
        lambda: work.set_cell("intent", "cap", "[1]"),
        lambda: work.rename_field("cap", "roof"),
        work.add_field,
        lambda: work.remove_field("roof"),
        lambda: work.attempt(TRIES[0]),
        lambda: work.say(""),
        work.reset,
        lambda: work.set_side("do", "{"),
    ):
        kept.append(copy.deepcopy(work.edits))
        edit()
        assert work.edits[:-1] == kept[-1]
    assert one == file
    assert work.edits[0].draft.steps == file


def test_an_edit_of_a_step_leaves_the_others_alone():
    one = [step(ELSEWHERE), step(HONEST)]
    work = Work(scenario(*one))
    work.step = 1
    typed(work, "7")
    work.add_field()
    assert (work.steps[0], do(work)["amount"]) == (one[0], 7)
    work.step = 0
    assert work.fields() == ["order_id", "amount"]


def test_both_sides_become_text_and_fields_again(work):
    work.use_text()
    assert isinstance(do(work), str)
    assert work.fields() == []
    work.use_fields()
    assert same(work.steps, [step(ELSEWHERE)])
    assert work.fields() == ["order_id", "amount"]
    assert labels(work) == ["as JSON text", "as fields"]


@pytest.mark.parametrize("text", ["{", "7", "", "null"])
def test_a_text_that_is_no_call_stays_text_and_is_no_edit(work, text):
    work.use_text()
    work.set_side("do", text)
    before = copy.deepcopy(vars(work))
    with pytest.raises(Unreadable):
        work.use_fields()
    assert vars(work) == before


def test_a_step_in_which_nothing_was_called_has_no_text_of_a_call():
    work = Work(scenario(step(None)))
    work.use_text()
    assert do(work) is None
    work.use_fields()
    assert same(work.steps, [step(None)])


def test_a_try_leads_to_a_step_that_it_changes():
    work = Work(scenario(step(HONEST), step(ELSEWHERE), step(ELSEWHERE)))
    work.attempt({"label": "Mend the last", "set": {"steps[2].do": HONEST}})
    assert work.step == 2
    work.attempt({"label": "Mend both", "set": {"steps[1].do": HONEST, "steps[2].do": HONEST}})
    assert work.step == 2, "the one on screen is changed as well"


# Links and the way back.


def test_a_link_lies_on_top_and_reset_leads_back_to_it_and_from_there_to_the_file(work):
    typed(work, "7")
    work.open_shared([step(HONEST)], case(), 0)
    assert labels(work) == ["do.amount", SHARED]
    assert work.shared.steps == [step(HONEST)]
    typed(work, "8")
    work.reset()
    assert work.steps == [step(HONEST)]
    work.reset()
    assert work.steps == [step(ELSEWHERE)]
    for amount in (20.0, 8, 20.0, 7, 200.0):
        undo(work)
        assert do(work)["amount"] == amount


def test_a_link_that_was_undone_is_not_what_reset_leads_back_to(work):
    work.open_shared([step(HONEST)], case(), 0)
    undo(work)
    assert work.shared is None
    typed(work, "8")
    work.reset()
    assert work.steps == [step(ELSEWHERE)]


def test_each_edit_has_a_name_with_the_first_thing_it_changed(work):
    typed(work, "7")
    work.say("x" * 50)
    work.add_field()
    assert work.names() == [
        "as in the file",
        "do.amount (do.amount: 200.0 to 7)",
        f"said (said: Refunding $20.00 on A100. to {'x' * 27}...)",
        "add field",
    ]


def test_sides_shown_as_text_have_the_same_content():
    work = Work(scenario(step(HONEST), step(None), step("{")))
    before = content(work.steps)
    work.use_text()
    assert not same(work.steps, before)
    assert same(content(work.steps), before)


@st.composite
def presses(draw):
    """A way to change some work: a verb with its arguments."""
    text = draw(st.sampled_from(["", "7", "7.5", "A100", "null", "{"]))
    field = draw(st.sampled_from(["amount", "order_id", "cap", "field"]))
    side = draw(st.sampled_from(["intent", "do"]))
    return draw(
        st.sampled_from(
            [
                ("say", text),
                ("set_cell", side, field, text),
                ("set_side", side, text),
                ("add_field",),
                ("rename_field", field, text),
                ("remove_field", field),
                ("use_text",),
                ("attempt", TRIES[0]),
                ("reset",),
                ("open_shared", [step(HONEST)], case(), 0),
                ("undo",),
            ]
        )
    )


@given(st.lists(presses(), max_size=8))
def test_whatever_is_pressed_every_edit_stays_what_it_was_and_a_number_tells_it_apart(pressed):
    file = [step(ELSEWHERE)]
    work = Work(scenario(*file))
    for verb, *arguments in pressed:
        before = copy.deepcopy(work.edits[: work.at])
        if verb == "undo":
            if work.at:
                undo(work)
        else:
            getattr(work, verb)(*arguments)
        assert [edit.draft for edit in work.edits[: len(before)]] == [edit.draft for edit in before]
        assert len({edit.number for edit in work.edits}) == len(work.edits)
        assert same(work.edits[0].draft.steps, [step(ELSEWHERE)])
        assert len(work.names()) == len(work.edits)
    assert same(file, [step(ELSEWHERE)])
