"""The real page in a real browser: one server for all tests, Debian's Chromium, and what every page must keep to."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from urllib3.util import Retry

from tests.browser.pages import ROOT, cell, lane, settled

QUIET = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync".split()
QUIET += ["--disable-background-networking", "--disable-component-update"]
MISSING = "No Chromium on this machine: install it, on Debian and Ubuntu with `apt-get install chromium`."

expect.set_options(timeout=15_000)  # a busy machine is slow, not wrong


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    return {"executable_path": chromium, "args": QUIET}


class Server:
    """The app on a port of its own, with a file of its own to keep things in."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log"
        self.store = folder / "visitors.sqlite3"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = ["--server.port", str(self.port), "--server.address", "127.0.0.1"]
        with self.log.open("a") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", *options],
                cwd=ROOT,
                stdout=out,
                stderr=out,
                env={**os.environ, "FAILURE13_STORE": str(self.store)},
            )
        answering = Retry(total=240, backoff_factor=0.05, backoff_max=0.5)
        urllib3.PoolManager(retries=answering).request("GET", f"{self.url}/_stcore/health")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it and wait until it is gone."""
        self.process.send_signal(how)
        self.process.wait()


@pytest.fixture
def own_server(browser_type_launch_args: dict[str, object], tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    assert browser_type_launch_args, "no server without a browser"
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def base_url(browser_type_launch_args: dict[str, object], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert browser_type_launch_args, "no server without a browser"
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server.url
    server.stop()
    assert "Traceback" not in server.log.read_text(), server.log.read_text()


@pytest.fixture(scope="session")
def warm(browser: Browser) -> Iterator[BrowserContext]:
    """What the tests' pages have in common: the files that were fetched once, and nothing of a visitor."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def context(warm: BrowserContext) -> Iterator[BrowserContext]:
    """A new visitor's browser, but for its cache; what a test sets of a page, such as its size, goes with the page."""
    warm.clear_cookies()
    yield warm
    for page in warm.pages:
        page.close()


@pytest.fixture
def page(page: Page, base_url: str) -> Iterator[Page]:
    """A page that fails its test for any error in the console and any request to another machine."""
    seen: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # Streamlit looks for its server below a page's own path first, where it is not.
        if message.type == "error" and "/_stcore/" not in message.location["url"]:
            seen.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("request", lambda request: None if is_ours(request.url, base_url) else seen.append(request.url))
    yield page
    assert seen == []


@pytest.fixture
def explorer(page: Page, base_url: str) -> Page:
    """The Explore page on a laptop's screen, as a new visitor finds it."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(base_url)
    expect(lane(page, "guarded")).to_be_visible()
    expect(cell(page, "do amount")).to_be_visible()
    settled(page)
    return page


def is_ours(url: str, base_url: str) -> bool:
    return url.startswith((base_url, base_url.replace("http", "ws"), "data:", "blob:"))
