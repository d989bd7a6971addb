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


def show(
    outcome: "Outcome",
    problems: "Sequence[Table]",
    ledger: "Table",
    second_answer: str,
    limit: tuple[str, str] | None,
    said: str,
) -> None:
    """A card: what the agent answered and named, its ledger, and what the customer reads.

    `second_answer` is the retry that was asked for, `limit` the limit of the fix that shows here with its reason; each
    may be empty.
    """
    name, way = AGENTS[outcome.agent]
    icon, color = BADGES[outcome.verdict]
    with st.container(border=True, gap="xsmall", height="stretch", key=f"card-{outcome.agent}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"
        ):
            st.header(f"{name} :small[:gray[{way}]]", anchor=False, width="content")
            st.badge(outcome.verdict, icon=icon, color=color)  # type: ignore[arg-type]
        if limit:
            st.badge("The fix does not help here", icon=":material/link_off:", color="orange")
        with exact.together():
            if limit:
                exact.line(f"{limit[0].capitalize()}: {limit[1]}")
            _show_details(outcome, problems, ledger, second_answer)
            if outcome.told != said:
                exact.small(f"The agent said: {said}")


def _show_details(outcome: "Outcome", problems: "Sequence[Table]", ledger: "Table", second_answer: str) -> None:
    exact.stale()
    exact.block(outcome.message, f"ledger: {outcome.ledger}")
    if outcome.record.get("guards"):
        exact.small(f"Guards that objected: {', '.join(outcome.record['guards'])}")
    for caption, header, rows in problems:
        exact.table(caption, header, rows)
    if second_answer:
        exact.small("Second answer")
        exact.block(second_answer)
    caption, header, rows = ledger
    if rows:
        exact.table(caption, header, rows, marked=range(len(outcome.before), len(rows)))
    unpaid = "" if outcome.paid or outcome.agent == "guarded" else ", though nothing was paid"
    exact.prose(outcome.told, f"The customer reads{unpaid}")
