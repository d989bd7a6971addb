"""The fix: broken.py never looks at the intent; this agent compares it with the call, and blocks on any difference."""

import json
from collections.abc import Mapping
from typing import Any

from failure13.payments import refund


def diff_intent(intent: Mapping[str, Any], call: Mapping[str, Any]) -> list[str]:
    """One string per field that differs: ({"amount": 20.0}, {"amount": 200.0}) -> ["amount: said 20.0, did 200.0"]."""
    return [
        f"{field}: said {intent.get(field)!r}, did {call.get(field)!r}"
        for field in sorted({*intent, *call})
        if intent.get(field) != call.get(field)
    ]


def run_agent(step: Mapping[str, Any], ledger: list[Any], audit: list[dict[str, Any]] | None = None) -> str:
    """Pay when intent and call agree, else block; either way write the decision to `audit`."""
    audit = [] if audit is None else audit
    intent, call = (json.loads(step[side]) if isinstance(step[side], str) else step[side] for side in ("intent", "do"))
    problems = diff_intent(intent, call)
    if problems:
        audit.append({"status": "BLOCKED mismatch", "problems": problems})
        return "BLOCKED: " + "; ".join(problems)
    audit.append({"status": "executed", "problems": []})
    return refund(ledger, **call)


if __name__ == "__main__":
    declared = {"order_id": "A100", "amount": 20.0}
    for title, call in (
        ("run 1: declared intent differs from the call", {"order_id": "A101", "amount": 200.0}),
        ("\nrun 2: intent and call agree", declared),
    ):
        ledger: list[Any] = []
        print(title)
        print(" ", run_agent({"intent": declared, "do": call}, ledger))
        print("  ledger:", ledger)
