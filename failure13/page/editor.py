"""The editor: what was said, and intent and do field by field."""

import contextlib
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from failure13 import calls
from failure13.characters import notes, shortened
from failure13.page import about, exact
from failure13.page.session import era
from failure13.scenarios import most_characters
from failure13.visit import cells, grid
from failure13.visit.grid import Change, GridRow
from failure13.visit.visit import Visit

PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*", re.ASCII)
FIELD, VALUE, MARK = 6, 7, 2  # columns of the grid's 24 that a cell takes; a row is a field, two values, two marks


def show(visit: Visit) -> None:
    """Which step is on screen, where there are several, and its three parts to be edited."""
    work = visit.work
    if len(work.steps) > 1:
        _show_steps(visit)
    # Typing keeps a field as it is; whatever else brought this edit on screen draws the fields anew.
    key = f"{era()}/{visit.scenario.id}/{work.step}/{work.now.revision}"
    left, right = st.columns((1, 2.6), gap="small")
    with left.container(border=True, gap="xsmall", height="stretch"):
        _show_said(key, visit)
    with right.container(border=True, gap="xxsmall", height="stretch"):
        if grid.is_text(visit.step):
            _show_texts(key, visit)
        else:
            _show_grid(key, visit)
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            _show_buttons(key, visit)
            about.show_why(visit)
        if why := visit.no_refund_call():
            exact.line(why)
        if changes := visit.changes():
            exact.small(f"Changed: {'; '.join(map(_in_words, changes))}")


def _in_words(change: Change) -> str:
    return f"{change.place} {shortened(change.before, 40)} → {shortened(change.after, 40)}"


def _show_steps(visit: Visit) -> None:
    key, count = f"{visit.scenario.id}/step", len(visit.work.steps)
    st.session_state[key] = visit.work.step
    st.radio(
        "Step",
        range(count),
        format_func=lambda index: f"Step {index + 1} of {count}",
        key=key,
        horizontal=True,
        label_visibility="collapsed",
        on_change=lambda: setattr(visit.work, "step", st.session_state[key]),
    )


def _show_said(key: str, visit: Visit) -> None:
    st.markdown("**Said**, what the customer reads")
    said = visit.step["said"]
    _area(f"{key}/said", "Said", said, most_characters("text"), visit.work.say)
    for note in notes(said):
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


def _show_grid(key: str, visit: Visit) -> None:
    step = visit.step
    table = st.grid(24, min_column_width=8, wrap=False, gap=4)
    table.cell(column_span=FIELD).markdown("**Field**")
    declared = "declared" if step["intent"] is not None else "none (null)"
    called = "called" if step["do"] is not None else "none (null): no call"
    table.cell(column_span=VALUE + MARK).markdown(f"**Intent**, {declared}")
    table.cell(column_span=VALUE + MARK).markdown(f"**Do**, {called}")
    for number, row in enumerate(visit.rows()):
        _show_row(table, f"{key}/{number}", number, row, visit)


def _show_row(table: Any, key: str, number: int, row: GridRow, visit: Visit) -> None:
    # A label is markdown even where it is hidden, so a name that is more than a plain word must not become one.
    name = row.field if PLAIN_NAME.fullmatch(row.field) else f"row {number + 1}"
    with table.cell(column_span=FIELD):
        typed = _input(f"{key}/field", f"name of {name}", row.field, partial(visit.work.rename_field, row.field))
        if typed != row.field:
            why = "is taken by another row" if typed in visit.work.fields else "is no name"
            exact.small(f'"{typed}" {why}; this is still {row.field}')
    with _cell_of(table, row.intent_notes):
        _show_value(f"{key}/intent", f"intent {name}", row, "intent", visit)
    with table.cell(column_span=MARK):
        exact.mark(row.differs)
    with _cell_of(table, row.do_notes):
        _show_value(f"{key}/do", f"do {name}", row, "do", visit)
    table.cell(column_span=MARK).button(
        f"Remove {name}",
        key=f"{key}/f13-icon-remove",
        icon=":material/close:",
        help="Remove this field",
        type="tertiary",
        width="stretch",
        on_click=visit.work.remove_field,
        args=(row.field,),
    )


def _cell_of(table: Any, notes: Sequence[str]) -> Any:
    cell = table.cell(column_span=VALUE)
    return cell.container(gap=None) if notes else cell  # a note stands close to its value


def _show_value(key: str, label: str, row: GridRow, side: str, visit: Visit) -> None:
    text, deceiving = (row.intent, row.intent_notes) if side == "intent" else (row.do, row.do_notes)
    typed = _input(key, label, text, partial(visit.work.set_cell, side, row.field), live="80ms")
    _show_not_taken(typed, most_characters("text"))
    if deceiving:
        exact.small(", ".join(deceiving))


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
        args=(key, most_characters("text"), on_text),
    )
    return typed or ""


def _show_texts(key: str, visit: Visit) -> None:
    texts = grid.as_text(visit.step)
    for column, side in zip(st.columns(2), grid.SIDES, strict=True):
        with column:
            st.markdown("**Intent**, as it was sent" if side == "intent" else "**Do**, as it was sent")
            text = cells.as_sent(texts[side])
            _area(
                f"{key}/{side}/text",
                f"{side} as JSON text",
                text,
                most_characters("json_string"),
                partial(visit.work.set_side, side),
            )
    notes = grid.unreadable(visit.step)
    for note in [*notes, *(["Fields can show only what reads as one object."] if notes else [])]:
        exact.small(note)


def _show_buttons(key: str, visit: Visit) -> None:
    raw, work = grid.is_text(visit.step), visit.work
    if not raw:
        st.button("Add field", icon=":material/add:", key=f"{key}/add", type="tertiary", on_click=work.add_field)
    if visit.scenario.tries:
        st.caption("Try:", width="content")
    for number, one in enumerate(visit.scenario.tries):
        st.button(one["label"], key=f"{key}/try/{number}", on_click=work.attempt, args=(one,))
    st.session_state[f"{key}/raw"] = raw
    st.toggle("Raw JSON", key=f"{key}/raw", on_change=lambda: _switch_raw(visit, st.session_state[f"{key}/raw"]))


def _switch_raw(visit: Visit, raw: bool) -> None:
    """Show the sides as text or as fields; text that is no object stays text, and its notes say why."""
    if raw:
        visit.work.use_text()
    else:
        with contextlib.suppress(calls.Unreadable):
            visit.work.use_fields()
