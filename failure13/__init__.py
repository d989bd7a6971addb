"""Failure 13, reasoning-action mismatch: an agent's explanation is not its action.

The words of the project, each with a sample value; the code uses these and no others.

said     the prose a customer and the log read   "Order A100 was double-charged. Refunding $20.00 on A100."
intent   what the agent declared, as data        {"order_id": "A100", "amount": 20.0}
do       the arguments of the tool call          {"order_id": "A101", "amount": 200.0}
step     one dict of the three                   {"said": "...", "intent": {...}, "do": {...}}
ledger   the payments made                       [("A101", 200.0)]
audit    records of decisions                    [{"status": "executed", "problems": []}]
agent    one way to handle a step                broken.run_agent(step, ledger)
guard    one check in front of the payment       objects in a sentence, or is content
case     the records a model cannot write        {"ticket": {...}, "orders": {"A100": {...}}}
owed     the right payment, or nothing           {"order_id": "A100", "amount": 20.0}, or None
outcome  what one agent did with one step        replay.Outcome
verdict  an outcome against what was owed        "wrong money"
trail    every run of a session, oldest first    [runs.Run, ...]

`intent` and `do` may also be the JSON text a model sent, and null: nothing was declared, nothing was called. `owed`
scores an outcome; no agent ever sees it.
"""

from typing import Any, NotRequired, TypedDict

Call = dict[str, Any]
Row = tuple[Any, ...]
Ledger = list[Row]
Audit = list[dict[str, Any]]


class Answer(TypedDict):
    """What a model hands over: prose, a declared intent, a call."""

    said: NotRequired[str]
    intent: Call | str | None
    do: Call | str | None


class Step(TypedDict):
    """One answer to one ticket, with the model's second answer (`retry`) where the script has one."""

    said: str
    intent: Call | str | None
    do: Call | str | None
    retry: NotRequired[Answer]
    owed: Call | None


class Ticket(TypedDict):
    """What the customer asked for; amounts are text, as in `"20.00"`."""

    id: str
    order_id: str
    customer_id: str
    text: str
    agreed_amount: NotRequired[str]


class Order(TypedDict):
    """One order of the book; `refundable` is what may still be given back."""

    customer_id: str
    paid: str
    refundable: str
    currency: str


class Case(TypedDict):
    """The records: the ticket, the orders by id, and the further arguments of a call that move no money."""

    ticket: Ticket
    orders: dict[str, Order]
    harmless: NotRequired[list[str]]
