"""What the bench shows, as plain data: the shapes that Python sends and page/bench/bench.js draws.

Every text, sign and number is made in Python. A `place` is the way to a field, such as ["first", "do", "amount"], and
comes back with what was typed there; a `verb` is what a button does, and comes back with what it is `about`.
"""

from typing import TypedDict


class Field(TypedDict):
    """A field to type in: its place, its name for a screen reader, its text, and what is said beside it."""

    place: list[str]
    name: str
    text: str
    note: str


class Action(TypedDict):
    """A button: what it does and about what, its words, what a pointer learns of it, whether it can be pressed."""

    verb: str
    about: list[str]
    label: str
    title: str
    enabled: bool


class Order(TypedDict):
    """A row of the order book: its id, its four fields and the button that removes it."""

    id: Field
    fields: list[Field]
    remove: Action


class Records(TypedDict):
    """The case: the ticket with its text, the order book, what is owed, which fields are harmless, what to look at."""

    ticket: list[Field]
    text: Field
    orders: list[Order]
    owed: list[Field]
    owed_words: str
    harmless: list[Field]
    actions: list[Action]
    owed_actions: list[Action]
    notes: list[str]
    notice: str


class Pair(TypedDict):
    """A row of the grid: a field's name, both its values, whether they are the same as a sign and as words."""

    name: Field
    intent: Field
    do: Field
    sign: str
    words: str
    remove: Action


class Answer(TypedDict):
    """An answer of the model: field by field or as JSON text, with what is to be said about it."""

    heading: str
    intent: str
    do: str
    pairs: list[Pair]
    texts: list[Field]
    notes: list[str]
    sides: list[Action]
    actions: list[Action]


class Gate(TypedDict):
    """A guard as a light and, maybe, a switch: its sign, its name and sentence, and its state, which is also a word."""

    sign: str
    name: str
    sentence: str
    state: str
    switches: bool


class Said(TypedDict):
    """A sentence and whose it is."""

    lead: str
    text: str


class Objection(TypedDict):
    """What one gate objects to: the gate's sign and name, and the objection."""

    sign: str
    name: str
    text: str


class Cost(TypedDict):
    """Over the whole pack: of `steps`, how many ended in wrong money and how many in a needless block."""

    steps: int
    wrong: int
    needless: int
    words: str


class Lane(TypedDict):
    """An agent's lane: the coin, where it is, the gates on its way, and how it ended.

    `reached` is "end" where the money was paid, "gate" where it was stopped and "start" where none was on its way;
    `tone` is a colour of the theme.
    """

    agent: str
    name: str
    way: str
    coin: str
    reached: str
    tone: str
    end: str
    gates: list[Gate]
    gates_actions: list[Action]
    printed: list[str]
    objections: list[Objection]
    first: list[Objection]
    sign: str
    verdict: str
    money: str
    reads: Said
    limit: list[Said]
    cost: Cost


class Option(TypedDict):
    """A row of a list to pick from."""

    action: Action
    detail: str
    mark: str
    current: bool


class Download(TypedDict):
    """A file to take away."""

    label: str
    name: str
    kind: str
    text: str


class Panel(TypedDict):
    """What one of the tools opens: lines, a list to pick from, sources, a link with its QR code, files, code."""

    tool: str
    heading: str
    lines: list[Said]
    options: list[Option]
    sources: list[Said]
    link: str
    qr: str
    qr_size: int
    files: list[Download]
    code: str


class Waits(TypedDict):
    """What waits for a person: the run that left it, its call as it was sent, why, and what can be decided."""

    heading: str
    call: str
    lines: list[Said]
    problems: list[str]
    actions: list[Action]


class Queue(TypedDict):
    """A person's queue: how many wait, those on this page of it, and what was decided just now."""

    label: str
    open: bool
    notes: list[str]
    waits: list[Waits]
    actions: list[Action]


class Picture(TypedDict):
    """All of the bench. `key` changes when fields have to take their texts anew; `heard` is the last event taken.

    `most` is the number of characters that a browser sends of a text; what has as many is not taken.
    """

    session: str
    heard: int
    most: int
    key: str
    scenario: str
    step: int
    title: str
    hook: str
    marks: list[str]
    pages: list[Action]
    pick: list[Action]
    tools: list[Action]
    steps: list[Action]
    panel: list[Panel]
    records: Records
    said: Field
    nobody: str
    answers: list[Answer]
    tries: list[Action]
    second: list[Action]
    changed: str
    lanes: list[Lane]
    queue: Queue
    runs: list[Action]
