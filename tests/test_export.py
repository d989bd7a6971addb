"""A copied pytest file is Python, says what the page shows, and passes."""

import ast
import json
import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace as changed
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from failure13.compare import same
from failure13.export import as_pytest, file_name, literal
from failure13.guards import GUARDS
from failure13.replay import replay
from failure13.scenarios import load_all
from samples import HONEST, case, scalars, scenario, step, values, wild_numbers

ROOT = Path(__file__).parents[1]
SCENARIOS, _ = load_all(ROOT / "scenarios")
NASTY = "\"'\\ \" ' \\' \\\" \n\r\t\x00\x1b\x7f\u2028 {x} {{}} $20 %s ''' \"\"\" \ud800 \U0001f9fe #"
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
    assert text.count('"ledger": [["A100", 200]]') == 1
    path.write_text(text.replace('"ledger": [["A100", 200]]', '"ledger": [["A100", 200.0]]'))
    result = run(tmp_path)
    assert result.returncode == 1
    assert "1 failed, 2 passed" in result.stdout


def test_a_copy_holds_the_case_and_the_steps_as_they_are_on_screen(tmp_path):
    steps = [step(do={"order_id": "A101", "amount": "20.00"}), step(do='{"a": 1')]
    _, text = copied(tmp_path, scenario(), steps)
    held = {
        target.id: ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if is_literal(node)
        for target in node.targets
    }
    assert held["STEPS"] == steps
    assert held["CASE"] == case()
    assert list(held["SHOWN"]) == ["broken", "fixed", "guarded"]


def is_literal(node):
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict | ast.List)


def test_a_copy_is_formatted_and_free_of_lint(tmp_path):
    for each in SCENARIOS:
        copied(tmp_path, each, each.steps, ["agreed amount"] if each is SCENARIOS[0] else ())
    for command in (["check", "--ignore", "D103,E501,INP001"], ["format", "--diff"]):
        result = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--config", ROOT / "pyproject.toml", "--no-cache", tmp_path],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr


def test_no_id_of_a_scenario_leads_out_of_the_folder():
    assert file_name(changed(scenario(), id="../../é x;rm")) == "test__x_rm.py"
    assert file_name(changed(scenario(), id="wrong-pocket")) == "test_wrong_pocket.py"


@given(st.one_of(values, st.text(), st.lists(scalars, min_size=9), st.dictionaries(st.text(), st.text(), min_size=4)))
def test_a_literal_is_the_value_in_ascii(value):
    text = literal(value)
    assert text.isascii()
    assert text.isprintable() or set(re.findall(r"[^ -~]", text)) == {"\n"}
    assert same(ast.literal_eval(text), value)


@given(wild_numbers)
def test_a_number_that_is_none_is_a_literal_too(value):
    assert repr(eval(literal([value]))) == repr([value])


def test_texts_are_quoted_as_a_formatter_would():
    assert literal("it's") == '"it\'s"'
    assert literal('say "no"') == "'say \"no\"'"
    assert literal('it\'s "no"') == '"it\'s \\"no\\""'
    assert literal(json.dumps({"a": 1})) == "'{\"a\": 1}'"
