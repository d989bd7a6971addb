import json
from pathlib import Path

import pytest

from failure13 import runs
from failure13.guards import GUARDS
from failure13.replay import replay
from failure13.scenarios import load_all
from failure13.verdicts import VERDICTS
from samples import ELSEWHERE, HONEST, scenario, step

PACK, _ = load_all(Path(__file__).parent.parent / "scenarios")
ALL_ON = runs.tally(PACK, GUARDS)


def without(*names):
    return {name: guard for name, guard in GUARDS.items() if name not in names}


def test_a_run_is_one_step_on_the_ledgers_that_the_steps_before_it_left():
    one = scenario(step(HONEST), step(HONEST), step(ELSEWHERE))
    done = runs.run(one, one.steps, 1, edited=False)
    assert (done.index, done.step, done.steps) == (1, one.steps[1], one.steps[:2])
    assert done.outcomes == {agent: of_agent[1] for agent, of_agent in replay(one).items()}
    assert done.outcomes["broken"].before == [("A100", 20.0)]


def test_a_run_takes_the_steps_and_guards_it_is_given():
    one = scenario(step(HONEST))
    done = runs.run(one, [step(ELSEWHERE)], 0, edited=True, guards={})
    assert (done.edited, done.step) == (True, step(ELSEWHERE))
    assert done.outcomes["guarded"].paid == [("A101", 200.0)]


def test_a_later_step_has_no_part_in_a_run():
    one, other = [step(HONEST), step(ELSEWHERE)], [step(HONEST), step("{")]
    assert runs.run(scenario(), one, 0, edited=False) == runs.run(scenario(), other, 0, edited=False)


def test_a_decision_is_a_run_of_the_guarded_agent_alone():
    waiting = runs.run(scenario(step(ELSEWHERE)), [step(ELSEWHERE)], 0, edited=False)
    outcome = waiting.outcomes["guarded"]
    decision = runs.decided(waiting, outcome)
    assert (decision.outcomes, decision.decision) == ({"guarded": outcome}, "ESCALATED to a person")
    assert (decision.step, decision.index, waiting.decision) == (waiting.step, 0, "")


def test_the_same_runs_with_other_guards_keep_what_a_person_decided():
    waiting = runs.run(scenario(step(ELSEWHERE)), [step(ELSEWHERE, ELSEWHERE)], 0, edited=True)
    decision = runs.decided(waiting, waiting.outcomes["guarded"])
    open_, kept = runs.with_guards([waiting, decision], {})
    assert open_.outcomes["guarded"].paid == [("A101", 200.0)]
    assert open_.edited
    assert kept is decision
    assert runs.with_guards([open_], GUARDS) == [waiting]


def test_the_tally_of_the_pack_counts_every_step_once_for_every_agent():
    steps = sum(len(one.steps) for one in PACK)
    assert {agent: sum(counts.values()) for agent, counts in ALL_ON.items()} == dict.fromkeys(ALL_ON, steps)
    assert list(ALL_ON) == ["broken", "fixed", "guarded"]
    assert all(tuple(counts) == VERDICTS for counts in ALL_ON.values())


def test_the_tally_of_the_pack_is_what_the_files_expect():
    expected = {agent: dict.fromkeys(VERDICTS, 0) for agent in ALL_ON}
    for one in PACK:
        for agent, of_agent in one.expect.items():
            for verdict in of_agent["verdicts"]:
                expected[agent][verdict] += 1
    assert expected == ALL_ON


def test_over_the_pack_each_agent_lets_less_wrong_money_through_than_the_one_before():
    wrong = [ALL_ON[agent]["wrong money"] for agent in ("broken", "fixed", "guarded")]
    assert wrong[0] > wrong[1] > wrong[2] == 0
    assert ALL_ON["fixed"]["needless block"] > ALL_ON["guarded"]["needless block"] == 0


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
    assert counts["guarded"]["needless block"] == 0


def test_a_tally_of_nothing_is_empty():
    assert runs.tally([], GUARDS) == {}


def test_there_is_a_record_for_every_run_and_agent_oldest_first():
    one = scenario(step(ELSEWHERE))
    done = runs.run(one, one.steps, 0, edited=True)
    records = runs.records([done, runs.decided(done, done.outcomes["guarded"])])
    assert [(record["run"], record["agent"], record["decision"]) for record in records] == [
        (1, "broken", ""),
        (1, "fixed", ""),
        (1, "guarded", ""),
        (2, "guarded", "ESCALATED to a person"),
    ]
    assert records[0] == {
        "run": 1,
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
    }


def test_a_record_is_plain_json_even_of_what_json_cannot_write():
    call = {**HONEST, "amount": float("nan"), "x": [float("inf")]}
    done = runs.run(scenario(), [step(call)], 0, edited=False)
    records = json.loads(json.dumps(runs.records([done]), allow_nan=False))
    assert records[0]["do"] == {"order_id": "A100", "amount": "nan", "x": ["inf"]}
