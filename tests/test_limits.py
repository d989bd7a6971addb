import pytest

from failure13.agents import AGENTS
from failure13.limits import LIMITS

OF_THE_FIX = [
    *("consistently wrong", "one source", "free text", "equality too strict", "a block goes nowhere"),
    *("said, never done", "null is not absent", "True == 1"),
]
OF_GUARDED = [
    *("no record speaks of it", "nobody agreed", "the record is wrong"),
    *("an honest correction of the plan", "an agreed sum paid in two parts", "a harmless repetition of a key"),
]


def test_the_limits_are_the_eight_of_the_fix_then_the_limits_and_costs_of_guarded():
    assert list(LIMITS) == [*OF_THE_FIX, *OF_GUARDED]


@pytest.mark.parametrize(("agent", "names"), [("fixed", OF_THE_FIX), ("guarded", OF_GUARDED)])
def test_a_limit_says_whose_it_is(agent, names):
    assert [name for name, limit in LIMITS.items() if limit.agent == agent] == names
    assert agent in AGENTS


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_one_sentence_and_its_answer_another(name):
    _, slips, answer = LIMITS[name]
    for text in (slips, answer):
        assert text[0].isupper() or text.startswith("`")
        assert text.endswith(".")
        assert ". " not in text
    assert slips != answer
