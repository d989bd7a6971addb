"""What a stored JSON value must look like: each form hands back the value, or raises ValueError where it is another.

A key that is missing is read as null, which is none of these forms.
"""

import math
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from failure13 import Ledger, Row
from failure13.agents import AGENTS
from failure13.calls import is_list, is_object
from failure13.visit.lessons import CHOICES, MOST_HANDS, Progress

T = TypeVar("T")
Form = Callable[[Any], T]


def text(value: Any) -> str:
    """A text that a page can show, and so without half a surrogate pair."""
    if not isinstance(value, str):
        raise ValueError("expected a text")
    value.encode()  # raises a ValueError for half a pair
    return value


def yes_or_no(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def whole(value: Any, least: int = 0, most: float = math.inf) -> int:
    """A whole number from `least` to `most`; true is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"expected a whole number from {least} to {most}")
    return value


def an_object(value: Any) -> dict[str, Any]:
    """An object."""
    if not is_object(value):
        raise ValueError("expected an object")
    return value


def a_list(value: Any) -> list[Any]:
    """A list."""
    if not is_list(value):
        raise ValueError("expected a list")
    return value


def names(value: Any) -> list[str]:
    """A list of texts, none of which stands in it twice."""
    found = each(text)(value)
    if len(set(found)) < len(found):
        raise ValueError("expected no name twice")
    return found


def one_of(allowed: Collection[str]) -> Form[str]:
    """A text that is one of those allowed."""

    def form(value: Any) -> str:
        if text(value) not in allowed:
            raise ValueError(f"expected one of {', '.join(allowed)}")
        return value

    return form


def each(inner: Form[T]) -> Form[list[T]]:
    """A list in which each value has the inner form."""
    return lambda value: [inner(one) for one in a_list(value)]


def by(key: Form[str], inner: Form[T]) -> Form[dict[str, T]]:
    """An object in which each key and each value has its form."""
    return lambda value: {key(name): inner(one) for name, one in an_object(value).items()}


def ledger(value: Any) -> Ledger:
    """A ledger, whose rows JSON has as lists: [["A101", 200.0]] -> [("A101", 200.0)]."""
    return each(_row)(value)


def _row(value: Any) -> Row:
    match a_list(value):
        case [order_id, amount]:
            return (order_id, _number(amount))
        case [order_id, amount, further]:
            return (order_id, _number(amount), an_object(further))
        case _:
            raise ValueError("expected an order, an amount and perhaps further arguments")


def _number(value: Any) -> int | float:
    """A finite number; true is one here, for a payment tool takes it for 1."""
    if not isinstance(value, int | float) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError("expected a finite number")
    return value


def _beat(value: Any) -> int:
    return whole(value, least=1)


def _hands(value: Any) -> int:
    return whole(value, most=MOST_HANDS)


_choice, _agent = one_of(CHOICES), one_of(AGENTS)
PROGRESS: dict[str, Form[Any]] = {
    "place": text,
    "beat": _beat,
    "predictions": by(text, by(_agent, _choice)),
    "hands": by(text, by(_agent, by(_choice, _hands))),
    "locked": names,
    "done": names,
    "presenter": yes_or_no,
    "challenged": yes_or_no,
    "answer_seen": yes_or_no,
}
RENAMED = {"fixed": "locked", "told": "answer_seen"}  # keys of Progress that were called otherwise once


def progress(value: Any) -> Progress:
    """How far a visitor is in Learn; a key that is left out gets its default, for it may be newer than the event."""
    given = {RENAMED.get(key, key): one for key, one in an_object(value).items()}
    if not given.keys() <= PROGRESS.keys():
        raise ValueError(f"expected {', '.join(PROGRESS)} and no more")
    return Progress(**{key: PROGRESS[key](one) for key, one in given.items()})
