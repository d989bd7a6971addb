"""A scenario's text is laid out as the pack is, and holds every value as it was."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given

from failure13.compare import same
from failure13.layout import laid_out
from failure13.scenarios import load, to_json
from samples import values

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.json"))
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@every_file
def test_a_file_of_the_pack_is_what_its_data_is_written_as(path):
    assert laid_out(json.loads(path.read_text("utf-8"))).encode() == path.read_bytes()


@every_file
def test_a_scenario_of_the_pack_is_downloaded_as_the_file_it_is(path):
    assert to_json(load(path)).encode() == path.read_bytes()


def test_what_fits_into_120_columns_with_its_comma_stands_on_one_line():
    fits, too_long = ["x" * 106], ["x" * 107]
    lines = laid_out({"key": fits, "yek": too_long}).splitlines()
    assert lines == ["{", f'  "key": ["{"x" * 106}"],', '  "yek": [', f'    "{"x" * 107}"', "  ]", "}"]
    assert len(lines[1]) == 120


def test_the_outermost_is_broken_and_what_holds_a_broken_one_is_too():
    text = laid_out([{"a": 1}, {"b": {"c": ["x" * 60, "y" * 60], "d": {}}}])
    assert text.splitlines() == [
        "[",
        '  {"a": 1},',
        "  {",
        '    "b": {',
        '      "c": [',
        f'        "{"x" * 60}",',
        f'        "{"y" * 60}"',
        "      ],",
        '      "d": {}',
        "    }",
        "  }",
        "]",
    ]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (20.0, "20.0"),
        (17.98999999999998, "17.98999999999998"),
        (-0.0, "-0.0"),
        (1e22, "1e+22"),
        (12345678901234567890123, "12345678901234567890123"),
        (True, "true"),
        (None, "null"),
        ("20.00", '"20.00"'),
        ("Größe 値 😀", '"Größe 値 😀"'),
        ("\u0410100", '"\\u0410100"'),
        ('A\u200b"\n', '"A\\u200b\\"\\n"'),
        ({"\u0410100": [], "é": {}}, '{"\\u0410100": [], "é": {}}'),
        ({}, "{}"),
    ],
)
def test_a_value_is_written_as_it_is_and_what_deceives_the_eye_as_an_escape(value, written):
    assert laid_out([value]) == f"[\n  {written}\n]\n"


def test_what_is_empty_has_nothing_to_break():
    assert laid_out({}) == "{}\n"


@given(values)
def test_whatever_is_written_reads_back_as_itself(value):
    text = laid_out({"": value})
    assert same(json.loads(text), {"": value})
    assert all(len(line) <= 120 or not line.endswith(("]", "}", "],", "},")) for line in text.splitlines()[1:-1])


@pytest.mark.parametrize("value", [math.nan, math.inf, {1}])
def test_what_is_no_json_value_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        laid_out([value])
