"""Where the fix stops and the guarded agent goes on, in Chromium: switches, the queue, the limits' sentences."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.scenarios import load_all
from failure13.visit.bench import MOST_WAITS
from failure13.visit.runs import tally
from tests.browser.pages import ROOT, button, cell, data, lane, pick, runs, settled, violations

PACK = [file.stem[3:] for file in sorted((ROOT / "scenarios").glob("*.json"))]
OF_LIMIT = {data(scenario_id).get("limit"): scenario_id for scenario_id in PACK}


def let_through(*off: str) -> int:
    """How often the guarded agent pays wrong money over the whole pack with these guards off."""
    scenarios, _ = load_all(ROOT / "scenarios")
    on = {name: guard for name, guard in GUARDS.items() if name not in off}
    return tally(scenarios, on)["guarded"]["wrong money"]


def gate(page: Page, name: str) -> Locator:
    return lane(page, "guarded").locator("button.gate", has_text=name)


def test_switching_a_guard_changes_lane_strip_and_trail_at_once(explorer: Page):
    pick(explorer, "minus-twenty")
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("guarded 1 rightly stopped")).to_be_visible()
    strip, well_formed = lane(explorer, "guarded").locator(".cost"), gate(explorer, "call well formed")
    expect(strip).to_have_attribute("aria-label", re.compile(f"wrong money in {let_through()},"))
    expect(well_formed).to_have_attribute("aria-pressed", "true")
    well_formed.click()
    expect(lane(explorer, "guarded")).to_contain_text("wrong money")
    expect(lane(explorer, "guarded")).to_contain_text("refunded $-20.00 on A100")
    more = let_through("call well formed")
    assert more > let_through()
    expect(strip).to_have_attribute("aria-label", re.compile(f"wrong money in {more},"))
    expect(explorer.get_by_text("guarded 1 wrong money")).to_be_visible()
    expect(lane(explorer, "guarded")).to_contain_text(f"{len(GUARDS) - 1} of {len(GUARDS)} gates")
    expect(well_formed).to_have_attribute("aria-pressed", "false")
    well_formed.click()
    expect(lane(explorer, "guarded")).to_contain_text("rightly stopped")
    expect(explorer.get_by_text("guarded 1 rightly stopped")).to_be_visible()


def test_all_gates_go_off_and_on_together(explorer: Page):
    button(explorer, "All off").click()
    expect(lane(explorer, "guarded")).to_contain_text("refunded $200.00 on A101")
    expect(lane(explorer, "guarded").locator("button.gate[aria-pressed=false]")).to_have_count(len(GUARDS))
    button(explorer, "All on").click()
    expect(lane(explorer, "guarded")).to_contain_text("rightly stopped")
    expect(lane(explorer, "guarded").locator("button.gate[aria-pressed=true]")).to_have_count(len(GUARDS))


def test_a_gate_says_its_name_and_sentence_when_it_has_the_focus_or_the_pointer(explorer: Page):
    sentence = gate(explorer, "ticket's order").get_by_text("The order is the one the ticket is about.")
    expect(sentence).to_be_hidden()
    gate(explorer, "ticket's order").hover()
    expect(sentence).to_be_visible()
    explorer.mouse.move(0, 0)
    expect(sentence).to_be_hidden()
    gate(explorer, "call equals intent").focus()
    explorer.keyboard.press("Tab")
    expect(sentence).to_be_visible()


@pytest.mark.parametrize("limit", LIMITS)
def test_every_limit_has_its_sentence_on_its_agents_card(explorer: Page, limit: str):
    pick(explorer, OF_LIMIT[limit])
    if button(explorer, "Step 2").count():
        button(explorer, "Step 2").click()
    expect(lane(explorer, LIMITS[limit].agent)).to_contain_text(LIMITS[limit].heading)
    expect(lane(explorer, LIMITS[limit].agent)).to_contain_text(LIMITS[limit].slips)


def test_where_the_fix_helps_no_limit_is_claimed(explorer: Page):
    expect(lane(explorer, "fixed")).to_contain_text("rightly stopped")
    expect(lane(explorer, "fixed")).not_to_contain_text("The fix does not help here")


def test_a_look_alike_is_named_by_its_code_point(explorer: Page):
    pick(explorer, "look-alike-id")
    expect(lane(explorer, "guarded")).to_contain_text("U+0410 CYRILLIC CAPITAL LETTER A")
    expect(explorer.get_by_text(re.compile("U\\+0410 CYRILLIC CAPITAL LETTER A")).first).to_be_visible()


def test_the_retry_and_its_objections_are_shown(explorer: Page):
    pick(explorer, "retry-asks-for-more")
    guarded = lane(explorer, "guarded")
    expect(guarded).to_contain_text("Objections to the first answer")
    expect(guarded).to_contain_text("'A101' belongs to 'C2', the ticket to 'C1'")
    expect(cell(explorer, "second do amount")).to_have_value("45.0")
    expect(guarded).to_contain_text("the customer agreed to $20.00, and the call pays $45.00")


def test_the_customer_reads_the_receipt_and_not_what_was_said(explorer: Page):
    pick(explorer, "prose-says-otherwise")
    expect(lane(explorer, "guarded")).to_contain_text("We refunded $20.00 on A100.")
    expect(lane(explorer, "broken")).to_contain_text(data("prose-says-otherwise")["steps"][0]["said"])
    expect(explorer.get_by_text("nobody compares these")).to_be_visible()


def waiting(page: Page):
    return page.locator(".waits")


def test_approving_pays_once_and_only_what_was_shown(explorer: Page):
    button(explorer, "Run this step").click()
    explorer.get_by_text("A person's queue: 1 waiting").click()
    expect(waiting(explorer)).to_contain_text('{"order_id": "A101", "amount": 200.0}')
    button(explorer, "Approve and pay").click()
    expect(waiting(explorer)).to_have_count(0)
    expect(explorer.get_by_text("Run 1: approved by a person: refunded $200.00 on A101")).to_be_visible()
    expect(runs(explorer, 2)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 200.00 USD, fixed 0.00 USD, guarded 200.00 USD")
    ).to_be_visible()


def test_a_step_changed_since_cannot_be_approved(explorer: Page):
    button(explorer, "Run this step").click()
    explorer.get_by_text("A person's queue: 1 waiting").click()
    expect(waiting(explorer)).to_be_visible()
    cell(explorer, "do amount").fill("150")
    expect(lane(explorer, "broken")).to_contain_text("refunded $150.00")
    button(explorer, "Approve and pay").click()
    expect(explorer.get_by_text("The call has changed since it was shown")).to_be_visible()
    expect(runs(explorer, 1)).to_be_visible()
    expect(waiting(explorer)).to_be_visible()
    button(explorer, "Decline").click()
    expect(waiting(explorer)).to_have_count(0)
    expect(runs(explorer, 2)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 200.00 USD, fixed 0.00 USD, guarded 0.00 USD")
    ).to_be_visible()


def test_the_queue_has_pages_and_stays_open_while_one_decides(explorer: Page):
    for _ in range(MOST_WAITS + 1):
        button(explorer, "Run this step").click()
    label = explorer.get_by_text(f"A person's queue: {MOST_WAITS + 1} waiting")
    label.click()
    expect(waiting(explorer)).to_have_count(MOST_WAITS)
    button(explorer, "Next ›").click()
    expect(waiting(explorer)).to_have_count(1)
    button(explorer, "Decline").click()
    expect(waiting(explorer)).to_have_count(MOST_WAITS)
    expect(waiting(explorer).first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_with_a_queue_and_a_second_answer(explorer: Page, scheme: Any, width: int, height: int):
    explorer.emulate_media(color_scheme=scheme)
    explorer.set_viewport_size({"width": width, "height": height})
    pick(explorer, "retry-asks-for-more")
    button(explorer, "Run this step").click()
    explorer.get_by_text("A person's queue: 1 waiting").click()
    expect(waiting(explorer)).to_be_visible()
    gate(explorer, "ticket's order").focus()
    settled(explorer)
    found = violations(explorer)
    assert not found, found
