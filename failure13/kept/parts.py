"""The parts of a visitor that are kept key by key. To keep one more dict or set of theirs, add a row to PARTS."""

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

from failure13.guards import GUARDS
from failure13.kept import forms
from failure13.scenarios import from_data, mistakes, to_json
from failure13.visit.lessons import Progress
from failure13.visit.visitor import MOST_OWN, Visitor

OWN_ID = re.compile(r"own-[a-z0-9-]*-[0-9a-f]{8}")  # as Visitor.take makes them


class Part(NamedTuple):
    """How a part of a visitor becomes a JSON value per key, and how such a value, or null for none, goes back in.

    `put` raises ValueError for a key or a value of another form, and then leaves the visitor as it was.
    """

    values: Callable[[Visitor], dict[str, Any]]
    put: Callable[[Visitor, str, Any], None]


def _guards_off(visitor: Visitor) -> dict[str, Any]:
    return dict.fromkeys(visitor.guards_off, True)


def _put_guard_off(visitor: Visitor, key: str, value: Any) -> None:
    name = forms.one_of(GUARDS)(key)
    off = value is not None and forms.yes_or_no(value)
    (visitor.guards_off.add if off else visitor.guards_off.discard)(name)


def _own(visitor: Visitor) -> dict[str, Any]:
    return dict(visitor.own)


def _put_own(visitor: Visitor, key: str, value: Any) -> None:
    if not OWN_ID.fullmatch(key):
        raise ValueError("expected the id of a scenario of a visitor's own")
    if value is not None:
        if mistakes(value):
            raise ValueError("expected a scenario without mistakes")
        to_json(from_data(key, value))  # raises a ValueError for what no file can hold
    visitor.own.pop(key, None)
    if value is not None:
        visitor.own[key] = value
    for oldest in list(visitor.own)[:-MOST_OWN]:
        del visitor.own[oldest]


def _texts(visitor: Visitor) -> dict[str, Any]:
    return {"opened": visitor.opened or None, "writing": visitor.writing}


def _put_text(visitor: Visitor, key: str, value: Any) -> None:
    given = None if value is None else forms.text(value)
    if forms.one_of(("opened", "writing"))(key) == "opened":
        visitor.opened = given or ""
    else:
        visitor.writing = given


def _lessons(visitor: Visitor) -> dict[str, Any]:
    return {"all": asdict(visitor.lessons)} if visitor.lessons != Progress() else {}


def _put_lessons(visitor: Visitor, key: str, value: Any) -> None:
    forms.one_of(("all",))(key)
    visitor.lessons = Progress() if value is None else forms.progress(value)


PARTS = {
    "guards_off": Part(_guards_off, _put_guard_off),
    "own": Part(_own, _put_own),
    "text": Part(_texts, _put_text),
    "lessons": Part(_lessons, _put_lessons),
}
