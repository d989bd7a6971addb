"""A call's JSON text, read strictly: RFC 8259, with no doubt left about what it says.

`json.loads` takes the last of two equal keys and makes a number of NaN; code that moves money must not. Nothing here
repairs: a text either is one object or is refused with the line and column where it stops being one.
"""

import json
import math
import re
from typing import Any, TypeGuard

MOST_BYTES = 64 * 1024
MOST_LEVELS = 64
MOST_DIGITS = 4300  # of a whole number: Python's own limit for turning digits into one
BLANKS = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
# A text without its closing quote, so that a match ends where the text stops being one.
TEXT = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*')
LITERALS = {"true": True, "false": False, "null": None}
NAMES = {"list": "a list", "str": "a text", "bool": "true or false", "NoneType": "null"}


class Unreadable(ValueError):
    """Why a text cannot be read, with the `line` and `column` (both from 1) where reading stopped."""

    def __init__(self, why: str, text: str, at: int) -> None:
        self.why = why
        self.line = text.count("\n", 0, at) + 1
        self.column = at - text.rfind("\n", 0, at)
        super().__init__(f"line {self.line}, column {self.column}: {why}")


def read(text: str) -> dict[str, Any]:
    """The object that `text` spells, such as '{"amount": 20.0}' -> {"amount": 20.0}.

    Raises Unreadable for anything but one object of at most 64 KiB and 64 levels, and for what two readers could read
    differently: a key that stands twice, NaN, a number beyond a float's range, half a surrogate pair.
    """
    value = read_value(text)
    if not is_object(value):
        start = len(text) - len(text.lstrip())
        raise Unreadable(f"expected an object, found {NAMES.get(type(value).__name__, 'a number')}", text, start)
    return value


def read_side(side: Any) -> dict[str, Any]:
    """One side of a step, its JSON text or the object itself, as a fresh object; raises Unreadable as `read` does.

    An object goes through its own text, so that the same rules hold: no NaN, no half surrogate pair, at most 64 levels.
    """
    if isinstance(side, str):
        return read(side)
    try:
        return read(json.dumps(side, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"no JSON can be made of it ({error})", "", 0) from None


def read_value(text: str, most_bytes: int = MOST_BYTES, half_pairs: bool = False) -> Any:
    """The one JSON value that `text` spells, read as strictly as `read` does; raises Unreadable.

    With `half_pairs`, half a surrogate pair is let through, as `json.loads` does.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > most_bytes:
        raise Unreadable(f"expected at most {most_bytes // 1024} KiB, found {size} bytes", text, 0)
    reader = _Reader(text, half_pairs)
    value, at = reader.value_at(reader.skip(0), 1)
    at = reader.skip(at)
    if at < len(text):
        raise reader.expected("the end", at)
    return value


def read_plainly(side: Any) -> Any:
    """One side of a step as broken.py and fixed.py read it: the last of two equal keys wins, and NaN is a number."""
    return json.loads(side) if isinstance(side, str) else side


def plain_object(side: Any) -> dict[str, Any] | None:
    """The object that a side of a step spells, read plainly; None where it spells none."""
    try:
        value = read_plainly(side)
    except (RecursionError, ValueError):
        return None
    return value if is_object(value) else None


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


class _Reader:
    """Each method reads one thing of `text` that starts at `at`, and returns it with the place after it."""

    def __init__(self, text: str, half_pairs: bool) -> None:
        self.text = text
        self.half_pairs = half_pairs

    def skip(self, at: int) -> int:
        blanks = BLANKS.match(self.text, at)
        return blanks.end() if blanks else at

    def value_at(self, at: int, level: int) -> tuple[Any, int]:
        if self.text[at : at + 1] in ("{", "["):
            if level > MOST_LEVELS:
                raise Unreadable(f"expected at most {MOST_LEVELS} levels", self.text, at)
            return (self.object_at if self.text[at] == "{" else self.list_at)(at, level)
        if self.text[at : at + 1] == '"':
            return self.string_at(at)
        for word, value in LITERALS.items():
            if self.text.startswith(word, at):
                return value, at + len(word)
        return self.number_at(at)

    def object_at(self, at: int, level: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "}":
            return found, at + 1
        while True:
            if self.text[at : at + 1] != '"':
                raise self.expected("a key in double quotes", at)
            start = at
            key, at = self.string_at(at)
            if key in found:
                raise Unreadable(f"the key {json.dumps(key)} stands twice", self.text, start)
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise self.expected("':'", at)
            found[key], at = self.value_at(self.skip(at + 1), level + 1)
            at, more = self.more(at, "}")
            if not more:
                return found, at

    def list_at(self, at: int, level: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "]":
            return found, at + 1
        while True:
            value, at = self.value_at(at, level + 1)
            found.append(value)
            at, more = self.more(at, "]")
            if not more:
                return found, at

    def more(self, at: int, closing: str) -> tuple[int, bool]:
        at = self.skip(at)
        if self.text[at : at + 1] not in (",", closing):
            raise self.expected(f"',' or '{closing}'", at)
        return (at + 1, False) if self.text[at] == closing else (self.skip(at + 1), True)

    def string_at(self, at: int) -> tuple[str, int]:
        match = TEXT.match(self.text, at)
        end = match.end() if match else at
        if self.text[end : end + 1] != '"':
            raise self.expected("more of a text or its closing quote", end)
        value: str = json.loads(self.text[at : end + 1])
        if not self.half_pairs and any("\ud800" <= character <= "\udfff" for character in value):
            raise Unreadable("half a surrogate pair is no character", self.text, at)
        return value, end + 1

    def number_at(self, at: int) -> tuple[int | float, int]:
        match = NUMBER.match(self.text, at)
        if match is None:
            raise self.expected("a value", at)
        digits = match.group()
        if match.group(1) is None and match.group(2) is None:
            size = len(digits.lstrip("-"))
            if size > MOST_DIGITS:
                raise Unreadable(f"expected a number of at most {MOST_DIGITS} digits, found {size}", self.text, at)
            return int(digits), match.end()
        if not math.isfinite(float(digits)):
            raise Unreadable(f"the number {digits[:20]} is beyond what a float can hold", self.text, at)
        return float(digits), match.end()

    def expected(self, what: str, at: int) -> Unreadable:
        found = repr(self.text[at : at + 12]) if at < len(self.text) else "the end"
        return Unreadable(f"expected {what}, found {found}", self.text, at)
