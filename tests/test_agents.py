"""One row makes an agent: a fourth one runs with the pack, in Explore and in Learn, and nothing else has to change."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from failure13.agents import AGENTS, Turn
from samples import ELSEWHERE, HONEST, case, step

ROOT = Path(__file__).parents[1]
FOURTH = '''"""The cautious agent never pays: whatever was called, a person is to look at it."""


def run_agent(step, ledger, audit, queue):
    """Leave the call to a person."""
    audit.append({"status": "left to a person", "problems": ["a person pays"]})
    queue.append({"call": step["do"], "problems": ["a person pays"]})
    return "left to a person"
'''
ROW = """
    "cautious": Agent(
        run=lambda turn: cautious.run_agent(turn.step, turn.ledger, turn.audit, turn.queue),
        way="never pays",
        files=(cautious,),
        color="#8a63c9",
        dash=(1, 3),
    ),
}
"""
EXPLORE = """
from streamlit.testing.v1 import AppTest

import json

from failure13.visit import screen

page = AppTest.from_file("app.py", default_timeout=60).run()
words = lambda: " ".join(str(each.proto.body) for each in page.get("html"))


def bench():
    return json.loads(json.loads(page.get("bidi_component")[0].proto.json))


def press(verb, *about):  # the test runner cannot send what a component sends
    seen, pack = page.session_state["screen"], page.session_state["pack"].scenarios
    event = {"n": seen.heard + 1, "kind": "press", "verb": verb, "about": about and list(about) or []}
    event |= {name: bench()[name] for name in ("scenario", "step")}
    screen.take(seen, page.session_state["visitor"], pack, {"session": seen.session, "events": [event]})
    page.run()


lane = bench()["lanes"][-1]
assert (lane["name"], lane["way"]) == ("Cautious", "no gate: never pays"), lane
assert "left to a person" in " ".join(lane["printed"]), lane
press("run all")
press("queue")
waits = bench()["queue"]["waits"]
assert [each["actions"][0]["about"] for each in waits[:2]] == [["1-guarded"], ["1-cautious"]], waits
press("approve", "1-guarded")
press("decline", "1-cautious")
assert "approved by a person" in str(bench()["queue"]["notes"]), bench()["queue"]["notes"]
page.session_state["code"] = True
page.run()
page.radio(key="code-agent").set_value("cautious").run()
assert "failure13/cautious.py" in words()
assert not page.exception, page.exception
"""
LEARN = """
from streamlit.testing.v1 import AppTest

page = AppTest.from_string(
    "from pathlib import Path; from failure13.page import learn, session; session.begin(Path('.')); learn.learn()",
    default_timeout=60,
).run()
for _ in range(2):
    page.button(key="lesson-forward").click().run()
for choice in (3, 1, 1, 1):
    page.button(key=f"lesson-choice-{choice}").click().run()
seen = ""
for _ in range(7):
    page.button(key="lesson-forward").click().run()
    assert not page.exception, page.exception
    seen += " ".join(str(each.proto.body) for each in page.get("html"))
assert "Cautious never pays" in seen
assert "All of them went as you predicted." in seen
page.session_state["lesson-menu"] = True
page.run()
assert not page.exception, page.exception
assert [each for each in page.button if each.label.endswith("(done)")]
"""


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """A copy of the project with a fourth agent: its file and its row."""
    copy = tmp_path_factory.mktemp("four") / "project"
    copy.mkdir()
    for name in ("failure13", "scenarios", ".streamlit"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", copy)
    (copy / "failure13/cautious.py").write_text(FOURTH)
    agents = copy / "failure13/agents.py"
    text = agents.read_text("utf-8").replace("broken, fixed, guarded,", "broken, cautious, fixed, guarded,", 1)
    assert text.endswith("\n}\n")
    agents.write_text(text.removesuffix("\n}\n") + ROW, "utf-8")
    return copy


def python(folder, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "FAILURE13_STORE": str(folder / "store/visitors.sqlite3")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_fourth_agent_is_its_file_its_row_and_what_the_pack_expects_of_it(four):
    files = [str(path.relative_to(four)) for path in sorted((four / "scenarios").glob("*.json"))]
    written = python(four, "-m", "failure13", "--write-expect", *files)
    assert (written.returncode, written.stderr) == (0, "")
    run = python(four, "-m", "failure13", *files)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("cautious: escalated") + run.stdout.count("cautious: no call") > len(files)
    first = json.loads((four / files[0]).read_text("utf-8"))
    assert first["expect"].pop("cautious") == {"ledger": [], "verdicts": ["rightly stopped"]}
    assert first["expect"] == json.loads((ROOT / files[0]).read_text("utf-8"))["expect"]


@pytest.mark.parametrize("script", [EXPLORE, LEARN], ids=["Explore", "Learn"])
def test_a_fourth_agent_is_on_the_page(four, script):
    shown = python(four, "-c", script)
    assert shown.returncode == 0, shown.stdout + shown.stderr


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_runs_by_the_one_signature(name):
    honest = Turn(step(HONEST), [], case())
    assert AGENTS[name].run(honest) == "refunded $20.00 on A100"
    assert honest.ledger == [("A100", 20.0)]
    slip = Turn(step(ELSEWHERE), [], case())
    AGENTS[name].run(slip)
    assert slip.ledger == ([("A101", 200.0)] if name == "broken" else [])


def test_no_other_module_names_an_agent():
    named = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "failure13").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in AGENTS
    }
    assert named == {"failure13/agents.py", "failure13/kept/forms.py"}, 'the second has "fixed" as an old key\'s name'
