"""Every scenario does what it says, the pack keeps its promises, and a file that is none is told why."""

import contextlib
import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from failure13 import broken, calls, fixed
from failure13.agents import AGENTS, GUARDED
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.replay import replay, unmet
from failure13.scenarios import (
    WORDS,
    BrokenFile,
    Scenario,
    from_data,
    load,
    load_all,
    mistakes,
    schema,
    steps_mistakes,
    with_edit,
)
from failure13.verdicts import NEEDLESS_BLOCK, WRONG_MONEY
from samples import values, wild_numbers

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "scenarios"
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}
SCENARIOS, BROKEN_FILES = load_all(FOLDER)
README = (FOLDER / "README.md").read_text(encoding="utf-8")

TEACHING_ORDER = """
    right-words-wrong-order all-three-agree
    missing-amount extra-store-credit wrong-pocket
    float-noise same-money-as-text a-reason-in-other-words
    cents-or-dollars decimal-comma nineteen-digit-id look-alike-id
    consistently-wrong right-customer-other-order someone-elses-order the-ticket-that-talks
    paid-twice the-same-refund-again wrong-currency minus-twenty half-cent
    one-wrong-letter retry-asks-for-more the-retry-declares-its-mistake
    only-prose prose-says-otherwise said-and-never-done
    null-is-not-nothing true-is-one
    twice-in-one-breath the-same-key-with-the-same-value cut-off-call
    the-plan-was-the-slip in-two-parts an-extra-in-both nobody-agreed the-book-is-wrong
""".split()
PACK = [scenario for scenario in SCENARIOS if scenario.id in TEACHING_ORDER]


def by_id(scenario):
    return scenario.id


every_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=by_id)
every_scenario_of_the_pack = pytest.mark.parametrize("scenario", PACK, ids=by_id)
every_file = pytest.mark.parametrize("path", FILES.values(), ids=FILES)
every_try = pytest.mark.parametrize(
    ("scenario", "attempt"),
    [pytest.param(s, attempt, id=f"{s.id}: {attempt['label']}") for s in SCENARIOS for attempt in s.tries],
)


def content(path):
    return json.loads(path.read_text(encoding="utf-8"))


# What the files say is what happens.


@every_scenario
def test_every_agent_does_what_the_file_expects(scenario):
    assert unmet(scenario.expect, replay(scenario)) == []


@every_try
def test_every_agent_does_with_a_try_what_it_expects(scenario, attempt):
    assert unmet(attempt["expect"], replay(scenario, with_edit(scenario.steps, attempt["set"]))) == []


@every_try
def test_a_try_changes_something(scenario, attempt):
    assert not same(with_edit(scenario.steps, attempt["set"]), scenario.steps)


@every_scenario
def test_every_file_expects_something_of_every_agent(scenario):
    assert set(scenario.expect or {}) == set(AGENTS)
    assert all(set(attempt.get("expect", {})) == set(AGENTS) for attempt in scenario.tries)


# The pack.


def test_no_file_of_the_folder_is_broken():
    assert BROKEN_FILES == {}


def test_the_files_are_numbered_from_1_without_a_gap():
    assert [int(stem[:2]) for stem in FILES] == list(range(1, len(FILES) + 1))


def test_the_pack_is_complete_and_in_the_teaching_order():
    assert [scenario.id for scenario in PACK] == TEACHING_ORDER
    assert [stem[3:] for stem in FILES][: len(TEACHING_ORDER)] == TEACHING_ORDER


@every_scenario_of_the_pack
def test_every_file_of_the_pack_has_all_its_texts(scenario):
    assert scenario.hook
    assert scenario.notice
    assert set(scenario.why or {}) == set(AGENTS)
    assert 1 <= len(scenario.tries) <= 3


def test_every_file_of_the_pack_is_in_a_group_and_the_files_of_a_group_stand_together():
    groups = [scenario.group for scenario in PACK]
    assert all(groups)
    assert sorted(groups, key=groups.index) == groups


@every_scenario_of_the_pack
def test_titles_and_labels_fit_where_the_page_shows_them(scenario):
    assert len(scenario.title) <= 40
    assert all(len(attempt["label"]) <= 32 for attempt in scenario.tries)


@every_scenario_of_the_pack
def test_the_guarded_agent_pays_wrong_money_or_blocks_needlessly_only_where_that_is_the_limit_shown(scenario):
    if {outcome.verdict for outcome in replay(scenario)["guarded"]} & {WRONG_MONEY, NEEDLESS_BLOCK}:
        assert LIMITS[scenario.limit].agent == GUARDED


@pytest.mark.parametrize("limit", LIMITS)
def test_every_limit_has_a_scenario(limit):
    assert [scenario.id for scenario in SCENARIOS if scenario.limit == limit]


@every_scenario_of_the_pack
def test_a_scenario_in_which_the_fix_pays_wrong_money_or_blocks_needlessly_names_the_limit(scenario):
    if {outcome.verdict for outcome in replay(scenario)["fixed"]} & {WRONG_MONEY, NEEDLESS_BLOCK}:
        assert scenario.limit is not None


def of_pack(scenario_id):
    return next(scenario for scenario in PACK if scenario.id == scenario_id)


def test_the_look_alike_is_named_by_its_code_point():
    (outcome,) = replay(of_pack("look-alike-id"))["guarded"]
    assert "U+0410 CYRILLIC CAPITAL LETTER A" in outcome.record["objections"][0]["call equals intent"]


@pytest.mark.parametrize("scenario_id", ["missing-amount", "only-prose"])
def test_a_good_second_answer_is_paid_after_one_retry(scenario_id):
    (outcome,) = replay(of_pack(scenario_id))["guarded"]
    assert outcome.record["status"] == "executed after retry"


@pytest.mark.parametrize("scenario_id", ["one-wrong-letter", "retry-asks-for-more"])
def test_a_second_answer_that_is_no_better_ends_with_a_person(scenario_id):
    (outcome,) = replay(of_pack(scenario_id))["guarded"]
    assert outcome.message.startswith("ESCALATED to a person after one retry: ")
    assert outcome.waiting is not None


def test_the_customer_reads_what_was_paid_and_not_what_was_promised():
    outcomes = replay(of_pack("prose-says-otherwise"))
    assert [outcomes[agent][0].told for agent in AGENTS] == [
        "Good news. We are refunding $200.00 on A100.",
        "Good news. We are refunding $200.00 on A100.",
        "We refunded $20.00 on A100.",
    ]


# Guards: each is needed.


def stopped_alone_by(name):
    """The scenarios with an answer to which the guard of that name objects and no other does."""
    return [
        scenario
        for scenario in SCENARIOS
        for outcome in replay(scenario)["guarded"]
        if any(list(objections) == [name] for objections in outcome.record.get("objections", ()))
    ]


@pytest.mark.parametrize("name", GUARDS)
def test_each_guard_alone_stops_some_answer(name):
    assert stopped_alone_by(name), f"guard {name!r} has no scenario with an answer that only it objects to"


def can_be_read(call):
    try:
        return call is not None and bool(calls.read_side(call))
    except calls.Unreadable:
        return False


@pytest.mark.parametrize("name", GUARDS)
def test_without_a_guard_its_scenarios_end_differently(name):
    others = {other: guard for other, guard in GUARDS.items() if other != name}
    # A call that cannot be read is paid by nobody, whoever is asked.
    readable = [s for s in stopped_alone_by(name) if all(can_be_read(step["do"]) for step in s.steps)]
    assert readable
    for scenario in readable:
        ends = [
            [(o.status, o.record.get("status"), o.ledger) for o in replay(scenario, guards=guards)["guarded"]]
            for guards in (GUARDS, others)
        ]
        assert ends[0] != ends[1], f"{scenario.id} ends the same without the guard {name!r}"


# The article's fix is the broken agent behind one guard.


def run(agent, step, ledger):
    """The ledger after an agent of the article, which may raise."""
    with contextlib.suppress(TypeError, ValueError):
        agent(step, ledger)
    return ledger


def broken_silently(step, ledger):
    return broken.run_agent(step, ledger, say=lambda *_: None)


def read_by_the_article(step):
    """Both sides as the article's agents read them, or None where they are not two objects."""
    try:
        sides = [json.loads(side) if isinstance(side, str) else side for side in (step["intent"], step["do"])]
    except ValueError:
        return None
    return sides if all(isinstance(side, dict) for side in sides) else None


@every_scenario
def test_the_fix_is_the_broken_agent_behind_one_guard(scenario):
    variants = [scenario.steps, *(with_edit(scenario.steps, attempt["set"]) for attempt in scenario.tries)]
    for step in (step for steps in variants for step in steps if read_by_the_article(step)):
        ledger = [("A100", 1.0)]
        agrees = not fixed.diff_intent(*read_by_the_article(step))
        expected = run(broken_silently, step, list(ledger)) if agrees else ledger
        assert run(fixed.run_agent, step, list(ledger)) == expected


# Mistakes.


def smallest():
    """The README's smallest complete scenario, as fresh data."""
    (block,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    return json.loads(block)


GONE = object()


def changed(data, *place_and_value):
    """`data` with one place, given key by key, set to the last argument or GONE."""
    *way, key, value = place_and_value
    data = copy.deepcopy(data)
    inner = data
    for step in way:
        inner = inner[step]
    if value is GONE:
        del inner[key]
    else:
        inner[key] = value
    return data


ROWS_RULE = "expected a row [order, amount] or [order, amount, further arguments]"
DO_RULE = "expected an object, a JSON string or null for no call"
TEXT_RULE = "expected a text of at most 20,000 characters"
JSON_RULE = "expected a JSON string of at most 100,000 characters"
AMOUNT_RULE = 'expected an amount as text, such as "40.00"'
FIELD_RULE = "expected the name of a field, other than order_id, amount and currency"
SET_RULE = "expected a place of a said, intent, do or retry, such as steps[0].do.amount"
AGENTS_RULE = 'expected one of "broken", "fixed", "guarded"'
EXPECTED = {"ledger": [], "verdicts": ["crashed"]}
MISTAKES = [
    (("steps", 0, "do", 7), f"steps[0].do: {DO_RULE}, found 7"),
    (("steps", 0, "intent", [1]), "steps[0].intent: expected an object, a JSON string or null, found [1]"),
    (("steps", 0, "said", 1), f"steps[0].said: {TEXT_RULE}, found 1"),
    (("steps", 0, "said", "x" * 20_001), f"steps[0].said: {TEXT_RULE}, found 20001 characters"),
    (("steps", 0, "do", "x" * 200_000), f"steps[0].do: {JSON_RULE}, found 200000 characters"),
    (("steps", 0, "intent", "x" * 100_001), f"steps[0].intent: {JSON_RULE}, found 100001 characters"),
    (
        ("steps", 0, "retry", {"intent": None, "do": "x" * 200_000}),
        f"steps[0].retry.do: {JSON_RULE}, found 200000 characters",
    ),
    (("steps", 0, "said", GONE), "steps[0].said: expected this key, found nothing"),
    (("steps", 0, "owed", GONE), "steps[0].owed: expected this key, found nothing"),
    (("steps", 0, "owed", []), "steps[0].owed: expected an object, or null for nothing owed, found []"),
    (("steps", 0, "owed", "amount", GONE), "steps[0].owed.amount: expected this key, found nothing"),
    (
        ("steps", 0, "owed", "amount", -1),
        'steps[0].owed.amount: expected an amount, such as 20.0 or "20.00", found -1',
    ),
    (
        ("steps", 0, "owed", "amount", True),
        'steps[0].owed.amount: expected an amount, such as 20.0 or "20.00", found true',
    ),
    (("steps", 0, "retry", {"do": {}}), "steps[0].retry.intent: expected this key, found nothing"),
    (("steps", 0, "retry", {"intent": {}, "do": 7}), f"steps[0].retry.do: {DO_RULE}, found 7"),
    (
        ("steps", 0, "saying", "x"),
        'steps[0].saying: expected one of the keys said, intent, do, retry, owed, found "saying"',
    ),
    (
        ("steps", 0, "odd\u200bkey", "x"),
        'steps[0]["odd\\u200bkey"]: expected one of the keys said, intent, do, retry, owed, found "odd\\u200bkey"',
    ),
    (("steps", []), "steps: expected a list of 1 to 100 steps, found []"),
    (("steps", {}), "steps: expected a list of 1 to 100 steps, found {}"),
    (("title", ""), 'title: expected a text of 1 to 200 characters that can be seen, found ""'),
    (("title", "\u200b"), 'title: expected a text of 1 to 200 characters that can be seen, found "\\u200b"'),
    (("title", GONE), "title: expected this key, found nothing"),
    (("group", ""), 'group: expected a text of 1 to 60 visible characters, found ""'),
    (("group", " "), 'group: expected a text of 1 to 60 visible characters, found " "'),
    (("group", "A\u200bB"), 'group: expected a text of 1 to 60 visible characters, found "A\\u200bB"'),
    (("group", "x" * 61), "group: expected a text of 1 to 60 visible characters, found 61 characters"),
    (("group", 1), "group: expected a text of 1 to 60 visible characters, found 1"),
    (("case", "orders", GONE), "case.orders: expected this key, found nothing"),
    (
        ("case", "orders", "A 1", {}),
        'case.orders["A 1"].customer_id: expected this key, found nothing',
        'case.orders["A 1"].paid: expected this key, found nothing',
        'case.orders["A 1"].refundable: expected this key, found nothing',
        'case.orders["A 1"].currency: expected this key, found nothing',
    ),
    (("case", "orders", "A100", "paid", 40.0), f"case.orders.A100.paid: {AMOUNT_RULE}, found 40.0"),
    (("case", "orders", "A100", "refundable", "20,00"), f'case.orders.A100.refundable: {AMOUNT_RULE}, found "20,00"'),
    (("case", "ticket", "agreed_amount", "ten"), f'case.ticket.agreed_amount: {AMOUNT_RULE}, found "ten"'),
    (("case", "harmless", "reason"), 'case.harmless: expected a list, found "reason"'),
    (("case", "harmless", ["reason", 7]), f"case.harmless[1]: {FIELD_RULE}, found 7"),
    (("case", "harmless", ["amount"]), f'case.harmless[0]: {FIELD_RULE}, found "amount"'),
    (("case", "harmless", ["a", "order_id"]), f'case.harmless[1]: {FIELD_RULE}, found "order_id"'),
    (("case", "harmless", ["a", "b", "a"]), 'case.harmless[2]: expected each field once, found "a"'),
    (
        ("expect", "broken", "verdicts", ["wrong"]),
        'expect.broken.verdicts[0]: expected one of "paid as owed", "rightly stopped", "needless block", '
        '"wrong money", "nothing done", "crashed", found "wrong"',
    ),
    (
        ("expect", "fixed", "verdicts", []),
        "expect.fixed.verdicts: expected one for each of the 1 steps, found []",
    ),
    (("expect", "broken", "ledger", [["A101"]]), f'expect.broken.ledger[0]: {ROWS_RULE}, found ["A101"]'),
    (("expect", "brave", EXPECTED), f'expect.brave: {AGENTS_RULE}, found "brave"'),
    (("why", {"brave": "x"}), f'why.brave: {AGENTS_RULE}, found "brave"'),
    (("why", {"broken": 1}), f"why.broken: {TEXT_RULE}, found 1"),
    (("limit", "bad luck"), f'limit: expected one of {", ".join(map(json.dumps, LIMITS))}, found "bad luck"'),
    (("limit", ["free text"]), f'limit: expected one of {", ".join(map(json.dumps, LIMITS))}, found ["free text"]'),
    (("seen", "somewhere"), 'seen: expected a public report as "repo#number", found "somewhere"'),
    (("seen", "a/b#1\n"), 'seen: expected a public report as "repo#number", found "a/b#1\\n"'),
    (
        ("tries", [{"label": "a *b*", "set": {}}]),
        'tries[0].label: expected a text of 1 to 60 characters, none of which markdown would change, found "a *b*"',
    ),
    (
        ("tries", [{"label": "x", "set": {"steps[0].owed": None}}]),
        f'tries[0].set["steps[0].owed"]: {SET_RULE}, found "steps[0].owed"',
    ),
    (
        ("tries", [{"label": "x", "set": {"steps[0].retry.owed": None}}]),
        f'tries[0].set["steps[0].retry.owed"]: {SET_RULE}, found "steps[0].retry.owed"',
    ),
    (("tries", [{"label": "x", "set": {"steps[0].do": 7}}]), f'tries[0].set["steps[0].do"]: {DO_RULE}, found 7'),
    (
        ("tries", [{"label": "x", "set": {"steps[0].retry": {"do": None}}}]),
        'tries[0].set["steps[0].retry"].intent: expected this key, found nothing',
    ),
]


@pytest.mark.parametrize(("change", "sentences"), [(row[0], list(row[1:])) for row in MISTAKES])
def test_a_mistake_is_told_with_place_rule_and_value(change, sentences):
    assert mistakes(changed(smallest(), *change)) == sentences


@pytest.mark.parametrize(
    "change",
    [
        ("steps", 0, "do", None),
        ("steps", 0, "intent", None),
        ("steps", 0, "do", "x" * 100_000),
        ("steps", 0, "retry", {"intent": None, "do": None}),
        ("steps", 0, "said", "x" * 20_000),
        ("title", "A\u200btitle"),
        ("group", "x" * 60),
        ("group", "Größe und Wert, 値"),
        ("case", "harmless", []),
        ("case", "harmless", ["reason", "idempotency key"]),
        ("tries", [{"label": "x", "set": {"steps[0].do": None, "steps[0].retry": {"intent": None, "do": {}}}}]),
        ("tries", [{"label": "x", "set": {"steps[0].do.a.b": 1}}]),
        ("expect", {}),
        ("why", {}),
    ],
)
def test_what_a_file_may_say_is_no_mistake(change):
    assert mistakes(changed(smallest(), *change)) == []


@pytest.mark.parametrize("data", [7, [], None, "x"])
def test_what_is_no_object_is_no_scenario(data):
    assert mistakes(data) == [f"the file: expected an object, found {json.dumps(data)}"]


@pytest.mark.parametrize("steps", [7, {}, None, "x", []])
def test_what_is_no_list_with_an_entry_is_no_steps(steps):
    assert steps_mistakes(steps) == [f"steps: expected a list of 1 to 100 steps, found {json.dumps(steps)}"]


def test_the_currency_has_to_be_one_whose_smallest_unit_is_known():
    (sentence,) = mistakes(changed(smallest(), "case", "orders", "A100", "currency", "usd"))
    assert sentence.startswith('case.orders.A100.currency: expected one of "CLP", ')
    assert sentence.endswith(', found "usd"')


def test_every_mistake_is_told_at_once_in_the_order_of_the_file():
    data = changed(smallest(), "title", 1)
    data = changed(data, "case", "ticket", "id", GONE)
    data = changed(data, "case", "ticket", "agreed_amount", "20.005")
    data = changed(data, "steps", 0, "do", 7)
    data = changed(data, "steps", 0, "owed", "amount", 17.995)
    data = changed(data, "expect", "broken", "verdicts", ["wrong", "crashed"])
    data = changed(data, "tries", [{"label": "", "set": {"steps[1].do": None}}])
    assert [sentence.partition(": ")[0] for sentence in mistakes(data)] == [
        "title",
        "case.ticket.id",
        "case.ticket.agreed_amount",
        "steps[0].do",
        "steps[0].owed.amount",
        "expect.broken.verdicts",
        "expect.broken.verdicts[0]",
        "tries[0].label",
        'tries[0].set["steps[1].do"]',
    ]


def places(value, *way):
    """Every place in `value`, key by key."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*way, key)
        yield from places(below, *way, key)


SENTENCE = re.compile(r".+: expected .+, found .+", re.DOTALL)
OTHERS = [GONE, None, True, 7, -1, 0.5, "x", "", "1.5", [], {}, [[]], {"x": 1}, {"x": {}}]


@pytest.mark.parametrize("scenario_id", ["paid-twice", "retry-asks-for-more", "a-reason-in-other-words"])
def test_any_small_change_of_a_file_is_a_mistake_that_is_told_or_runs(scenario_id):
    data = content(next(path for stem, path in FILES.items() if stem[3:] == scenario_id))
    for place in places(data):
        for other in OTHERS:
            other_data = changed(data, *place, other)
            found = mistakes(other_data)
            assert all(map(SENTENCE.fullmatch, found))
            assert len(set(found)) == len(found)
            if not found:
                made = from_data("changed", other_data)
                unmet(made.expect, replay(made))
                for attempt in made.tries:
                    with_edit(made.steps, attempt["set"])


@given(st.data())
def test_whatever_value_stands_anywhere_it_is_a_mistake_or_none(data):
    file = content(FILES["01-right-words-wrong-order"])
    place = data.draw(st.sampled_from(list(places(file))))
    found = mistakes(changed(file, *place, data.draw(values | wild_numbers)))
    assert all(map(SENTENCE.fullmatch, found))


@given(values | wild_numbers)
def test_whatever_the_value_its_mistakes_are_told(value):
    assert all(map(SENTENCE.fullmatch, [*mistakes(value), *steps_mistakes(value), *steps_mistakes([value])]))


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize("value", [deep(), 10**5000], ids=["too deep", "too long"])
def test_a_value_that_no_text_can_hold_is_told_and_not_shown(value):
    rule = "expected at most 64 levels and 4300 digits of a number, found more"
    for data in (value, [value], {**smallest(), "title": value}, {**smallest(), "expect": value}):
        assert mistakes(data) == [f"the file: {rule}"]
    assert steps_mistakes(value) == [f"steps: {rule}"]


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("steps[1].do", "steps[1].do: expected a said, intent, do or retry of one of the 1 steps, found another place"),
        ("steps[0].owed", "expected a said, intent, do or retry of one of the 1 steps, found another place"),
        (f"steps[{'9' * 5000}].do", "expected a said, intent, do or retry of one of the 1 steps, found another place"),
        ("steps[0].said.x", 'steps[0].said.x: expected said to be an object, found "Refunding $20.00 on A100."'),
        ("steps[0].retry.do", "steps[0].retry.do: expected retry to be an object, found null"),
    ],
)
def test_an_edit_of_a_place_that_is_not_there_is_refused(place, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        with_edit(smallest()["steps"], {place: "x"})


def test_an_edit_sets_its_places_and_leaves_the_given_steps_alone():
    steps = smallest()["steps"]
    retry = {"intent": None, "do": {}}
    changes = {
        "steps[0].said": "x",
        "steps[0].do.amount": 1,
        "steps[0].do.odd.field": [2],
        "steps[0].retry": retry,
        "steps[0].retry.said": "y",
    }
    (step,) = with_edit(steps, changes)
    assert step["said"] == "x"
    assert step["do"] == {"order_id": "A101", "amount": 1, "odd.field": [2]}
    assert step["retry"] == {**retry, "said": "y"}
    assert (steps, retry) == (smallest()["steps"], {"intent": None, "do": {}})


# Files and folders.


def as_file(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def told(path):
    with pytest.raises(BrokenFile) as caught:
        load(path)
    return caught.value.mistakes


def test_a_scenarios_id_is_its_files_name_without_the_number(tmp_path):
    assert load(as_file(tmp_path, "05-wrong-pocket.json", smallest())).id == "wrong-pocket"


def test_a_mistake_in_a_file_begins_with_its_name(tmp_path):
    path = as_file(tmp_path, "05-extra-field.json", changed(smallest(), "steps", 0, "do", 7))
    assert told(path) == [f"05-extra-field.json: steps[0].do: {DO_RULE}, found 7"]


def test_a_file_that_is_not_utf_8_says_which_byte(tmp_path):
    assert told(as_file(tmp_path, "x.json", b'{"title": "\xff"}')) == ["x.json: expected UTF-8, found byte 255 at 11"]


def test_a_file_of_256_kib_is_read_and_one_byte_more_is_not(tmp_path):
    text = json.dumps(smallest()).encode().ljust(256 * 1024)
    assert load(as_file(tmp_path, "x.json", text)).title == smallest()["title"]
    assert told(as_file(tmp_path, "y.json", text + b" ")) == [
        "y.json: line 1, column 1: expected at most 256 KiB, found 262145 bytes"
    ]


def test_a_key_that_stands_twice_is_told_with_line_and_column(tmp_path):
    path = as_file(tmp_path, "x.json", b'{"title": "one",\n "title": "two"}')
    assert told(path) == ['x.json: line 2, column 2: the key "title" stands twice']


def test_a_file_that_is_not_there_is_told(tmp_path):
    assert told(tmp_path / "x.json") == ["x.json: the file cannot be read (No such file or directory)"]


def test_a_broken_file_hides_no_other(tmp_path):
    as_file(tmp_path, "01-a.json", smallest())
    as_file(tmp_path, "02-b.json", b"{")
    as_file(tmp_path, "03-c.json", smallest())
    scenarios, broken_files = load_all(tmp_path)
    assert [scenario.id for scenario in scenarios] == ["a", "c"]
    assert list(broken_files) == ["02-b.json"]


def test_a_missing_folder_gives_no_scenario_and_no_mistake(tmp_path):
    assert load_all(tmp_path / "nowhere") == ([], {})


def test_an_id_that_is_taken_is_a_mistake_of_the_later_file(tmp_path):
    as_file(tmp_path, "01-a.json", smallest())
    as_file(tmp_path, "02-a.json", smallest())
    scenarios, broken_files = load_all(tmp_path)
    assert [scenario.id for scenario in scenarios] == ["a"]
    assert broken_files == {"02-a.json": ["02-a.json: expected an id of its own, found 'a' in an earlier file"]}


# The README and the schema.


def test_the_readmes_smallest_scenario_holds():
    assert mistakes(smallest()) == []
    scenario = from_data("smallest", smallest())
    assert unmet(scenario.expect, replay(scenario)) == []


def test_the_readmes_smallest_scenario_has_only_what_a_new_file_needs():
    assert list(smallest()) == ["title", "case", "steps", "expect"]


def test_the_readme_has_a_line_for_every_key():
    named = set(re.findall(r"^\| `(?:case\.|steps\[0\]\.)?(\w+)` \|", README, re.MULTILINE))
    assert named >= {*schema()["properties"], *schema()["properties"]["steps"]["items"]["properties"]}


def test_the_readmes_command_runs():
    (command,) = re.findall(r"^python (-m failure13 .*)$", README, re.MULTILINE)
    assert (
        subprocess.run([sys.executable, *command.split()], cwd=ROOT, capture_output=True, check=False).returncode == 0
    )


def nodes(schema, *way):
    """Every object in the schema that is one, with the way to it."""
    if isinstance(schema, dict):
        if not way or way[-1] not in ("properties", "patternProperties", "$defs"):
            yield way, schema
        for key, inner in schema.items():
            yield from nodes(inner, *way, key)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(schema())


def test_the_schema_refers_to_nothing_outside_it():
    refs = {node["$ref"] for _, node in nodes(schema()) if "$ref" in node}
    assert refs
    assert all(ref.startswith("#/$defs/") and ref.removeprefix("#/$defs/") in schema()["$defs"] for ref in refs)


SILENT = {"$ref", "$comment", "$schema", "$defs", "description", "title", "properties", "patternProperties"}
IN_ANOTHER = {"anyOf", "not", "if"}  # whose own rule is the one that is told
RULES = [(way, node) for way, node in nodes(schema()) if set(node) - SILENT and not IN_ANOTHER & set(way)]


@pytest.mark.parametrize("node", [node for _, node in RULES], ids=["/".join(way) for way, _ in RULES])
def test_every_rule_of_the_schema_is_in_words(node):
    assert "title" in node or node["format"] in WORDS


def test_every_list_of_words_is_used_and_stands_in_the_schema_no_second_time():
    formats = {node["format"] for _, node in nodes(schema()) if "format" in node}
    assert formats == {*WORDS, "seen", "visible"}
    assert [node["enum"] for _, node in nodes(schema()) if "enum" in node] == [["order_id", "amount", "currency"]]


def test_more_steps_than_a_page_can_replay_live_are_a_mistake():
    step = smallest()["steps"][0]
    assert steps_mistakes([step] * 100) == []
    (found,) = steps_mistakes([step] * 101)
    assert found.startswith("steps: expected a list of 1 to 100 steps, found")


def test_a_currency_that_is_owed_is_one_that_is_known():
    (found,) = mistakes(changed(smallest(), "steps", 0, "owed", {**smallest()["steps"][0]["owed"], "currency": "BTC"}))
    assert found.startswith("steps[0].owed.currency: expected one of ")


def test_a_scenario_has_a_field_for_every_key_of_a_file():
    assert {*Scenario.__dataclass_fields__} - {"id"} == {*schema()["properties"]}


def test_a_fourth_agent_needs_no_change_of_the_schema(monkeypatch):
    data = changed(smallest(), "expect", "careful", EXPECTED)
    data["why"] = {"careful": "It asks somebody else."}
    assert len(mistakes(data)) == 2
    monkeypatch.setitem(AGENTS, "careful", AGENTS["fixed"])
    assert mistakes(data) == []
