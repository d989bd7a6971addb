"""Learn in Chromium: a lesson by keyboard alone, nothing of an outcome before the prediction, links, a room."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from failure13 import verdicts
from failure13.agents import AGENTS
from failure13.replay import replay
from failure13.scenarios import load_all
from failure13.visit import lessons as lesson
from tests.browser.pages import ROOT, settled, violations

PACK, _ = load_all(Path(ROOT) / "scenarios")
EACH = pytest.mark.parametrize("number", range(len(PACK)), ids=[scenario.id for scenario in PACK])
SIZES = {"room": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def learner(page: Page, base_url: str) -> Page:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{base_url}/learn")
    reached(page, 1, 1)
    return page


def reached(page: Page, number: int, beat: int) -> None:
    expect(page.get_by_text(f"Lesson {number} of {len(PACK)}, beat {beat} of")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"\?lesson={number}&beat={beat}$"))
    expect(page.locator("#f13-announced")).to_contain_text(f"Lesson {number}")
    settled(page)


def forward(page: Page, number: int, *beats: int) -> None:
    for beat in beats:
        page.keyboard.press("ArrowRight")
        reached(page, number, beat)


def predict(page: Page, *keys: str) -> None:
    for key, question in zip(keys, ("Fixed pays", "Guarded also", "Forward shows"), strict=True):
        page.keyboard.press(key)
        expect(now(page)).to_contain_text(question)
        settled(page)


def now(page: Page) -> Locator:
    return page.locator(".f13-lesson")


def tab_to(page: Page, name: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.locator("a:focus, button:focus")
        if name in (focused.inner_text() if focused.count() else ""):
            return
    pytest.fail(f"the focus never came to {name}")


def test_a_whole_lesson_by_keyboard_alone(learner: Page):
    forward(learner, 1, 2, 3)
    predict(learner, "3", "2", "1")
    forward(learner, 1, 4, 5, 6, 7, 8)
    expect(now(learner)).to_contain_text("Not quite: fixed moved no money, and you expected the right payment.")
    forward(learner, 1, 9)
    tab_to(learner, "Right order, wrong amount")
    learner.keyboard.press("Enter")
    expect(learner.get_by_role("textbox", name="do order_id", exact=True)).to_have_value("A100")
    settled(learner)
    tab_to(learner, "Learn")
    learner.keyboard.press("Enter")
    reached(learner, 1, 9)
    forward(learner, 1)
    learner.keyboard.press("ArrowRight")
    reached(learner, 2, 1)


def test_a_new_beat_is_announced_in_an_element_that_stays(learner: Page):
    announced = learner.get_by_role("status").filter(has_text="Lesson 1")
    expect(announced).to_contain_text("The ticket and the records")
    element = announced.element_handle()
    forward(learner, 1, 2)
    expect(announced).to_contain_text("What the agent said")
    forward(learner, 1, 3)
    learner.keyboard.press("3")
    expect(announced).to_contain_text("Fixed pays if the call equals the intent. What will it do?")
    assert element is not None
    assert element.evaluate("element => element.isConnected")
    assert learner.locator("#f13-announced").count() == 1


def test_the_focus_stays_on_forward(learner: Page):
    learner.get_by_role("button", name="Forward").focus()
    for beat in (2, 3):
        learner.keyboard.press("Enter")
        reached(learner, 1, beat)
        expect(learner.get_by_role("button", name="Forward")).to_be_focused()


def test_a_focus_that_went_with_its_button_comes_to_forward(learner: Page):
    forward(learner, 1, 2, 3)
    for name, then in (("A wrong payment", "Fixed"), ("No money", "Guarded"), ("No money", "Forward shows")):
        learner.get_by_role("button", name=name).click()
        expect(now(learner)).to_contain_text(then)
        settled(learner)
    forward(learner, 1, 4)
    expect(learner.get_by_role("button", name="Forward")).to_be_focused()


def test_a_new_beat_is_shown_from_its_top(learner: Page):
    learner.set_viewport_size({"width": 1280, "height": 400})
    forward(learner, 1, 2, 3)
    learner.mouse.move(600, 300)
    learner.mouse.wheel(0, 900)
    expect(now(learner).locator("h2")).not_to_be_in_viewport()
    learner.keyboard.press("ArrowLeft")
    reached(learner, 1, 2)
    expect(now(learner).locator("h2")).to_be_in_viewport()


def test_the_address_keeps_in_step_and_the_history_stays_short(learner: Page):
    before = learner.evaluate("history.length")
    forward(learner, 1, 2, 3)
    predict(learner, "3", "1", "1")
    forward(learner, 1, 4)
    assert learner.evaluate("history.length") == before


@EACH
def test_nothing_of_an_outcome_reaches_the_browser_before_the_prediction(page: Page, base_url: str, number: int):
    received: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: received.append(data if isinstance(data, bytes) else data.encode()))

    page.on("websocket", listen)
    page.goto(f"{base_url}/learn?lesson={number + 1}&beat=9")
    reached(page, number + 1, 3)
    expect(now(page)).to_contain_text("First your prediction for broken, fixed and guarded.")
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text("Presenter: skip predictions")).to_be_visible()
    page.keyboard.press("Escape")
    values = page.evaluate("[...document.querySelectorAll('input, textarea')].map(field => field.value).join(' ')")
    seen = b"\n".join([*received, page.content().encode(), page.inner_text("body").encode(), values.encode()])
    assert PACK[number].case["ticket"]["id"].encode() in seen
    scenario = PACK[number]
    telling = [*verdicts.VERDICTS, scenario.title, *(scenario.why or {}).values()]
    for outcomes in replay(scenario).values():
        telling += [outcomes[-1].message, str(outcomes[-1].ledger)] if outcomes[-1].ledger else [outcomes[-1].message]
    assert [text for text in telling if text.encode() in seen] == []


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("lesson=3&beat=2", (3, 2)),
        (f"lesson={len(PACK)}", (len(PACK), 1)),
        ("lesson=12&beat=9", (12, 3)),
        ("beat=99", (1, 1)),
    ],
)
def test_a_link_lands_on_its_beat(page: Page, base_url: str, link: str, place: tuple[int, int]):
    page.goto(f"{base_url}/learn?{link}")
    reached(page, *place)


def test_a_link_still_asks_when_it_is_opened_anew_with_a_prediction_outstanding(page: Page, base_url: str):
    for _ in range(2):
        page.goto(f"{base_url}/learn?lesson=5&beat=7")
        reached(page, 5, 3)
        expect(now(page)).to_contain_text("First your prediction")
    page.reload()
    reached(page, 5, 3)
    page.get_by_role("button", name="Forward").click()
    expect(now(page)).to_contain_text("First your prediction")


def test_a_reload_keeps_what_was_predicted(learner: Page, base_url: str):
    forward(learner, 1, 2, 3)
    predict(learner, "3", "2", "1")
    forward(learner, 1, 4, 5)
    learner.goto(f"{base_url}/learn")
    reached(learner, 1, 5)
    expect(now(learner)).to_contain_text("You predicted: a wrong payment")


def test_back_and_forth_changes_no_prediction(learner: Page):
    forward(learner, 1, 2, 3)
    predict(learner, "1", "2", "3")
    forward(learner, 1, 4, 5)
    for beat in (4, 3):
        learner.keyboard.press("ArrowLeft")
        reached(learner, 1, beat)
    learner.keyboard.press("3")
    learner.keyboard.press("0")
    forward(learner, 1, 4, 5, 6, 7, 8)
    for agent, choice in zip(AGENTS, lesson.CHOICES, strict=True):
        expect(now(learner).get_by_role("row", name=agent)).to_contain_text(f"{agent}{choice}")


def test_a_presenter_counts_hands_and_the_numbers_keep_their_keys(page: Page, base_url: str):
    page.goto(f"{base_url}/learn?fresh=1")
    reached(page, 1, 1)
    tab_to(page, "All lessons")
    page.keyboard.press("Enter")
    page.get_by_text("Presenter: skip predictions").click()
    settled(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Presenter: skip predictions")).to_be_hidden()
    forward(page, 1, 2, 3)
    count = page.get_by_label("broken: a wrong payment")
    count.press_sequentially("2")
    count.press("ArrowLeft")
    count.press_sequentially("1")
    page.keyboard.press("Tab")
    expect(count).to_have_value(re.compile("^(120|210|12)$"))
    settled(page)
    reached(page, 1, 3)
    tab_to(page, "Show what happens")
    page.keyboard.press("Enter")
    reached(page, 1, 4)
    forward(page, 1, 5)
    expect(now(page)).to_contain_text("for a wrong payment")


def test_it_can_be_read_from_the_back_of_a_room(learner: Page):
    size = learner.evaluate("parseFloat(getComputedStyle(document.querySelector('.f13-lesson > p')).fontSize)")
    assert size >= 26


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_beat_is_accessible_and_fits_the_width(page: Page, base_url: str, scheme: str, size: str):
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
    page.goto(f"{base_url}/learn?lesson={len(PACK)}")
    reached(page, len(PACK), 1)
    for beat in range(1, 11):
        found = violations(page)
        assert not found, found
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if beat == 3:
            predict(page, "2", "2", "2")
        if beat < 10:
            forward(page, len(PACK), beat + 1)
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text("Presenter: skip predictions")).to_be_visible()
    page.get_by_text("Presenter: skip predictions").click()
    settled(page)
    found = violations(page)
    assert not found, found
    page.get_by_role("button", name="Lesson 3", exact=True).click()
    reached(page, 3, 1)
    forward(page, 3, 2, 3)
    found = violations(page)
    assert not found, found
