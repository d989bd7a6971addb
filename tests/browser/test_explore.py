"""The main job in Chromium: read a scenario, change it, see what each agent does with it, run it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import NOTHING_RAN, ROOT, button, cell, lane, pick, runs, settled, violations

HOSTILE = "<img src=x onerror=alert(1)> $20.00 and $200.00$ **b** :smile: :red[x] -> `c` # h"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_one_screen_holds_the_case_the_triad_and_three_lanes(explorer: Page, width: int, height: int):
    explorer.set_viewport_size({"width": width, "height": height})
    for part in (
        explorer.locator("button.pick"),
        explorer.get_by_role("columnheader", name="order on file"),
        cell(explorer, "Said"),
        cell(explorer, "do amount"),
        *(lane(explorer, agent) for agent in ("broken", "fixed", "guarded")),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    for words in explorer.locator(".verdict, .money").all():
        assert words.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") >= 18


def test_typing_in_a_cell_changes_the_outcome_without_enter(explorer: Page):
    expect(lane(explorer, "broken")).to_contain_text("refunded $200.00 on A101")
    cell(explorer, "do order_id").press("End")
    cell(explorer, "do order_id").press("Backspace")
    cell(explorer, "do order_id").press("0")
    expect(lane(explorer, "broken")).to_contain_text("refunded $200.00 on A100")
    expect(lane(explorer, "fixed")).to_contain_text("BLOCKED: amount: said 20.0, did 200.0")
    cell(explorer, "do amount").fill("20.00")
    expect(lane(explorer, "fixed")).to_contain_text("paid as owed")
    expect(lane(explorer, "fixed")).to_contain_text("ledger: [('A100', 20.0)]")
    expect(cell(explorer, "do amount")).to_be_focused()


def test_the_signs_say_in_words_what_differs(explorer: Page):
    signs = explorer.locator(".sign")
    expect(signs).to_have_text([re.compile("differs"), re.compile("differs")])
    cell(explorer, "do amount").fill("20")
    expect(signs).to_have_text([re.compile("differs"), re.compile("the same")])
    cell(explorer, "do amount").fill('"20.00"')
    expect(signs).to_have_text([re.compile("differs"), re.compile("the same money; fixed.py finds a difference")])
    cell(explorer, "do amount").fill("2,34")
    expect(signs).to_have_text([re.compile("differs"), re.compile("cannot be compared")])


def test_a_type_shows_beside_the_value_where_only_the_type_differs(explorer: Page):
    cell(explorer, "do amount").fill('"20.0"')
    expect(explorer.locator(".note")).to_have_text(["number", "text"])
    expect(lane(explorer, "broken")).to_contain_text("ValueError")
    expect(lane(explorer, "broken")).to_contain_text("crashed")


def test_a_field_is_added_renamed_filled_and_removed(explorer: Page):
    button(explorer, "+ Field").click()
    name = cell(explorer, "name of field")
    name.fill("store_credit")
    name.press("Enter")
    cell(explorer, "do store_credit").fill("50")
    expect(lane(explorer, "fixed")).to_contain_text("store_credit: said None, did 50")
    expect(lane(explorer, "broken")).to_contain_text("{'store_credit': 50}")
    button(explorer, "Remove store_credit").click()
    expect(cell(explorer, "do store_credit")).to_have_count(0)
    expect(lane(explorer, "broken")).to_contain_text("ledger: [('A101', 200.0)]")


def test_a_name_that_is_taken_is_kept_on_screen_and_said(explorer: Page):
    name = cell(explorer, "name of amount")
    name.fill("order_id")
    name.press("Enter")
    expect(explorer.get_by_text('"order_id" is taken by another; this is still amount')).to_be_visible()
    expect(name).to_have_value("order_id")
    expect(lane(explorer, "broken")).to_contain_text("refunded $200.00 on A101")


def test_reset_and_undo_take_edits_back_and_forth(explorer: Page):
    cell(explorer, "do amount").fill("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50 on A101")
    button(explorer, "Reset").click()
    expect(cell(explorer, "do amount")).to_have_value("200.0")
    expect(lane(explorer, "broken")).to_contain_text("refunded $200.00 on A101")
    button(explorer, "Undo").click()
    expect(cell(explorer, "do amount")).to_have_value("7.5")
    button(explorer, "Undo").click()
    expect(cell(explorer, "do amount")).to_have_value("200.0")
    button(explorer, "Redo").click()
    expect(cell(explorer, "do amount")).to_have_value("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50 on A101")


def test_each_scenario_keeps_its_own_edits_and_is_marked(explorer: Page):
    cell(explorer, "do amount").fill("7.50")
    expect(explorer.locator(".pick .mark", has_text="edited")).to_be_visible()
    button(explorer, "Next scenario").click()
    expect(explorer.locator(".pick .mark", has_text="edited")).to_have_count(0)
    settled(explorer)  # the field typed in next is the next scenario's
    cell(explorer, "do amount").fill("9")
    expect(lane(explorer, "broken")).to_contain_text("refunded $9.00 on A100")
    button(explorer, "Previous scenario").click()
    expect(cell(explorer, "do amount")).to_have_value("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50 on A101")
    expect(explorer.locator(".pick .mark", has_text="edited")).to_be_visible()


def test_a_try_is_one_click_and_says_what_it_changed(explorer: Page):
    button(explorer, "Make the call agree").click()
    expect(lane(explorer, "fixed")).to_contain_text("paid as owed")
    expect(explorer.get_by_text("Changed: do.order_id A101 → A100; do.amount 200.0 → 20.0")).to_be_visible()


def test_editing_an_earlier_step_replays_the_later_ones(explorer: Page):
    pick(explorer, "paid-twice")
    button(explorer, "Step 2").click()
    expect(lane(explorer, "broken")).to_contain_text("ledger: [('A100', 20.0), ('A100', 20.0)]")
    button(explorer, "Step 1").click()
    expect(lane(explorer, "broken")).to_contain_text("ledger: [('A100', 20.0)]")
    cell(explorer, "do amount").fill("5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $5.00 on A100")
    button(explorer, "Step 2").click()
    expect(lane(explorer, "broken")).to_contain_text("ledger: [('A100', 5), ('A100', 20.0)]")


def test_a_run_puts_a_row_in_the_table_and_a_point_in_the_chart(explorer: Page):
    expect(explorer.get_by_text(NOTHING_RAN)).to_be_visible()
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 200.00 USD, fixed 0.00 USD, guarded 0.00 USD")
    ).to_be_visible()
    expect(explorer.get_by_test_id("stVegaLiteChart").first).to_have_attribute(
        "aria-label", re.compile("Wrong money so far")
    )
    expect(explorer.get_by_test_id("stDataFrame")).to_be_visible()


def test_a_field_left_by_pressing_run_is_part_of_the_run(explorer: Page):
    cell(explorer, "Said").fill("All done.")
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    expect(lane(explorer, "broken")).to_contain_text("All done.")
    with explorer.expect_download() as download:
        button(explorer, "JSON lines").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8").splitlines()[0])["said"] == "All done."


def test_run_all_runs_the_pack_and_clear_asks_first(explorer: Page):
    button(explorer, "Run all scenarios").click()
    steps = sum(len(json.loads(file.read_text("utf-8"))["steps"]) for file in (ROOT / "scenarios").glob("*.json"))
    expect(runs(explorer, steps)).to_be_visible()
    button(explorer, "Clear").click()
    expect(runs(explorer, steps)).to_be_visible()
    button(explorer, "Delete the runs").click()
    expect(explorer.get_by_text(NOTHING_RAN)).to_be_visible()


@pytest.mark.parametrize(("kind", "starts"), [("CSV", "run,scenario,step"), ("JSON lines", '{"run": 1')])
def test_the_trail_can_be_taken_away(explorer: Page, kind: str, starts: str):
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    with explorer.expect_download() as download:
        button(explorer, kind).click()
    assert Path(download.value.path()).read_text("utf-8").startswith(starts)


def test_the_source_shows_the_bug_and_the_lines_that_ran(explorer: Page):
    button(explorer, "Run this step").click()
    explorer.get_by_text("The code that ran").click()
    listing = explorer.get_by_role("region", name="broken.py, with the lines that ran marked")
    expect(listing.locator("tr.bug")).to_contain_text("return refund(ledger, **call)  # THE BUG")
    expect(listing.locator("tr.bug")).to_contain_text("ran")
    explorer.get_by_test_id("stRadio").get_by_text("fixed", exact=True).click()
    listing = explorer.get_by_role("region", name="fixed.py, with the lines that ran marked")
    expect(listing.locator("tr.ran", has_text='return "BLOCKED: "')).to_have_count(1)
    expect(listing.locator("tr.ran", has_text="return refund(ledger, **call)")).to_have_count(0)


def test_the_main_job_needs_no_mouse(explorer: Page):
    for _ in range(80):
        explorer.keyboard.press("Tab")
        if explorer.locator("input:focus").and_(cell(explorer, "do amount")).count():
            break
    explorer.keyboard.press("Control+A")
    explorer.keyboard.type("20")
    expect(lane(explorer, "broken")).to_contain_text("refunded $20.00 on A101")
    explorer.keyboard.press("Control+Enter")
    expect(runs(explorer, 1)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 20.00 USD, fixed 0.00 USD, guarded 0.00 USD")
    ).to_be_visible()


def test_nothing_typed_is_anything_but_text(explorer: Page):
    said = cell(explorer, "Said")
    said.fill(HOSTILE)
    expect(lane(explorer, "broken")).to_contain_text(HOSTILE)
    cell(explorer, "do order_id").fill(HOSTILE)
    expect(lane(explorer, "broken")).to_contain_text(f"on {HOSTILE}")
    name = cell(explorer, "name of order_id")
    name.fill(HOSTILE)
    name.press("Enter")
    expect(lane(explorer, "fixed")).to_contain_text(f"{HOSTILE}: said 'A100', did ")
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    for rendered in (".katex", "main img[src=x]", "[data-testid=stMain] strong:text-is('b')"):
        expect(explorer.locator(rendered)).to_have_count(0)


def test_what_cannot_be_seen_is_spelled_out(explorer: Page):
    cell(explorer, "do order_id").fill("A10\u202e0")
    expect(lane(explorer, "broken")).to_contain_text("on A10⟨U+202E⟩0")
    expect(explorer.get_by_text("U+202E RIGHT-TO-LEFT OVERRIDE").first).to_be_visible()


def test_visitors_share_nothing(explorer: Page, browser: Browser, base_url: str):
    cell(explorer, "do amount").fill("7.5")
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    other = browser.new_context().new_page()
    other.goto(base_url)
    expect(cell(other, "do amount")).to_have_value("200.0")
    expect(other.get_by_text(NOTHING_RAN)).to_be_visible()
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
def test_axe_finds_nothing(explorer: Page, scheme: Any, width: int, height: int):
    explorer.emulate_media(color_scheme=scheme)
    explorer.set_viewport_size({"width": width, "height": height})
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    cell(explorer, "do amount").fill("true")
    explorer.get_by_text("The code that ran").click()
    expect(explorer.get_by_role("region", name="broken.py, with the lines that ran marked")).to_be_visible()
    settled(explorer)
    found = violations(explorer)
    assert not found, found
