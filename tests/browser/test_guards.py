"""Where the fix stops and the guarded agent goes on, in Chromium: switches, the queue, the limits' sentences."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.scenarios import load_all
from failure13.visit.runs import tally
from tests.browser.pages import ROOT, button, card, cell, data, pick, settled, violations

PACK = [file.stem[3:] for file in sorted((ROOT / "scenarios").glob("*.json"))]
OF_LIMIT = {data(scenario_id).get("limit"): scenario_id for scenario_id in PACK}


def let_through(*off: str) -> int:
    """How often the guarded agent pays wrong money over the whole pack with these guards off."""
    scenarios, _ = load_all(ROOT / "scenarios")
    on = {name: guard for name, guard in GUARDS.items() if name not in off}
    return tally(scenarios, on)["guarded"]["wrong money"]


def switch(page: Page, sentence: str) -> None:
    button(page, "Guards:").click()
    page.get_by_text(sentence).click()
    page.keyboard.press("Escape")


def test_switching_a_guard_changes_card_strip_and_trail_at_once(explorer: Page):
    pick(explorer, "minus-twenty")
    button(explorer, "Run this step").click()
    expect(explorer.get_by_text("guarded 1 rightly stopped")).to_be_visible()
    expect(explorer.get_by_text(f"wrong money let through {let_through()} by guarded")).to_be_visible()
    switch(explorer, "The call is well formed")
    expect(card(explorer, "guarded")).to_contain_text("wrong money")
    expect(card(explorer, "guarded")).to_contain_text("refunded $-20.00 on A100")
    more = let_through("call well formed")
    assert more > let_through()
    expect(explorer.get_by_text(f"wrong money let through {more} by guarded")).to_be_visible()
    expect(explorer.get_by_text("guarded 1 wrong money")).to_be_visible()
    expect(button(explorer, f"Guards: {len(GUARDS) - 1} of {len(GUARDS)} on")).to_be_visible()
    switch(explorer, "The call is well formed")
    expect(card(explorer, "guarded")).to_contain_text("rightly stopped")
    expect(explorer.get_by_text("guarded 1 rightly stopped")).to_be_visible()


@pytest.mark.parametrize("limit", LIMITS)
def test_every_limit_has_its_sentence_on_its_agents_card(explorer: Page, limit: str):
    pick(explorer, OF_LIMIT[limit])
    if explorer.get_by_role("radio", name="Step 2 of 2").count():
        explorer.get_by_text("Step 2 of 2", exact=True).click()
    expect(card(explorer, LIMITS[limit].agent)).to_contain_text(LIMITS[limit].heading)
    expect(card(explorer, LIMITS[limit].agent)).to_contain_text(LIMITS[limit].slips)


def test_where_the_fix_helps_no_limit_is_claimed(explorer: Page):
    expect(card(explorer, "fixed")).to_contain_text("rightly stopped")
    expect(card(explorer, "fixed")).not_to_contain_text("The fix does not help here")


def test_a_look_alike_is_named_by_its_code_point(explorer: Page):
    pick(explorer, "look-alike-id")
    expect(card(explorer, "guarded")).to_contain_text("U+0410 CYRILLIC CAPITAL LETTER A")
    expect(explorer.get_by_text(re.compile("U\\+0410 CYRILLIC CAPITAL LETTER A")).first).to_be_visible()


def test_the_retry_and_its_objections_are_shown(explorer: Page):
    pick(explorer, "retry-asks-for-more")
    guarded = card(explorer, "guarded")
    expect(guarded.get_by_role("table", name="First answer")).to_contain_text(
        "'A101' belongs to 'C2', the ticket to 'C1'"
    )
    expect(guarded).to_contain_text('do: {"order_id": "A100", "amount": 45.0}')
    expect(guarded).to_contain_text("the customer agreed to $20.00, and the call pays $45.00")


def test_the_receipt_stands_beside_what_was_said(explorer: Page):
    pick(explorer, "prose-says-otherwise")
    expect(card(explorer, "guarded")).to_contain_text("We refunded $20.00 on A100.")
    expect(card(explorer, "guarded")).to_contain_text(
        f"The agent said: {data('prose-says-otherwise')['steps'][0]['said']}"
    )


def waiting(page: Page):
    return page.locator('[class*="st-key-waiting-"]')


def test_approving_pays_once_and_only_what_was_shown(explorer: Page):
    button(explorer, "Run this step").click()
    explorer.get_by_text("A person's queue: 1 waiting").click()
    expect(waiting(explorer)).to_contain_text('{"order_id": "A101", "amount": 200.0}')
    button(explorer, "Approve and pay").click()
    expect(waiting(explorer)).to_have_count(0)
    expect(explorer.get_by_text("2 runs", exact=True)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 200.00 USD, fixed 0.00 USD, guarded 200.00 USD")
    ).to_be_visible()


def test_a_step_changed_since_cannot_be_approved(explorer: Page):
    button(explorer, "Run this step").click()
    explorer.get_by_text("A person's queue: 1 waiting").click()
    expect(waiting(explorer)).to_be_visible()
    cell(explorer, "do amount").fill("150")
    expect(card(explorer, "broken")).to_contain_text("refunded $150.00")
    button(explorer, "Approve and pay").click()
    expect(explorer.get_by_text("The call has changed since it was shown")).to_be_visible()
    expect(explorer.get_by_text("1 run", exact=True)).to_be_visible()
    expect(waiting(explorer)).to_be_visible()
    button(explorer, "Decline").click()
    expect(waiting(explorer)).to_have_count(0)
    expect(explorer.get_by_text("2 runs", exact=True)).to_be_visible()
    expect(
        explorer.get_by_text("Wrong money so far: broken 200.00 USD, fixed 0.00 USD, guarded 0.00 USD")
    ).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_with_a_queue_and_the_switches_open(
    browser: Browser, base_url: str, scheme: str, width: int, height: int
):
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(base_url)
    expect(card(page, "guarded")).to_be_visible()
    pick(page, "retry-asks-for-more")
    button(page, "Run this step").click()
    page.get_by_text("A person's queue: 1 waiting").click()
    expect(waiting(page)).to_be_visible()
    settled(page)
    found = violations(page)
    button(page, "Guards:").click()
    expect(page.get_by_text("The intent is declared as data")).to_be_visible()
    found += violations(page)
    context.close()
    assert not found, found
