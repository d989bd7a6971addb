"""Edits: what a visitor makes of one scenario's steps and records, and the way back. Every edit gives new ones.

Typing on in the same field stays one edit; a button is always an edit of its own, after which the fields show the
values anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any

from failure13 import Call, Case, Step
from failure13.calls import is_object
from failure13.characters import shortened
from failure13.compare import same
from failure13.scenarios import Scenario, most_fields, most_orders, records_mistakes, with_edit
from failure13.visit import grid, records
from failure13.visit.records import NoRecord, Place, Records

MOST_EDITS = 200  # kept to go back to, for each scenario
SHARED = "as shared"  # the label of the edit that opening a link makes


@dataclass(frozen=True)
class Draft:
    """A scenario's steps and case as edited.

    `fields` are those that the grid has for each step's first answer, also those still to be filled, and `second` those
    for its second. `unusable` are texts typed in the records that break a rule, by their place.
    """

    steps: list[Step]
    fields: list[list[str]]
    case: Case
    second: list[list[str]]
    unusable: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def records(self) -> Records:
        """The case, with the steps for what is owed."""
        return Records(self.case, self.steps)


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

    `of` is the scenario as its file has it. `typing` is the field in which the edit on screen was typed and still
    grows, with its step, else nothing; `typed` is the text in it. An `answer` is 0 for a step's first answer and 1 for
    its second, the retry.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.of = scenario
        self.edits = [Edit(0, "as in the file", draft_of(scenario.steps, scenario.case), 0)]
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
    def case(self) -> Case:
        """The case as edited."""
        return self.now.draft.case

    @property
    def shared(self) -> Draft | None:
        """What the link held that was opened last, if one was."""
        return next((edit.draft for edit in reversed(self.edits[: self.at + 1]) if edit.label == SHARED), None)

    def fields(self, answer: int = 0) -> list[str]:
        """The fields that the grid has for an answer of the step on screen."""
        draft = self.now.draft
        return (draft.second if answer else draft.fields)[self.step]

    def names(self) -> list[str]:
        """What each edit was, oldest first, with the first thing that it changed."""
        drafts = [edit.draft for edit in self.edits]
        return [
            " ".join([edit.label, *_first_change(before, after)])
            for edit, before, after in zip(self.edits, [drafts[0], *drafts], drafts, strict=False)
        ]

    # The answers.

    def say(self, text: str) -> None:
        """Type in the sentence."""
        self._type("said", text, self._changed(lambda step: {**step, "said": text}))

    def set_cell(self, side: str, field: str, text: str, answer: int = 0) -> None:
        """Type in a cell of the grid."""
        changed = self._changed(lambda step: grid.with_cell(step, side, field, text), answer)
        self._type(f"{SECOND * answer}{side}.{field}", text, changed)

    def set_side(self, side: str, text: str, answer: int = 0) -> None:
        """Type in a side that is shown as the text a model sent."""
        changed = self._changed(lambda step: grid.with_side(step, side, text), answer)
        self._type(f"{SECOND * answer}{side}", text, changed)

    def add_field(self, answer: int = 0) -> None:
        """Add an empty row to the grid, under a name that is free; raises grid.Full where no more fit."""
        names = self.fields(answer)
        if len(names) >= most_fields():
            raise grid.Full(len(names) + 1)
        new = next(name for name in chain(["field"], map("field_{}".format, count(2))) if name not in names)
        self._do(f"add {new}", lambda step: step, [*names, new], answer)

    def rename_field(self, old: str, new: str, answer: int = 0) -> None:
        """Give a row another name, unless that is empty or another row has it."""
        fields = self.fields(answer)
        if new and new not in fields:
            names = [new if name == old else name for name in fields]
            self._do(f"rename {old}", lambda step: grid.renamed(step, old, new), names, answer)

    def remove_field(self, field: str, answer: int = 0) -> None:
        """Take a row away, with its values on both sides."""
        names = [name for name in self.fields(answer) if name != field]
        self._do(f"remove {field}", lambda step: grid.without(step, field), names, answer)

    def set_null(self, side: str, answer: int = 0) -> None:
        """Declare nothing, or call nothing; the rows stay."""
        label = "no intent" if side == "intent" else "no call"
        self._do(label, lambda step: grid.with_side(step, side, None), self.fields(answer), answer)

    def set_object(self, side: str, answer: int = 0) -> None:
        """Declare or call again: what the other side has, else what the file's own has, else nothing yet."""
        own = self._answer_in(self.edits[0].draft.steps[self.step], answer)
        now, other = self._answer_in(self.steps[self.step], answer), "do" if side == "intent" else "intent"
        nothing: Call = {}
        found = next((value for value in (now[other], own.get(side)) if is_object(value)), nothing)
        names = list(dict.fromkeys([*self.fields(answer), *found]))
        label = "an intent" if side == "intent" else "a call"
        self._do(label, lambda step: grid.with_side(step, side, dict(found)), names, answer)

    def use_text(self, answer: int = 0) -> None:
        """Show both sides of an answer as the text a model sends."""
        self._do("as JSON text", grid.as_text, [], answer)

    def use_fields(self, answer: int = 0) -> None:
        """Show both sides of an answer as fields again; raises Unreadable where one is no object, Full of too many."""
        changed = grid.as_fields(self._answer_in(self.steps[self.step], answer))
        self._do("as fields", lambda _: changed, grid.fields(changed), answer)

    def add_second(self) -> None:
        """Add a second answer to the step on screen, which begins as the first."""
        step = self.steps[self.step]
        retry = {side: step[side] for side in grid.SIDES}
        draft = self._draft(step={**step, "retry": retry})
        draft.second[self.step] = list(self.fields())
        self._add("add a second answer", draft)

    def remove_second(self) -> None:
        """Take the second answer of the step on screen away."""
        step = {part: value for part, value in self.steps[self.step].items() if part != "retry"}
        draft = self._draft(step=step)
        draft.second[self.step] = []
        self._add("remove the second answer", draft)

    # The records.

    def set_record(self, place: Place, text: str) -> None:
        """Type in a record; a text that breaks a rule of a file is kept, and the last good one stays in force.

        Raises NoRecord where there is none.
        """
        now = self.now.draft
        (case, steps), unusable = records.typed(now.records, now.unusable, self.step, place, text)
        self._type(" ".join(place), text, replace(self._draft(), case=case, steps=steps, unusable=unusable))

    def add_order(self) -> None:
        """Add an order to the book; raises NoRecord where no more fit."""
        if len(self.case["orders"]) >= most_orders():
            raise NoRecord(f"at most {most_orders()} orders fit in the book")
        self._keep_records("add an order", records.with_new_order(self.case), self.steps)

    def remove_order(self, order_id: str) -> None:
        """Take an order out of the book; raises NoRecord where the rest would break a rule of a file."""
        self._keep_records(f"remove order {order_id}", records.without_order(self.case, order_id), self.steps)

    def rename_order(self, old: str, new: str) -> None:
        """Give an order another id; raises NoRecord where the rest would break a rule of a file."""
        case = records.with_order_renamed(self.case, old, new)
        self._keep_records(f"rename order {old}", case, self.steps)

    def set_owed_nothing(self) -> None:
        """Owe nothing for the step on screen."""
        draft = self._draft(step={**self.steps[self.step], "owed": None})
        self._add("owe nothing", draft)

    def set_owed_something(self) -> None:
        """Owe for the step on screen what the file has, else what the ticket asks for."""
        ticket = self.case["ticket"]
        of_ticket = {"order_id": ticket["order_id"], "amount": ticket.get("agreed_amount", "0")}
        own = self.edits[0].draft.steps[self.step]["owed"]
        for owed in (own, of_ticket):
            steps = self._draft(step={**self.steps[self.step], "owed": owed}).steps
            if owed is not None and not records_mistakes(self.case, steps):
                self._keep_records("owe something", self.case, steps)
                return

    # All of it.

    def attempt(self, one: Mapping[str, Any]) -> None:
        """Make one of a scenario's `tries`, from the steps the file has, and look at a step that it changes."""
        own = self.edits[0].draft
        steps = with_edit(own.steps, one["set"])
        self._add(one["label"], draft_of(steps, own.case))
        changed = [index for index, step in enumerate(steps) if not same(step, own.steps[index])]
        if changed and self.step not in changed:
            self.step = changed[0]

    def open_shared(self, steps: list[Step], case: Case, step: int) -> None:
        """Put what a link holds on top of what there is, and look at the step that was on screen."""
        self._add(SHARED, draft_of(steps, case))
        self.step = step

    def reset(self) -> None:
        """Bring back what was shared, and from there what the file has; an edit that can be undone.

        What is shown as JSON text stays shown so.
        """
        shared = self.shared
        back_to_shared = shared is not None and not is_same(shared, self.now.draft)
        target = shared if shared and back_to_shared else self.edits[0].draft
        steps = [_shown_as(now, then) for now, then in zip(self.steps, target.steps, strict=True)]
        self._add("reset", draft_of(steps, target.case))

    def go_to(self, at: int) -> None:
        """Show the edit at a place of the list; undo is one back, redo one on."""
        self.edits[at] = replace(self.edits[at], revision=self._revision())
        self.at, self.typing = at, ""

    def _type(self, label: str, text: str, draft: Draft) -> None:
        place = f"{self.step} {label}"
        if self.typing == place and _goes_on(self.typed, text):
            self.edits[self.at :] = [replace(self.now, number=self._number(), draft=draft)]
        else:
            self._add(label, draft, self.now.revision)
            self.typing = place
        self.typed = text

    def _do(self, label: str, change: Callable[[Any], Any], fields: list[str], answer: int) -> None:
        draft = self._changed(change, answer)
        (draft.second if answer else draft.fields)[self.step] = fields
        self._add(f"{SECOND * answer}{label}", draft)

    def _changed(self, change: Callable[[Any], Any], answer: int = 0) -> Draft:
        step: Any = self.steps[self.step]
        return self._draft(step={**step, "retry": change(step["retry"])} if answer else change(step))

    def _draft(self, step: Any = None) -> Draft:
        """The draft on screen once more, with lists of its own, and the step on screen in another form."""
        now, steps = self.now.draft, list(self.steps)
        if step is not None:
            steps[self.step] = step
        return replace(now, steps=steps, fields=list(now.fields), second=list(now.second))

    def _keep_records(self, label: str, case: Case, steps: list[Step]) -> None:
        if found := records_mistakes(case, steps):
            raise NoRecord(found[0])
        there = {name for name, _ in self._unusable_in(case, steps)}
        unusable = {name: text for name, text in self.now.draft.unusable.items() if name in there}
        self._add(label, replace(self._draft(), case=case, steps=steps, unusable=unusable))

    def _unusable_in(self, case: Case, steps: list[Step]) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for name, text in self.now.draft.unusable.items():
            place, step = records.place_of(name)
            if records.is_there(Records(case, steps), step, place):
                found.append((name, text))
        return found

    def _answer_in(self, step: Mapping[str, Any], answer: int) -> Any:
        return step.get("retry", {}) if answer else step

    def _add(self, label: str, draft: Draft, revision: int | None = None) -> None:
        revision = self._revision() if revision is None else revision
        self.edits[self.at + 1 :] = [Edit(self._number(), label, draft, revision)]
        del self.edits[1 : max(1, len(self.edits) - MOST_EDITS)]
        self.at, self.typing = len(self.edits) - 1, ""

    def _number(self) -> int:
        return 1 + max(edit.number for edit in self.edits)

    def _revision(self) -> int:
        return 1 + max(edit.revision for edit in self.edits)


SECOND = "second "  # in front of what is done to a second answer


def draft_of(steps: list[Step], case: Case) -> Draft:
    """Steps and a case with the fields that they have."""
    retries = [step.get("retry") for step in steps]
    second = [grid.fields(retry) if retry else [] for retry in retries]
    return Draft(list(steps), [grid.fields(step) for step in steps], case, second)


def is_same(one: Draft, other: Draft) -> bool:
    """Whether two drafts say the same; showing a side as text is no edit of it."""
    return same(one.case, other.case) and same(content(one.steps), content(other.steps))


def content(steps: list[Step]) -> list[Any]:
    """The steps with each side as the object it spells, so that showing one as text is no edit of it."""
    retries = [step.get("retry") for step in steps]
    return [
        {**grid.content(step), "retry": grid.content(retry)} if retry else grid.content(step)
        for step, retry in zip(steps, retries, strict=True)
    ]


def _shown_as(now: Step, then: Step) -> Step:
    """A step with its sides as text where another one has them so."""
    shown: Any = grid.as_text(then) if grid.is_text(now) else then
    second, retry = now.get("retry"), then.get("retry")
    if second and retry and grid.is_text(second):
        shown = {**shown, "retry": grid.as_text(retry)}
    return shown


def _first_change(before: Draft, after: Draft) -> list[str]:
    changes = [
        *(each for old, new in zip(before.steps, after.steps, strict=True) for each in grid.changes(old, new)),
        *records.changes(before.case, after.case),
    ]
    return [f"({each.place}: {shortened(each.before, 30)} to {shortened(each.after, 30)})" for each in changes][:1]


def _goes_on(before: str, after: str) -> bool:
    """Whether one text becomes the other by putting characters in, or taking them out, at one place."""
    return _alike(before, after) + _alike(before[::-1], after[::-1]) >= min(len(before), len(after))


def _alike(left: str, right: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
