"""What the page shows, as a pytest file: these steps, this case, and what each agent did with them."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from failure13 import Step
from failure13.calls import is_list, is_object
from failure13.replay import Outcome, as_json
from failure13.scenarios import Scenario

WIDTH = 120
INDENT = "    "
PARTS = ("status", "verdict", "message", "ledger")
FILE = '''"""What each agent did with these steps when they were copied from the Failure 13 explorer.

Runs next to the package failure13: python -m pytest {name}
"""

import pytest

{guards_import}from failure13.replay import as_json, replay
from failure13.scenarios import Scenario

CASE = {case}
STEPS = {steps}
SCENARIO = Scenario({id}, {title}, CASE, STEPS)
{guards}SHOWN = {shown}


@pytest.mark.parametrize(("agent", "step"), [(agent, step) for agent in SHOWN for step in range(len(STEPS))])
def test_the_agent_does_what_the_page_showed(agent, step):
    found = as_json(replay(SCENARIO{guards_on})[agent][step])
    shown = SHOWN[agent][step]
    assert {{part: repr(found[part]) for part in shown}} == {{part: repr(value) for part, value in shown.items()}}
'''
GUARDS_ON = "{name: guard for name, guard in GUARDS.items() if name not in GUARDS_OFF}"


def as_pytest(
    scenario: Scenario,
    steps: Sequence[Step],
    outcomes: Mapping[str, Sequence[Outcome]],
    guards_off: Collection[str] = (),
) -> str:
    """The text, in ASCII, of a pytest file that runs next to the package and asserts what the page shows.

    `steps` are those on screen, `outcomes` what `replay` made of them without the guards named in `guards_off`. Each
    agent's status, verdict, message and ledger is asserted for each step. The ledger is asserted as JSON data, so a row
    is a list, and a number that is not finite stands there by its name.
    """
    shown = {
        agent: [{part: as_json(outcome)[part] for part in PARTS} for outcome in of_agent]
        for agent, of_agent in outcomes.items()
    }
    off = sorted(guards_off)
    return FILE.format(
        name=file_name(scenario),
        id=literal(scenario.id),
        title=literal(scenario.title),
        case=literal(scenario.case, taken=7),
        steps=literal(list(steps), taken=8),
        shown=literal(shown, taken=8),
        guards_import="from failure13.guards import GUARDS\n" if off else "",
        guards=f"GUARDS_OFF = {literal(off)}\nGUARDS_ON = {GUARDS_ON}\n" if off else "",
        guards_on=", guards=GUARDS_ON" if off else "",
    )


def file_name(scenario: Scenario) -> str:
    """The name of a scenario's pytest file, such as "test_wrong_pocket.py"."""
    return f"test_{re.sub(r'[^A-Za-z0-9]+', '_', scenario.id)}.py"


def literal(value: Any, indent: str = "", taken: int = 0) -> str:
    """A JSON value as a Python literal in ASCII, broken into lines where one would be too long, as ruff does it.

    `taken` is how much of the first line is not the value's. Examples: nan -> 'float("nan")', "it's" -> '"it\'s"'
    """
    line, inner = _line(value), indent + INDENT
    if len(indent) + taken + len(line) <= WIDTH or not value:
        return line
    if is_object(value):
        entries = [f"{key}: {literal(one, inner, len(key) + 3)}" for key, one in _by_text(value)]
        opening, closing = "{}"
    elif is_list(value):
        entries = [literal(one, inner, 1) for one in value]
        opening, closing = "[]"
    else:
        return line
    return opening + "".join(f"\n{inner}{entry}," for entry in entries) + f"\n{indent}{closing}"


def _by_text(value: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(_text(key), inner) for key, inner in value.items()]


def _line(value: Any) -> str:
    if is_object(value):
        return "{" + ", ".join(f"{key}: {_line(inner)}" for key, inner in _by_text(value)) + "}"
    if is_list(value):
        return "[" + ", ".join(map(_line, value)) + "]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and repr(value)[-1] in "nf":
        return f'float("{value!r}")'
    return repr(value)


def _text(text: str) -> str:
    # A double quote in front makes `ascii` choose single quotes, whatever follows.
    body = re.sub(r"\\(.)", lambda escape: "'" if escape[1] == "'" else escape[0], ascii('"' + text)[2:-1])
    if '"' in body and "'" not in body:
        return f"'{body}'"
    return '"' + body.replace('"', '\\"') + '"'
