"""The way in: page settings and the pages. Run it with `streamlit run app.py`."""

from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from failure13 import AGENTS, characters, grid, tables, trail, visitor
from failure13.listing import listing
from failure13.replay import Outcome, replay
from failure13.scenarios import Scenario, load_all
from failure13.views import about, code, editor, exact, picker, records
from failure13.views import outcome as outcome_view
from failure13.views import trail as trail_view

SCENARIOS = Path(__file__).parent / "scenarios"


@st.cache_resource(max_entries=1, show_spinner=False)
def _pack(stamp: Any) -> tuple[list[Scenario], dict[str, list[str]]]:
    return load_all(SCENARIOS)


def pack() -> tuple[list[Scenario], dict[str, list[str]]]:
    """The scenarios and the mistakes of the files that cannot be used, read anew when a file has changed."""
    return _pack([(file.name, file.stat().st_mtime_ns) for file in sorted(SCENARIOS.glob("*.json"))])


def me() -> visitor.Visitor:
    """What this visitor has done; nobody else's session has it."""
    return st.session_state.setdefault("visitor", visitor.Visitor())


def explore() -> None:
    """The page: one scenario, edited live, with what each agent does with it, and the trail."""
    exact.style()
    scenarios, broken = pack()
    if scenarios:
        show_scenario()
        show_trail()
        show_code()
        about.show_source()
    else:
        about.show_nothing()
    if broken:
        about.show_broken_files(broken)


def current() -> Scenario:
    """The scenario on screen: the one the visitor is at, else the first."""
    scenarios, _ = pack()
    return next((scenario for scenario in scenarios if scenario.id == me().place), scenarios[0])


@st.fragment
def show_scenario() -> None:
    """The scenario, its editor and the outcomes; an edit redraws this and nothing else."""
    scenario = current()
    show_picker(scenario)
    records.show(scenario.case, scenario.notice)
    work = me().work(scenario)
    if len(scenario.steps) > 1:
        editor.show_steps(f"{scenario.id}/step", len(scenario.steps), work.step, partial(setattr, work, "step"))
    show_editor(scenario, work)
    outcomes = replay(scenario, work.steps)
    for column, agent in zip(st.columns(len(AGENTS), gap="small"), AGENTS, strict=True):
        with column:
            show_card(scenario, work, outcomes[agent][work.step])


def show_picker(scenario: Scenario) -> None:
    """The picker, with every edited scenario marked as edited."""
    scenarios, _ = pack()
    visitor_, work = me(), me().work(scenario)

    def pick(at: int) -> None:
        visitor_.place = scenarios[at].id

    picker.show(
        options=[
            f"{number}. {each.title}{' (edited)' if visitor_.is_edited(each) else ''}. {each.hook}"
            for number, each in enumerate(scenarios, start=1)
        ],
        at=scenarios.index(scenario),
        edited=visitor_.is_edited(scenario),
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
        editor.show_edits(key, [one["label"] for one in scenario.tries], not grid.is_text(step), edits)
        editor.show_changes(grid.changes(scenario.steps[work.step], step))


def show_card(scenario: Scenario, work: visitor.Work, outcome: Outcome) -> None:
    """What one agent did with the step on screen."""
    why = "" if me().is_edited(scenario) else (scenario.why or {}).get(outcome.agent, "")
    outcome_view.show(
        outcome,
        tables.problems(outcome, work.steps[work.step]),
        tables.ledger(outcome.ledger, len(outcome.before)),
        why,
    )


@st.fragment
def show_code() -> None:
    """The source of what the step on screen ran, opened on demand."""
    opened = st.expander("The code that ran", icon=":material/code:", on_change="rerun", key="code")
    if opened.open:
        scenario = current()
        work = me().work(scenario)
        with opened:
            agent = code.pick(AGENTS)
            before = replay(scenario, work.steps)[agent][work.step].before
            code.show(listing(agent, work.steps[work.step], before, scenario.case))


@st.fragment
def show_trail() -> None:
    """The trail; a run redraws this and nothing else."""
    visitor_ = me()

    def run() -> None:
        scenario = current()
        work = visitor_.work(scenario)
        visitor_.trail.append(trail.run(scenario, work.steps, work.step, visitor_.is_edited(scenario)))

    def run_all() -> None:
        for scenario in pack()[0]:
            steps = visitor_.steps(scenario)
            for index in range(len(steps)):
                visitor_.trail.append(trail.run(scenario, steps, index, visitor_.is_edited(scenario)))

    runs: list[trail.Run] = visitor_.trail
    trail_view.show_buttons(
        len(runs), run, run_all, runs.clear, lambda: trail.to_csv(runs), lambda: trail.to_json_lines(runs)
    )
    if runs:
        trail_view.show_charts(trail.wrong_money(runs), trail.verdict_counts(runs), trail.differing_fields(runs))
        trail_view.show_table(trail.table(runs))
    else:
        trail_view.show_empty()


if __name__ == "__main__":
    st.set_page_config("Failure 13 explorer", "🧾", layout="wide")
    st.navigation([st.Page(explore, title="Explore", default=True)], position="top").run()
