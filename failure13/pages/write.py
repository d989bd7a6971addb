"""Write: a scenario of one's own as its file's text, its mistakes as it is typed, and what each agent does with it."""

from functools import partial
from typing import Any

import streamlit as st

from failure13 import tables, visitor
from failure13.pages import explore
from failure13.pages.session import current, keep, me
from failure13.replay import replay, unmet
from failure13.scenarios import MOST_BYTES, BrokenFile, Scenario, to_json, uploaded, with_steps
from failure13.views import exact, files, livetext

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
    """Write, as the navigation knows it."""
    return st.Page(write, title="Write", icon=":material/edit_note:", url_path="write")


def write() -> None:
    """The page for a scenario of one's own: its file as text, its mistakes as it is typed, what each agent does."""
    exact.style()
    visitor_ = me()
    keep()
    st.title("Write your own", anchor=False)

    def start(text: str) -> None:
        visitor_.writing = text
        st.session_state["seed"] = st.session_state.get("seed", 0) + 1

    files.starts(
        on_empty=lambda: start(EMPTY),
        on_current=lambda: start(to_json(with_steps(current(), me().work(current()).steps))),
        on_upload=lambda content: start(content[: MOST_BYTES + 1].decode("utf-8", "backslashreplace")),
    )
    left, right = st.columns((3, 2), gap="medium")
    with left:
        text = visitor_.writing or EMPTY
        seed = f"{st.session_state.get('seed', 0)}"
        livetext.show("writing", "The scenario's file", text, seed, partial(setattr, visitor_, "writing"))
    with right:
        show_written(text)


def show_written(text: str) -> None:
    """What a written scenario comes to: its mistakes, else its outcomes and the way to Explore."""
    try:
        scenario = uploaded("your-own.json", text.encode("utf-8", "backslashreplace"))
    except BrokenFile as error:
        files.mistakes(error.mistakes)
        return
    files.mistakes([])
    st.button("Open in Explore", type="primary", icon=":material/open_in_new:", on_click=partial(open_own, scenario))
    files.outcomes(*tables.overview(scenario), unmet(scenario.expect, replay(scenario)))


def open_own(scenario: Scenario) -> None:
    """Add a written scenario to the visitor's own and show it in Explore."""
    visitor.take(me(), scenario)
    st.switch_page(explore.page())
