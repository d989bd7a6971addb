"""What one visitor waits for, in Chromium: from a key to its outcome on screen, from an address to the first one."""

import shutil
import time
from collections.abc import Iterator, Sequence

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from tests.bench.figures import Figure, p50, p95
from tests.bench.servers import Served
from tests.browser.conftest import QUIET

LIVE = 80.0  # milliseconds that both pages wait after a key
WARM, ROUNDS, OPENED = 10, 60, 9
OUTCOME = {"echo": "{}", "explorer": "refunded ${}.00 on A101"}
# Resolves with the milliseconds from the next key to the moment when the outcome stands on the page.
WATCH = """([name, wanted]) => { window.waited = new Promise(done => {
    const roots = [...document.querySelectorAll("*")].map(each => each.shadowRoot);
    const bench = roots.find(root => root?.querySelector(".bench"));
    const root = bench ?? document.body;
    const place = bench ? "[data-agent=broken]" : "[data-testid=stText]";
    let pressed;
    root.addEventListener("input", () => { pressed = performance.now(); }, {capture: true, once: true});
    new MutationObserver((_, watch) => {
        if (pressed && root.querySelector(place)?.textContent.includes(wanted)) {
            watch.disconnect();
            done(performance.now() - pressed);
        }
    }).observe(root, {subtree: true, childList: true, characterData: true});
}); }"""


class Heard:
    """What a page gets from its server over its websocket: how many messages, and how many bytes."""

    def __init__(self, page: Page) -> None:
        self.messages = self.bytes = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, frame: bytes | str) -> None:
        self.messages += 1
        self.bytes += len(frame)


def edit(page: Page, name: str, amount: int) -> float:
    """Type an amount and wait for its outcome: the milliseconds it took."""
    page.evaluate(WATCH, [name, OUTCOME[name].format(amount)])
    page.get_by_role("textbox", name="do amount", exact=True).fill(str(amount))
    return page.evaluate("() => window.waited")


def opened(browser: Browser, site: Served) -> float:
    """Open a page with nothing in the browser's cache: the milliseconds until its outcome is there."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(site.url)
    page.locator("[data-agent=broken]" if site.name == "explorer" else "[data-testid=stText]").wait_for()
    taken = (time.perf_counter() - begun) * 1000
    context.close()
    return taken


def measure(echo: Served, explorer: Served) -> Iterator[Figure]:
    """The figures of one visitor; each round edits one page and then the other."""
    sites: Sequence[Served] = (echo, explorer)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        cold: dict[str, list[float]] = {site.name: [] for site in sites}
        for _ in range(OPENED + 1):
            for site in sites:
                cold[site.name].append(opened(browser, site))
        pages = {site.name: browser.new_page(viewport={"width": 1440, "height": 900}) for site in sites}
        heard = {name: Heard(page) for name, page in pages.items()}
        taken: dict[str, list[float]] = {site.name: [] for site in sites}
        cpu: dict[str, float] = dict.fromkeys(taken, 0.0)
        for site in sites:
            pages[site.name].goto(site.url)
            pages[site.name].get_by_role("textbox", name="do amount", exact=True).wait_for()
        for round_ in range(WARM + ROUNDS):
            for site in sites:
                if round_ == WARM:
                    heard[site.name].messages = heard[site.name].bytes = 0
                before = site.cpu()
                waited = edit(pages[site.name], site.name, 10 + round_)
                if round_ >= WARM:
                    taken[site.name].append(waited - LIVE)
                    cpu[site.name] += site.cpu() - before
        browser.close()

    def figure(name: str, of: dict[str, float], unit: str, most: float | None = None) -> Figure:
        return Figure(name, "explorer", of["explorer"], of["echo"], unit, most)

    yield figure("edit to outcome, median", {name: p50(each) for name, each in taken.items()}, "ms", 1.5)
    yield figure("edit to outcome, 95 of 100", {name: p95(each) for name, each in taken.items()}, "ms")
    yield figure("CPU of the server for an edit", {n: each / ROUNDS * 1000 for n, each in cpu.items()}, "ms", 2.0)
    yield figure("messages for an edit", {n: each.messages / ROUNDS for n, each in heard.items()}, "")
    yield figure("sent for an edit", {n: each.bytes / ROUNDS for n, each in heard.items()}, "bytes")
    yield figure("cold open, median", {name: p50(each[1:]) for name, each in cold.items()}, "ms", 1.2)
