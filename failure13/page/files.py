"""What leaves the page and comes back: a link, a scenario file, a test, and the edits made so far."""

from collections.abc import Callable, Sequence

import streamlit as st

from failure13.page import exact
from failure13.scenarios import BrokenFile
from failure13.visit import export, share
from failure13.visit.tables import Table
from failure13.visit.visit import Visit

MOST_MISTAKES = 200  # that are shown at once; a browser takes seconds to lay out thousands


def show_link(visit: Visit) -> None:
    """A link to what is on screen, to be copied and also put into the address, or why there is none."""
    try:
        text = visit.link()
    except share.BadLink as error:
        exact.line(str(error))
        return
    visit.visitor.opened = text
    st.query_params["s"] = text
    exact.line("This link opens exactly this scenario, step and edits. It is in the address now, too.")
    st.code(f"{str(st.context.url).partition('?')[0]}?s={text}", language=None, wrap_lines=True)


def show_take_away(visit: Visit) -> None:
    """The scenario as a file, or why there is none, and what the page shows as a test."""
    try:
        st.download_button(
            "Download this scenario",
            visit.file(),
            f"{visit.scenario.id}.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
        )
    except BrokenFile as error:
        exact.line(str(error))
    test = visit.test()
    exact.line("The same as a test that runs next to the package:")
    st.download_button(
        "Download as pytest",
        test,
        export.file_name(visit.scenario),
        "text/x-python",
        icon=":material/science:",
        on_click="ignore",
    )
    st.code(test, language="python", height=260)


def show_edits(visit: Visit) -> None:
    """The edits made so far, oldest first, to go back to one."""
    work = visit.work
    key = f"edits/{visit.scenario.id}/{len(work.edits)}/{work.now.revision}"
    names = work.names()
    st.session_state[key] = work.at

    def go() -> None:
        if isinstance(st.session_state[key], int):
            work.go_to(st.session_state[key])

    st.selectbox("Go to an edit", range(len(names)), format_func=lambda n: f"{n}. {names[n]}", key=key, on_change=go)


def show_starts(
    on_empty: Callable[[], None],
    on_current: Callable[[], None],
    on_upload: Callable[[str, bytes], None],
    on_back: Callable[[], None] | None,
    refused: str,
) -> None:
    """Where a scenario of one's own can start, and back to the text before; `refused` says why a start was none."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Start from an empty one", icon=":material/note_add:", on_click=on_empty)
        st.button("Start from the one in Explore, as it is", icon=":material/file_copy:", on_click=on_current)
        if on_back:
            st.button("Bring back the text before", icon=":material/undo:", on_click=on_back)

    def upload() -> None:
        file = st.session_state["upload"]
        if file is not None:
            on_upload(file.name, file.getvalue())

    st.file_uploader("Upload a scenario file, at most 256 KiB", type="json", key="upload", on_change=upload)
    with st.container():  # always there: what comes after it keeps its place, and is not made anew in the browser
        if refused:
            exact.line(refused)


def show_mistakes(found: Sequence[str]) -> None:
    """Every mistake of the text, or that there is none."""
    st.header("Mistakes" if found else "No mistakes", anchor=False)
    with st.container(key="mistakes"):
        exact.lines(found[:MOST_MISTAKES] or ["It can be opened in Explore."])
        if len(found) > MOST_MISTAKES:
            exact.small(f"and {len(found) - MOST_MISTAKES} more")


def show_overview(table: Table, unmet: Sequence[str]) -> None:
    """What each agent does with each step, and where that is not what `expect` says."""
    exact.table(table)
    if unmet:
        exact.small("Not as expect says:")
        exact.lines(unmet)
