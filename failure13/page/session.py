"""What every page needs: the scenarios there are, the visitor whose session this is, and the visit to draw."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from failure13.guards import all_but
from failure13.kept import cookie, memory, store
from failure13.scenarios import Scenario, load_all
from failure13.visit import runs
from failure13.visit.lessons import Lesson, lessons_of
from failure13.visit.visit import Visit
from failure13.visit.visitor import Visitor

Tally = dict[str, dict[str, int]]  # by agent, how often it earns each verdict


class Pack(NamedTuple):
    """The scenarios, the lessons that they make, and the mistakes of the files that cannot be used, by name."""

    scenarios: list[Scenario]
    lessons: list[Lesson]
    broken: dict[str, list[str]]
    tallies: dict[frozenset[str], Tally]  # by the guards that are off; worked out when asked for


def begin(home: Path) -> None:
    """Say where the project lies: the folder `scenarios` is read from there, and what visitors do is kept there.

    To be called whenever a page is drawn as a whole, which is when a scenario file that has changed is read anew.
    """
    st.session_state["home"] = home
    st.session_state["pack"] = _pack(_folder(), _files())


def pages(*found: Any) -> list[Any]:
    """The pages there are, which each of them then links to; hands them back."""
    st.session_state["pages"] = list(found)
    return list(found)


def _folder() -> Path:
    return st.session_state["home"] / "scenarios"


def _files() -> list[tuple[str, int]]:
    """The scenario files and when each was changed, by which a pack is known."""
    return [(file.name, file.stat().st_mtime_ns) for file in sorted(_folder().glob("*.json"))]


def pack() -> Pack:
    """The pack as it was when the page was last drawn as a whole: an edit looks at no file."""
    return st.session_state["pack"]


@st.cache_resource(max_entries=4, show_spinner=False)
def _pack(folder: Path, files: list[tuple[str, int]]) -> Pack:
    del files  # a part of the key alone: other files, or others in them, make another pack
    scenarios, broken = load_all(folder)
    return Pack(scenarios, lessons_of(scenarios), broken, {})


def tally(visit: Visit) -> Tally:
    """Over the whole pack, how often each agent earns each verdict with the guards that the visitor has on."""
    off, known = frozenset(visit.guards_off), pack()
    if off not in known.tallies:
        known.tallies[off] = runs.tally(known.scenarios, all_but(off))
    return known.tallies[off]


def _store_path() -> Path:
    named = os.environ.get("FAILURE13_STORE")
    return Path(named) if named else st.session_state["home"] / "kept" / "visitors.sqlite3"


@st.cache_resource(show_spinner=False)
def _store(path: Path) -> store.Store:
    return store.open_at(path, time.time)


def visitor_id() -> str:
    """The id of the visitor whose session runs this script: their cookie's, else one that ends with the session."""
    if "visitor_id" not in st.session_state:
        sent = str(st.context.cookies.get(cookie.COOKIE, ""))  # under AppTest it is not text
        st.session_state["visitor_id"] = cookie.visitor_id(sent)
    return st.session_state["visitor_id"]


def me() -> Visitor:
    """What this visitor has done, brought back from the file where the session is new; nobody else's session has it."""
    found = st.session_state.get("visitor")
    if found is None or "memory" not in st.session_state:
        back, st.session_state["memory"] = memory.recall(_store(_store_path()), visitor_id(), pack().scenarios)
        found = st.session_state.setdefault("visitor", back)
    return found


def visit() -> Visit:
    """What the page is drawn from: this visitor, and the scenario they are at, else the first of the pack."""
    visitor = me()
    scenarios = [*pack().scenarios, *visitor.own_scenarios()]
    at = next((scenario for scenario in scenarios if scenario.id == visitor.place), scenarios[0])
    return Visit(visitor, scenarios, at)


def keep() -> None:
    """Write what was just done, before the page shows it as done; where that fails, say so once."""
    visitor, kept = me(), st.session_state["memory"]
    memory.keep(kept, visitor)
    problem = kept.problem
    if problem and not st.session_state.get("problem-was-said"):
        st.session_state["problem-was-said"] = True
        st.toast("What you do is kept until this page is closed, and no longer: the server has no file to keep it in.")


def forget() -> None:
    """Delete all that is kept of this visitor and begin anew; where that fails, a notice says so and all stays."""
    try:
        st.session_state["memory"] = memory.forget(st.session_state["memory"])
    except store.NotKept as error:
        st.session_state["notice"] = f"Nothing was deleted. {error}"
        return
    st.session_state["visitor"] = Visitor()
    st.session_state["era"] = era() + 1


def era() -> int:
    """How often this visitor began anew: a part of every field's key, for a browser remembers what was in a field."""
    return st.session_state.get("era", 0)


def redrawn(action: Callable[[], None] = lambda: None) -> Callable[[], None]:
    """`action` with the whole page drawn anew after it.

    When a field of the fragment is left by pressing a button outside it, the browser sends both at once and asks for
    the fragment alone; the button's own part of the page would keep showing what was before.
    """

    def act() -> None:
        action()
        st.rerun()

    return act
