"""What every page needs: the scenarios there are, and the visitor whose session this is."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from failure13 import memory, store, visitor
from failure13.scenarios import Scenario, load_all
from failure13.views import door


def begin(home: Path) -> None:
    """Say where the project lies: the folder `scenarios` is read from there, and what visitors do is kept there."""
    st.session_state["home"] = home


def pack() -> tuple[list[Scenario], dict[str, list[str]]]:
    """The scenarios and the mistakes of the files that cannot be used, read anew when a file has changed."""
    folder = st.session_state["home"] / "scenarios"
    return _pack(folder, [(file.name, file.stat().st_mtime_ns) for file in sorted(folder.glob("*.json"))])


@st.cache_resource(max_entries=4, show_spinner=False)
def _pack(folder: Path, files: list[tuple[str, int]]) -> tuple[list[Scenario], dict[str, list[str]]]:
    del files  # a part of the key alone: other files, or others in them, make another pack
    return load_all(folder)


def _store_path() -> Path:
    named = os.environ.get("FAILURE13_STORE")
    return Path(named) if named else st.session_state["home"] / "kept" / "visitors.sqlite3"


@st.cache_resource(show_spinner=False)
def _store(path: Path) -> store.Store:
    return store.open_at(path, time.time)


def me() -> visitor.Visitor:
    """What this visitor has done, brought back from the file where the session is new; nobody else's session has it."""
    if "memory" not in st.session_state:
        back, st.session_state["memory"] = memory.recall(_store(_store_path()), door.visitor_id(), pack()[0])
        st.session_state.setdefault("visitor", back)
    return st.session_state["visitor"]


def keep() -> None:
    """Write what was just done, before the page shows it as done; where that fails, say so once."""
    memory.keep(st.session_state["memory"], me())
    problem = st.session_state["memory"].problem
    if problem and not st.session_state.get("told of the problem"):
        st.session_state["told of the problem"] = True
        st.toast("What you do is kept until this page is closed, and no longer: the server has no file to keep it in.")


def forget() -> None:
    """Delete all that is kept of this visitor and begin anew; where that fails, a notice says so and all stays."""
    try:
        st.session_state["memory"] = memory.forget(st.session_state["memory"])
    except store.NotKept as error:
        st.session_state["notice"] = f"Nothing was deleted. {error}"
        return
    st.session_state["visitor"] = visitor.Visitor()
    st.session_state["era"] = era() + 1


def era() -> int:
    """How often this visitor began anew: a part of every field's key, for a browser remembers what was in a field."""
    return st.session_state.get("era", 0)


def available() -> list[Scenario]:
    """The scenarios that this visitor can pick: the pack, then their own."""
    return [*pack()[0], *me().own_scenarios()]


def current(scenarios: Sequence[Scenario] | None = None) -> Scenario:
    """The scenario on screen: of those that are available, the one the visitor is at, else the first."""
    scenarios = available() if scenarios is None else scenarios
    return next((scenario for scenario in scenarios if scenario.id == me().place), scenarios[0])


def redrawn(action: Callable[[], None]) -> Callable[[], None]:
    """`action` with the whole page drawn anew after it.

    When a field of the fragment is left by pressing a button outside it, the browser sends both at once and asks for
    the fragment alone; the button's own part of the page would keep showing what was before.
    """

    def act() -> None:
        action()
        st.rerun()

    return act
