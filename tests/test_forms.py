"""A stored value has its form, or is refused with a ValueError and nothing else."""

import contextlib
import json
from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.kept import forms
from failure13.visit.lessons import MOST_HANDS, NOTHING, RIGHT, Progress
from samples import values, wild_numbers

FULL = Progress(
    place="a",
    beat=3,
    predictions={"a": {"broken": RIGHT}},
    hands={"a": {"fixed": {NOTHING: MOST_HANDS}}},
    locked=["a"],
    done=["a", "b"],
    presenter=True,
    challenged=True,
    answer_seen=True,
)


@pytest.mark.parametrize("progress", [Progress(), FULL])
def test_progress_comes_back_as_it_was_written(progress):
    assert forms.progress(json.loads(json.dumps(asdict(progress)))) == progress


def test_every_field_of_progress_has_a_form_and_is_tried_with_another_value():
    assert set(forms.PROGRESS) == {each.name for each in fields(Progress)}
    assert [name for name, value in asdict(FULL).items() if value == getattr(Progress(), name)] == []


def test_progress_from_before_had_another_word_for_what_is_locked():
    assert forms.progress({"fixed": ["a"]}) == Progress(locked=["a"])


@pytest.mark.parametrize(
    ("form", "value"),
    [
        *((forms.text, value) for value in (None, 5, ["x"], "\ud800", "x\udc00")),
        *((forms.yes_or_no, value) for value in (None, 0, 1, "true")),
        *((forms.whole, value) for value in (None, -1, True, 1.0, "1", [])),
        *((forms.names, value) for value in (None, "ab", {"a": 1}, [1], ["a", "a"], [["a"]])),
        *((forms.one_of(("a", "b")), value) for value in (None, "", "c", 1, ["a"])),
        *((forms.each(forms.whole), value) for value in (None, {}, [0, -1])),
        *((forms.by(forms.text, forms.whole), value) for value in (None, [], {"a": "b"})),
        *((forms.ledger, value) for value in (None, {}, [1], [["A100"]], [["A100", 1, {}, 2]], [["A100", "1"]])),
        *((forms.ledger, [["A100", 20.0, value]]) for value in (None, [], "reason")),
        (forms.ledger, [["A100", float("inf")]]),
        (forms.progress, {"beat": 1, "extra": 1}),
        (forms.progress, {"fixed": 5}),
    ],
)
def test_another_form_is_refused(form, value):
    with pytest.raises(ValueError, match=r"expected|surrogates"):
        form(value)


def test_the_bounds_of_a_whole_number_are_in_it():
    assert [forms.whole(value, 2, 4) for value in (2, 3, 4)] == [2, 3, 4]
    for value in (1, 5):
        with pytest.raises(ValueError, match="from 2 to 4"):
            forms.whole(value, 2, 4)


def test_a_ledger_has_tuples_again():
    rows = [("A101", 200.0), ("A100", True), (100, 10**400, {"method": "paypal", "parts": [1, 2]})]
    assert forms.ledger(json.loads(json.dumps(rows))) == rows


anything = st.one_of(values, wild_numbers, st.text())


@given(anything, st.sampled_from([forms.text, forms.whole, forms.names, forms.ledger, forms.progress]))
def test_whatever_is_stored_a_form_gives_a_value_or_a_value_error(value, form):
    with contextlib.suppress(ValueError):
        form(value)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(forms.PROGRESS, anything)))
def test_whatever_is_stored_of_lessons_comes_back_as_lessons_or_is_refused(value):
    with contextlib.suppress(ValueError):
        assert asdict(forms.progress(value)).keys() == forms.PROGRESS.keys()
