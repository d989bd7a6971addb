"""The trail: runs, oldest first, become a table, its summaries and its exports."""

import json
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from failure13 import verdicts
from failure13.agents import AGENTS
from failure13.calls import NUMBER
from failure13.characters import visible
from failure13.replay import Outcome
from failure13.visit.grid import differences
from failure13.visit.runs import Run, as_rows


def wrong_money(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Wrong money added up run by run, per agent and currency, by the part of each payment that was wrong.

    Example: {"run": 1, "agent": "broken", "currency": "USD", "amount": 200.0}. A currency is there for every run where
    any of the runs has wrong money in it, and dollars where none has any.
    """
    parts = [{agent: _wrong_part(run, outcome) for agent, outcome in run.outcomes.items()} for run in runs]
    met = {currency for by_agent in parts for part in by_agent.values() for currency in part}
    totals = {(agent, currency): Decimal(0) for agent in AGENTS for currency in sorted(met) or ["USD"]}
    points: list[dict[str, Any]] = []
    for run, by_agent in zip(runs, parts, strict=True):
        for agent, currency in totals:
            if agent in by_agent:
                totals[agent, currency] += by_agent[agent].get(currency, 0)
                amount = float(totals[agent, currency])
                points.append({"run": run.number, "agent": agent, "currency": currency, "amount": amount})
    return points


def _wrong_part(run: Run, outcome: Outcome) -> verdicts.Money:
    if outcome.verdict != verdicts.WRONG_MONEY:
        return {}
    part = verdicts.wrong_part(outcome.paid, run.step["owed"], run.scenario.case)
    return {currency: amount for currency, amount in part.items() if amount}


def verdict_counts(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """How often each agent earned each verdict: {"agent": "broken", "verdict": "wrong money", "runs": 3}."""
    counts = Counter((agent, outcome.verdict) for run in runs for agent, outcome in run.outcomes.items())
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
    counts = Counter(visible(name) for run in runs if not run.decision for name, _, _ in differences(run.step))
    return [{"field": name, "runs": count} for name, count in counts.most_common()]


def table(runs: Sequence[Run]) -> pd.DataFrame:
    """The trail as a table of text, newest run first, a row per run and a verdict per agent."""
    columns = ["run", "scenario", "step", "note", *AGENTS]
    rows = [
        [
            str(run.number),
            run.scenario.title,
            f"{run.index + 1} of {len(run.scenario.steps)}",
            ", ".join(filter(None, ("edited" if run.edited else "", run.decision))),
            *(run.outcomes[agent].verdict if agent in run.outcomes else "" for agent in AGENTS),
        ]
        for run in runs
    ]
    return pd.DataFrame(rows[::-1], columns=columns, dtype="str")


def to_json_lines(runs: Sequence[Run]) -> str:
    """The runs as JSON, a row a line; a number that JSON cannot write is its name as text."""
    return "".join(json.dumps(row) + "\n" for row in as_rows(runs))


def to_csv(runs: Sequence[Run]) -> str:
    """The runs as CSV, where what a spreadsheet would take for a formula, plain numbers aside, is led by a "'"."""
    frame = pd.DataFrame([{name: _cell(value) for name, value in row.items()} for row in as_rows(runs)], dtype="str")
    return frame.to_csv(index=False, lineterminator="\r\n")  # so that a lone "\r" in a text is quoted as well


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    risky = text.startswith(("=", "+", "-", "@", "\t", "\r")) and not NUMBER.fullmatch(text)
    return "'" + text if risky else text
