"""What README.md and CONTRIBUTING.md say is so: what they print, name and link."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from failure13.kept import store
from failure13.limits import MAST

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
both = pytest.mark.parametrize("guide", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)\)")
# Words that look like a file of this repository: a path with a known ending, or a path below one of its folders.
FILE = re.compile(
    r"(?<![\w./*:-])(?:[\w.-]+/)*[\w.-]+\.(?:py|json|md|toml|txt|yaml|png)(?![\w*])"
    r"|(?<![\w./])(?:failure13|scenarios|tests|docs|\.ci|\.streamlit)/[\w./-]*"
)
PLACEHOLDERS = {"FILE.json", "NN-what-happens.json", "scenarios/NN-what-happens.json"}
MODULES = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("failure13/**/*.py"))


def section(guide, heading):
    return re.split(r"^## ", guide.split(f"\n## {heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def blocks(guide):
    return BLOCK.findall(guide)


def commands():
    """The lines of the README's first screen that are typed into a shell."""
    return [line for kind, text in blocks(README.split("\n## ")[0]) if kind == "sh" for line in text.splitlines()]


def files_named(guide):
    """What a guide names as a file of this repository; web addresses, and what only stands for a name, are none."""
    words = FILE.findall(re.sub(r"<?https?://[^\s)>]+", "", guide))
    return {word.rstrip(".") for word in words} - PLACEHOLDERS


def exists(name):
    """A file of this repository by its path, or a module by its name alone."""
    return (ROOT / name).exists() or any((ROOT / folder / name).exists() for folder in ("failure13", "tests"))


def test_the_before_and_after_prints_what_the_readme_shows():
    (code_kind, code), (printed_kind, printed) = blocks(section(README, "Before and after"))
    assert (code_kind, printed_kind) == ("python", "")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.stderr, done.returncode) == (printed, "", 0)


def test_two_commands_stand_on_the_first_screen_and_each_is_one_line_that_does_everything():
    opens, tests = commands()
    for command in (opens, tests):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -r requirements")
    assert opens.endswith(" && .venv/bin/streamlit run app.py")
    assert tests.endswith(" && .venv/bin/python -m pytest")


def test_the_files_that_the_two_commands_name_are_there():
    for command in commands():
        named = re.findall(r"[\w-]+\.(?:txt|py)", command)
        assert named
        assert [name for name in named if not (ROOT / name).is_file()] == []


def test_the_page_starts_with_what_the_first_command_installs():
    assert re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)[0] == "streamlit"
    assert "-r requirements.txt" in (ROOT / "requirements-dev.txt").read_text("utf-8").splitlines()


def test_the_reading_order_names_the_agents_files_and_every_room():
    links = LINK.findall(section(README, "The files, in reading order"))
    rooms = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "failure13").iterdir())
        if (path / "__init__.py").exists()
    ]
    assert sorted(link for link in links if (ROOT / link).is_dir()) == rooms
    assert {"app.py", "failure13/__init__.py", "failure13/payments.py"} <= set(links)


def test_the_reading_order_starts_with_the_three_agents():
    order = re.findall(r"^- \[`(broken|fixed|guarded|guards)\.py`\]", README, re.MULTILINE)
    assert order == ["broken", "fixed", "guarded", "guards"]


@both
def test_every_link_to_a_file_leads_to_one(guide):
    assert [link for link in LINK.findall(guide) if not (ROOT / link).exists()] == []


@both
def test_every_file_that_is_named_is_there(guide):
    assert {name for name in files_named(guide) if not exists(name)} == set()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("see `docs/nothing.png`, and nothing.py.", {"docs/nothing.png", "nothing.py"}),
        ("the folder tests/nothing/ and `.ci/run`", {"tests/nothing/", ".ci/run"}),
        ("scenarios/*.json or FILE.json at https://example.org/a.md, `st.html` and failure13.guards", {"scenarios/"}),
    ],
)
def test_the_check_of_file_names_sees_them(text, named):
    assert files_named(text) == named


@both
def test_every_module_that_is_run_is_there(guide):
    named = set(re.findall(r"python -m ([\w.]+)", guide))
    assert named
    assert {name for name in named if importlib.util.find_spec(name) is None} == set()


@both
def test_no_number_stands_that_a_new_file_would_make_wrong(guide):
    number = r"(\d+|one|two|four|five|six|seven|eight|nine|ten|twenty-seven)"
    assert not re.search(rf"\b{number} (scenarios|scenario files|guards|limits|tests|panels)\b", guide, re.IGNORECASE)


def test_what_is_not_measured_is_said_as_on_the_page():
    said = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", section(README, "What it does not measure"))
    assert " ".join(said.split()) == MAST


def test_what_the_readme_says_of_a_workshop_is_so():
    workshop = section(README, "For a workshop")
    assert tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["runner"]["postScriptGC"] is False
    assert ("seven days" in workshop, store.SECONDS_KEPT) == (True, 7 * 24 * 60 * 60)
    (variable, *place) = re.findall(r"`(FAILURE13_\w+|kept/[\w.]+)`", workshop)[::-1]
    code = "".join((ROOT / path).read_text("utf-8") for path in ["app.py", *MODULES])
    assert f'environ.get("{variable}"' in code
    assert '"kept" / "visitors.sqlite3"' in code
    assert place == ["kept/visitors.sqlite3"]


def test_ci_runs_the_readmes_own_test_command():
    (pattern,) = re.findall(r"grep -E '(.+?)' README\.md", (ROOT / ".ci/run").read_text("utf-8"))
    assert re.findall(pattern, README, re.MULTILINE) == [commands()[1]]


@both
def test_the_words_are_plain(guide):
    assert "!" not in re.sub(r"!\[|```.*?```", "", guide, flags=re.DOTALL)
