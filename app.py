"""The way in: page settings and the pages. Run it with `streamlit run app.py`."""

import contextlib
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from failure13 import (
    AGENTS,
    calls,
    characters,
    export,
    grid,
    lesson,
    memory,
    runs,
    share,
    store,
    tables,
    trail,
    visitor,
)
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.listing import listing
from failure13.replay import Outcome, replay, unmet
from failure13.scenarios import MOST_BYTES, BrokenFile, Scenario, load_all, to_json, uploaded, with_steps
from failure13.views import about, code, door, editor, exact, files, guards, livetext, picker, queue, records
from failure13.views import lesson as lesson_view
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
            show_scenario(opened)
    else:
        about.show_nothing()
    if broken:
        about.show_broken_files(broken)


def available() -> list[Scenario]:
    """The scenarios that this visitor can pick: the pack, then their own."""
    return [*pack()[0], *me().own_scenarios()]


def current() -> Scenario:
    """The scenario on screen: the one the visitor is at, else the first."""
    scenarios = available()
    return next((scenario for scenario in scenarios if scenario.id == me().place), scenarios[0])


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
    """The picker, with a mark on an edited scenario, and what can be done with its edits."""
    scenarios, visitor_, work = available(), me(), me().work(scenario)

    def pick(at: int) -> None:
        visitor_.place = scenarios[at].id

    picker.show(
        options=[f"{number}. {each.title}. {each.hook}" for number, each in enumerate(scenarios, start=1)],
        at=scenarios.index(scenario),
        edited=visitor_.is_edited(scenario),
        shared=work.shared is not None,
        on_pick=pick,
        on_undo=(lambda: visitor.go_to(work, work.at - 1)) if work.at > 0 else None,
        on_redo=(lambda: visitor.go_to(work, work.at + 1)) if work.at + 1 < len(work.edits) else None,
        on_reset=lambda: visitor.reset(work),
        edits=lambda: files.edits(
            f"edits/{scenario.id}/{len(work.edits)}/{work.now.revision}",
            [edit.label for edit in work.edits],
            work.at,
            partial(visitor.go_to, work),
        ),
        share=partial(show_share, scenario, work),
        take_away=partial(show_take_away, scenario, work),
    )


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
    show_guards()
    show_queue()
    if done:
        trail_view.show_charts(trail.wrong_money(done), trail.verdict_counts(done), trail.differing_fields(done))
        trail_view.show_table(trail.table(done))
    else:
        trail_view.show_empty()


EMPTY = """{
  "title": "A scenario of my own",
  "case": {
    "ticket": {"id": "T1", "order_id": "A100", "customer_id": "C1", "text": "", "agreed_amount": "20.00"},
    "orders": {"A100": {"customer_id": "C1", "paid": "40.00", "refundable": "20.00", "currency": "USD"}}
  },
  "steps": [
    {
      "said": "",
      "intent": {"order_id": "A100", "amount": 20.0},
      "do": {"order_id": "A100", "amount": 20.0},
      "owed": {"order_id": "A100", "amount": 20.0}
    }
  ]
}
"""


def write() -> None:
    """The page for a scenario of one's own: its file as text, its mistakes as it is typed, what each agent does."""
    exact.style()
    visitor_ = me()
    keep()
    st.title("Write your own", anchor=False)

    def start(text: str) -> None:
        visitor_.writing = text
        st.session_state["seed"] = st.session_state.get("seed", 0) + 1

    files.starts(
        on_empty=lambda: start(EMPTY),
        on_current=lambda: start(to_json(with_steps(current(), me().work(current()).steps))),
        on_upload=lambda content: start(content[: MOST_BYTES + 1].decode("utf-8", "backslashreplace")),
    )
    left, right = st.columns((3, 2), gap="medium")
    with left:
        text = visitor_.writing or EMPTY
        seed = f"{st.session_state.get('seed', 0)}"
        livetext.show("writing", "The scenario's file", text, seed, partial(setattr, visitor_, "writing"))
    with right:
        show_written(text)


def show_written(text: str) -> None:
    """What a written scenario comes to: its mistakes, else its outcomes and the way to Explore."""
    try:
        scenario = uploaded("your-own.json", text.encode("utf-8", "backslashreplace"))
    except BrokenFile as error:
        files.mistakes(error.mistakes)
        return
    files.mistakes([])
    st.button("Open in Explore", type="primary", icon=":material/open_in_new:", on_click=partial(open_own, scenario))
    files.outcomes(*tables.overview(scenario), unmet(scenario.expect, replay(scenario)))


def open_own(scenario: Scenario) -> None:
    """Add a written scenario to the visitor's own and show it in Explore."""
    visitor.take(me(), scenario)
    st.switch_page(pages()["explore"])


def learn() -> None:
    """The page: one lesson, a beat at a time, with a prediction before the outcome."""
    exact.style()
    scenarios, _ = pack()
    if not scenarios:
        about.show_nothing()
        return
    follow_link(scenarios)
    lessons = me().lessons
    number = lesson.at(lessons, scenarios)
    lesson.go(lessons, scenarios, number, lessons.beat)
    with st.container(horizontal_alignment="center"), st.container(width=1080, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            show_lesson_bar(lessons, scenarios)
            show_lessons(lessons, scenarios)
        show_beat(scenarios[number], number, st.session_state.get("lesson-note", ""))


def follow_link(scenarios: list[Scenario]) -> None:
    """Go where the address points when the visitor arrives, and only then."""
    if "lesson-arrived" in st.session_state:
        return
    st.session_state["lesson-arrived"] = True
    link = st.query_params.to_dict()
    if link.get("fresh") == "1":
        me().lessons = lesson.Lessons()
    st.session_state["lesson-note"] = lesson.follow(me().lessons, scenarios, link)


def noting(move: Callable[..., str | None]) -> Callable[..., None]:
    """A move within the lessons that leaves what it has to say for the page, where it stays until the next move."""

    def moved(*arguments: Any) -> None:
        st.session_state["lesson-note"] = move(*arguments) or ""

    return moved


def show_lesson_bar(lessons: lesson.Lessons, scenarios: list[Scenario]) -> None:
    """Back, forward, and the place in the lessons."""
    number = lesson.at(lessons, scenarios)
    of = len(lesson.beats(number, len(scenarios)))
    lesson_view.show_bar(
        f"Lesson {number + 1} of {len(scenarios)}, beat {lessons.beat} of {of}",
        on_back=noting(partial(lesson.back, lessons, scenarios)),
        on_forward=noting(partial(lesson.forward, lessons, scenarios)),
    )


def show_beat(scenario: Scenario, number: int, note: str) -> None:
    """The beat on screen, what one can do on it, and the beats before it in small."""
    lessons = me().lessons
    names = lesson.beats(number, len(pack()[0]))
    lessons.told = lessons.told or (lessons.challenged and any(map(me().is_edited, pack()[0])))
    shown = [lesson.show(name, scenario, number, lessons) for name in names[: lessons.beat]]
    title = lesson.title(scenario, number, lessons)
    lesson_view.show_beat(title, shown[-1], note, f"?lesson={number + 1}&beat={lessons.beat}")
    show_deeds(scenario, shown[-1].name)
    lesson_view.show_earlier(shown[:-1])


def show_deeds(scenario: Scenario, beat: str) -> None:
    """What one can do on a beat, beside going on."""
    lessons = me().lessons
    if beat == lesson.PREDICT and lessons.presenter:
        lesson_view.show_hands(
            f"hands/{lesson.at(lessons, pack()[0])}",
            lesson.WAYS,
            lesson.CHOICES,
            partial(lesson.hands, lessons, scenario),
            partial(lesson.raise_hands, lessons, scenario),
            noting(partial(lesson.forward, lessons, pack()[0])),
        )
    elif beat == lesson.PREDICT and lesson.may_predict(lessons, scenario):
        lesson_view.show_choices(
            lesson.CHOICES,
            noting(partial(lesson.predict, lessons, scenario)),
            noting(partial(lesson.take_back, lessons, scenario)),
        )
    elif beat in (lesson.GAP, "broken"):
        lesson_view.show_doubt(lesson.DOUBT)
    elif beat == lesson.TRIES:
        chosen = lesson_view.show_tries([one["label"] for one in scenario.tries])
        if chosen is not None:
            open_try(scenario, chosen)
    elif beat == lesson.SANDBOX:
        show_sandbox(lessons)


def open_try(scenario: Scenario, number: int) -> None:
    """Make one of a scenario's edits and go and see it."""
    work = me().work(scenario)
    work.step = len(scenario.steps) - 1
    visitor.attempt(work, scenario.tries[number])
    me().place = scenario.id
    st.switch_page(pages()["explore"])


def show_sandbox(lessons: lesson.Lessons) -> None:
    """The challenge, what came of it, and the lessons worth another go."""
    scenarios, _ = pack()
    won = lesson.past_the_guards(scenarios, me().steps) if lessons.challenged else []
    if won:
        exact.line(f"You did it, in lesson {', '.join(str(number + 1) for number in won)}.")
    if lesson_view.show_challenge(lessons.told, partial(setattr, lessons, "told", True)):
        lessons.challenged = True
        st.switch_page(pages()["explore"])
    lesson_view.show_again(
        [entry(lessons, scenarios, number) for number in lesson.missed(lessons, scenarios)],
        noting(partial(lesson.again, lessons, scenarios)),
    )


def show_lessons(lessons: lesson.Lessons, scenarios: list[Scenario]) -> None:
    """The list of all lessons, by group, with how far the visitor is."""

    def forget() -> None:
        me().lessons = lesson.Lessons(presenter=lessons.presenter)

    lesson_view.show_menu(
        f"{len(lessons.done)} of {len(scenarios)} done",
        {
            name: [entry(lessons, scenarios, number) for number in numbers]
            for name, numbers in lesson.groups(scenarios).items()
        },
        lessons.presenter,
        on_open=noting(lambda number: lesson.go(lessons, scenarios, number, 1)),
        on_presenter=partial(setattr, lessons, "presenter"),
        on_forget=noting(forget),
    )


def entry(lessons: lesson.Lessons, scenarios: list[Scenario], number: int) -> lesson_view.Entry:
    """A lesson as the list shows it: with its title and how it went, once it was gone through."""
    mark = lesson.mark(lessons, scenarios, number)
    return lesson_view.Entry(number, f"{lesson.title(scenarios[number], number, lessons)}{mark and f' ({mark})'}", mark)


def pages() -> dict[str, Any]:
    """The pages by name, in the order of the navigation."""
    return {
        "explore": st.Page(explore, title="Explore", icon=":material/compare_arrows:", default=True),
        "learn": st.Page(learn, title="Learn", icon=":material/school:", url_path="learn"),
        "write": st.Page(write, title="Write", icon=":material/edit_note:", url_path="write"),
    }


if __name__ == "__main__":
    st.set_page_config("Failure 13 explorer", "🧾", layout="wide")
    st.navigation(list(pages().values()), position="top").run()
else:  # imported by `streamlit run`, which serves this same script behind the door
    app = st.App(__file__, middleware=door.MIDDLEWARE)
