"""One beat of a lesson at a time, large, with the beats before it in small below."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from failure13 import verdicts
from failure13.views import exact

if TYPE_CHECKING:
    from failure13.lesson import Beat

MOST_HANDS = 9999
SIGNS = {  # the sign that stands beside a verdict, and the tone of both
    verdicts.PAID_AS_OWED: ("✓", "good"),
    verdicts.RIGHTLY_STOPPED: ("■", "stop"),
    verdicts.NEEDLESS_BLOCK: ("▲", "warn"),
    verdicts.WRONG_MONEY: ("✕", "bad"),
    verdicts.CRASHED: ("!", "crash"),
}

ICONS = {"": ":material/circle:", "done": ":material/check_circle:", "once more": ":material/replay:"}


@dataclass(frozen=True)
class Entry:
    """A lesson in the list of lessons: its place counted from 0, its label, and "done" or "once more" or ""."""

    lesson: int
    label: str
    mark: str

    @property
    def icon(self) -> str:
        """The icon that goes with the mark."""
        return ICONS[self.mark]


def show_bar(place: str, on_back: Callable[[], None], on_forward: Callable[[], None]) -> None:
    """Back, forward and the place; neither button is ever switched off, so neither loses the focus."""
    st.button("Back", shortcut="Left", key="lesson-back", on_click=on_back)
    st.button("Forward", shortcut="Right", key="lesson-forward", type="primary", on_click=on_forward)
    st.markdown(place, width="content")


def show_beat(title: str, beat: "Beat", note: str, address: str) -> None:
    """The beat, large, under what it belongs to; `note` says why it is this one, and `address` leads back to it."""
    exact.lesson(title, beat.heading, beat.lines, beat.tables, note, _verdict(beat))
    exact.announce(address, f"{title} {beat} {note}")


def show_earlier(beats: Sequence["Beat"]) -> None:
    """The beats before, in small, the latest first."""
    exact.earlier([(beat.heading, beat.lines, beat.tables, _verdict(beat)) for beat in reversed(beats)])


def _verdict(beat: "Beat") -> tuple[str, str, str] | None:
    return (*SIGNS[beat.verdict], beat.verdict) if beat.verdict else None


def show_choices(choices: Sequence[str], on_choose: Callable[[str], None], on_take_back: Callable[[], None]) -> None:
    """What can be predicted, each on a key of its own."""
    with st.container(horizontal=True, gap="small", key="f13-choices"):
        for number, choice in enumerate(choices, start=1):
            st.button(
                choice.capitalize(),
                key=f"lesson-choice-{number}",
                shortcut=str(number),
                on_click=on_choose,
                args=(choice,),
            )
        st.button(
            "Take back",
            key="lesson-take-back",
            icon=":material/undo:",
            shortcut="0",
            type="tertiary",
            on_click=on_take_back,
        )


def show_hands(
    key: str,
    agents: Mapping[str, str],
    choices: Sequence[str],
    count: Callable[[str, str], int],
    on_count: Callable[[str, str, int], None],
    on_done: Callable[[], None],
) -> None:
    """How many hands of a room go up for each choice, agent by agent; the arrow keys are the numbers' own meanwhile."""
    with st.container(gap="xsmall", key="f13-hands"):
        for agent, way in agents.items():
            exact.line(f"{agent.capitalize()} {way}")
            for column, choice in zip(st.columns(len(choices)), choices, strict=True):
                with column:
                    _count(f"{key}/{agent}/{choice}", f"{agent}: {choice}", count, agent, choice, on_count)
        st.button("Show what happens", key="lesson-counted", on_click=on_done)


def _count(
    key: str,
    label: str,
    count: Callable[[str, str], int],
    agent: str,
    choice: str,
    on_count: Callable[[str, str, int], None],
) -> None:
    st.number_input(
        label,
        0,
        MOST_HANDS,
        count(agent, choice),
        key=key,
        persist_state="session",
        on_change=lambda: on_count(agent, choice, st.session_state[key] or 0),
    )


def show_tries(labels: Sequence[str]) -> int | None:
    """The edits worth trying; the number of the one pressed, or None."""
    pressed: int | None = None
    with st.container(horizontal=True, gap="small", key="f13-tries"):
        for number, label in enumerate(labels):
            if st.button(label, key=f"lesson-try-{number}", icon=":material/open_in_new:"):
                pressed = number
    return pressed


def show_challenge(told: bool, on_tell: Callable[[], None]) -> bool:
    """The way into the sandbox and, until it was told, to the answer; whether the sandbox was asked for."""
    with st.container(horizontal=True, gap="small", key="f13-challenge"):
        opened = st.button("Open Explore", key="lesson-challenge", icon=":material/open_in_new:")
        if not told:
            st.button("Tell me the answer", key="lesson-tell", on_click=on_tell)
    return opened


def show_again(entries: Sequence[Entry], on_again: Callable[[int], None]) -> None:
    """The lessons that went another way than predicted, each to be begun anew."""
    if entries:
        exact.line("These went another way than you predicted. Once more?")
        with st.container(horizontal=True, gap="xsmall"):
            for entry in entries:
                _entry("lesson-again", entry, on_again)


def show_doubt(text: str) -> None:
    """What this demonstration does not show, behind the question a reader would ask."""
    with st.expander("How often do real models do this?", icon=":material/help:"):
        exact.line(text)


def show_limits(limits: Mapping[str, tuple[str, str]], here: str | None) -> None:
    """All limits of the fix, each with what slips and what answers it, the one that shows `here` in bold."""
    with st.expander(f"The {len(limits)} limits of the fix", icon=":material/rule:"):
        rows = [(name, slips, answer) for name, (slips, answer) in limits.items()]
        marked = [number for number, name in enumerate(limits) if name == here]
        exact.table("Limits of the fix", ("limit", "what slips", "what answers it"), rows, marked, show_caption=False)


def show_menu(
    progress: str,
    groups: Mapping[str, Sequence[Entry]],
    presenter: bool,
    on_open: Callable[[int], None],
    on_presenter: Callable[[bool], None],
    on_forget: Callable[[], None],
) -> None:
    """All lessons by group with how far one is, and what a presenter needs; drawn only while it is open."""
    menu = st.popover(f"All lessons, {progress}", icon=":material/list:", on_change="rerun", key="lesson-menu")
    if not menu.open:
        return
    with menu, st.container(gap="small", width=760):
        st.session_state["lesson-presenter"] = presenter
        st.toggle(
            "Presenter: skip predictions, count a show of hands",
            key="lesson-presenter",
            on_change=lambda: on_presenter(st.session_state["lesson-presenter"]),
        )
        exact.line("The address of this page leads to this beat. With ?fresh=1 instead, a room starts clean.")
        for name, entries in groups.items():
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                st.markdown(f"**{name}**", width=190)
                for entry in entries:
                    _entry("lesson-open", entry, _closing(on_open))
        st.button("Forget all predictions", key="lesson-forget", icon=":material/restart_alt:", on_click=on_forget)


def _closing(on_open: Callable[[int], None]) -> Callable[[int], None]:
    def open_and_close(lesson: int) -> None:
        st.session_state["lesson-menu"] = False
        on_open(lesson)

    return open_and_close


def _entry(key: str, entry: Entry, on_press: Callable[[int], None]) -> None:
    st.button(
        entry.label, key=f"{key}-{entry.lesson}", icon=entry.icon, on_click=on_press, args=(entry.lesson,), wrap=True
    )
