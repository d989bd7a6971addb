import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.characters import notes, quoted, visible


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
    assert [quoted(value) for value in (20.0, True, None, ["А"])] == ["20.0", "True", "None", "['А']"]
