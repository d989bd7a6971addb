"""One row per agent: how it runs, what it does in a sentence, and how a page shows it. Nothing else knows their names.

A fourth agent is its file, a row here, and `python -m failure13 --write-expect scenarios/*.json`, reviewed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from failure13 import Audit, Case, Ledger, Row, Step, broken, fixed, guarded, guards, payments
from failure13.guards import GUARDS, Guard


@dataclass(frozen=True)
class Turn:
    """What an agent is handed: a step, the ledger to pay into, and the rest for those that look at it.

    It writes its decisions to `audit` and what it leaves to a person to `queue`; `guards` are those switched on.
    """

    step: Step
    ledger: Ledger
    case: Case
    audit: Audit = field(default_factory=list[dict[str, Any]])
    queue: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    guards: Mapping[str, Guard] = field(default_factory=lambda: GUARDS)


@dataclass(frozen=True)
class Agent:
    """One agent.

    run: handles a turn and returns what it did; way: what it does, after its name; files: those that its listing
    shows; color and dash: of its line in a chart; gates: what a payment has to pass, by name, each in a sentence, and
    switches: whether a visitor can switch them; asks_again: whether it hears a step's second answer, and so is also run
    when nothing was called; receipt: makes what the customer reads from the ledger before, the rows paid, the case and
    what a person does about it; without one, the customer reads what was said.
    """

    run: Callable[[Turn], str]
    way: str
    files: tuple[ModuleType, ...]
    color: str
    dash: tuple[int, int]
    gates: Mapping[str, str] = field(default_factory=dict[str, str])
    switches: bool = False
    asks_again: bool = False
    receipt: Callable[[Ledger, list[Row], Case, str], str] | None = None

    def hears(self, step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """The answers of a step that it hears: the first one and, where it asks again, the second."""
        return guarded.answers_of(step) if self.asks_again else [step]


def _unsaid(*_words: object) -> None:
    """Where the broken agent says its sentence when it is run here: nowhere, for the page shows it."""


FIXED, GUARDED = "fixed", "guarded"  # whose limits a scenario may show
AGENTS: Mapping[str, Agent] = {
    "broken": Agent(
        run=lambda turn: broken.run_agent(turn.step, turn.ledger, say=_unsaid),
        way="pays whatever the call says",
        files=(broken, payments),
        color="#cf3f4f",
        dash=(1, 0),
    ),
    FIXED: Agent(
        run=lambda turn: fixed.run_agent(turn.step, turn.ledger, turn.audit),
        way="pays if the call equals the intent",
        files=(fixed, payments),
        color="#d18a17",
        dash=(6, 3),
        gates={"call = intent": "The call equals the declared intent, as Python's != compares them."},
    ),
    GUARDED: Agent(
        run=lambda turn: guarded.run_agent(turn.step, turn.ledger, turn.case, turn.audit, turn.queue, turn.guards),
        way="also asks the records",
        files=(guarded, guards, payments),
        color="#2a9d70",
        dash=(2, 2),
        gates={name: (guard.__doc__ or name).splitlines()[0] for name, guard in GUARDS.items()},
        switches=True,
        asks_again=True,
        receipt=guarded.receipt,
    ),
}
