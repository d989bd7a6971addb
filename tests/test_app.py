"""The page as Streamlit's own test runner draws it: all that is on it, without a browser."""

import html
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from failure13.agents import AGENTS
from failure13.guards import GUARDS
from failure13.limits import LIMITS
from failure13.replay import expectation, replay
from failure13.scenarios import load_all
from failure13.verdicts import VERDICTS

ROOT = Path(__file__).parent.parent
PACK, _ = load_all(ROOT / "scenarios")
BY_ID = {scenario.id: scenario for scenario in PACK}
FIRST, LAST = PACK[0].id, PACK[-1].id
MARKER = "$x$ :smile: **b** <b>"
HOSTILE = {
    "nothing": "",
    "blanks": "   ",
    "nan": "NaN",
    "infinite": "-Infinity",
    "beyond a float": "1e400",
    "at the end of a float": "1.7e308",
    "a key twice": '{"a":1,"a":2}',
    "half a pair": '"\\ud800"',
    "half a pair as a key": '{"\\ud800": 1}',
    "digits": "9" * 5000,
    "fewer digits": "9" * 4300,
    "beyond a cell": "x" * 20_000,
    "lists": "[" * 5000,
    "closed lists": "[" * 64 + "]" * 64,
    "quotes": '"',
    "more quotes": "'\"`\\",
    "html": "<script>alert(1)</script>",
    "a negative": "-1",
    "true": "true",
    "null": "null",
    "an object": '{"order_id": {"order_id": []}}',
    "right to left": "\u202eA100\u0000\u200b",
    "lines": '"a\\r\\nb\\u2028c"',
    "markdown": MARKER,
}


@pytest.fixture(autouse=True, scope="module")
def kept(tmp_path_factory):
    """What these visitors do is kept in a file of the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAILURE13_STORE", str(tmp_path_factory.mktemp("kept") / "visitors.sqlite3"))
        yield


def opened(scenario_id=FIRST, app=ROOT / "app.py"):
    """A new visitor's page at a scenario, with a person's queue unfolded as soon as there is one."""
    page = AppTest.from_file(app, default_timeout=30)
    page.session_state["queue"] = True
    page.run()
    if scenario_id != FIRST:
        page.session_state["visitor"].place = scenario_id
        page.run()
    return fine(page)


def fine(page):
    assert not page.exception
    return page


def within(block):
    """Every element and block in a block, in order."""
    for child in block.children.values():
        yield child
        if hasattr(child, "children"):
            yield from within(child)


def read(block):
    """What HTML elements show, as text."""
    shown = [element.proto.body for element in within(block) if element.type == "html"]
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", "\n".join(shown), flags=re.DOTALL))


def words(page):
    return read(page._tree)


def card(page, agent):
    found = [block for block in within(page._tree) if getattr(block.proto, "id", "").endswith(f"-card-{agent}")]
    return found[0]


def shown(page, agent):
    return read(card(page, agent))


def badges(block):
    """The words of the badges in a block."""
    texts = [element.value for element in within(block) if element.type == "markdown"]
    return [match[1] for text in texts if (match := re.fullmatch(r":\w+-badge\[(?::[\w/]+: )?(.+)\]", text))]


def verdicts(page):
    words = {f"{verdict.sign} {word}": word for word, verdict in VERDICTS.items()}
    found = {agent: badges(card(page, agent)) for agent in AGENTS}
    return {agent: next(words[badge] for badge in of_card if badge in words) for agent, of_card in found.items()}


def ledgers(page):
    """The ledger that each card prints, as JSON data."""
    found = {}
    for agent in AGENTS:
        found[agent] = re.search(r"^ledger: (\[.*?\])(?:  |$)", shown(page, agent), re.MULTILINE)[1]
    return found


def named(widgets, label):
    return next(widget for widget in widgets if widget.label == label)


def press(page, label):
    named(page.button, label).click()
    return fine(page.run())


def type_in(page, label, text):
    named([*page.text_input, *page.text_area], label).set_value(text)
    return fine(page.run())


def value(page, label):
    return named([*page.text_input, *page.text_area], label).value


def switch(page, guard, on=False):
    page.toggle(key=f"guard/{guard}").set_value(on)
    return fine(page.run())


def runs(page):
    """How many runs the page says the trail has."""
    return next(int(text.value.split()[0]) for text in page.caption if re.fullmatch(r"\d+ runs?", text.value))


def visitor(page):
    return page.session_state["visitor"]


# Every scenario, all seen by one visitor.


@pytest.fixture(scope="module")
def tour():
    return opened()


def at_step(page, scenario, index):
    """Put a page at a step of a scenario."""
    work = visitor(page).work(scenario)
    if (visitor(page).place, work.step) == (scenario.id, index):
        return page
    visitor(page).place, work.step = scenario.id, index
    return fine(page.run())


@pytest.mark.parametrize("scenario_id", BY_ID)
def test_a_scenario_shows_what_its_file_expects_of_every_agent(scenario_id, tour):
    scenario = BY_ID[scenario_id]
    limits, expect = [], scenario.expect or expectation(replay(scenario))
    for index, step in enumerate(scenario.steps):
        at_step(tour, scenario, index)
        assert verdicts(tour) == {agent: each["verdicts"][index] for agent, each in expect.items()}
        assert (value(tour, "Said"), scenario.case["ticket"]["text"] in words(tour)) == (step["said"], True)
        for agent in AGENTS:
            if any("not help here" in badge for badge in badges(card(tour, agent))):
                assert LIMITS[scenario.limit].heading in badges(card(tour, agent))
                assert (LIMITS[scenario.limit].agent, LIMITS[scenario.limit].slips in shown(tour, agent)) == (
                    agent,
                    True,
                )
                limits.append(scenario.limit)
            assert f"Still owed: {replay(scenario)[agent][index].still_owed}" in shown(tour, agent)
    rows = {agent: repr([tuple(row) for row in each["ledger"]]) for agent, each in expect.items()}
    assert ledgers(tour) == rows
    tour.session_state["opened-why"] = True
    fine(tour.run())
    assert all(text in words(tour) for text in [scenario.notice, *(scenario.why or {}).values()])
    assert set(limits) == ({scenario.limit} if scenario.limit else set()), "a limit is named where there is one"
    assert scenario.limit is None or LIMITS[scenario.limit].answer in words(tour)
    tour.session_state["opened-why"] = False


@pytest.mark.parametrize("scenario_id", BY_ID)
def test_every_try_of_a_scenario_says_what_it_changed_and_shows_what_it_expects(scenario_id, tour):
    scenario = BY_ID[scenario_id]
    for attempt in scenario.tries:
        at_step(tour, scenario, 0)
        press(tour, attempt["label"])
        changed = []
        for index in range(len(scenario.steps)):
            at_step(tour, scenario, index)
            changed.append("Changed: " in words(tour))
            for agent, each in attempt.get("expect", {}).items():
                assert verdicts(tour)[agent] == each["verdicts"][index]
        assert any(changed)
    at_step(tour, scenario, 0)
    if scenario.tries:
        press(tour, "Reset")


# Moving between scenarios.


def test_the_picker_offers_every_scenario_and_opens_it():
    page = opened()
    picker = page.selectbox(key="picker")
    assert picker.options == [
        f"{n}. {each.title}{each.hook and f': {each.hook}'}" for n, each in enumerate(PACK, start=1)
    ]
    picker.select_index(11).run()
    assert visitor(fine(page)).place == PACK[11].id
    assert PACK[11].case["ticket"]["text"] in words(page)


def test_next_and_previous_stop_at_the_ends():
    page = opened()
    assert named(page.button, "Previous scenario").disabled
    press(page, "Next scenario")
    assert (visitor(page).place, page.selectbox(key="picker").value) == (PACK[1].id, 1)
    press(page, "Previous scenario")
    assert visitor(page).place == FIRST
    assert named(opened(LAST).button, "Next scenario").disabled


def test_each_scenario_keeps_its_own_edits_and_is_marked():
    page = type_in(opened(), "do amount", "7.5")
    assert "edited" in badges(page._tree)
    press(page, "Next scenario")
    assert "edited" not in badges(page._tree)
    press(page, "Previous scenario")
    assert (value(page, "do amount"), "edited" in badges(page._tree)) == ("7.5", True)


def test_an_earlier_step_edited_replays_the_later_ones():
    page = opened("paid-twice")
    type_in(page, "do amount", "5")
    visitor(page).work(BY_ID["paid-twice"]).step = 1
    page.run()
    assert ledgers(page)["broken"] == "[('A100', 5), ('A100', 20.0)]"
    assert "Ledger, 1 before and 2 after" in shown(page, "broken")


# Editing.


def test_an_edit_of_a_cell_changes_the_outcome():
    page = type_in(opened(), "do order_id", "A100")
    assert "refunded $200.00 on A100" in shown(page, "broken")
    type_in(page, "do amount", "20")
    assert verdicts(page) == dict.fromkeys(("broken", "fixed", "guarded"), "paid as owed")
    assert ledgers(page)["fixed"] == "[('A100', 20)]"
    type_in(page, "intent amount", '"20"')
    assert "amount: said '20', did 20" in shown(page, "fixed")
    type_in(page, "intent amount", "")
    assert "amount: said None, did 20" in shown(page, "fixed")


def test_an_edit_of_the_sentence_is_what_the_customer_reads_of_the_broken_agent_only():
    page = type_in(opened(), "Said", "All done.")
    assert "The customer reads  All done." in re.sub(r"\s{2,}", "  ", shown(page, "broken"))
    assert "a person is looking at it" in shown(page, "guarded")


def test_a_call_sent_as_text_is_edited_as_text():
    page = opened("cut-off-call")
    assert "do: line 1, column" in words(page)
    type_in(page, "do as JSON text", '{"order_id": "A100", "amount": 20.0}')
    assert "do: line 1, column" not in words(page)
    assert verdicts(page)["fixed"] == "paid as owed"


def test_a_field_is_added_renamed_and_removed():
    page = press(opened(), "Add field")
    type_in(page, "name of field", "cap")
    type_in(page, "do cap", "50")
    assert ledgers(page)["broken"] == "[('A101', 200.0, {'cap': 50})]"
    press(page, "Remove cap")
    assert ledgers(page)["broken"] == "[('A101', 200.0)]"


def test_a_name_that_is_taken_is_refused_in_words():
    page = type_in(opened(), "name of amount", "order_id")
    assert '"order_id" is taken by another row; this is still amount' in words(page)
    assert ledgers(page)["broken"] == "[('A101', 200.0)]"


def test_undo_redo_and_reset_take_edits_back_and_forth():
    page = opened()
    assert [named(page.button, label).disabled for label in ("Undo", "Redo", "Reset")] == [True, True, True]
    type_in(page, "do amount", "7.5")
    for label, amount in (("Reset", 200.0), ("Undo", 7.5), ("Undo", 200.0), ("Redo", 7.5), ("Redo", 200.0)):
        press(page, label)
        assert value(page, "do amount") == str(amount)
        assert f"refunded ${amount:.2f} on A101" in shown(page, "broken")
    assert named(page.button, "Redo").disabled


# Visitors.


def test_two_visitors_share_nothing():
    first, second = opened(), opened()
    type_in(first, "do amount", "7.5")
    press(first, "Run this step")
    press(first, "Next scenario")
    switch(first, "intent declared")
    second.run()
    assert (value(second, "do amount"), runs(second), second.toggle(key="guard/intent declared").value) == (
        "200.0",
        0,
        True,
    )
    assert "edited" not in badges(second._tree)
    assert (visitor(second).place, visitor(second).queue) == ("", [])
    third = opened()
    assert (value(third, "do amount"), runs(third)) == ("200.0", 0)
    assert runs(fine(first.run())) == 1


# Running.


def test_a_run_is_in_the_trail_with_its_sums():
    page = opened()
    assert any("Nothing has run yet" in text.value for text in page.caption)
    press(page, "Run this step")
    assert runs(page) == 1
    type_in(page, "do amount", "5")
    press(page, "Run this step")
    assert runs(page) == 2
    assert page.dataframe[0].value.values.tolist() == [
        ["2", PACK[0].title, "1 of 1", "edited", "wrong money", "rightly stopped", "rightly stopped"],
        ["1", PACK[0].title, "1 of 1", "", "wrong money", "rightly stopped", "rightly stopped"],
    ]
    assert "broken 205.00 USD, fixed 0.00 USD, guarded 0.00 USD" in said_anywhere(page)


def said_anywhere(page):
    return "\n".join([words(page), *(text.value for text in [*page.caption, *page.markdown])])


def test_run_all_runs_the_pack_and_clear_forgets_it():
    page = press(opened(), "Run all scenarios")
    assert runs(page) == sum(len(scenario.steps) for scenario in PACK)
    press(page, "Delete the runs")
    assert (runs(page), visitor(page).queue) == (0, [])


def test_a_guard_switched_off_changes_the_card_the_strip_and_the_trail():
    page = press(opened("only-prose"), "Run this step")
    strip = r"wrong money let through (\d+) by guarded, (\d+) by fixed, (\d+) by broken"
    before = re.search(strip, words(page)).groups()
    assert int(before[0]) < int(before[1])
    card_before = shown(page, "guarded")
    for name in GUARDS:
        switch(page, name)
    after = re.search(strip, words(page)).groups()
    assert int(after[0]) > int(before[0])
    assert after[1:] == before[1:]
    assert shown(page, "guarded") != card_before
    assert "executed after retry" not in visitor(page).trail[0].outcomes["guarded"].record["status"]
    switch(page, "agreed amount", on=True)
    assert len(visitor(page).guards_off) == len(GUARDS) - 1


def test_each_guard_has_a_switch_of_its_own_by_the_sentence_it_checks():
    page = opened()
    for name, guard in GUARDS.items():
        toggle = page.toggle(key=f"guard/{name}")
        assert (toggle.label, toggle.value) == (guard.__doc__.splitlines()[0], True)
        switch(page, name)
        assert (visitor(page).guards_off, page.toggle(key=f"guard/{name}").value) == ({name}, False)
        switch(page, name, on=True)
    assert visitor(page).guards_off == set()


# What a rerun costs.


@pytest.fixture
def turns(monkeypatch):
    """Every turn that the broken agent is handed from here on."""
    seen, row = [], AGENTS["broken"]
    monkeypatch.setitem(AGENTS, "broken", replace(row, run=lambda turn: seen.append(turn) or row.run(turn)))
    return seen


def test_an_edit_hands_each_step_to_an_agent_once_and_a_run_keeps_what_is_on_screen(turns):
    page = opened("paid-twice")
    turns.clear()
    type_in(page, "do amount", "5")
    assert len(turns) == 2
    turns.clear()
    press(page, "Run this step")
    press(page, "Undo")
    assert len(turns) == 2, "going back is another edit on screen, and a run is none"
    assert visitor(page).trail[0].outcomes["broken"].paid == [("A100", 5)]


# A person's queue.


def test_what_waits_is_approved_once_and_the_trail_says_so():
    page = press(opened(), "Run this step")
    assert '{"order_id": "A101", "amount": 200.0}' in words(page)
    press(page, "Approve and pay")
    assert not any(button.label == "Approve and pay" for button in page.button)
    assert runs(page) == 2
    assert page.dataframe[0].value.iloc[0].tolist()[3:] == ["approved by a person", "", "", "wrong money"]
    assert [run.outcomes["guarded"].paid for run in visitor(page).trail] == [[], [("A101", 200.0)]]


def test_what_waits_is_declined_and_nothing_is_paid():
    page = press(press(opened(), "Run this step"), "Decline")
    assert page.dataframe[0].value.iloc[0].tolist()[3:] == ["declined by a person", "", "", "rightly stopped"]
    assert [run.outcomes["guarded"].paid for run in visitor(page).trail] == [[], []]


def test_a_step_that_has_changed_since_cannot_be_approved():
    page = press(opened(), "Run this step")
    type_in(page, "do amount", "199")
    press(page, "Approve and pay")
    assert "The call has changed since it was shown" in words(page)
    assert (runs(page), len(visitor(page).queue)) == (1, 1)
    press(page, "Undo")
    press(page, "Approve and pay")
    assert "The call has changed since it was shown" not in words(page)
    assert visitor(page).trail[-1].outcomes["guarded"].paid == [("A101", 200.0)]


# The code that ran.


@pytest.mark.parametrize("agent", ["broken", "fixed", "guarded"])
def test_the_code_that_ran_is_shown_with_the_bug(agent):
    page = opened()
    page.session_state["code"] = True
    page.session_state["code-agent"] = agent
    fine(page.run())
    assert f"failure13/{agent}.py" in words(page)
    assert ("# THE BUG" in words(page)) is (agent == "broken")


# What a visitor types.


def press_all(page, label):
    while not visitor(page).refused and any(each.label == label and not each.disabled for each in page.button):
        next(each for each in page.button if each.label == label and not each.disabled).click()
        fine(page.run())


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_typed_stops_the_page(text):
    page = opened()
    for label in ("do order_id", "do amount", "intent order_id", "intent amount", "Said"):
        type_in(page, label, text)
    press(page, "Run this step")
    for name in GUARDS:
        visitor(page).guards_off.add(name)
    press(page, "Run this step")
    type_in(page, "name of order_id", text)
    press(page, "Run this step")
    press_all(page, "Approve and pay")
    press_all(page, "Decline")


@pytest.mark.parametrize(
    "text", ["", "7", '"\\ud800"', '{"\\ud800": 1}', '{"ledger": 1}', "[" * 20_000, "x" * 70_000, MARKER]
)
def test_nothing_sent_as_text_stops_the_page(text):
    page = opened("cut-off-call")
    for label in ("do as JSON text", "intent as JSON text"):
        type_in(page, label, text)
        press(page, "Run this step")
    press_all(page, "Decline")


@pytest.mark.parametrize("name", ["ledger", "self", "order_id ", "", '"', "x" * 20_000, MARKER, "\u202e"])
def test_no_name_of_a_field_stops_the_page(name):
    page = press(opened(), "Add field")
    type_in(page, "name of field", name)
    labels = [widget.label for widget in page.text_input if re.search("/2/(intent|do)$", widget.key)]
    for label in labels:
        type_in(page, label, "1")
    assert len(labels) == 2
    press(page, "Run this step")
    press(page, "Decline")


def test_an_argument_that_the_tool_keeps_for_itself_is_a_crash_to_be_seen():
    page = press(opened(), "Add field")
    type_in(page, "name of field", "ledger")
    type_in(page, "do ledger", "1")
    assert verdicts(page)["broken"] == "crashed"
    assert "TypeError: refund() got multiple values for argument 'ledger'" in shown(page, "broken")
    assert ledgers(page)["broken"] == "[]"


def markdown_of(page):
    """Every text of the page that Streamlit takes for markdown: what is neither HTML nor a value."""
    for element in within(page._tree):
        if element.type == "html":
            continue
        if element.type in ("markdown", "caption", "title", "header", "subheader"):
            yield element.value
        for name in ("label", "help", "body", "placeholder", "options"):
            yield str(getattr(element.proto, name, ""))
        for name in ("expandable", "popover", "tab"):
            yield str(getattr(getattr(element.proto, name, None), "label", ""))


def test_a_visitors_text_is_never_markdown():
    page = press(opened(), "Add field")
    type_in(page, "name of field", MARKER)
    type_in(page, "Said", MARKER)
    type_in(page, "do order_id", MARKER)
    type_in(page, "intent amount", MARKER)
    named(page.text_input, "do row 3").set_value(MARKER).run()
    press(page, "Run this step")
    type_in(page, "do amount", MARKER)
    press(page, "Approve and pay")
    press(page, "Run this step")
    page.session_state["code"] = True
    fine(page.run())
    assert MARKER in words(page)
    assert MARKER in shown(page, "broken")
    assert [text for text in markdown_of(page) if MARKER in text or "smile" in text] == []


def test_a_text_sent_is_never_markdown():
    page = opened("cut-off-call")
    type_in(page, "do as JSON text", json.dumps({"order_id": MARKER, "amount": 20.0, MARKER: MARKER}))
    type_in(page, "intent as JSON text", f"{MARKER} no JSON")
    press(page, "Run this step")
    type_in(page, "do as JSON text", json.dumps({MARKER: 1}))
    assert "This is no refund call" in words(page)
    press(page, "Approve and pay")
    assert MARKER in words(page)
    assert [text for text in markdown_of(page) if MARKER in text] == []


def test_the_check_for_markdown_sees_labels_captions_and_popovers():
    found = list(markdown_of(opened()))
    for text in (
        "Run this step",
        "0 runs",
        f"Guards: {len(GUARDS)} of {len(GUARDS)} on",
        "Audit trail",
        "do amount",
        "The code that ran",
    ):
        assert text in found


# Files.


@pytest.fixture
def project(tmp_path):
    """A copy of the project whose scenarios a test may change, and the path of its app."""
    shutil.copy(ROOT / "app.py", tmp_path)
    (tmp_path / "scenarios").mkdir()
    return tmp_path


def give(project, name, change=lambda data: data):
    """Put a scenario of the pack into the project, changed."""
    data = json.loads((ROOT / "scenarios" / name).read_text("utf-8"))
    (project / "scenarios" / name).write_text(json.dumps(change(data)), "utf-8")


def test_a_file_that_cannot_be_used_is_listed_with_all_its_mistakes_and_hides_no_other(project):
    give(project, "02-all-three-agree.json")
    give(project, "05-wrong-pocket.json", lambda data: {**data, "steps": [{"said": 7, "do": 7}], "hook": 7})
    (project / "scenarios/06-x.json").write_text("{", "utf-8")
    page = opened(app=project / "app.py")
    assert page.selectbox(key="picker").options[0].startswith("1. ")
    assert len(page.selectbox(key="picker").options) == 1
    assert verdicts(page)["guarded"] == "paid as owed"
    assert "2 scenario files cannot be used" in list(markdown_of(page))
    for mistake in (
        "05-wrong-pocket.json: steps[0].said: expected a text",
        "05-wrong-pocket.json: steps[0].do: expected an object, a JSON string or null for no call, found 7",
        "05-wrong-pocket.json: steps[0].intent: expected this key, found nothing",
        "05-wrong-pocket.json: hook: expected a text",
        "06-x.json: line 1, column 2: expected",
    ):
        assert mistake in words(page)


def test_no_scenario_at_all_is_said(project):
    page = opened(app=project / "app.py")
    assert "There is no scenario to show" in page.info[0].value
    (project / "scenarios").rmdir()
    page = opened(app=project / "app.py")
    assert "There is no scenario to show" in page.info[0].value


def test_a_file_of_another_text_is_shown_as_text(project):
    give(
        project,
        "01-right-words-wrong-order.json",
        lambda data: {
            **data,
            "title": MARKER,
            "hook": MARKER,
            "notice": MARKER,
            "why": dict.fromkeys(data["why"], MARKER),
            "case": {**data["case"], "ticket": {**data["case"]["ticket"], "text": MARKER}},
        },
    )
    page = press(opened(app=project / "app.py"), "Run this step")
    page.session_state["opened-why"] = True
    fine(page.run())
    assert words(page).count(MARKER) >= 4
    picker = page.selectbox(key="picker")
    assert picker.options == [f"1. {MARKER}: {MARKER}"], "the options of a picker are plain text"
    assert [text for text in markdown_of(page) if MARKER in text and text != str(picker.proto.options)] == []


def test_a_file_that_gets_fewer_steps_while_it_is_open_stops_no_page(project):
    name = next(path.name for path in (ROOT / "scenarios").glob("*-paid-twice.json"))
    give(project, name)
    page = opened(app=project / "app.py")
    at_step(page, BY_ID["paid-twice"], 1)
    press(page, "Run this step")
    kept = ("title", "case", "steps")
    give(project, name, lambda data: {key: data[key][:1] if key == "steps" else data[key] for key in kept})
    fine(page.run())
    press(page, "Run this step")


def test_a_file_that_changes_is_read_anew(project):
    give(project, "02-all-three-agree.json")
    page = opened(app=project / "app.py")
    give(project, "02-all-three-agree.json", lambda data: {**data, "notice": "Another notice."})
    assert "Another notice." in words(fine(page.run()))
