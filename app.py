"""The way in: page settings and the pages. Run it with `streamlit run app.py`."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from failure13 import AGENTS, characters, grid, memory, runs, store, tables, trail, visitor
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.listing import listing
from failure13.replay import Outcome, replay
from failure13.scenarios import Scenario, load_all
from failure13.views import about, code, door, editor, exact, guards, picker, queue, records
from failure13.views import outcome as outcome_view
from failure13.views import trail as trail_view

SCENARIOS = Path(__file__).parent / "scenarios"
STORE = Path(os.environ.get("FAILURE13_STORE", Path(__file__).parent / "kept" / "visitors.sqlite3"))


def stamp() -> list[tuple[str, int]]:
    """What changes when a scenario file does."""
    return [(file.name, file.stat().st_mtime_ns) for file in sorted(SCENARIOS.glob("*.json"))]


def pack() -> tuple[list[Scenario], dict[str, list[str]]]:
    """The scenarios and the mistakes of the files that cannot be used, read anew when a file has changed."""
    return _pack(stamp())


@st.cache_resource(max_entries=1, show_spinner=False)
def _pack(_stamp_that_keys_the_cache: Any) -> tuple[list[Scenario], dict[str, list[str]]]:
    return load_all(SCENARIOS)


@st.cache_resource(show_spinner=False)
def kept() -> store.Store:
    """The file that keeps what visitors do."""
    return store.open_at(STORE, time.time)


def me() -> visitor.Visitor:
    """What this visitor has done, brought back from the file where the session is new; nobody else's session has it."""
    if "visitor" not in st.session_state:
        back = memory.recall(kept(), door.visitor_id(), pack()[0])
        st.session_state["visitor"], st.session_state["memory"] = back
    return st.session_state["visitor"]


def keep() -> None:
    """Write what was just done, before the page shows it as done; where that fails, say so once."""
    memory.keep(st.session_state["memory"], me())
    problem = st.session_state["memory"].problem
    if problem and not st.session_state.get("told of the problem"):
        st.session_state["told of the problem"] = True
        st.toast("What you do is kept until this page is closed, and no longer: the server has no file to keep it in.")


def explore() -> None:
    """The page: one scenario, edited live, with what each agent does with it, and the trail."""
    exact.style()
    me()
    keep()
    scenarios, broken = pack()
    if scenarios:
        above, below = st.container(), st.container()
        with below:
            show_guards()
            show_trail()
            opened = st.expander(
                "The code that ran", icon=":material/code:", on_change=redrawn(lambda: None), key="code"
            )
            about.show_source()
        with above:
            show_scenario(opened)
    else:
        about.show_nothing()
    if broken:
        about.show_broken_files(broken)


def current() -> Scenario:
    """The scenario on screen: the one the visitor is at, else the first."""
    scenarios, _ = pack()
    return next((scenario for scenario in scenarios if scenario.id == me().place), scenarios[0])


@st.fragment
def show_scenario(opened: Any) -> None:
    """The scenario, its editor, the outcomes and, where it is `opened`, the code; an edit redraws just these."""
    keep()
    scenario = current()
    work = me().work(scenario)
    outcomes = replay(scenario, work.steps, me().guards())
    with st.container(gap="xsmall"):
        show_picker(scenario)
        records.show(scenario.case, scenario.notice)
        if len(scenario.steps) > 1:
            editor.show_steps(f"{scenario.id}/step", len(scenario.steps), work.step, partial(setattr, work, "step"))
        show_editor(scenario, work)
        for column, agent in zip(st.columns(len(AGENTS), gap="small"), AGENTS, strict=True):
            with column:
                show_card(scenario, work, outcomes[agent][work.step])
    if opened.open:
        with opened:
            show_code(scenario, work, outcomes)


def show_picker(scenario: Scenario) -> None:
    """The picker, with a mark on an edited scenario."""
    scenarios, _ = pack()
    visitor_, work = me(), me().work(scenario)

    def pick(at: int) -> None:
        visitor_.place = scenarios[at].id

    picker.show(
        options=[f"{number}. {each.title}. {each.hook}" for number, each in enumerate(scenarios, start=1)],
        at=scenarios.index(scenario),
        edited=[number for number, each in enumerate(scenarios) if visitor_.is_edited(each)],
        on_pick=pick,
        on_undo=(lambda: visitor.go_to(work, work.at - 1)) if work.at > 0 else None,
        on_redo=(lambda: visitor.go_to(work, work.at + 1)) if work.at + 1 < len(work.edits) else None,
        on_reset=lambda: visitor.reset(work),
    )


def show_editor(scenario: Scenario, work: visitor.Work) -> None:
    """Said and the grid of the step on screen."""
    step = work.steps[work.step]
    key = f"{scenario.id}/{work.step}/{work.now.revision}"
    edits = editor.Edits(
        said=partial(visitor.say, work),
        cell=partial(visitor.set_cell, work),
        side=partial(visitor.set_side, work),
        add=partial(visitor.add_field, work),
        rename=partial(visitor.rename_field, work),
        remove=partial(visitor.remove_field, work),
        attempt=lambda number: visitor.attempt(work, scenario.tries[number]),
    )
    left, right = st.columns((1, 2.6), gap="small")
    with left.container(border=True, gap="xsmall", height="stretch"):
        editor.show_said(key, step["said"], characters.notes(step["said"]), edits)
    with right.container(border=True, gap="xxsmall", height="stretch"):
        if grid.is_text(step):
            texts = grid.as_text(step)
            editor.show_texts(key, str(texts["intent"]), str(texts["do"]), grid.unreadable(step), edits)
        else:
            editor.show_grid(key, grid.rows(step, work.shown), step["intent"] is not None, edits)
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            editor.show_edits(key, [one["label"] for one in scenario.tries], not grid.is_text(step), edits)
            answer = (scenario.limit, LIMITS[scenario.limit][1]) if scenario.limit else None
            about.show_why(scenario.why or {}, answer, scenario.seen, me().is_edited(scenario))
        editor.show_changes(grid.changes(scenario.steps[work.step], step))


def show_card(scenario: Scenario, work: visitor.Work, outcome: Outcome) -> None:
    """What one agent did with the step on screen."""
    step = work.steps[work.step]
    outcome_view.show(
        outcome,
        problems=tables.problems(outcome, step),
        ledger=tables.ledger(outcome.ledger, len(outcome.before)),
        second_answer=tables.second_answer(outcome, step),
        limit=tables.limit(scenario, outcome) if outcome.agent == "fixed" else None,
        said=step["said"],
    )


def show_code(scenario: Scenario, work: visitor.Work, outcomes: dict[str, list[Outcome]]) -> None:
    """The source of what the step on screen ran."""
    agent = code.pick(AGENTS)
    before = outcomes[agent][work.step].before
    code.show(listing(agent, work.steps[work.step], before, scenario.case, me().guards()))


def redrawn(action: Callable[[], None]) -> Callable[[], None]:
    """`action` with the whole page drawn anew after it.

    When a field of the fragment is left by pressing a button outside it, the browser sends both at once and asks for
    the fragment alone; the button's own part of the page would keep showing what was before.
    """

    def act() -> None:
        action()
        st.rerun()

    return act


def show_guards() -> None:
    """The guards' switches, with what they cost and save over the whole pack."""
    visitor_ = me()
    guards.show(
        names={name: (guard.__doc__ or name).splitlines()[0] for name, guard in GUARDS.items()},
        off=sorted(visitor_.guards_off),
        tally=runs.tally(pack()[0], visitor_.guards()),
        on_switch=lambda name: redrawn(partial(visitor.switch_guard, visitor_, name))(),
    )


def show_queue() -> None:
    """What waits for a person."""
    visitor_ = me()
    if not visitor_.queue and not visitor_.refused:
        return
    with st.expander(f"A person's queue: {len(visitor_.queue)} waiting", icon=":material/person:", key="queue"):
        queue.show(
            [tables.waiting(run) for run in visitor_.queue],
            visitor_.refused,
            on_approve=lambda number: redrawn(partial(visitor.approve, visitor_, number))(),
            on_decline=lambda number: redrawn(partial(visitor.decline, visitor_, number))(),
        )


def show_trail() -> None:
    """The trail: what can be done with it, its charts and its runs."""
    visitor_ = me()
    done = visitor_.trail
    trail_view.show_buttons(
        len(done),
        on_run=redrawn(lambda: visitor.run_step(visitor_, current())),
        on_run_all=redrawn(lambda: visitor.run_all(visitor_, pack()[0])),
        on_clear=redrawn(lambda: visitor.clear(visitor_)),
        as_csv=lambda: trail.to_csv(done),
        as_json_lines=lambda: trail.to_json_lines(done),
    )
    show_queue()
    if done:
        trail_view.show_charts(trail.wrong_money(done), trail.verdict_counts(done), trail.differing_fields(done))
        trail_view.show_table(trail.table(done))
    else:
        trail_view.show_empty()


if __name__ == "__main__":
    st.set_page_config("Failure 13 explorer", "🧾", layout="wide")
    st.navigation([st.Page(explore, title="Explore", default=True)], position="top").run()
else:  # imported by `streamlit run`, which serves this same script behind the door
    app = st.App(__file__, middleware=door.MIDDLEWARE)
