"""Which scenario is on screen: the title of the page, a picker, and what can be done with its edits."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from failure13.page import files
from failure13.visit.visit import Visit


def show(visit: Visit) -> None:
    """The scenarios by label, the one on screen picked; edits taken back, gone through, shared and saved.

    The labels must stay as they are while a page is open: the browser answers with the label that was picked.
    """
    work, last = visit.work, len(visit.scenarios) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.title("Failure 13", anchor=False, width="content")
        _icon("Previous scenario", "chevron_left", partial(visit.pick, visit.at - 1), visit.at > 0)
        _select(visit)
        _icon("Next scenario", "chevron_right", partial(visit.pick, visit.at + 1), visit.at < last)
        if visit.is_edited:
            st.badge("edited", icon=":material/edit:", color="orange")
        if work.shared is not None:
            st.badge("from a link", icon=":material/link:", color="gray")
        _icon("Undo", "undo", visit.undo, work.at > 0)
        _icon("Redo", "redo", visit.redo, work.at + 1 < len(work.edits))
        _opened("Edits", "history", partial(files.show_edits, visit))
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=work.reset,
            disabled=not visit.is_edited,
            help="Bring back the steps as they were shared, then the file's own; Undo takes this back too",
        )
        _opened("Share", "link", partial(files.show_link, visit))
        _opened("Save", "download", partial(files.show_take_away, visit))
    st.caption(
        "What an agent says, what it declares and what it calls are three things, and nothing forces them to agree. "
        "Change any of them and see who pays what. New here? Start with Learn."
    )


def _select(visit: Visit) -> None:
    labels = visit.labels()

    def pick() -> None:
        if isinstance(st.session_state["picker"], int):  # else a label that a changed file no longer has
            visit.pick(st.session_state["picker"])

    st.session_state["picker"] = visit.at
    st.selectbox(
        "Scenario",
        range(len(labels)),
        format_func=labels.__getitem__,
        key="picker",
        label_visibility="collapsed",
        on_change=pick,
    )


def _opened(label: str, icon: str, fill: Callable[[], None]) -> None:
    popover = st.popover(label, icon=f":material/{icon}:", on_change="rerun", key=f"opened-{label}")
    if popover.open:
        with popover:
            fill()


def _icon(label: str, icon: str, on_click: Callable[[], None], enabled: bool) -> None:
    st.button(
        label,
        key=f"f13-icon-{icon}",
        icon=f":material/{icon}:",
        help=label,
        on_click=on_click,
        disabled=not enabled,
    )
