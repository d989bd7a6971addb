import pytest

from failure13.limits import LIMITS


def test_the_limits_are_the_seven_of_the_article_and_its_code():
    assert list(LIMITS) == [
        *("consistently wrong", "one source", "free text", "equality too strict", "a block goes nowhere"),
        *("null is not absent", "True == 1"),
    ]


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_one_sentence_and_its_answer_another(name):
    sentence, answer = LIMITS[name]
    for text in (sentence, answer):
        assert text[0].isupper() or text.startswith("`")
        assert text.endswith(".")
        assert ". " not in text
    assert sentence != answer
