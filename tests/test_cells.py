import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.characters import json_text
from failure13.compare import same
from failure13.visit import cells
from samples import is_whole, texts, values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20.00", 20.0),
        ("20", 20),
        ('"20.00"', "20.00"),
        ("A100", "A100"),
        ("true", True),
        ("null", None),
        ("NaN", "NaN"),
        ("1e400", "1e400"),
        ("2,34", "2,34"),
        (" A100 ", " A100 "),
        (" 20 ", 20),
        ('{"a": [1]}', {"a": [1]}),
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ('"open', '"open'),
        ('"\\u200b"', "\u200b"),
        ("007", "007"),
        ('"\\ud800"', "\ud800"),
    ],
)
def test_a_cell_is_the_json_literal_it_spells_else_its_text(text, value):
    assert same(cells.read(text), value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (20.0, "20.0"),
        (20, "20"),
        ("20.00", '"20.00"'),
        ("A100", "A100"),
        ("", '""'),
        (True, "true"),
        ("true", '"true"'),
        (None, "null"),
        ("NaN", "NaN"),
        ('"A100"', '"\\"A100\\""'),
        ("A\u200b100", '"A\\u200b100"'),
        ("A100\u00a0", '"A100\\u00a0"'),
        ("\U000e0041", '"\\udb40\\udc41"'),
        ("two\nlines", '"two\\nlines"'),
        ("é", "é"),
        ("А100", "А100"),
        ({"a": ["\u200b", "é"]}, '{"a": ["\\u200b", "é"]}'),
    ],
)
def test_a_value_is_written_as_what_can_be_typed_and_seen(value, text):
    assert cells.write(value) == text
    assert same(cells.read(text), value)


@given(values | st.text().filter(is_whole) | st.text('0123456789.-eE" \\u', max_size=8))
def test_every_json_value_comes_back_from_its_cell(value):
    text = cells.write(value)
    assert text != "", "an empty cell means that the field is absent"
    assert text.isprintable(), "what cannot be seen is escaped"
    assert same(cells.read(text), value)
    assert same(cells.read(json_text(value)), value)


@given(texts | st.text())
def test_what_is_typed_settles_after_one_reading(text):
    value = cells.read(text)
    assert same(cells.read(cells.write(value)), value) or not is_whole(str(value))


@pytest.mark.parametrize(
    ("side", "text"),
    [
        ("{", "{"),
        ("", ""),
        (None, "null"),
        ({"order_id": "A100", "amount": 20.0}, '{"order_id": "A100", "amount": 20.0}'),
        ({"a\u200b": "é"}, '{"a\\u200b": "é"}'),
        ('{"a":  1}', '{"a":  1}'),
    ],
)
def test_a_side_is_read_as_it_was_sent(side, text):
    assert cells.as_sent(side) == text


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "true/false"),
        (1, "whole number"),
        (1.0, "number"),
        ("1", "text"),
        ({}, "object"),
        ([], "list"),
        (None, "null"),
    ],
)
def test_a_kind_tells_apart_what_looks_the_same(value, kind):
    assert cells.kind(value) == kind
