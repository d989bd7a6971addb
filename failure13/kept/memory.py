"""What a visitor did becomes events, and the events become the visitor again.

Nobody has to say what was done: `keep` finds what is new since it was last called, and writes that. Each event can be
understood without the others, so any of them may be missing. The events of several tabs of one visitor are read in the
order in which they were written, as if one tab had done it all. An event of another form than the one below counts for
nothing, and so does one about a scenario that is no longer here.

kind      body
run       {"number": the run's, "scenario": id, "case": {...}, "steps": [...], "index": 0, "edited": true, "off":
          [guards]}, where "off" names the guards that were off at the time; "case" is there where the run was edited
decision  all of the run that waited, but with a "number" of its own, and {"run": the number of the event of the run
          that waited, "agent": name, "approved": true, "step" and "records": what the call was held against, "ledger":
          what had been paid before}
edit      {"scenario": id, "label": what was done, "steps": [...], "case": {...}, "fields" and "second": [those of the
          grid, for each step], "unusable": {place: text}}
at        {"scenario": id, "edit": the number of the event of the edit that was gone to, 0 for the file's own steps}
step      {"scenario": id, "step": the place in its steps that is on screen}
place     {"scenario": id}
part      {"part": a name in PARTS, "key": text, "value": as PARTS has it, null where the visitor no longer has it}

Events that were written before these forms have no "number", "agent", "ledger", "case", "records", "second" and
"unusable", and "shown" instead of "fields". An old edit that grew while it was typed has an "edit" by which an "at"
means it.
"""

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from failure13 import Case, Step, guarded
from failure13.agents import AGENTS, GUARDED
from failure13.compare import same
from failure13.guards import GUARDS, all_but
from failure13.kept import forms
from failure13.kept.parts import PARTS
from failure13.kept.store import Event, NotKept, Store
from failure13.replay import Outcome
from failure13.scenarios import Scenario, records_mistakes, steps_mistakes
from failure13.visit import lessons, person, records
from failure13.visit.edits import MOST_EDITS, Draft, Edit, Work, draft_of
from failure13.visit.records import Records
from failure13.visit.runs import Run, Waiting, decided, with_case, with_guards
from failure13.visit.visitor import MOST_RUNS, Visitor

Body = dict[str, Any]
MOST_NUMBER = 2**53  # of a run; beyond it a chart takes two numbers for one


class Newest(NamedTuple):
    """The body of an event that only counts until the next one about the same, as JSON text, and its number."""

    text: str
    event: int


@dataclass
class KeptWork:
    """The edits to a scenario, each with the number of its event, where 0 stands for no event.

    `at` is the edit that comes on screen when the events are read, and `at_event` the event that says so, if any.
    """

    edits: dict[int, int] = field(default_factory=lambda: {0: 0})
    at: int = 0
    at_event: int = 0


@dataclass
class Memory:
    """What is kept of one visitor; `problem` says why the latest is not, and is "" while everything is.

    `ran` is the number of the last run that is kept, `runs` has the number of the event of each run by the run's own,
    and `cleared` is how often the visitor had cleared their runs by then.
    """

    store: Store
    visitor_id: str
    problem: str = ""
    cleared: int = 0
    ran: int = 0
    runs: dict[int, int] = field(default_factory=dict[int, int])
    works: dict[str, KeptWork] = field(default_factory=dict[str, KeptWork])
    newest: dict[tuple[str, ...], Newest] = field(default_factory=dict[tuple[str, ...], Newest])

    def write(self, kind: str, body: Body, instead_of: Iterable[int] = ()) -> int:
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
        _keep_parts(memory, visitor)
        _keep_runs(memory, visitor)
        for scenario_id, work in visitor.works.items():
            _keep_edits(memory, scenario_id, work)
        _keep_place(memory, visitor)
        memory.problem = memory.store.problem
    except NotKept as error:
        memory.problem = str(error)


def forget(memory: Memory) -> Memory:
    """Delete all that is kept of the visitor, so that no byte of it is left, and return a memory to begin anew with.

    Raises NotKept when that was not possible.
    """
    memory.store.clear(memory.visitor_id)
    return Memory(memory.store, memory.visitor_id, memory.store.problem)


# Keeping.


def _keep_parts(memory: Memory, visitor: Visitor) -> None:
    now = {("part", name, key): value for name, part in PARTS.items() for key, value in part.values(visitor).items()}
    no_longer = dict.fromkeys(about for about in memory.newest if about[0] == "part")
    for about, value in {**no_longer, **now}.items():
        _, name, key = about
        if value is not None or about in memory.newest:
            _keep_newest(memory, about, {"part": name, "key": key, "value": value})


def _keep_place(memory: Memory, visitor: Visitor) -> None:
    for scenario_id, work in visitor.works.items():
        if work.step or ("step", scenario_id) in memory.newest:
            _keep_newest(memory, ("step", scenario_id), {"scenario": scenario_id, "step": work.step})
    if visitor.place:
        _keep_newest(memory, ("place",), {"scenario": visitor.place})


def _keep_newest(memory: Memory, about: tuple[str, ...], body: Body) -> None:
    """Write an event in place of the one about the same, unless it would say the same; its kind is `about[0]`."""
    before, text = memory.newest.get(about, Newest("", 0)), json.dumps(body)
    if text != before.text:
        memory.newest[about] = Newest(text, memory.write(about[0], body, [before.event]))


def _keep_runs(memory: Memory, visitor: Visitor) -> None:
    if visitor.cleared != memory.cleared:
        memory.store.clear(memory.visitor_id, "run", "decision")
        memory.runs, memory.ran, memory.cleared = {}, 0, visitor.cleared
    runs = {run.number: run for run in [*(waiting.run for waiting in visitor.queue), *visitor.trail]}
    new = [runs[number] for number in sorted(runs) if number > memory.ran]
    for run in new:
        gone = [event for number, event in memory.runs.items() if number not in runs]
        kind, body = ("decision", _decision(memory, visitor, run)) if run.decision else ("run", _run(run))
        event = memory.write(kind, body, gone)
        left = {number: event for number, event in memory.runs.items() if number in runs}
        memory.runs = {**left, run.number: event}
        memory.ran = run.number


def _run(run: Run) -> Body:
    return {
        "number": run.number,
        "scenario": run.scenario.id,
        **({"case": run.scenario.case} if run.edited else {}),
        "steps": run.steps,
        "index": run.index,
        "edited": run.edited,
        "off": sorted(run.guards_off),
    }


def _decision(memory: Memory, visitor: Visitor, run: Run) -> Body:
    [(agent, outcome)] = run.outcomes.items()
    step, case = _held_against(visitor, run)
    return {
        **_run(run),
        "run": memory.runs.get(run.waited, 0),
        "agent": agent,
        "approved": run.decision == person.APPROVED,
        "step": step,
        "records": case,
        "ledger": outcome.before,
    }


def _held_against(visitor: Visitor, run: Run) -> tuple[Step, Case]:
    """The step and the case that a person's decision was held against; where the call changed since, those that ran."""
    now = visitor.as_now(run)
    calls = [guarded.answers_of(each.step)[-1]["do"] for each in (now, run)]
    held = now if same(*calls) else run
    return held.step, held.scenario.case


def _keep_edits(memory: Memory, scenario_id: str, work: Work) -> None:
    kept = memory.works.setdefault(scenario_id, KeptWork())
    numbers = {edit.number for edit in work.edits}
    for edit in work.edits:
        if edit.number not in kept.edits:
            gone = [event for number, event in kept.edits.items() if number not in numbers]
            body = {"scenario": scenario_id, "label": edit.label, **vars(edit.draft)}
            event = memory.write("edit", body, [kept.at_event, *gone])
            left = {number: event for number, event in kept.edits.items() if number in numbers}
            kept.edits, kept.at, kept.at_event = {**left, edit.number: event}, edit.number, 0
    if work.now.number != kept.at:
        body = {"scenario": scenario_id, "edit": kept.edits[work.now.number]}
        kept.at_event = memory.write("at", body, [kept.at_event])
        kept.at = work.now.number


# Recalling.


class _Reading:
    """Events read in order into a visitor, and into the memory of what is kept of them.

    Each method named like a kind of event takes one in. It raises ValueError for one of another form, and then changes
    nothing.
    """

    def __init__(self, memory: Memory, scenarios: Sequence[Scenario]) -> None:
        self.memory = memory
        self.scenarios = {scenario.id: scenario for scenario in scenarios}
        self.lessons = lessons.lessons_of(scenarios)
        self.visitor = Visitor()
        self.sound: set[tuple[str, str]] = set()  # cases and steps without mistakes: the same are looked at once
        self.grown: dict[int, int] = {}  # by what an old edit was known before it grew, the number it has now

    def read(self, events: Sequence[Event]) -> Visitor:
        """The visitor that the events make."""
        readers = {"run": self.run, "decision": self.decision, "edit": self.edit, "at": self.at}
        readers |= {"step": self.step, "place": self.place}
        self._take({"part": self.part}, events)
        self.scenarios |= {scenario.id: scenario for scenario in self.visitor.own_scenarios()}
        self._take(readers, events)
        visitor, progress = self.visitor, self.visitor.lessons
        del visitor.trail[:-MOST_RUNS], visitor.queue[:-MOST_RUNS]
        beats = lessons.beats(lessons.at(progress, self.lessons), len(self.lessons))
        progress.beat = min(progress.beat, len(beats))  # the lesson may have been the last one, which has more of them
        self.memory.ran = visitor.ran
        return visitor

    def _take(self, readers: Mapping[str, Callable[[Event], None]], events: Sequence[Event]) -> None:
        for event in events:
            if event.kind in readers:
                with contextlib.suppress(ValueError):  # an event of another form counts for nothing
                    readers[event.kind](event)

    def part(self, event: Event) -> None:
        name, key = forms.one_of(PARTS)(event.body.get("part")), forms.text(event.body.get("key"))
        if "value" not in event.body:
            raise ValueError("expected a value")
        PARTS[name].put(self.visitor, key, event.body["value"])
        self._is_newest(event, "part", name, key)

    def place(self, event: Event) -> None:
        self.visitor.place = self._scenario(event).id
        self._is_newest(event, "place")

    def step(self, event: Event) -> None:
        scenario, step = self._scenario(event), forms.whole(event.body.get("step"))
        self.visitor.work(scenario).step = min(step, len(scenario.steps) - 1)
        self._is_newest(event, "step", scenario.id)

    def edit(self, event: Event) -> None:
        scenario = self._scenario(event)
        draft = self._draft(event, scenario)
        label, grown = forms.text(event.body.get("label")), forms.whole(event.body.get("edit", event.number))
        if len(draft.steps) != len(scenario.steps):
            raise ValueError("expected as many steps as the scenario has by now")
        work = self.visitor.work(scenario)
        work.edits[work.at + 1 :] = [Edit(event.number, label, draft, event.number)]
        del work.edits[1 : max(1, len(work.edits) - MOST_EDITS)]
        work.at = len(work.edits) - 1
        kept = self._kept(scenario)
        kept.edits[event.number], kept.at = event.number, event.number
        self.grown[grown] = event.number

    def at(self, event: Event) -> None:
        scenario, edit = self._scenario(event), forms.whole(event.body.get("edit"))
        work, number = self.visitor.work(scenario), self.grown.get(edit, edit)
        work.at = [each.number for each in work.edits].index(number)
        kept = self._kept(scenario)
        kept.at, kept.at_event = number, event.number

    def run(self, event: Event) -> None:
        run, visitor = self._rerun(event, self._next_number(event)), self.visitor
        visitor.ran = run.number
        visitor.queue.extend(run.waiting())
        as_now = set(run.guards_off) == visitor.guards_off
        visitor.trail.append(run if as_now else with_guards(run, visitor.guards()))
        self.memory.runs[run.number] = event.number

    def decision(self, event: Event) -> None:
        agent = forms.one_of(AGENTS)(event.body.get("agent", GUARDED))
        waited = forms.whole(event.body.get("run"))
        of_run = next((number for number, kept in self.memory.runs.items() if kept == waited), 0)
        waiting = Waiting(self._rerun(event, of_run), agent)
        if of_run and waiting.key not in [each.key for each in self.visitor.queue]:
            raise ValueError("expected a run that still waits: another tab has decided it")
        number, outcome, visitor = self._next_number(event), self._decided(event, waiting), self.visitor
        visitor.ran = number
        visitor.trail.append(decided(waiting, outcome, number))
        visitor.queue = [each for each in visitor.queue if each.key != waiting.key]
        self.memory.runs[number] = event.number

    def _decided(self, event: Event, waiting: Waiting) -> Outcome:
        """The outcome of a decision on what waited.

        No guard is asked again: all were when it was made, and the code may have others since. Where the guards would
        no longer leave the call to a person, or it can no longer be paid, the decision counts for nothing.
        """
        if waiting.outcome.waiting is None:
            raise ValueError("expected a run that leaves its call to a person")
        ledger = forms.ledger(event.body["ledger"]) if "ledger" in event.body else waiting.outcome.ledger
        if not forms.yes_or_no(event.body.get("approved")):
            return person.decline(waiting, ledger)
        run = waiting.run
        case = self._case(event.body.get("records", run.scenario.case), run.steps)
        scenario = with_case(run.scenario, case)
        [step] = self._steps([event.body.get("step")], scenario)
        held = replace(run, scenario=scenario, steps=[*run.steps[: run.index], step])
        return person.approve(waiting, held, ledger, guards={})

    def _rerun(self, event: Event, number: int) -> Run:
        """The run in an event, with the guards that were on at the time."""
        own = self._scenario(event)
        scenario = with_case(own, self._case(event.body.get("case", own.case), []))
        steps = self._steps(event.body.get("steps"), scenario)
        index = forms.whole(event.body.get("index"), most=min(len(steps), len(scenario.steps)) - 1)
        edited, off = forms.yes_or_no(event.body.get("edited")), frozenset(forms.names(event.body.get("off")))
        run = Run(number, scenario, steps[: index + 1], index, edited, {}, guards_off=off & GUARDS.keys())
        return with_guards(run, all_but(off))

    def _next_number(self, event: Event) -> int:
        """The number in an event; where it has none, or another tab gave it to another run, the next in order."""
        number = forms.whole(event.body.get("number", 0))
        return number if self.visitor.ran < number <= MOST_NUMBER else self.visitor.ran + 1

    def _scenario(self, event: Event) -> Scenario:
        return self.scenarios[forms.one_of(self.scenarios)(event.body.get("scenario"))]

    def _draft(self, event: Event, scenario: Scenario) -> Draft:
        body = event.body
        case = self._case(body.get("case", scenario.case), [])
        steps = self._steps(body.get("steps"), with_case(scenario, case))
        fields = forms.each(forms.names)(body.get("fields", body.get("shown")))
        second = forms.each(forms.names)(body.get("second", draft_of(steps, case).second))
        if not len(fields) == len(second) == len(steps):
            raise ValueError("expected the fields of each step")
        unusable = forms.by(forms.text, forms.text)(body.get("unusable", {}))
        for place, step in map(records.place_of, unusable):
            if not records.is_there(Records(case, steps), step, place):
                raise ValueError("expected a place of the records")
        return Draft(steps, fields, case, second, unusable)

    def _case(self, value: Any, steps: Sequence[Step]) -> Case:
        if records_mistakes(value, steps):
            raise ValueError("expected a case without mistakes")
        return value

    def _steps(self, value: Any, scenario: Scenario) -> list[Step]:
        about = (json.dumps(scenario.case), json.dumps(value))
        if about not in self.sound:
            if steps_mistakes(value, scenario.case):
                raise ValueError("expected steps without mistakes")
            self.sound.add(about)
        return value

    def _kept(self, scenario: Scenario) -> KeptWork:
        return self.memory.works.setdefault(scenario.id, KeptWork())

    def _is_newest(self, event: Event, *about: str) -> None:
        self.memory.newest[about] = Newest(json.dumps(event.body), event.number)
