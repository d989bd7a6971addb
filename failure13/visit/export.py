"""What the page shows, as a pytest file: these steps, this case, and what each agent did with them."""

import pprint
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from failure13 import Step
from failure13.replay import Outcome, as_json
from failure13.scenarios import Scenario

WIDTH = 110
PARTS = ("status", "verdict", "message", "ledger")
FILE = '''"""What each agent did with these steps when they were copied from the Failure 13 explorer.

Runs next to the package failure13: python -m pytest {name}
"""

import pytest

{guards_import}from failure13.replay import as_json, replay
from failure13.scenarios import Scenario

inf, nan = float("inf"), float("nan")  # as Python writes a number below that is not finite
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
        id=_code(scenario.id),
        title=_code(scenario.title),
        case=_code(scenario.case),
        steps=_code(list(steps)),
        shown=_code(shown),
        guards_import="from failure13.guards import GUARDS\n" if off else "",
        guards=f"GUARDS_OFF = {_code(off)}\nGUARDS_ON = {GUARDS_ON}\n" if off else "",
        guards_on=", guards=GUARDS_ON" if off else "",
    )


def file_name(scenario: Scenario) -> str:
    """The name of a scenario's pytest file, such as "test_wrong_pocket.py"."""
    return f"test_{re.sub(r'[^A-Za-z0-9]+', '_', scenario.id)}.py"


def _code(value: Any) -> str:
    # Only texts can hold what is not ASCII, and a text spells it with the escapes of Python.
    text = pprint.pformat(value, width=WIDTH, sort_dicts=False)
    return text.encode("ascii", "backslashreplace").decode()
