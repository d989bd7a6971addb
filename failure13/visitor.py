"""What one visitor has done: the place they are at, the edits they made, the runs they asked for.

Nothing else is kept. Outcomes, ledgers, verdicts and charts are worked out from this each time.
"""

import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any

from failure13 import Step, grid, person
from failure13.compare import same
from failure13.guards import GUARDS, Guard
from failure13.lesson import Lessons
from failure13.replay import Outcome
from failure13.runs import Run, decided, run, with_guards
from failure13.scenarios import Scenario, edited, from_data, to_json

MOST_EDITS = 200  # kept to go back to, for each scenario
SHARED = "as shared"  # the label of the edit that opening a link makes
MOST_OWN = 20  # scenarios of a visitor's own; the oldest go first
MOST_RUNS = 1000  # kept in the trail; the oldest go first


@dataclass(frozen=True)
class Draft:
    """A scenario's steps as edited, and the rows that the grid shows for each, with fields still to be filled."""

    steps: list[Step]
    shown: list[list[str]]


@dataclass(frozen=True)
class Edit:
    """A draft and what was done to come to it; `revision` changes whenever it was not by typing in a field."""

    label: str
    draft: Draft
    revision: int


@dataclass
class Work:
    """The edits to one scenario, oldest first, which of them is on screen, and which step of it.

    `typing` is the field in which the edit on screen was typed and still grows, with its step, else nothing; `typed`
    is the text in it.
    """

    edits: list[Edit]
    at: int = 0
    step: int = 0
    typing: str = ""
    typed: str = ""

    @property
    def now(self) -> Edit:
        """The edit on screen."""
        return self.edits[self.at]

    def names(self) -> list[str]:
        """What each edit was, oldest first, with the first thing that it changed."""
        drafts = [edit.draft.steps for edit in self.edits]
        return [
            " ".join([edit.label, *_first_change(before, after)])
            for edit, before, after in zip(self.edits, [drafts[0], *drafts], drafts, strict=False)
        ]

    @property
    def steps(self) -> list[Step]:
        """The steps as edited."""
        return self.now.draft.steps

    @property
    def shared(self) -> Draft | None:
        """The steps as the link had them that was opened last, if one was."""
        return next((edit.draft for edit in reversed(self.edits[: self.at + 1]) if edit.label == SHARED), None)

    @property
    def shown(self) -> list[str]:
        """The rows of the grid for the step on screen."""
        return self.now.draft.shown[self.step]


@dataclass
class Visitor:
    """One visitor's place, edits by scenario id, trail, runs that wait for a person, and guards switched off.

    `own` are the contents of their own scenario files by id, `writing` is the one they are at, as text, and `opened`
    the link they opened last. `lessons` is how far they are in Learn.
    """

    place: str = ""
    works: dict[str, Work] = field(default_factory=dict[str, Work])
    trail: list[Run] = field(default_factory=list[Run])
    queue: list[Run] = field(default_factory=list[Run])
    guards_off: set[str] = field(default_factory=set[str])
    refused: str = ""  # why the last approval was not made
    own: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    writing: str | None = None
    opened: str = ""
    lessons: Lessons = field(default_factory=Lessons)

    def work(self, scenario: Scenario) -> Work:
        """The visitor's work on a scenario, begun with the file's own steps, and anew when the file has others."""
        if not self._has_begun(scenario):
            self.works[scenario.id] = Work([Edit("as in the file", _draft(scenario.steps), 0)])
        return self.works[scenario.id]

    def steps(self, scenario: Scenario) -> list[Step]:
        """The steps on screen for a scenario, or its own where the visitor has not been."""
        return self.works[scenario.id].steps if self._has_begun(scenario) else scenario.steps

    def own_scenarios(self) -> list[Scenario]:
        """The visitor's own scenarios, oldest first."""
        return [from_data(scenario_id, data) for scenario_id, data in self.own.items()]

    def guards(self) -> dict[str, Guard]:
        """The guards that are switched on, in asking order."""
        return {name: guard for name, guard in GUARDS.items() if name not in self.guards_off}

    def is_edited(self, scenario: Scenario) -> bool:
        """Whether the steps on screen are other than the file's."""
        return not same(_content(self.steps(scenario)), _content(scenario.steps))

    def _has_begun(self, scenario: Scenario) -> bool:
        work = self.works.get(scenario.id)
        return work is not None and same(work.edits[0].draft.steps, scenario.steps)


# Typing in a field. Typing on in the same field stays one edit; other text in its place is another.


def say(work: Work, text: str) -> None:
    """Type in the sentence."""
    _typed(work, "said", text, lambda step: {**step, "said": text})


def set_cell(work: Work, side: str, field: str, text: str) -> None:
    """Type in a cell of the grid."""
    _typed(work, f"{side}.{field}", text, lambda step: grid.with_cell(step, side, field, text))


def set_side(work: Work, side: str, text: str) -> None:
    """Type in a side that is shown as the text a model sent."""
    _typed(work, side, text, lambda step: grid.with_side(step, side, text))


# Pressing a button. Every press is an edit of its own, after which the fields show the values anew.


def add_field(work: Work) -> None:
    """Add an empty row to the grid, under a name that is free."""
    new = next(name for name in chain(["field"], map("field_{}".format, count(2))) if name not in work.shown)
    _done(work, f"add {new}", lambda step: step, [*work.shown, new])


def rename_field(work: Work, old: str, new: str) -> None:
    """Give a row another name, unless it is empty or another row has it."""
    if new and new not in work.shown:
        names = [new if name == old else name for name in work.shown]
        _done(work, f"rename {old}", lambda step: grid.renamed(step, old, new), names)


def remove_field(work: Work, field: str) -> None:
    """Take a row away, with its values on both sides."""
    names = [name for name in work.shown if name != field]
    _done(work, f"remove {field}", lambda step: grid.without(step, field), names)


def attempt(work: Work, one: Mapping[str, Any]) -> None:
    """Make one of a scenario's `tries`, from the steps the file has, and look at a step that it changes."""
    own = work.edits[0].draft.steps
    steps = edited(own, one["set"])
    _add(work, Edit(one["label"], _draft(steps), _revision(work)))
    changed = [index for index, step in enumerate(steps) if not same(step, own[index])]
    if changed and work.step not in changed:
        work.step = changed[0]


def use_text(work: Work) -> None:
    """Show both sides of the step as the text a model sends."""
    _done(work, "as JSON text", grid.as_text, [])


def use_fields(work: Work) -> None:
    """Show both sides of the step as fields again; raises Unreadable where a side is not one object."""
    step = grid.as_fields(work.steps[work.step])
    _done(work, "as fields", lambda _: step, grid.fields(step))


def reset(work: Work) -> None:
    """Bring back the steps as they were shared, and from there the file's; an edit that can be undone."""
    shared = work.shared
    back_to_shared = shared is not None and not same(_content(shared.steps), _content(work.steps))
    _add(work, Edit("reset", shared if shared and back_to_shared else work.edits[0].draft, _revision(work)))


def go_to(work: Work, at: int) -> None:
    """Show the edit at a place of the list; undo is one back, redo one on."""
    work.edits[at] = replace(work.edits[at], revision=_revision(work))
    work.at, work.typing = at, ""


def _content(steps: list[Step]) -> list[Step]:
    return [grid.content(step) for step in steps]


def _first_change(before: list[Step], after: list[Step]) -> list[str]:
    changes = (each for old, new in zip(before, after, strict=True) for each in grid.changes(old, new))
    return [f"({place}: {was[:30]} to {now[:30]})" for place, was, now in changes][:1]


def _typed(work: Work, label: str, text: str, change: Callable[[Step], Step]) -> None:
    place = f"{work.step} {label}"
    if work.typing == place and _goes_on(work.typed, text):
        work.edits[work.at :] = [replace(work.now, draft=_changed(work, change))]
    else:
        _add(work, Edit(label, _changed(work, change), work.now.revision))
        work.typing = place
    work.typed = text


def _goes_on(before: str, after: str) -> bool:
    """Whether one text comes of the other by putting characters in at one place, or taking them out there."""
    return _alike(before, after) + _alike(before[::-1], after[::-1]) >= min(len(before), len(after))


def _alike(left: str, right: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _done(work: Work, label: str, change: Callable[[Step], Step], shown: list[str]) -> None:
    draft = _changed(work, change)
    draft.shown[work.step] = shown
    _add(work, Edit(label, draft, _revision(work)))


def _revision(work: Work) -> int:
    return 1 + max(edit.revision for edit in work.edits)


def _add(work: Work, edit: Edit) -> None:
    work.edits[work.at + 1 :] = [edit]
    del work.edits[1 : max(1, len(work.edits) - MOST_EDITS)]
    work.at, work.typing = len(work.edits) - 1, ""


def _draft(steps: list[Step]) -> Draft:
    return Draft(list(steps), [grid.fields(step) for step in steps])


def _changed(work: Work, change: Callable[[Step], Step]) -> Draft:
    steps = list(work.now.draft.steps)
    steps[work.step] = change(steps[work.step])
    return Draft(steps, list(work.now.draft.shown))


# Coming to a place.


def open_link(visitor: Visitor, scenario: Scenario, steps: list[Step], step: int) -> None:
    """Go to a scenario with the steps of a link, as an edit on top of what the visitor had made of it."""
    work = visitor.work(scenario)
    _add(work, Edit(SHARED, _draft(steps), _revision(work)))
    work.step = step
    visitor.place = scenario.id


def take(visitor: Visitor, scenario: Scenario) -> None:
    """Add a scenario to the visitor's own and go there; the same content keeps the same id."""
    text = to_json(scenario)
    name = re.sub(r"[^a-z0-9]+", "-", scenario.title.lower()).strip("-")
    visitor.place = f"own-{name}-{zlib.crc32(text.encode()):08x}"
    visitor.own.pop(visitor.place, None)
    visitor.own[visitor.place] = json.loads(text)
    for oldest in list(visitor.own)[:-MOST_OWN]:
        del visitor.own[oldest]


# Running, switching guards, deciding what waits.


def run_step(visitor: Visitor, scenario: Scenario) -> None:
    """Run the step on screen with every agent; what the guarded one leaves to a person joins the queue."""
    work = visitor.work(scenario)
    _run(visitor, scenario, work.steps, work.step)


def run_all(visitor: Visitor, scenarios: Sequence[Scenario]) -> None:
    """Run every step of every scenario, edited as it is."""
    for scenario in scenarios:
        steps = visitor.steps(scenario)
        for index in range(len(steps)):
            _run(visitor, scenario, steps, index)


def clear(visitor: Visitor) -> None:
    """Forget every run, and what waits because of one."""
    visitor.trail.clear()
    visitor.queue.clear()
    visitor.refused = ""


def switch_guard(visitor: Visitor, name: str) -> None:
    """Switch a guard off, or on again; the trail shows what its runs would have been."""
    visitor.guards_off ^= {name}
    visitor.trail = with_guards(visitor.trail, visitor.guards())


def waiting(visitor: Visitor) -> list[int]:
    """The places in the queue that wait with the guards as they are now; with some off, the agent would have paid."""
    if not visitor.guards_off:  # what some guards objected to, all of them object to
        return list(range(len(visitor.queue)))
    now = with_guards(visitor.queue, visitor.guards())
    return [number for number, each in enumerate(now) if each.outcomes["guarded"].waiting]


def approve(visitor: Visitor, number: int) -> None:
    """Pay what waits at a place of the queue, unless its step has changed since; then say so and let it wait on."""
    waiting = visitor.queue[number]
    step_now = visitor.steps(waiting.scenario)[waiting.index]
    try:
        outcome = person.approve(waiting.scenario, step_now, waiting.outcomes["guarded"])
    except person.Refused as error:
        visitor.refused = str(error)
    else:
        _decide(visitor, number, outcome)


def decline(visitor: Visitor, number: int) -> None:
    """Leave what waits at a place of the queue unpaid."""
    _decide(visitor, number, person.decline(visitor.queue[number].outcomes["guarded"]))


def _decide(visitor: Visitor, number: int, outcome: Outcome) -> None:
    _keep(visitor, decided(visitor.queue.pop(number), outcome))
    visitor.refused = ""


def _run(visitor: Visitor, scenario: Scenario, steps: list[Step], index: int) -> None:
    done = run(scenario, steps, index, visitor.is_edited(scenario), visitor.guards())
    if done.outcomes["guarded"].waiting:
        visitor.queue.append(done)
    _keep(visitor, done)


def _keep(visitor: Visitor, done: Run) -> None:
    visitor.trail.append(done)
    del visitor.trail[:-MOST_RUNS], visitor.queue[:-MOST_RUNS]
