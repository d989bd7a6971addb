import contextlib
import copy
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failure13 import fixed
from failure13.agents import AGENTS
from failure13.calls import plain_object, read_plainly
from failure13.guards import GUARDS
from failure13.replay import Outcome, as_json, no_refund_call, replay, unmet
from failure13.verdicts import VERDICTS
from samples import ELSEWHERE, HONEST, calls, case, containers, scenario, step, texts, values, wild_numbers

ROWS = {"broken": [("A101", 200.0)], "fixed": [], "guarded": []}


def only(outcomes):
    """The one outcome of each agent."""
    assert all(len(of_agent) == 1 for of_agent in outcomes.values())
    return {agent: of_agent[0] for agent, of_agent in outcomes.items()}


def test_every_agent_handles_every_step_on_a_ledger_of_its_own():
    outcomes = replay(scenario(step(HONEST), step(ELSEWHERE), step(HONEST)))
    assert list(outcomes) == ["broken", "fixed", "guarded"]
    assert {agent: of_agent[-1].ledger for agent, of_agent in outcomes.items()} == {
        "broken": [("A100", 20.0), ("A101", 200.0), ("A100", 20.0)],
        "fixed": [("A100", 20.0), ("A100", 20.0)],
        "guarded": [("A100", 20.0)],
    }
    assert [outcome.verdict for outcome in outcomes["broken"]] == ["paid as owed", "wrong money", "paid as owed"]
    assert [outcome.status for outcome in outcomes["guarded"]] == ["executed", "escalated", "escalated"]
    assert [outcome.paid for outcome in outcomes["fixed"]] == [[("A100", 20.0)], [], [("A100", 20.0)]]
    assert [outcome.before for outcome in outcomes["fixed"]] == [[], [("A100", 20.0)], [("A100", 20.0)]]


def test_an_outcome_says_what_its_agent_did():
    broken, fixed, guarded = only(replay(scenario(step(ELSEWHERE)))).values()
    assert (broken.agent, broken.status, broken.message) == ("broken", "executed", "refunded $200.00 on A101")
    assert (broken.problems, broken.record, broken.waiting) == ([], {}, None)
    assert broken.told == "Refunding $20.00 on A100."
    assert broken.verdict == "wrong money"
    assert (fixed.agent, fixed.status, fixed.verdict) == ("fixed", "blocked", "rightly stopped")
    assert fixed.problems == ["amount: said 20.0, did 200.0", "order_id: said 'A100', did 'A101'"]
    assert fixed.message == "BLOCKED: " + "; ".join(fixed.problems)
    assert fixed.record["status"] == "BLOCKED mismatch"
    assert (guarded.agent, guarded.status, guarded.verdict) == ("guarded", "escalated", "rightly stopped")
    assert guarded.told == "Nothing has been refunded yet; a person is looking at it."
    assert guarded.waiting["call"] == ELSEWHERE
    assert guarded.problems == guarded.record["problems"] == guarded.waiting["problems"]
    assert [broken.ledger, fixed.ledger, guarded.ledger] == [[("A101", 200.0)], [], []]


def test_the_customer_of_the_guarded_agent_reads_the_ledger():
    outcomes = only(replay(scenario(step(HONEST, said="I promise $200.00."))))
    assert outcomes["fixed"].told == "I promise $200.00."
    assert outcomes["guarded"].told == "We refunded $20.00 on A100."


def test_an_agent_that_raises_has_crashed_and_left_its_ledger():
    outcomes = replay(scenario(step(HONEST), step('{"order_id": "A100", "amount": 2', '{"order_id"')))
    for agent in ("broken", "fixed"):
        crash = outcomes[agent][1]
        assert (crash.status, crash.verdict, crash.paid) == ("crashed", "crashed", [])
        assert crash.message.startswith("JSONDecodeError: Expecting")
        assert crash.ledger == [("A100", 20.0)]
    assert outcomes["guarded"][1].status == "escalated"
    second = only(replay(scenario(step({**HONEST, "ledger": 1}))))["broken"]
    assert second.message == "TypeError: refund() got multiple values for argument 'ledger'"
    prose = only(replay(scenario(step(HONEST, None))))
    assert [outcome.status for outcome in prose.values()] == ["executed", "crashed", "escalated"]


def test_a_block_that_was_needless_counts_as_such_in_whatever_form_the_call_came():
    noise = only(replay(scenario(step('{"order_id": "A100", "amount": "20.00"}'))))
    assert [outcome.verdict for outcome in noise.values()] == ["crashed", "needless block", "paid as owed"]
    closed = only(replay(scenario(step(ELSEWHERE, retry={"intent": HONEST, "do": HONEST}), of=case("5.00"))))
    assert closed["guarded"].verdict == "needless block", "its second answer was the right one"
    assert closed["fixed"].verdict == "rightly stopped", "it never sees a second answer"


@pytest.mark.parametrize(
    "twice", ['"amount": 20.0, "amount": 20.0', '"amount": 200.0, "amount": 20.0', '"amount": 20.0, "x": NaN']
)
def test_a_call_that_only_strict_reading_refuses_is_blocked_needlessly_where_it_reads_plainly_as_owed(twice):
    text = f'{{"order_id": "A100", {twice}}}'
    owes = "NaN" not in twice
    outcomes = only(replay(scenario(step(text))))
    assert outcomes["broken"].verdict == ("paid as owed" if owes else "wrong money")
    assert outcomes["guarded"].status == "escalated"
    assert outcomes["guarded"].verdict == ("needless block" if owes else "rightly stopped")
    again = only(replay(scenario(step(ELSEWHERE, retry={"intent": HONEST, "do": text}))))
    assert again["guarded"].verdict == ("needless block" if owes else "rightly stopped")
    assert only(replay(scenario(step(text, owed=None))))["guarded"].verdict == "rightly stopped"


def test_a_verdict_takes_a_call_as_the_broken_agent_reads_it():
    twice = only(replay(scenario(step('{"order_id": "A100", "amount": 20.0, "amount": 200.0}', ELSEWHERE))))
    assert [outcome.verdict for outcome in twice.values()] == ["wrong money", "rightly stopped", "rightly stopped"]


# Said, never done.


def test_where_nothing_was_called_broken_and_fixed_are_not_run_and_a_person_is_told():
    outcomes = only(replay(scenario(step(None))))
    for agent in ("broken", "fixed"):
        outcome = outcomes[agent]
        assert (outcome.status, outcome.verdict, outcome.message) == ("no call", "nothing done", "nothing was called")
        assert (outcome.paid, outcome.problems, outcome.record, outcome.waiting) == ([], [], {}, None)
        assert outcome.told == "Refunding $20.00 on A100.", "the sentence stands"
    assert (outcomes["guarded"].status, outcomes["guarded"].verdict) == ("escalated", "nothing done")
    assert outcomes["guarded"].told == "Nothing has been refunded yet; a person is looking at it."
    assert {outcome.still_owed for outcome in outcomes.values()} == {"$20.00 on A100"}


@pytest.mark.parametrize("intent", [HONEST, None, {}, "{", ELSEWHERE], ids=str)
@pytest.mark.parametrize("guards", [GUARDS, {}], ids=["guarded", "unguarded"])
@pytest.mark.parametrize("more", [{}, {"retry": {"intent": HONEST, "do": None}}], ids=["alone", "twice"])
def test_nothing_is_done_where_something_is_owed_and_nothing_was_called(intent, guards, more):
    outcomes = replay(scenario(step(HONEST), step(None, intent, **more)), guards=guards)
    for agent, (before, outcome) in outcomes.items():
        assert outcome.verdict == "nothing done"
        assert outcome.status == ("escalated" if agent == "guarded" else "no call")
        assert outcome.ledger == before.ledger == [("A100", 20.0)]
    nothing_owed = only(replay(scenario(step(None, intent, owed=None, **more)), guards=guards))
    assert {outcome.verdict for outcome in nothing_owed.values()} == {"rightly stopped"}


def test_a_second_answer_that_calls_is_paid_where_the_first_only_spoke():
    outcomes = only(replay(scenario(step(None, retry={"intent": HONEST, "do": HONEST}))))
    assert [outcome.verdict for outcome in outcomes.values()] == ["nothing done", "nothing done", "paid as owed"]
    assert [outcome.status for outcome in outcomes.values()] == ["no call", "no call", "executed"]
    assert outcomes["guarded"].record["status"] == "executed after retry"
    wrong = only(replay(scenario(step(None, retry={"intent": HONEST, "do": ELSEWHERE}))))
    assert wrong["guarded"].verdict == "rightly stopped", "its second answer did call"


# A call that is another tool's.

MESSAGE = {"id": "call_1", "type": "function", "function": {"name": "refund", "arguments": json.dumps(HONEST)}}


@pytest.mark.parametrize(
    "do",
    [
        MESSAGE,
        json.dumps(MESSAGE),
        {"role": "assistant", "tool_calls": [MESSAGE]},
        {"type": "tool_use", "id": "toolu_1", "name": "refund", "input": HONEST},
        {"arguments": HONEST},
        {"orderId": "A100", "Amount": 20.0},
        {},
        "{}",
        "null",
        "[]",
        "7",
        7,
        [MESSAGE],
    ],
    ids=str,
)
def test_a_call_that_names_neither_an_order_nor_an_amount_is_told_to_be_none_and_how_to_mend_it(do):
    sentence = no_refund_call(step(do))
    assert sentence.startswith("This is no refund call: it names neither order_id nor amount")
    assert sentence.endswith(
        "Put the arguments of the tool alone here, as one object, and name the one that holds the order order_id, the "
        "one that holds the money amount."
    )
    for field in plain_object(do) or {}:
        assert json.dumps(field) in sentence
    assert only(replay(scenario(step(do))))["guarded"].paid == []


@pytest.mark.parametrize(
    "do",
    [HONEST, {"order_id": 7}, {"amount": None, "x": 1}, '{"amount": 1}', None, "", "{"],
    ids=str,
)
def test_a_call_that_names_either_or_cannot_be_read_is_not_told_to_be_another_tools(do):
    assert no_refund_call(step(do)) == ""


@given(st.dictionaries(texts, values, max_size=30))
def test_what_is_said_of_another_tools_call_stays_short_and_can_be_seen(do):
    sentence = no_refund_call(step({name: value for name, value in do.items() if name not in HONEST}))
    assert len(sentence) < 400
    assert sentence.isprintable()


# What is still owed.


@pytest.mark.parametrize(
    ("steps", "still"),
    [
        ([step(HONEST)], ["nothing", "nothing", "nothing"]),
        ([step(ELSEWHERE)], ["$20.00 on A100"] * 3),
        ([step("{")], ["$20.00 on A100"] * 3),
        ([step(None)], ["$20.00 on A100"] * 3),
        ([step(ELSEWHERE, owed=None)], ["nothing"] * 3),
        ([step({**HONEST, "amount": 5})], ["$15.00 on A100", "$20.00 on A100", "$20.00 on A100"]),
        ([step({**HONEST, "amount": "20.00"})], ["$20.00 on A100", "$20.00 on A100", "nothing"]),
        ([step(ELSEWHERE), step(HONEST, owed=None)], ["nothing"] * 3),
        (
            [step(ELSEWHERE, ELSEWHERE), step(ELSEWHERE, ELSEWHERE, owed=ELSEWHERE)],
            ["$20.00 on A100", "$20.00 on A100", "$20.00 on A100 and $200.00 on A101"],
        ),
    ],
)
def test_every_outcome_says_what_is_still_owed_after_it(steps, still):
    outcomes = replay(scenario(*steps))
    assert [of_agent[-1].still_owed for of_agent in outcomes.values()] == still


def test_what_is_still_owed_counts_what_every_step_so_far_owed_and_none_to_come():
    outcomes = replay(scenario(step(ELSEWHERE), step(ELSEWHERE), step(HONEST, owed=None)))
    assert [outcome.still_owed for outcome in outcomes["fixed"]] == [
        "$20.00 on A100",
        "$40.00 on A100",
        "$20.00 on A100",
    ]


def test_a_retry_shows_in_the_record():
    outcome = only(replay(scenario(step(ELSEWHERE, retry={"intent": HONEST, "do": HONEST}))))["guarded"]
    assert (outcome.status, outcome.verdict) == ("executed", "paid as owed")
    assert outcome.record["status"] == "executed after retry"
    assert outcome.problems == []


def test_edited_steps_take_the_place_of_the_scenarios_own():
    one = scenario(step(ELSEWHERE))
    assert only(replay(one, [step(HONEST)]))["fixed"].ledger == [("A100", 20.0)]
    assert only(replay(one))["fixed"].ledger == []
    assert replay(one, []) == {agent: [] for agent in AGENTS}


def test_the_guarded_agent_asks_the_guards_it_is_given():
    outcomes = only(replay(scenario(step(ELSEWHERE, ELSEWHERE)), guards={}))
    assert outcomes["guarded"].ledger == [("A101", 200.0)]


@pytest.mark.parametrize(
    "do",
    [
        {"order_id": ["A100"], "amount": 20.0},
        {"order_id": {}, "amount": 20.0, "x": []},
        {"order_id": "A100", "amount": 10**5000},
        {"order_id": "A100", "amount": [10**5000]},
        {"order_id": 10**5000, "amount": 20.0},
        {"order_id": "\ud800", "amount": 20.0},
        {"order_id": "A100", "amount": float("nan")},
        '{"order_id": "A100", "amount": 20, "x": ' + "[" * 900 + "]" * 900 + "}",
        '{"order_id": "A100", "amount": 20, "x": ' + "[" * 9000 + "]" * 9000 + "}",
        "[" * 9000,
        "[1, 2]",
        "7",
        [HONEST],
        7,
        None,
        True,
    ],
    ids=range(16),
)
@pytest.mark.parametrize("guards", [GUARDS, {}], ids=["guarded", "unguarded"])
@pytest.mark.parametrize("retry", ["no", "text", {}, {"do": 7}, [1]], ids=str)
def test_no_call_and_no_retry_stops_a_replay(do, guards, retry):
    outcomes = only(replay(scenario(step(do, copy.deepcopy(do), retry=retry)), guards=guards))
    assert all(outcome.verdict in VERDICTS for outcome in outcomes.values())
    assert all(outcome.paid == [] for outcome in outcomes.values() if outcome.status != "executed")
    if guards:
        assert outcomes["guarded"].ledger == []
    assert isinstance(no_refund_call(step(do)), str)
    json.dumps([as_json(outcome) for outcome in outcomes.values()], allow_nan=False)


def deep(levels):
    return [deep(levels - 1)] if levels > 1 else []


def bottomless():
    """Nested more deeply than Python can copy."""
    value = []
    for _ in range(5000):
        value = [value]
    return value


def test_deep_and_missing_parts_of_a_step_stop_no_replay():
    hostile = [
        {},
        {"said": ""},
        {"do": HONEST},
        step({**HONEST, "x": deep(400)}),
        step({**HONEST, "x": deep(400)}, "{"),
        {**step(HONEST), "intent": bottomless(), "do": bottomless()},
        {**step(HONEST, owed=None), "said": bottomless(), "retry": bottomless()},
    ]
    outcomes = replay(scenario(*hostile, step(HONEST)))
    assert [len(of_agent) for of_agent in outcomes.values()] == [8, 8, 8]
    assert outcomes["guarded"][-1].ledger == [("A100", 20.0)]


call_texts = st.one_of(
    calls.map(json.dumps),
    calls.map(lambda call: json.dumps(call)[:-3]),
    st.sampled_from(['{"order_id": "A100", "amount": NaN}', '{"order_id": "A100", "amount": 20, "amount": 200}', "[]"]),
    st.text(max_size=8),
)
sides = st.one_of(calls, calls, call_texts, values, wild_numbers, st.none())
answers = st.fixed_dictionaries({"intent": sides, "do": sides})
owed = st.none() | st.fixed_dictionaries(
    {"order_id": st.sampled_from(["A100", "A101", "gone"]), "amount": st.sampled_from([20.0, "20.00", 200.0])},
    optional={"cap": values},
)
steps = st.lists(
    st.fixed_dictionaries(
        {"said": texts | st.text(st.characters()), "intent": sides, "do": sides, "owed": owed},
        optional={"retry": answers | values},
    )
    | calls.map(lambda call: step(call, call)),
    max_size=3,
)
hostile_steps = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "said": values,
            "intent": sides,
            "do": sides,
            "owed": sides | owed | st.fixed_dictionaries({"order_id": values, "amount": values | wild_numbers}),
            "retry": answers | values | st.fixed_dictionaries({}, optional={"intent": sides, "do": sides}),
        },
    ),
    max_size=3,
)
names = texts | st.text(st.characters(), max_size=4) | st.sampled_from(["A100", "A101", "C1"])
figures = texts | st.sampled_from(["20.00", "40.00", "2000", "-1", "1e9", "x"])
currencies = texts | st.sampled_from(["USD", "JPY", "KWD", "usd"])
records = st.fixed_dictionaries({"customer_id": names, "paid": figures, "refundable": figures, "currency": currencies})
hostile_cases = st.fixed_dictionaries(
    {
        "ticket": st.fixed_dictionaries(
            {"id": names, "order_id": names, "customer_id": names, "text": names}, optional={"agreed_amount": figures}
        ),
        "orders": st.dictionaries(names, records, max_size=3),
    },
    optional={"harmless": st.lists(names | st.sampled_from(["order_id", "amount", "reason"]), max_size=3)},
)
guard_sets = st.sets(st.sampled_from(sorted(GUARDS))).map(
    lambda chosen: {name: guard for name, guard in GUARDS.items() if name in chosen}
)


@settings(max_examples=200)
@given(steps, guard_sets)
def test_whatever_the_steps_a_replay_gives_outcomes_that_hold_together(some, guards):
    before = repr(some)
    first, second = replay(scenario(), some, guards), replay(scenario(), some, guards)
    assert repr(first) == repr(second), "a replay depends on nothing but what it is given"
    assert repr(some) == before, "and changes none of it"
    for agent, of_agent in first.items():
        ledger = []
        for outcome in of_agent:
            assert outcome.agent == agent
            assert repr(outcome.before) == repr(ledger)
            assert repr(outcome.ledger) == repr(ledger + outcome.paid)
            assert len(outcome.paid) == (outcome.status == "executed")
            assert (outcome.verdict == "crashed") is (outcome.status == "crashed")
            assert (outcome.waiting is not None) is (outcome.status == "escalated")
            assert bool(outcome.problems) is (outcome.status in ("blocked", "escalated"))
            assert outcome.still_owed
            assert outcome.verdict in VERDICTS
            ledger = outcome.ledger
            json.dumps(as_json(outcome), allow_nan=False)


@settings(max_examples=300)
@given(hostile_cases, hostile_steps, guard_sets)
def test_nothing_raises_out_of_a_replay_whatever_stands_in_a_step_and_in_the_records(of, some, guards):
    for of_agent in replay(scenario(of=of), some, guards).values():
        assert len(of_agent) == len(some)
        for one, outcome in zip(some, of_agent, strict=True):
            assert outcome.verdict in VERDICTS
            assert outcome.status in ("executed", "blocked", "escalated", "crashed", "no call")
            assert (outcome.status == "no call") is (one.get("do") is None and outcome.agent != "guarded")
            assert outcome.still_owed
            no_refund_call(one)
            json.dumps(as_json(outcome), allow_nan=False)


@settings(max_examples=200)
@given(steps, guard_sets)
def test_whatever_is_owed_and_whoever_pays_a_verdict_follows_the_money(some, guards):
    for of_agent in replay(scenario(), some, guards).values():
        for one, outcome in zip(some, of_agent, strict=True):
            if outcome.status == "executed":
                assert outcome.verdict in ("paid as owed", "wrong money")
            elif outcome.status != "crashed":
                assert outcome.verdict in ("needless block", "rightly stopped", "nothing done")
            if one["owed"] is None:
                assert outcome.verdict in ("wrong money", "rightly stopped", "crashed")


def parts(outcomes):
    return containers(tuple(tuple(vars(outcome).values()) for of_agent in outcomes.values() for outcome in of_agent))


@given(steps)
def test_two_replays_share_nothing_with_each_other_nor_with_the_steps(some):
    first, second = replay(scenario(), some), replay(scenario(), some)
    assert not parts(first) & parts(second)
    assert not (parts(first) | parts(second)) & containers(some)


def test_agents_share_no_row_with_each_other():
    extra = {**HONEST, "reason": ["charged twice"]}
    outcomes = replay(scenario(step(extra, extra)))
    by_agent = [parts({agent: of_agent}) for agent, of_agent in outcomes.items()]
    assert all(outcome.ledger for of_agent in outcomes.values() for outcome in of_agent)
    assert not by_agent[0] & by_agent[1]
    assert not by_agent[1] & by_agent[2]
    assert not by_agent[0] & by_agent[2]


def read_by_the_article(one):
    """Both sides as the article's agents read them, or None where there is no call or a side is no object."""
    try:
        sides = [read_plainly(one["intent"]), read_plainly(one["do"])]
    except (ValueError, RecursionError):
        return None
    return sides if all(isinstance(side, dict) for side in sides) else None


@settings(max_examples=300)
@given(steps)
def test_the_articles_fix_is_the_broken_agent_behind_one_guard(some):
    for one in some:
        outcomes = only(replay(scenario(), [one]))
        broken, fixed_ = outcomes["broken"], outcomes["fixed"]
        read = read_by_the_article(one)
        if read is None:
            assert fixed_.paid == []
            continue
        problems = fixed.diff_intent(*read)
        assert fixed_.problems == problems
        if problems:
            assert (fixed_.status, fixed_.paid) == ("blocked", [])
        else:
            assert (fixed_.status, fixed_.message) == (broken.status, broken.message)
            assert repr(fixed_.ledger) == repr(broken.ledger)


@given(steps, owed)
def test_no_agent_sees_what_is_owed(some, other):
    def seen(steps):
        return repr([[(o.message, o.ledger) for o in of_agent] for of_agent in replay(scenario(), steps).values()])

    assert seen(some) == seen([{**one, "owed": other} for one in some])


@given(steps)
def test_a_replay_prints_nothing_whatever_the_steps(some):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        replay(scenario(), some)
    assert printed.getvalue() == ""


def test_a_replay_prints_nothing(capsys):
    replay(scenario(step(HONEST), step(ELSEWHERE, retry={"intent": HONEST, "do": HONEST}), step("{")))
    assert capsys.readouterr() == ("", "")


def test_what_is_not_as_expected_is_told_in_a_sentence_each():
    outcomes = replay(scenario(step(ELSEWHERE)))
    rows = {agent: {"ledger": [list(row) for row in ROWS[agent]], "verdicts": ["rightly stopped"]} for agent in ROWS}
    rows["broken"]["verdicts"] = ["wrong money"]
    assert unmet(rows, outcomes) == []
    assert unmet(None, outcomes) == unmet({}, outcomes) == []
    rows["fixed"] = {"ledger": [["A100", 20.0]], "verdicts": ["paid as owed"]}
    assert unmet(rows, outcomes) == [
        "fixed: expected ledger [['A100', 20.0]], found []",
        "fixed: expected verdicts ['paid as owed'], found ['rightly stopped']",
    ]
    rows["fixed"] = {"ledger": [], "verdicts": ["rightly stopped"]}
    rows["broken"]["ledger"] = [["A101", 200]]
    assert unmet(rows, outcomes) == ["broken: expected ledger [['A101', 200]], found [['A101', 200.0]]"]


def test_a_row_with_further_arguments_is_expected_as_a_list_of_three():
    call = {**HONEST, "method": "paypal"}
    expect = {"fixed": {"ledger": [["A100", 20.0, {"method": "paypal"}]], "verdicts": ["wrong money"]}}
    assert unmet(expect, replay(scenario(step(call, call)))) == []


def paid_as_json(*row):
    outcome = Outcome("broken", "executed", "", [], [row], [], "wrong money", "nothing", "")
    return json.loads(json.dumps(as_json(outcome), allow_nan=False))["paid"][0]


def test_an_outcome_is_plain_json_with_names_for_numbers_that_json_cannot_write():
    assert paid_as_json("A100", float("nan"), {"a": [float("-inf"), 1.5]}) == ["A100", "nan", {"a": ["-inf", 1.5]}]
    assert list(as_json(only(replay(scenario(step(HONEST))))["fixed"])) == [
        *("agent", "status", "verdict", "message", "problems", "paid", "ledger")
    ]


def test_an_outcome_is_cut_short_only_below_what_the_strict_reader_takes():
    assert paid_as_json("A100", 20.0, {"x": deep(63)}) == ["A100", 20.0, {"x": deep(63)}]
    assert "..." in json.dumps(paid_as_json("A100", 20.0, {"x": deep(400)}))
