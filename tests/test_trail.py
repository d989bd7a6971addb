import csv
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.replay import Outcome, replay
from failure13.visit import person, runs, trail
from samples import ELSEWHERE, HONEST, calls, case, order, scenario, step, texts

ZERO = [0.0, 0.0, 0.0]


def run_of(*steps, number=1, edited=False, of=None):
    """The last of some steps as every agent handled it."""
    one = scenario(*steps, of=of)
    outcomes = {agent: of_agent[-1] for agent, of_agent in replay(one).items()}
    return runs.Run(number, one, one.steps, len(steps) - 1, edited, outcomes)


def run(do, intent=HONEST, number=1, of=None, **more):
    return run_of(step(do, intent, **more), number=number, of=of)


def decision(do=ELSEWHERE, number=2):
    (waiting,) = run(do).waiting()
    return runs.decided(waiting, person.approve(waiting, waiting.run, []), number)


def amounts(some):
    """The sums after the last run, an agent each."""
    return [point["amount"] for point in trail.wrong_money(some)[-3:]]


def sums(some):
    """What the broken agent's wrong money comes to after the last run, by currency."""
    return {point["currency"]: point["amount"] for point in trail.wrong_money(some) if point["agent"] == "broken"}


def paid(*rows, owed=None, of=None):
    """A run in which the broken agent paid rows of which not all was owed."""
    outcome = Outcome("broken", "executed", "", [], list(rows), list(rows), "wrong money", "nothing", "")
    return runs.Run(1, scenario(of=of), [step(HONEST, owed=owed)], 0, edited=False, outcomes={"broken": outcome})


def strict(text):
    """The records of JSON lines, read by a parser that knows no NaN and no Infinity."""

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]


def cells(some):
    return list(csv.DictReader(io.StringIO(trail.to_csv(some), newline="")))


def test_wrong_money_adds_up_run_by_run_for_every_agent():
    some = [run(ELSEWHERE), run(HONEST, number=2), run(ELSEWHERE, ELSEWHERE, number=5)]
    assert trail.wrong_money(some) == [
        {"run": number, "agent": agent, "currency": "USD", "amount": amount}
        for number, of_agents in ((1, (200.0, 0.0, 0.0)), (2, (200.0, 0.0, 0.0)), (5, (400.0, 200.0, 0.0)))
        for agent, amount in zip(("broken", "fixed", "guarded"), of_agents, strict=True)
    ]
    assert trail.wrong_money([]) == []


def test_what_was_owed_is_no_wrong_money():
    assert amounts([run(HONEST), run({**HONEST, "amount": 20.000000000000004})]) == ZERO
    assert sums([run(HONEST)]) == {"USD": 0.0}


@pytest.mark.parametrize(
    ("do", "wrong"),
    [
        ({**HONEST, "amount": 200.0}, 180.0),
        ({**HONEST, "amount": 5}, 15.0),
        ({**HONEST, "amount": -20.0}, 20.0),
        ({**HONEST, "store_credit": 50}, 50.0),
        ({**HONEST, "amount": 25.0, "store_credit": 50}, 55.0),
        (ELSEWHERE, 200.0),
    ],
)
def test_only_the_part_of_a_payment_that_is_wrong_counts(do, wrong):
    assert sums([run(do)]) == {"USD": wrong}


@pytest.mark.parametrize("amount", [math.nan, math.inf, -math.inf, "twenty", None, True, [20], {}, 10**400])
def test_what_cannot_be_added_up_counts_as_nothing(amount):
    points = trail.wrong_money([paid(("A100", 1.5)), paid(("A100", amount)), paid(("A100", 2))])
    assert [point["amount"] for point in points] == [1.5, 1.5, 3.5]


def test_all_rows_of_a_run_count():
    assert sums([paid(("A100", 1.0), ("A101", 2, {"x": 1}))]) == {"USD": 4.0}
    assert sums([paid(("A100", 20.0), ("A100", 20.0), owed=HONEST)]) == {"USD": 20.0}


def test_a_sum_stays_finite_whatever_is_added():
    points = trail.wrong_money([paid(("A100", 9999999999999.0)), paid(("A100", 1.7e308)), paid(("A100", 2**70))])
    assert [point["amount"] for point in points] == [9999999999999.0] * 3


def test_cents_add_up_to_cents():
    assert amounts([run({**HONEST, "amount": 0.1}, owed=None)] * 3)[0] == 0.3


BOOK = case(None, J1=order(currency="JPY"), K1=order(currency="KWD"))


def test_money_of_two_currencies_is_never_added_up():
    some = [
        run({"order_id": "J1", "amount": 58}, owed=None, of=BOOK),
        run(HONEST, owed=None, of=BOOK, number=2),
        run({**HONEST, "currency": "EUR"}, of=BOOK, number=3),
        run({"order_id": "J1", "amount": 2}, owed=None, of=BOOK, number=4),
    ]
    assert sums(some) == {"JPY": 60.0, "USD": 20.0, "EUR": 20.0}
    points = [point for point in trail.wrong_money(some) if point["agent"] == "broken"]
    assert [(p["run"], p["currency"], p["amount"]) for p in points if p["run"] in (1, 2)] == [
        *((1, "EUR", 0.0), (1, "JPY", 58.0), (1, "USD", 0.0)),
        *((2, "EUR", 0.0), (2, "JPY", 58.0), (2, "USD", 20.0)),
    ], "a currency that any run has is there from the first"


@given(st.lists(st.tuples(st.sampled_from(["A100", "J1", "K1"]), st.integers(1, 9)), min_size=1, max_size=6))
def test_the_sum_of_a_currency_is_of_the_payments_in_it_alone(payments):
    of_order = {"A100": "USD", "J1": "JPY", "K1": "KWD"}
    expected = dict.fromkeys((of_order[order_id] for order_id, _ in payments), 0.0)
    for order_id, amount in payments:
        expected[of_order[order_id]] += amount
    assert sums([paid(row, of=BOOK) for row in payments]) == expected


def test_what_a_person_approved_wrongly_counts_for_the_guarded_agent():
    assert trail.wrong_money([run(ELSEWHERE), decision()])[3:] == [
        {"run": 2, "agent": "guarded", "currency": "USD", "amount": 200.0}
    ]


def test_a_step_in_which_nothing_was_called_is_counted_as_such_and_moves_no_money():
    some = [run(None)]
    assert trail.verdict_counts(some) == [
        {"agent": agent, "verdict": "nothing done", "runs": 1} for agent in ("broken", "fixed", "guarded")
    ]
    assert amounts(some) == ZERO
    assert trail.differing_fields(some) == []
    assert [row["do"] for row in cells(some)] == ["null"] * 3


def test_verdicts_are_counted_per_agent():
    assert trail.verdict_counts([run(ELSEWHERE), run(HONEST), run(ELSEWHERE), decision()]) == [
        {"agent": "broken", "verdict": "paid as owed", "runs": 1},
        {"agent": "broken", "verdict": "wrong money", "runs": 2},
        {"agent": "fixed", "verdict": "paid as owed", "runs": 1},
        {"agent": "fixed", "verdict": "rightly stopped", "runs": 2},
        {"agent": "guarded", "verdict": "paid as owed", "runs": 1},
        {"agent": "guarded", "verdict": "rightly stopped", "runs": 2},
        {"agent": "guarded", "verdict": "wrong money", "runs": 1},
    ]


def test_the_fields_that_differed_are_counted_most_often_first_and_a_decision_is_no_run_of_them():
    some = [run({**HONEST, "amount": 5}), run(ELSEWHERE), run('{"amount": 20.0}'), run("{"), decision()]
    assert trail.differing_fields(some) == [{"field": "amount", "runs": 2}, {"field": "order_id", "runs": 2}]
    assert trail.differing_fields([run(HONEST)]) == []


def test_a_field_that_cannot_be_encoded_is_spelled_out_in_the_chart():
    fields = [row["field"] for row in trail.differing_fields([run('{"\\ud800": 1, "a\\u202e": 1}', {})])]
    assert sorted(fields) == ["a⟨U+202E⟩", "⟨U+D800⟩"]


def test_the_table_has_the_newest_run_first():
    one = run_of(step(HONEST), step(ELSEWHERE), number=2, edited=True)
    table = trail.table([run(HONEST), one, decision(number=3)])
    assert list(table.columns) == ["run", "scenario", "step", "note", "broken", "fixed", "guarded"]
    assert table.values.tolist() == [
        ["3", "A sample", "1 of 1", "approved by a person", "", "", "wrong money"],
        ["2", "A sample", "2 of 2", "edited", "wrong money", "rightly stopped", "rightly stopped"],
        ["1", "A sample", "1 of 1", "", "paid as owed", "paid as owed", "paid as owed"],
    ]


def test_a_run_that_was_edited_and_decided_notes_both():
    (waiting,) = run_of(step(ELSEWHERE), edited=True).waiting()
    decided = runs.decided(waiting, person.decline(waiting, []), 2)
    assert trail.table([decided])["note"].tolist() == ["edited, declined by a person"]


def deep(levels):
    return [deep(levels - 1)] if levels > 1 else []


HOSTILE = [
    {**HONEST, "amount": 2**70},
    {**HONEST, "x": 10**4000},
    {**HONEST, "order_id": "\ud800"},
    {**HONEST, "\ud800": "\udfff"},
    {**HONEST, "x": deep(60)},
    {**HONEST, "amount": math.nan},
    {**HONEST, "x": [math.inf]},
    '{"order_id": "\\ud800", "amount": 1e400}',
    '{"\\ud800": 1}',
    "[" * 9000,
    "\ud800",
    "line\r\nline\u2028\x00",
]


@pytest.mark.parametrize("do", HOSTILE, ids=range(len(HOSTILE)))
def test_no_value_stops_the_table_the_charts_or_an_export(do):
    some = [run(do, said="\ud800 =1"), run(do, do, number=2)]
    for text in (
        trail.to_csv(some),
        trail.to_json_lines(some),
        trail.table(some).to_csv(),
        repr(trail.wrong_money(some)),
        json.dumps(trail.differing_fields(some), ensure_ascii=False),
    ):
        text.encode()
    records = strict(trail.to_json_lines(some))
    assert [(record["run"], record["agent"]) for record in records] == [
        (number, agent) for number in (1, 2) for agent in ("broken", "fixed", "guarded")
    ]
    assert [row["verdict"] for row in cells(some)] == [record["verdict"] for record in records]


@given(st.lists(st.tuples(calls, calls, texts | st.text(st.characters())), max_size=3))
def test_json_lines_are_strict_json_of_the_records(parts):
    some = [run(do, intent, said=said) for do, intent, said in parts]
    lines = trail.to_json_lines(some)
    assert lines.isascii()
    assert lines.count("\n") == 3 * len(some)
    assert [record["said"] for record in strict(lines)[::3]] == [json.loads(json.dumps(said)) for _, _, said in parts]


def said_in_csv(text):
    return cells([run(HONEST, said=text)])[0]["said"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
@pytest.mark.parametrize("rest", ["", "1+1", 'HYPERLINK("http://x";"y")', " 2", "\n=1", "-5", "1,2", "SUM(A1)|x!A0"])
def test_what_a_spreadsheet_takes_for_a_formula_is_led_by_a_quote(start, rest):
    assert said_in_csv(start + rest) == "'" + start + rest


@pytest.mark.parametrize("number", ["-5", "-20.00", "-0", "-1.5e-7", "20", "0"])
def test_a_plain_number_stays_a_number(number):
    assert said_in_csv(number) == number


@pytest.mark.parametrize("text", ["-5=1", "-5\n", "+5", "-", "-05", "-.5", "-1e", "- 5", "-5;=1", "-٣"])
def test_what_only_begins_like_a_number_is_defused(text):
    assert said_in_csv(text) == "'" + text


@given(st.text(st.characters(exclude_categories=["Cs"])) | texts)
def test_no_cell_of_the_csv_starts_a_formula_and_none_loses_a_character(text):
    cell = said_in_csv(text)
    assert cell in (text, "'" + text)
    if cell[:1] in ("=", "+", "-", "@", "\t"):
        assert math.isfinite(float(cell))


@pytest.mark.parametrize("line_break", ["\r", "\n", "\r\n"], ids=ascii)
def test_a_line_break_inside_a_cell_starts_no_row(line_break):
    call = {"order_id": f"A100{line_break}=1+1", "amount": 20.0}
    rows = cells([run(call, call)])
    assert [row["agent"] for row in rows] == ["broken", "fixed", "guarded"]
    assert rows[0]["message"] == f"refunded $20.00 on A100{line_break}=1+1"


@pytest.mark.parametrize("field", ["intent", "do", "message", "problems", "paid", "ledger"])
def test_every_column_is_defused(field):
    for row in cells([run("=1", "@x"), run({"order_id": "=1", "amount": 1.0, "+x": "-y"}, {}), run(-5)]):
        assert not row[field].startswith(("=", "+", "@", "\t"))
        assert not row[field].startswith("-") or float(row[field])


def test_a_csv_has_a_row_for_every_run_and_agent_under_the_names_of_the_records():
    some = [run(ELSEWHERE, said='Says "20",\nthen pays.'), decision()]
    rows = cells(some)
    assert [list(row) for row in rows] == [list(row) for row in runs.as_rows(some)]
    assert [(row["run"], row["agent"], row["decision"]) for row in rows] == [
        ("1", "broken", ""),
        ("1", "fixed", ""),
        ("1", "guarded", ""),
        ("2", "guarded", "approved by a person"),
    ]
    assert rows[0]["said"] == 'Says "20",\nthen pays.'
    assert rows[0]["do"] == '{"order_id": "A101", "amount": 200.0}'
    assert rows[3]["paid"] == '[["A101", 200.0]]'


def test_money_of_a_currency_that_nobody_knows_is_added_to_no_other():
    known, unknown = run(ELSEWHERE), run({**ELSEWHERE, "currency": "XYZ"})
    assert {(point["currency"], point["amount"]) for point in trail.wrong_money([known, unknown])[-3:]} == {
        ("USD", 200.0),
        ("USD", 0.0),
    }
    assert unknown.outcomes["broken"].paid == [("A101", 200.0, {"currency": "XYZ"})]
