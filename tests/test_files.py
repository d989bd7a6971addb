"""A scenario goes out as a file and comes back as itself, edited or not."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.compare import same
from failure13.scenarios import BrokenFile, as_edited, load, load_all, to_json, uploaded
from samples import ELSEWHERE, HONEST, calls, scenario, step, texts

FOLDER = Path(__file__).parents[1] / "scenarios"
SCENARIOS, _ = load_all(FOLDER)

sides = st.one_of(calls, texts, calls.map(json.dumps))
edited_steps = st.lists(
    st.fixed_dictionaries(
        {"said": texts, "intent": st.none() | sides, "do": sides, "owed": st.sampled_from([None, HONEST])}
    ),
    min_size=1,
    max_size=2,
)


@pytest.mark.parametrize("each", SCENARIOS, ids=lambda each: each.id)
def test_a_scenario_that_was_downloaded_uploads_as_itself(each):
    assert uploaded(f"{each.id}.json", to_json(each).encode()) == each


@given(st.sampled_from(SCENARIOS), edited_steps)
def test_an_edited_scenario_that_was_downloaded_uploads_as_itself(each, steps):
    edited = as_edited(each, each.case, steps)
    text = to_json(edited)
    back = uploaded(f"{each.id}.json", text.encode())
    assert same(vars(back) | {"tries": []}, vars(edited) | {"tries": []})
    assert to_json(back) == text


def test_an_edited_scenario_no_longer_says_what_its_file_said_about_other_steps():
    original = next(each for each in SCENARIOS if each.tries)
    edited = as_edited(original, original.case, [step(do=ELSEWHERE)])
    assert (edited.expect, edited.why, edited.tries) == (None, None, ())
    assert (
        replace(edited, steps=original.steps, expect=original.expect, why=original.why, tries=original.tries)
        == original
    )
    assert as_edited(original, original.case, list(original.steps)) is original


def test_an_upload_is_read_as_a_file_is(tmp_path):
    for content in (
        b"",
        b"{}",
        b"\xff",
        b'{"title": 1, "title": 2}',
        b" " * 262_145,
        (FOLDER / "05-wrong-pocket.json").read_bytes(),
    ):
        path = tmp_path / "07-mine.json"
        path.write_bytes(content)
        assert found(lambda path=path: load(path)) == found(lambda content=content: uploaded("07-mine.json", content))


def found(read):
    try:
        return read()
    except BrokenFile as error:
        return error.mistakes


@pytest.mark.parametrize(
    ("value", "mistake"),
    [
        (math.nan, "sample.json: expected values that JSON can write, found another"),
        ("\ud800", "half a surrogate pair is no character"),
        ("\ud83d\ude00", "sample.json: expected values that JSON can write, found one that it reads back as another"),
        ("x" * 270_000, "expected at most 256 KiB"),
    ],
)
def test_what_no_file_can_hold_is_not_written(value, mistake):
    with pytest.raises(BrokenFile) as error:
        to_json(scenario(step(do={"order_id": value})))
    assert mistake in str(error.value)


def test_what_would_be_a_mistake_in_a_file_is_not_written():
    with pytest.raises(BrokenFile) as error:
        to_json(scenario(step(do=7)))
    assert error.value.mistakes == [
        "sample.json: steps[0].do: expected an object, a JSON string or null for no call, found 7"
    ]
