import sys

import pytest

from failure13.agents import AGENTS
from failure13.guards import GUARDS
from failure13.visit.listing import listing
from samples import ELSEWHERE, HONEST, case, step


def ran(agent, one, **more):
    """The lines that ran, by file, without blanks around them."""
    files = listing(agent, one, [], case(), **more)
    return {name: [line.text.strip() for line in lines if line.ran] for name, lines in files.items()}


def test_a_listing_is_the_files_themselves_numbered_from_1():
    files = {agent: listing(agent, step(HONEST), [], case()) for agent in AGENTS}
    assert {agent: list(of_agent) for agent, of_agent in files.items()} == {
        "broken": ["broken.py", "payments.py"],
        "fixed": ["fixed.py", "payments.py"],
        "guarded": ["guarded.py", "guards.py", "payments.py"],
    }
    for of_agent in files.values():
        for lines in of_agent.values():
            assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert sum(line.text.endswith("# THE BUG") for line in files["broken"]["broken.py"]) == 1


def test_the_bug_ran_and_so_did_the_payment():
    files = ran("broken", step(ELSEWHERE))
    assert "return refund(ledger, **call)  # THE BUG" in files["broken.py"]
    assert files["payments.py"][-1] == "return message"


def test_a_run_that_was_blocked_did_not_reach_the_payment():
    files = ran("fixed", step(ELSEWHERE))
    assert files["fixed.py"][-1] == 'return "BLOCKED: " + "; ".join(problems)'
    assert files["payments.py"] == []
    paid = ran("fixed", step(HONEST))
    assert 'return "BLOCKED: " + "; ".join(problems)' not in paid["fixed.py"]
    assert paid["payments.py"][-1] == "return message"


def test_a_crash_shows_the_lines_up_to_it():
    files = ran("broken", step({"order_id": "A100", "amount": "20.00"}))
    assert files["broken.py"][-1] == "return refund(ledger, **call)  # THE BUG"
    assert files["payments.py"] == ['message = f"refunded ${amount:.2f} on {order_id}"']
    assert ran("fixed", step("{"))["payments.py"] == []
    assert ran("fixed", step({**HONEST, "ledger": 1}, {**HONEST, "ledger": 1}))["payments.py"] == []


def test_the_guards_that_were_asked_are_the_ones_that_ran():
    body = 'return f"the call {called}, the ticket {ticket}"'
    assert body in ran("guarded", step(ELSEWHERE))["guards.py"]
    assert body not in ran("guarded", step(HONEST))["guards.py"]
    without = {name: guard for name, guard in GUARDS.items() if name != "ticket's order"}
    assert body not in ran("guarded", step(ELSEWHERE), guards=without)["guards.py"]
    assert ran("guarded", step(ELSEWHERE), guards={})["payments.py"][-1] == "return message"


def test_what_the_ledger_held_before_decides_what_runs():
    files = listing("guarded", step(HONEST), [("A100", 20.0)], case())
    assert not any(line.ran for line in files["payments.py"])


def test_where_nothing_was_called_only_the_agent_that_asks_again_ran():
    for agent in ("broken", "fixed"):
        assert not any(ran(agent, step(None)).values())
    files = ran("guarded", step(None))
    assert files["guards.py"]
    assert files["payments.py"] == []
    again = ran("guarded", step(None, retry={"intent": HONEST, "do": HONEST}))
    assert again["payments.py"][-1] == "return message"


def test_the_plan_of_a_first_answer_is_asked_about_only_after_a_second():
    clause = 'first = _Side(question.first_intent, "first declared", "the first intent")'
    assert clause not in ran("guarded", step(ELSEWHERE))["guards.py"]
    assert clause in ran("guarded", step(ELSEWHERE, retry={"intent": HONEST, "do": HONEST}))["guards.py"]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("do", [HONEST, ELSEWHERE, "{", 7, None, {**HONEST, "ledger": 1}], ids=str)
def test_a_listing_leaves_no_trace(agent, do, capsys):
    def tracer(*_):
        return None

    one, ledger = step(do), [("A100", 1.0)]
    before = repr((one, ledger))
    coverage = sys.gettrace()
    sys.settrace(tracer)
    try:
        listing(agent, one, ledger, case())
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(coverage)
    assert repr((one, ledger)) == before
    assert capsys.readouterr() == ("", "")


def test_two_listings_of_one_step_are_the_same():
    assert listing("guarded", step(ELSEWHERE), [], case()) == listing("guarded", step(ELSEWHERE), [], case())
