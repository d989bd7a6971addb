"""The parts of the page, by what a visitor calls them."""

import json
import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

ROOT = Path(__file__).parents[2]


def settled(page: Page) -> None:
    """Wait until the server has answered and the browser has drawn it: a key pressed in between may find no button."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def lane(page: Page, agent: str) -> Locator:
    return page.locator(f"[data-agent={agent}]")


def cell(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def data(scenario_id: str) -> dict:
    """What a scenario's file says."""
    return json.loads(next((ROOT / "scenarios").glob(f"*-{scenario_id}.json")).read_text("utf-8"))


def picker(page: Page) -> Locator:
    """The button that says which scenario is on screen and opens the list of them."""
    return page.locator("button.pick")


def pick(page: Page, scenario_id: str) -> None:
    """Choose a scenario in the list of them."""
    title = data(scenario_id)["title"]
    picker(page).click()
    page.get_by_role("region", name="Scenarios").get_by_role("button", name=f". {title}").click()
    expect(page.get_by_text(data(scenario_id)["notice"])).to_be_visible()
    expect(picker(page)).to_contain_text(title)
    settled(page)


def runs(page: Page, count: int) -> Locator:
    """The heading of the trail with so many runs in it."""
    return page.get_by_role("heading", name=re.compile(rf"^Audit trail: {count} runs?\b"))


NOTHING_RAN = "Nothing has run yet"


def violations(page: Page) -> str:
    """What axe finds wrong, or nothing: by its default rules and the WCAG 2.2 one they leave off.

    Two things of Streamlit's own are left out, which no setting changes: the role of a file upload's drop zone, and the
    link to the main content, which axe knows by the first link after it, unless that stands in a component.
    """
    page.mouse.move(0, 0)  # a pointer that rests on a button opens a tooltip
    expect(page.get_by_role("tooltip")).to_have_count(0)
    ours = {"exclude": [["[data-testid=stFileUploaderDropzone]"], ["[data-testid=stSkipToContent]"]]}
    found = Axe().run(page, context=ours, options={"rules": {"target-size": {"enabled": True}}})
    return "\n".join(
        f"{rule['id']}: {rule['help']}: {node['html']} {node.get('failureSummary', '')}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    )
