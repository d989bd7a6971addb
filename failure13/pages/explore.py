"""Explore: one scenario, edited live, with what each agent does with it, and the trail."""

import contextlib
from functools import partial
from typing import Any

import streamlit as st

from failure13 import AGENTS, calls, characters, export, grid, runs, share, tables, trail, visitor
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.listing import listing
from failure13.pages.session import available, current, era, forget, keep, me, pack, redrawn
from failure13.replay import Outcome, replay
from failure13.scenarios import BrokenFile, Scenario, to_json, with_steps
from failure13.views import about, code, editor, exact, files, guards, picker, queue, records
from failure13.views import outcome as outcome_view
from failure13.views import trail as trail_view


def page() -> Any:
    """Explore, as the navigation and whoever leads there knows it."""
    return st.Page(explore, title="Explore", icon=":material/compare_arrows:", default=True)


def explore() -> None:
    """The page: one scenario, edited live, with what each agent does with it, and the trail."""
    exact.style()
    me()
    scenarios, broken = pack()
    if scenarios:
        open_link()
        keep()
        if st.session_state.get("notice"):
            about.show_notice(st.session_state["notice"], partial(st.session_state.pop, "notice"))
        above, below = st.container(), st.container()
        with below:
            show_trail()
            opened = st.expander(
                "The code that ran", icon=":material/code:", on_change=redrawn(lambda: None), key="code"
            )
            about.show_source()
        with above:
            show_scenario(available(), opened)
    else:
        about.show_nothing()
    if broken:
        about.show_broken_files(broken)


def open_link() -> None:
    """Go where a link in the address leads, once; one that cannot be read leads to the first scenario and a notice."""
    text, visitor_ = st.query_params.get("s", ""), me()
    if text and text != visitor_.opened:
        visitor_.opened = text
        try:
            visitor.open_link(visitor_, *share.opened(text, pack()[0]))
        except share.BadLink as error:
            visitor_.place = pack()[0][0].id
            st.session_state["notice"] = f"The link could not be opened. {error}"


@st.fragment
def show_scenario(scenarios: list[Scenario], opened: Any) -> None:
    """The scenario, its editor, the outcomes and, where it is `opened`, the code; an edit redraws just these."""
    keep()
    scenario = current(scenarios)
    work = me().work(scenario)
    outcomes = replay(scenario, work.steps, me().guards())
    with st.container(gap="xsmall"):
        show_picker(scenarios, scenario)
        records.show(scenario.case, tables.owed(work.steps[work.step]), scenario.notice)
        if len(scenario.steps) > 1:
            editor.show_steps(f"{scenario.id}/step", len(scenario.steps), work.step, partial(setattr, work, "step"))
        show_editor(scenario, work)
        for column, agent in zip(st.columns(len(AGENTS), gap="small"), AGENTS, strict=True):
            with column:
                show_card(scenario, work, outcomes[agent][work.step])
    if opened.open:
        with opened:
            show_code(scenario, work, outcomes)


def show_picker(scenarios: list[Scenario], scenario: Scenario) -> None:
    """The picker, with a mark on an edited scenario, and what can be done with its edits."""
    visitor_, work = me(), me().work(scenario)

    def pick(at: int) -> None:
        visitor_.place = scenarios[at].id

    picker.show(
        options=[label(number, each) for number, each in enumerate(scenarios, start=1)],
        at=scenarios.index(scenario),
        edited=visitor_.is_edited(scenario),
        shared=work.shared is not None,
        on_pick=pick,
        on_undo=(lambda: visitor.go_to(work, work.at - 1)) if work.at > 0 else None,
        on_redo=(lambda: visitor.go_to(work, work.at + 1)) if work.at + 1 < len(work.edits) else None,
        on_reset=lambda: visitor.reset(work),
        edits=lambda: files.edits(
            f"edits/{scenario.id}/{len(work.edits)}/{work.now.revision}",
            work.names(),
            work.at,
            partial(visitor.go_to, work),
        ),
        share=partial(show_share, scenario, work),
        take_away=partial(show_take_away, scenario, work),
    )


def label(number: int, scenario: Scenario) -> str:
    """A scenario in the picker: its number, its title and its hook."""
    hook = f": {scenario.hook}" if scenario.hook else ""
    return characters.visible(f"{number}. {scenario.title}{hook}")


def show_share(scenario: Scenario, work: visitor.Work) -> None:
    """A link to what is on screen, also put into the address."""
    if scenario.id in me().own:
        files.share("", "A link holds edits to a scenario of the pack, and this one is your own: download it instead.")
        return
    try:
        text = share.encode(scenario.id, work.steps, work.step)
    except share.BadLink as error:
        files.share("", str(error))
        return
    me().opened = text
    st.query_params["s"] = text
    files.share(f"{str(st.context.url).partition('?')[0]}?s={text}", "")


def show_take_away(scenario: Scenario, work: visitor.Work) -> None:
    """The scenario as a file, and what the page shows as a test."""
    content, refused = "", ""
    try:
        content = to_json(with_steps(scenario, work.steps))
    except BrokenFile as error:
        refused = str(error)
    guards_on = me().guards()
    test = export.as_pytest(
        scenario, work.steps, replay(scenario, work.steps, guards_on), guards_off=sorted(me().guards_off)
    )
    files.take_away(f"{scenario.id}.json", content, export.file_name(scenario), test, refused)


def show_editor(scenario: Scenario, work: visitor.Work) -> None:
    """Said and the grid of the step on screen."""
    step = work.steps[work.step]
    key = f"{era()}/{scenario.id}/{work.step}/{work.now.revision}"
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
            notes = grid.unreadable(step)
            mend = ["Fields can show only what reads as one object."] if notes else []
            editor.show_texts(key, str(texts["intent"]), str(texts["do"]), notes + mend, edits)
        else:
            editor.show_grid(key, grid.rows(step, work.shown), step["intent"] is not None, edits)
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            editor.show_edits(key, [one["label"] for one in scenario.tries], not grid.is_text(step), edits)
            editor.show_raw_switch(f"{key}/raw", grid.is_text(step), partial(switch_raw, work))
            answer = (scenario.limit, LIMITS[scenario.limit][1]) if scenario.limit else None
            about.show_why(scenario.why or {}, answer, scenario.seen, me().is_edited(scenario))
        editor.show_changes(grid.changes(grid.content(scenario.steps[work.step]), grid.content(step)))


def switch_raw(work: visitor.Work, raw: bool) -> None:
    """Show the sides as text or as fields; text that is no object stays text, and its notes say why."""
    if raw:
        visitor.use_text(work)
    else:
        with contextlib.suppress(calls.Unreadable):
            visitor.use_fields(work)


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
    waiting = visitor.waiting(visitor_)
    if not waiting and not visitor_.refused:
        return
    opened = st.expander(
        f"A person's queue: {len(waiting)} waiting",
        icon=":material/person:",
        on_change=redrawn(lambda: None),
        key="queue",
    )
    if not opened.open:
        return
    with opened:
        queue.show(
            [(number, *tables.waiting(visitor_.queue[number], visitor_.trail)) for number in waiting],
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
        len(visitor_.guards_off),
        on_run=redrawn(lambda: visitor.run_step(visitor_, current())),
        on_run_all=redrawn(lambda: visitor.run_all(visitor_, pack()[0])),
        on_clear=redrawn(lambda: visitor.clear(visitor_)),
        on_forget=redrawn(forget),
        as_csv=lambda: trail.to_csv(done),
        as_json_lines=lambda: trail.to_json_lines(done),
    )
    show_guards()
    show_queue()
    if done:
        trail_view.show_charts(trail.wrong_money(done), trail.verdict_counts(done), trail.differing_fields(done))
        trail_view.show_table(trail.table(done))
    else:
        trail_view.show_empty()
