"""The article's two files, run and read as a reader of the article would."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BROKEN = """\
agent says: Order A100 was double-charged. Refunding $20.00 on A100.
refunded $200.00 on A101

ledger: [('A101', 200.0)]
"""
FIXED = """\
run 1: declared intent differs from the call
  BLOCKED: amount: said 20.0, did 200.0; order_id: said 'A100', did 'A101'
  ledger: []

run 2: intent and call agree
  refunded $20.00 on A100
  ledger: [('A100', 20.0)]
"""


def python(*arguments):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize(("module", "printed"), [("broken", BROKEN), ("fixed", FIXED)])
def test_a_listing_prints_what_the_article_prints(module, printed):
    done = python("-m", f"failure13.{module}")
    assert (done.stdout, done.stderr, done.returncode) == (printed, "", 0)


@pytest.mark.parametrize(("module", "most"), [("broken", 30), ("fixed", 45)])
def test_a_listing_stays_as_short_as_the_articles(module, most):
    assert len((ROOT / f"failure13/{module}.py").read_text("utf-8").splitlines()) <= most


def test_the_bug_is_marked_once_on_the_line_that_is_the_bug():
    marked = [
        (path.name, line.strip())
        for path in [*ROOT.glob("*.py"), *ROOT.glob("failure13/**/*.py")]
        for line in path.read_text("utf-8").splitlines()
        if line.endswith("# THE BUG")
    ]
    assert marked == [("broken.py", "return refund(ledger, **call)  # THE BUG")]


def test_the_listings_need_nothing_but_the_tool_and_the_standard_library():
    done = python(
        *("-I", "-S", "-c"),
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import failure13.broken, failure13.fixed; print(*sys.modules)",
    )
    loaded = set(done.stdout.split())
    assert done.stderr == ""
    assert {name for name in loaded if name.startswith("failure13")} == {
        "failure13",
        "failure13.broken",
        "failure13.fixed",
        "failure13.payments",
    }
    assert {name.partition(".")[0] for name in loaded} <= {*sys.stdlib_module_names, "__main__", "failure13"}


def test_the_lesson_and_the_visit_without_its_trail_start_on_the_standard_library_alone():
    files = [*ROOT.glob("failure13/*.py"), *ROOT.glob("failure13/visit/*.py")]
    stems = [path.relative_to(ROOT).with_suffix("").parts for path in files if path.stem not in ("trail", "__init__")]
    modules = [".".join(parts) for parts in stems]
    done = python("-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {', '.join(modules)}")
    assert (done.stderr, done.returncode) == ("", 0)
    assert {"failure13.replay", "failure13.visit.visitor"} <= set(modules)
