"""The parts of the page, by what a visitor calls them."""

import json
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

ROOT = Path(__file__).parents[2]


def settled(page: Page) -> None:
    """Wait until the server has answered."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()


def card(page: Page, agent: str) -> Locator:
    return page.locator(f".st-key-card-{agent}")


def cell(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def data(scenario_id: str) -> dict:
    """What a scenario's file says."""
    return json.loads(next((ROOT / "scenarios").glob(f"*-{scenario_id}.json")).read_text("utf-8"))


def pick(page: Page, scenario_id: str) -> None:
    """Choose a scenario in the picker, by typing its title."""
    title = data(scenario_id)["title"]
    box = page.get_by_role("combobox", name="Scenario")
    box.click()
    box.fill(title)
    page.get_by_role("option", name=title).click()
    expect(page.get_by_text(data(scenario_id)["notice"])).to_be_visible()
    settled(page)


def violations(page: Page) -> str:
    """What axe finds wrong, or nothing: by its default rules and the WCAG 2.2 one they leave off.

    The drop zone of a file upload is left out: its role is Streamlit's own, and no setting changes it.
    """
    page.mouse.move(0, 0)  # a pointer that rests on a button opens a tooltip, which is Streamlit's own
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page_but_drop_zone = {"exclude": [["[data-testid=stFileUploaderDropzone]"]]}
    found = Axe().run(page, context=page_but_drop_zone, options={"rules": {"target-size": {"enabled": True}}})
    return "\n".join(
        f"{rule['id']}: {rule['help']}: {node['html']} {node.get('failureSummary', '')}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    )
