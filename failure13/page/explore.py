"""Explore: one scenario, edited live, with what each agent does with it, and the trail."""

from typing import Any

import streamlit as st

from failure13.page import about, bench, code, trail
from failure13.page.session import keep, me, pack, visit
from failure13.visit import share


def page() -> Any:
    """Explore, for the navigation and for whatever leads to it."""
    return st.Page(explore, title="Explore", icon=":material/compare_arrows:", default=True)


def explore() -> None:
    """The page: the bench, and below it the trail of what ran."""
    me()
    if pack().scenarios:
        open_link()
        keep()
        about.show_notice()
        bench.show()
        here = visit()
        trail.show(here)
        code.show(here.visitor.trail)
    else:
        about.show_nothing()
    if broken := pack().broken:
        about.show_broken_files(broken)


def open_link() -> None:
    """Go where a link in the address leads, once; one that cannot be read leads to the first scenario and a notice."""
    text = st.query_params.get("s", "")
    if text and text != me().opened:
        me().opened = text
        try:
            me().open_link(share.opened(text, pack().scenarios))
        except share.BadLink as error:
            me().place = pack().scenarios[0].id
            st.session_state["notice"] = f"The link could not be opened. {error}"
