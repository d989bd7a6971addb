"""The code that just ran, from the files themselves."""

import streamlit as st

from failure13.agents import AGENTS
from failure13.page import exact
from failure13.visit.listing import listing
from failure13.visit.visit import Visit


def show(visit: Visit) -> None:
    """The files of one agent, to be picked, with the lines that the step on screen went through marked."""
    names = list(AGENTS)
    agent = st.radio("Agent", names, horizontal=True, key="code-agent") or names[0]
    before, guards_on = visit.outcome(agent).before, visit.visitor.guards()
    for name, lines in listing(agent, visit.step, before, visit.scenario.case, guards_on).items():
        exact.line(f"failure13/{name}")
        exact.listing(name, [(line.number, line.text, line.ran) for line in lines])
