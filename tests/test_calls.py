import copy
import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failure13 import calls
from failure13.compare import same
from samples import HONEST, containers, values
from samples import calls as some_calls


def nested(levels):
    return '{"a": ' + "[" * (levels - 1) + "]" * (levels - 1) + "}"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"order_id": "A100", "amount": 20.0}', {"order_id": "A100", "amount": 20.0}),
        (" \t\r\n{ } \n", {}),
        ('{"a": [1, -0, 2.5e3, true, false, null, {}, []]}', {"a": [1, 0, 2500.0, True, False, None, {}, []]}),
        ('{"": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}', {"": '"\\/\b\f\n\r\té😀'}),
        ('{"a": {"a": 1}, "b": {"a": 1}}', {"a": {"a": 1}, "b": {"a": 1}}),
        ('{"a": 1e-400}', {"a": 0.0}),
        pytest.param(nested(64), json.loads(nested(64)), id="64 levels"),
        pytest.param('{"a": ' + "9" * 4300 + "}", {"a": int("9" * 4300)}, id="4300 digits"),
        pytest.param('{"a": -' + "9" * 4300 + "}", {"a": -int("9" * 4300)}, id="4300 digits and a sign"),
        pytest.param('{"ab": "' + "é" * 32763 + '"}', {"ab": "é" * 32763}, id="64 KiB"),
    ],
)
def test_one_object_is_read_as_it_stands(text, value):
    assert same(calls.read(text), value)


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ('{"amount": 20.0, "amount": 200.0}', 1, 18, 'the key "amount" stands twice'),
        ('{"a": 1, "\\u0061": 1}', 1, 10, 'the key "a" stands twice'),
        ('{"x": [{"a": 1,\n  "a": 1}]}', 2, 3, 'the key "a" stands twice'),
        ('{"a": NaN}', 1, 7, "expected a value, found 'NaN}'"),
        ('{"a": -Infinity}', 1, 7, "expected a value, found '-Infinity}'"),
        ('{"a": 1e400}', 1, 7, "the number 1e400 is beyond what a float can hold"),
        ('{"a": -1e400}', 1, 7, "the number -1e400 is beyond what a float can hold"),
        ('{"order_id": "A100", "amount": 2', 1, 33, "expected ',' or '}', found the end"),
        ('{"order_id": "A1', 1, 17, "expected more of a text or its closing quote, found the end"),
        ('{"a":', 1, 6, "expected a value, found the end"),
        ('{"a"', 1, 5, "expected ':', found the end"),
        ("{", 1, 2, "expected a key in double quotes, found the end"),
        ("", 1, 1, "expected a value, found the end"),
        (" \n ", 2, 2, "expected a value, found the end"),
        ('{} {"a": 1}', 1, 4, "expected the end, found '{\"a\": 1}'"),
        ("{}\n\n;", 3, 1, "expected the end, found ';'"),
        ("[]", 1, 1, "expected an object, found a list"),
        ("\n 7", 2, 2, "expected an object, found a number"),
        ("2.5", 1, 1, "expected an object, found a number"),
        ('"{}"', 1, 1, "expected an object, found a text"),
        ("null", 1, 1, "expected an object, found null"),
        ("true", 1, 1, "expected an object, found true or false"),
        ('{"a": "\\ud83d"}', 1, 7, "half a surrogate pair is no character"),
        ('{"a": "\ud83d"}', 1, 7, "half a surrogate pair is no character"),
        ('{"\\ude00": 1}', 1, 2, "half a surrogate pair is no character"),
        (nested(65), 1, 70, "expected at most 64 levels"),
        ('{"a": 1,}', 1, 9, "expected a key in double quotes, found '}'"),
        ('{"a": [1,]}', 1, 10, "expected a value, found ']}'"),
        ('{"a": [1 2]}', 1, 10, "expected ',' or ']', found '2]}'"),
        ("{'a': 1}", 1, 2, "expected a key in double quotes, found \"'a': 1}\""),
        ('{"a": 01}', 1, 8, "expected ',' or '}', found '1}'"),
        ('{"a": +1}', 1, 7, "expected a value, found '+1}'"),
        ('{"a": 1.}', 1, 8, "expected ',' or '}', found '.}'"),
        ('{"a": True}', 1, 7, "expected a value, found 'True}'"),
        ('{"a": "\n"}', 1, 8, "expected more of a text or its closing quote, found '\\n\"}'"),
        ('{"a": "\\x41"}', 1, 8, "expected more of a text or its closing quote, found '\\\\x41\"}'"),
        ("\ufeff{}", 1, 1, "expected a value, found '\\ufeff{}'"),
        ("{\u00a0}", 1, 2, "expected a key in double quotes, found '\\xa0}'"),
        ('{"a": 1 /* one */}', 1, 9, "expected ',' or '}', found '/* one */}'"),
        pytest.param(
            *('{"a": ' + "9" * 4301 + "}", 1, 7, "expected a number of at most 4300 digits, found 4301"), id="digits"
        ),
        pytest.param(
            *('{"a": "' + "é" * 32764 + '"}', 1, 1, "expected at most 64 KiB, found 65537 bytes"), id="more than 64 KiB"
        ),
    ],
)
def test_what_is_not_one_object_is_refused_with_line_and_column(text, line, column, why):
    with pytest.raises(calls.Unreadable) as refused:
        calls.read(text)
    assert (refused.value.line, refused.value.column, refused.value.why) == (line, column, why)
    assert str(refused.value) == f"line {line}, column {column}: {why}"
    assert isinstance(refused.value, ValueError)


class Refused(Exception):
    pass


def reference(text):
    """The object of a text by Python's own parser and, after it, the rules that it does not hold."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise Refused
        return dict(pairs)

    def refuse(_):
        raise Refused

    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Refused from None
    if not isinstance(value, dict) or levels(value) > 64 or len(text.encode("utf-8", "surrogatepass")) > 65536:
        raise Refused
    if not is_clean(value):
        raise Refused
    return value


def levels(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(levels, inner), default=0)


def is_clean(value):
    if isinstance(value, dict):
        return all(is_clean(key) and is_clean(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(is_clean, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, str) or not any("\ud800" <= character <= "\udfff" for character in value)


def spelled(draw_from, value):
    """A value as JSON text in one of the many ways it may be written."""
    blank = draw_from.choice(["", "", " ", "\n", "\t \r\n"])
    if isinstance(value, dict):
        pairs = [f"{json.dumps(key)}{blank}:{blank}{spelled(draw_from, inner)}" for key, inner in value.items()]
        pairs += draw_from.sample(pairs, k=1) if pairs and draw_from.random() < 0.05 else []
        return "{" + blank + f"{blank},{blank}".join(pairs) + blank + "}"
    if isinstance(value, list):
        return "[" + blank + ",".join(spelled(draw_from, inner) for inner in value) + blank + "]"
    if isinstance(value, float) and draw_from.random() < 0.1:
        return draw_from.choice(["NaN", "-Infinity", "1e400", "1E5", "-0.0e-3"])
    return json.dumps(value, ensure_ascii=draw_from.random() < 0.5)


@st.composite
def documents(draw, mutations):
    draw_from = random.Random(draw(st.integers(0, 2**32)))
    text = spelled(draw_from, draw(st.dictionaries(st.text(max_size=3), values, max_size=4)))
    for _ in range(draw(st.integers(0, mutations))):
        at = draw_from.randint(0, len(text))
        character = draw_from.choice([*'{}[]",:\\/0123456789eE+-. \t\n\rutnNaIfé\ud800\x00\x7f\u00a0\u2028', ""])
        text = text[:at] + character + text[at + draw_from.randint(0, 2) :]
    return text


@settings(max_examples=600)
@given(documents(mutations=3) | st.text('{}[]":,\\0123456789e-. \n', max_size=20))
def test_a_text_is_read_exactly_when_a_second_parser_finds_one_clean_object(text):
    try:
        expected = reference(text)
    except Refused:
        with pytest.raises(calls.Unreadable) as refused:
            calls.read(text)
        assert 1 <= refused.value.line <= text.count("\n") + 1
        assert 1 <= refused.value.column <= max(map(len, text.split("\n"))) + 1
        assert calls.Unreadable.__name__ == type(refused.value).__name__
    else:
        assert same(calls.read(text), expected)


@given(st.integers(1, 64), st.integers(1, 10), st.sampled_from(['{"a":', "["]))
def test_the_64th_level_is_the_last(depth, more, opening):
    closing = "}" if opening == '{"a":' else "]"
    start, end, inner = '{"a":', "}", "1"
    inside = opening * (depth - 1) + inner + closing * (depth - 1)
    assert levels(calls.read(start + inside + end)) == depth
    too_deep = opening * (63 + more) + inner + closing * (63 + more)
    with pytest.raises(calls.Unreadable, match="at most 64 levels"):
        calls.read(start + too_deep + end)


@given(some_calls)
def test_an_object_is_read_as_a_fresh_copy_of_itself(call):
    before = copy.deepcopy(call)
    read = calls.read_side(call)
    assert same(read, before)
    assert same(call, before)
    assert not containers(read) & containers(call)
    assert same(calls.read_side(json.dumps(call)), before)


def deep(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("side", "why"),
    [
        ({"amount": math.nan}, "line 1, column 12: expected a value, found 'NaN}'"),
        ({"amount": [math.inf]}, "line 1, column 13: expected a value, found 'Infinity]}'"),
        ({"order_id": "\ud800"}, "line 1, column 14: half a surrogate pair is no character"),
        ({"a": deep(64)}, "line 1, column 70: expected at most 64 levels"),
        ([1], "line 1, column 1: expected an object, found a list"),
        (7, "line 1, column 1: expected an object, found a number"),
        (None, "line 1, column 1: expected an object, found null"),
        ({"a": {1}}, "line 1, column 1: no JSON can be made of it (Object of type set is not JSON serializable)"),
    ],
)
def test_a_side_that_is_no_clean_object_is_refused(side, why):
    with pytest.raises(calls.Unreadable) as refused:
        calls.read_side(side)
    assert str(refused.value) == why


@pytest.mark.parametrize("side", [{"a": 10**5000}, {"a": deep(900)}, {"a": deep(5000)}, {"a": "é" * 32768}])
def test_a_side_that_no_text_can_hold_is_refused(side):
    with pytest.raises(calls.Unreadable):
        calls.read_side(side)


def test_the_size_of_a_side_is_that_of_its_text_not_of_its_escapes():
    side = {"a": "😀" * 16000}
    assert calls.read_side(side) == side


def test_half_a_pair_is_let_through_where_asked_for():
    assert calls.read_value('"\\ud800"', half_pairs=True) == "\ud800"
    with pytest.raises(calls.Unreadable):
        calls.read_value('"\\ud800"')
    assert calls.read_value("[" + "1," * 40000 + "1]", most_bytes=256 * 1024)[-1] == 1


@pytest.mark.parametrize(
    ("side", "value"),
    [
        ('{"amount": 20.0, "amount": 200.0}', {"amount": 200.0}),
        ('{"amount": Infinity}', {"amount": math.inf}),
        ("[1]", [1]),
        ("null", None),
        (HONEST, HONEST),
        (None, None),
        (7, 7),
    ],
)
def test_a_side_is_read_plainly_as_the_articles_agents_read_it(side, value):
    assert same(calls.read_plainly(side), value)


@given(documents(2))
def test_what_is_read_strictly_reads_the_same_plainly(text):
    try:
        strictly = calls.read(text)
    except calls.Unreadable:
        return
    assert same(calls.read_plainly(text), strictly)
