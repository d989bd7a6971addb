"""The bench in Chromium: nothing that is typed is lost, lanes keep their place, everything works from the keyboard."""

import json
import re
import signal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.pages import button, cell, data, lane, pick, picker, runs, settled, violations

FIFTY = "".join(chr(97 + n % 26) for n in range(50))
SEEN = "() => window.moved"


def saw(page: Page, key: str) -> str:
    return page.evaluate(f"window.{key}")


# Typing.


@pytest.mark.parametrize(
    "name", ["Said", "do order_id", "intent amount", "ticket text", "customer of A101", "owed order"]
)
def test_fifty_characters_typed_fast_with_clicks_elsewhere_lose_none_and_move_no_caret(explorer: Page, name: str):
    field = cell(explorer, name)
    field.press("ControlOrMeta+A")
    field.press("Delete")
    for at in range(0, 50, 10):
        field.press("End")
        field.press_sequentially(FIFTY[at : at + 10], delay=20)
        button(explorer, "call equals intent").click()
        field.focus()
    expect(field).to_have_value(FIFTY)
    field.press("Home")
    field.press("ArrowRight")
    field.press_sequentially("XYZ", delay=20)
    expect(field).to_have_value(f"a{'XYZ'}{FIFTY[1:]}")
    expect(field).to_be_focused()
    assert field.evaluate("field => field.selectionStart") == 4
    explorer.reload()
    expect(cell(explorer, name)).to_have_value(f"a{'XYZ'}{FIFTY[1:]}")


def test_typing_while_an_answer_is_on_its_way_is_never_replaced(explorer: Page):
    field = cell(explorer, "do amount")
    field.fill("1")
    for text in ("12", "12.", "12.3", "12.30"):
        expect(lane(explorer, "broken")).to_contain_text("refunded $1")
        field.press("End")
        field.press_sequentially(text[-1])
        assert field.input_value().startswith(text[:-1])
    expect(field).to_have_value("12.30")
    expect(lane(explorer, "broken")).to_contain_text("refunded $12.30 on A101")


def test_what_was_typed_and_not_sent_survives_a_reload(explorer: Page):
    field = cell(explorer, "Said")
    field.fill("first")
    expect(lane(explorer, "broken")).to_contain_text("first")
    field.press("End")
    field.press_sequentially(" and last")
    explorer.reload()
    expect(cell(explorer, "Said")).to_have_value("first and last")
    expect(lane(explorer, "broken")).to_contain_text("first and last")


def test_what_was_typed_and_not_sent_survives_going_back(explorer: Page):
    explorer.get_by_role("link", name="Learn").click()
    expect(explorer.get_by_text("Lesson 1 of")).to_be_visible()
    explorer.get_by_role("link", name="Explore").click()
    field = cell(explorer, "Said")
    expect(field).to_have_value(data("right-words-wrong-order")["steps"][0]["said"])
    field.fill("typed last")
    explorer.go_back()
    expect(explorer.get_by_text("Lesson 1 of")).to_be_visible()
    explorer.go_forward()
    expect(cell(explorer, "Said")).to_have_value("typed last")
    expect(lane(explorer, "broken")).to_contain_text("typed last")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_is_typed_while_the_server_is_down_is_taken_when_it_is_back(own_server: Server, browser: Browser, how):
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(own_server.url)
    cell(page, "do amount").fill("7.5")
    expect(lane(page, "broken")).to_contain_text("refunded $7.50")
    said, amount = page.get_by_label("Said", exact=True), page.get_by_label("do amount", exact=True)
    own_server.stop(how)
    said.fill("typed while it was down")
    amount.fill("8.5")
    own_server.start()
    expect(lane(page, "broken")).to_contain_text("refunded $8.50", timeout=40_000)
    expect(lane(page, "broken")).to_contain_text("typed while it was down")
    expect(said).to_have_value("typed while it was down")
    page.reload()
    expect(cell(page, "do amount")).to_have_value("8.5")
    expect(cell(page, "Said")).to_have_value("typed while it was down")
    page.context.close()


def test_the_undo_history_after_a_reload_is_the_one_before_it(explorer: Page):
    for name, text in (("do amount", "7.5"), ("refundable of A100", "30.00"), ("Said", "Done.")):
        cell(explorer, name).fill(text)
        cell(explorer, name).blur()
    expect(lane(explorer, "broken")).to_contain_text("Done.")
    button(explorer, "Undo").click()
    expect(cell(explorer, "Said")).not_to_have_value("Done.")
    button(explorer, "Edits").click()
    options = explorer.locator(".options button")
    expect(options).to_have_count(4)
    before = options.all_inner_texts()
    explorer.reload()
    expect(cell(explorer, "refundable of A100")).to_have_value("30.00")
    button(explorer, "Edits").click()
    expect(options).to_have_text(before)
    explorer.keyboard.press("Escape")
    button(explorer, "Redo").click()
    expect(cell(explorer, "Said")).to_have_value("Done.")


# The records.


def test_the_case_is_edited_in_place(explorer: Page):
    cell(explorer, "customer of A101").fill("C1")
    cell(explorer, "refundable of A101").fill("200.00")
    cell(explorer, "ticket order").fill("A101")
    cell(explorer, "agreed amount").fill("200.00")
    cell(explorer, "owed order").fill("A101")
    cell(explorer, "owed amount").fill("200")
    expect(lane(explorer, "broken")).to_contain_text("$200.00 to C1, as owed")
    cell(explorer, "intent order_id").fill("A101")
    cell(explorer, "intent amount").fill("200.0")
    expect(lane(explorer, "guarded")).to_contain_text("paid as owed")
    button(explorer, "+ Order").click()
    expect(cell(explorer, "paid of A102")).to_have_value("0.00")
    button(explorer, "Remove order A102").click()
    expect(cell(explorer, "paid of A102")).to_have_count(0)
    explorer.reload()
    expect(lane(explorer, "guarded")).to_contain_text("$200.00 to C1, as owed")


def test_a_record_that_is_no_amount_is_said_beside_it_and_typing_goes_on(explorer: Page):
    field = cell(explorer, "refundable of A100")
    field.fill("2o.00")
    expect(explorer.get_by_text("'20.00' stays in force")).to_be_visible()
    expect(field).to_have_value("2o.00")
    expect(field).to_be_focused()
    field.fill("25.00")
    expect(explorer.get_by_text("stays in force")).to_have_count(0)


# Lanes.


def boxes(page: Page) -> list:
    return [lane(page, agent).bounding_box() for agent in ("broken", "fixed", "guarded")]


def test_lanes_keep_their_place_and_height_while_one_types(explorer: Page):
    before = boxes(explorer)
    for text in ("1", "true", '"20.0"', "9" * 300, "", "{}", "20"):
        cell(explorer, "do amount").fill(text)
        settled(explorer)
        assert [(box["y"], box["height"]) for box in boxes(explorer)] == [
            (box["y"], box["height"]) for box in before
        ], text


WATCH_COIN = """() => {
    window.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) { window.moved += 1; return animate.apply(this, all); };
}"""


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_the_coin_moves_when_an_outcome_changes_unless_motion_is_unwanted(explorer: Page, motion, moves: bool):
    explorer.emulate_media(reduced_motion=motion)
    explorer.evaluate(WATCH_COIN)
    cell(explorer, "do amount").fill("201")
    expect(lane(explorer, "broken")).to_contain_text("refunded $201.00")
    assert saw(explorer, "moved") == 0, "the same outcome with another amount"
    button(explorer, "Make the call agree").click()
    expect(lane(explorer, "guarded")).to_contain_text("paid as owed")
    explorer.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert (saw(explorer, "moved") > 0) is moves


def test_a_live_region_says_the_changed_verdicts_and_no_more(explorer: Page):
    status = explorer.locator(".bench [role=status]")
    expect(status).to_have_text("")
    cell(explorer, "do amount").fill("201")
    expect(lane(explorer, "broken")).to_contain_text("refunded $201.00")
    expect(status).to_have_text("")
    button(explorer, "Make the call agree").click()
    expect(status).to_have_text("Broken: paid as owed; Fixed: paid as owed; Guarded: paid as owed")
    cell(explorer, "intent amount").fill("21")
    expect(status).to_have_text("Fixed: needless block; Guarded: needless block")


# Tools and pages.


def test_a_tool_opens_over_the_picture_and_escape_gives_the_focus_back(explorer: Page):
    before = boxes(explorer)
    for name in ("Edits", "Why", "Share", "Save", "Clear"):
        button(explorer, name).click()
        panel = explorer.get_by_role("region", name=name)
        expect(panel).to_be_visible()
        assert boxes(explorer) == before
        explorer.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        expect(button(explorer, name)).to_be_focused()


def test_the_link_begins_with_the_address_that_phones_reach(own_server: Server, browser: Browser, monkeypatch):
    own_server.stop()
    monkeypatch.setenv("FAILURE13_URL", "https://room.example/f13")
    own_server.start()
    page = browser.new_page()
    page.goto(own_server.url)
    button(page, "Share").click()
    expect(page.locator(".link code")).to_have_text(re.compile(r"^https://room\.example/f13/\?s=2\."))
    page.close()


def test_the_pages_are_reached_by_name_on_a_phone_too(explorer: Page):
    explorer.set_viewport_size({"width": 390, "height": 844})
    for name, sign in (("Learn", "Lesson 1 of"), ("Write", "The scenario's file"), ("Explore", "Failure 13")):
        explorer.get_by_role("link", name=name, exact=True).click()
        expect(explorer.get_by_text(sign).first).to_be_visible()
    expect(lane(explorer, "broken")).to_contain_text("wrong money")


def test_on_a_phone_the_three_verdicts_stay_in_sight_and_nothing_overlaps(explorer: Page):
    explorer.set_viewport_size({"width": 390, "height": 844})
    dock = explorer.locator(".dock")
    for name in ("Said", "do amount", "refundable of A100", "owed amount"):
        cell(explorer, name).scroll_into_view_if_needed()
        cell(explorer, name).focus()
        expect(dock).to_be_in_viewport(ratio=1)
    expect(dock).to_have_text(re.compile("wrong money.*rightly stopped.*rightly stopped", re.DOTALL))
    assert explorer.evaluate("document.documentElement.scrollWidth") <= 390
    right = explorer.evaluate(RIGHTMOST)
    assert right <= 390, right


RIGHTMOST = """() => {
    const roots = [...document.querySelectorAll("*")].map((each) => each.shadowRoot);
    const bench = roots.find((root) => root?.querySelector(".bench"));
    return Math.max(...[...bench.querySelectorAll("input, textarea, button:not(.gate *), .coin, .end, code, p")]
        .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().right));
}"""


def test_at_twice_the_size_everything_is_still_there(explorer: Page):
    explorer.set_viewport_size({"width": 720, "height": 450})  # what is left of 1440 by 900 at 200 %
    for agent in ("broken", "fixed", "guarded"):
        expect(lane(explorer, agent)).to_be_visible()
    assert explorer.evaluate(RIGHTMOST) <= 720


# The keyboard, and what a screen reader is told.


def focused(page: Page) -> Locator:
    return page.locator(":focus").last  # the first is the component around it


def test_everything_on_the_bench_is_reached_and_works_from_the_keyboard(explorer: Page):
    reached = []
    picker(explorer).focus()
    for _ in range(90):
        explorer.keyboard.press("Tab")
        name = focused(explorer).evaluate("each => each.getAttribute('aria-label') || each.innerText")
        if name == "Run all scenarios":
            break
        reached.append(name)
    for name in (
        "Share",
        "ticket order",
        "refundable of A101",
        "owed amount",
        "Said",
        "do amount",
        "+ Field",
        "Run this step",
    ):
        assert name in reached
    assert sum(": " in name and name[0].isdigit() for name in reached) == 9, "each gate is a button"
    button(explorer, "call equals intent").focus()
    explorer.keyboard.press("Space")
    expect(lane(explorer, "guarded")).to_contain_text("8 of 9 gates")
    explorer.keyboard.press("Control+Enter")
    expect(runs(explorer, 1)).to_be_visible()
    picker(explorer).focus()
    explorer.keyboard.press("Enter")
    expect(explorer.get_by_role("region", name="Scenarios")).to_be_visible()


@pytest.mark.parametrize("tool", ["scenarios", "Edits", "Why", "Share", "Save", "Clear"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_tool(explorer: Page, tool: str, scheme):
    explorer.emulate_media(color_scheme=scheme)
    cell(explorer, "do amount").fill("7.5")
    (picker(explorer) if tool == "scenarios" else button(explorer, tool)).click()
    expect(explorer.get_by_role("region", name=tool.capitalize(), exact=True)).to_be_visible()
    settled(explorer)
    found = violations(explorer)
    assert not found, found


# Bounds.


def test_three_hundred_fields_open_and_can_be_typed_in(explorer: Page):
    button(explorer, "{ } JSON").click()
    many = {"order_id": "A100", "amount": 20.0, **{f"f{n}": n for n in range(298)}}
    cell(explorer, "do as JSON text").fill(json.dumps(many))
    button(explorer, "Show as fields").click()
    expect(explorer.locator(".pair")).to_have_count(300)
    cell(explorer, "do f0").fill("7")
    expect(lane(explorer, "fixed")).to_contain_text("f0: said None, did 7")
    button(explorer, "+ Field").click()
    expect(explorer.get_by_text("at most 300 fields can be shown")).to_be_visible()


def test_a_panel_of_code_is_text(explorer: Page):
    cell(explorer, "Said").fill("<img src=x onerror=alert(1)>")
    expect(lane(explorer, "broken")).to_contain_text("<img src=x")
    button(explorer, "Save").click()
    expect(explorer.get_by_role("region", name="The test")).to_contain_text("<img src=x onerror=alert(1)>")
    pick(explorer, "all-three-agree")
    expect(explorer.locator("img[src=x]")).to_have_count(0)
