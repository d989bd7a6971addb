"""The guards' switches, and what they cost and save over the whole pack."""

from functools import partial

import streamlit as st

from failure13 import verdicts
from failure13.agents import AGENTS
from failure13.guards import GUARDS
from failure13.page import exact
from failure13.page.session import redrawn, tally
from failure13.visit.visit import Visit


def show(visit: Visit) -> None:
    """A switch per guard, named by its sentence, and a strip with the harm and the cost that are left."""
    off, counts = visit.guards_off, tally(visit)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="guards"):
        with st.popover(f"Guards: {len(GUARDS) - len(off)} of {len(GUARDS)} on", icon=":material/tune:"):
            for number, (name, guard) in enumerate(GUARDS.items(), start=1):
                st.session_state[f"guard/{name}"] = name not in off
                st.toggle(
                    (guard.__doc__ or name).splitlines()[0],
                    help=f"Guard {number} on the cards, named {name} in a table of objections",
                    key=f"guard/{name}",
                    on_change=redrawn(partial(visit.visitor.switch_guard, name)),
                )
        steps = sum(counts[next(iter(AGENTS))].values())
        exact.line(
            f"Over the whole pack, {steps} steps: wrong money let through {_counted(counts, verdicts.WRONG_MONEY)}; "
            f"honest payments blocked {_counted(counts, verdicts.NEEDLESS_BLOCK)}."
        )


def _counted(counts: dict[str, dict[str, int]], verdict: str) -> str:
    return ", ".join(f"{counts[agent][verdict]} by {agent}" for agent in reversed(list(AGENTS)))
