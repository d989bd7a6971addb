"""What one visitor has done: the place they are at, the edits they made, the runs they asked for.

Nothing else is kept. Outcomes, ledgers, verdicts and charts are worked out from this each time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from failure13 import Step, grid
from failure13.compare import same
from failure13.scenarios import Scenario, edited

MOST_EDITS = 200  # kept to go back to, for each scenario


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

    `typing` says whether the edit on screen was typed and still grows.
    """

    edits: list[Edit]
    at: int = 0
    step: int = 0
    typing: bool = False

    @property
    def now(self) -> Edit:
        """The edit on screen."""
        return self.edits[self.at]

    @property
    def steps(self) -> list[Step]:
        """The steps as edited."""
        return self.now.draft.steps

    @property
    def shown(self) -> list[str]:
        """The rows of the grid for the step on screen."""
        return self.now.draft.shown[self.step]


@dataclass
class Visitor:
    """One visitor's place, edits by scenario id, and trail."""

    place: str = ""
    works: dict[str, Work] = field(default_factory=dict[str, Work])
    trail: list[Any] = field(default_factory=list[Any])

    def work(self, scenario: Scenario) -> Work:
        """The visitor's work on a scenario, begun with the file's own steps."""
        if scenario.id not in self.works:
            self.works[scenario.id] = Work([Edit("as in the file", _draft(scenario.steps), 0)])
        return self.works[scenario.id]

    def steps(self, scenario: Scenario) -> list[Step]:
        """The steps on screen for a scenario, or its own where the visitor has not been."""
        return self.works[scenario.id].steps if scenario.id in self.works else scenario.steps

    def is_edited(self, scenario: Scenario) -> bool:
        """Whether the steps on screen are other than the file's."""
        return scenario.id in self.works and not same(self.steps(scenario), scenario.steps)


# Typing in a field. Typing on in the same field stays one edit.


def say(work: Work, text: str) -> None:
    """Type in the sentence."""
    _typed(work, "said", lambda step: {**step, "said": text})


def set_cell(work: Work, side: str, field: str, text: str) -> None:
    """Type in a cell of the grid."""
    _typed(work, f"{side}.{field}", lambda step: grid.with_cell(step, side, field, text))


def set_side(work: Work, side: str, text: str) -> None:
    """Type in a side that is shown as the text a model sent."""
    _typed(work, side, lambda step: grid.with_side(step, side, text))


# Pressing a button. Every press is an edit of its own, after which the fields show the values anew.


def add_field(work: Work) -> None:
    """Add an empty row to the grid, under a name that is free."""
    new = next(name for name in ("field", *map("field_{}".format, count(2))) if name not in work.shown)
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
    """Make one of a scenario's `tries`, from the steps the file has."""
    _add(work, Edit(one["label"], _draft(edited(work.edits[0].draft.steps, one["set"])), _revision(work)))


def reset(work: Work) -> None:
    """Bring back the file's steps, as an edit that can be undone."""
    _add(work, Edit("reset", work.edits[0].draft, _revision(work)))


def go_to(work: Work, at: int) -> None:
    """Show the edit at a place of the list; undo is one back, redo one on."""
    work.edits[at] = replace(work.edits[at], revision=_revision(work))
    work.at, work.typing = at, False


def _typed(work: Work, label: str, change: Callable[[Step], Step]) -> None:
    if work.typing and work.now.label == label:
        work.edits[work.at :] = [replace(work.now, draft=_changed(work, change))]
    else:
        _add(work, Edit(label, _changed(work, change), work.now.revision))
        work.typing = True


def _done(work: Work, label: str, change: Callable[[Step], Step], shown: list[str]) -> None:
    draft = _changed(work, change)
    draft.shown[work.step] = shown
    _add(work, Edit(label, draft, _revision(work)))


def _revision(work: Work) -> int:
    return 1 + max(edit.revision for edit in work.edits)


def _add(work: Work, edit: Edit) -> None:
    work.edits[work.at + 1 :] = [edit]
    del work.edits[1 : max(1, len(work.edits) - MOST_EDITS)]
    work.at, work.typing = len(work.edits) - 1, False


def _draft(steps: list[Step]) -> Draft:
    return Draft(list(steps), [grid.fields(step) for step in steps])


def _changed(work: Work, change: Callable[[Step], Step]) -> Draft:
    steps = list(work.now.draft.steps)
    steps[work.step] = change(steps[work.step])
    return Draft(steps, list(work.now.draft.shown))
