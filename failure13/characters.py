"""Characters that deceive the eye: those that cannot be seen, and those that look like others."""

import re
import unicodedata


def visible(text: str) -> str:
    """`text` with each character that cannot be seen spelled out, lines and tabs aside: "A\\u200b1" -> "A⟨U+200B⟩1"."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"⟨U+{ord(c):04X}⟩" for c in text)


def notes(text: str) -> list[str]:
    """A note for each character of `text` that cannot be seen or looks like another, in order and once each.

    Example: "\\u0410100" -> ["А is U+0410 CYRILLIC CAPITAL LETTER A"]

    A look-alike is what Unicode knows as another form of an ASCII character, and a letter or digit that stands in one
    word with ASCII and is not of the Latin script; a word all in another script is just a word.
    """
    found: dict[str, str] = {}
    for word in re.findall(r"\w+|\W", text):
        mixed = any(c.isascii() for c in word)
        for c in word:
            name = unicodedata.name(c, "a character without a name")
            if not c.isprintable() and c not in "\n\t":
                found[c] = f"U+{ord(c):04X} {name}"
            elif not c.isascii() and (_is_ascii_form(c) or (mixed and not name.startswith("LATIN"))):
                found[c] = f"{c} is U+{ord(c):04X} {name}"
    return list(found.values())


def _is_ascii_form(character: str) -> bool:
    form = unicodedata.normalize("NFKC", character)
    return len(form) == 1 and form.isascii()


def quoted(value: object) -> str:
    """`value` as an objection quotes it, `repr` with its deceiving characters named: 'А100' (А is U+0410 ...)."""
    named = notes(value) if isinstance(value, str) else []
    return repr(value) + (f" ({'; '.join(named)})" if named else "")
