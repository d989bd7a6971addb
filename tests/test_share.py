"""Links come back as what they were made from, old ones too, and a hostile one gets a sentence."""

import base64
import json
import math
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failure13.compare import same
from failure13.scenarios import load_all, steps_mistakes
from failure13.visit import share
from failure13.visit.share import BadLink, decode, encode, opened
from samples import ELSEWHERE, HONEST, calls, scenario, step, texts

ROOT = Path(__file__).parents[1]
GOLDEN = json.loads((Path(__file__).parent / "golden" / "links.json").read_text(encoding="utf-8"))
SCENARIOS, _ = load_all(ROOT / "scenarios")
STEPS = [step(do=ELSEWHERE)]

sides = st.one_of(calls, texts, calls.map(json.dumps))
owed = st.sampled_from([None, HONEST, ELSEWHERE])
edited_steps = st.lists(
    st.fixed_dictionaries(
        {"said": texts, "intent": st.none() | sides, "do": st.none() | sides, "owed": owed},
        optional={
            "retry": st.fixed_dictionaries(
                {"intent": st.none() | sides, "do": st.none() | sides}, optional={"said": texts}
            )
        },
    ),
    min_size=1,
    max_size=2,
)


def link_of(content, version="1"):
    packed = content if isinstance(content, bytes) else json.dumps(content).encode()
    return f"{version}.{base64.urlsafe_b64encode(zlib.compress(packed)).decode().rstrip('=')}"


def refusal(text):
    with pytest.raises(BadLink) as refused:
        decode(text)
    return str(refused.value)


@given(texts, edited_steps)
def test_decode_gives_what_encode_was_given(scenario_id, steps):
    text = encode(scenario_id, steps)
    found_id, found = decode(text)
    assert found_id == scenario_id
    assert same(found, steps)
    assert encode(found_id, found) == text


@given(
    st.text(max_size=60) | st.text("AQIDx_-.1", max_size=60).map("1.{}".format) | st.binary(max_size=60).map(link_of)
)
def test_any_other_text_gets_a_sentence(text):
    assert refusal(text)


@given(st.data())
def test_a_link_with_a_letter_changed_is_refused_or_reads_as_a_file_would(data):
    text = encode("wrong-pocket", STEPS)
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.characters(codec="ascii")) + text[at + 1 :]
    try:
        _, steps = decode(changed)
    except BadLink:
        return
    assert steps_mistakes(steps) == []


@pytest.mark.parametrize("golden", GOLDEN, ids=[golden["about"] for golden in GOLDEN])
def test_an_old_link_still_reads_as_it_did(golden):
    link = share.read(golden["link"])
    assert same(link._asdict(), {"case": None, "off": None, **golden["holds"]})


def test_the_same_edits_give_the_same_text_of_letters_that_any_address_takes():
    text = encode("wrong-pocket", STEPS)
    assert text == encode("wrong-pocket", [dict(STEPS[0])])
    assert text.startswith("2.")
    assert share.FORM.fullmatch(text)


def test_a_link_opens_on_the_step_that_was_on_screen():
    steps = [*STEPS, *STEPS]
    here = scenario(*steps)
    assert opened(encode("sample", steps, 1), [here]) == (here, steps, here.case, 1, [])


def test_a_link_that_does_not_fit_the_scenarios_records_is_refused():
    odd = [step(do=HONEST, owed={**HONEST, "amount": 20.005})]
    with pytest.raises(BadLink, match=r"steps\[0\]\.owed\.amount: expected a whole number of the smallest unit of USD"):
        opened(encode("sample", odd), [scenario(*STEPS)])


def test_every_scenario_fits_a_link():
    for each in SCENARIOS:
        assert opened(encode(each.id, each.steps), SCENARIOS) == (each, each.steps, each.case, 0, [])


def test_a_link_to_a_scenario_that_is_not_here_is_refused():
    with pytest.raises(BadLink, match="scenario: expected one of the 1 here, found 'gone'"):
        opened(encode("gone", STEPS), [scenario(*STEPS)])


def test_a_link_with_more_steps_than_the_scenario_is_refused():
    with pytest.raises(BadLink, match="steps: expected 1 as in sample, found 2"):
        opened(encode("sample", STEPS * 2), [scenario(*STEPS)])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the link: expected a version, a point and base64url text, found ''"),
        ("hello", "the link: expected a version, a point and base64url text, found 'hello'"),
        ("1.", "the link: expected a version, a point and base64url text, found '1.'"),
        ("1.ab+/", "the link: expected a version, a point and base64url text, found '1.ab+/'"),
        ("1.eJw=", "the link: expected a version, a point and base64url text, found '1.eJw='"),
        ("1.\ud800", "the link: expected a version, a point and base64url text, found '1.\\ud800'"),
        ("1.é", "the link: expected a version, a point and base64url text, found '1.\\xe9'"),
        ("١.eJw", "the link: expected a version, a point and base64url text, found '\\u0661.eJw'"),
        ("3.eJw", "the link: expected version 1 or 2, found '3'"),
        ("01.eJw", "the link: expected version 1 or 2, found '01'"),
        ("1.A", "the link: expected zlib data as base64url, found 'A'"),
        ("1.AAAA", "the link: expected zlib data as base64url, found 'AAAA'"),
        ("1." + "A" * 8191, "the link: expected at most 8192 characters, found 8193"),
    ],
)
def test_a_text_that_is_no_link_is_told_what_was_found_and_what_to_do(text, sentence):
    assert refusal(text) == f"{sentence}; ask for the link once more"


def test_a_link_cut_off_anywhere_is_refused():
    text = encode("wrong-pocket", STEPS)
    for end in range(len(text)):
        assert refusal(text[:end])


def test_what_follows_the_end_of_a_link_is_refused():
    packed = zlib.compress(json.dumps({"scenario": "a", "step": 0, "steps": STEPS}).encode())
    text = "1." + base64.urlsafe_b64encode(packed + b"more").decode().rstrip("=")
    assert "expected its end, found 4 bytes more" in refusal(text)
    assert refusal(encode("wrong-pocket", STEPS) + "\n")


def test_a_link_is_never_unpacked_beyond_its_bound(monkeypatch):
    bomb = link_of(b" " * 5_000_000)
    assert len(bomb) < share.MOST_CHARACTERS
    asked = []
    real = zlib.decompressobj

    class Watched:
        def __init__(self):
            self.inner = real()

        def decompress(self, data, most):
            asked.append(most)
            return self.inner.decompress(data, most)

    monkeypatch.setattr(share.zlib, "decompressobj", Watched)
    assert "expected at most 64 KiB of JSON in it, found more" in refusal(bomb)
    assert asked == [64 * 1024 + 1]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "line 1, column 1: expected a value, found the end"),
        (b"\xff", "the link: expected UTF-8, found byte 255 at 0"),
        (b"{'scenario'", "expected a key in double quotes"),
        (b'{"scenario": "a", "scenario": "b"}', 'the key "scenario" stands twice'),
        (b'{"scenario": NaN}', "expected a value, found 'NaN}'"),
        (b'{"scenario": 1e400}', "beyond what a float can hold"),
        (b'{"scenario": "\\ud800"}', "half a surrogate pair is no character"),
        (b"[" * 65, "expected at most 64 levels"),
        (b"[]", "the link: expected an object with scenario, step, steps, found '[]'"),
        ({"scenario": "a", "steps": STEPS}, "the link: expected an object with scenario, step, steps, found"),
        ({"scenario": 7, "step": 0, "steps": STEPS}, "scenario: expected an id as text, found '7'"),
        ({"scenario": "a", "step": 1, "steps": STEPS}, "step: expected one of the 1 from 0, found '1'"),
        ({"scenario": "a", "step": True, "steps": STEPS}, "step: expected one of the 1 from 0, found 'true'"),
        ({"scenario": "a", "step": 0, "steps": []}, "steps: expected a list of 1 to 100 steps"),
        (
            {"scenario": "a", "step": 0, "steps": [{**STEPS[0], "do": 7}]},
            "steps[0].do: expected an object, a JSON string or null for no call, found 7",
        ),
        (
            {"scenario": "a", "step": 0, "steps": [{**STEPS[0], "more": 7}]},
            'steps[0].more: expected one of the keys said, intent, do, retry, owed, found "more"',
        ),
    ],
)
def test_a_link_that_holds_no_edits_is_told_the_place_and_the_rule(content, sentence):
    assert sentence in refusal(link_of(content))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_lacks_fits_no_link(value):
    with pytest.raises(BadLink, match="expected values that JSON can write"):
        encode("sample", [step(do={"amount": value})])


@pytest.mark.parametrize("value", ["\ud800", "\ud83d\ude00"])
def test_half_a_surrogate_pair_fits_no_link(value):
    with pytest.raises(BadLink, match=r"surrogate pair|reads back as others"):
        encode("sample", [step(do={"order_id": value})])


def test_the_text_of_a_call_may_spell_what_an_object_may_not_hold():
    steps = [step(do='{"amount": NaN, "order_id": "\\ud800", "order_id": 1e400')]
    assert decode(encode("sample", steps)) == ("sample", steps)


def test_edits_that_fit_no_link_are_told_to_go_by_file():
    noise = base64.b64encode(bytes((i * i * 31 + i * 7919 >> 3) % 256 for i in range(15_000))).decode()
    with pytest.raises(BadLink, match=r"expected a link of at most 8192 characters, found \d+; download the scenario"):
        encode("sample", [step(do=noise)])
    with pytest.raises(BadLink, match="expected at most 64 KiB"):
        encode("sample", [step(do="x" * 70_000)])


def test_steps_that_no_file_could_hold_fit_no_link():
    with pytest.raises(BadLink, match=r"steps\[0\].said: expected a text of at most 20,000 characters"):
        encode("sample", [{**STEPS[0], "said": "x" * 20_001}])
