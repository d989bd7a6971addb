import json
from pathlib import Path

import pytest

from failure13.agents import AGENTS
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.replay import replay
from failure13.scenarios import load_all
from failure13.verdicts import VERDICTS
from failure13.visit import runs
from failure13.visit.runs import Run
from samples import ELSEWHERE, HONEST, scenario, step

PACK, _ = load_all(Path(__file__).parent.parent / "scenarios")
ALL_ON = runs.tally(PACK, GUARDS)


def run(one, index=0, guards=GUARDS, number=1, edited=False):
    """A step of a scenario as every agent handles it, after the steps before it."""
    outcomes = {agent: of_agent[index] for agent, of_agent in replay(one, guards=guards).items()}
    return Run(number, one, one.steps[: index + 1], index, edited, outcomes)


def without(*names):
    return {name: guard for name, guard in GUARDS.items() if name not in names}


def test_a_run_is_of_one_step():
    done = run(scenario(step(HONEST), step(ELSEWHERE)), 1)
    assert done.step == step(ELSEWHERE)
    assert done.outcomes["broken"].before == [("A100", 20.0)]


def test_what_a_run_left_to_a_person_waits_with_its_call_as_shown():
    assert run(scenario(step(HONEST))).waiting() == []
    for do in (ELSEWHERE, '{"order_id": "A101"', None):
        done = run(scenario(step(do)))
        (waiting,) = done.waiting()
        assert (waiting.run, waiting.agent, waiting.call) == (done, "guarded", do)
        assert waiting.outcome is done.outcomes["guarded"]
    retry = {"intent": HONEST, "do": {**HONEST, "amount": 5.0}}
    assert run(scenario(step(ELSEWHERE, retry=retry))).waiting()[0].call == retry["do"]


def test_a_decision_is_a_run_of_the_guarded_agent_alone():
    done = run(scenario(step(ELSEWHERE)))
    (waiting,) = done.waiting()
    decision = runs.decided(waiting, done.outcomes["guarded"], 2)
    assert decision.outcomes == {"guarded": done.outcomes["guarded"]}
    assert (decision.number, decision.decision) == (2, "ESCALATED to a person")
    assert (decision.step, decision.index, done.decision) == (done.step, 0, "")
    assert (done.number, done.outcomes) == (1, run(scenario(step(ELSEWHERE))).outcomes), "what waited stays as it was"


def test_the_same_run_with_other_guards_keeps_its_number_and_what_a_person_decided():
    done = run(scenario(step(HONEST), step(ELSEWHERE, ELSEWHERE)), 1, number=7, edited=True)
    decision = runs.decided(done.waiting()[0], done.outcomes["guarded"], 8)
    open_ = runs.with_guards(done, {})
    assert open_.outcomes["guarded"].paid == [("A101", 200.0)]
    assert open_.outcomes["guarded"].before == [("A100", 20.0)]
    assert (open_.number, open_.edited, open_.index) == (7, True, 1)
    assert runs.with_guards(decision, {}) is decision
    assert runs.with_guards(open_, GUARDS) == done


def test_the_tally_of_the_pack_counts_every_step_once_for_every_agent():
    steps = sum(len(one.steps) for one in PACK)
    assert {agent: sum(counts.values()) for agent, counts in ALL_ON.items()} == dict.fromkeys(ALL_ON, steps)
    assert list(ALL_ON) == list(AGENTS)
    assert all(list(counts) == list(VERDICTS) for counts in ALL_ON.values())


def test_the_tally_of_the_pack_is_what_the_files_expect():
    expected = {agent: dict.fromkeys(VERDICTS, 0) for agent in ALL_ON}
    for one in PACK:
        for agent, of_agent in one.expect.items():
            for verdict in of_agent["verdicts"]:
                expected[agent][verdict] += 1
    assert expected == ALL_ON


# What the pack says the guarded agent costs, and where it stops; anywhere else it neither pays wrong nor blocks right.
COSTS = ["the-plan-was-the-slip", "in-two-parts", "the-same-key-with-the-same-value"]
STOPS = ["an-extra-in-both", "nobody-agreed", "the-book-is-wrong"]


@pytest.mark.parametrize(("verdict", "where"), [("needless block", COSTS), ("wrong money", STOPS)])
def test_over_the_pack_the_guarded_agent_is_wrong_only_where_a_limit_or_a_cost_of_its_own_is_shown(verdict, where):
    found = [one.id for one in PACK if runs.tally([one])["guarded"][verdict]]
    assert sorted(found) == sorted(where)
    assert {LIMITS[one.limit].agent for one in PACK if one.id in where} == {"guarded"}


def test_over_the_pack_each_agent_lets_less_wrong_money_through_than_the_one_before():
    wrong = [ALL_ON[agent]["wrong money"] for agent in AGENTS]
    assert wrong[0] > wrong[1] > wrong[2] == len(STOPS)


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_switched_off_lets_no_less_wrong_money_through_and_blocks_no_more(name):
    counts = runs.tally(PACK, without(name))
    assert counts["guarded"]["wrong money"] >= ALL_ON["guarded"]["wrong money"]
    assert counts["guarded"]["needless block"] <= ALL_ON["guarded"]["needless block"]
    assert {agent: counts[agent] for agent in ("broken", "fixed")} == {
        agent: ALL_ON[agent] for agent in ("broken", "fixed")
    }


def test_with_every_guard_off_the_guarded_agent_lets_through_what_the_broken_one_does():
    counts = runs.tally(PACK, {})
    for number, name in enumerate(GUARDS):
        fewer = runs.tally(PACK, without(*list(GUARDS)[: number + 1]))
        assert fewer["guarded"]["wrong money"] <= counts["guarded"]["wrong money"], name
    assert counts["guarded"]["wrong money"] > ALL_ON["fixed"]["wrong money"]


def test_with_every_guard_off_what_cannot_be_read_or_was_never_called_is_still_not_paid():
    for one in PACK:
        for outcome in replay(one, guards={})["guarded"]:
            assert outcome.status in ("executed", "escalated", "crashed")
            if outcome.status == "escalated":
                assert outcome.problems in (
                    ["nothing was called: the sentence is all there is"],
                    [problem for problem in outcome.problems if problem.startswith("the call cannot be compared: ")],
                )


# A scenario for each guard: in it an answer that this guard objects to and no other does. Where that is the second
# answer, the first met with other guards.
ALONE = {
    "intent declared": ("only-prose", 0, 0),
    "call well formed": ("minus-twenty", 0, 0),
    "call equals intent": ("extra-store-credit", 0, 0),
    "ticket's order": ("right-customer-other-order", 0, 0),
    "customer's order": ("someone-elses-order", 0, 0),
    "still refundable": ("paid-twice", 1, 0),
    "order's currency": ("wrong-currency", 0, 0),
    "agreed amount": ("the-same-refund-again", 1, 0),
    "same plan": ("the-retry-declares-its-mistake", 0, 1),
}


def test_every_guard_has_its_scenario():
    assert list(ALONE) == list(GUARDS)


@pytest.mark.parametrize("name", GUARDS)
def test_only_one_guard_objects_in_its_scenario_and_without_it_that_answer_is_paid(name):
    scenario_id, step_number, answer = ALONE[name]
    one = next(each for each in PACK if each.id == scenario_id)
    outcome = replay(one)["guarded"][step_number]
    assert list(outcome.record["objections"][answer]) == [name]
    paid = replay(one, guards=without(name))["guarded"][step_number]
    assert paid.record["status"] == ("executed after retry" if answer else "executed")
    if name != "intent declared":
        assert paid.verdict == "wrong money"


@pytest.mark.parametrize("scenario_id", ["the-plan-was-the-slip", "the-retry-declares-its-mistake"])
def test_only_the_plan_stops_a_retry_that_agrees_with_itself(scenario_id):
    (outcome,) = replay(next(each for each in PACK if each.id == scenario_id))["guarded"]
    assert [list(each) == ["same plan"] for each in outcome.record["objections"]] == [False, True]


def test_a_tally_of_nothing_is_empty():
    assert runs.tally([], GUARDS) == {}


def test_there_is_a_row_for_every_run_and_agent_oldest_first():
    done = run(scenario(step(ELSEWHERE)), number=3, edited=True)
    rows = runs.as_rows([done, runs.decided(done.waiting()[0], done.outcomes["guarded"], 4)])
    assert [(row["run"], row["agent"], row["decision"]) for row in rows] == [
        (3, "broken", ""),
        (3, "fixed", ""),
        (3, "guarded", ""),
        (4, "guarded", "ESCALATED to a person"),
    ]
    assert rows[0] == {
        "run": 3,
        "scenario": "sample",
        "step": 1,
        "edited": True,
        "decision": "",
        "said": "Refunding $20.00 on A100.",
        "intent": HONEST,
        "do": ELSEWHERE,
        "agent": "broken",
        "status": "executed",
        "verdict": "wrong money",
        "message": "refunded $200.00 on A101",
        "problems": [],
        "paid": [["A101", 200.0]],
        "ledger": [["A101", 200.0]],
        "still_owed": "$20.00 on A100",
        "told": "Refunding $20.00 on A100.",
    }


def test_a_row_is_plain_json_even_of_what_json_cannot_write():
    call = {**HONEST, "amount": float("nan"), "x": [float("inf")]}
    rows = json.loads(json.dumps(runs.as_rows([run(scenario(step(call)))]), allow_nan=False))
    assert rows[0]["do"] == {"order_id": "A100", "amount": "nan", "x": ["inf"]}


def test_a_row_of_a_step_in_which_nothing_was_called_says_so():
    rows = runs.as_rows([run(scenario(step(None)))])
    assert [(row["do"], row["status"], row["verdict"]) for row in rows] == [
        (None, "no call", "nothing done"),
        (None, "no call", "nothing done"),
        (None, "escalated", "nothing done"),
    ]
