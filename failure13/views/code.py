"""The code that just ran, from the files themselves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from failure13.views import exact

if TYPE_CHECKING:
    from failure13.listing import Line


def pick(agents: Sequence[str]) -> str:
    """Which agent's code to show."""
    return st.radio("Agent", agents, horizontal=True, key="code-agent") or agents[0]


def show(files: Mapping[str, Sequence["Line"]]) -> None:
    """Each file with the lines that ran marked."""
    for name, lines in files.items():
        exact.line(f"failure13/{name}")
        exact.listing(name, [(line.number, line.text, line.ran) for line in lines])
