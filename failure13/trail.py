"""The trail: runs, oldest first, become a table, its summaries and its exports."""

import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd

from failure13 import AGENTS, verdicts
from failure13.calls import NUMBER
from failure13.characters import visible
from failure13.grid import differences
from failure13.runs import Run, records


def wrong_money(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Money paid other than as owed, added up run by run: {"run": 1, "agent": "broken", "amount": 200.0} per agent.

    Amounts count as they are, whichever way they went; one that cannot be added up (NaN, a text) counts as nothing.
    """
    totals: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
    points: list[dict[str, Any]] = []
    for number, done in enumerate(runs, start=1):
        for agent, outcome in done.outcomes.items():
            if outcome.verdict == verdicts.WRONG_MONEY:
                paid = sum(_addable(row[1]) for row in outcome.paid)
                totals[agent] = min(totals[agent] + paid, sys.float_info.max)
            points.append({"run": number, "agent": agent, "amount": round(totals[agent], 2)})
    return points


def verdict_counts(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """How often each agent earned each verdict: {"agent": "broken", "verdict": "wrong money", "runs": 3}."""
    counts = Counter((agent, outcome.verdict) for done in runs for agent, outcome in done.outcomes.items())
    return [
        {"agent": agent, "verdict": verdict, "runs": counts[agent, verdict]}
        for agent in AGENTS
        for verdict in verdicts.VERDICTS
        if counts[agent, verdict]
    ]


def differing_fields(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """In how many runs each field differed between intent and do, most often first: {"field": "amount", "runs": 2}.

    A name's characters that cannot be seen are spelled out: a chart can hold no half of a surrogate pair.
    """
    counts = Counter(visible(name) for done in runs if not done.decision for name, _, _ in differences(done.step))
    return [{"field": name, "runs": count} for name, count in counts.most_common()]


def table(runs: Sequence[Run]) -> pd.DataFrame:
    """The trail as a table of text, newest run first, a row per run and a verdict per agent."""
    columns = ["run", "scenario", "step", "note", *AGENTS]
    rows = [
        [
            str(number),
            done.scenario.title,
            f"{done.index + 1} of {len(done.scenario.steps)}",
            ", ".join(filter(None, ("edited" if done.edited else "", done.decision))),
            *(done.outcomes[agent].verdict if agent in done.outcomes else "" for agent in AGENTS),
        ]
        for number, done in enumerate(runs, start=1)
    ]
    return pd.DataFrame(rows[::-1], columns=columns, dtype="str")


def to_json_lines(runs: Sequence[Run]) -> str:
    """The records as JSON, one a line; a number that JSON cannot write is its name as text."""
    return "".join(json.dumps(record) + "\n" for record in records(runs))


def to_csv(runs: Sequence[Run]) -> str:
    """The records as CSV, where what a spreadsheet would take for a formula, plain numbers aside, is led by a "'"."""
    frame = pd.DataFrame(
        [{name: _cell(value) for name, value in record.items()} for record in records(runs)], dtype="str"
    )
    return frame.to_csv(index=False, lineterminator="\r\n")  # so that a lone "\r" in a text is quoted as well


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    risky = text.startswith(("=", "+", "-", "@", "\t", "\r")) and not NUMBER.fullmatch(text)
    return "'" + text if risky else text


def _addable(amount: Any) -> float:
    try:
        number = abs(float(amount))
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return number if math.isfinite(number) else 0.0
