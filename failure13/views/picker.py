"""Which scenario is on screen: the title of the page, a picker, and what takes an edit back."""

from collections.abc import Callable, Sequence

import streamlit as st


def show(
    options: Sequence[str],
    at: int,
    edited: Sequence[int],
    on_pick: Callable[[int], None],
    on_undo: Callable[[], None] | None,
    on_redo: Callable[[], None] | None,
    on_reset: Callable[[], None],
) -> None:
    """The scenarios by label, the one at `at` picked, those at `edited` edited; None where nothing is to undo or redo.

    The labels must stay as they are while a page is open: the browser answers with the label that was picked.
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
        if at in edited:
            st.badge("edited", icon=":material/edit:", color="orange")
        st.button(
            "Undo", icon=":material/undo:", on_click=on_undo, disabled=on_undo is None, help="Take the last edit back"
        )
        st.button("Redo", icon=":material/redo:", on_click=on_redo, disabled=on_redo is None, help="Make it again")
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=on_reset,
            disabled=at not in edited,
            help="Bring back the file's own steps; Undo takes this back too",
        )
    st.caption(
        "What an agent says, what it declares and what it calls are three things, and nothing forces them to agree. "
        "Change any of them and see who pays what."
    )


def _step(label: str, icon: str, to: int, count: int, on_pick: Callable[[int], None]) -> None:
    st.button(
        label,
        key=f"f13-icon-{icon}",
        icon=f":material/{icon}:",
        help=label,
        on_click=on_pick,
        args=(to,),
        disabled=not 0 <= to < count,
    )
