"""A copied pytest file is Python, says what the page shows, and passes."""

import ast
import math
import shutil
import subprocess
import sys
from dataclasses import replace as changed
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from failure13.compare import all_finite, same
from failure13.guards import GUARDS
from failure13.replay import as_json, replay
from failure13.scenarios import load_all
from failure13.visit.export import as_pytest, file_name
from samples import HONEST, case, is_whole, scenario, step, values, wild_numbers

ROOT = Path(__file__).parents[1]
SCENARIOS, _ = load_all(ROOT / "scenarios")
NASTY = "\"'\\ \" ' \\' \\\" \n\r\t\x00\x1b\x7f\u2028 {x} {{}} $20 %s ''' \"\"\" \ud800 \U0001f9fe #"


def nested(levels):
    return [{"a": nested(levels - 1)}] if levels > 1 else []


HOSTILE = {
    "numbers that are none": step(do={"order_id": "A100", "amount": math.nan, "cap": math.inf, "floor": -math.inf}),
    "text that spells numbers that are none": step(
        do='{"order_id": "A100", "amount": NaN}', intent='{"amount": -Infinity}'
    ),
    "whole numbers without end": step(do={"order_id": "A100", "amount": 10**4299}, intent={"amount": -(10**400)}),
    "zero below zero": step(do={"order_id": "A100", "amount": -0.0}),
    "quotes and controls": step(do={"order_id": NASTY, "amount": NASTY, NASTY: NASTY}, said=NASTY),
    "constants": step(do={"order_id": True, "amount": None, "cap": [False, {}, [], ""]}, intent=None, owed=None),
    "a call that is no object": step(do="7"),
    "a call cut off": step(do='{"order_id": "A1', intent=""),
    "levels without end": step(do='{"order_id": "A100", "amount": 20.0, "x": ' + "[" * 300 + "]" * 300 + "}"),
    "the ledger's own name": step(do={"ledger": 1, "order_id": "A100", "amount": 20.0}),
    "nothing called": step(do=None),
    "nothing called, then called": step(do=None, retry={"intent": HONEST, "do": HONEST}),
    "levels as objects": step(do={"order_id": "A100", "amount": 20.0, "x": nested(60)}),
    "a text without a blank": step(do=HONEST, said="\u00e9\U0001f9fe" * 300 + "\\" * 300),
    "a long text": step(do={"order_id": "A100", "amount": 20.0, "reason": "x" * 5000}),
}


def copied(folder, each, steps, guards_off=()):
    guards = {name: guard for name, guard in GUARDS.items() if name not in guards_off}
    text = as_pytest(each, steps, replay(each, steps, guards), guards_off)
    path = folder / file_name(each)
    path.write_text(text, encoding="ascii")
    return path, text


def run(folder):
    """What pytest says of the files of a folder that the package lies in."""
    shutil.copytree(ROOT / "failure13", folder / "failure13", ignore=shutil.ignore_patterns("__pycache__"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-W",
        "error",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
        ".",
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_copy_of_every_scenario_edited_and_hostile_or_not_passes_next_to_the_package(tmp_path):
    tests = 0
    for each in SCENARIOS:
        copied(tmp_path, each, each.steps)
        tests += 3 * len(each.steps)
    for number, (name, hostile) in enumerate(HOSTILE.items()):
        copied(tmp_path, changed(scenario(), id=f"hostile-{number}", title=name + NASTY), [step(do=HONEST), hostile])
        tests += 3 * 2
    copied(tmp_path, changed(scenario(), id="unguarded"), [step(do={"order_id": "A101", "amount": 200.0})], set(GUARDS))
    tests += 3
    result = run(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{tests} passed" in result.stdout


def test_a_copy_fails_when_an_agent_no_longer_does_what_the_page_showed(tmp_path):
    path, text = copied(tmp_path, scenario(), [step(do={"order_id": "A100", "amount": 200})])
    assert text.count("'ledger': [['A100', 200]]") == 1
    path.write_text(text.replace("'ledger': [['A100', 200]]", "'ledger': [['A100', 200.0]]"))
    result = run(tmp_path)
    assert result.returncode == 1
    assert "1 failed, 2 passed" in result.stdout


def held_in(text):
    """What the names at the top of a copy stand for, where that is data."""
    names = {"inf": math.inf, "nan": math.nan}
    return {
        target.id: eval(compile(ast.Expression(node.value), "copy", "eval"), {"__builtins__": {}}, names)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict | ast.List)
        for target in node.targets
    }


def test_a_copy_holds_the_case_and_the_steps_as_they_are_on_screen(tmp_path):
    steps = [step(do={"order_id": "A101", "amount": "20.00"}), step(do='{"a": 1'), step(do=None)]
    held = held_in(copied(tmp_path, scenario(), steps)[1])
    assert held["STEPS"] == steps
    assert held["CASE"] == case()
    assert list(held["SHOWN"]) == ["broken", "fixed", "guarded"]
    assert [shown["verdict"] for shown in held["SHOWN"]["fixed"]] == ["rightly stopped", "crashed", "nothing done"]


@given(values | wild_numbers | st.text().filter(is_whole), st.text(), st.text())
def test_any_value_and_any_text_come_through_the_code_exactly(value, text, key):
    steps = [step(do={"order_id": "A100", "amount": value, key: [value, text]}, said=text, intent=text)]
    of = case(None)
    of["orders"][key] = {"customer_id": text, "paid": "1", "refundable": "1", "currency": "USD"}
    of["ticket"]["text"] = text
    one = changed(scenario(of=of), title=text, id="any")
    outcomes = replay(one, steps)
    code = as_pytest(one, steps, outcomes)
    assert code.isascii()
    held = held_in(code)
    assert same_or_no_number(held["STEPS"], steps)
    assert same(held["CASE"], of)
    for agent, (outcome,) in outcomes.items():
        assert same(held["SHOWN"][agent][0]["message"], outcome.message)
        assert same(held["SHOWN"][agent][0]["ledger"], as_json(outcome)["ledger"])


def same_or_no_number(left, right):
    """Whether two values are one; where a number is none, whether they are written alike, for nan is not even nan."""
    return same(left, right) or (not all_finite(right) and repr(left) == repr(right))


def test_a_copy_is_ascii_and_free_of_lint(tmp_path):
    for each in SCENARIOS:
        copied(tmp_path, each, each.steps, ["agreed amount"] if each is SCENARIOS[0] else ())
    for number, hostile in enumerate(HOSTILE.values()):
        copied(tmp_path, changed(scenario(), id=f"hostile-{number}", title=NASTY), [hostile])
    result = subprocess.run(
        [
            *(sys.executable, "-m", "ruff", "check", "--ignore", "D103,E501,INP001"),
            *("--config", ROOT / "pyproject.toml", "--no-cache", tmp_path),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_id_of_a_scenario_leads_out_of_the_folder():
    assert file_name(changed(scenario(), id="../../é x;rm")) == "test__x_rm.py"
    assert file_name(changed(scenario(), id="wrong-pocket")) == "test_wrong_pocket.py"
