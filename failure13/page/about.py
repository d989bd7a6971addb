"""What stands around a scenario: why it went as it did, where the failure is documented, which files cannot be used."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from failure13.limits import LIMITS, MAST
from failure13.page import exact
from failure13.visit.visit import Visit


def show_why(visit: Visit) -> None:
    """Why it goes the way it does: a sentence per agent, the limit with its answer, a public report of the kind."""
    scenario = visit.scenario
    if not scenario.why and not scenario.seen:
        return
    opened = st.popover("Why", icon=":material/lightbulb:", on_change="rerun", key="opened-why")
    if not opened.open:
        return
    with opened, exact.together():
        if visit.is_edited:
            exact.small("This explains the scenario as its file has it, before your edits.")
        for agent, sentence in (scenario.why or {}).items():
            exact.prose(sentence, agent.capitalize())
        if scenario.limit:
            exact.prose(LIMITS[scenario.limit].answer, f"What answers the limit, {scenario.limit}")
        if scenario.seen:
            exact.small(f"A public report of the same kind: {scenario.seen}")


def show_source() -> None:
    """Where the failure is documented, and what this demonstration does not measure."""
    with st.expander("Where this failure is documented", icon=":material/menu_book:"):
        exact.line(MAST)
        st.link_button("The study, arXiv 2503.13657", "https://arxiv.org/abs/2503.13657", icon=":material/open_in_new:")


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
