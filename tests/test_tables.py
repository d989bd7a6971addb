import pytest

from failure13.agents import AGENTS
from failure13.limits import LIMITS
from failure13.replay import replay
from failure13.scenarios import Scenario
from failure13.visit import tables
from samples import ELSEWHERE, HONEST, case, order, scenario, step

EITHER_WAY = {"free text", "a block goes nowhere"}


def outcomes(one):
    return {agent: of_agent[-1] for agent, of_agent in replay(scenario(one)).items()}


def test_the_fixed_agent_names_the_fields_that_differ():
    one = step(ELSEWHERE)
    assert tables.problems(outcomes(one)["fixed"], one) == [
        (
            "Problems it named",
            ("field", "declared", "called"),
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
                ("call equals intent", "'amount': declared 20.0, called 10.0"),
                ("agreed amount", "the customer agreed to $20.00, and the call pays $10.00"),
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
def test_a_limit_shows_in_a_wrong_verdict_of_its_own_agent_and_two_show_in_any(name, one, right):
    about = Scenario("sample", "", case(), [], limit=name)
    shown = {agent: tables.limit(about, outcome) for agent, outcome in outcomes(one).items()}
    assert {agent for agent, found in shown.items() if found} <= {LIMITS[name].agent}
    if LIMITS[name].agent == "fixed":
        assert shown["fixed"] == (None if right and name not in EITHER_WAY else name)


def test_a_cost_of_the_guarded_agent_shows_where_it_blocked_needlessly_or_paid_wrong_money():
    needless, wrong = (
        step({**HONEST, "amount": 10.0}, {**HONEST, "amount": 10.0}, owed={**HONEST, "amount": 10.0}),
        step({**HONEST, "store_credit": 50}, {**HONEST, "store_credit": 50}),
    )
    for one in (needless, wrong, step(None)):
        for name in [name for name, limit in LIMITS.items() if limit.agent == "guarded"]:
            about = Scenario("sample", "", case(), [], limit=name)
            assert tables.limit(about, outcomes(one)["guarded"]) == name
            assert tables.limit(about, outcomes(step(HONEST))["guarded"]) is None
            assert tables.limit(about, outcomes(one)["fixed"]) is None


def test_said_and_never_done_is_a_limit_of_the_fix_that_shows():
    about = Scenario("sample", "", case(), [], limit="said, never done")
    assert tables.limit(about, outcomes(step(None))["fixed"]) == "said, never done"


def test_a_scenario_that_is_about_no_limit_shows_none():
    assert [tables.limit(scenario(), outcomes(step("{"))[agent]) for agent in AGENTS] == [None, None, None]


def test_the_records_are_told_as_they_are():
    of = case("20.00", J1=order(currency="JPY", paid="4000", refundable="2000"))
    assert tables.ticket_line(of) == "Ticket T1, customer C1, order A100, 20.00 agreed with the customer"
    assert tables.ticket_line(case(None)) == "Ticket T1, customer C1, order A100"
    caption, header, rows = tables.orders(of)
    assert (caption, header) == ("Order records", ("order on file", "customer", "paid", "refundable"))
    assert rows == [
        ("A100", "C1", "40.00 USD", "20.00"),
        ("A101", "C2", "200.00 USD", "0.00"),
        ("J1", "C1", "4000 JPY", "2000"),
    ]


@pytest.mark.parametrize(
    ("owed", "told"),
    [
        (None, "nothing"),
        (HONEST, "$20.00 on A100"),
        ({"order_id": "J1", "amount": "2000"}, "2000 JPY on J1"),
        ({**HONEST, "method": "gift_card", "fee": 1}, "$20.00 on A100 (method: gift_card, fee: 1)"),
        ({"order_id": "gone", "amount": 5}, "$5.00 on gone"),
    ],
)
def test_what_is_owed_is_told_in_its_orders_currency(owed, told):
    assert tables.owed(step(HONEST, owed=owed), case(J1=order(currency="JPY"))) == told


def test_the_overview_has_a_row_for_every_step_and_agent_with_what_is_still_owed():
    table = tables.overview(replay(scenario(step(HONEST), step(None))))
    assert table.header == ("step", "agent", "verdict", "message", "still owed")
    assert [row[:3] + row[4:] for row in table.rows] == [
        ("1", "broken", "paid as owed", "nothing"),
        ("1", "fixed", "paid as owed", "nothing"),
        ("1", "guarded", "paid as owed", "nothing"),
        ("2", "broken", "nothing done", "$20.00 on A100"),
        ("2", "fixed", "nothing done", "$20.00 on A100"),
        ("2", "guarded", "nothing done", "$20.00 on A100"),
    ]
