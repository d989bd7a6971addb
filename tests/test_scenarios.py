"""Every scenario does what it says, the pack keeps its promises, and a file that is none is told why."""

import contextlib
import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from failure13 import AGENTS, broken, fixed, money
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.replay import replay, unmet
from failure13.scenarios import BrokenFile, edited, from_data, load, load_all, mistakes
from failure13.verdicts import NEEDLESS_BLOCK, VERDICTS, WRONG_MONEY

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "scenarios"
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}
SCENARIOS, BROKEN_FILES = load_all(FOLDER)
SCHEMA = json.loads((FOLDER / "schema" / "scenario.schema.json").read_text(encoding="utf-8"))
README = (FOLDER / "README.md").read_text(encoding="utf-8")

TEACHING_ORDER = """
    right-words-wrong-order all-three-agree
    missing-amount extra-store-credit wrong-pocket
    float-noise same-money-as-text
    cents-or-dollars decimal-comma nineteen-digit-id look-alike-id
    consistently-wrong right-customer-other-order someone-elses-order the-ticket-that-talks
    paid-twice wrong-currency minus-twenty half-cent
    one-wrong-letter retry-asks-for-more
    only-prose prose-says-otherwise
    null-is-not-nothing true-is-one
    twice-in-one-breath cut-off-call
""".split()
PACK = [scenario for scenario in SCENARIOS if scenario.id in TEACHING_ORDER]

# The pack's promise: a scenario for each guard in which an answer is stopped by that guard and by no other.
STOPPED_ALONE = {
    "intent declared": "only-prose",
    "call well formed": "minus-twenty",
    "call equals intent": "extra-store-credit",
    "ticket's order": "right-customer-other-order",
    "customer's order": "someone-elses-order",
    "still refundable": "paid-twice",
    "order's currency": "wrong-currency",
    "agreed amount": "retry-asks-for-more",
}


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
    assert unmet(attempt["expect"], replay(scenario, edited(scenario.steps, attempt["set"]))) == []


@every_try
def test_a_try_changes_something(scenario, attempt):
    assert not same(edited(scenario.steps, attempt["set"]), scenario.steps)


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


@every_scenario_of_the_pack
def test_titles_and_labels_fit_where_the_page_shows_them(scenario):
    assert len(scenario.title) <= 40
    assert all(len(attempt["label"]) <= 32 for attempt in scenario.tries)


@every_scenario_of_the_pack
def test_the_guarded_agent_neither_pays_wrong_money_nor_blocks_needlessly(scenario):
    verdicts = {outcome.verdict for outcome in replay(scenario)["guarded"]}
    assert not verdicts & {WRONG_MONEY, NEEDLESS_BLOCK}


@pytest.mark.parametrize("limit", LIMITS)
def test_every_limit_of_the_fix_has_a_scenario(limit):
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


@pytest.mark.parametrize(("name", "scenario_id"), STOPPED_ALONE.items())
def test_each_guard_alone_stops_an_answer_of_its_scenario(name, scenario_id):
    slipped = unmet(of_pack(scenario_id).expect, replay(of_pack(scenario_id)))
    assert scenario_id in map(by_id, stopped_alone_by(name)), f"guard {name!r} no longer stops {scenario_id}: {slipped}"


@pytest.mark.parametrize("name", GUARDS)
def test_without_a_guard_its_scenarios_end_differently(name):
    others = {other: guard for other, guard in GUARDS.items() if other != name}
    for scenario in stopped_alone_by(name):
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
    variants = [scenario.steps, *(edited(scenario.steps, attempt["set"]) for attempt in scenario.tries)]
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
MISTAKES = [
    (("steps", 0, "do", 7), "steps[0].do: expected an object or a JSON string, found 7"),
    (("steps", 0, "do", None), "steps[0].do: expected an object or a JSON string, found null"),
    (("steps", 0, "intent", [1]), "steps[0].intent: expected an object, a JSON string or null, found [1]"),
    (("steps", 0, "said", 1), "steps[0].said: expected a text of at most 20000 characters, found 1"),
    (("steps", 0, "said", GONE), "steps[0].said: expected this key, found nothing"),
    (("steps", 0, "owed", GONE), "steps[0].owed: expected this key, found nothing"),
    (("steps", 0, "owed", []), "steps[0].owed: expected an object, found []"),
    (("steps", 0, "owed", "amount", GONE), "steps[0].owed.amount: expected this key, found nothing"),
    (("steps", 0, "owed", "amount", -1), "steps[0].owed.amount: expected an amount, found -1"),
    (("steps", 0, "owed", "amount", True), "steps[0].owed.amount: expected an amount, found true"),
    (("steps", 0, "retry", {"do": {}}), "steps[0].retry.intent: expected this key, found nothing"),
    (
        ("steps", 0, "saying", "x"),
        'steps[0].saying: expected one of the keys said, intent, do, owed, retry, found "saying"',
    ),
    (("steps", []), "steps: expected a list of at least one, found []"),
    (("steps", {}), "steps: expected a list of at least one, found {}"),
    (("title", ""), 'title: expected a text of 1 to 200 characters that can be seen, found ""'),
    (("title", GONE), "title: expected this key, found nothing"),
    (("case", "orders", GONE), "case.orders: expected this key, found nothing"),
    (
        ("case", "orders", "A 1", {}),
        'case.orders["A 1"].customer_id: expected this key, found nothing',
        'case.orders["A 1"].paid: expected this key, found nothing',
        'case.orders["A 1"].refundable: expected this key, found nothing',
        'case.orders["A 1"].currency: expected this key, found nothing',
    ),
    (
        ("case", "orders", "A100", "paid", 40.0),
        'case.orders.A100.paid: expected an amount as text, such as "40.00", found 40.0',
    ),
    (
        ("case", "orders", "A100", "refundable", "20,00"),
        "case.orders.A100.refundable: expected a whole number of the smallest unit of USD as text, "
        'such as "40.00" dollars, found "20,00"',
    ),
    (
        ("case", "orders", "A100", "paid", "0.005"),
        "case.orders.A100.paid: expected a whole number of the smallest unit of USD as text, "
        'such as "40.00" dollars, found "0.005"',
    ),
    (
        ("case", "ticket", "agreed_amount", "ten"),
        'case.ticket.agreed_amount: expected an amount as text, such as "40.00", found "ten"',
    ),
    (
        ("expect", "broken", "verdicts", ["wrong"]),
        'expect.broken.verdicts[0]: expected one of "paid as owed", "rightly stopped", "needless block", '
        '"wrong money", "crashed", found "wrong"',
    ),
    (
        ("expect", "fixed", "verdicts", []),
        "expect.fixed.verdicts: expected one for each of the 1 steps, found []",
    ),
    (("expect", "broken", "ledger", [["A101"]]), f'expect.broken.ledger[0]: {ROWS_RULE}, found ["A101"]'),
    (("expect", "brave", {}), 'expect.brave: expected one of the keys broken, fixed, guarded, found "brave"'),
    (
        ("limit", "bad luck"),
        'limit: expected one of "consistently wrong", "one source", "free text", "equality too strict", '
        '"a block goes nowhere", "null is not absent", "True == 1", found "bad luck"',
    ),
    (("seen", "somewhere"), 'seen: expected a public report as "repo#number", found "somewhere"'),
    (
        ("tries", [{"label": "x", "set": {"steps[1].do.amount": 1}}]),
        "tries[0].set: steps[1].do.amount: expected a said, intent, do or retry of one of the 1 steps",
    ),
    (
        ("tries", [{"label": "x", "set": {"steps[0].owed": None}}]),
        "tries[0].set: steps[0].owed: expected a said, intent, do or retry of one of the 1 steps",
    ),
    (
        ("tries", [{"label": "x", "set": {"steps[0].retry.do": {}}}]),
        "tries[0].set: steps[0].retry.do: expected retry to be an object, found null",
    ),
    (
        ("tries", [{"label": "x", "set": {"steps[0].do": 7}}]),
        "tries[0].set: steps[0].do: expected an object or a JSON string, found 7",
    ),
    (
        ("tries", [{"label": "x", "set": {}, "expect": {"broken": {"ledger": [], "verdicts": []}}}]),
        "tries[0].expect.broken.verdicts: expected one for each of the 1 steps, found []",
    ),
]


@pytest.mark.parametrize(("change", "sentences"), [(row[0], list(row[1:])) for row in MISTAKES])
def test_a_mistake_is_told_with_place_rule_and_value(change, sentences):
    assert mistakes(changed(smallest(), *change)) == sentences


@pytest.mark.parametrize("data", [7, [], None, "x"])
def test_what_is_no_object_is_no_scenario(data):
    assert mistakes(data) == [f"the file: expected an object, found {json.dumps(data)}"]


def test_the_currency_has_to_be_one_whose_smallest_unit_is_known():
    (sentence,) = mistakes(changed(smallest(), "case", "orders", "A100", "currency", "usd"))
    assert sentence.startswith('case.orders.A100.currency: expected one of "CLP", ')
    assert sentence.endswith(', found "usd"')


def test_every_mistake_is_told_at_once():
    data = changed(changed(changed(smallest(), "title", 1), "steps", 0, "do", 7), "case", "ticket", "id", GONE)
    assert mistakes(data) == [
        "title: expected a text of 1 to 200 characters that can be seen, found 1",
        "case.ticket.id: expected this key, found nothing",
        "steps[0].do: expected an object or a JSON string, found 7",
    ]


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
    assert told(path) == ["05-extra-field.json: steps[0].do: expected an object or a JSON string, found 7"]


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


# The README and the schema say the same as the code.


def test_the_readmes_smallest_scenario_holds():
    assert mistakes(smallest()) == []
    scenario = from_data("smallest", smallest())
    assert unmet(scenario.expect, replay(scenario)) == []


def test_the_readmes_smallest_scenario_has_only_what_a_new_file_needs():
    assert list(smallest()) == ["title", "case", "steps", "expect"]


def test_the_readme_has_a_line_for_every_key():
    named = set(re.findall(r"^\| `(?:case\.|steps\[0\]\.)?(\w+)` \|", README, re.MULTILINE))
    assert named >= {*SCHEMA["properties"], *SCHEMA["properties"]["steps"]["items"]["properties"]}


def test_the_readmes_command_runs():
    (command,) = re.findall(r"^python (-m failure13 .*)$", README, re.MULTILINE)
    assert (
        subprocess.run([sys.executable, *command.split()], cwd=ROOT, capture_output=True, check=False).returncode == 0
    )


SCHEMA_READER = Draft202012Validator(SCHEMA)

# What one value cannot say alone, and a JSON schema cannot say about two: places in `set` that are not there, the
# number of verdicts, an amount's decimals in its order's currency. The schema lets these through.
CROSS_CHECK = re.compile(
    r"steps\[\d+\]\.(said|intent|do|retry): expected a said, intent, do or retry of one of the \d+ steps$"
    r"|steps\[\d+\]\.(said|intent|do|retry)\.\w+: expected (a said, .* steps$|\w+ to be an object, found)"
    r"|verdicts: expected one for each of the"
    r'|expected a whole number of the smallest unit of .*, found "\d+\.\d+"$'
)


def structural_mistakes(data):
    return [mistake for mistake in mistakes(data) if not CROSS_CHECK.search(mistake)]


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_lists_what_the_code_lists():
    orders = SCHEMA["properties"]["case"]["properties"]["orders"]["additionalProperties"]
    assert SCHEMA["properties"]["limit"]["enum"] == list(LIMITS)
    assert orders["properties"]["currency"]["enum"] == list(money.DECIMALS)
    assert SCHEMA["$defs"]["expected"]["properties"]["verdicts"]["items"]["enum"] == list(VERDICTS)
    assert tuple(SCHEMA["$defs"]["expect"]["properties"]) == AGENTS


@every_file
def test_a_file_is_valid_for_the_schema_and_for_the_validator(path):
    assert list(SCHEMA_READER.iter_errors(content(path))) == []
    assert mistakes(content(path)) == []


@pytest.mark.parametrize("change", [row[0] for row in MISTAKES])
def test_the_schema_refuses_what_the_validator_refuses(change):
    data = changed(smallest(), *change)
    assert SCHEMA_READER.is_valid(data) == (not structural_mistakes(data))


def places(value, *way):
    """Every place in `value`, key by key."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*way, key)
        yield from places(below, *way, key)


OTHERS = [GONE, None, True, 7, -1, 0.5, "x", "", [], {}, [[]], {"x": 1}]


@pytest.mark.parametrize("scenario_id", ["missing-amount", "paid-twice", "retry-asks-for-more", "cut-off-call"])
def test_schema_and_validator_agree_on_every_small_change_of_a_file(scenario_id):
    data = content(next(path for stem, path in FILES.items() if stem[3:] == scenario_id))
    variants = [(*place, other) for place in places(data) for other in OTHERS]
    differ = [
        variant
        for variant in variants
        if SCHEMA_READER.is_valid(changed(data, *variant)) != (not structural_mistakes(changed(data, *variant)))
    ]
    assert differ == [], f"the schema and scenarios.mistakes disagree about {differ[:3]}"
