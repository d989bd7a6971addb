"""A step as rows, one per field of intent or do, and the edits a visitor makes to it. Every edit gives a new step."""

import contextlib
import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from failure13 import Call, calls, fixed
from failure13.characters import deceits
from failure13.scenarios import most_fields
from failure13.visit import cells

SIDES = ("intent", "do")
Answered = Mapping[str, Any]  # what has both sides: a step, or the second answer in it


class Full(ValueError):
    """Why a side cannot have that many fields, and the way out."""

    def __init__(self, fields: int) -> None:
        super().__init__(
            f"at most {most_fields()} fields can be shown, and this would be {fields}: use raw JSON instead"
        )


@dataclass(frozen=True)
class GridRow:
    """One field: its cells as text ("" where it is absent), whether they differ as `diff_intent` sees it, and notes.

    The notes of a cell name its JSON type where the sides differ by type, and every character that deceives the eye.
    """

    field: str
    intent: str
    do: str
    differs: bool
    intent_notes: list[str]
    do_notes: list[str]


class Change(NamedTuple):
    """What changed at one place of a step, such as "do.amount", with its values as cells write them."""

    place: str
    before: str
    after: str


def fields(step: Answered) -> list[str]:
    """The fields of a step's intent and do, in order of appearance; a side that is text or null has none."""
    return list(dict.fromkeys(field for side in SIDES for field in _side(step, side)))


def is_text(step: Answered) -> bool:
    """Whether a side of the step is the text a model sent, which no grid can show."""
    return any(isinstance(step[side], str) for side in SIDES)


def rows(step: Answered, names: Sequence[str]) -> list[GridRow]:
    """A row for each field of `names`, which may hold fields that neither side has yet."""
    return [_row(field, _side(step, "intent"), _side(step, "do")) for field in names]


def differs(field: str, intent: Call, do: Call) -> bool:
    """Whether `diff_intent` finds a difference in one field."""
    return bool(fixed.diff_intent(*({field: side[field]} if field in side else {} for side in (intent, do))))


def differences(step: Answered) -> list[tuple[str, str, str]]:
    """Each field that differs as (field, intended, did), with "absent" for no field.

    Texts are read as broken and fixed read them; a step with a side that is no object has no fields to differ in.
    """
    intent, do = (calls.plain_object(step[side]) for side in SIDES)
    if intent is None or do is None:
        return []
    names = sorted({*intent, *do})
    return [(name, _written(name, intent), _written(name, do)) for name in names if differs(name, intent, do)]


def _written(field: str, side: Mapping[str, Any]) -> str:
    return cells.write(side[field]) if field in side else "absent"


def _row(field: str, intent: Call, do: Call) -> GridRow:
    different = differs(field, intent, do)
    kinds = [cells.kind(side[field]) if field in side else "absent" for side in (intent, do)]
    apart = kinds[0] != kinds[1] and (not different or "absent" not in kinds)
    return GridRow(
        field=field,
        intent=cells.write(intent[field]) if field in intent else "",
        do=cells.write(do[field]) if field in do else "",
        differs=different,
        intent_notes=kinds[:1] * apart + _deceiving(intent.get(field)),
        do_notes=kinds[1:] * apart + _deceiving(do.get(field)),
    )


def _deceiving(value: Any) -> list[str]:
    return deceits(value) if isinstance(value, str) else []


def _side(step: Mapping[str, Any], side: str) -> Call:
    return step[side] if calls.is_object(step[side]) else {}


def with_cell(step: Answered, side: str, field: str, text: str) -> Any:
    """The step with a cell typed: '20.00' sets a number, '"20.00"' a text, and an empty cell takes the field away."""
    changed = dict(_side(step, side))
    if text == "":
        changed.pop(field, None)
    else:
        changed[field] = cells.read(text)
    return with_side(step, side, changed)


def with_side(step: Answered, side: str, value: Call | str | None) -> Any:
    """The step with all of `intent` or `do` replaced, by an object or by the text a model sent."""
    changed: Any = {**copy.deepcopy(step), side: value}
    return changed


def renamed(step: Answered, old: str, new: str) -> Any:
    """The step with a field named anew on both sides, in its place."""
    for side in SIDES:
        fields = _side(step, side)
        if old in fields:
            step = with_side(step, side, {new if name == old else name: value for name, value in fields.items()})
    return step


def without(step: Answered, field: str) -> Any:
    """The step without a field on either side."""
    for side in SIDES:
        if field in _side(step, side):
            step = with_cell(step, side, field, "")
    return step


def as_text(step: Answered) -> Any:
    """The step with both sides as JSON text, the way a model sends them; where nothing was called there is no text."""
    for side in SIDES:
        if not isinstance(step[side], str) and (side == "intent" or step[side] is not None):
            step = with_side(step, side, json.dumps(step[side], indent=2))
    return step


def as_fields(step: Answered) -> Any:
    """The step with both sides as objects, read strictly, a null intent as null; raises Unreadable, or Full."""
    for side in SIDES:
        text = step[side]
        if isinstance(text, str):
            value = _spelled(side, text)
            if value is not None and len(value) > most_fields():
                raise Full(len(value))
            step = with_side(step, side, value)
    return step


def _spelled(side: str, text: str) -> Call | None:
    return None if side == "intent" and text.strip() == "null" else calls.read(text)


def unreadable(step: Answered) -> list[str]:
    """Why a side of the step cannot be read strictly, with line and column, a sentence for each side that cannot."""
    sentences: list[str] = []
    for side in SIDES:
        try:
            if side == "intent" or step[side] is not None:  # where nothing was called there is nothing to read
                calls.read_side(step[side])
        except calls.Unreadable as error:
            sentences.append(f"{side}: {error}")
    return sentences


def content(step: Answered) -> Any:
    """The step with each side that is text as the object it spells; a text that spells none stays as it is."""
    for side in SIDES:
        text = step[side]
        if isinstance(text, str):
            with contextlib.suppress(calls.Unreadable):
                step = with_side(step, side, _spelled(side, text))
    return step


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """What changed between two steps: [("do.amount", "200.0", "20.0")], [("retry.do.amount", "45.0", "20.0")]."""
    found: list[Change] = []
    for part in dict.fromkeys(["said", *SIDES, *before, *after]):
        old, new = before.get(part), after.get(part)
        if calls.is_object(old) and calls.is_object(new):
            nested = changes(old, new) if part == "retry" else _changed_fields(old, new)
            found += [change._replace(place=f"{part}.{change.place}") for change in nested]
        elif old != new:
            found.append(Change(part, _written(part, before), _written(part, after)))
    return found


def _changed_fields(before: Call, after: Call) -> list[Change]:
    written = [Change(name, _written(name, before), _written(name, after)) for name in dict.fromkeys([*before, *after])]
    return [change for change in written if change.before != change.after]
