"""One card per agent: what it answered, what it paid, what that was worth and what the customer reads."""

import streamlit as st

from failure13.agents import AGENTS
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.page import exact
from failure13.verdicts import VERDICTS
from failure13.visit import tables
from failure13.visit.visit import Visit


def show(visit: Visit, agent: str) -> None:
    """A card: what the agent answered and named, its ledger, what is still owed, and what the customer reads."""
    outcome, row = visit.outcome(agent), AGENTS[agent]
    verdict, limit = VERDICTS[outcome.verdict], tables.limit(visit.scenario, outcome)
    with st.container(border=True, gap="xsmall", height="stretch", key=f"card-{agent}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"
        ):
            st.header(f"{agent.capitalize()} :small[:gray[{row.way}]]", anchor=False, width="content")
            st.badge(f"{verdict.sign} {verdict.word}", color=verdict.tone)  # type: ignore[arg-type]
        if limit:
            st.badge(LIMITS[limit].heading, icon=":material/link_off:", color="orange")
        with exact.together():
            if limit:
                exact.line(f"{limit.capitalize()}: {LIMITS[limit].slips}")
            _show_details(visit, agent)


def _show_details(visit: Visit, agent: str) -> None:
    outcome, step = visit.outcome(agent), visit.step
    exact.stale()
    exact.block(outcome.message, f"ledger: {outcome.ledger}")
    exact.line(f"Still owed: {outcome.still_owed}")
    if objected := outcome.record.get("guards"):
        numbers = [str(number) for number, name in enumerate(GUARDS, start=1) if name in objected]
        exact.small(f"Guards that objected: {', '.join(numbers)} of {len(GUARDS)}")
    for table in tables.problems(outcome, step):
        exact.table(table)
    if second := tables.second_answer(outcome, step):
        exact.small("Second answer")
        exact.block(second)
    ledger = tables.ledger(outcome.ledger, len(outcome.before))
    if ledger.rows:
        exact.table(ledger, marked=range(len(outcome.before), len(ledger.rows)))
    unpaid = "" if outcome.paid or AGENTS[agent].receipt else ", though nothing was paid"
    exact.prose(outcome.told, f"The customer reads{unpaid}")
    if outcome.told != step["said"]:
        exact.small(f"The agent said: {step['said']}")
