"""Lessons: what a beat shows and keeps back, predictions and what they were worth, and the way through the pack."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pytest

from failure13 import AGENTS, lesson, verdicts
from failure13.lesson import BEATS, CHOICES, GAP, NOTHING, PREDICT, RIGHT, SANDBOX, WRONG, Lessons
from failure13.replay import replay
from failure13.scenarios import Scenario, load_all

PACK, _ = load_all(Path(__file__).parents[1] / "scenarios")
BY_ID = {scenario.id: scenario for scenario in PACK}
EACH = pytest.mark.parametrize("number", range(len(PACK)), ids=[scenario.id for scenario in PACK])


def predict_all(lessons: Lessons, scenario: Scenario, *choices: str) -> None:
    for choice in choices or (RIGHT,) * 3:
        lesson.predict(lessons, scenario, choice)


def texts(beat: lesson.Beat) -> list[str]:
    cells = [cell for caption, header, rows in beat.tables for row in ((caption,), header, *rows) for cell in row]
    return [beat.heading, beat.verdict, *(text for _, text in beat.lines), *cells]


def through(scenario: Scenario, number: int, lessons: Lessons) -> list[lesson.Beat]:
    return [lesson.show(name, scenario, number, lessons) for name in lesson.beats(number, len(PACK))]


# What a beat shows.


@EACH
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("presenter", [False, True])
def test_no_beat_holds_more_than_about_forty_words(number: int, choice: str, presenter: bool):
    lessons = Lessons(presenter=presenter, told=True)
    counts = {lesson.words(lesson.show(PREDICT, PACK[number], number, lessons))}
    for _ in AGENTS:
        lesson.predict(lessons, PACK[number], choice)
        counts |= {lesson.words(beat) for beat in through(PACK[number], number, lessons)}
    assert max(counts) <= 43
    assert len(lesson.DOUBT.split()) <= 42


@EACH
def test_no_beat_up_to_the_prediction_knows_an_outcome(number: int, monkeypatch: pytest.MonkeyPatch):
    earlier = PACK[number].steps[:-1]

    def replayed(scenario: Scenario, steps: object = None) -> object:
        assert steps == earlier, "the last step was run before the prediction"
        return replay(scenario, earlier)

    monkeypatch.setattr(lesson, "replay", replayed)
    lessons = Lessons()
    lesson.title(PACK[number], number, lessons)
    for name in BEATS[: lesson.PREDICT_AT]:
        lesson.show(name, PACK[number], number, lessons)


@EACH
def test_no_text_up_to_the_prediction_is_one_of_the_outcome(number: int):
    scenario, lessons = PACK[number], Lessons()
    shown = [lesson.title(scenario, number, lessons), *lesson.groups(PACK)]
    for name in BEATS[: lesson.PREDICT_AT]:
        shown += texts(lesson.show(name, scenario, number, lessons))
    before = " ".join(shown)
    for outcome in lesson.last(scenario).values():
        assert outcome.message not in before
        assert (scenario.why or {})[outcome.agent] not in before
    assert not [verdict for verdict in verdicts.VERDICTS if verdict in before]


@EACH
def test_the_title_is_kept_back_until_the_outcome_is_shown(number: int):
    lessons = Lessons()
    assert lesson.title(PACK[number], number, lessons) == f"Lesson {number + 1}"
    predict_all(lessons, PACK[number])
    lesson.go(lessons, PACK, number, 4)
    assert PACK[number].title in lesson.title(PACK[number], number, lessons)


@EACH
def test_each_agents_beat_tells_its_verdict_and_why(number: int):
    for agent, outcome in lesson.last(PACK[number]).items():
        beat = lesson.show(agent, PACK[number], number, Lessons())
        assert beat.verdict == outcome.verdict
        assert (PACK[number].why or {})[agent] in texts(beat)


@pytest.mark.parametrize(
    ("name", "caption", "guard"),
    [
        ("right-customer-other-order", "Objections", "ticket's order"),
        ("retry-asks-for-more", "Objections", "agreed amount"),
        ("only-prose", "Objections to the first answer", "intent declared"),
    ],
)
def test_the_guards_that_objected_are_named(name: str, caption: str, guard: str):
    tables = {table[0]: table[2] for table in lesson.show("guarded", BY_ID[name], 5, Lessons()).tables}
    assert [row[0] for row in tables[caption]] == [guard]


@EACH
def test_the_gap_names_the_limit_or_what_the_group_teaches(number: int):
    _, (_, why) = lesson.show(GAP, PACK[number], number, Lessons()).lines
    assert why.startswith(f"Limit of the fix: {PACK[number].limit}.") == (PACK[number].limit is not None)


def test_a_lesson_of_two_steps_is_about_the_last_and_shows_what_was_paid_before():
    records = lesson.show(lesson.RECORDS, BY_ID["paid-twice"], 15, Lessons())
    assert ("Already paid, in an earlier step", ("order", "amount"), [("A100", "20.0")]) in records.tables
    assert {agent: outcome.verdict for agent, outcome in lesson.last(BY_ID["paid-twice"]).items()} == {
        "broken": verdicts.WRONG_MONEY,
        "fixed": verdicts.WRONG_MONEY,
        "guarded": verdicts.RIGHTLY_STOPPED,
    }


def test_earlier_ledgers_that_differ_are_shown_agent_by_agent():
    step = BY_ID["consistently-wrong"].steps[0]
    scenario = Scenario("two", "Two", BY_ID["consistently-wrong"].case, [step, step])
    captions = [caption for caption, _, _ in lesson.show(lesson.RECORDS, scenario, 4, Lessons()).tables]
    assert captions[1:] == [f"Already paid by {agent}, in an earlier step" for agent in AGENTS]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("null-is-not-nothing", ("cap", "absent", "≠", "null")),
        ("same-money-as-text", ("amount", '"20.00" (text)', "≠", "20.0 (number)")),
        ("all-three-agree", ("amount", "20.0", "=", "20.0")),
    ],
)
def test_intent_and_call_stand_side_by_side_as_they_were_sent(name: str, row: tuple[str, ...]):
    _, _, rows = lesson.show(lesson.STEP, BY_ID[name], 5, Lessons()).tables[0]
    assert [cell.partition(" (")[0] for cell in row] == [
        cell.partition(" (")[0] for cell in next(found for found in rows if found[0] == row[0])
    ]


def test_a_letter_that_deceives_the_eye_is_named():
    _, _, rows = lesson.show(lesson.STEP, BY_ID["look-alike-id"], 10, Lessons()).tables[0]
    assert "U+0410 CYRILLIC CAPITAL LETTER A" in rows[0][3]


def test_a_call_that_is_text_is_shown_as_text():
    _, _, rows = lesson.show(lesson.STEP, BY_ID["cut-off-call"], 26, Lessons()).tables[0]
    assert ("call", '{"order_id": "A100", "amount": 2') in rows


def test_a_second_answer_is_shown_beside_the_first():
    captions = [table[0] for table in lesson.show(lesson.STEP, BY_ID["one-wrong-letter"], 19, Lessons()).tables]
    assert captions == ["Intent and call", "Second answer, if it is asked once more"]


def test_a_scenario_without_words_of_its_own_is_a_lesson_all_the_same():
    bare = Scenario("bare", "Bare", BY_ID["all-three-agree"].case, BY_ID["all-three-agree"].steps)
    assert len(through(bare, 3, Lessons())) == len(BEATS)
    assert lesson.groups([bare]) == {lesson.OTHERS: [0]}


# Predictions.


def test_choices_are_taken_agent_by_agent_and_taken_back_the_other_way():
    lessons, scenario = Lessons(), PACK[0]
    assert lesson.asked(lessons, scenario) == "broken"
    predict_all(lessons, scenario, WRONG, NOTHING, RIGHT)
    assert lessons.predictions[scenario.id] == {"broken": WRONG, "fixed": NOTHING, "guarded": RIGHT}
    lesson.predict(lessons, scenario, NOTHING)
    assert lessons.predictions[scenario.id]["guarded"] == NOTHING
    for left in (["guarded"], ["fixed", "guarded"], list(AGENTS), list(AGENTS)):
        lesson.take_back(lessons, scenario)
        assert lesson.outstanding(lessons, scenario) == left


def test_a_prediction_stands_once_the_outcome_was_shown():
    lessons, scenario = Lessons(), PACK[0]
    predict_all(lessons, scenario, WRONG, NOTHING, NOTHING)
    kept = dict(lessons.predictions[scenario.id])
    lesson.go(lessons, PACK, 0, 4)
    lesson.go(lessons, PACK, 0, 3)
    lesson.predict(lessons, scenario, RIGHT)
    lesson.take_back(lessons, scenario)
    assert lessons.predictions[scenario.id] == kept


def test_back_and_forth_changes_no_prediction():
    lessons = Lessons()
    predict_all(lessons, PACK[0], WRONG, NOTHING, NOTHING)
    kept = dict(lessons.predictions[PACK[0].id])
    for move in (lesson.forward,) * 9 + (lesson.back,) * 9 + (lesson.forward,) * 4:
        move(lessons, PACK)
    assert lessons.predictions[PACK[0].id] == kept


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
    assert lesson.came(lesson.last(BY_ID[name])[agent]) == choice


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ((WRONG, NOTHING, NOTHING), "All three went as you predicted."),
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
    assert lesson.gap(given, lesson.last(PACK[0])) == sentence


def test_a_lesson_predicted_wrongly_is_offered_again_until_it_is_right():
    lessons = Lessons()
    predict_all(lessons, PACK[0], RIGHT, RIGHT, RIGHT)
    lesson.go(lessons, PACK, 0, lesson.GAP_AT)
    assert lesson.missed(lessons, PACK) == [0]
    assert lesson.mark(lessons, PACK, 0) == "once more"
    lesson.again(lessons, PACK, 0)
    assert (lessons.beat, lessons.predictions, lesson.mark(lessons, PACK, 0)) == (1, {}, "")
    predict_all(lessons, PACK[0], WRONG, NOTHING, NOTHING)
    lesson.go(lessons, PACK, 0, lesson.GAP_AT)
    assert lesson.missed(lessons, PACK) == []
    assert lesson.mark(lessons, PACK, 0) == "done"


def test_a_wrong_prediction_is_not_given_away_before_the_gap():
    lessons = Lessons()
    predict_all(lessons, PACK[0])
    lesson.go(lessons, PACK, 0, lesson.GAP_AT - 1)
    assert lesson.mark(lessons, PACK, 0) == ""


def test_the_hands_of_a_room_stand_beside_the_outcome():
    lessons = Lessons(presenter=True)
    for choice, count in ((NOTHING, 12), (RIGHT, 3), (RIGHT, 2)):
        lesson.raise_hands(lessons, PACK[0], "fixed", choice, count)
    said = "The room: 12 for no money moves, 2 for the right payment, 0 for a wrong payment"
    assert said in texts(lesson.show("fixed", PACK[0], 0, lessons))
    _, header, rows = lesson.show(GAP, PACK[0], 0, lessons).tables[0]
    assert [row[header.index("hands for that")] for row in rows] == ["none counted", "12 of 14", "none counted"]


# The way through.


def test_the_way_leads_through_every_beat_and_back():
    lessons, seen = Lessons(presenter=True), [(0, 1)]
    while not lesson.forward(lessons, PACK):
        seen.append((lesson.at(lessons, PACK), lessons.beat))
    assert seen == [(n, b + 1) for n in range(len(PACK)) for b in range(len(lesson.beats(n, len(PACK))))]
    assert lesson.beats(len(PACK) - 1, len(PACK))[-1] == SANDBOX
    for place in reversed(seen[:-1]):
        assert lesson.back(lessons, PACK) == ""
        assert (lesson.at(lessons, PACK), lessons.beat) == place
    assert lesson.back(lessons, PACK) == "This is the first beat of the first lesson."


def test_nothing_leads_past_an_outstanding_prediction():
    lessons = Lessons()
    lesson.predict(lessons, PACK[4], RIGHT)
    assert lesson.go(lessons, PACK, 4, 7) == "First your prediction for fixed and guarded."
    assert lessons.beat == lesson.PREDICT_AT
    assert lesson.forward(lessons, PACK) == "First your prediction for fixed and guarded."
    assert lessons.beat == lesson.PREDICT_AT


def test_a_prediction_that_a_presenter_left_out_is_asked_for_once_there_is_none():
    lessons = Lessons(presenter=True)
    lesson.go(lessons, PACK, 0, 9)
    lessons.presenter = False
    assert lesson.go(lessons, PACK, 0, 9) != ""
    assert lesson.may_predict(lessons, PACK[0])


@pytest.mark.parametrize(
    ("link", "place", "sentence"),
    [
        ({}, (0, 1), ""),
        ({"fresh": "1"}, (0, 1), ""),
        ({"lesson": "3", "beat": "2"}, (2, 2), ""),
        ({"lesson": "3"}, (2, 1), ""),
        ({"lesson": "3", "beat": "5"}, (2, 3), "First your prediction for broken, fixed and guarded."),
        ({"lesson": "0"}, (0, 1), 'The link asks for lesson "0", and there are 1 to 27; this is lesson 1.'),
        ({"lesson": "\u0663"}, (0, 1), 'The link asks for lesson "\u0663", and there are 1 to 27; this is lesson 1.'),
        ({"beat": "10"}, (0, 1), 'The link asks for beat "10", and there are 1 to 9; this is beat 1.'),
        ({"lesson": "27", "beat": "2"}, (26, 2), ""),
        (
            {"lesson": "x" * 99, "beat": "-1"},
            (0, 1),
            f'The link asks for lesson "{"x" * 17}...", and there are 1 to 27; this is lesson 1. '
            'The link asks for beat "-1", and there are 1 to 9; this is beat 1.',
        ),
    ],
)
def test_a_link_leads_to_its_beat_or_says_why_not(link: dict[str, str], place: tuple[int, int], sentence: str):
    lessons = Lessons()
    assert lesson.follow(lessons, PACK, link) == sentence
    assert (lesson.at(lessons, PACK), lessons.beat) == place


def test_a_presenters_link_leads_past_the_prediction():
    lessons = Lessons(presenter=True)
    assert lesson.follow(lessons, PACK, {"lesson": "3", "beat": "5"}) == ""
    assert (lesson.at(lessons, PACK), lessons.beat) == (2, 5)


def test_lessons_come_in_teaching_order_each_in_one_group():
    groups = lesson.groups(PACK)
    assert [number for numbers in groups.values() for number in numbers] == list(range(len(PACK)))
    assert [len(numbers) for numbers in groups.values()] == [2, 3, 2, 4, 8, 2, 2, 2, 2]


def test_groups_do_without_a_scenario_that_is_missing():
    fewer = [scenario for scenario in PACK if scenario.id not in ("float-noise", "same-money-as-text")]
    assert [number for numbers in lesson.groups(fewer).values() for number in numbers] == list(range(len(fewer)))


def test_a_place_that_is_gone_is_the_first_lesson():
    assert lesson.at(Lessons(place="no-such-lesson"), PACK) == 0


def test_lessons_are_plain_data():
    lessons = Lessons()
    predict_all(lessons, PACK[0])
    lesson.raise_hands(lessons, PACK[0], "broken", RIGHT, 3)
    lesson.go(lessons, PACK, 0, 9)
    assert Lessons(**json.loads(json.dumps(asdict(lessons)))) == lessons


# The challenge, and that its answer is true.


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("right-words-wrong-order", {"order_id": "A100", "amount": 20.0, "store_credit": 50}),
        ("minus-twenty", {"order_id": "A100", "amount": 19.0}),
    ],
    ids=["a further argument declared and called", "any refundable amount where none was agreed"],
)
def test_what_the_answer_says_gets_past_the_guards(name: str, fields: dict[str, object]):
    steps = {name: [{**BY_ID[name].steps[0], "intent": fields, "do": fields}]}
    past = lesson.past_the_guards(PACK, lambda scenario: steps.get(scenario.id, scenario.steps))
    assert [PACK[number].id for number in past] == [name]


def test_a_record_that_is_wrong_is_believed():
    scenario = BY_ID["consistently-wrong"]
    ticket = {**scenario.case["ticket"], "order_id": "A101", "customer_id": "C2", "agreed_amount": "200.00"}
    orders = {**scenario.case["orders"], "A101": {**scenario.case["orders"]["A101"], "refundable": "200.00"}}
    lying = Scenario("lying", "Lying", {"ticket": ticket, "orders": orders}, scenario.steps)
    assert lesson.last(lying)["guarded"].verdict == verdicts.WRONG_MONEY


def test_no_lesson_as_it_stands_gets_past_the_guards():
    assert lesson.past_the_guards(PACK, lambda scenario: scenario.steps) == []


def test_the_answer_is_given_only_when_told():
    last = len(PACK) - 1
    assert lesson.ANSWER not in texts(lesson.show(SANDBOX, PACK[last], last, Lessons()))
    assert lesson.ANSWER in texts(lesson.show(SANDBOX, PACK[last], last, Lessons(told=True)))
