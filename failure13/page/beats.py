"""The parts of a lesson beside its text: where one is, what can be predicted, and where to go from here."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from failure13.agents import AGENTS
from failure13.limits import LIMITS, MAST
from failure13.page import exact
from failure13.visit import lessons
from failure13.visit.lessons import Lesson, Progress
from failure13.visit.tables import Table

ICONS = {"": ":material/circle:", "done": ":material/check_circle:", "once more": ":material/replay:"}


def noting(move: Callable[..., str | None], *arguments: Any) -> Callable[..., None]:
    """A move within the lessons that leaves what it has to say for the page, where it stays until the next move."""

    def moved(*more: Any) -> None:
        st.session_state["lesson-note"] = move(*arguments, *more) or ""

    return moved


def show_bar(progress: Progress, pack: Sequence[Lesson]) -> None:
    """Back, forward and the place; neither button is ever switched off, so neither loses the focus."""
    number = lessons.at(progress, pack)
    of = len(lessons.beats(number, len(pack)))
    st.button("Back", shortcut="Left", key="lesson-back", on_click=noting(lessons.back, progress, pack))
    on = noting(lessons.forward, progress, pack)
    st.button("Forward", shortcut="Right", key="lesson-forward", type="primary", on_click=on)
    st.markdown(f"Lesson {number + 1} of {len(pack)}, beat {progress.beat} of {of}", width="content")


def show_choices(progress: Progress, lesson: Lesson) -> None:
    """What can be predicted, each on a key of its own."""
    with st.container(horizontal=True, gap="small", key="f13-choices"):
        for number, choice in enumerate(lessons.CHOICES, start=1):
            st.button(
                choice.capitalize(),
                key=f"lesson-choice-{number}",
                shortcut=str(number),
                on_click=noting(lessons.predict, progress, lesson, choice),
            )
        st.button(
            "Take back",
            key="lesson-take-back",
            icon=":material/undo:",
            shortcut="0",
            type="tertiary",
            on_click=noting(lessons.take_back, progress, lesson),
        )


def show_hands(progress: Progress, lesson: Lesson, pack: Sequence[Lesson]) -> None:
    """How many hands of a room go up for each choice, agent by agent; in a number, the arrow keys change it."""
    with st.container(gap="xsmall", key="f13-hands"):
        for agent, row in AGENTS.items():
            exact.line(f"{agent.capitalize()} {row.way}")
            for column, choice in zip(st.columns(len(lessons.CHOICES)), lessons.CHOICES, strict=True):
                with column:
                    _show_count(progress, lesson, agent, choice)
        st.button("Show what happens", key="lesson-counted", on_click=noting(lessons.forward, progress, pack))


def _show_count(progress: Progress, lesson: Lesson, agent: str, choice: str) -> None:
    key = f"hands/{lesson.number}/{agent}/{choice}"
    st.number_input(
        f"{agent}: {choice}",
        0,
        lessons.MOST_HANDS,
        lessons.hands(progress, lesson, agent, choice),
        key=key,
        persist_state="session",
        on_change=lambda: lessons.raise_hands(progress, lesson, agent, choice, st.session_state[key] or 0),
    )


def show_tries(labels: Sequence[str]) -> int | None:
    """The edits worth trying; the number of the one pressed, or None."""
    pressed: int | None = None
    with st.container(horizontal=True, gap="small", key="f13-tries"):
        for number, label in enumerate(labels):
            if st.button(label, key=f"lesson-try-{number}", icon=":material/open_in_new:"):
                pressed = number
    return pressed


def show_challenge(answer_seen: bool, on_tell: Callable[[], None]) -> bool:
    """The way into the sandbox and, until it was seen, to the answer; whether the sandbox was opened."""
    with st.container(horizontal=True, gap="small", key="f13-challenge"):
        opened = st.button("Open Explore", key="lesson-challenge", icon=":material/open_in_new:")
        if not answer_seen:
            st.button("Tell me the answer", key="lesson-tell", on_click=on_tell)
    return opened


def show_again(progress: Progress, pack: Sequence[Lesson]) -> None:
    """The lessons that went another way than predicted, each to be begun anew."""
    missed = [lesson for lesson in pack if lessons.is_missed(progress, lesson)]
    if missed:
        exact.line("These went another way than you predicted. Once more?")
        with st.container(horizontal=True, gap="xsmall"):
            for lesson in missed:
                _show_entry("lesson-again", progress, lesson, noting(lessons.again, progress, pack))


def show_doubt() -> None:
    """What this demonstration does not show, behind the question a reader would ask."""
    with st.expander("How often do real models do this?", icon=":material/help:"):
        exact.line(MAST)


def show_limits(here: str | None) -> None:
    """Where the agents stop, each limit with what slips and what answers it, the one that shows `here` in bold."""
    with st.expander(f"Where the agents stop: {len(LIMITS)} limits and costs", icon=":material/rule:"):
        rows = [(limit.agent, name, limit.slips, limit.answer) for name, limit in LIMITS.items()]
        marked = [number for number, name in enumerate(LIMITS) if name == here]
        header = ("agent", "limit or cost", "what slips, or what it costs", "what answers it")
        exact.table(Table("Where the agents stop", header, rows), marked, show_caption=False)


def show_menu(progress: Progress, pack: Sequence[Lesson], on_forget: Callable[[], None]) -> None:
    """All lessons by group with how far one is, and what a presenter needs; drawn only while it is open."""
    label = f"All lessons, {len(progress.done)} of {len(pack)} done"
    menu = st.popover(label, icon=":material/list:", on_change="rerun", key="lesson-menu")
    if not menu.open:
        return
    with menu, st.container(gap="small", width=760):
        st.session_state["lesson-presenter"] = progress.presenter
        st.toggle(
            "Presenter: skip predictions, count a show of hands",
            key="lesson-presenter",
            on_change=lambda: setattr(progress, "presenter", st.session_state["lesson-presenter"]),
        )
        exact.line("The address of this page leads to this beat. With ?fresh=1 instead, a room starts clean.")
        for name, of_group in lessons.groups(pack).items():
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                with st.container(width=190):
                    exact.line(name)
                for lesson in of_group:
                    _show_entry("lesson-open", progress, lesson, noting(_open, progress, pack))
        st.button(
            "Forget all predictions", key="lesson-forget", icon=":material/restart_alt:", on_click=noting(on_forget)
        )


def _open(progress: Progress, pack: Sequence[Lesson], number: int) -> str:
    st.session_state["lesson-menu"] = False
    return lessons.go(progress, pack, number, 1)


def _show_entry(key: str, progress: Progress, lesson: Lesson, on_press: Callable[[int], None]) -> None:
    mark = lessons.result(progress, lesson)
    st.button(
        f"{lessons.title(progress, lesson)}{mark and f' ({mark})'}",
        key=f"{key}-{lesson.number}",
        icon=ICONS[mark],
        on_click=on_press,
        args=(lesson.number,),
        wrap=True,
    )
