"""What a browser sends back from the bench, taken one by one: texts that were typed and buttons that were pressed."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from failure13 import calls
from failure13.calls import is_list, is_object
from failure13.scenarios import Scenario, most_characters
from failure13.visit import grid
from failure13.visit.edits import Work
from failure13.visit.records import NoRecord
from failure13.visit.runs import Waiting
from failure13.visit.visit import Visit
from failure13.visit.visitor import Visitor

ANSWERS = ("first", "second")
ORDERS = "orders"  # where it is said why an order was not added, removed or renamed
PICKER = "scenarios"
TOOLS = {PICKER: "Scenarios", "edits": "Edits", "why": "Why", "share": "Share", "save": "Save", "clear": "Clear"}
MOST_DECIDED = 5  # of what was decided, said in the queue
About = Sequence[str]


@dataclass
class Screen:
    """What one browser has on screen besides the scenario, and the last of its events that was taken.

    `session` is a name that no other session has; `era` how often the visitor began anew. `tool` is the tool that is
    open, or "". `queue` says whether the queue is open and `page` which page of it, `decided` what came of the latest
    decisions. `refused` says why a text that was typed was not taken, by its place.
    """

    session: str
    heard: int = 0
    era: int = 0
    tool: str = ""
    queue: bool = False
    page: int = 0
    decided: list[str] = field(default_factory=list[str])
    refused: dict[tuple[str, ...], str] = field(default_factory=dict[tuple[str, ...], str])


class Taken(NamedTuple):
    """What taking events came to: whether more than the bench has to be drawn anew, the page to go to, if any, and
    whether all that is kept of the visitor is to be deleted.
    """

    all_anew: bool = False
    page: str | None = None
    forget: bool = False


def take(screen: Screen, visitor: Visitor, scenarios: Sequence[Scenario], message: Any) -> Taken:
    """Take the events of a message that were not taken before, in order; what cannot be understood counts for nothing.

    A message is {"session": whose, "events": [event, ...]}; an event has a number `n`, and a text that was typed is
    {"n": 7, "kind": "type", "scenario": id, "step": 0, "place": ["first", "do", "amount"], "text": "20.0"}, a button
    {"n": 8, "kind": "press", "scenario": id, "step": 0, "verb": "undo", "about": []}.
    """
    taken = Taken()
    if not is_object(message) or message.get("session") != screen.session or not is_list(message.get("events")):
        return taken
    for event in message["events"]:
        number = event.get("n") if is_object(event) else None
        if type(number) is not int or number <= screen.heard:
            continue
        screen.heard = number
        visit = visit_of(visitor, scenarios, event)
        if visit is None:
            continue
        if event.get("kind") == "type":
            _type(screen, visit, event.get("place"), event.get("text"))
        elif event.get("kind") == "press":
            taken = _press(screen, visit, event.get("verb"), event.get("about"), taken)
    return taken


def visit_of(visitor: Visitor, scenarios: Sequence[Scenario], event: Mapping[str, Any]) -> Visit | None:
    """The scenario and step that an event is about, which may have left the screen since; None where there is none."""
    scenario = next((each for each in scenarios if each.id == event.get("scenario")), None)
    if scenario is None:
        return None
    work, step = visitor.work(scenario), event.get("step")
    if type(step) is not int or not 0 <= step < len(work.steps):
        return None
    if work.step != step and event.get("kind") == "type":
        work.step = step
    return Visit(visitor, scenarios, scenario)


# Typing.


def _type(screen: Screen, visit: Visit, place: Any, text: Any) -> None:
    if not isinstance(text, str) or not is_list(place) or not all(isinstance(part, str) for part in place):
        return
    text = text.encode("utf-8", "backslashreplace").decode()  # a browser can send half a surrogate pair
    most = most_characters("json_string" if len(place) == 2 and place[0] in ANSWERS else "text")
    if len(text) > most:
        screen.refused[tuple(place)] = f"not taken: at most {most:,} characters are, and this has more"
        return
    screen.refused.pop(tuple(place), None)
    work = visit.work
    match place:
        case ["said"]:
            work.say(text)
        case ["record", *way] if way:
            with contextlib.suppress(NoRecord):  # its order was removed
                work.set_record(tuple(way), text)
        case ["order", order_id]:
            _rename(screen, place, text, order_id, list(work.case["orders"]), work.rename_order)
        case [answer, "name", name] if answer in ANSWERS:
            number = ANSWERS.index(answer)
            names = work.fields(number)
            _rename(screen, place, text, name, names, lambda old, new: work.rename_field(old, new, answer=number))
        case [answer, side] if _is_there(visit, answer, side):
            if grid.is_text(visit.answer(ANSWERS.index(answer))):
                work.set_side(side, text, answer=ANSWERS.index(answer))
        case [answer, side, name] if _is_there(visit, answer, side):
            if name in work.fields(ANSWERS.index(answer)):
                work.set_cell(side, name, text, answer=ANSWERS.index(answer))
        case _:
            pass


def _is_there(visit: Visit, answer: str, side: str) -> bool:
    return side in grid.SIDES and answer in ANSWERS and (answer == "first" or visit.step.get("retry") is not None)


def _rename(
    screen: Screen, place: list[str], new: str, old: str, names: Sequence[str], rename: Callable[[str, str], object]
) -> None:
    if old not in names or new == old:
        return
    try:
        if not new or new in names:
            raise NoRecord(f'"{new}" {"is taken by another" if new else "is no name"}')
        rename(old, new)
    except NoRecord as error:
        screen.refused[tuple(place)] = f"{error}; this is still {old}"


# Pressing.


def _press(screen: Screen, visit: Visit, verb: Any, about: Any, taken: Taken) -> Taken:
    if not isinstance(verb, str) or not is_list(about) or not all(isinstance(part, str) for part in about):
        return taken
    with contextlib.suppress(_NotThere, IndexError, ValueError):  # a button that is no longer there
        if verb in EDITS:
            if about[:1] == ["second"] and visit.answer(1) is None:
                raise _NotThere
            screen.refused.clear()
            try:
                EDITS[verb](visit.work, about)
            except (grid.Full, calls.Unreadable, NoRecord) as error:
                screen.refused[(about[0] if about[:1] and about[0] in ANSWERS else ORDERS,)] = str(error)
        elif verb in SCREEN:
            SCREEN[verb](screen, visit, about)
        elif verb in EVERYWHERE:
            EVERYWHERE[verb](screen, visit, about)
            return taken._replace(all_anew=True)
        elif verb == "page":
            return taken._replace(page=about[0])
        elif verb == "forget":
            screen.tool = ""
            return taken._replace(all_anew=True, forget=True)
    return taken


class _NotThere(Exception):
    """What a button was about is no longer there."""


def _answer(about: About) -> int:
    return ANSWERS.index(about[0])


def _number(text: str, below: int) -> int:
    number = int(text)
    if not 0 <= number < below:
        raise _NotThere
    return number


def _try(screen: Screen, visit: Visit, about: About) -> None:
    screen.refused.clear()
    visit.work.attempt(visit.scenario.tries[_number(about[0], len(visit.scenario.tries))])


def _go_to(work: Work, at: int) -> None:
    if 0 <= at < len(work.edits):
        work.go_to(at)


EDITS: Mapping[str, Callable[[Work, About], None]] = {
    "undo": lambda work, _: _go_to(work, work.at - 1),
    "redo": lambda work, _: _go_to(work, work.at + 1),
    "go to": lambda work, about: _go_to(work, int(about[0])),
    "reset": lambda work, _: work.reset(),
    "add": lambda work, about: work.add_field(answer=_answer(about)),
    "remove": lambda work, about: work.remove_field(about[1], answer=_answer(about)),
    "raw": lambda work, about: work.use_text(answer=_answer(about)),
    "fields": lambda work, about: work.use_fields(answer=_answer(about)),
    "null": lambda work, about: work.set_null(about[1], answer=_answer(about)),
    "object": lambda work, about: work.set_object(about[1], answer=_answer(about)),
    "second add": lambda work, _: work.add_second(),
    "second remove": lambda work, _: work.remove_second(),
    "order add": lambda work, _: work.add_order(),
    "order remove": lambda work, about: work.remove_order(about[0]),
    "owed nothing": lambda work, _: work.set_owed_nothing(),
    "owed something": lambda work, _: work.set_owed_something(),
}


def _pick(screen: Screen, visit: Visit, about: About) -> None:
    visit.pick([scenario.id for scenario in visit.scenarios].index(about[0]))
    screen.tool = ""
    screen.refused.clear()


def _step(screen: Screen, visit: Visit, about: About) -> None:
    visit.work.step = _number(about[0], len(visit.work.steps))
    screen.refused.clear()


def _open(screen: Screen, _: Visit, about: About) -> None:
    if about[0] in TOOLS:
        screen.tool = "" if screen.tool == about[0] else about[0]


def _queue(screen: Screen, _: Visit, __: About) -> None:
    screen.queue, screen.page, screen.decided = not screen.queue, 0, []


SCREEN: Mapping[str, Callable[[Screen, Visit, About], object]] = {
    "try": _try,
    "pick": _pick,
    "step": _step,
    "open": _open,
    "close": lambda screen, _, __: setattr(screen, "tool", ""),
    "queue": _queue,
    "queue page": lambda screen, _, about: setattr(screen, "page", max(0, int(about[0]))),
}


def _decide(screen: Screen, visit: Visit, key: str, decide: Callable[[Waiting], None]) -> None:
    visitor = visit.visitor
    waiting = next((each for each in visitor.waiting() if each.key == key), None)
    if waiting is None:
        raise _NotThere
    decide(waiting)
    if not visitor.refused:
        done = visitor.trail[-1]
        message = done.outcomes[waiting.agent].message
        screen.decided = [f"Run {waiting.run.number}: {message}", *screen.decided][:MOST_DECIDED]


def _clear(screen: Screen, visit: Visit, _: About) -> None:
    visit.visitor.clear()
    screen.tool, screen.decided = "", []


# What changes the trail, and so everything on the page.
EVERYWHERE: Mapping[str, Callable[[Screen, Visit, About], object]] = {
    "clear": _clear,
    "run": lambda _, visit, __: visit.run(),
    "run all": lambda _, visit, __: visit.visitor.run_all(visit.of_the_pack()),
    "guard": lambda _, visit, about: visit.visitor.switch_guard(about[0]),
    "guards": lambda _, visit, about: visit.visitor.switch_guards(about[0] == "on"),
    "approve": lambda screen, visit, about: _decide(screen, visit, about[0], visit.visitor.approve),
    "decline": lambda screen, visit, about: _decide(screen, visit, about[0], visit.visitor.decline),
}
