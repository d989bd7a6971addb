"""The records that a model cannot write: the ticket and the orders."""

import streamlit as st

from failure13.page import exact
from failure13.visit import tables
from failure13.visit.visit import Visit


def show(visit: Visit) -> None:
    """The ticket, what is owed, what to look at, and the order book."""
    case = visit.scenario.case
    left, right = st.columns((5, 4), gap="medium")
    with left, exact.together():
        exact.prose(case["ticket"]["text"], f"{tables.ticket_line(case)}. Owed: {tables.owed(visit.step, case)}")
        if visit.scenario.notice:
            exact.line(visit.scenario.notice)
        if "harmless" in case:
            exact.small(f"Moves no money: {', '.join(case['harmless'])}")
    with right:
        exact.table(tables.orders(case), show_caption=False)
