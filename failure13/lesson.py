"""Learn: each scenario becomes a lesson of a few beats, with a prediction before the outcome.

A beat is plain data for the page to show. Nothing of an outcome is worked out before the prediction is made.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from failure13 import AGENTS, Call, Step, cells, grid, tables, verdicts
from failure13.limits import LIMITS
from failure13.replay import Outcome, replay
from failure13.scenarios import Scenario
from failure13.tables import Table

RECORDS, SAID, PREDICT, STEP = "records", "said", "predict", "step"
GAP, TRIES, SANDBOX = "gap", "tries", "sandbox"
BEATS = (RECORDS, SAID, PREDICT, STEP, *AGENTS, GAP, TRIES)  # the last lesson ends with SANDBOX as well

NOTHING, RIGHT, WRONG = "no money moves", "the right payment", "a wrong payment"
CHOICES = (NOTHING, RIGHT, WRONG)
HAPPENED = {NOTHING: "moved no money", RIGHT: "made the right payment", WRONG: "made a wrong payment"}
EXPECTED = {NOTHING: "none", RIGHT: "the right payment", WRONG: "a wrong payment"}

WAYS = {
    "broken": "pays whatever the call says",
    "fixed": "pays if the call equals the intent",
    "guarded": "also asks the records",
}

# What a line of a beat is. A record is what a program wrote and an aside what was noted, both shown as tables are.
PLAIN, QUOTE, RECORD, ASIDE = "plain", "quote", "record", "aside"

# Group of lessons: its name, which gives nothing away, the scenarios in it, and what it teaches where no limit says it.
GROUPS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "One plan, one call",
        ("right-words-wrong-order", "all-three-agree"),
        "A sentence is no safeguard. Comparing the declared plan with the call is the fix.",
    ),
    (
        "Field by field",
        ("missing-amount", "extra-store-credit", "wrong-pocket"),
        "Every field of either side counts, also one that only one side has.",
    ),
    ("One amount, two spellings", ("float-noise", "same-money-as-text"), ""),
    (
        "Nearly the same",
        ("cents-or-dollars", "decimal-comma", "nineteen-digit-id", "look-alike-id"),
        "Nearly the same is not the same: whoever guesses a unit, a comma or an id will one day guess wrong.",
    ),
    (
        "Plan and call agree",
        (
            *("consistently-wrong", "right-customer-other-order", "someone-elses-order", "the-ticket-that-talks"),
            *("paid-twice", "wrong-currency", "minus-twenty", "half-cent"),
        ),
        "",
    ),
    ("A second answer", ("one-wrong-letter", "retry-asks-for-more"), ""),
    ("What the sentence says", ("only-prose", "prose-says-otherwise"), ""),
    ("Two odd values", ("null-is-not-nothing", "true-is-one"), ""),
    (
        "The call as text",
        ("twice-in-one-breath", "cut-off-call"),
        "A call that reads two ways, or only in part, is no call to pay.",
    ),
)
OTHERS = "More"

DOUBT = (
    "This page cannot say: its steps are scripted. In MAST, a study of 1,642 annotated traces from seven frameworks, "
    "mismatches of reasoning and action were 13.2 % of the failures recorded (FM-2.6, Cemri et al. 2025, "
    "arXiv 2503.13657)."
)
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


@dataclass
class Lessons:
    """How far one visitor is, by scenario id; all of it plain data.

    predictions: by agent, a choice; hands: a room's show of hands, by agent and choice; fixed: scenarios whose
    predictions can no longer change, for the outcome was shown; done: scenarios gone through up to the gap; presenter:
    whether predictions may be skipped; challenged and told: whether the challenge was taken, its answer asked for.
    """

    place: str = ""
    beat: int = 1
    predictions: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    hands: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict[str, dict[str, dict[str, int]]])
    fixed: list[str] = field(default_factory=list[str])
    done: list[str] = field(default_factory=list[str])
    presenter: bool = False
    challenged: bool = False
    told: bool = False


# Where one is, and going on.


def at(lessons: Lessons, scenarios: Sequence[Scenario]) -> int:
    """The place in the pack of the lesson a visitor is at, counted from 0; the first where they have not begun."""
    return next((n for n, scenario in enumerate(scenarios) if scenario.id == lessons.place), 0)


def beats(lesson: int, count: int) -> tuple[str, ...]:
    """The beats of a lesson of `count`, in order: nine, and the sandbox after the last lesson."""
    return (*BEATS, SANDBOX) if lesson == count - 1 else BEATS


def predicted(lessons: Lessons, scenario: Scenario) -> bool:
    """Whether there is a prediction for every agent."""
    return set(AGENTS) <= lessons.predictions.get(scenario.id, {}).keys()


def may_predict(lessons: Lessons, scenario: Scenario) -> bool:
    """Whether a prediction can still be made or changed: until the outcome has been shown."""
    return scenario.id not in lessons.fixed


def go(lessons: Lessons, scenarios: Sequence[Scenario], lesson: int, beat: int) -> str:
    """Go to a beat, counted from 1, of a lesson; before the prediction no further than to it.

    Returns why it went no further, or "".
    """
    scenario = scenarios[lesson]
    asked = beat > PREDICT_AT and not lessons.presenter and not predicted(lessons, scenario)
    lessons.place, lessons.beat = scenario.id, PREDICT_AT if asked else beat
    if lessons.beat > PREDICT_AT and predicted(lessons, scenario):
        _note(lessons.fixed, scenario.id)
    if lessons.beat >= GAP_AT:
        _note(lessons.done, scenario.id)
    return f"First your prediction for {_listed(outstanding(lessons, scenario))}." if asked else ""


PREDICT_AT, GAP_AT = BEATS.index(PREDICT) + 1, BEATS.index(GAP) + 1


def forward(lessons: Lessons, scenarios: Sequence[Scenario]) -> str:
    """One beat on, after a lesson's last beat into the next lesson; returns why it went no further, or ""."""
    lesson = at(lessons, scenarios)
    if lessons.beat < len(beats(lesson, len(scenarios))):
        return go(lessons, scenarios, lesson, lessons.beat + 1)
    if lesson + 1 < len(scenarios):
        return go(lessons, scenarios, lesson + 1, 1)
    return "This is the last beat of the last lesson."


def back(lessons: Lessons, scenarios: Sequence[Scenario]) -> str:
    """One beat back, before a lesson's first beat into the lesson before; returns why it went elsewhere, or ""."""
    lesson = at(lessons, scenarios)
    if lessons.beat > 1:
        return go(lessons, scenarios, lesson, lessons.beat - 1)
    if lesson > 0:
        return go(lessons, scenarios, lesson - 1, len(beats(lesson - 1, len(scenarios))))
    return "This is the first beat of the first lesson."


def follow(lessons: Lessons, scenarios: Sequence[Scenario], link: Mapping[str, str]) -> str:
    """Go where a link such as {"lesson": "3", "beat": "5"} points; returns what was wrong with it, or "".

    A link without them leads nowhere new. `fresh` is for the caller, for it replaces all of Lessons.
    """
    if "lesson" not in link and "beat" not in link:
        return ""
    lesson, wrong_lesson = _number(link, "lesson", len(scenarios), at(lessons, scenarios) + 1)
    beat, wrong_beat = _number(link, "beat", len(beats(lesson - 1, len(scenarios))), 1)
    return " ".join(filter(None, (wrong_lesson, wrong_beat, go(lessons, scenarios, lesson - 1, beat))))


def _number(link: Mapping[str, str], name: str, most: int, otherwise: int) -> tuple[int, str]:
    text = link.get(name, str(otherwise))
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most:
        return int(text), ""
    shown = text if len(text) <= 20 else text[:17] + "..."
    return otherwise, f'The link asks for {name} "{shown}", and there are 1 to {most}; this is {name} {otherwise}.'


def _note(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


# Predictions and hands.


def outstanding(lessons: Lessons, scenario: Scenario) -> list[str]:
    """The agents still to be predicted, in order."""
    return [agent for agent in AGENTS if agent not in lessons.predictions.get(scenario.id, {})]


def asked(lessons: Lessons, scenario: Scenario) -> str:
    """The agent that a choice is for: the first still to be predicted, else the last, whose choice can change."""
    return next(iter(outstanding(lessons, scenario)), AGENTS[-1])


def predict(lessons: Lessons, scenario: Scenario, choice: str) -> None:
    """Take a choice for the agent that is asked for, as long as it may still change."""
    if may_predict(lessons, scenario):
        lessons.predictions.setdefault(scenario.id, {})[asked(lessons, scenario)] = choice


def take_back(lessons: Lessons, scenario: Scenario) -> None:
    """Take the last prediction back, as long as it may still change."""
    given = lessons.predictions.get(scenario.id, {})
    if given and may_predict(lessons, scenario):
        del given[list(given)[-1]]


def again(lessons: Lessons, scenarios: Sequence[Scenario], lesson: int) -> None:
    """Begin a lesson anew, its prediction included."""
    name = scenarios[lesson].id
    lessons.predictions.pop(name, None)
    for names in (lessons.fixed, lessons.done):
        if name in names:
            names.remove(name)
    go(lessons, scenarios, lesson, 1)


def raise_hands(lessons: Lessons, scenario: Scenario, agent: str, choice: str, count: int) -> None:
    """Note how many hands of a room went up for a choice."""
    lessons.hands.setdefault(scenario.id, {}).setdefault(agent, {})[choice] = count


def hands(lessons: Lessons, scenario: Scenario, agent: str, choice: str) -> int:
    """How many hands went up for a choice."""
    return lessons.hands.get(scenario.id, {}).get(agent, {}).get(choice, 0)


def came(outcome: Outcome) -> str:
    """The choice that an outcome proves right; a crash moves no money."""
    return {verdicts.PAID_AS_OWED: RIGHT, verdicts.WRONG_MONEY: WRONG}.get(outcome.verdict, NOTHING)


def missed(lessons: Lessons, scenarios: Sequence[Scenario]) -> list[int]:
    """The lessons gone through with a prediction that did not hold, counted from 0: those worth another go."""
    return [
        number
        for number, scenario in enumerate(scenarios)
        if scenario.id in lessons.done
        and any(came(o) != lessons.predictions.get(scenario.id, {}).get(a, came(o)) for a, o in last(scenario).items())
    ]


def groups(scenarios: Sequence[Scenario]) -> dict[str, list[int]]:
    """The lessons, counted from 0, by the name of their group, which is OTHERS for a scenario that no group knows."""
    found: dict[str, list[int]] = {}
    for number, scenario in enumerate(scenarios):
        found.setdefault(_group(scenario)[0], []).append(number)
    return found


def mark(lessons: Lessons, scenarios: Sequence[Scenario], lesson: int) -> str:
    """How a lesson went, in a word or two: "done", "once more" where a prediction did not hold, "" where it was not."""
    if scenarios[lesson].id not in lessons.done:
        return ""
    return "once more" if lesson in missed(lessons, scenarios) else "done"


def title(scenario: Scenario, lesson: int, lessons: Lessons) -> str:
    """What a lesson is called: "Lesson 7", and with its title once the outcome has been shown."""
    seen = scenario.id in lessons.done or scenario.id in lessons.fixed
    return f"Lesson {lesson + 1}" + (f": {scenario.title}" if seen else "")


def _group(scenario: Scenario) -> tuple[str, str]:
    return next(((name, teaches) for name, ids, teaches in GROUPS if scenario.id in ids), (OTHERS, ""))


def last(scenario: Scenario) -> dict[str, Outcome]:
    """What each agent did with the last step, which a lesson is about."""
    return {agent: outcomes[-1] for agent, outcomes in replay(scenario).items()}


def past_the_guards(scenarios: Iterable[Scenario], steps: Callable[[Scenario], list[Step]]) -> list[int]:
    """The lessons, counted from 0, in which the guarded agent pays wrong money with a visitor's steps."""
    return [
        number
        for number, scenario in enumerate(scenarios)
        if any(o.verdict == verdicts.WRONG_MONEY for o in replay(scenario, steps(scenario))["guarded"])
    ]


# What a beat shows.


def show(name: str, scenario: Scenario, lesson: int, lessons: Lessons) -> Beat:
    """One beat of a lesson as plain data; `lesson` counts from 0."""
    if name in AGENTS:
        return _agent(name, scenario, lessons)
    return _SHOWN[name](scenario, lesson, lessons)


def words(beat: Beat) -> int:
    """How many words a beat asks one to read, its records, asides and tables not counted."""
    return sum(
        len(text.split()) for text in (beat.heading, *(text for kind, text in beat.lines if kind in (PLAIN, QUOTE)))
    )


def _records(scenario: Scenario, lesson: int, _: Lessons) -> Beat:
    ticket = scenario.case["ticket"]
    agreed = f", {ticket['agreed_amount']} agreed" if "agreed_amount" in ticket else ""
    lines = [(QUOTE, ticket["text"])]
    lines.append(
        (ASIDE, f"Ticket {ticket['id']}, customer {ticket['customer_id']}, order {ticket['order_id']}{agreed}")
    )
    if lesson == 0:
        lines.insert(0, (PLAIN, "An agent handles refund tickets. First it writes a sentence, then it makes a call."))
    book = tuple(
        (name, order["customer_id"], f"{order['paid']} {order['currency']}", order["refundable"])
        for name, order in scenario.case["orders"].items()
    )
    orders = ("Order records", ("order", "customer", "paid", "refundable"), list(book))
    return Beat(RECORDS, "The ticket and the records", tuple(lines), (orders, *_earlier(scenario)))


def _earlier(scenario: Scenario) -> list[Table]:
    if len(scenario.steps) == 1:
        return []
    ledgers = {agent: outcomes[-1].ledger for agent, outcomes in replay(scenario, scenario.steps[:-1]).items()}
    _, header, _ = tables.ledger([], 0)
    shown = {agent: [row[1:] for row in tables.ledger(rows, len(rows))[2]] for agent, rows in ledgers.items()}
    if all(rows == shown[AGENTS[0]] for rows in shown.values()):
        return [("Already paid, in an earlier step", header[1:], shown[AGENTS[0]])]
    return [(f"Already paid by {agent}, in an earlier step", header[1:], rows) for agent, rows in shown.items()]


def _said(scenario: Scenario, lesson: int, _: Lessons) -> Beat:
    lines = [(QUOTE, scenario.steps[-1]["said"])]
    if lesson == 0:
        lines.append((PLAIN, "The customer and the log read this. Payments never does: it gets the call."))
    return Beat(SAID, "What the agent said", tuple(lines))


def _predict(scenario: Scenario, lesson: int, lessons: Lessons) -> Beat:
    lines = [(PLAIN, scenario.hook)] if scenario.hook else []
    if lesson == 0:
        lines.append((PLAIN, "Before the call it declares an intent, its plan as data."))
    if may_predict(lessons, scenario):
        lines.append((PLAIN, _question(scenario, lessons)))
    given = lessons.predictions.get(scenario.id, {})
    table: Table = ("You predicted", ("agent", "it will be"), [(a, given[a]) for a in AGENTS if a in given])
    return Beat(PREDICT, "Your prediction", tuple(lines), (table,) if given and not lessons.presenter else ())


def _question(scenario: Scenario, lessons: Lessons) -> str:
    if lessons.presenter:
        return "A show of hands: what will each agent do?"
    if predicted(lessons, scenario):
        return "Forward shows what happens."
    agent = asked(lessons, scenario)
    return f"{agent.capitalize()} {WAYS[agent]}. What will it do?"


def _step(scenario: Scenario, lesson: int, _: Lessons) -> Beat:
    step = scenario.steps[-1]
    lines = [(PLAIN, scenario.notice)] if scenario.notice else []
    if lesson == 0:
        lines.insert(0, (PLAIN, "The intent is the plan. The call is what payments gets."))
    found = [_sides(step["intent"], step["do"], "Intent and call")]
    if "retry" in step:
        found.append(_sides(step["retry"]["intent"], step["retry"]["do"], "Second answer, if it is asked once more"))
    return Beat(STEP, "What it declared and what it called", tuple(lines), tuple(found))


def _sides(intent: Call | str | None, do: Call | str, caption: str) -> Table:
    step: Step = {"said": "", "intent": intent, "do": do, "owed": None}
    if grid.is_text(step):
        sides = [("intent", _text(intent)), ("call", _text(do))]
        return (f"{caption}, as text", ("", "as it was sent"), sides)
    rows = [
        (
            row.field,
            _noted(row.intent or "absent", row.intent_notes),
            "=" if row.intent == row.do else "≠",
            _noted(row.do or "absent", row.do_notes),
        )
        for row in grid.rows(step, grid.fields(step))
    ]
    return (caption, ("field", "intent" if intent is not None else "intent: none", "", "call"), rows)


def _text(side: Any) -> str:
    return side if isinstance(side, str) else cells.literal(side)


def _noted(text: str, notes: Sequence[str]) -> str:
    told = [note for note in notes if note != text]
    return f"{text} ({', '.join(told)})" if told else text


def _agent(agent: str, scenario: Scenario, lessons: Lessons) -> Beat:
    outcome = last(scenario)[agent]
    lines: list[tuple[str, str]] = []
    given = lessons.predictions.get(scenario.id, {}).get(agent, "")
    if given:
        lines.append((ASIDE, f"You predicted: {given}"))
    if room := _room(lessons, scenario, agent):
        lines.append((ASIDE, f"The room: {room}"))
    named = _objections(outcome)
    lines.append((RECORD, outcome.message.partition(":")[0] if named and not outcome.paid else outcome.message))
    if agent == "guarded":
        lines.append((ASIDE, f"The customer reads: {outcome.told}"))
    if why := (scenario.why or {}).get(agent):
        lines.append((PLAIN, why))
    ledger = tables.ledger(outcome.ledger, len(outcome.before))
    shown = (*named, *([ledger] if outcome.ledger else []))
    return Beat(agent, f"{agent.capitalize()} {WAYS[agent]}", tuple(lines), shown, outcome.verdict)


def _objections(outcome: Outcome) -> list[Table]:
    """The guards' objections to the last answer that met with any."""
    met = [each for each in outcome.record.get("objections", []) if each][-1:]
    caption = "Objections to the first answer" if outcome.paid else "Objections"
    return [(caption, ("guard", "objection"), list(each.items())) for each in met]


def _room(lessons: Lessons, scenario: Scenario, agent: str) -> str:
    counts = {choice: hands(lessons, scenario, agent, choice) for choice in CHOICES}
    return ", ".join(f"{count} for {choice}" for choice, count in counts.items()) if any(counts.values()) else ""


def _gap(scenario: Scenario, _: int, lessons: Lessons) -> Beat:
    outcomes = last(scenario)
    given = lessons.predictions.get(scenario.id, {})
    lines = [(PLAIN, gap(given, outcomes))]
    if why := _lesson(scenario):
        lines.append((PLAIN, why))
    room = any(_room(lessons, scenario, agent) for agent in AGENTS)
    header = (
        "agent",
        *(["you predicted"] if given else []),
        *(["hands for that"] if room else []),
        "it was",
        "verdict",
    )
    rows = [
        (
            agent,
            *([given.get(agent, "nothing")] if given else []),
            *([_right_hands(lessons, scenario, outcome)] if room else []),
            came(outcome),
            outcome.verdict,
        )
        for agent, outcome in outcomes.items()
    ]
    return Beat(GAP, "Prediction and outcome", tuple(lines), (("All three agents", header, rows),))


def gap(given: Mapping[str, str], outcomes: Mapping[str, Outcome]) -> str:
    """What a prediction was worth, in a sentence: that it held, or which agents went another way."""
    wrong = [agent for agent in AGENTS if agent in given and given[agent] != came(outcomes[agent])]
    if not given:
        return "This is what each of them did."
    if not wrong:
        return "All three went as you predicted."
    if len(wrong) > 1:
        return f"{_listed(wrong).capitalize()} did something else than you expected."
    agent = wrong[0]
    return f"Not quite: {agent} {HAPPENED[came(outcomes[agent])]}, and you expected {EXPECTED[given[agent]]}."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _right_hands(lessons: Lessons, scenario: Scenario, outcome: Outcome) -> str:
    total = sum(hands(lessons, scenario, outcome.agent, choice) for choice in CHOICES)
    return f"{hands(lessons, scenario, outcome.agent, came(outcome))} of {total}" if total else "none counted"


def _lesson(scenario: Scenario) -> str:
    if scenario.limit is None:
        return _group(scenario)[1]
    return f"Limit of the fix: {scenario.limit}. {_uncoded(LIMITS[scenario.limit][0])}"


def _uncoded(text: str) -> str:
    return text.replace("`", "'")


def _tries(scenario: Scenario, _: int, __: Lessons) -> Beat:
    lines: list[tuple[str, str]] = []
    if scenario.limit is not None:
        lines.append((PLAIN, f"What answers this limit: {_uncoded(LIMITS[scenario.limit][1])}"))
    if scenario.tries:
        lines.append((PLAIN, "Each of these opens in Explore; the lesson waits here."))
    return Beat(TRIES, "What to try", tuple(lines))


def _sandbox(_: Scenario, __: int, lessons: Lessons) -> Beat:
    return Beat(SANDBOX, "Your turn", ((PLAIN, ANSWER if lessons.told else CHALLENGE),))


_SHOWN: dict[str, Callable[[Scenario, int, Lessons], Beat]] = {
    RECORDS: _records,
    SAID: _said,
    PREDICT: _predict,
    STEP: _step,
    GAP: _gap,
    TRIES: _tries,
    SANDBOX: _sandbox,
}
