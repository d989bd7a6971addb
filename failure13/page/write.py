"""Write: a scenario of one's own as its file's text, its mistakes as it is typed, and what each agent does with it."""

from functools import partial
from typing import Any

import streamlit as st

from failure13.page import exact, explore, files, head, livetext
from failure13.page.session import keep, me, pack, visit
from failure13.replay import replay, unmet
from failure13.scenarios import MOST_BYTES, BrokenFile, Scenario, uploaded
from failure13.visit import tables

EMPTY = """{
  "title": "A scenario of my own",
  "case": {
    "ticket": {"id": "T1", "order_id": "A100", "customer_id": "C1", "text": "", "agreed_amount": "20.00"},
    "orders": {"A100": {"customer_id": "C1", "paid": "40.00", "refundable": "20.00", "currency": "USD"}}
  },
  "steps": [
    {
      "said": "",
      "intent": {"order_id": "A100", "amount": 20.0},
      "do": {"order_id": "A100", "amount": 20.0},
      "owed": {"order_id": "A100", "amount": 20.0}
    }
  ]
}
"""


def page() -> Any:
    """Write, for the navigation."""
    return st.Page(write, title="Write", icon=":material/edit_note:", url_path="write")


def write() -> None:
    """The page for a scenario of one's own: its file as text, its mistakes as it is typed, what each agent does."""
    exact.style()
    head.show()
    me()
    keep()
    st.title("Write your own", anchor=False)
    files.show_starts(
        on_empty=partial(start, EMPTY),
        on_current=start_from_current,
        on_upload=start_from_file,
        on_back=partial(start, st.session_state["written before"]) if "written before" in st.session_state else None,
        refused=st.session_state.get("not started", ""),
    )
    left, right = st.columns((3, 2), gap="medium")
    with left:
        livetext.show(area(), written(), partial(setattr, me(), "writing"))
    with right:
        show_written(written())


def area() -> str:
    """The key of the text area: another one for each text that is put there, so that nothing is left of the last."""
    return f"writing/{st.session_state.get('seed', 0)}"


def written() -> str:
    """The text on screen: what the visitor wrote, else the empty scenario."""
    writing = me().writing
    return EMPTY if writing is None else writing


def start(text: str) -> None:
    """Put a text on screen, and keep the one that was there to go back to."""
    st.session_state.pop("not started", None)  # what was said of a start that was none stands until one is
    st.session_state["written before"] = written()
    st.session_state["seed"] = st.session_state.get("seed", 0) + 1
    me().writing = text


def start_from_current() -> None:
    """Start from the scenario in Explore, with the visitor's edits."""
    try:
        if pack().scenarios or me().own:  # else there is none in Explore
            start(visit().file())
    except BrokenFile as error:
        st.session_state["not started"] = str(error)


def start_from_file(name: str, content: bytes) -> None:
    """Start from an uploaded file, its mistakes and all, if it is a text of a scenario's size."""
    try:
        if len(content) > MOST_BYTES:
            raise ValueError(f"expected at most {MOST_BYTES // 1024} KiB, found {len(content)} bytes")
        start(content.decode("utf-8-sig"))
    except ValueError as error:
        st.session_state["not started"] = f"{name} is no scenario file: {error}"


def show_written(text: str) -> None:
    """What a written scenario comes to: its mistakes, else its outcomes and the way to Explore."""
    try:
        scenario = read(text)
    except BrokenFile as error:
        files.show_mistakes(error.mistakes)
        return
    files.show_mistakes([])
    st.button("Open in Explore", type="primary", icon=":material/open_in_new:", on_click=open_own)
    outcomes = replay(scenario)
    files.show_overview(tables.overview(outcomes), unmet(scenario.expect, outcomes))


def read(text: str) -> Scenario:
    """The scenario that a text spells; raises BrokenFile."""
    return uploaded("your-own.json", text.encode("utf-8", "backslashreplace"))


def open_own() -> None:
    """Add the scenario on screen to the visitor's own and show it in Explore; one with mistakes stays here."""
    me().writing = st.session_state[area()]["text"]  # typed a moment ago, perhaps, and only on its way
    try:
        me().take(read(written()))
    except BrokenFile:
        return
    st.switch_page(explore.page())
