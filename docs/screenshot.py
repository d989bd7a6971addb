"""Makes the picture at the top of the README: `.venv/bin/python docs/screenshot.py`.

It opens the page in Chromium as a visitor would, runs every scenario once, and scrolls back to the first one.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import urllib3
from playwright.sync_api import Page, expect, sync_playwright
from urllib3.util import Retry

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/explore.png"
# The last two draw the same dots each time.
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--num-raster-threads=1", "--disable-partial-raster"]
STARTED = Retry(connect=60, backoff_factor=0.05, backoff_max=0.5)


def main() -> None:
    """Start the app, take the picture, stop the app."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("No Chromium on this machine: install it, on Debian and Ubuntu with `apt-get install chromium`.")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host, port = free.getsockname()
    options = ["--server.address", host, "--server.port", str(port)]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT,
            env={**os.environ, "FAILURE13_STORE": f"{folder}/visitors.sqlite3"},
        )
        try:
            take(f"http://{host}:{port}", chromium)
        finally:
            server.terminate()
            server.wait()


def take(address: str, chromium: str) -> None:
    """Open the page as soon as it is there, and take the picture."""
    urllib3.PoolManager(retries=STARTED).request("GET", f"{address}/_stcore/health")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        run_all(page)
        page.screenshot(path=PICTURE, animations="disabled")
        browser.close()


def run_all(page: Page) -> None:
    """Run all scenarios and go back to the top, with every chart drawn and the mouse out of the way."""
    page.get_by_role("button", name="Run all scenarios").click()
    expect(page.get_by_test_id("stVegaLiteChart").locator("canvas, svg").first).to_be_visible()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
    page.evaluate("document.fonts.ready")


if __name__ == "__main__":
    main()
