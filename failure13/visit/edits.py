"""Edits: what a visitor makes of one scenario's steps, and the way back. Every edit gives new steps.

Typing on in the same field stays one edit; a button is always an edit of its own, after which the fields show the
values anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from failure13 import Step
from failure13.characters import shortened
from failure13.compare import same
from failure13.scenarios import with_edit
from failure13.visit import grid

MOST_EDITS = 200  # kept to go back to, for each scenario
SHARED = "as shared"  # the label of the edit that opening a link makes


@dataclass(frozen=True)
class Draft:
    """A scenario's steps as edited, and the fields that the grid has for each, also those still to be filled."""

    steps: list[Step]
    fields: list[list[str]]


@dataclass(frozen=True)
class Edit:
    """A draft and what was done to come to it.

    The edits of one scenario are told apart by `number`; an edit that grows while one types gets a new one each time.
    `revision` changes whenever a draft comes on screen by anything but typing.
    """

    number: int
    label: str
    draft: Draft
    revision: int


class Work:
    """The edits to one scenario, oldest first, which of them is on screen, and which step of it.

    `typing` is the field in which the edit on screen was typed and still grows, with its step, else nothing; `typed`
    is the text in it.
    """

    def __init__(self, steps: list[Step]) -> None:
        self.edits = [Edit(0, "as in the file", draft_of(steps), 0)]
        self.at = 0
        self.step = 0
        self.typing = ""
        self.typed = ""

    @property
    def now(self) -> Edit:
        """The edit on screen."""
        return self.edits[self.at]

    @property
    def steps(self) -> list[Step]:
        """The steps as edited."""
        return self.now.draft.steps

    @property
    def fields(self) -> list[str]:
        """The fields that the grid has for the step on screen."""
        return self.now.draft.fields[self.step]

    @property
    def shared(self) -> Draft | None:
        """The steps as the link had them that was opened last, if one was."""
        return next((edit.draft for edit in reversed(self.edits[: self.at + 1]) if edit.label == SHARED), None)

    def names(self) -> list[str]:
        """What each edit was, oldest first, with the first thing that it changed."""
        drafts = [edit.draft.steps for edit in self.edits]
        return [
            " ".join([edit.label, *_first_change(before, after)])
            for edit, before, after in zip(self.edits, [drafts[0], *drafts], drafts, strict=False)
        ]

    def say(self, text: str) -> None:
        """Type in the sentence."""
        self._type("said", text, lambda step: {**step, "said": text})

    def set_cell(self, side: str, field: str, text: str) -> None:
        """Type in a cell of the grid."""
        self._type(f"{side}.{field}", text, lambda step: grid.with_cell(step, side, field, text))

    def set_side(self, side: str, text: str) -> None:
        """Type in a side that is shown as the text a model sent."""
        self._type(side, text, lambda step: grid.with_side(step, side, text))

    def add_field(self) -> None:
        """Add an empty row to the grid, under a name that is free."""
        new = next(name for name in chain(["field"], map("field_{}".format, count(2))) if name not in self.fields)
        self._do(f"add {new}", lambda step: step, [*self.fields, new])

    def rename_field(self, old: str, new: str) -> None:
        """Give a row another name, unless that is empty or another row has it."""
        if new and new not in self.fields:
            names = [new if name == old else name for name in self.fields]
            self._do(f"rename {old}", lambda step: grid.renamed(step, old, new), names)

    def remove_field(self, field: str) -> None:
        """Take a row away, with its values on both sides."""
        names = [name for name in self.fields if name != field]
        self._do(f"remove {field}", lambda step: grid.without(step, field), names)

    def use_text(self) -> None:
        """Show both sides of the step as the text a model sends."""
        self._do("as JSON text", grid.as_text, [])

    def use_fields(self) -> None:
        """Show both sides of the step as fields again; raises Unreadable where a side is not one object."""
        step = grid.as_fields(self.steps[self.step])
        self._do("as fields", lambda _: step, grid.fields(step))

    def attempt(self, one: Mapping[str, Any]) -> None:
        """Make one of a scenario's `tries`, from the steps the file has, and look at a step that it changes."""
        own = self.edits[0].draft.steps
        steps = with_edit(own, one["set"])
        self._add(one["label"], draft_of(steps))
        changed = [index for index, step in enumerate(steps) if not same(step, own[index])]
        if changed and self.step not in changed:
            self.step = changed[0]

    def open_shared(self, steps: list[Step], step: int) -> None:
        """Put the steps of a link on top of what there is, and look at the one that was on screen."""
        self._add(SHARED, draft_of(steps))
        self.step = step

    def reset(self) -> None:
        """Bring back the steps as they were shared, and from there the file's; an edit that can be undone."""
        shared = self.shared
        back_to_shared = shared is not None and not same(content(shared.steps), content(self.steps))
        self._add("reset", shared if shared and back_to_shared else self.edits[0].draft)

    def go_to(self, at: int) -> None:
        """Show the edit at a place of the list; undo is one back, redo one on."""
        self.edits[at] = replace(self.edits[at], revision=self._revision())
        self.at, self.typing = at, ""

    def _type(self, label: str, text: str, change: Callable[[Step], Step]) -> None:
        place = f"{self.step} {label}"
        if self.typing == place and _goes_on(self.typed, text):
            self.edits[self.at :] = [replace(self.now, number=self._number(), draft=self._changed(change))]
        else:
            self._add(label, self._changed(change), self.now.revision)
            self.typing = place
        self.typed = text

    def _do(self, label: str, change: Callable[[Step], Step], fields: list[str]) -> None:
        draft = self._changed(change)
        draft.fields[self.step] = fields
        self._add(label, draft)

    def _changed(self, change: Callable[[Step], Step]) -> Draft:
        steps = list(self.steps)
        steps[self.step] = change(steps[self.step])
        return Draft(steps, list(self.now.draft.fields))

    def _add(self, label: str, draft: Draft, revision: int | None = None) -> None:
        revision = self._revision() if revision is None else revision
        self.edits[self.at + 1 :] = [Edit(self._number(), label, draft, revision)]
        del self.edits[1 : max(1, len(self.edits) - MOST_EDITS)]
        self.at, self.typing = len(self.edits) - 1, ""

    def _number(self) -> int:
        return 1 + max(edit.number for edit in self.edits)

    def _revision(self) -> int:
        return 1 + max(edit.revision for edit in self.edits)


def draft_of(steps: list[Step]) -> Draft:
    """The steps with the fields that they have."""
    return Draft(list(steps), [grid.fields(step) for step in steps])


def content(steps: list[Step]) -> list[Step]:
    """The steps with each side as the object it spells, so that showing one as text is no edit of it."""
    return [grid.content(step) for step in steps]


def _first_change(before: list[Step], after: list[Step]) -> list[str]:
    changes = (each for old, new in zip(before, after, strict=True) for each in grid.changes(old, new))
    return [f"({each.place}: {shortened(each.before, 30)} to {shortened(each.after, 30)})" for each in changes][:1]


def _goes_on(before: str, after: str) -> bool:
    """Whether one text becomes the other by putting characters in, or taking them out, at one place."""
    return _alike(before, after) + _alike(before[::-1], after[::-1]) >= min(len(before), len(after))


def _alike(left: str, right: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
