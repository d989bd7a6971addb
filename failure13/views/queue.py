"""A person's queue: what the guarded agent would not pay, with its reasons, to be approved or declined."""

from collections.abc import Callable, Sequence

import streamlit as st

from failure13.views import exact

# Its place, a mark of its own, where it comes from, what was said, the call as shown, the objections, if it reads
Item = tuple[int, str, str, str, str, Sequence[str], bool]


def show(
    items: Sequence[Item], refused: str, on_approve: Callable[[int], None], on_decline: Callable[[int], None]
) -> None:
    """The queue, oldest first; `refused` says why the last approval was not made, or is empty.

    A button is known by the mark of what it decides, so a second press that comes late decides nothing else.
    """
    if refused:
        with st.container(border=True, key="refused"):
            exact.line(refused)
    for number, mark, title, said, call, objections, reads in items:
        with st.container(border=True, gap="xsmall", key=f"waiting-{number}"):
            exact.line(title)
            exact.block(call)
            exact.small(f"Said: {said}")
            exact.lines(objections)
            with st.container(horizontal=True, gap="xsmall"):
                st.button(
                    "Approve and pay",
                    key=f"approve-{mark}",
                    icon=":material/check:",
                    on_click=on_approve,
                    args=(number,),
                    disabled=not reads,
                    help="Pays exactly the call shown here, unless it cannot be read or the step has changed since",
                )
                st.button(
                    "Decline", key=f"decline-{mark}", icon=":material/close:", on_click=on_decline, args=(number,)
                )
