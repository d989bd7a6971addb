"""Learn: one lesson, a beat at a time, with a prediction before the outcome."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from failure13 import lesson, visitor
from failure13.limits import LIMITS
from failure13.pages import explore
from failure13.pages.session import keep, me, pack
from failure13.scenarios import Scenario
from failure13.views import about, exact
from failure13.views import lesson as lesson_view


def page() -> Any:
    """Learn, as the navigation knows it."""
    return st.Page(learn, title="Learn", icon=":material/school:", url_path="learn")


def learn() -> None:
    """The page: one lesson, a beat at a time, with a prediction before the outcome."""
    exact.style()
    scenarios, _ = pack()
    me()
    keep()
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
        if beat == lesson.GAP and scenario.limit:
            lesson_view.show_limits(LIMITS, scenario.limit)
        lesson_view.show_doubt(lesson.DOUBT)
    elif beat == lesson.TRIES:
        chosen = lesson_view.show_tries([one["label"] for one in scenario.tries])
        if chosen is not None:
            open_try(scenario, chosen)
    elif beat == lesson.SANDBOX:
        lesson_view.show_limits(LIMITS, None)
        show_sandbox(lessons)


def open_try(scenario: Scenario, number: int) -> None:
    """Make one of a scenario's edits and go and see it."""
    work = me().work(scenario)
    work.step = len(scenario.steps) - 1
    visitor.attempt(work, scenario.tries[number])
    me().place = scenario.id
    st.switch_page(explore.page())


def show_sandbox(lessons: lesson.Lessons) -> None:
    """The challenge, what came of it, and the lessons worth another go."""
    scenarios, _ = pack()
    won = lesson.past_the_guards(scenarios, me().steps) if lessons.challenged else []
    if won:
        exact.line(f"You did it, in lesson {', '.join(str(number + 1) for number in won)}.")
    if lesson_view.show_challenge(lessons.told, partial(setattr, lessons, "told", True)):
        lessons.challenged = True
        st.switch_page(explore.page())
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
