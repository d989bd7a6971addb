"""Explore as one picture: a visit becomes the data that the bench shows. Nothing is decided after this."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from failure13 import Call
from failure13.agents import AGENTS
from failure13.calls import is_object
from failure13.characters import deceits, notes, shortened, visible
from failure13.compare import ABSENT, CANNOT_COMPARE, MATCHES, compare
from failure13.limits import LIMITS, MAST
from failure13.money import currency_on_file
from failure13.scenarios import BrokenFile, most_characters
from failure13.visit import cells, export, grid, lanes, person, records, share, tables
from failure13.visit.picture import (
    Action,
    Answer,
    Download,
    Field,
    Lane,
    Option,
    Order,
    Pair,
    Panel,
    Picture,
    Queue,
    Records,
    Said,
    Waits,
)
from failure13.visit.runs import Waiting
from failure13.visit.screen import ANSWERS, ORDERS, PICKER, TOOLS, Screen
from failure13.visit.shown import action, shown
from failure13.visit.visit import Visit

Tally = Mapping[str, Mapping[str, int]]
Qr = Callable[[str], tuple[str, int]]
NOBODY = "nobody compares these"
MOST_WAITS = 20  # on one page of the queue
EDITED, FROM_A_LINK, OWN = "edited", "from a link", "your own"


def picture(visit: Visit, screen: Screen, tally: Tally, address: Callable[[], str], qr: Qr) -> Picture:
    """All that the bench shows of a visit.

    `screen` is what this browser has open and how far it was heard; `tally` counts each agent's verdicts over the pack;
    a link that is shared begins with `address`, and `qr` makes of it the path of a QR code and its size in modules.
    """
    work, scenario = visit.work, visit.scenario
    said = visit.step["said"]
    return {
        "session": screen.session,
        "heard": screen.heard,
        "most": most_characters("json_string") + 1,
        "key": f"{scenario.id}/{work.step}/{work.now.revision}/{screen.era}",
        "scenario": scenario.id,
        "step": work.step,
        "title": visible(f"{visit.at + 1}. {scenario.title}"),
        "hook": shown(scenario.hook),
        "marks": _marks(visit),
        "pages": [action("page", label, name) for name, label in PAGES.items()],
        "pick": [
            action("pick", "‹", _id_at(visit, -1), title="Previous scenario", enabled=visit.at > 0),
            action("pick", "›", _id_at(visit, 1), title="Next scenario", enabled=visit.at + 1 < len(visit.scenarios)),
        ],
        "tools": _tools(visit, screen),
        "steps": [
            action("step", f"Step {n + 1}", str(n), title=_pressed(n == work.step)) for n in range(len(work.steps))
        ]
        if len(work.steps) > 1
        else [],
        "panel": [_panel(visit, screen.tool, address, qr)] if screen.tool else [],
        "records": _records(visit, screen),
        "said": _field(screen, ["said"], "Said", said, "; ".join(shown(note) for note in notes(said))),
        "nobody": NOBODY,
        "answers": [_answer(visit, screen, number) for number in range(2 if _has_second(visit) else 1)],
        "tries": [action("try", one["label"], str(number)) for number, one in enumerate(scenario.tries)],
        "second": [
            action("second remove", "− Second answer", title="Remove the second answer")
            if _has_second(visit)
            else action("second add", "+ Second answer", title="What the model answers when guarded asks again")
        ],
        "changed": shown("; ".join(map(_in_words, visit.changes()))),
        "lanes": [_lane(visit, agent, tally) for agent in AGENTS],
        "queue": _queue(visit, screen),
        "runs": [
            action("run", "Run this step", title="Puts what is on screen into the trail: Ctrl+Enter"),
            action("run all", "Run all scenarios", title="Every step of every scenario, edited as it is"),
        ],
    }


PAGES = {"learn": "Learn", "": "Explore", "write": "Write"}


def _pressed(is_so: bool) -> str:
    return "on screen" if is_so else ""


def _has_second(visit: Visit) -> bool:
    return visit.step.get("retry") is not None


def _marks(visit: Visit) -> list[str]:
    marks = {EDITED: visit.is_edited, FROM_A_LINK: visit.work.shared is not None, OWN: visit.is_own}
    return [mark for mark, is_so in marks.items() if is_so]


def _id_at(visit: Visit, by: int) -> str:
    at = visit.at + by
    return visit.scenarios[at].id if 0 <= at < len(visit.scenarios) else visit.scenario.id


def _field(screen: Screen, place: list[str], name: str, text: str, note: str = "") -> Field:
    return {"place": place, "name": name, "text": text, "note": screen.refused.get(tuple(place)) or note}


# The tools: a row of buttons, and what the one that is open shows.


def _tools(visit: Visit, screen: Screen) -> list[Action]:
    work = visit.work
    return [
        action("undo", "↶", title="Undo", enabled=work.at > 0),
        action("redo", "↷", title="Redo", enabled=work.at + 1 < len(work.edits)),
        action(
            "reset",
            "Reset",
            title="Back to what was shared, then to the file; Undo takes this back too",
            enabled=visit.is_edited,
        ),
        *(
            action("open", label, tool, title=_pressed(screen.tool == tool))
            for tool, label in TOOLS.items()
            if tool != PICKER
        ),
    ]


def _panel(visit: Visit, tool: str, address: Callable[[], str], qr: Qr) -> Panel:
    panel: Panel = {
        "tool": tool,
        "heading": TOOLS[tool],
        "lines": [],
        "options": [],
        "sources": [],
        "link": "",
        "qr": "",
        "qr_size": 0,
        "files": [],
        "code": "",
    }
    if tool == PICKER:
        panel["options"] = _scenarios(visit)
    elif tool == "edits":
        panel["options"] = _edits(visit)
    elif tool == "why":
        panel["lines"] = _why(visit)
        panel["sources"] = [{"lead": "The study, arXiv 2503.13657", "text": "https://arxiv.org/abs/2503.13657"}]
    elif tool == "share":
        _share(panel, visit, address, qr)
    elif tool == "clear":
        panel["options"] = _clear()
    else:
        _save(panel, visit)
    return panel


def _scenarios(visit: Visit) -> list[Option]:
    return [
        {
            "action": action("pick", visible(f"{number}. {each.title}"), each.id),
            "detail": shown(each.hook),
            "mark": EDITED if visit.visitor.is_edited(each) else "",
            "current": each.id == visit.scenario.id,
        }
        for number, each in enumerate(visit.scenarios, start=1)
    ]


def _edits(visit: Visit) -> list[Option]:
    return [
        {
            "action": action("go to", visible(f"{number}. {name}"), str(number)),
            "detail": "",
            "mark": "",
            "current": number == visit.work.at,
        }
        for number, name in enumerate(visit.work.names())
    ]


def _why(visit: Visit) -> list[Said]:
    scenario = visit.scenario
    lines = [_said(agent.capitalize(), sentence) for agent, sentence in (scenario.why or {}).items()]
    if visit.is_edited:
        lines.insert(0, _said("", "This explains the scenario as its file has it, before your edits."))
    if scenario.limit:
        lines.append(_said(f"What answers the limit, {scenario.limit}", LIMITS[scenario.limit].answer))
    if scenario.seen:
        lines.append(_said("A public report of the same kind", scenario.seen))
    return [*lines, _said("Where this failure is documented", MAST)]


def _clear() -> list[Option]:
    runs, everything = action("clear", "Delete the runs"), action("forget", "Delete everything of mine")
    ways = {
        "Every run of the trail, and what waits because of one.": runs,
        "All that is kept of you: edits, runs, lessons and scenarios of your own.": everything,
    }
    return [{"action": way, "detail": detail, "mark": "", "current": False} for detail, way in ways.items()]


def _said(lead: str, text: str) -> Said:
    return {"lead": lead, "text": shown(text)}


def _share(panel: Panel, visit: Visit, address: Callable[[], str], qr: Qr) -> None:
    try:
        panel["link"] = f"{address()}?s={visit.link()}"
    except share.BadLink as error:
        panel["lines"] = [_said("", str(error))]
        return
    panel["lines"] = [_said("", "It opens this scenario and step, with your edits, records and gates.")]
    panel["qr"], panel["qr_size"] = qr(panel["link"])
    if not panel["qr"]:
        panel["lines"].append(_said("", "It is too long for a QR code that a phone can read."))


def _save(panel: Panel, visit: Visit) -> None:
    try:
        panel["files"].append(
            _download("Download this scenario", f"{visit.scenario.id}.json", "application/json", visit.file())
        )
    except BrokenFile as error:
        panel["lines"] = [_said("", mistake) for mistake in error.mistakes]
    test = visit.test()
    panel["files"].append(_download("Download as pytest", export.file_name(visit.scenario), "text/x-python", test))
    panel["code"] = shown(test)


def _download(label: str, name: str, kind: str, text: str) -> Download:
    return {"label": label, "name": name, "kind": kind, "text": text}


# The records.


def _records(visit: Visit, screen: Screen) -> Records:
    case, owed = visit.work.case, visit.step["owed"]

    def field(name: str, *place: str) -> Field:
        return _record(visit, screen, place, name)

    return {
        "ticket": [field(name, "ticket", part) for part, name in TICKET.items()],
        "text": field("ticket text", "ticket", "text"),
        "orders": [_order(visit, screen, order_id) for order_id in case["orders"]],
        "owed": [field(name, "owed", part) for part, name in OWED.items() if part in {**(owed or {}), **MUST}]
        if owed is not None
        else [],
        "owed_words": shown(tables.owed(visit.step, case)),
        "harmless": [field("fields that move no money", "harmless")],
        "actions": [action("order add", "+ Order", title="Add an order to the book")],
        "owed_actions": [
            action("owed something", "Owe something")
            if owed is None
            else action("owed nothing", "Owe nothing", title="Nothing is owed for this step")
        ],
        "notes": [shown(screen.refused[(ORDERS,)])] if (ORDERS,) in screen.refused else [],
        "notice": shown(visit.scenario.notice),
    }


TICKET = {
    "id": "ticket",
    "customer_id": "ticket customer",
    "order_id": "ticket order",
    "agreed_amount": "agreed amount",
}
ORDER = {"customer_id": "customer", "paid": "paid", "refundable": "refundable", "currency": "currency"}
OWED = {"amount": "owed amount", "order_id": "owed order", "currency": "owed currency"}
MUST = {"order_id": None, "amount": None}  # of what is owed; a currency may be left to the order


def _order(visit: Visit, screen: Screen, order_id: str) -> Order:
    name = shown(order_id)
    fields = [_record(visit, screen, ("order", order_id, part), f"{word} of {name}") for part, word in ORDER.items()]
    note = "; ".join(deceits(order_id))
    return {
        "id": _field(screen, ["order", order_id], f"id of {name}", order_id, note),
        "fields": fields,
        "remove": action("order remove", "×", order_id, title=f"Remove order {name}"),
    }


def _record(visit: Visit, screen: Screen, place: tuple[str, ...], name: str) -> Field:
    draft, step = visit.work.now.draft, visit.work.step
    text = records.text(draft.records, draft.unusable, step, place)
    why = records.why_not(draft.records, draft.unusable, step, place)
    note = shown(why) or "; ".join(() if place[-1] == "text" else deceits(text))
    return _field(screen, ["record", *place], name, text, note)


# What was said, declared and done.


def _answer(visit: Visit, screen: Screen, number: int) -> Answer:
    """The first answer of the step on screen, or the second."""
    name, answer = ANSWERS[number], visit.answer(number)
    is_text = grid.is_text(answer)
    rows = [] if is_text else grid.rows(answer, visit.work.fields(number))
    names = "second " if number else ""
    return {
        "heading": "Second answer, when guarded asks again" if number else "",
        "intent": "declared as data" if answer["intent"] is not None else "null, nothing declared",
        "do": "what payments gets" if answer["do"] is not None else "null, no call",
        "pairs": [_pair(visit, screen, name, names, answer, row) for row in rows],
        "texts": [
            _field(
                screen,
                [name, side],
                f"{names}{side} as JSON text",
                cells.as_sent(grid.as_text(answer)[side]),
            )
            for side in grid.SIDES
        ]
        if is_text
        else [],
        "notes": _notes(visit, screen, number, answer),
        "sides": [] if is_text else [_null_or_not(name, answer, side) for side in grid.SIDES],
        "actions": [action("fields", "Show as fields", name)]
        if is_text
        else [
            action("add", "+ Field", name, title="Add a field to both sides"),
            action("raw", "{ } JSON", name, title="Both sides as the text that a model sends"),
        ],
    }


def _notes(visit: Visit, screen: Screen, number: int, answer: Mapping[str, Any]) -> list[str]:
    found = [screen.refused[place] for place in [(ANSWERS[number],)] if place in screen.refused]
    if grid.is_text(answer):
        unreadable = grid.unreadable(answer)
        found += [*unreadable, *(["Fields can show only what reads as one object."] if unreadable else [])]
    if not number and (why := visit.no_refund_call()):
        found.append(why)
    return [shown(note) for note in found]


def _null_or_not(name: str, answer: Mapping[str, Any], side: str) -> Action:
    """The button that makes a side null, or something again."""
    nothing, something = NULL_OR_NOT[side]
    return action("object", something, name, side) if answer[side] is None else action("null", nothing, name, side)


NULL_OR_NOT = {"intent": ("no intent", "declare it"), "do": ("no call", "make a call")}


def _pair(
    visit: Visit, screen: Screen, answer_name: str, names: str, answer: Mapping[str, Any], row: grid.GridRow
) -> Pair:
    field = row.field
    name, shown_name = shown(field), "; ".join(deceits(field))
    sign, words = _compared(visit, answer, row)

    def value(side: str, text: str, deceiving: Sequence[str]) -> Field:
        return _field(screen, [answer_name, side, field], f"{names}{side} {name}", text, ", ".join(deceiving))

    return {
        "name": _field(screen, [answer_name, "name", field], f"{names}name of {name}", field, shown_name),
        "intent": value("intent", row.intent, row.intent_notes),
        "do": value("do", row.do, row.do_notes),
        "sign": sign,
        "words": words,
        "remove": action("remove", "×", answer_name, field, title=f"Remove {names}{name}"),
    }


def _compared(visit: Visit, answer: Mapping[str, Any], row: grid.GridRow) -> tuple[str, str]:
    """Whether a field's values are the same, as guard 3 compares them, and where fixed.py finds otherwise."""
    if row.field in visit.work.case.get("harmless", ()):
        return "·", "moves no money: guarded does not compare it" + (", fixed does" if row.differs else "")
    sides: list[Call] = [answer[side] if is_object(answer[side]) else {} for side in grid.SIDES]
    left, right = (side.get(row.field, ABSENT) for side in sides)
    order_id = sides[1].get("order_id")
    of_ticket = currency_on_file(visit.work.case["ticket"]["order_id"], visit.work.case)
    on_file = isinstance(order_id, str) and order_id in visit.work.case["orders"]
    currency = currency_on_file(order_id, visit.work.case) if on_file else of_ticket
    result = compare(row.field, left, right, currency)
    if result == MATCHES:
        return "=", "the same money; fixed.py finds a difference" if row.differs else "the same"
    if result == CANNOT_COMPARE:
        return "?", "cannot be compared"
    return "≠", "differs" if row.differs else "differs; fixed.py finds no difference"


def _in_words(change: grid.Change) -> str:
    return f"{change.place} {shortened(change.before, 40)} → {shortened(change.after, 40)}"


# What came of it.


def _lane(visit: Visit, agent: str, tally: Tally) -> Lane:
    outcome = visit.outcome(agent)
    limit = tables.limit(visit.scenario, outcome)
    return lanes.lane(agent, outcome, visit.step, visit.work.case, limit, visit.guards_off, lanes.cost_of(tally[agent]))


def _queue(visit: Visit, screen: Screen) -> Queue:
    waiting, refused = visit.visitor.waiting(), visit.visitor.refused
    pages = max(1, -(-len(waiting) // MOST_WAITS))
    page = min(screen.page, pages - 1)
    on_page = waiting[page * MOST_WAITS : (page + 1) * MOST_WAITS] if screen.queue else []
    is_there = bool(waiting or refused or screen.decided)
    turn = (
        [
            action("queue page", "‹ Before", str(page - 1), enabled=page > 0),
            action("queue page", f"Next › ({page + 1} of {pages})", str(page + 1), enabled=page + 1 < pages),
        ]
        if screen.queue and pages > 1
        else []
    )
    return {
        "label": f"A person's queue: {len(waiting)} waiting" if is_there else "",
        "open": screen.queue,
        "notes": [shown(note) for note in [*([refused] if refused else []), *screen.decided]] if screen.queue else [],
        "waits": [_waits(each) for each in on_page],
        "actions": turn,
    }


def _waits(waiting: Waiting) -> Waits:
    run, unpayable = waiting.run, person.unpayable(waiting)
    title = f"Run {run.number}: {run.scenario.title}, step {run.index + 1} of {len(run.scenario.steps)}"
    return {
        "heading": shown(title),
        "call": shown(cells.as_sent(waiting.call)),
        "lines": [
            _said("Said", run.step["said"]),
            _said("Still owed", waiting.outcome.still_owed),
            *([_said("It cannot be paid", unpayable)] if unpayable else []),
        ],
        "problems": [shown(problem) for problem in waiting.outcome.problems],
        "actions": [
            action(
                "approve",
                "Approve and pay",
                waiting.key,
                title="Pays exactly this call, unless it, or what speaks against it, has changed since",
                enabled=not unpayable,
            ),
            action("decline", "Decline", waiting.key),
        ],
    }
