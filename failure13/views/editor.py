"""The editor: what was said, and intent and do field by field. The editor is the diff."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from failure13.views import exact

if TYPE_CHECKING:
    from failure13.grid import GridRow

MOST_CHARACTERS = 20_000
MOST_TEXT = 100_000  # of a side as text, so that more than the 64 KiB that are read can be tried
PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*", re.ASCII)
FIELD, VALUE, MARK = 6, 7, 2  # columns of the grid's 24 that a cell takes; a row is a field, two values, two marks


@dataclass(frozen=True)
class Edits:
    """What to call when the visitor edits: each takes what was typed or pressed."""

    said: Callable[[str], None]
    cell: Callable[[str, str, str], None]
    side: Callable[[str, str], None]
    add: Callable[[], None]
    rename: Callable[[str, str], None]
    remove: Callable[[str], None]
    attempt: Callable[[int], None]


def show_steps(key: str, count: int, at: int, on_step: Callable[[int], None]) -> None:
    """Which of a scenario's steps is on screen."""
    st.session_state[key] = at
    st.radio(
        "Step",
        range(count),
        format_func=lambda index: f"Step {index + 1} of {count}",
        key=key,
        horizontal=True,
        label_visibility="collapsed",
        on_change=lambda: on_step(st.session_state[key]),
    )


def show_said(key: str, said: str, notes: Sequence[str], edits: Edits) -> None:
    """The sentence, to be edited, and the characters in it that deceive the eye."""
    st.markdown("**Said**, what the customer reads")
    _area(f"{key}/said", "Said", said, MOST_CHARACTERS, edits.said)
    for note in notes:
        exact.small(note)


def _area(key: str, label: str, text: str, most: int, on_text: Callable[[str], None]) -> None:
    # No max_chars: with its counter there, nothing would tell a text that has been taken from one that has not.
    typed = st.text_area(
        label,
        text,
        key=key,
        height=110,
        label_visibility="collapsed",
        persist_state="session",
        on_change=_take,
        args=(key, most, on_text),
    )
    _show_not_taken(typed or "", most)


def _take(key: str, most: int, on_text: Callable[[str], None]) -> None:
    if len(st.session_state[key]) <= most:
        on_text(st.session_state[key])


def _show_not_taken(typed: str, most: int) -> None:
    if len(typed) > most:
        exact.small(f"not taken: {len(typed)} characters, and at most {most} are")


def show_grid(key: str, rows: Sequence["GridRow"], declared: bool, edits: Edits) -> None:
    """A row per field: its name, the intent's value, a mark, the call's value, and a way to remove it."""
    grid = st.grid(24, min_column_width=8, wrap=False, gap=4)
    grid.cell(column_span=FIELD).markdown("**Field**")
    grid.cell(column_span=VALUE + MARK).markdown("**Intent**, declared" if declared else "**Intent**, none (null)")
    grid.cell(column_span=VALUE + MARK).markdown("**Do**, called")
    for number, row in enumerate(rows):
        _show_row(grid, f"{key}/{number}", number, row, [other.field for other in rows], edits)


def _show_row(grid: Any, key: str, number: int, row: "GridRow", fields: Sequence[str], edits: Edits) -> None:
    # A label is markdown even where it is hidden, so a name that is more than a plain word must not become one.
    name = row.field if PLAIN_NAME.fullmatch(row.field) else f"row {number + 1}"
    with grid.cell(column_span=FIELD):
        typed = _input(f"{key}/field", f"name of {name}", row.field, lambda text: edits.rename(row.field, text))
        if typed != row.field:
            why = "is taken by another row" if typed in fields else "is no name"
            exact.small(f'"{typed}" {why}; this is still {row.field}')
    with _cell_of(grid, row.intent_notes):
        _value(
            f"{key}/intent", f"intent {name}", row.intent, row.intent_notes, partial(edits.cell, "intent", row.field)
        )
    with grid.cell(column_span=MARK):
        exact.mark(row.differs)
    with _cell_of(grid, row.do_notes):
        _value(f"{key}/do", f"do {name}", row.do, row.do_notes, partial(edits.cell, "do", row.field))
    grid.cell(column_span=MARK).button(
        f"Remove {name}",
        key=f"{key}/f13-icon-remove",
        icon=":material/close:",
        help="Remove this field",
        type="tertiary",
        width="stretch",
        on_click=edits.remove,
        args=(row.field,),
    )


def _cell_of(grid: Any, notes: Sequence[str]) -> Any:
    cell = grid.cell(column_span=VALUE)
    return cell.container(gap=None) if notes else cell  # a note stands close to its value


def _value(key: str, label: str, text: str, notes: Sequence[str], on_text: Callable[[str], None]) -> None:
    typed = _input(key, label, text, on_text, live="80ms")
    _show_not_taken(typed, MOST_CHARACTERS)
    if notes:
        exact.small(", ".join(notes))


def _input(key: str, label: str, text: str, on_text: Callable[[str], None], live: Any = False) -> str:
    # No max_chars: its counter would stand over the value in so small a field.
    typed = st.text_input(
        label,
        text,
        key=key,
        live=live,
        label_visibility="collapsed",
        autocomplete="off",
        placeholder="absent",
        persist_state="session",
        on_change=_take,
        args=(key, MOST_CHARACTERS, on_text),
    )
    return typed or ""


def show_raw_switch(key: str, raw: bool, on_raw: Callable[[bool], None]) -> None:
    """Whether both sides are shown as the text a model sent, rather than field by field."""
    st.session_state[key] = raw
    st.toggle("Raw JSON", key=key, on_change=lambda: on_raw(st.session_state[key]))


def show_texts(key: str, intent: str, do: str, notes: Sequence[str], edits: Edits) -> None:
    """Both sides as the text a model sent, to be edited, and what strict reading says of each."""
    for column, side, text in zip(st.columns(2), ("intent", "do"), (intent, do), strict=True):
        with column:
            st.markdown("**Intent**, as it was sent" if side == "intent" else "**Do**, as it was sent")
            _area(f"{key}/{side}/text", f"{side} as JSON text", text, MOST_TEXT, partial(edits.side, side))
    for note in notes:
        exact.small(note)


def show_edits(key: str, tries: Sequence[str], can_add: bool, edits: Edits) -> None:
    """What can be done in one click: add a field, and make the edits worth trying."""
    if can_add:
        st.button("Add field", icon=":material/add:", key=f"{key}/add", type="tertiary", on_click=edits.add)
    if tries:
        st.caption("Try:", width="content")
    for number, label in enumerate(tries):
        st.button(label, key=f"{key}/try/{number}", on_click=edits.attempt, args=(number,))


def show_changes(changes: Sequence[tuple[str, str, str]]) -> None:
    """What the step on screen changed, as (place, before, after)."""
    if changes:
        exact.small("Changed: " + "; ".join(f"{place} {_short(was)} → {_short(now)}" for place, was, now in changes))


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
