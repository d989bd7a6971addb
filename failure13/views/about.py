"""What stands around a scenario: why it went as it did, where the failure is documented, which files cannot be used."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from failure13.views import exact


def show_why(why: Mapping[str, str], limit: tuple[str, str] | None, seen: str | None, edited: bool) -> None:
    """Why it goes the way it does: a sentence per agent, the limit with its answer, a public report of the kind."""
    if not why and not seen:
        return
    opened = st.popover("Why", icon=":material/lightbulb:", on_change="rerun", key="opened-why")
    if not opened.open:
        return
    with opened, exact.together():
        if edited:
            exact.small("This explains the scenario as its file has it, before your edits.")
        for agent, sentence in why.items():
            exact.prose(sentence, agent.capitalize())
        if limit:
            exact.prose(limit[1], f"What answers the limit, {limit[0]}")
        if seen:
            exact.small(f"A public report of the same kind: {seen}")


def show_source() -> None:
    """Where the failure is documented, and what this demonstration does not measure."""
    with st.expander("Where this failure is documented", icon=":material/menu_book:"):
        _source()


def _source() -> None:
    st.markdown(
        "This is *reasoning-action mismatch*, failure mode FM-2.6 of MAST, a taxonomy of why multi-agent systems fail "
        "(Cemri et al. 2025, [arXiv 2503.13657](https://arxiv.org/abs/2503.13657)). In its 1,642 annotated traces of "
        "seven frameworks it makes 13.2 % of the failures recorded, the largest share of the "
        "inter-agent-misalignment group."
    )
    st.markdown(
        "The explorer is a demonstration in code: every step is scripted. It shows what happens once words and call "
        "differ; it does not measure how often a real model lets them."
    )


def show_notice(text: str, on_dismiss: Callable[[], None]) -> None:
    """Something the visitor must know, until they put it away."""
    with st.container(border=True, key="notice", horizontal=True, vertical_alignment="center"):
        exact.line(text)
        st.button("Dismiss", icon=":material/close:", on_click=on_dismiss)


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
