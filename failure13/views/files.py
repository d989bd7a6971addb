"""What leaves the page and comes back: a link, a scenario file, a test."""

from collections.abc import Callable, Sequence

import streamlit as st

from failure13.views import exact


def share(link: str, refused: str) -> None:
    """The link to what is on screen, to be copied, or why there is none."""
    if refused:
        exact.line(refused)
        return
    exact.line("This link opens exactly this scenario, step and edits. It is in the address now, too.")
    st.code(link, language=None, wrap_lines=True)


def take_away(file_name: str, scenario: str, test_name: str, test: str, refused: str) -> None:
    """The scenario as a file, and what the page shows as a test; `refused` says why there is no file."""
    if refused:
        exact.line(refused)
    else:
        st.download_button(
            "Download this scenario",
            scenario,
            file_name,
            "application/json",
            icon=":material/download:",
            on_click="ignore",
        )
    exact.line("The same as a test that runs next to the package:")
    st.download_button(
        "Download as pytest", test, test_name, "text/x-python", icon=":material/science:", on_click="ignore"
    )
    st.code(test, language="python", height=260)


def edits(key: str, labels: Sequence[str], at: int, on_go: Callable[[int], None]) -> None:
    """The edits made so far, oldest first, to go back to one."""
    st.session_state[key] = at

    def go() -> None:
        if isinstance(st.session_state[key], int):
            on_go(st.session_state[key])

    st.selectbox("Go to an edit", range(len(labels)), format_func=lambda n: f"{n}. {labels[n]}", key=key, on_change=go)


def starts(
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
    if refused:
        exact.line(refused)


def mistakes(found: Sequence[str]) -> None:
    """Every mistake of the text, or that there is none."""
    st.header("Mistakes" if found else "No mistakes", anchor=False)
    with st.container(key="mistakes"):
        exact.lines(found or ["It can be opened in Explore."])


def outcomes(header: Sequence[str], rows: Sequence[Sequence[str]], unmet: Sequence[str]) -> None:
    """What each agent does with each step, and where that is not what `expect` says."""
    exact.table("What each agent does with it", header, rows)
    if unmet:
        exact.small("Not as expect says:")
        exact.lines(unmet)
