"""Which scenario is on screen: the title of the page, a picker, and what takes an edit back."""

from collections.abc import Callable, Sequence

import streamlit as st


def show(
    options: Sequence[str],
    at: int,
    edited: bool,
    shared: bool,
    on_pick: Callable[[int], None],
    on_undo: Callable[[], None] | None,
    on_redo: Callable[[], None] | None,
    on_reset: Callable[[], None],
    edits: Callable[[], None],
    share: Callable[[], None],
    take_away: Callable[[], None],
) -> None:
    """The scenarios by label, the one at `at` picked, and what can be done with its edits.

    The labels must stay as they are while a page is open: the browser answers with the label that was picked. `on_undo`
    and `on_redo` are None where there is nothing to do; `edits`, `share` and `take_away` fill what is opened.
    """

    def pick() -> None:
        if isinstance(st.session_state["picker"], int):  # else a label that a changed file no longer has
            on_pick(st.session_state["picker"])

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.title("Failure 13", anchor=False, width="content")
        _step("Previous scenario", "chevron_left", at - 1, len(options), on_pick)
        st.session_state["picker"] = at
        st.selectbox(
            "Scenario",
            range(len(options)),
            format_func=options.__getitem__,
            key="picker",
            label_visibility="collapsed",
            on_change=pick,
        )
        _step("Next scenario", "chevron_right", at + 1, len(options), on_pick)
        if edited:
            st.badge("edited", icon=":material/edit:", color="orange")
        if shared:
            st.badge("from a link", icon=":material/link:", color="gray")
        _icon("Undo", "undo", on_undo)
        _icon("Redo", "redo", on_redo)
        _opened("Edits", "history", edits)
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=on_reset,
            disabled=not edited,
            help="Bring back the steps as they were shared, then the file's own; Undo takes this back too",
        )
        _opened("Share", "link", share)
        _opened("Save", "download", take_away)
    st.caption(
        "What an agent says, what it declares and what it calls are three things, and nothing forces them to agree. "
        "Change any of them and see who pays what. New here? Start with Learn."
    )


def _opened(label: str, icon: str, fill: Callable[[], None]) -> None:
    popover = st.popover(label, icon=f":material/{icon}:", on_change="rerun", key=f"opened-{label}")
    if popover.open:
        with popover:
            fill()


def _icon(label: str, icon: str, on_click: Callable[[], None] | None) -> None:
    st.button(
        label,
        key=f"f13-icon-{icon}",
        icon=f":material/{icon}:",
        help=label,
        on_click=on_click,
        disabled=on_click is None,
    )


def _step(label: str, icon: str, to: int, count: int, on_pick: Callable[[int], None]) -> None:
    _icon(label, icon, (lambda: on_pick(to)) if 0 <= to < count else None)
