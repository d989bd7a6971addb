"""What stands around a scenario: why it went as it did, where the failure is documented, which files cannot be used."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from failure13.page import exact


def show_notice() -> None:
    """A notice, where there is one, until the visitor dismisses it."""
    text = st.session_state.get("notice")
    if text:
        with st.container(border=True, key="notice", horizontal=True, vertical_alignment="center"):
            exact.line(text)
            st.button("Dismiss", icon=":material/close:", on_click=partial(st.session_state.pop, "notice"))


def show_broken_files(broken: Mapping[str, Sequence[str]]) -> None:
    """Each scenario file that cannot be used, with all its mistakes."""
    count = len(broken)
    with st.expander(f"{count} scenario file{'' if count == 1 else 's'} cannot be used", icon=":material/warning:"):
        for mistakes in broken.values():
            exact.lines(mistakes)


def show_nothing() -> None:
    """What to do when there is no scenario at all."""
    st.title("Failure 13", anchor=False)
    st.info("There is no scenario to show. Put a file such as 01-my-scenario.json into the folder scenarios.")
