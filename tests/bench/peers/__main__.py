"""The small page with other libraries beside the explorer: `python -m tests.bench.peers PYTHON`, once in a while.

PYTHON is that of a virtual environment with gradio, marimo, panel and nicegui in it. The table is in the README.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import Page, Request, sync_playwright

from tests.bench.figures import p50, p95
from tests.bench.servers import ROOT, free_port, wait_for
from tests.browser.conftest import QUIET

HERE = Path(__file__).parent
OWN = (sys.executable, "-m", "streamlit", "run")
SERVER = ("--server.address=127.0.0.1", "--server.port={port}")
# By library: the command that serves its page, and the milliseconds that it waits after a key.
PEERS = {
    "NiceGUI": (("{python}", "-m", "tests.bench.peers.with_nicegui"), 0),
    "marimo": (("{python}", "-m", "marimo", "run", str(HERE / "with_marimo.py"), "--headless", "-p", "{port}"), 0),
    "Gradio": (("{python}", "-m", "tests.bench.peers.with_gradio"), 0),
    "Panel": (("{python}", "-m", "panel", "serve", str(HERE / "with_panel.py"), "--port", "{port}"), 0),
    "Streamlit": ((*OWN, str(HERE / "with_streamlit.py"), *SERVER), 80),
    "this explorer": ((*OWN, str(ROOT / "app.py"), *SERVER), 80),
}
PATHS = {"Panel": "/with_panel"}
ROUNDS, WARM = 40, 8
# Resolves with the milliseconds from the next key to the moment when a text stands anywhere on the page.
WATCH = """(wanted) => { window.waited = new Promise((done) => {
    const roots = [document];
    for (let at = 0; at < roots.length; at++)
        for (const each of roots[at].querySelectorAll("*")) if (each.shadowRoot) roots.push(each.shadowRoot);
    let pressed;
    const stands = () => roots.some((root) => (root.body ?? root).textContent.includes(wanted)
        || [...root.querySelectorAll("textarea")].some((each) => each.value.includes(wanted)));
    const again = () => {
        if (pressed && stands()) done(performance.now() - pressed);
        else requestAnimationFrame(again);
    };
    for (const root of roots)
        root.addEventListener("input", () => { pressed ??= performance.now(); }, {capture: true, once: true});
    again();
}); }"""


@contextmanager
def served(name: str, python: str, folder: Path) -> Iterator[str]:
    """The page of a library on a server of its own."""
    port = free_port()
    command = [part.format(python=python, port=port) for part in PEERS[name][0]]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PORT": str(port), "PYTHONPATH": str(ROOT), "FAILURE13_STORE": str(folder / "kept.sqlite3")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}{PATHS.get(name, '/')}")
        yield f"http://127.0.0.1:{port}{PATHS.get(name, '/')}"
    finally:
        process.terminate()
        process.wait()


def amount_field(page: Page, name: str):
    """The field for the amount of the call."""
    if name == "this explorer":
        return page.get_by_role("textbox", name="do amount", exact=True)
    return page.locator("input:visible, textarea:visible").nth(2)


def main() -> None:
    """Measure each library's page, all of them by turns, and print the table."""
    python = sys.argv[1]
    taken: dict[str, list[float]] = {name: [] for name in PEERS}
    opened, outside = {}, {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        for _ in range(2):  # each library twice, so that no one has the quiet moments alone
            for name, (_, waits) in PEERS.items():
                with served(name, python, Path(folder)) as url:
                    context = browser.new_context(viewport={"width": 1440, "height": 900})
                    page, foreign = context.new_page(), set[str]()

                    def keep_inside(request: Request, foreign: set[str] = foreign) -> None:
                        if "127.0.0.1" not in request.url and not request.url.startswith(("data:", "blob:")):
                            foreign.add(request.url.split("/")[2])

                    page.on("request", keep_inside)
                    begun = time.perf_counter()
                    page.goto(url)
                    field = amount_field(page, name)
                    field.wait_for()
                    opened.setdefault(name, []).append((time.perf_counter() - begun) * 1000)
                    page.wait_for_function("() => document.readyState === 'complete'")
                    for round_ in range(WARM + ROUNDS):
                        page.evaluate(WATCH, f"refunded ${20 + round_}.00 on A101")
                        field.fill(str(20 + round_))
                        waited = page.evaluate("() => window.waited")
                        if round_ >= WARM:
                            taken[name].append(waited - waits)
                    outside[name] = foreign
                    context.close()
        browser.close()
    asked = "import importlib.metadata as m; print(*(m.version(n) for n in ('nicegui', 'marimo', 'gradio', 'panel')))"
    found = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    versions = dict(zip(PEERS, [*found, version("streamlit"), "Streamlit"], strict=True))
    print("| page | version | edit, median | edit, 95 of 100 | opened | asks outside for |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, times in taken.items():
        cold, asks = min(opened[name]), ", ".join(sorted(outside[name])) or "nothing"
        print(f"| {name} | {versions[name]} | {p50(times):.0f} ms | {p95(times):.0f} ms | {cold:.0f} ms | {asks} |")


if __name__ == "__main__":
    main()
