"""Where the article's fix stops: each limit in a sentence, and what answers it."""

LIMITS = {
    "consistently wrong": (
        "Intent and call agree with each other and are both wrong, so there is no difference to find.",
        "Check the call against the ticket, the order and the customer.",
    ),
    "one source": (
        "Intent and call come from the same model, so whatever misleads one misleads both.",
        "Check both against records that the model cannot write.",
    ),
    "free text": (
        "The customer reads prose, and no comparison of intent and call says anything about prose.",
        "Never grade prose; let the customer read a receipt made from the ledger.",
    ),
    "equality too strict": (
        "Equal money that is written differently counts as a difference, and honest work is blocked.",
        "Compare typed money, exactly, at the currency's smallest unit.",
    ),
    "a block goes nowhere": (
        "The message is returned and forgotten; the customer's money is still owed and nobody knows.",
        "Ask the model once more, then put the case in a person's queue.",
    ),
    "null is not absent": (
        "Reading a field with get answers None both when it is null and when it is not there.",
        "Compare presence before values.",
    ),
    "True == 1": (
        "Python finds true equal to 1, so the wrong type passes for the right amount.",
        "Compare types before values.",
    ),
}
