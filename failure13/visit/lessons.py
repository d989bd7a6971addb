"""Learn: each scenario becomes a lesson of a few beats, with a prediction before the outcome.

A beat is plain data for the page to show. Nothing of an outcome is shown before the prediction is made.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from failure13 import Call, Step, verdicts
from failure13.agents import AGENTS, GUARDED
from failure13.characters import shortened
from failure13.limits import LIMITS
from failure13.replay import Outcome, replay
from failure13.scenarios import Scenario
from failure13.visit import cells, grid, tables
from failure13.visit.tables import Table

RECORDS, SAID, PREDICT, STEP = "records", "said", "predict", "step"
GAP, TRIES, SANDBOX = "gap", "tries", "sandbox"
BEATS = (RECORDS, SAID, PREDICT, STEP, *AGENTS, GAP, TRIES)  # the last lesson ends with SANDBOX as well
PREDICT_AT, GAP_AT = BEATS.index(PREDICT) + 1, BEATS.index(GAP) + 1

NOTHING, RIGHT, WRONG = "no money moves", "the right payment", "a wrong payment"
CHOICES = (NOTHING, RIGHT, WRONG)
HAPPENED = {NOTHING: "moved no money", RIGHT: "made the right payment", WRONG: "made a wrong payment"}
EXPECTED = {NOTHING: "none", RIGHT: "the right payment", WRONG: "a wrong payment"}

# The kinds of a line. Lines that are PRINTED or an ASIDE are looked at, as tables are, and not read.
PLAIN, QUOTE, PRINTED, ASIDE = "plain", "quote", "printed", "aside"

MOST_HANDS = 9999  # that can be counted for one choice

OTHERS = "More"  # the group of a scenario that names none

CHALLENGE = "In Explore, get wrong money past the guarded agent. There is a way: which harm can no record see?"
ANSWER = (
    "Declare a store_credit and call it too: no record speaks of it, so guarded pays. Where no amount was agreed, any "
    "refundable amount passes. And a record that is itself wrong is believed."
)


@dataclass(frozen=True)
class Beat:
    """What a beat shows: a heading, lines as (kind, text), tables, and the verdict where it is about an outcome."""

    name: str
    heading: str
    lines: tuple[tuple[str, str], ...] = ()
    tables: tuple[Table, ...] = ()
    verdict: str = ""


@dataclass(frozen=True)
class Lesson:
    """A scenario as a lesson: its place in the pack, counted from 0, and what each agent does with its steps.

    The outcomes are those of the file as it is, with every guard on, so they are worked out once for all visitors.
    """

    number: int
    scenario: Scenario

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """What each agent does with the last step, which the lesson is about."""
        return {agent: of_agent[-1] for agent, of_agent in replay(self.scenario).items()}


def lessons_of(scenarios: Iterable[Scenario]) -> list[Lesson]:
    """A lesson for each scenario, in their order."""
    return [Lesson(number, scenario) for number, scenario in enumerate(scenarios)]


@dataclass
class Progress:
    """How far one visitor is, by scenario id; all of it plain data.

    predictions: by agent, a choice; hands: a room's show of hands, by agent and choice; locked: scenarios whose
    predictions can no longer change, for the outcome was shown; done: scenarios gone through up to the gap; presenter:
    whether predictions may be skipped; challenged, answer_seen: whether the challenge was taken, its answer read.
    """

    place: str = ""
    beat: int = 1
    predictions: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    hands: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict[str, dict[str, dict[str, int]]])
    locked: list[str] = field(default_factory=list[str])
    done: list[str] = field(default_factory=list[str])
    presenter: bool = False
    challenged: bool = False
    answer_seen: bool = False


# Where one is, and going on.


def at(progress: Progress, lessons: Sequence[Lesson]) -> int:
    """The number of the lesson a visitor is at; the first where they have not begun."""
    return next((lesson.number for lesson in lessons if lesson.scenario.id == progress.place), 0)


def beats(number: int, count: int) -> tuple[str, ...]:
    """The beats of a lesson of `count`, in order, and the sandbox after the last lesson."""
    return (*BEATS, SANDBOX) if number == count - 1 else BEATS


def predicted(progress: Progress, lesson: Lesson) -> bool:
    """Whether there is a prediction for every agent."""
    return set(AGENTS) <= _given(progress, lesson).keys()


def may_predict(progress: Progress, lesson: Lesson) -> bool:
    """Whether a prediction can still be made or changed: until the outcome has been shown."""
    return lesson.scenario.id not in progress.locked


def go(progress: Progress, lessons: Sequence[Lesson], number: int, beat: int) -> str:
    """Go to a beat, counted from 1, of a lesson; before the prediction no further than to it.

    Returns why it went no further, or "".
    """
    lesson = lessons[number]
    missing = beat > PREDICT_AT and not progress.presenter and not predicted(progress, lesson)
    progress.place, progress.beat = lesson.scenario.id, PREDICT_AT if missing else beat
    if progress.beat > PREDICT_AT and predicted(progress, lesson):
        _note(progress.locked, lesson.scenario.id)
    if progress.beat >= GAP_AT:
        _note(progress.done, lesson.scenario.id)
    return f"First your prediction for {_listed(outstanding(progress, lesson))}." if missing else ""


def forward(progress: Progress, lessons: Sequence[Lesson]) -> str:
    """One beat on, after a lesson's last beat into the next lesson; returns why it went no further, or ""."""
    number = at(progress, lessons)
    if progress.beat < len(beats(number, len(lessons))):
        return go(progress, lessons, number, progress.beat + 1)
    if number + 1 < len(lessons):
        return go(progress, lessons, number + 1, 1)
    return "This is the last beat of the last lesson."


def back(progress: Progress, lessons: Sequence[Lesson]) -> str:
    """One beat back, before a lesson's first beat into the lesson before; returns why it went elsewhere, or ""."""
    number = at(progress, lessons)
    if progress.beat > 1:
        return go(progress, lessons, number, progress.beat - 1)
    if number > 0:
        return go(progress, lessons, number - 1, len(beats(number - 1, len(lessons))))
    return "This is the first beat of the first lesson."


def follow(progress: Progress, lessons: Sequence[Lesson], link: Mapping[str, str]) -> str:
    """Go where a link such as {"lesson": "3", "beat": "5"} points; returns what was wrong with it, or "".

    A link without them leads nowhere new. `fresh` is for the caller, for it replaces all of Progress.
    """
    if "lesson" not in link and "beat" not in link:
        return ""
    number, wrong_lesson = _number(link, "lesson", len(lessons), at(progress, lessons) + 1)
    beat, wrong_beat = _number(link, "beat", len(beats(number - 1, len(lessons))), 1)
    return " ".join(filter(None, (wrong_lesson, wrong_beat, go(progress, lessons, number - 1, beat))))


def _number(link: Mapping[str, str], name: str, most: int, otherwise: int) -> tuple[int, str]:
    text = link.get(name, str(otherwise))
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most:
        return int(text), ""
    found = shortened(text, 20)
    return otherwise, f'The link asks for {name} "{found}", and there are 1 to {most}; this is {name} {otherwise}.'


def _note(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


# Predictions and hands.


def _given(progress: Progress, lesson: Lesson) -> dict[str, str]:
    return progress.predictions.get(lesson.scenario.id, {})


def outstanding(progress: Progress, lesson: Lesson) -> list[str]:
    """The agents still to be predicted, in order."""
    return [agent for agent in AGENTS if agent not in _given(progress, lesson)]


def next_agent(progress: Progress, lesson: Lesson) -> str:
    """The agent that a choice is for: the first still to be predicted, else the last, whose choice can change."""
    return next(iter(outstanding(progress, lesson)), list(AGENTS)[-1])


def predict(progress: Progress, lesson: Lesson, choice: str) -> None:
    """Take a choice for the next agent, as long as it may still change."""
    if may_predict(progress, lesson):
        progress.predictions.setdefault(lesson.scenario.id, {})[next_agent(progress, lesson)] = choice


def take_back(progress: Progress, lesson: Lesson) -> None:
    """Take the last prediction back, as long as it may still change."""
    given = _given(progress, lesson)
    if given and may_predict(progress, lesson):
        del given[list(given)[-1]]


def again(progress: Progress, lessons: Sequence[Lesson], number: int) -> None:
    """Begin a lesson anew, its prediction included."""
    name = lessons[number].scenario.id
    progress.predictions.pop(name, None)
    for names in (progress.locked, progress.done):
        if name in names:
            names.remove(name)
    go(progress, lessons, number, 1)


def raise_hands(progress: Progress, lesson: Lesson, agent: str, choice: str, count: int) -> None:
    """Note how many hands of a room went up for a choice."""
    progress.hands.setdefault(lesson.scenario.id, {}).setdefault(agent, {})[choice] = count


def hands(progress: Progress, lesson: Lesson, agent: str, choice: str) -> int:
    """How many hands went up for a choice."""
    return progress.hands.get(lesson.scenario.id, {}).get(agent, {}).get(choice, 0)


def came(outcome: Outcome) -> str:
    """The choice that an outcome proves right; a crash moves no money."""
    return {verdicts.PAID_AS_OWED: RIGHT, verdicts.WRONG_MONEY: WRONG}.get(outcome.verdict, NOTHING)


def is_missed(progress: Progress, lesson: Lesson) -> bool:
    """Whether a lesson was gone through with a prediction that did not hold, and so is worth another go."""
    return lesson.scenario.id in progress.done and bool(_missed(_given(progress, lesson), lesson.outcomes))


def _missed(given: Mapping[str, str], outcomes: Mapping[str, Outcome]) -> list[str]:
    return [agent for agent in AGENTS if agent in given and given[agent] != came(outcomes[agent])]


def groups(lessons: Sequence[Lesson]) -> dict[str, list[Lesson]]:
    """The lessons by the name of their group, in the order of the pack."""
    found: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        found.setdefault(lesson.scenario.group or OTHERS, []).append(lesson)
    return found


def result(progress: Progress, lesson: Lesson) -> str:
    """How a lesson went, in a word or two: "done", "once more" where a prediction did not hold, "" where it was not."""
    if lesson.scenario.id not in progress.done:
        return ""
    return "once more" if is_missed(progress, lesson) else "done"


def title(progress: Progress, lesson: Lesson) -> str:
    """What a lesson is called: "Lesson 7", and with its title once the outcome has been shown."""
    seen = lesson.scenario.id in [*progress.done, *progress.locked]
    return f"Lesson {lesson.number + 1}" + (f": {lesson.scenario.title}" if seen else "")


def past_the_guards(
    lessons: Iterable[Lesson], edited: Callable[[Scenario], bool], outcomes: Callable[[Scenario], Any]
) -> list[Lesson]:
    """The lessons in which a visitor's own edits made the guarded agent pay wrong money.

    `edited` says whether a scenario is, `outcomes` what the agents then do with it. Where the file alone already gets
    past the guards, no edit of the visitor's did.
    """
    return [
        lesson
        for lesson in lessons
        if edited(lesson.scenario)
        and lesson.outcomes[GUARDED].verdict != verdicts.WRONG_MONEY
        and any(outcome.verdict == verdicts.WRONG_MONEY for outcome in outcomes(lesson.scenario)[GUARDED])
    ]


# What a beat shows.


def beat_of(name: str, lesson: Lesson, progress: Progress) -> Beat:
    """One beat of a lesson as plain data."""
    if name in AGENTS:
        return _agent(name, lesson, progress)
    return _MADE_BY[name](lesson, progress)


def _records(lesson: Lesson, _: Progress) -> Beat:
    case = lesson.scenario.case
    lines = [(QUOTE, case["ticket"]["text"]), (ASIDE, tables.ticket_line(case))]
    if lesson.number == 0:
        lines.insert(0, (PLAIN, "An agent handles refund tickets. First it writes a sentence, then it makes a call."))
    return Beat(RECORDS, "The ticket and the records", tuple(lines), (tables.orders(case), *_earlier(lesson)))


def _earlier(lesson: Lesson) -> list[Table]:
    if len(lesson.scenario.steps) == 1:
        return []
    paid = {agent: tables.ledger(outcome.before, len(outcome.before)) for agent, outcome in lesson.outcomes.items()}
    rows = {agent: [row[1:] for row in table.rows] for agent, table in paid.items()}
    header = tables.ledger([], 0).header[1:]
    some = next(iter(rows.values()))
    if all(each == some for each in rows.values()):
        return [Table("Already paid, in an earlier step", header, some)]
    return [Table(f"Already paid by {agent}, in an earlier step", header, each) for agent, each in rows.items()]


def _said(lesson: Lesson, _: Progress) -> Beat:
    lines = [(QUOTE, lesson.scenario.steps[-1]["said"])]
    if lesson.number == 0:
        lines.append((PLAIN, "The customer and the log read this. Payments never does: it gets the call."))
    return Beat(SAID, "What the agent said", tuple(lines))


def _predict(lesson: Lesson, progress: Progress) -> Beat:
    lines = [(PLAIN, lesson.scenario.hook)] if lesson.scenario.hook else []
    if lesson.number == 0:
        lines.append((PLAIN, "Before the call it declares an intent, its plan as data."))
    if may_predict(progress, lesson):
        lines.append((PLAIN, _question(lesson, progress)))
    given = _given(progress, lesson)
    table = Table("You predicted", ("agent", "it will be"), [(a, given[a]) for a in AGENTS if a in given])
    return Beat(PREDICT, "Your prediction", tuple(lines), (table,) if given and not progress.presenter else ())


def _question(lesson: Lesson, progress: Progress) -> str:
    if progress.presenter:
        return "A show of hands: what will each agent do?"
    if predicted(progress, lesson):
        return "Forward shows what happens."
    agent = next_agent(progress, lesson)
    return f"{agent.capitalize()} {AGENTS[agent].way}. What will it do?"


def _step(lesson: Lesson, _: Progress) -> Beat:
    step = lesson.scenario.steps[-1]
    lines = [(PLAIN, lesson.scenario.notice)] if lesson.scenario.notice else []
    if lesson.number == 0:
        lines.insert(0, (PLAIN, "The intent is the plan. The call is what payments gets."))
    found = [_sides(step["intent"], step["do"], "Intent and call")]
    if "retry" in step:
        found.append(_sides(step["retry"]["intent"], step["retry"]["do"], "Second answer, if it is asked once more"))
    return Beat(STEP, "What it declared and what it called", tuple(lines), tuple(found))


def _sides(intent: Call | str | None, do: Call | str | None, caption: str) -> Table:
    step: Step = {"said": "", "intent": intent, "do": do, "owed": None}
    if grid.is_text(step):
        sides = [("intent", cells.as_sent(intent)), ("call", cells.as_sent(do))]
        return Table(f"{caption}, as text", ("", "as it was sent"), sides)
    rows = [
        (
            row.field,
            _noted(row.intent or "absent", row.intent_notes),
            "=" if row.intent == row.do else "≠",
            _noted(row.do or "absent", row.do_notes),
        )
        for row in grid.rows(step, grid.fields(step))
    ]
    header = ("field", "intent" if intent is not None else "intent: none", "", "call" if do is not None else "no call")
    return Table(caption, header, rows)


def _noted(text: str, notes: Sequence[str]) -> str:
    further = [note for note in notes if note != text]
    return f"{text} ({', '.join(further)})" if further else text


def _agent(agent: str, lesson: Lesson, progress: Progress) -> Beat:
    outcome = lesson.outcomes[agent]
    lines: list[tuple[str, str]] = []
    given = _given(progress, lesson).get(agent, "")
    if given:
        lines.append((ASIDE, f"You predicted: {given}"))
    if room := _room(progress, lesson, agent):
        lines.append((ASIDE, f"The room: {room}"))
    named = _objections(outcome)
    lines.append((PRINTED, outcome.message.partition(":")[0] if named and not outcome.paid else outcome.message))
    if AGENTS[agent].receipt:
        lines.append((ASIDE, f"The customer reads: {outcome.told}"))
    lines.append((ASIDE, f"Still owed: {outcome.still_owed}"))
    if why := (lesson.scenario.why or {}).get(agent):
        lines.append((PLAIN, why))
    ledger = tables.ledger(outcome.ledger, len(outcome.before))
    shown = (*named, *([ledger] if outcome.ledger else []))
    return Beat(agent, f"{agent.capitalize()} {AGENTS[agent].way}", tuple(lines), shown, outcome.verdict)


def _objections(outcome: Outcome) -> list[Table]:
    """The guards' objections to the last answer that met with any."""
    met = [each for each in outcome.record.get("objections", []) if each][-1:]
    caption = "Objections to the first answer" if outcome.paid else "Objections"
    return [Table(caption, ("guard", "objection"), list(each.items())) for each in met]


def _room(progress: Progress, lesson: Lesson, agent: str) -> str:
    counts = {choice: hands(progress, lesson, agent, choice) for choice in CHOICES}
    return ", ".join(f"{count} for {choice}" for choice, count in counts.items()) if any(counts.values()) else ""


def _gap(lesson: Lesson, progress: Progress) -> Beat:
    given = _given(progress, lesson)
    lines = [(PLAIN, gap(given, lesson.outcomes))]
    if lesson.scenario.limit is not None:
        limit = LIMITS[lesson.scenario.limit]
        lines.append((PLAIN, f"Where {limit.agent} stops: {lesson.scenario.limit}. {limit.slips}"))
    room = any(_room(progress, lesson, agent) for agent in AGENTS)
    header = ("agent", *(["you predicted"] * bool(given)), *(["hands for that"] * room), "it was", "verdict")
    rows = [
        (
            agent,
            *([given.get(agent, "nothing")] if given else []),
            *([_right_hands(progress, lesson, outcome)] if room else []),
            came(outcome),
            outcome.verdict,
        )
        for agent, outcome in lesson.outcomes.items()
    ]
    return Beat(GAP, "Prediction and outcome", tuple(lines), (Table("All agents", header, rows),))


def gap(given: Mapping[str, str], outcomes: Mapping[str, Outcome]) -> str:
    """What a prediction was worth, in a sentence: that it held, or which agents went another way."""
    wrong = _missed(given, outcomes)
    if not given:
        return "This is what each of them did."
    if not wrong:
        return "All of them went as you predicted."
    if len(wrong) > 1:
        return f"{_listed(wrong).capitalize()} did something else than you expected."
    agent = wrong[0]
    return f"Not quite: {agent} {HAPPENED[came(outcomes[agent])]}, and you expected {EXPECTED[given[agent]]}."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _right_hands(progress: Progress, lesson: Lesson, outcome: Outcome) -> str:
    total = sum(hands(progress, lesson, outcome.agent, choice) for choice in CHOICES)
    return f"{hands(progress, lesson, outcome.agent, came(outcome))} of {total}" if total else "none counted"


def _tries(lesson: Lesson, _: Progress) -> Beat:
    lines: list[tuple[str, str]] = []
    if lesson.scenario.limit is not None:
        lines.append((PLAIN, f"What answers this: {LIMITS[lesson.scenario.limit].answer}"))
    if lesson.scenario.tries:
        lines.append((PLAIN, "Each of these opens in Explore; the lesson waits here."))
    return Beat(TRIES, "What to try", tuple(lines))


def _sandbox(_: Lesson, progress: Progress) -> Beat:
    return Beat(SANDBOX, "Your turn", ((PLAIN, ANSWER if progress.answer_seen else CHALLENGE),))


_MADE_BY: dict[str, Callable[[Lesson, Progress], Beat]] = {
    RECORDS: _records,
    SAID: _said,
    PREDICT: _predict,
    STEP: _step,
    GAP: _gap,
    TRIES: _tries,
    SANDBOX: _sandbox,
}
