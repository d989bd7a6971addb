"""A person's queue: what an agent would not pay, with its reasons, to be approved or declined."""

from functools import partial

import streamlit as st

from failure13.page import exact
from failure13.page.session import redrawn
from failure13.visit import cells, person
from failure13.visit.runs import Waiting
from failure13.visit.visit import Visit


def show(visit: Visit) -> None:
    """What waits, oldest first, once it is opened; and why the last approval was not made, if it was not."""
    waiting, refused = visit.visitor.waiting(), visit.visitor.refused
    if not waiting and not refused:
        return
    opened = st.expander(
        f"A person's queue: {len(waiting)} waiting",
        icon=":material/person:",
        on_change=redrawn(),
        key="queue",
    )
    if not opened.open:
        return
    with opened:
        if refused:
            with st.container(border=True, key="refused"):
                exact.line(refused)
        for each in waiting:
            _show_waiting(visit, each)


def _show_waiting(visit: Visit, waiting: Waiting) -> None:
    # Each button is known by what it decides, so a second press that comes late decides nothing else.
    run, unpayable = waiting.run, person.unpayable(waiting)
    with st.container(border=True, gap="xsmall", key=f"waiting-{waiting.key}"):
        exact.line(f"Run {run.number}: {run.scenario.title}, step {run.index + 1} of {len(run.scenario.steps)}")
        exact.block(cells.as_sent(waiting.call))
        exact.small(f"Said: {run.step['said']}")
        exact.lines(waiting.outcome.problems)
        exact.small(f"Still owed: {waiting.outcome.still_owed}")
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            st.button(
                "Approve and pay",
                key=f"approve-{waiting.key}",
                icon=":material/check:",
                on_click=redrawn(partial(visit.visitor.approve, waiting)),
                disabled=bool(unpayable),
                help="Pays exactly the call shown here, unless it, or what speaks against it, has changed since",
            )
            st.button(
                "Decline",
                key=f"decline-{waiting.key}",
                icon=":material/close:",
                on_click=redrawn(partial(visit.visitor.decline, waiting)),
            )
            if unpayable:
                exact.small(f"It cannot be paid: {unpayable}.")
