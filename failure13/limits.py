"""Where the agents stop: each limit in a sentence, whose it is, and what answers it; and what none of this measures."""

from collections.abc import Mapping
from typing import NamedTuple

from failure13.agents import FIXED, GUARDED

MAST = (
    "This is reasoning-action mismatch, failure mode FM-2.6 of MAST, a taxonomy of why multi-agent systems fail (Cemri "
    "et al. 2025, arXiv 2503.13657). In its 1,642 annotated traces of seven frameworks it makes 13.2 % of the failures "
    "recorded, the largest share of the inter-agent-misalignment group. The explorer is a demonstration in code, and "
    "every step in it is scripted: it shows what happens once words and call differ; it does not measure how often a "
    "real model lets them."
)


class Limit(NamedTuple):
    """Where an agent stops: its name, what slips through or what it costs, and what answers that."""

    agent: str
    slips: str
    answer: str

    @property
    def heading(self) -> str:
        """The heading over this limit on a card."""
        return "The fix does not help here" if self.agent == FIXED else "The guards do not help here"


LIMITS: Mapping[str, Limit] = {
    "consistently wrong": Limit(
        FIXED,
        "By a mistake of its own the model gets intent and call wrong alike: there is no difference to find.",
        "Check the call against the ticket, the order and the customer.",
    ),
    "one source": Limit(
        FIXED,
        "A text from outside misled the model, and it wrote both: whatever misleads the intent misleads the call.",
        "Check both against records that the model cannot write.",
    ),
    "free text": Limit(
        FIXED,
        "What is told in prose alone is not compared: neither a plan never declared nor a promise made besides.",
        "Never grade prose; let the customer read a receipt made from the ledger.",
    ),
    "equality too strict": Limit(
        FIXED,
        "Equal money that is written differently, or words that move no money, count as a difference: honest work is "
        "blocked.",
        "Compare typed money, exactly, at the currency's smallest unit, and leave out what moves no money.",
    ),
    "a block goes nowhere": Limit(
        FIXED,
        "The message is returned and forgotten; the customer's money is still owed and nobody knows.",
        "Ask the model once more, then put the case in a person's queue.",
    ),
    "said, never done": Limit(
        FIXED,
        "The sentence reports a refund and nothing was called: there is no call to compare, and nobody notices.",
        "Read the receipt from the ledger, and tell a person.",
    ),
    "null is not absent": Limit(
        FIXED,
        "Reading a field with get answers None both when it is null and when it is not there.",
        "Compare presence before values.",
    ),
    "True == 1": Limit(
        FIXED,
        "Python finds true equal to 1, so a value of the wrong type passes for the right one.",
        "Compare types before values.",
    ),
    "no record speaks of it": Limit(
        GUARDED,
        "Plan and call agree on a further argument, and no record says whether it is owed.",
        "A tool without that argument, or a record that speaks of it.",
    ),
    "nobody agreed": Limit(
        GUARDED,
        "The ticket records no agreed amount, so any amount that is still refundable passes.",
        "Record what the customer agreed to before the agent may pay.",
    ),
    "the record is wrong": Limit(
        GUARDED,
        "A guard believes the records, and a wrong record makes a wrong payment look right.",
        "No guard: somebody has to check the records themselves.",
    ),
    "an honest correction of the plan": Limit(
        GUARDED,
        "The second answer mends a wrong plan; to a guard that looks like rewriting a right one.",
        "A person, who sees both answers and can approve the call.",
    ),
    "an agreed sum paid in two parts": Limit(
        GUARDED,
        "The customer agreed to the whole, and each part alone is another amount than that.",
        "Agree to the parts, or leave both to a person.",
    ),
    "a harmless repetition of a key": Limit(
        GUARDED,
        "A key stands twice with the same value; strict reading refuses what every reader reads alike.",
        "A person; a reader that lets some repetitions pass would have to say which.",
    ),
}
