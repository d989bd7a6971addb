"""The page as Streamlit's own test runner draws it: all that is on it, without a browser."""

import html
import json
import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from failure13.agents import AGENTS
from failure13.scenarios import load_all
from failure13.visit import screen

ROOT = Path(__file__).parent.parent
PACK, _ = load_all(ROOT / "scenarios")
FIRST, LAST = PACK[0].id, PACK[-1].id
MARKER = "$x$ :smile: **b** <b>"


@pytest.fixture(autouse=True, scope="module")
def kept(tmp_path_factory):
    """What these visitors do is kept in a file of the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAILURE13_STORE", str(tmp_path_factory.mktemp("kept") / "visitors.sqlite3"))
        yield


def opened(scenario_id=FIRST, app=ROOT / "app.py"):
    """A new visitor's page at a scenario."""
    page = AppTest.from_file(app, default_timeout=30)
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


def words(page):
    """What the HTML elements of a page show, as text."""
    shown = [element.proto.body for element in within(page._tree) if element.type == "html"]
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", "\n".join(shown), flags=re.DOTALL))


def picture(page):
    """What the bench was sent."""
    [bench] = [element for element in within(page._tree) if element.type == "bidi_component"]
    return json.loads(json.loads(bench.proto.json))


def visitor(page):
    return page.session_state["visitor"]


def send(page, event):
    """Take an event in as the bench does, and draw the page. Streamlit's test runner cannot send it."""
    seen, numbered = page.session_state["screen"], {"n": page.session_state["screen"].heard + 1, **event}
    on_screen = {name: picture(page)[name] for name in ("scenario", "step")}
    message = {"session": seen.session, "events": [{**on_screen, **numbered}]}
    pack = page.session_state["pack"].scenarios
    screen.take(seen, visitor(page), [*pack, *visitor(page).own_scenarios()], message)
    return fine(page.run())


def press(page, verb, *about):
    return send(page, {"kind": "press", "verb": verb, "about": list(about)})


def type_in(page, text, *place):
    return send(page, {"kind": "type", "place": list(place), "text": text})


def runs(page):
    """How many runs the page says the trail has."""
    return sum(int(found[1]) for text in page.header if (found := re.match(r"Audit trail: (\d+) run", text.value)))


def test_the_page_is_the_bench_with_the_trail_below_it():
    page = opened()
    assert [lane["verdict"] for lane in picture(page)["lanes"]] == ["wrong money", "rightly stopped", "rightly stopped"]
    assert any("Nothing has run yet" in text.value for text in page.caption)


def test_an_edit_leaves_little_else_to_be_drawn_than_the_bench():
    page = opened()
    containers = {"main", "sidebar", "event", "flex_container", "bidi_component"}
    assert [element.type for element in within(page._tree) if element.type not in containers] == ["caption"]


def test_two_visitors_share_nothing():
    first, second = opened(), opened()
    type_in(first, "7.5", "first", "do", "amount")
    type_in(first, "30.00", "record", "order", "A100", "refundable")
    press(first, "run")
    press(first, "guard", "intent declared")
    press(first, "pick", LAST)
    untouched = picture(opened())
    second.run()
    for name in untouched.keys() - {"session"}:
        assert picture(second)[name] == untouched[name]
    assert (visitor(second).place, visitor(second).queue, runs(second)) == ("", [], 0)
    assert runs(fine(first.run())) == 1


def test_a_run_is_in_the_trail_with_its_sums():
    page = press(opened(), "run")
    assert runs(page) == 1
    type_in(page, "5", "first", "do", "amount")
    press(page, "run")
    assert runs(page) == 2
    assert page.dataframe[0].value.values.tolist() == [
        ["2", PACK[0].title, "1 of 1", "edited", "wrong money", "rightly stopped", "rightly stopped"],
        ["1", PACK[0].title, "1 of 1", "", "wrong money", "rightly stopped", "rightly stopped"],
    ]
    assert "broken 205.00 USD, fixed 0.00 USD, guarded 0.00 USD" in words(page)


def test_run_all_runs_the_pack_and_clear_forgets_it():
    page = press(opened(), "run all")
    assert runs(page) == sum(len(scenario.steps) for scenario in PACK)
    press(page, "clear")
    assert (runs(page), visitor(page).queue) == (0, [])


def test_a_guard_switched_off_changes_the_trail():
    page = press(opened(), "run")
    before = page.dataframe[0].value.iloc[0].tolist()
    press(page, "guards", "off")
    assert page.dataframe[0].value.iloc[0].tolist() != before
    assert "with 9 guards off" in page.header[0].value
    press(page, "guards", "on")
    assert page.dataframe[0].value.iloc[0].tolist() == before


def test_a_decision_is_in_the_trail():
    page = press(press(opened(), "run"), "approve", "1-guarded")
    assert page.dataframe[0].value.iloc[0].tolist()[3:] == ["approved by a person", "", "", "wrong money"]
    page = press(press(opened(), "run"), "decline", "1-guarded")
    assert page.dataframe[0].value.iloc[0].tolist()[3:] == ["declined by a person", "", "", "rightly stopped"]


@pytest.mark.parametrize("agent", AGENTS)
def test_the_code_that_ran_is_shown_with_the_bug(agent):
    page = press(opened(), "run")
    page.session_state["code"] = True
    page.session_state["code-agent"] = agent
    fine(page.run())
    assert f"failure13/{agent}.py" in words(page)
    assert ("# THE BUG" in words(page)) is (agent == "broken")


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
    page = press(opened(), "add", "first")
    type_in(page, MARKER, "first", "name", "field")
    for place in (["said"], ["first", "do", "order_id"], ["first", "intent", "amount"], ["first", "do", MARKER]):
        type_in(page, MARKER, *place)
    type_in(page, MARKER, "record", "ticket", "text")
    press(page, "run")
    type_in(page, MARKER, "first", "do", "amount")
    press(page, "approve", "1-guarded")
    press(page, "run")
    page.session_state["code"] = True
    fine(page.run())
    assert MARKER in json.dumps(picture(page))
    assert MARKER in words(page)
    assert [text for text in markdown_of(page) if MARKER in text or "smile" in text] == []


def test_the_check_for_markdown_sees_labels_captions_and_headings():
    found = list(markdown_of(press(opened(), "run")))
    for text in ("Audit trail: 1 run", "CSV", "The code that ran"):
        assert text in found
    assert any("Nothing has run yet" in text for text in markdown_of(opened()))


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
    assert [lane["verdict"] for lane in picture(page)["lanes"]] == ["paid as owed"] * 3
    assert [each["enabled"] for each in picture(page)["pick"]] == [False, False], "there is one scenario alone"
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
    page = press(press(opened(app=project / "app.py"), "run"), "open", "why")
    assert json.dumps(picture(page)).count(json.dumps(MARKER)[1:-1]) >= 4
    assert [text for text in markdown_of(page) if MARKER in text] == []


def test_a_file_that_gets_fewer_steps_while_it_is_open_stops_no_page(project):
    name = next(path.name for path in (ROOT / "scenarios").glob("*-paid-twice.json"))
    give(project, name)
    page = opened(app=project / "app.py")
    press(page, "step", "1")
    press(page, "run")
    kept = ("title", "case", "steps")
    give(project, name, lambda data: {key: data[key][:1] if key == "steps" else data[key] for key in kept})
    fine(page.run())
    press(page, "run")


def test_a_file_that_changes_is_read_anew(project):
    give(project, "02-all-three-agree.json")
    page = opened(app=project / "app.py")
    give(project, "02-all-three-agree.json", lambda data: {**data, "notice": "Another notice."})
    assert picture(fine(page.run()))["records"]["notice"] == "Another notice."
