"""The Learn page without a browser: what a visitor does, and what the page keeps of it."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from failure13.agents import AGENTS
from failure13.page import exact
from failure13.scenarios import load_all
from failure13.visit import lessons as lesson
from failure13.visit.lessons import NOTHING, RIGHT, WRONG

PACK, _ = load_all(Path(__file__).parents[1] / "scenarios")


def script() -> None:
    from pathlib import Path

    from failure13.page import learn, session

    session.begin(Path(session.__file__).parents[2])
    learn.learn()


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(script)


def opened(page: AppTest, **link: str) -> AppTest:
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, *keys: str) -> AppTest:
    for key in keys:
        page.button(key=key).click().run()
        assert not page.exception
    return page


def lessons(page: AppTest) -> lesson.Progress:
    return page.session_state["visitor"].lessons


def place(page: AppTest) -> tuple[str, int]:
    return lessons(page).place, lessons(page).beat


def text(page: AppTest) -> str:
    return " ".join(str(part.proto.body) for part in page.get("html"))


def predicted(page: AppTest, *choices: int) -> AppTest:
    return press(page, *(f"lesson-choice-{choice}" for choice in choices))


def with_menu(page: AppTest) -> AppTest:
    page.session_state["lesson-menu"] = True
    page.run()
    return page


def test_one_begins_at_the_ticket_of_the_first_lesson(page: AppTest):
    assert place(opened(page)) == ("right-words-wrong-order", 1)
    assert "You charged me twice for order A100." in text(page)


def test_forward_stops_at_the_prediction_until_it_is_made(page: AppTest):
    press(opened(page), *["lesson-forward"] * 3)
    assert place(page)[1] == 3
    assert "First your prediction for broken, fixed and guarded." in text(page)
    press(predicted(page, 3, 1, 1), "lesson-forward")
    assert place(page)[1] == 4
    assert lessons(page).predictions == {
        "right-words-wrong-order": {"broken": WRONG, "fixed": NOTHING, "guarded": NOTHING}
    }


def test_a_choice_can_be_taken_back_until_the_outcome(page: AppTest):
    predicted(opened(page, beat="3"), 3, 2)
    press(page, "lesson-take-back")
    assert lessons(page).predictions["right-words-wrong-order"] == {"broken": WRONG}
    press(predicted(page, 1, 1), "lesson-forward", "lesson-back")
    assert not [button for button in page.button if (button.key or "").startswith("lesson-choice")]


def test_a_link_with_a_prediction_outstanding_asks_first(page: AppTest):
    assert place(opened(page, lesson="3", beat="5")) == ("missing-amount", 3)
    assert "First your prediction" in text(page)


def test_a_link_is_followed_on_arrival_and_not_again(page: AppTest):
    press(opened(page, lesson="3", beat="1"), "lesson-forward")
    assert place(page) == ("missing-amount", 2)


def test_a_bad_link_says_what_was_wrong(page: AppTest):
    assert place(opened(page, lesson="ninety")) == ("right-words-wrong-order", 1)
    assert "The link asks for lesson &quot;ninety&quot;" in text(page)


@pytest.mark.parametrize(("fresh", "kept"), [("1", {}), ("0", {"x": {"broken": RIGHT}})])
def test_fresh_starts_clean(page: AppTest, fresh: str, kept: dict[str, Any]):
    from failure13.visit.visitor import Visitor

    page.session_state["visitor"] = Visitor(lessons=lesson.Progress(predictions={"x": {"broken": RIGHT}}))
    opened(page, fresh=fresh)
    assert lessons(page).predictions == kept


def test_a_presenter_skips_predictions_and_counts_hands(page: AppTest):
    with_menu(opened(page))
    page.toggle(key="lesson-presenter").set_value(True).run()
    press(page, "lesson-forward", "lesson-forward")
    page.number_input(key=f"hands/0/fixed/{NOTHING}").set_value(12).run()
    press(page, "lesson-counted", "lesson-forward", "lesson-forward")
    assert place(page)[1] == 6
    assert "The room: 12 for no money moves" in text(page)
    press(page, *["lesson-back"] * 3)
    assert page.number_input(key=f"hands/0/fixed/{NOTHING}").value == 12


def test_the_list_of_lessons_leads_to_each(page: AppTest):
    press(with_menu(opened(page)), f"lesson-open-{len(PACK) - 1}")
    assert place(page) == (PACK[-1].id, 1)
    assert page.session_state["lesson-menu"] is False


def test_forgetting_keeps_nothing_but_the_presenter(page: AppTest):
    predicted(opened(page, beat="3"), 1)
    lessons(page).presenter = True
    press(with_menu(page), "lesson-forget")
    assert lessons(page) == lesson.Progress(place="right-words-wrong-order", presenter=True)


def test_what_was_missed_is_offered_again_at_the_end(page: AppTest):
    press(predicted(opened(page, lesson=str(len(PACK)), beat="3"), 2, 2, 2), *["lesson-forward"] * 7)
    assert place(page)[1] == 10
    press(page, f"lesson-again-{len(PACK) - 1}")
    assert place(page) == (PACK[-1].id, 1)
    assert lessons(page).predictions == {}


def test_the_answer_to_the_challenge_is_told_when_asked_for(page: AppTest):
    press(predicted(opened(page, lesson=str(len(PACK)), beat="3"), 1, 1, 1), *["lesson-forward"] * 7)
    assert lesson.ANSWER not in text(page)
    press(page, "lesson-tell")
    assert lesson.ANSWER in text(page)


def test_who_took_the_challenge_is_told_what_came_of_it(page: AppTest):
    press(predicted(opened(page, lesson=str(len(PACK)), beat="3"), 1, 1, 1), *["lesson-forward"] * 7)
    me = page.session_state["visitor"]
    store_credit = next(s for s in PACK if s.id == "extra-store-credit")
    lessons(page).challenged = True
    me.work(store_credit).attempt({"label": "", "set": {"steps[0].intent.store_credit": 50}})
    page.run()
    assert "You did it, in lesson 4." in text(page)
    assert lesson.ANSWER in text(page)


def test_what_real_models_do_is_said_not_to_be_shown(page: AppTest):
    press(predicted(opened(page, beat="3"), 3, 1, 1), *["lesson-forward"] * 2)
    assert "13.2 % of the failures recorded" in text(page)


def test_two_visitors_do_not_see_each_others_lessons():
    one, two = (AppTest.from_function(script) for _ in range(2))
    predicted(opened(one, beat="3"), 3, 3, 3)
    assert lessons(opened(two, beat="3")).predictions == {}


def test_the_pages_one_script_holds_nothing_but_an_address_and_a_number():
    assert set(re.findall(r"%\(\w+\)\w", exact.ANNOUNCE)) == {"%(address)s", "%(text)d"}
    with pytest.raises(ValueError, match="expected a query"):
        exact.announce('?lesson="+alert(1)+"', "")


def test_a_key_press_replays_no_lesson(page: AppTest, monkeypatch: pytest.MonkeyPatch):
    turns, row = [], AGENTS["broken"]
    with_menu(opened(page))
    progress = lessons(page)
    progress.done = progress.locked = [scenario.id for scenario in PACK]
    progress.predictions = {scenario.id: dict.fromkeys(AGENTS, WRONG) for scenario in PACK}
    with_menu(with_menu(page))  # the test runner knows no popover, and closes one in every other run
    monkeypatch.setitem(AGENTS, "broken", replace(row, run=lambda turn: turns.append(turn) or row.run(turn)))
    press(with_menu(page), "lesson-forward")
    with_menu(page)
    assert [button for button in page.button if button.label.endswith("(once more)")]
    assert turns == []
