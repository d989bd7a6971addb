"""How a visitor's text becomes what a page can show, and the small parts that the bench is made of."""

from failure13.characters import visible
from failure13.visit.picture import Action

MOST_SHOWN = 4000  # characters of one text; a browser takes seconds to lay out one long word of more


def shown(text: str) -> str:
    """`text` with what cannot be seen spelled out, cut with its length where a browser could not lay it out."""
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} ... ({len(text)} characters in all)"
    return visible(cut)


def action(verb: str, label: str, *about: str, title: str = "", enabled: bool = True) -> Action:
    """A button that does `verb` about something."""
    return {"verb": verb, "about": list(about), "label": label, "title": title, "enabled": enabled}
