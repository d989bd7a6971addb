"""A scenario as the text of its file, laid out as the pack is."""

import json
from typing import Any

from failure13.calls import is_list, is_object
from failure13.characters import escaped

WIDTH = 120


def laid_out(data: Any) -> str:
    """`data` as JSON text: an object or list stands on one line that has at most 120 columns, else one entry a line.

    The outermost is always broken. What deceives the eye is an escape, so that a reader sees it. Raises ValueError for
    NaN and infinity, TypeError for what is no JSON value, and RecursionError for what is nested too deeply.
    """
    return _laid_out(data, used=WIDTH) + "\n"


def _laid_out(value: Any, used: int, indent: str = "") -> str:
    """`used` is how many columns of its line are taken, by what stands before the value and the comma after it."""
    if isinstance(value, str):
        return escaped(value)
    if is_object(value):
        entries, (opening, closing) = [(f"{escaped(key)}: ", inner) for key, inner in value.items()], "{}"
    elif is_list(value):
        entries, (opening, closing) = [("", inner) for inner in value], "[]"
    else:
        return json.dumps(value, allow_nan=False)
    deeper = indent + "  "
    parts = [key + _laid_out(inner, len(deeper + key) + 1, deeper) for key, inner in entries]
    line = f"{opening}{', '.join(parts)}{closing}"
    if used + len(line) <= WIDTH or not parts:
        return line
    lines = f",\n{deeper}".join(parts)
    return f"{opening}\n{deeper}{lines}\n{indent}{closing}"
