"""Where the article's fix stops: each limit in a sentence, and what answers it."""

LIMITS = {
    "consistently wrong": (
        "By a mistake of its own the model gets intent and call wrong alike: there is no difference to find.",
        "Check the call against the ticket, the order and the customer.",
    ),
    "one source": (
        "A text from outside misled the model, and it wrote both: whatever misleads the intent misleads the call.",
        "Check both against records that the model cannot write.",
    ),
    "free text": (
        "What is told in prose alone is not compared: neither a plan never declared nor a promise made besides.",
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
        "Python finds true equal to 1, so a value of the wrong type passes for the right one.",
        "Compare types before values.",
    ),
}
