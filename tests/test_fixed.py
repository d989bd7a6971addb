from failure13 import broken, fixed
from samples import ELSEWHERE, HONEST, step


def test_fixed_blocks_when_call_differs_from_intent():
    ledger = []
    message = fixed.run_agent(step(ELSEWHERE), ledger)
    assert message == "BLOCKED: amount: said 20.0, did 200.0; order_id: said 'A100', did 'A101'"
    assert ledger == []


def test_fixed_runs_when_intent_matches_call():
    ledger = [("A7", 1.0)]
    assert fixed.run_agent(step(HONEST), ledger) == "refunded $20.00 on A100"
    assert ledger == [("A7", 1.0), ("A100", 20.0)]
    as_text = step('{"amount": 20.0, "order_id": "A100"}', intent='{"order_id": "A100", "amount": 20.0}')
    assert fixed.run_agent(as_text, ledger) == "refunded $20.00 on A100"
    assert ledger == [("A7", 1.0), ("A100", 20.0), ("A100", 20.0)]


def test_fixed_reports_every_differing_field():
    intent = {"order_id": "A100", "amount": 20.0, "method": "card", "same": 1}
    call = {"order_id": "A101", "amount": "20.0", "note": "hi", "same": 1}
    assert fixed.diff_intent(intent, call) == [
        "amount: said 20.0, did '20.0'",
        "method: said 'card', did None",
        "note: said None, did 'hi'",
        "order_id: said 'A100', did 'A101'",
    ]
    assert fixed.diff_intent({"cap": None, "amount": 1}, {"amount": True}) == [], "the known holes stay open"


def test_fixed_blocks_an_extra_field_in_the_call():
    ledger = []
    message = fixed.run_agent(step({**HONEST, "store_credit": 50}), ledger)
    assert message == "BLOCKED: store_credit: said None, did 50"
    assert ledger == []


def test_fixed_audits_blocked_and_executed():
    ledger, audit = [], []
    fixed.run_agent(step({**HONEST, "amount": 200.0}), ledger, audit)
    fixed.run_agent(step(HONEST), ledger, audit)
    assert audit == [
        {"status": "BLOCKED mismatch", "problems": ["amount: said 20.0, did 200.0"]},
        {"status": "executed", "problems": []},
    ]
    assert ledger == [("A100", 20.0)]


def test_broken_refunds_the_wrong_order_while_saying_otherwise(capsys):
    ledger, told = [], []
    message = broken.run_agent(step(ELSEWHERE), ledger, say=lambda *words: told.append(words))
    assert message == "refunded $200.00 on A101"
    assert ledger == [("A101", 200.0)]
    assert told == [("agent says:", "Refunding $20.00 on A100.")]
    assert capsys.readouterr().out == ""
    broken.run_agent(step('{"order_id": "A101", "amount": 20, "amount": 200.0}'), ledger)
    assert ledger == [("A101", 200.0), ("A101", 200.0)]
    assert capsys.readouterr().out == "agent says: Refunding $20.00 on A100.\n"
