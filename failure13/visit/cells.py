"""A cell of the grid: what is typed becomes a JSON value, and a value becomes what can be typed."""

from typing import Any

from failure13.calls import Unreadable, read_value
from failure13.characters import json_text
from failure13.compare import same

KINDS = {
    "bool": "true/false",
    "int": "whole number",
    "float": "number",
    "str": "text",
    "dict": "object",
    "list": "list",
}


def read(text: str) -> Any:
    """The value a cell's text stands for: the JSON literal it spells, else the text itself.

    Examples: '20.00' -> 20.0, '"20.00"' -> "20.00", 'A100' -> "A100", 'true' -> True, 'NaN' -> "NaN"

    An empty cell means that the field is absent, so it is not for this function to read.
    """
    try:
        return read_value(text, half_pairs=True)
    except Unreadable:
        return text


def write(value: Any) -> str:
    """The text that `read` turns back into `value`, type included.

    Examples: 20.0 -> '20.0', "20.00" -> '"20.00"', "A100" -> 'A100'

    A text with characters that cannot be seen is written with escapes, so that they can: "A\\u200b100" in quotes.
    """
    if isinstance(value, str):
        plain = value.isprintable() and value != "" and same(read(value), value)
        return value if plain else json_text(value)
    return json_text(value)


def as_sent(side: Any) -> str:
    """A side of a step as a person reads it: the text that a model sent as it is, anything else as JSON text."""
    return side if isinstance(side, str) else json_text(side)


def kind(value: Any) -> str:
    """The JSON type of a value in a word, such as 20.0 -> "number"; shown where two values differ by type alone."""
    return KINDS.get(type(value).__name__, "null")
