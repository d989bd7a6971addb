"""The code that ran, from the files themselves."""

from collections.abc import Sequence

import streamlit as st

from failure13.agents import AGENTS
from failure13.guards import all_but
from failure13.page import exact
from failure13.page.session import redrawn
from failure13.visit.listing import listing
from failure13.visit.runs import Run


def show(trail: Sequence[Run]) -> None:
    """The files of one agent, to be picked, with the lines that the latest run of a step went through marked."""
    run = next((run for run in reversed(trail) if not run.decision), None)
    if run is None:
        return
    opened = st.expander("The code that ran", icon=":material/code:", on_change=redrawn(), key="code")
    if opened.open:
        with opened:
            _show(run)


def _show(run: Run) -> None:
    names = list(AGENTS)
    agent = st.radio("Agent", names, horizontal=True, key="code-agent") or names[0]
    exact.small(f"Run {run.number}: {run.scenario.title}, step {run.index + 1} of {len(run.scenario.steps)}")
    before, guards_on = run.outcomes[agent].before, all_but(run.guards_off)
    for name, lines in listing(agent, run.step, before, run.scenario.case, guards_on).items():
        exact.line(f"failure13/{name}")
        exact.listing(name, [(line.number, line.text, line.ran) for line in lines])
