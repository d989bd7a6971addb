"""The main job in Chromium: read a scenario, change it, see what each agent does with it, run it."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import ROOT, button, card, cell, pick, settled, violations

HOSTILE = "<img src=x onerror=alert(1)> $20.00 and $200.00$ **b** :smile: :red[x] -> `c` # h"


def test_one_screen_holds_everything_down_to_the_start_of_the_trail(explorer: Page):
    for part in (
        explorer.get_by_role("combobox", name="Scenario"),
        explorer.get_by_role("columnheader", name="order on file"),
        explorer.get_by_role("textbox", name="Said"),
        cell(explorer, "do amount"),
        card(explorer, "broken"),
        card(explorer, "fixed"),
        card(explorer, "guarded"),
        explorer.get_by_role("heading", name="Audit trail"),
    ):
        expect(part).to_be_in_viewport()
    expect(button(explorer, "Run this step")).to_be_in_viewport(ratio=1)


def test_typing_in_a_cell_changes_the_outcome_without_enter(explorer: Page):
    expect(card(explorer, "broken")).to_contain_text("refunded $200.00 on A101")
    cell(explorer, "do order_id").press("End")
    cell(explorer, "do order_id").press("Backspace")
    cell(explorer, "do order_id").press("0")
    expect(card(explorer, "broken")).to_contain_text("refunded $200.00 on A100")
    expect(card(explorer, "fixed")).to_contain_text("BLOCKED: amount: said 20.0, did 200.0")
    cell(explorer, "do amount").fill("20.00")
    expect(card(explorer, "fixed")).to_contain_text("paid as owed")
    expect(card(explorer, "fixed")).to_contain_text("ledger: [('A100', 20.0)]")
    expect(cell(explorer, "do amount")).to_be_focused()


def test_the_marks_say_in_words_what_differs(explorer: Page):
    marks = explorer.locator(".f13-mark")
    expect(marks).to_have_text([re.compile("differs"), re.compile("differs")])
    cell(explorer, "do amount").fill("20")
    expect(marks).to_have_text([re.compile("differs"), re.compile("same")])


def test_a_type_shows_beside_the_value_where_only_the_type_differs(explorer: Page):
    cell(explorer, "do amount").fill('"20.0"')
    expect(explorer.get_by_text("text", exact=True)).to_be_visible()
    expect(explorer.get_by_text("number", exact=True)).to_be_visible()
    expect(card(explorer, "broken")).to_contain_text("ValueError")
    expect(card(explorer, "broken")).to_contain_text("crashed")


def test_a_field_is_added_renamed_filled_and_removed(explorer: Page):
    button(explorer, "Add field").click()
    name = cell(explorer, "name of field")
    name.fill("store_credit")
    name.press("Enter")
    cell(explorer, "do store_credit").fill("50")
    expect(card(explorer, "fixed")).to_contain_text("store_credit: said None, did 50")
    expect(card(explorer, "broken")).to_contain_text("{'store_credit': 50}")
    button(explorer, "Remove store_credit").click()
    expect(cell(explorer, "do store_credit")).to_have_count(0)
    expect(card(explorer, "broken")).to_contain_text("ledger: [('A101', 200.0)]")


def test_a_name_that_is_taken_is_kept_on_screen_and_said(explorer: Page):
    name = cell(explorer, "name of amount")
    name.fill("order_id")
    name.press("Enter")
    expect(explorer.get_by_text('"order_id" is taken by another row; this is still amount')).to_be_visible()
    expect(name).to_have_value("order_id")
    expect(card(explorer, "broken")).to_contain_text("refunded $200.00 on A101")


def test_reset_and_undo_take_edits_back_and_forth(explorer: Page):
    cell(explorer, "do amount").fill("7.5")
    expect(card(explorer, "broken")).to_contain_text("refunded $7.50 on A101")
    button(explorer, "Reset").click()
    expect(cell(explorer, "do amount")).to_have_value("200.0")
    expect(card(explorer, "broken")).to_contain_text("refunded $200.00 on A101")
    button(explorer, "Undo").click()
    expect(cell(explorer, "do amount")).to_have_value("7.5")
    button(explorer, "Undo").click()
    expect(cell(explorer, "do amount")).to_have_value("200.0")
    button(explorer, "Redo").click()
    expect(cell(explorer, "do amount")).to_have_value("7.5")
    expect(card(explorer, "broken")).to_contain_text("refunded $7.50 on A101")


def test_each_scenario_keeps_its_own_edits_and_is_marked(explorer: Page):
    cell(explorer, "do amount").fill("7.50")
    expect(explorer.locator(".stMarkdownBadge", has_text="edited")).to_be_visible()
    button(explorer, "Next scenario").click()
    expect(explorer.locator(".stMarkdownBadge", has_text="edited")).to_have_count(0)
    settled(explorer)  # the field typed in next is the next scenario's
    cell(explorer, "do amount").fill("9")
    expect(card(explorer, "broken")).to_contain_text("refunded $9.00 on A100")
    button(explorer, "Previous scenario").click()
    expect(cell(explorer, "do amount")).to_have_value("7.50")
    expect(card(explorer, "broken")).to_contain_text("refunded $7.50 on A101")
    expect(explorer.locator(".stMarkdownBadge", has_text="edited")).to_be_visible()


def test_a_try_is_one_click_and_says_what_it_changed(explorer: Page):
    button(explorer, "Make the call agree").click()
    expect(card(explorer, "fixed")).to_contain_text("paid as owed")
    expect(explorer.get_by_text("Changed: do.order_id A101 → A100; do.amount 200.0 → 20.0")).to_be_visible()


def test_editing_an_earlier_step_replays_the_later_ones(explorer: Page):
    pick(explorer, "paid-twice")
    explorer.get_by_text("Step 2 of 2", exact=True).click()
    expect(card(explorer, "broken")).to_contain_text("Ledger, 1 before and 2 after")
    explorer.get_by_text("Step 1 of 2", exact=True).click()
    expect(card(explorer, "broken")).to_contain_text("Ledger, 0 before and 1 after")
    cell(explorer, "do amount").fill("5")
    expect(card(explorer, "broken")).to_contain_text("refunded $5.00 on A100")
    explorer.get_by_text("Step 2 of 2", exact=True).click()
    expect(card(explorer, "broken")).to_contain_text("ledger: [('A100', 5), ('A100', 20.0)]")


def test_a_run_puts_a_row_in_the_table_and_a_point_in_the_chart(explorer: Page):
    expect(explorer.get_by_text("Nothing has run yet")).to_be_visible()
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 200.00 USD, fixed 0.00 USD, guarded 0.00 USD")
    ).to_be_visible()
    expect(explorer.get_by_test_id("stVegaLiteChart").first).to_have_attribute(
        "aria-label", re.compile("Wrong money so far")
    )
    expect(explorer.get_by_test_id("stDataFrame")).to_be_visible()


def test_a_field_left_by_pressing_run_is_part_of_the_run(explorer: Page):
    explorer.get_by_role("textbox", name="Said").fill("All done.")
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    expect(card(explorer, "broken")).to_contain_text("All done.")
    button(explorer, "Export").click()
    with explorer.expect_download() as download:
        explorer.get_by_test_id("stPopoverBody").get_by_role("button", name="JSON lines").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8").splitlines()[0])["said"] == "All done."


def test_run_all_runs_the_pack_and_clear_asks_first(explorer: Page):
    button(explorer, "Run all scenarios").click()
    steps = sum(len(json.loads(file.read_text("utf-8"))["steps"]) for file in (ROOT / "scenarios").glob("*.json"))
    expect(explorer.get_by_text(f"{steps} runs", exact=True)).to_be_visible()
    button(explorer, "Clear").click()
    expect(explorer.get_by_text(f"{steps} runs", exact=True)).to_be_visible()
    button(explorer, "Delete the runs").click()
    expect(explorer.get_by_text("Nothing has run yet")).to_be_visible()


@pytest.mark.parametrize(("kind", "starts"), [("CSV", "run,scenario,step"), ("JSON lines", '{"run": 1')])
def test_the_trail_can_be_taken_away(explorer: Page, kind: str, starts: str):
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    button(explorer, "Export").click()
    with explorer.expect_download() as download:
        explorer.get_by_test_id("stPopoverBody").get_by_role("button", name=kind).click()
    assert Path(download.value.path()).read_text("utf-8").startswith(starts)


def test_the_source_shows_the_bug_and_the_lines_that_ran(explorer: Page):
    explorer.get_by_text("The code that ran").click()
    listing = explorer.get_by_role("region", name="broken.py, with the lines that ran marked")
    expect(listing.locator("tr.bug")).to_contain_text("return refund(ledger, **call)  # THE BUG")
    expect(listing.locator("tr.bug")).to_contain_text("ran")
    explorer.get_by_text("fixed", exact=True).click()
    listing = explorer.get_by_role("region", name="fixed.py, with the lines that ran marked")
    expect(listing.locator("tr.ran", has_text='return "BLOCKED: "')).to_have_count(1)
    expect(listing.locator("tr.ran", has_text="return refund(ledger, **call)")).to_have_count(0)


def test_the_main_job_needs_no_mouse(explorer: Page):
    for _ in range(40):
        explorer.keyboard.press("Tab")
        if explorer.evaluate("document.activeElement.getAttribute('aria-label')") == "do amount":
            break
    explorer.keyboard.press("Control+A")
    explorer.keyboard.type("20")
    expect(card(explorer, "broken")).to_contain_text("refunded $20.00 on A101")
    explorer.keyboard.press("Control+Enter")
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 20.00 USD, fixed 0.00 USD, guarded 0.00 USD")
    ).to_be_visible()


def test_nothing_typed_is_anything_but_text(explorer: Page):
    said = explorer.get_by_role("textbox", name="Said")
    said.fill(HOSTILE)
    said.press("Control+Enter")
    expect(card(explorer, "broken")).to_contain_text(HOSTILE)
    cell(explorer, "do order_id").fill(HOSTILE)
    expect(card(explorer, "broken")).to_contain_text(f"on {HOSTILE}")
    name = cell(explorer, "name of order_id")
    name.fill(HOSTILE)
    name.press("Enter")
    expect(card(explorer, "fixed")).to_contain_text(f"{HOSTILE}: said 'A100', did ")
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    for rendered in (".katex", "main img[src=x]", "[data-testid=stMain] strong:text-is('b')"):
        expect(explorer.locator(rendered)).to_have_count(0)


def test_what_cannot_be_seen_is_spelled_out(explorer: Page):
    cell(explorer, "do order_id").fill("A10\u202e0")
    expect(card(explorer, "broken")).to_contain_text("on A10⟨U+202E⟩0")
    expect(explorer.get_by_text("U+202E RIGHT-TO-LEFT OVERRIDE").first).to_be_visible()


def test_visitors_share_nothing(explorer: Page, browser: Browser, base_url: str):
    cell(explorer, "do amount").fill("7.5")
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    other = browser.new_context().new_page()
    other.goto(base_url)
    expect(cell(other, "do amount")).to_have_value("200.0")
    expect(other.get_by_text("Nothing has run yet")).to_be_visible()
    other.context.close()


def test_rows_stay_rows_on_a_phone(explorer: Page):
    explorer.set_viewport_size({"width": 390, "height": 844})
    intent, do = cell(explorer, "intent amount").bounding_box(), cell(explorer, "do amount").bounding_box()
    assert intent is not None
    assert do is not None
    assert abs(intent["y"] - do["y"]) < 1
    assert do["x"] + do["width"] <= 390
    assert intent["width"] > 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing(browser: Browser, base_url: str, scheme: str, width: int, height: int):
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(base_url)
    expect(card(page, "guarded")).to_be_visible()
    button(page, "Run this step").click()
    expect(page.get_by_text("1 run", exact=True)).to_be_visible()
    cell(page, "do amount").fill("true")
    page.get_by_text("The code that ran").click()
    expect(page.get_by_role("region", name="broken.py, with the lines that ran marked")).to_be_visible()
    settled(page)
    found = violations(page)
    context.close()
    assert not found, found
