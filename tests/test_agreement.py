"""Where two places of a file do not agree, that is told like any other mistake, and with every other mistake."""

import pytest

from failure13.agreement import disagreements, target
from failure13.scenarios import mistakes, steps_mistakes
from samples import HONEST, case, order, step

DOLLARS = "expected a whole number of the smallest unit of USD (2 decimals)"
YEN = "expected a whole number of the smallest unit of JPY (0 decimals)"
ANY = "expected a whole number of the smallest unit of a listed currency"
PLACE = "expected a said, intent, do or retry of one of the 1 steps, found another place"


def file(*steps, of=None, **more):
    return {"title": "A sample", "case": of or case(), "steps": list(steps or [step(HONEST)]), **more}


def yen(agreed_amount=None):
    return case(agreed_amount, A100=order(paid="40", refundable="20", currency="JPY"))


def owed(amount, **more):
    return step(HONEST, owed={"order_id": "A100", "amount": amount, **more})


# Amounts.


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (file(of=case(A9=order(paid="0.005"))), f'case.orders.A9.paid: {DOLLARS}, found "0.005"'),
        (file(of=case(A9=order(refundable="1.5", currency="JPY"))), f'case.orders.A9.refundable: {YEN}, found "1.5"'),
        (
            file(of=case(A9=order(paid="9" * 20))),
            f'case.orders.A9.paid: {DOLLARS}, at most 15 digits, found "{"9" * 20}"',
        ),
        (file(owed(20), of=yen("20.50")), f'case.ticket.agreed_amount: {YEN}, found "20.50"'),
        (file(of=case("20.005")), f'case.ticket.agreed_amount: {DOLLARS}, found "20.005"'),
        (file(owed(17.99), of=yen()), f"steps[0].owed.amount: {YEN}, found 17.99"),
        (file(owed("17.99"), of=yen()), f'steps[0].owed.amount: {YEN}, found "17.99"'),
        (file(owed(17.99, currency="JPY")), f"steps[0].owed.amount: {YEN}, found 17.99"),
        (file(owed(17.995)), f"steps[0].owed.amount: {DOLLARS}, found 17.995"),
        (file(step(HONEST), owed(float("nan"))), f"steps[1].owed.amount: {DOLLARS}, found NaN"),
    ],
)
def test_an_amount_that_its_currency_does_not_have_is_a_mistake(data, sentence):
    assert mistakes(data) == [sentence]


@pytest.mark.parametrize(
    "data",
    [
        file(owed(17), of=yen("20")),
        file(owed("17"), of=yen()),
        file(owed(17.98999999999998)),
        file(owed(17.99, currency="USD"), of=yen()),
        file(owed(17.995, currency="KWD")),
        file(step(HONEST, owed={"order_id": "B7", "amount": 17.995})),
        file(of={**case("17.995"), "orders": {}}),
        file(step(HONEST, owed=None)),
    ],
)
def test_an_amount_of_its_own_or_its_orders_currency_is_none_and_so_is_any_of_an_order_not_on_file(data):
    assert mistakes(data) == []


def test_an_amount_that_no_currency_has_is_a_mistake_of_an_order_that_is_not_on_file_too():
    data = file(step(HONEST, owed={"order_id": "B7", "amount": 0.0005}))
    assert mistakes(data) == [f"steps[0].owed.amount: {ANY}, found 0.0005"]
    assert steps_mistakes(data["steps"]) == mistakes(data)


def test_steps_alone_are_held_against_no_order():
    assert steps_mistakes([owed(17.995)]) == []
    assert steps_mistakes([owed(17.995, currency="JPY")]) == [f"steps[0].owed.amount: {YEN}, found 17.995"]


# Verdicts.


def test_a_verdict_for_each_step_is_expected_of_the_file_and_of_each_try():
    few, two = ({"ledger": [], "verdicts": ["crashed"] * count} for count in (1, 2))
    data = file(
        step(HONEST),
        step(HONEST),
        expect={"broken": two, "fixed": few},
        tries=[{"label": "x", "set": {}}, {"label": "x", "set": {}, "expect": {"guarded": few, "fixed": two}}],
    )
    rule = 'expected one for each of the 2 steps, found ["crashed"]'
    assert mistakes(data) == [f"expect.fixed.verdicts: {rule}", f"tries[1].expect.guarded.verdicts: {rule}"]


# Edits.


@pytest.mark.parametrize(
    ("edit", "sentences"),
    [
        ({"steps[1].do.amount": 1}, {"steps[1].do.amount": PLACE}),
        ({"steps[0].said\n": ""}, {"steps[0].said\n": PLACE}),
        ({"steps[0].retry.do": {}}, {"steps[0].retry.do": "expected retry to be an object, found null"}),
        (
            {"steps[0].do": "{}", "steps[0].do.amount": 1},
            {"steps[0].do.amount": 'expected do to be an object, found "{}"'},
        ),
        (
            {"steps[1].said": "", "steps[0].do.amount": 1, "steps[2].said": ""},
            {"steps[1].said": PLACE, "steps[2].said": PLACE},
        ),
        ({"steps[0].retry": {"intent": None, "do": None}, "steps[0].retry.do": {}}, {}),
        ({"steps[0].do": None, "steps[0].intent.x\ny": None}, {}),
    ],
)
def test_each_place_that_a_try_sets_has_to_be_there_as_the_places_before_it_leave_the_steps(edit, sentences):
    data = file(tries=[{"label": "x", "set": edit}])
    assert dict(disagreements(data)) == {("tries", 0, "set", place): rule for place, rule in sentences.items()}
    assert len(mistakes(data)) == len(sentences)
    assert data == file(tries=[{"label": "x", "set": edit}])


def test_a_place_is_a_step_a_part_and_maybe_a_field():
    assert target([{}], "steps[0].do") == (0, "do", None)
    assert target([{}, {"do": {}}], "steps[1].do.a.b") == (1, "do", "a.b")


# Together with what the schema finds.


def test_where_the_schema_has_an_objection_there_is_no_second_one():
    data = file(owed("ten"), of=yen("20,50"), tries=[{"label": "x", "set": {"steps[9].owed": 1}}])
    assert [sentence.partition(": ")[0] for sentence in mistakes(data)] == [
        "case.ticket.agreed_amount",
        "steps[0].owed.amount",
        'tries[0].set["steps[9].owed"]',
    ]


def test_what_is_not_there_disagrees_with_nothing():
    verdicts = {"broken": {"verdicts": ["crashed"] * 3}}
    for steps in (None, [], {}, [7], "steps"):
        assert list(disagreements({"steps": steps, "expect": verdicts, "tries": [{"set": {"steps[7].do": 1}}]})) == []
    of_no_form = {"case": {"orders": [7], "ticket": {"order_id": 1, "agreed_amount": "1"}}}
    for data in (None, 7, [], of_no_form, {"steps": {"a": 1}}, {"tries": [7, {"set": 7, "expect": 7}]}):
        assert list(disagreements(data)) == []
