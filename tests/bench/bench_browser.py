"""What a visitor waits for: from a key to the outcome on screen. Run it with `python -m tests.bench.bench_browser`.

Both pages are served by Streamlit with this project's settings and shown in Chromium: one that only echoes its field,
and the explorer. The ratio of the two is what to compare between two versions.
"""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import urllib3
from playwright.sync_api import Browser, sync_playwright
from urllib3.util import Retry

from tests.browser.conftest import QUIET
from tests.browser.pages import ROOT, cell, settled

ROUNDS = 40
ECHO = 'import streamlit as st\nst.text(st.text_input("do amount", "200.0", live="80ms"))\n'
# Milliseconds from the last key to the moment its text stands in the place; the 80 of `live` are among them.
WATCH = """([place, wanted]) => { window.waited = new Promise(done => {
    let pressed;
    addEventListener('input', () => { pressed = performance.now(); }, {capture: true, once: true});
    new MutationObserver((_, watch) => {
        if (pressed && document.querySelector(place)?.textContent.includes(wanted)) {
            watch.disconnect();
            done(performance.now() - pressed);
        }
    }).observe(document.body, {subtree: true, childList: true, characterData: true});
}); }"""


@contextmanager
def served(script: Path, folder: str) -> Iterator[str]:
    """A server of its own for a script, for as long as it is needed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}", "--server.address=127.0.0.1"],
        cwd=ROOT,
        env={**os.environ, "FAILURE13_STORE": str(Path(folder) / "visitors.sqlite3")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        started = Retry(connect=60, backoff_factor=0.05, backoff_max=0.5)
        urllib3.PoolManager(retries=started).request("GET", f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def waits(browser: Browser, url: str, place: str, wanted: str) -> list[float]:
    """How long each of some edits took to stand in `place`, which then holds `wanted` with the amount."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(url)
    settled(page)
    taken: list[float] = []
    for amount in range(10, 10 + ROUNDS + 5):
        page.evaluate(WATCH, [place, wanted.format(amount)])
        cell(page, "do amount").fill(str(amount))
        taken.append(page.evaluate("() => window.waited"))
        settled(page)
    page.close()
    return sorted(taken[5:])


def main() -> None:
    """Measure, and print a row each: the median, what 95 of 100 stay below, and the ratio of the medians."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        echo = Path(folder) / "echo.py"
        echo.write_text(ECHO, "utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        bare = 0.0
        for name, script, place, wanted in (
            ("an echo", echo, "[data-testid=stText]", "{}"),
            ("the explorer", ROOT / "app.py", ".st-key-card-broken", "refunded ${}.00 on A101"),
        ):
            with served(script, folder) as url:
                taken = waits(browser, url, place, wanted)
            median = statistics.median(taken)
            bare = bare or median
            slow = taken[len(taken) * 95 // 100]
            sys.stdout.write(f"{name:14} median {median:6.1f} ms, 95 % {slow:6.1f} ms {median / bare:6.1f} x\n")
        browser.close()


if __name__ == "__main__":
    main()
