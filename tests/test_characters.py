import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.characters import escaped, json_text, notes, quoted, shortened, visible
from failure13.compare import same
from samples import is_whole, values


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A100", "A100"),
        ("A\u200b100", "A⟨U+200B⟩100"),
        ("A100\u00a0", "A100⟨U+00A0⟩"),
        ("\u202e001A", "⟨U+202E⟩001A"),
        ("one\ttwo\nthree\r", "one\ttwo\nthree⟨U+000D⟩"),
        ("\ud800\U000e0041\x00", "⟨U+D800⟩⟨U+E0041⟩⟨U+0000⟩"),
        ("été 😀", "été 😀"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text, shown):
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_visible_text_holds_nothing_that_cannot_be_seen(text):
    shown = visible(text)
    assert all(character.isprintable() or character in "\n\t" for character in shown)
    assert visible(shown) == shown
    shown.encode("utf-8")
    if text.isprintable():
        assert shown == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A100", []),
        ("Refunding $20.00 on A100.\n\tDone.", []),
        ("\u0410100", ["А is U+0410 CYRILLIC CAPITAL LETTER A"]),
        ("A10О and Α7", ["О is U+041E CYRILLIC CAPITAL LETTER O", "Α is U+0391 GREEK CAPITAL LETTER ALPHA"]),
        ("A\u200b100", ["U+200B ZERO WIDTH SPACE"]),
        ("A100\u00a0\u00a0", ["U+00A0 NO-BREAK SPACE"]),
        ("\x00", ["U+0000 a character without a name"]),
        ("A１00", ["１ is U+FF11 FULLWIDTH DIGIT ONE"]),
        ("Ａ", ["Ａ is U+FF21 FULLWIDTH LATIN CAPITAL LETTER A"]),
        ("A－100;", ["－ is U+FF0D FULLWIDTH HYPHEN-MINUS"]),
        ("a–b … €5", []),
        ("A10٠", ["٠ is U+0660 ARABIC-INDIC DIGIT ZERO"]),
        ("été naïve Straße", []),
        ("Привет, мир", []),
        ("ААА", []),
        ("返金 20.00", []),
        ("返金20", ["返 is U+8FD4 CJK UNIFIED IDEOGRAPH-8FD4", "金 is U+91D1 CJK UNIFIED IDEOGRAPH-91D1"]),
        ("", []),
        ("АВ-100", ["А is U+0410 CYRILLIC CAPITAL LETTER A", "В is U+0412 CYRILLIC CAPITAL LETTER VE"]),
        ("100/А", ["А is U+0410 CYRILLIC CAPITAL LETTER A"]),
        ("amount.а", ["а is U+0430 CYRILLIC SMALL LETTER A"]),
        ("Заказ, 100 и «А»!", []),
        ("A100\ufe0f", ["U+FE0F VARIATION SELECTOR-16"]),
        ("A\u034f100", ["U+034F COMBINING GRAPHEME JOINER"]),
        ("A100\u2800", ["U+2800 BRAILLE PATTERN BLANK"]),
        ("A\u3164", ["U+3164 HANGUL FILLER"]),
        ("cafe\u0301", ["U+0301 COMBINING ACUTE ACCENT"]),
        ("caf\u00e9", []),
        ("\u2764\ufe0f thanks", []),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", []),
    ],
)
def test_each_character_that_deceives_the_eye_is_named_once(text, expected):
    assert notes(text) == expected


@given(st.text(st.characters()))
def test_every_character_that_cannot_be_seen_has_a_note(text):
    named = " ".join(notes(text))
    for character in text:
        if not character.isprintable() and character not in "\n\t":
            assert f"U+{ord(character):04X} " in named
    assert visible(named) == named


@given(st.text(st.characters(max_codepoint=127)).filter(lambda text: text.replace("\n", "").isprintable()))
def test_plain_text_has_no_notes(text):
    assert notes(text) == []


def test_a_quoted_value_names_what_deceives_in_it():
    assert quoted("A100") == "'A100'"
    assert quoted("А100") == "'А100' (А is U+0410 CYRILLIC CAPITAL LETTER A)"
    assert quoted("A\u200b100") == "'A\\u200b100' (U+200B ZERO WIDTH SPACE)"
    assert (
        quoted("\u200b1\u0661") == "'\\u200b1\u0661' (U+200B ZERO WIDTH SPACE; \u0661 is U+0661 ARABIC-INDIC DIGIT ONE)"
    )
    assert [quoted(value) for value in (20.0, True, None)] == ["20.0", "True", "None"]


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("A100 ", "'A100 ' (a blank at the end)"),
        (" A100", "' A100' (a blank in front)"),
        (" ", "' ' (a blank in front; a blank at the end)"),
        ("A 100", "'A 100'"),
        ("A100\t", "'A100\\t'"),
        ("", "''"),
        (["\u0410100"], "['А100'] (А is U+0410 CYRILLIC CAPITAL LETTER A)"),
        ({"a\u200b": 1}, "{'a\\u200b': 1} (U+200B ZERO WIDTH SPACE)"),
        ({"a": [{"b": "x "}]}, "{'a': [{'b': 'x '}]} (a blank at the end)"),
        (["x ", "y "], "['x ', 'y '] (a blank at the end)"),
        (123456, "123456"),
        ("123456", "'123456'"),
    ],
)
def test_a_quoted_value_shows_its_type_and_names_what_deceives_anywhere_in_it(value, named):
    assert quoted(value) == named


@given(values)
def test_a_quoted_value_begins_as_python_writes_it_and_depends_on_the_value_alone(value):
    assert quoted(value).startswith(repr(value))
    assert quoted(value) == quoted(json.loads(json.dumps(value)))


@given(values | st.text().filter(is_whole))
def test_json_text_can_be_seen_and_read_back(value):
    text = json_text(value)
    assert text.isprintable()
    assert same(json.loads(text), value)


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [("wrong money", 11, "wrong money"), ("wrong money", 8, "wrong..."), ("wrong money", 3, "..."), ("", 3, "")],
)
def test_a_text_is_shortened_to_its_beginning(text, most, short):
    assert shortened(text, most) == short


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A100", '"A100"'),
        ('"\\\n\x7f', '"\\"\\\\\\n\\u007f"'),
        ("été и 値", '"été и 値"'),
        ("A\u200b1\u00a0", '"A\\u200b1\\u00a0"'),
        ("\u0410100 А", '"\\u0410100 А"'),
        ("é\n\U000e0041", '"é\\n\\udb40\\udc41"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_what_has_a_note_is_an_escape_in_json(text, written):
    assert escaped(text) == written


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_escaped_text_is_still_the_same_text(text):
    assert json.loads(escaped(text)) == text
    assert escaped(text).isprintable()
