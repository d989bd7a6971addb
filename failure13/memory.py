"""A visitor's doings become events, and events become the visitor again.

Nobody has to say what was done: `keep` finds what is new since it was last called and writes that. Every event holds
all that is needed to make sense of it, so any may be gone and the others still count; those of several tabs stand in
one row, as if one tab had done it all.

kind      body
run       {"scenario": id, "steps": [...], "index": 0, "edited": true, "off": [guards that were off]}
decision  {the same of the run that waited, "run": its number, "approved": true, "step": what it was held against}
edit      {"scenario": id, "edit": number of its first event where it grew, "label": ..., "steps": ..., "shown": ...}
at        {"scenario": id, "edit": number of the edit that was gone back or on to, 0 for the file's own steps}
step      {"scenario": id, "step": the place in its steps that is on screen}
place     {"scenario": id}
part      {"part": "guards_off", "key": name, "value": true, or null where it no longer holds}
"""

import contextlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from failure13 import person
from failure13.guards import GUARDS
from failure13.lesson import Lessons
from failure13.runs import Run, decided, run
from failure13.scenarios import Scenario
from failure13.store import Event, NotKept, Store
from failure13.visitor import MOST_RUNS, Draft, Edit, Visitor, Work


class Part(NamedTuple):
    """How something of a visitor becomes a JSON value per key, and how such a value goes back in."""

    values: Callable[[Visitor], dict[str, Any]]
    put: Callable[[Visitor, str, Any], None]


def _switched_off(visitor: Visitor) -> dict[str, Any]:
    return dict.fromkeys(visitor.guards_off, True)


def _switch_off(visitor: Visitor, key: str, _value: Any) -> None:
    visitor.guards_off.add(key)


def _own(visitor: Visitor) -> dict[str, Any]:
    return dict(visitor.own)


def _own_again(visitor: Visitor, key: str, value: Any) -> None:
    visitor.own[key] = value


def _lessons(visitor: Visitor) -> dict[str, Any]:
    return {"all": asdict(visitor.lessons)} if visitor.lessons != Lessons() else {}


def _lessons_again(visitor: Visitor, _key: str, value: Any) -> None:
    visitor.lessons = Lessons(**value)


def _texts(visitor: Visitor) -> dict[str, Any]:
    return {"opened": visitor.opened or None, "writing": visitor.writing}


# What is kept key by key. To keep one more dict or set of the visitor's, add a row.
PARTS = {
    "guards_off": Part(_switched_off, _switch_off),
    "own": Part(_own, _own_again),
    "text": Part(_texts, setattr),
    "lessons": Part(_lessons, _lessons_again),
}


class _KnownEdit(NamedTuple):
    edit: Edit
    key: int  # the number of its first event, by which it is known; 0 for the file's own steps
    row: int  # the number of the event that holds it now


@dataclass
class _KnownWork:
    """The edits to one scenario, which is on screen, and the event that says so, if any."""

    edits: list[_KnownEdit]
    at: int = 0
    at_row: int = 0


@dataclass
class Memory:
    """What of one visitor is kept; `problem` says why the latest is not, and is "" while everything is."""

    store: Store
    visitor_id: str
    problem: str = ""
    place: tuple[str, int] = ("", 0)
    steps: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    works: dict[str, _KnownWork] = field(default_factory=dict[str, _KnownWork])
    trail: list[tuple[Run, int]] = field(default_factory=list[tuple[Run, int]])
    queue: list[tuple[Run, int]] = field(default_factory=list[tuple[Run, int]])
    off: dict[int, list[str]] = field(default_factory=dict[int, list[str]])  # guards, by the run that waits
    parts: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict[tuple[str, str], tuple[str, int]])

    def write(self, kind: str, body: dict[str, Any], *instead_of: int) -> int:
        """Append an event in place of earlier ones and return its number; 0 stands for no event."""
        return self.store.append(self.visitor_id, kind, body, list(filter(None, instead_of)))


def recall(store: Store, visitor_id: str, scenarios: Sequence[Scenario]) -> tuple[Visitor, Memory]:
    """The visitor as the store has them, and the memory that `keep` goes on from.

    Where the events cannot be read, a new visitor, and a memory whose `problem` says why.
    """
    memory = Memory(store, visitor_id, store.problem)
    try:
        events = store.events(visitor_id)
    except NotKept as error:
        memory.problem = str(error)
        events = []
    return _Reading(memory, scenarios).read(events), memory


def keep(memory: Memory, visitor: Visitor) -> None:
    """Write what the visitor has done since this was last called; when it returns, a killed server loses none of it.

    What cannot be written is tried again with the next call, and until then `memory.problem` says why.
    """
    try:
        _keep_runs(memory, visitor)
        for scenario_id, work in visitor.works.items():
            _keep_edits(memory, scenario_id, work)
        _keep_place(memory, visitor)
        _keep_parts(memory, visitor)
        memory.problem = memory.store.problem
    except NotKept as error:
        memory.problem = str(error)


def forget(memory: Memory) -> Memory:
    """Delete all that is kept of the visitor, so that no byte of it is left, and return a memory to begin anew with.

    Raises NotKept when that was not possible.
    """
    memory.store.clear(memory.visitor_id)
    return Memory(memory.store, memory.visitor_id, memory.store.problem)


def _keep_runs(memory: Memory, visitor: Visitor) -> None:
    if memory.trail and not visitor.trail and not visitor.queue:
        memory.store.clear(memory.visitor_id, "run", "decision")
        memory.trail, memory.queue = [], []
        return
    waits = {id(done) for done in visitor.queue}
    gone = _gone(memory.trail, visitor.trail)
    waiting = {number for done, number in memory.queue if id(done) in waits}
    dropped = [number for _, number in memory.trail[:gone] if number not in waiting]
    known = memory.trail[gone:]
    for done in visitor.trail[len(known) :]:
        number = memory.write(*(_decision if done.decision else _run)(memory, visitor, done), *dropped)
        dropped = []
        known.append((done, number))
        memory.trail = list(known)
        if id(done) in waits:
            memory.queue.append((done, number))
            memory.off[number] = sorted(visitor.guards_off)
    memory.queue = [(done, number) for done, number in memory.queue if id(done) in waits]


def _run(_memory: Memory, visitor: Visitor, done: Run) -> tuple[str, dict[str, Any]]:
    return "run", _body(done, sorted(visitor.guards_off))


def _decision(memory: Memory, visitor: Visitor, done: Run) -> tuple[str, dict[str, Any]]:
    waited = next((number for waiting, number in memory.queue if waiting.steps is done.steps), 0)
    step = visitor.steps(done.scenario)[done.index]
    body = _body(done, memory.off.get(waited, []))
    return "decision", {**body, "run": waited, "approved": done.decision == person.APPROVED, "step": step}


def _body(done: Run, off: list[str]) -> dict[str, Any]:
    return {"scenario": done.scenario.id, "steps": done.steps, "index": done.index, "edited": done.edited, "off": off}


def _gone(known: list[tuple[Run, int]], trail: list[Run]) -> int:
    """How many of the oldest known runs are no longer in the trail."""
    for gone in range(len(known)):
        left = known[gone:]
        if len(left) <= len(trail) and all(_is(old, new) for (old, _), new in zip(left, trail, strict=False)):
            return gone
    return len(known)


def _is(old: Run, new: Run) -> bool:
    """Whether it is the same run, though perhaps seen with other guards by now."""
    if old is new:
        return True
    same_place = (old.scenario.id, old.index, old.decision) == (new.scenario.id, new.index, new.decision)
    return same_place and all(a is b for a, b in zip(old.steps, new.steps, strict=True))


def _keep_edits(memory: Memory, scenario_id: str, work: Work) -> None:
    known = memory.works.setdefault(scenario_id, _KnownWork([_KnownEdit(work.edits[0], 0, 0)]))
    if len(work.edits) == len(known.edits) and work.at == known.at and work.now is known.edits[known.at].edit:
        return
    left = list(known.edits)
    entries = [_taken(left, edit) for edit in work.edits]
    on_screen = known.at
    edits: list[_KnownEdit] = []
    for index, (edit, entry) in enumerate(zip(work.edits, entries, strict=True)):
        if entry is None:
            body: dict[str, Any] = {"scenario": scenario_id, "label": edit.label, **vars(edit.draft)}
            before = known.edits[index : index + 1] if work.typing and left else []
            if before and before[0].key and before[0].edit.label == edit.label:
                body["edit"] = before[0].key
            number = memory.write("edit", body, known.at_row, *(each.row for each in left))
            entry = _KnownEdit(edit, body.get("edit", number), number)
            left, known.at_row, on_screen = [], 0, index
        edits.append(entry._replace(edit=edit))
    if work.at != on_screen:
        body = {"scenario": scenario_id, "edit": edits[work.at].key}
        known.at_row = memory.write("at", body, known.at_row, *(each.row for each in left))
    known.edits, known.at = edits, work.at


def _taken(left: list[_KnownEdit], edit: Edit) -> _KnownEdit | None:
    """The known edit that this one is, taken out of those left; going back to an edit leaves its draft the same."""
    for index, each in enumerate(left):
        if each.edit.draft is edit.draft and each.edit.label == edit.label:
            return left.pop(index)
    return None


def _keep_place(memory: Memory, visitor: Visitor) -> None:
    for scenario_id, work in visitor.works.items():
        known, row = memory.steps.get(scenario_id, (0, 0))
        if work.step != known:
            number = memory.write("step", {"scenario": scenario_id, "step": work.step}, row)
            memory.steps[scenario_id] = (work.step, number)
    known, row = memory.place
    if visitor.place != known:
        memory.place = (visitor.place, memory.write("place", {"scenario": visitor.place}, row))


def _keep_parts(memory: Memory, visitor: Visitor) -> None:
    now = {
        (name, key): json.dumps(value) for name, part in PARTS.items() for key, value in part.values(visitor).items()
    }
    for name, key in {**memory.parts, **now}:
        known, row = memory.parts.get((name, key), ("null", 0))
        text = now.get((name, key), "null")
        if text != known:
            number = memory.write("part", {"part": name, "key": key, "value": json.loads(text)}, row)
            memory.parts[name, key] = (text, number)


class _Reading:
    """Events read in order into a visitor, and into the memory of what is kept of them."""

    def __init__(self, memory: Memory, scenarios: Sequence[Scenario]) -> None:
        self.memory = memory
        self.scenarios = {scenario.id: scenario for scenario in scenarios}
        self.visitor = Visitor()

    def read(self, events: Sequence[Event]) -> Visitor:
        """The visitor; an event about a scenario that is not here, or of another form than now, counts for nothing."""
        kinds = {"run": self.run, "decision": self.decision, "edit": self.edit, "at": self.go}
        kinds |= {"step": self.step, "place": self.place}
        self.read_parts(events)
        self.scenarios |= {scenario.id: scenario for scenario in self.visitor.own_scenarios()}
        for event in events:
            try:
                if event.kind in kinds:
                    kinds[event.kind](event.number, event.body)
            except (IndexError, KeyError, TypeError, ValueError):
                continue
        visitor, memory = self.visitor, self.memory
        del memory.trail[:-MOST_RUNS], memory.queue[:-MOST_RUNS]
        visitor.trail = [done for done, _ in memory.trail]
        visitor.queue = [done for done, _ in memory.queue]
        for scenario_id, known in memory.works.items():
            work = visitor.work(self.scenarios[scenario_id])
            work.edits, work.at = [each.edit for each in known.edits], known.at
        return visitor

    def read_parts(self, events: Sequence[Event]) -> None:
        for number, _, kind, body in events:
            if kind == "part" and body.get("part") in PARTS and {"key", "value"} <= set(body):
                self.memory.parts[body["part"], body["key"]] = (json.dumps(body["value"]), number)
        for (name, key), (text, _) in self.memory.parts.items():
            if text != "null":
                with contextlib.suppress(TypeError):  # of another form than now
                    PARTS[name].put(self.visitor, key, json.loads(text))

    def run(self, number: int, body: dict[str, Any]) -> None:
        done = self.done(body, body["off"])
        if done.outcomes["guarded"].waiting:
            self.memory.queue.append((done, number))
            self.memory.off[number] = body["off"]
        if set(body["off"]) != self.visitor.guards_off:
            done = self.done(body, self.visitor.guards_off)
        self.memory.trail.append((done, number))

    def decision(self, number: int, body: dict[str, Any]) -> None:
        waited = self.done(body, body["off"])
        outcome = waited.outcomes["guarded"]
        if body["approved"]:
            outcome = person.approve(waited.scenario, body["step"], outcome)
        else:
            outcome = person.decline(outcome)
        self.memory.trail.append((decided(waited, outcome), number))
        self.memory.queue = [(done, row) for done, row in self.memory.queue if row != body["run"]]

    def done(self, body: dict[str, Any], off: Collection[str]) -> Run:
        guards = {name: guard for name, guard in GUARDS.items() if name not in off}
        return run(self.scenarios[body["scenario"]], body["steps"], body["index"], body["edited"], guards)

    def edit(self, number: int, body: dict[str, Any]) -> None:
        known = self.known(body)
        if len(body["steps"]) != len(known.edits[0].edit.draft.steps):
            raise ValueError("the scenario has another number of steps by now")
        key = body.get("edit", number)
        found = [index for index, each in enumerate(known.edits) if each.key == key]
        for index in found:
            del known.edits[index]
            known.at -= index <= known.at
        edit = Edit(body["label"], Draft(body["steps"], body["shown"]), number)
        known.edits[known.at + 1 :] = [_KnownEdit(edit, key, number)]
        known.at, known.at_row = known.at + 1, 0

    def go(self, number: int, body: dict[str, Any]) -> None:
        known = self.known(body)
        known.at = [each.key for each in known.edits].index(body["edit"])
        known.at_row = number

    def step(self, number: int, body: dict[str, Any]) -> None:
        scenario = self.scenarios[body["scenario"]]
        step = min(body["step"], len(scenario.steps) - 1)
        self.visitor.work(scenario).step = step
        self.memory.steps[scenario.id] = (step, number)

    def place(self, number: int, body: dict[str, Any]) -> None:
        self.visitor.place = self.scenarios[body["scenario"]].id
        self.memory.place = (self.visitor.place, number)

    def known(self, body: dict[str, Any]) -> _KnownWork:
        scenario = self.scenarios[body["scenario"]]
        own = _KnownEdit(self.visitor.work(scenario).edits[0], 0, 0)
        return self.memory.works.setdefault(scenario.id, _KnownWork([own]))
