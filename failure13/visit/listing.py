"""The code that ran: an agent's own source files, with the lines that one step went through."""

import copy
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from failure13 import Case, Ledger, Step
from failure13.agents import AGENTS, Turn
from failure13.guards import GUARDS, Guard


@dataclass(frozen=True)
class Line:
    """A line of a file: its number, its text and whether it ran."""

    number: int
    text: str
    ran: bool


def listing(
    agent: str, step: Step, ledger: Ledger, case: Case, guards: Mapping[str, Guard] = GUARDS
) -> dict[str, list[Line]]:
    """The files of an agent, by name, each line marked with whether it runs when the agent handles `step`.

    The step runs once more, on a copy, under a trace of this thread alone; nothing of it stays.
    """
    row = AGENTS[agent]
    paths = [Path(str(module.__file__)) for module in row.files]
    ran: set[tuple[str, int]] = set()
    names = {str(path) for path in paths}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in names:
            return None
        if event == "line":
            ran.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        if step["do"] is not None or row.asks_again:
            row.run(Turn(copy.deepcopy(step), list(ledger), case, guards=guards))
    except Exception:  # the lines up to a crash are what there is to show
        pass
    finally:
        sys.settrace(before)
    return {
        path.name: [
            Line(number, text, (str(path), number) in ran)
            for number, text in enumerate(path.read_text("utf-8").splitlines(), start=1)
        ]
        for path in paths
    }
