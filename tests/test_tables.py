import pytest

from failure13 import AGENTS, runs, tables
from failure13.limits import LIMITS
from failure13.replay import replay
from failure13.scenarios import Scenario
from samples import ELSEWHERE, HONEST, case, scenario, step

EITHER_WAY = {"free text", "a block goes nowhere"}


def outcomes(one):
    return {agent: of_agent[-1] for agent, of_agent in replay(scenario(one)).items()}


def test_the_fixed_agent_names_the_fields_that_differ():
    one = step(ELSEWHERE)
    assert tables.problems(outcomes(one)["fixed"], one) == [
        (
            "Problems it named",
            ("field", "intended", "did"),
            [("amount", "20.0", "200.0"), ("order_id", "A100", "A101")],
        )
    ]


def test_an_agent_that_named_no_problem_has_no_table():
    for one in (step(HONEST), step("{")):
        assert [tables.problems(outcomes(one)[agent], one) for agent in ("broken", "fixed")] == [[], []]
    assert tables.problems(outcomes(step(HONEST))["guarded"], step(HONEST)) == []


def test_the_guarded_agent_shows_the_objections_to_its_first_answer_where_there_was_a_second():
    alone, again = step(ELSEWHERE), step({**HONEST, "amount": 10.0}, retry={"intent": HONEST, "do": HONEST})
    assert tables.problems(outcomes(alone)["guarded"], alone) == []
    assert tables.problems(outcomes(again)["guarded"], again) == [
        (
            "First answer",
            ("guard", "objection"),
            [
                ("call equals intent", "amount: said 20.0, did 10.0"),
                ("agreed amount", "the customer agreed to $20.00, the call pays $10.00"),
            ],
        )
    ]


def test_the_second_answer_is_shown_where_it_was_asked_for():
    retry = {"intent": None, "do": '{"order_id": "A100"'}
    assert tables.second_answer(outcomes(step(ELSEWHERE, retry=retry))["guarded"], step(ELSEWHERE, retry=retry)) == (
        'intent: null\ndo: {"order_id": "A100"'
    )
    for one in (step(ELSEWHERE), step(HONEST, retry={"intent": HONEST, "do": HONEST})):
        assert tables.second_answer(outcomes(one)["guarded"], one) == ""
    for agent in ("broken", "fixed"):
        assert tables.second_answer(outcomes(step(ELSEWHERE, retry=retry))[agent], step(ELSEWHERE, retry=retry)) == ""


def test_a_ledger_marks_the_rows_of_the_step():
    assert tables.ledger([("A100", 20.0), ("20", "20.00")], 1) == (
        "Ledger, 1 before and 2 after",
        ("row", "order", "amount"),
        [("before", "A100", "20.0"), ("new", '"20"', '"20.00"')],
    )
    assert tables.ledger([], 0) == ("Ledger, 0 before and 0 after", ("row", "order", "amount"), [])


def test_a_ledger_has_a_column_for_further_arguments_where_a_row_has_some():
    assert tables.ledger([("A100", 20.0), ("A100", None, {"cap": None, "x": "\u200b"})], 2)[1:] == (
        ("row", "order", "amount", "further arguments"),
        [("before", "A100", "20.0", ""), ("before", "A100", "null", '{"cap": null, "x": "\\u200b"}')],
    )


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize(
    ("one", "right"),
    [(step(HONEST), True), (step(ELSEWHERE), True), (step(ELSEWHERE, ELSEWHERE), False), (step("{"), False)],
    ids=["paid as owed", "rightly stopped", "wrong money", "crashed"],
)
def test_a_limit_shows_in_a_wrong_verdict_and_two_show_in_any(name, one, right):
    shown = tables.limit(Scenario("sample", "", case(), [], limit=name), outcomes(one)["fixed"])
    assert shown == (None if right and name not in EITHER_WAY else (name, LIMITS[name][0]))


def test_a_scenario_that_is_about_no_limit_shows_none():
    assert [tables.limit(scenario(), outcomes(step("{"))[agent]) for agent in AGENTS] == [None, None, None]


def test_what_waits_is_told_with_its_place_words_call_and_objections():
    one = scenario(step(HONEST), step({"order_id": "A100", "amount": "200.00"}))
    run = runs.run(one, one.steps, 1, edited=False)
    _, title, said, call, objections, reads = tables.waiting(run, [])
    assert tables.waiting(run, [run, run])[1] == f"Run 1: {title}"
    assert reads
    assert (title, said) == ("A sample, step 2 of 2", "Refunding $20.00 on A100.")
    assert call == '{"order_id": "A100", "amount": "200.00"}'
    assert objections[0] == "amount: said 20.0, did '200.00'"
    text = scenario(step('{"amount": 2'))
    assert tables.waiting(runs.run(text, text.steps, 0, edited=False), [])[3] == '{"amount": 2'


def test_what_waits_is_the_second_answer_where_it_came_to_that():
    one = scenario(step(ELSEWHERE, retry={"intent": HONEST, "do": {**HONEST, "amount": 5.0}}))
    assert tables.waiting(runs.run(one, one.steps, 0, edited=False), [])[3] == '{"order_id": "A100", "amount": 5.0}'
