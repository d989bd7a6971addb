"""Lessons: what a beat shows and keeps back, predictions and what they were worth, and the way through the pack."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pytest

from failure13 import verdicts
from failure13.agents import AGENTS
from failure13.limits import LIMITS
from failure13.replay import Outcome, replay
from failure13.scenarios import Scenario, load_all
from failure13.visit import lessons
from failure13.visit.lessons import (
    BEATS,
    CHOICES,
    GAP,
    GAP_AT,
    NOTHING,
    PREDICT,
    PREDICT_AT,
    RECORDS,
    RIGHT,
    SANDBOX,
    STEP,
    WRONG,
    Beat,
    Lesson,
    Progress,
    beat_of,
)

PACK, _ = load_all(Path(__file__).parents[1] / "scenarios")
LESSONS = lessons.lessons_of(PACK)
MANY = len(LESSONS)
BY_ID = {each.scenario.id: each for each in LESSONS}
FIRST, LAST = LESSONS[0], LESSONS[-1]
EACH = pytest.mark.parametrize("lesson", LESSONS, ids=list(BY_ID))


def predict_all(progress: Progress, lesson: Lesson, *choices: str) -> None:
    for choice in choices or (RIGHT,) * 3:
        lessons.predict(progress, lesson, choice)


def texts(beat: Beat) -> list[str]:
    cells = [cell for caption, header, rows in beat.tables for row in ((caption,), header, *rows) for cell in row]
    return [beat.heading, beat.verdict, *(text for _, text in beat.lines), *cells]


def through(lesson: Lesson, progress: Progress) -> list[Beat]:
    return [beat_of(name, lesson, progress) for name in lessons.beats(lesson.number, len(LESSONS))]


# What a beat shows.


def words(beat):
    """How many words a beat asks one to read; what was printed, asides and tables are not counted."""
    lines = [text for kind, text in beat.lines if kind in (lessons.PLAIN, lessons.QUOTE)]
    return sum(len(text.split()) for text in (beat.heading, *lines))


@EACH
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("presenter", [False, True])
def test_no_beat_holds_more_than_about_forty_words(lesson: Lesson, choice: str, presenter: bool):
    progress = Progress(presenter=presenter, answer_seen=True)
    counts = {words(beat_of(PREDICT, lesson, progress)): PREDICT}
    for _ in AGENTS:
        lessons.predict(progress, lesson, choice)
        counts |= {words(beat): beat.name for beat in through(lesson, progress)}
    assert max(counts) <= 43, counts[max(counts)]


@EACH
def test_no_beat_up_to_the_prediction_gives_an_outcome_away(lesson: Lesson):
    progress = Progress()
    shown = [lessons.title(progress, lesson), *lessons.groups(LESSONS)]
    for name in BEATS[:PREDICT_AT]:
        shown += texts(beat_of(name, lesson, progress))
    before = " ".join(shown)
    for outcome in lesson.outcomes.values():
        assert outcome.message not in before
        assert (lesson.scenario.why or {}).get(outcome.agent, "no sentence") not in before
    assert not [verdict for verdict in verdicts.VERDICTS if verdict in before]
    assert "still owed" not in before.lower()


@EACH
def test_no_beat_up_to_the_prediction_depends_on_the_outcome_of_the_last_step(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
):
    """A beat that looked at what becomes of the last step would show it, or fail here."""
    shown = [texts(beat_of(name, lesson, Progress())) for name in BEATS[:PREDICT_AT]]
    of_the_last = [
        *("status", "message", "problems", "paid", "verdict", "still_owed", "told", "record", "waiting"),
    ]
    blank: dict[str, Outcome] = {}
    for agent, outcome in lesson.outcomes.items():
        hidden = dict(vars(outcome))
        hidden.update(dict.fromkeys(of_the_last, "HIDDEN"), paid=[], ledger=outcome.before)
        blank[agent] = Outcome(**hidden)
    again = Lesson(lesson.number, lesson.scenario)
    monkeypatch.setitem(vars(again), "outcomes", blank)
    assert [texts(beat_of(name, again, Progress())) for name in BEATS[:PREDICT_AT]] == shown
    assert "HIDDEN" not in " ".join(text for each in shown for text in each)


@EACH
def test_the_title_is_kept_back_until_the_outcome_is_shown(lesson: Lesson):
    progress = Progress()
    assert lessons.title(progress, lesson) == f"Lesson {lesson.number + 1}"
    predict_all(progress, lesson)
    lessons.go(progress, LESSONS, lesson.number, 4)
    assert lesson.scenario.title in lessons.title(progress, lesson)


@EACH
def test_each_agents_beat_tells_its_verdict_what_is_still_owed_and_why(lesson: Lesson):
    for agent, outcome in lesson.outcomes.items():
        beat = beat_of(agent, lesson, Progress())
        assert beat.verdict == outcome.verdict
        assert (lesson.scenario.why or {})[agent] in texts(beat)
        assert f"Still owed: {outcome.still_owed}" in texts(beat)
        assert (f"The customer reads: {outcome.told}" in texts(beat)) is (agent == "guarded")


@pytest.mark.parametrize(
    ("name", "caption", "guard"),
    [
        ("right-customer-other-order", "Objections", "ticket's order"),
        ("the-same-refund-again", "Objections", "agreed amount"),
        ("the-retry-declares-its-mistake", "Objections", "same plan"),
        ("said-and-never-done", "Objections", "call well formed"),
        ("only-prose", "Objections to the first answer", "intent declared"),
    ],
)
def test_the_guards_that_objected_are_named(name: str, caption: str, guard: str):
    tables = {table.caption: table.rows for table in beat_of("guarded", BY_ID[name], Progress()).tables}
    assert [row[0] for row in tables[caption]] == [guard]


@EACH
def test_the_gap_names_the_limit_and_whose_it_is(lesson: Lesson):
    told = [text for _, text in beat_of(GAP, lesson, Progress()).lines]
    name = lesson.scenario.limit
    if name is None:
        assert len(told) == 1
    else:
        assert told[1] == f"Where {LIMITS[name].agent} stops: {name}. {LIMITS[name].slips}"


def test_a_lesson_of_two_steps_is_about_the_last_and_shows_what_was_paid_before():
    lesson = BY_ID["paid-twice"]
    records = beat_of(RECORDS, lesson, Progress())
    assert ("Already paid, in an earlier step", ("order", "amount"), [("A100", "20.0")]) in records.tables
    assert {agent: outcome.verdict for agent, outcome in lesson.outcomes.items()} == {
        "broken": verdicts.WRONG_MONEY,
        "fixed": verdicts.WRONG_MONEY,
        "guarded": verdicts.RIGHTLY_STOPPED,
    }


def test_earlier_ledgers_that_differ_are_shown_agent_by_agent():
    scenario = BY_ID["consistently-wrong"].scenario
    two = Lesson(4, Scenario("two", "Two", scenario.case, [scenario.steps[0]] * 2))
    captions = [table.caption for table in beat_of(RECORDS, two, Progress()).tables]
    assert captions[1:] == [f"Already paid by {agent}, in an earlier step" for agent in AGENTS]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("null-is-not-nothing", ("cap", "absent", "≠", "null")),
        ("same-money-as-text", ("amount", '"20.00" (text)', "≠", "20.0 (number)")),
        ("all-three-agree", ("amount", "20.0", "=", "20.0")),
        ("said-and-never-done", ("amount", "20.0", "≠", "absent")),
    ],
)
def test_intent_and_call_stand_side_by_side_as_they_were_sent(name: str, row: tuple[str, ...]):
    table = beat_of(STEP, BY_ID[name], Progress()).tables[0]
    assert [cell.partition(" (")[0] for cell in row] == [
        cell.partition(" (")[0] for cell in next(found for found in table.rows if found[0] == row[0])
    ]


def test_a_side_that_is_null_is_told_to_be_none():
    assert beat_of(STEP, BY_ID["said-and-never-done"], Progress()).tables[0].header == (
        "field",
        "intent",
        "",
        "no call",
    )
    assert beat_of(STEP, BY_ID["only-prose"], Progress()).tables[0].header == ("field", "intent: none", "", "call")


def test_a_letter_that_deceives_the_eye_is_named():
    table = beat_of(STEP, BY_ID["look-alike-id"], Progress()).tables[0]
    assert "U+0410 CYRILLIC CAPITAL LETTER A" in table.rows[0][3]


def test_a_call_that_is_text_is_shown_as_text():
    table = beat_of(STEP, BY_ID["cut-off-call"], Progress()).tables[0]
    assert ("call", '{"order_id": "A100", "amount": 2') in table.rows


def test_a_second_answer_is_shown_beside_the_first():
    captions = [table.caption for table in beat_of(STEP, BY_ID["one-wrong-letter"], Progress()).tables]
    assert captions == ["Intent and call", "Second answer, if it is asked once more"]


def test_a_scenario_without_words_of_its_own_is_a_lesson_all_the_same():
    plain = BY_ID["all-three-agree"].scenario
    bare = Lesson(3, Scenario("bare", "Bare", plain.case, plain.steps))
    assert len(through(bare, Progress())) == len(BEATS)
    assert lessons.groups([bare]) == {lessons.OTHERS: [bare]}


def test_the_outcomes_of_a_lesson_are_those_of_its_file_with_every_guard_on():
    for lesson in LESSONS:
        assert lesson.outcomes == {agent: of_agent[-1] for agent, of_agent in replay(lesson.scenario).items()}
        assert lesson.outcomes is lesson.outcomes, "worked out once"


# Predictions.


def test_choices_are_taken_agent_by_agent_and_taken_back_the_other_way():
    progress, lesson = Progress(), FIRST
    assert lessons.next_agent(progress, lesson) == "broken"
    predict_all(progress, lesson, WRONG, NOTHING, RIGHT)
    assert progress.predictions[lesson.scenario.id] == {"broken": WRONG, "fixed": NOTHING, "guarded": RIGHT}
    lessons.predict(progress, lesson, NOTHING)
    assert progress.predictions[lesson.scenario.id]["guarded"] == NOTHING
    for left in (["guarded"], ["fixed", "guarded"], list(AGENTS), list(AGENTS)):
        lessons.take_back(progress, lesson)
        assert lessons.outstanding(progress, lesson) == left


def test_a_prediction_stands_once_the_outcome_was_shown():
    progress, lesson = Progress(), FIRST
    predict_all(progress, lesson, WRONG, NOTHING, NOTHING)
    kept = dict(progress.predictions[lesson.scenario.id])
    lessons.go(progress, LESSONS, 0, 4)
    lessons.go(progress, LESSONS, 0, 3)
    lessons.predict(progress, lesson, RIGHT)
    lessons.take_back(progress, lesson)
    assert progress.predictions[lesson.scenario.id] == kept


def test_back_and_forth_changes_no_prediction():
    progress = Progress()
    predict_all(progress, FIRST, WRONG, NOTHING, NOTHING)
    kept = dict(progress.predictions[FIRST.scenario.id])
    for move in (lessons.forward,) * 9 + (lessons.back,) * 9 + (lessons.forward,) * 4:
        move(progress, LESSONS)
    assert progress.predictions[FIRST.scenario.id] == kept


@pytest.mark.parametrize(
    ("name", "agent", "choice"),
    [
        ("right-words-wrong-order", "broken", WRONG),
        ("right-words-wrong-order", "fixed", NOTHING),
        ("all-three-agree", "fixed", RIGHT),
        ("float-noise", "fixed", NOTHING),
        ("only-prose", "fixed", NOTHING),
    ],
)
def test_an_outcome_proves_one_choice_right(name: str, agent: str, choice: str):
    assert lessons.came(BY_ID[name].outcomes[agent]) == choice


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ((WRONG, NOTHING, NOTHING), "All of them went as you predicted."),
        ((WRONG, RIGHT, NOTHING), "Not quite: fixed moved no money, and you expected the right payment."),
        (
            (RIGHT, RIGHT, NOTHING),
            "Broken and fixed did something else than you expected.",
        ),
        (
            (RIGHT, RIGHT, RIGHT),
            "Broken, fixed and guarded did something else than you expected.",
        ),
        ((), "This is what each of them did."),
    ],
)
def test_the_gap_is_named_precisely(choices: tuple[str, ...], sentence: str):
    given: Mapping[str, str] = dict(zip(AGENTS, choices, strict=False))
    assert lessons.gap(given, FIRST.outcomes) == sentence


def test_a_lesson_predicted_wrongly_is_offered_again_until_it_is_right():
    progress = Progress()
    predict_all(progress, FIRST, RIGHT, RIGHT, RIGHT)
    lessons.go(progress, LESSONS, 0, GAP_AT)
    assert lessons.is_missed(progress, FIRST)
    assert lessons.result(progress, FIRST) == "once more"
    lessons.again(progress, LESSONS, 0)
    assert (progress.beat, progress.predictions, lessons.result(progress, FIRST)) == (1, {}, "")
    predict_all(progress, FIRST, WRONG, NOTHING, NOTHING)
    lessons.go(progress, LESSONS, 0, GAP_AT)
    assert not lessons.is_missed(progress, FIRST)
    assert lessons.result(progress, FIRST) == "done"


def test_a_wrong_prediction_is_not_given_away_before_the_gap():
    progress = Progress()
    predict_all(progress, FIRST)
    lessons.go(progress, LESSONS, 0, GAP_AT - 1)
    assert lessons.result(progress, FIRST) == ""


def test_the_hands_of_a_room_stand_beside_the_outcome():
    progress = Progress(presenter=True)
    for choice, count in ((NOTHING, 12), (RIGHT, 3), (RIGHT, 2)):
        lessons.raise_hands(progress, FIRST, "fixed", choice, count)
    said = "The room: 12 for no money moves, 2 for the right payment, 0 for a wrong payment"
    assert said in texts(beat_of("fixed", FIRST, progress))
    _, header, rows = beat_of(GAP, FIRST, progress).tables[0]
    assert [row[header.index("hands for that")] for row in rows] == ["none counted", "12 of 14", "none counted"]


# The way through.


def test_the_way_leads_through_every_beat_and_back():
    progress, seen = Progress(presenter=True), [(0, 1)]
    while not lessons.forward(progress, LESSONS):
        seen.append((lessons.at(progress, LESSONS), progress.beat))
    assert seen == [(n, b + 1) for n in range(len(PACK)) for b in range(len(lessons.beats(n, len(PACK))))]
    assert lessons.beats(len(PACK) - 1, len(PACK))[-1] == SANDBOX
    for place in reversed(seen[:-1]):
        assert lessons.back(progress, LESSONS) == ""
        assert (lessons.at(progress, LESSONS), progress.beat) == place
    assert lessons.back(progress, LESSONS) == "This is the first beat of the first lesson."


def test_nothing_leads_past_an_outstanding_prediction():
    progress = Progress()
    lessons.predict(progress, LESSONS[4], RIGHT)
    assert lessons.go(progress, LESSONS, 4, 7) == "First your prediction for fixed and guarded."
    assert progress.beat == PREDICT_AT
    assert lessons.forward(progress, LESSONS) == "First your prediction for fixed and guarded."
    assert progress.beat == PREDICT_AT


def test_a_prediction_that_a_presenter_left_out_is_asked_for_once_there_is_none():
    progress = Progress(presenter=True)
    lessons.go(progress, LESSONS, 0, 9)
    progress.presenter = False
    assert lessons.go(progress, LESSONS, 0, 9) != ""
    assert lessons.may_predict(progress, FIRST)


@pytest.mark.parametrize(
    ("link", "place", "sentence"),
    [
        ({}, (0, 1), ""),
        ({"fresh": "1"}, (0, 1), ""),
        ({"lesson": "3", "beat": "2"}, (2, 2), ""),
        ({"lesson": "3"}, (2, 1), ""),
        ({"lesson": "3", "beat": "5"}, (2, 3), "First your prediction for broken, fixed and guarded."),
        ({"lesson": "0"}, (0, 1), f'The link asks for lesson "0", and there are 1 to {MANY}; this is lesson 1.'),
        (
            {"lesson": "\u0663"},
            (0, 1),
            f'The link asks for lesson "\u0663", and there are 1 to {MANY}; this is lesson 1.',
        ),
        ({"beat": "10"}, (0, 1), 'The link asks for beat "10", and there are 1 to 9; this is beat 1.'),
        ({"lesson": str(MANY), "beat": "2"}, (MANY - 1, 2), ""),
        (
            {"lesson": "x" * 99, "beat": "-1"},
            (0, 1),
            f'The link asks for lesson "{"x" * 17}...", and there are 1 to {MANY}; this is lesson 1. '
            'The link asks for beat "-1", and there are 1 to 9; this is beat 1.',
        ),
    ],
)
def test_a_link_leads_to_its_beat_or_says_why_not(link: dict[str, str], place: tuple[int, int], sentence: str):
    progress = Progress()
    assert lessons.follow(progress, LESSONS, link) == sentence
    assert (lessons.at(progress, LESSONS), progress.beat) == place


def test_a_presenters_link_leads_past_the_prediction():
    progress = Progress(presenter=True)
    assert lessons.follow(progress, LESSONS, {"lesson": "3", "beat": "5"}) == ""
    assert (lessons.at(progress, LESSONS), progress.beat) == (2, 5)


def test_a_link_to_the_sandbox_leads_there_in_the_last_lesson_alone():
    for number, beat in ((MANY, 10), (MANY - 1, 9)):
        progress = Progress(presenter=True)
        assert lessons.follow(progress, LESSONS, {"lesson": str(number), "beat": str(beat)}) == ""
        assert progress.beat == beat
    assert lessons.follow(Progress(presenter=True), LESSONS, {"lesson": str(MANY - 1), "beat": "10"}) != ""


def test_lessons_come_in_teaching_order_each_in_one_group():
    groups = lessons.groups(LESSONS)
    assert [lesson for of_group in groups.values() for lesson in of_group] == LESSONS
    assert {name: len(of_group) for name, of_group in groups.items()} == {
        name: sum(scenario.group == name for scenario in PACK) for name in groups
    }


def test_groups_do_without_a_scenario_that_is_missing():
    fewer = lessons.lessons_of(each for each in PACK if each.id not in ("float-noise", "same-money-as-text"))
    assert [lesson for of_group in lessons.groups(fewer).values() for lesson in of_group] == fewer
    assert [lesson.number for lesson in fewer] == list(range(len(PACK) - 2))


def test_a_place_that_is_gone_is_the_first_lesson():
    assert lessons.at(Progress(place="no-such-lesson"), LESSONS) == 0


def test_lessons_are_plain_data():
    progress = Progress()
    predict_all(progress, FIRST)
    lessons.raise_hands(progress, FIRST, "broken", RIGHT, 3)
    lessons.go(progress, LESSONS, 0, 9)
    assert Progress(**json.loads(json.dumps(asdict(progress)))) == progress


# The challenge, and that its answer is true.


def past(*edited: Scenario) -> list[str]:
    """The lessons got past the guards by someone whose steps are those of `edited`, by their ids."""
    own = {scenario.id: scenario for scenario in edited}
    found = lessons.past_the_guards(
        LESSONS,
        lambda scenario: scenario.id in own,
        lambda scenario: replay(scenario, own.get(scenario.id, scenario).steps),
    )
    return [lesson.scenario.id for lesson in found]


def with_both(name: str, fields: dict[str, object]) -> Scenario:
    scenario = BY_ID[name].scenario
    return Scenario(name, "", scenario.case, [{**scenario.steps[0], "intent": fields, "do": fields}])


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("right-words-wrong-order", {"order_id": "A100", "amount": 20.0, "store_credit": 50}),
        ("minus-twenty", {"order_id": "A100", "amount": 19.0}),
    ],
    ids=["a further argument declared and called", "any refundable amount where none was agreed"],
)
def test_what_the_answer_says_gets_past_the_guards(name: str, fields: dict[str, object]):
    assert past(with_both(name, fields)) == [name]


def test_an_edit_that_pays_nothing_wrong_gets_nowhere():
    assert past(with_both("right-words-wrong-order", {"order_id": "A100", "amount": 20.0})) == []
    assert past(with_both("right-words-wrong-order", {"order_id": "A101", "amount": 200.0})) == []


def test_a_record_that_is_wrong_is_believed():
    scenario = BY_ID["consistently-wrong"].scenario
    ticket = {**scenario.case["ticket"], "order_id": "A101", "customer_id": "C2", "agreed_amount": "200.00"}
    orders = {**scenario.case["orders"], "A101": {**scenario.case["orders"]["A101"], "refundable": "200.00"}}
    lying = Lesson(0, Scenario("lying", "Lying", {"ticket": ticket, "orders": orders}, scenario.steps))
    assert lying.outcomes["guarded"].verdict == verdicts.WRONG_MONEY


def test_no_lesson_as_it_stands_gets_past_the_guards_not_even_one_whose_file_already_does():
    assert past() == []
    assert past(*PACK) == []
    assert [each.scenario.group for each in LESSONS if each.outcomes["guarded"].verdict == verdicts.WRONG_MONEY] == [
        "Where the guards stop"
    ] * 3


def test_the_answer_is_given_only_when_told():
    assert lessons.ANSWER not in texts(beat_of(SANDBOX, LAST, Progress()))
    assert lessons.ANSWER in texts(beat_of(SANDBOX, LAST, Progress(answer_seen=True)))
