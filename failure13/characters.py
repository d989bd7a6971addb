"""Characters that deceive the eye: those that cannot be seen, and those that look like others."""

import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import chain
from typing import Any

from failure13.calls import is_list, is_object

BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # these show nothing, though `isprintable` calls them printable


def visible(text: str) -> str:
    """`text` with each character that cannot be seen spelled out, lines and tabs aside: "A\\u200b1" -> "A⟨U+200B⟩1"."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"⟨U+{ord(c):04X}⟩" if _is_unseen(c) else c for c in text)


def notes(text: str) -> list[str]:
    """A note for each character of `text` that cannot be seen or looks like another, in order and once each.

    Example: "\\u0410100" -> ["А is U+0410 CYRILLIC CAPITAL LETTER A"]

    A look-alike is what Unicode knows as another form of an ASCII character, and a letter, digit or mark that stands in
    one word with an ASCII letter or digit and is not of the Latin script; a word all in another script is just a word.
    A word ends at a blank, so that "АВ-100" is one.
    """
    if text.isascii() and text.isprintable():
        return []
    return list({c: note for c, note in _noted(text) if note}.values())


def _noted(text: str) -> Iterator[tuple[str, str]]:
    """Each character of `text` with the note on it, "" where there is nothing to note."""
    for word in re.findall(r"\S+|\s", text):
        mixed = any(c.isascii() and c.isalnum() for c in word)
        for c in word:
            name, is_mark = unicodedata.name(c, "a character without a name"), unicodedata.category(c).startswith("M")
            foreign = mixed and (c.isalnum() or is_mark) and not name.startswith("LATIN")
            if _is_unseen(c) or (foreign and is_mark):
                yield c, f"U+{ord(c):04X} {name}"
            elif not c.isascii() and (_is_ascii_form(c) or foreign):
                yield c, f"{c} is U+{ord(c):04X} {name}"
            else:
                yield c, ""


def deceits(text: str) -> list[str]:
    """All that deceives the eye in a short text such as an id: its `notes`, and a blank in front or at the end."""
    blanks = ["a blank in front"] * text.startswith(" ") + ["a blank at the end"] * text.endswith(" ")
    return [*notes(text), *blanks]


def _is_unseen(character: str) -> bool:
    return character in BLANK or not (character.isprintable() or character in "\n\t")


def _is_ascii_form(character: str) -> bool:
    form = unicodedata.normalize("NFKC", character)
    return len(form) == 1 and form.isascii()


def quoted(value: object) -> str:
    """`value` as an objection quotes it, `repr` with what deceives the eye named: 'А100' (А is U+0410 ...).

    A blank in front or at the end is named, and so is all this for the texts inside an object or a list.
    """
    named = [note for text in _texts(value) for note in deceits(text)]
    return repr(value) + (f" ({'; '.join(dict.fromkeys(named))})" if named else "")


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = chain.from_iterable(value.items()) if is_object(value) else value if is_list(value) else ()
    return [text for each in inner for text in _texts(each)]


def json_text(value: Any) -> str:
    """A value as JSON text in which every character that cannot be seen is an escape."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def escaped(text: str) -> str:
    """`text` as a JSON string in which what `notes` has a note for is an escape: "\u0410100" -> '"\\u0410100"'."""
    if text.isascii():
        return json.dumps(text)
    return f'"{"".join(json.dumps(c, ensure_ascii=note != "")[1:-1] for c, note in _noted(text))}"'


def shortened(text: str, most: int) -> str:
    """`text`, or its beginning and "..." where it has more than `most` characters: ("wrong money", 8) -> "wrong..."."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
