"""The guards' switches, and what they cost and save over the whole pack."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from failure13 import AGENTS, verdicts
from failure13.views import exact


def show(
    names: Mapping[str, str],
    off: Sequence[str],
    tally: Mapping[str, Mapping[str, int]],
    on_switch: Callable[[str], None],
) -> None:
    """A switch per guard by the sentence it checks, and a strip with the harm and the cost that are left."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="guards"):
        on = len(names) - len(off)
        with st.popover(f"Guards: {on} of {len(names)} on", icon=":material/tune:"):
            for name, sentence in names.items():
                st.session_state[f"guard/{name}"] = name not in off
                st.toggle(
                    sentence, help=f"On the cards: {name}", key=f"guard/{name}", on_change=on_switch, args=(name,)
                )
        steps = sum(tally["guarded"].values())
        exact.line(
            f"Over the whole pack, {steps} steps: wrong money let through {_counts(tally, verdicts.WRONG_MONEY)}; "
            f"honest payments blocked {_counts(tally, verdicts.NEEDLESS_BLOCK)}."
        )


def _counts(tally: Mapping[str, Mapping[str, int]], verdict: str) -> str:
    return ", ".join(f"{tally[agent][verdict]} by {agent}" for agent in reversed(AGENTS))
