"""The bug: the sentence goes to the customer, the call goes to payments, and nothing compares the two."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from failure13.payments import refund


def run_agent(step: Mapping[str, Any], ledger: list[Any], say: Callable[..., object] = print) -> str:
    """Say what the step says, then make its call: refunds $200.00 on A101 while saying $20.00 on A100."""
    say("agent says:", step["said"])
    call = json.loads(step["do"]) if isinstance(step["do"], str) else step["do"]
    return refund(ledger, **call)  # THE BUG


if __name__ == "__main__":
    ledger: list[Any] = []
    step = {
        "said": "Order A100 was double-charged. Refunding $20.00 on A100.",
        "intent": {"order_id": "A100", "amount": 20.0},
        "do": {"order_id": "A101", "amount": 200.0},
    }
    print(run_agent(step, ledger))
    print("\nledger:", ledger)
