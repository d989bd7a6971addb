"""One card per agent: what it answered, what it paid, what that was worth and what the customer reads."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from failure13 import verdicts
from failure13.views import exact

if TYPE_CHECKING:
    from failure13.replay import Outcome
    from failure13.tables import Table

AGENTS = {
    "broken": ("Broken", "pays whatever the call says"),
    "fixed": ("Fixed", "the call must equal the intent"),
    "guarded": ("Guarded", "also asks the records"),
}
BADGES = {
    verdicts.PAID_AS_OWED: (":material/check_circle:", "green"),
    verdicts.RIGHTLY_STOPPED: (":material/shield:", "blue"),
    verdicts.NEEDLESS_BLOCK: (":material/front_hand:", "orange"),
    verdicts.WRONG_MONEY: (":material/money_off:", "red"),
    verdicts.CRASHED: (":material/bug_report:", "violet"),
}


def show(outcome: "Outcome", problems: "Sequence[Table]", ledger: "Table", why: str) -> None:
    """A card: the tables of the problems that the agent named and of its ledger, and a sentence of explanation or ""."""
    name, way = AGENTS[outcome.agent]
    with st.container(border=True, gap="xsmall", height="stretch", key=f"card-{outcome.agent}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.subheader(name, anchor=False, width="content")
            st.caption(way, width="content")
            st.space("stretch")
            icon, color = BADGES[outcome.verdict]
            st.badge(outcome.verdict, icon=icon, color=color)  # type: ignore[arg-type]
        exact.block(outcome.message, f"ledger: {outcome.ledger}")
        for caption, header, rows in problems:
            exact.table(caption, header, rows)
        caption, header, rows = ledger
        if rows:
            exact.table(caption, header, rows, marked=range(len(outcome.before), len(rows)))
        exact.prose(outcome.told, "The customer reads")
        if why:
            exact.prose(why, "Why")
