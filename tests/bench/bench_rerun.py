"""What an edit costs the server, and what the model costs of it. Run it with `python -m tests.bench.bench_rerun`.

Times differ from machine to machine, so each is shown beside something that any machine can do: a page that only
echoes its one field, and reading the scenario files with `json`. The ratio is what to compare between two versions.

The test runner draws the whole page after each edit, where a browser asks for the editor and the outcomes alone; what
a visitor waits for is measured by bench_browser.
"""

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import perf_counter

from streamlit.testing.v1 import AppTest

from failure13.guards import GUARDS
from failure13.replay import replay
from failure13.scenarios import load_all
from failure13.visit.runs import tally

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "scenarios").glob("*.json"))
PACK, _ = load_all(ROOT / "scenarios")
ROUNDS = 60


def echo() -> None:
    import streamlit as st

    st.text(st.text_input("do amount", "200.0"))


def median(act: Callable[[], object]) -> float:
    """The median of some rounds of `act`, in milliseconds, after a few to warm up."""
    taken: list[float] = []
    for _ in range(ROUNDS + 5):
        start = perf_counter()
        act()
        taken.append(1000 * (perf_counter() - start))
    return statistics.median(taken[5:])


def edit(page: AppTest) -> Callable[[], object]:
    """Type another amount into a page's field, and let the page answer."""
    amounts = count(1)
    page.run()

    def act() -> None:
        next(field for field in page.text_input if field.label == "do amount").set_value(str(next(amounts)))
        page.run()
        assert not page.exception

    return act


def press(page: AppTest, label: str) -> AppTest:
    page.run()
    next(button for button in page.button if button.label == label).click()
    page.run()
    return page


def explorer() -> AppTest:
    return AppTest.from_file(ROOT / "app.py", default_timeout=60)


def main() -> None:
    """Measure, and print a row each: milliseconds, and how many times what it is held against."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FAILURE13_STORE"] = str(Path(folder) / "visitors.sqlite3")
        bare = median(edit(AppTest.from_function(echo)))
        read = median(lambda: [json.loads(file.read_bytes()) for file in FILES])
        rows = [
            ("an edit of a page that only echoes", bare, bare),
            ("an edit, nothing run yet", median(edit(explorer())), bare),
            ("an edit, every scenario run", median(edit(press(explorer(), "Run all scenarios"))), bare),
            ("reading the files with json", read, read),
            ("reading and checking the files", median(lambda: load_all(ROOT / "scenarios")), read),
            ("replaying the whole pack", median(lambda: [replay(scenario) for scenario in PACK]), read),
            ("the tally over the pack", median(lambda: tally(PACK, GUARDS)), read),
        ]
    for name, taken, against in rows:
        sys.stdout.write(f"{name:36} {taken:9.2f} ms {taken / against:7.1f} x\n")


if __name__ == "__main__":
    main()
