"""Learn: one lesson, a beat at a time, with a prediction before the outcome."""

from functools import partial
from typing import Any

import streamlit as st

from failure13.agents import AGENTS
from failure13.page import about, beats, exact, explore, head
from failure13.page.session import keep, me, pack
from failure13.visit import lessons
from failure13.visit.lessons import Lesson, Progress


def page() -> Any:
    """Learn, for the navigation."""
    return st.Page(learn, title="Learn", icon=":material/school:", url_path="learn")


def learn() -> None:
    """The page: one lesson, a beat at a time, with a prediction before the outcome."""
    exact.style()
    head.show()
    me()
    keep()
    if not pack().lessons:
        about.show_nothing()
        return
    follow_link()
    progress = me().lessons
    number = lessons.at(progress, pack().lessons)
    lessons.go(progress, pack().lessons, number, progress.beat)
    with st.container(horizontal_alignment="center"), st.container(width=1080, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            beats.show_bar(progress, pack().lessons)
            beats.show_menu(progress, pack().lessons, on_forget=forget)
        show_beat(pack().lessons[number])


def follow_link() -> None:
    """Go where the address points when the visitor arrives, and only then."""
    if "lesson-arrived" in st.session_state:
        return
    st.session_state["lesson-arrived"] = True
    link = st.query_params.to_dict()
    if link.get("fresh") == "1":
        me().lessons = Progress()
    st.session_state["lesson-note"] = lessons.follow(me().lessons, pack().lessons, link)


def forget() -> None:
    """Forget all predictions."""
    me().lessons = Progress(presenter=me().lessons.presenter)


def show_beat(lesson: Lesson) -> None:
    """The beat on screen, what one can do on it, and the beats before it in small."""
    progress = me().lessons
    progress.answer_seen = progress.answer_seen or (progress.challenged and any(map(me().is_edited, pack().scenarios)))
    names = lessons.beats(lesson.number, len(pack().lessons))[: progress.beat]
    *earlier, last = [lessons.beat_of(name, lesson, progress) for name in names]
    title = lessons.title(progress, lesson)
    note = st.session_state.get("lesson-note", "")
    exact.beat(title, last, note)
    exact.announce(f"?lesson={lesson.number + 1}&beat={progress.beat}", f"{title} {last} {note}")
    show_deeds(lesson, last.name)
    exact.earlier(earlier[::-1])


def show_deeds(lesson: Lesson, beat: str) -> None:
    """What one can do on a beat, beside going on."""
    progress = me().lessons
    if beat == lessons.PREDICT and progress.presenter:
        beats.show_hands(progress, lesson, pack().lessons)
    elif beat == lessons.PREDICT and lessons.may_predict(progress, lesson):
        beats.show_choices(progress, lesson)
    elif beat in (lessons.GAP, next(iter(AGENTS))):
        if beat == lessons.GAP and lesson.scenario.limit:
            beats.show_limits(lesson.scenario.limit)
        beats.show_doubt()
    elif beat == lessons.TRIES:
        chosen = beats.show_tries([one["label"] for one in lesson.scenario.tries])
        if chosen is not None:
            open_try(lesson, chosen)
    elif beat == lessons.SANDBOX:
        beats.show_limits(None)
        show_sandbox(progress)


def open_try(lesson: Lesson, number: int) -> None:
    """Make one of a scenario's edits and go and see it."""
    work = me().work(lesson.scenario)
    work.step = len(lesson.scenario.steps) - 1
    work.attempt(lesson.scenario.tries[number])
    me().place = lesson.scenario.id
    st.switch_page(explore.page())


def show_sandbox(progress: Progress) -> None:
    """The challenge, what came of it, and the lessons worth another go."""
    if progress.challenged:
        won = lessons.past_the_guards(pack().lessons, me().is_edited, me().outcomes)
        if won:
            exact.line(f"You did it, in lesson {', '.join(str(lesson.number + 1) for lesson in won)}.")
    if beats.show_challenge(progress.answer_seen, partial(setattr, progress, "answer_seen", True)):
        progress.challenged = True
        st.switch_page(explore.page())
    beats.show_again(progress, pack().lessons)
