"""Keep what was found, and hand it on, in Chromium: raw text, edits, links, files, a killed server."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server
from tests.browser.pages import (
    NOTHING_RAN,
    ROOT,
    button,
    cell,
    data,
    lane,
    pick,
    picker,
    runs,
    settled,
    violations,
)

OWN = len(list((ROOT / "scenarios").glob("*.json"))) + 1  # the number of a first scenario of one's own
GOLDEN = json.loads((ROOT / "tests/golden/links.json").read_text("utf-8"))


def raw(page: Page, side: str):
    return cell(page, f"{side} as JSON text")


def to_raw(page: Page) -> None:
    button(page, "{ } JSON").click()
    expect(raw(page, "do")).to_be_visible()


def send(page: Page, side: str, text: str) -> None:
    raw(page, side).fill(text)


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(address)
    expect(lane(page, "guarded")).to_be_visible()
    settled(page)
    return page


def test_raw_text_is_kept_with_its_mistake_and_place(explorer: Page):
    to_raw(explorer)
    send(explorer, "do", '{"order_id": "A100", "amount": 2')
    expect(explorer.get_by_text("do: line 1, column 33: expected ',' or '}', found the end")).to_be_visible()
    expect(raw(explorer, "do")).to_have_value('{"order_id": "A100", "amount": 2')
    expect(lane(explorer, "broken")).to_contain_text("JSONDecodeError")
    button(explorer, "Show as fields").click()
    expect(raw(explorer, "do")).to_have_value('{"order_id": "A100", "amount": 2')
    send(explorer, "do", '{"order_id": "A100", "amount": 20.0}')
    expect(lane(explorer, "fixed")).to_contain_text("paid as owed")
    button(explorer, "Show as fields").click()
    expect(cell(explorer, "do amount")).to_have_value("20.0")


@pytest.mark.parametrize(
    ("text", "broken", "guarded"),
    [
        (
            '{"order_id": "A100", "amount": 20.0, "amount": 200.0}',
            "refunded $200.00 on A100",
            'the key "amount" stands',
        ),
        ('{"order_id": "A100", "amount": NaN}', "refunded $nan on A100", "line 1, column 32"),
        ('{"order_id": "A100", "amount": 1e400}', "refunded $inf on A100", "line 1, column 32"),
        ('{"order_id": "A100", "amount": 20.0', "JSONDecodeError", "line 1, column 36"),
        ("[" * 60_000, "RecursionError", "column 65: expected at most 64 levels"),
        ('{"order_id": "\\ud800", "amount": 20.0}', "refunded $20.00 on ⟨U+D800⟩", "half a surrogate pair"),
        ('{"order_id": "' + "A" * 65_536 + '", "amount": 20.0}', "refunded $20.00 on AAAA", "at most 64 KiB"),
        ("[1]", "TypeError", "expected an object, found a list"),
    ],
    ids=["twice", "nan", "huge", "cut", "deep", "half", "long", "list"],
)
def test_what_each_agent_does_with_text_no_object_can_hold_is_shown(
    explorer: Page, text: str, broken: str, guarded: str
):
    to_raw(explorer)
    send(explorer, "do", text)
    expect(lane(explorer, "broken")).to_contain_text(broken)
    expect(lane(explorer, "guarded")).to_contain_text(guarded)
    expect(lane(explorer, "broken")).to_contain_text("ledger: [")


def test_edits_can_be_gone_back_to_from_their_list(explorer: Page):
    cell(explorer, "do amount").fill("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50")
    button(explorer, "Make the call agree").click()
    expect(lane(explorer, "broken")).to_contain_text("refunded $20.00 on A100")
    button(explorer, "Edits").click()
    button(explorer, "0. as in the file").click()
    expect(lane(explorer, "broken")).to_contain_text("refunded $200.00 on A101")


def shared(page: Page) -> str:
    """The link to what is on screen."""
    button(page, "Share").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    link = page.locator(".link code").inner_text()
    page.keyboard.press("Escape")
    expect(page.locator(".link")).to_have_count(0)
    return link


def test_a_shared_edit_opens_there_and_resets_to_the_shared_state_then_to_the_file(explorer: Page, browser: Browser):
    pick(explorer, "paid-twice")
    button(explorer, "Step 2").click()
    expect(lane(explorer, "broken")).to_contain_text("ledger: [('A100', 20.0), ('A100', 20.0)]")
    cell(explorer, "do amount").fill("3.5")
    cell(explorer, "refundable of A100").fill("30.00")
    button(explorer, "call equals intent").click()
    expect(lane(explorer, "broken")).to_contain_text("refunded $3.50 on A100")
    other = opened(browser, shared(explorer))
    expect(lane(other, "broken")).to_contain_text("refunded $3.50 on A100")
    expect(button(other, "Step 2")).to_have_class(re.compile(r"\bon\b"))
    expect(cell(other, "refundable of A100")).to_have_value("30.00")
    expect(lane(other, "guarded")).to_contain_text("8 of 9 gates")
    expect(other.locator(".pick .mark")).to_have_text(["edited", "from a link"])
    cell(other, "do amount").fill("9")
    expect(lane(other, "broken")).to_contain_text("refunded $9.00 on A100")
    button(other, "Reset").click()
    expect(lane(other, "broken")).to_contain_text("refunded $3.50 on A100")
    button(other, "Reset").click()
    expect(lane(other, "broken")).to_contain_text("refunded $20.00 on A100")
    expect(cell(other, "refundable of A100")).to_have_value("20.00")
    expect(other.locator(".pick .mark", has_text="edited")).to_have_count(0)
    other.reload()
    expect(lane(other, "broken")).to_contain_text("refunded $20.00 on A100")
    other.context.close()


@pytest.mark.parametrize(
    "link", ["nonsense", "1.", "2.abc", "3.abc", "1." + "A" * 9000, "1.eJw", "<script>alert(1)</script>"]
)
def test_a_hostile_link_gets_a_sentence_and_the_first_scenario(page: Page, base_url: str, link: str):
    page.goto(f"{base_url}/?s={link}")
    expect(page.get_by_text("The link could not be opened.")).to_be_visible()
    expect(page.get_by_text(data("right-words-wrong-order")["notice"])).to_be_visible()
    button(page, "Dismiss").click()
    expect(page.get_by_text("The link could not be opened.")).to_have_count(0)


def test_download_and_upload_are_the_identity(explorer: Page):
    pick(explorer, "look-alike-id")
    button(explorer, "Save").click()
    with explorer.expect_download() as download:
        button(explorer, "Download this scenario").click()
    file = Path(download.value.path())
    explorer.keyboard.press("Escape")
    explorer.get_by_role("link", name="Write").click()
    explorer.locator("input[type=file]").set_input_files(
        {"name": "mine.json", "mimeType": "application/json", "buffer": file.read_bytes()}
    )
    expect(explorer.get_by_role("textbox", name="The scenario's file")).to_have_value(file.read_text("utf-8"))
    expect(explorer.get_by_text("No mistakes")).to_be_visible()
    assert json.loads(file.read_text("utf-8")) == data("look-alike-id")
    button(explorer, "Open in Explore").click()
    expect(picker(explorer)).to_contain_text(f"{OWN}. {data('look-alike-id')['title']}")
    explorer.get_by_role("link", name="Write").click()
    expect(explorer.get_by_role("textbox", name="The scenario's file")).to_have_value(file.read_text("utf-8"))


def test_the_copied_test_passes_as_it_stands(explorer: Page, tmp_path: Path):
    cell(explorer, "do amount").fill("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50")
    button(explorer, "Save").click()
    with explorer.expect_download() as download:
        button(explorer, "Download as pytest").click()
    test = tmp_path / "test_copied.py"
    test.write_bytes(Path(download.value.path()).read_bytes())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(test)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "7.5" in test.read_text("utf-8")


def test_mistakes_are_listed_while_a_scenario_is_written_and_it_opens_in_explore(explorer: Page):
    explorer.get_by_role("link", name="Write").click()
    text = explorer.get_by_role("textbox", name="The scenario's file")
    button(explorer, "Start from the one in Explore").click()
    expect(text).to_have_value(re.compile("The right words"))
    file = json.loads(text.input_value())
    file["steps"][0]["do"], file["case"]["orders"]["A100"]["paid"] = 7, "much"
    text.fill(json.dumps(file))
    mistakes = explorer.locator(".st-key-mistakes")
    expect(mistakes).to_contain_text("steps[0].do: expected an object, a JSON string or null for no call, found 7")
    expect(mistakes).to_contain_text('case.orders.A100.paid: expected an amount as text, such as "40.00", found "much"')
    expect(text).to_be_focused()
    file["steps"][0]["do"], file["case"]["orders"]["A100"]["paid"] = {"order_id": "A100", "amount": 1.5}, "40.00"
    file["title"], file["steps"][0]["owed"] = "$5 of my own$ :smile:", {"order_id": "A100", "amount": 1.5}
    text.fill(json.dumps(file))
    expect(explorer.get_by_text("No mistakes")).to_be_visible()
    expect(explorer.get_by_text("broken: expected ledger")).to_be_visible()
    button(explorer, "Open in Explore").click()
    expect(lane(explorer, "broken")).to_contain_text("paid as owed")
    expect(picker(explorer)).to_contain_text(f"{OWN}. $5 of my own$ :smile:")
    button(explorer, "Share").click()
    expect(explorer.get_by_text("this one is your own: save it instead")).to_be_visible()


def test_what_was_just_typed_is_what_opens_in_explore(explorer: Page):
    explorer.get_by_role("link", name="Write").click()
    text = explorer.get_by_role("textbox", name="The scenario's file")
    expect(text).to_have_value(re.compile("A scenario of my own"))
    file = {**data("all-three-agree"), "title": "Just typed"}
    text.fill(json.dumps(file))
    button(explorer, "Open in Explore").click()
    expect(picker(explorer)).to_contain_text(f"{OWN}. Just typed")


# Notes for each text area, as it comes into the page, whether it can be typed in; its script runs later.
NOTE_READ_ONLY = """(() => {
    window.readOnlyAtFirst = [];
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, options);
        new MutationObserver((changes) => {
            for (const node of changes.flatMap((change) => [...change.addedNodes])) {
                const area = node.querySelector?.("textarea");
                if (area) window.readOnlyAtFirst.push(area.readOnly);
            }
        }).observe(root, { childList: true, subtree: true });
        return root;
    };
})()"""


def test_the_text_area_takes_no_typing_that_its_script_would_replace(page: Page, base_url: str):
    page.add_init_script(NOTE_READ_ONLY)
    page.goto(f"{base_url}/write")
    text = page.get_by_role("textbox", name="The scenario's file")
    expect(text).to_have_value(re.compile("A scenario of my own"))
    expect(text).to_be_editable()
    assert page.evaluate("window.readOnlyAtFirst") == [True]


def writing(page: Page):
    """The text area of Write; by its label, for Streamlit hides the page from roles while the server is away."""
    return page.get_by_label("The scenario's file")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_is_written_while_the_server_is_down_is_taken_when_it_is_back(own_server: Server, browser: Browser, how):
    page = browser.new_page()
    page.goto(f"{own_server.url}/write")
    expect(writing(page)).to_have_value(re.compile("A scenario of my own"))
    own_server.stop(how)
    writing(page).fill('{"title": 7')
    own_server.start()
    expect(page.locator(".st-key-mistakes")).to_contain_text("line 1, column 12", timeout=40_000)
    expect(writing(page)).to_have_value('{"title": 7')
    writing(page).fill('{"title": 78')
    expect(page.locator(".st-key-mistakes")).to_contain_text("line 1, column 13")
    page.reload()
    expect(writing(page)).to_have_value('{"title": 78')
    page.close()


@pytest.mark.parametrize("leave", ["reload", "go back"])
def test_what_was_written_last_survives(explorer: Page, leave: str):
    explorer.get_by_role("link", name="Write").click()
    expect(writing(explorer)).to_have_value(re.compile("A scenario of my own"))
    writing(explorer).fill('{"title": 7')
    expect(explorer.locator(".st-key-mistakes")).to_contain_text("line 1, column 12")
    writing(explorer).press("End")
    writing(explorer).press_sequentially("89")
    if leave == "reload":
        explorer.reload()
    else:
        explorer.go_back()
        expect(lane(explorer, "broken")).to_be_visible()
        explorer.go_forward()
    expect(writing(explorer)).to_have_value('{"title": 789')
    expect(explorer.locator(".st-key-mistakes")).to_contain_text("line 1, column 14")


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"{" + b" " * 300_000, "at most 256 KiB, found 300001 bytes"), (b"PK\x03\xff", "no scenario file")],
)
def test_a_file_that_can_be_no_scenario_is_refused_and_the_text_stays(explorer: Page, content: bytes, why: str):
    explorer.get_by_role("link", name="Write").click()
    text = explorer.get_by_role("textbox", name="The scenario's file")
    expect(text).to_have_value(re.compile("A scenario of my own"))
    settled(explorer)
    text.fill("what I wrote")
    element = text.element_handle()
    explorer.locator("input[type=file]").set_input_files(
        {"name": "big.json", "mimeType": "application/json", "buffer": content}
    )
    expect(explorer.get_by_text(why)).to_be_visible()
    expect(text).to_have_value("what I wrote")
    assert element is not None
    assert element.evaluate("element => element.isConnected"), "made anew, it would lose what is typed meanwhile"


def test_a_run_of_sides_that_are_no_objects_leaves_the_page_whole(explorer: Page):
    to_raw(explorer)
    send(explorer, "intent", "[1]")
    send(explorer, "do", "[1]")
    expect(lane(explorer, "broken")).to_contain_text("crashed")
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    expect(explorer.get_by_text("Intent and call have agreed in every run so far.")).to_be_visible()


def test_a_reload_brings_edits_trail_queue_and_place_back(explorer: Page):
    button(explorer, "Next scenario").click()
    expect(explorer.get_by_text(data("all-three-agree")["notice"])).to_be_visible()
    cell(explorer, "do amount").fill("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50")
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    explorer.reload()
    expect(cell(explorer, "do amount")).to_have_value("7.5")
    expect(runs(explorer, 1)).to_be_visible()
    expect(explorer.get_by_text("A person's queue: 1 waiting")).to_be_visible()
    button(explorer, "Undo").click()
    expect(cell(explorer, "do amount")).to_have_value("20.0")


def test_two_tabs_do_not_overwrite_each_other(explorer: Page, base_url: str):
    other = explorer.context.new_page()
    other.goto(base_url)
    expect(lane(other, "guarded")).to_be_visible()
    for page, times in ((explorer, 1), (other, 1)):
        button(page, "Run this step").click()
        expect(runs(page, times)).to_be_visible()
    explorer.reload()
    expect(runs(explorer, 2)).to_be_visible()


def test_clear_really_deletes(explorer: Page):
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    button(explorer, "Clear").click()
    button(explorer, "Delete the runs").click()
    expect(explorer.get_by_text(NOTHING_RAN)).to_be_visible()
    explorer.reload()
    expect(explorer.get_by_text(NOTHING_RAN)).to_be_visible()


def test_a_visitor_can_delete_everything_of_theirs(explorer: Page):
    cell(explorer, "do amount").fill("7.5")
    expect(lane(explorer, "broken")).to_contain_text("refunded $7.50")
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    button(explorer, "Clear").click()
    button(explorer, "Delete everything of mine").click()
    expect(explorer.get_by_text(NOTHING_RAN)).to_be_visible()
    expect(cell(explorer, "do amount")).to_have_value("200.0")
    cell(explorer, "intent amount").fill("21")
    expect(lane(explorer, "fixed")).to_contain_text("amount: said 21, did 200.0")
    explorer.reload()
    expect(cell(explorer, "intent amount")).to_have_value("21")
    expect(cell(explorer, "do amount")).to_have_value("200.0")
    expect(explorer.get_by_text(NOTHING_RAN)).to_be_visible()


def test_an_address_hands_over_no_session(explorer: Page, browser: Browser):
    button(explorer, "Run this step").click()
    expect(runs(explorer, 1)).to_be_visible()
    other = opened(browser, explorer.url)
    expect(other.get_by_text(NOTHING_RAN)).to_be_visible()
    other.context.close()


def test_a_killed_server_loses_no_run_that_was_shown(own_server: Server, browser: Browser):
    page = opened(browser, own_server.url)
    cell(page, "do amount").fill("7.5")
    expect(lane(page, "broken")).to_contain_text("refunded $7.50")
    button(page, "Run this step").click()
    expect(runs(page, 1)).to_be_visible()
    own_server.stop(signal.SIGKILL)
    own_server.start()
    page.reload()
    expect(runs(page, 1)).to_be_visible()
    expect(cell(page, "do amount")).to_have_value("7.5")
    page.context.close()


def test_without_a_file_to_keep_things_in_the_page_says_so_and_goes_on(own_server: Server, browser: Browser):
    own_server.stop(signal.SIGTERM)
    own_server.store = Path("/dev/null/visitors.sqlite3")
    own_server.start()
    page = opened(browser, own_server.url)
    expect(page.get_by_text("the server has no file to keep it in")).to_be_visible()
    button(page, "Run this step").click()
    expect(runs(page, 1)).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_in_raw_mode_with_a_mistake_in_undo_and_after_a_reload(
    page: Page, base_url: str, scheme: Any, width: int, height: int
):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{base_url}/?s={GOLDEN[0]['link']}")
    expect(lane(page, "guarded")).to_be_visible()
    pick(page, "right-words-wrong-order")
    to_raw(page)
    send(page, "do", "{")
    expect(page.get_by_text("do: line 1, column 2")).to_be_visible()
    found = violations(page)
    button(page, "Undo").click()
    expect(lane(page, "broken")).to_contain_text("refunded $200.00")
    found += violations(page)
    page.reload()
    expect(raw(page, "do")).to_be_visible()
    settled(page)
    found += violations(page)
    page.goto(f"{base_url}/write")
    expect(page.get_by_text("No mistakes")).to_be_visible()
    settled(page)
    found += violations(page)
    assert not found, found
