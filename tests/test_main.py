import json
import subprocess
import sys
from pathlib import Path

import pytest

from failure13.__main__ import main
from samples import ELSEWHERE, HONEST, case, step

ROOT = Path(__file__).parent.parent
KEYS = ["file", "step", "agent", "status", "verdict", "message", "problems", "paid", "ledger"]
AS_EXPECTED = {
    "broken": {"ledger": [["A101", 200.0]], "verdicts": ["wrong money"]},
    "fixed": {"ledger": [], "verdicts": ["rightly stopped"]},
    "guarded": {"ledger": [], "verdicts": ["rightly stopped"]},
}


@pytest.fixture
def write(tmp_path):
    """Write a scenario file and give its path; a text is written as it is."""

    def one(name, *steps, **more):
        path = tmp_path / name
        data = {"title": f"About {name}", "case": case(), "steps": list(steps), **more}
        path.write_text(steps[0] if isinstance(steps[0], str) else json.dumps(data), "utf-8")
        return str(path)

    return one


def python(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "failure13", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment},
        check=False,
    )


def test_a_file_is_run_step_by_step_and_agent_by_agent(write, capsys):
    file = write("01-sample.json", step(ELSEWHERE), step(HONEST))
    assert main([file]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.splitlines()[:7] == [
        f"{file}: About 01-sample.json",
        "  step 1, broken: executed, wrong money",
        "    refunded $200.00 on A101",
        "    ledger: [('A101', 200.0)]",
        "  step 1, fixed: blocked, rightly stopped",
        "    BLOCKED: amount: said 20.0, did 200.0; order_id: said 'A100', did 'A101'",
        "    ledger: []",
    ]
    assert printed.out.splitlines()[-3:] == [
        "  step 2, guarded: executed, paid as owed",
        "    refunded $20.00 on A100",
        "    ledger: [('A100', 20.0)]",
    ]
    assert len(printed.out.splitlines()) == 1 + 2 * 3 * 3


def test_json_is_one_object_a_line_per_step_and_agent(write, capsys):
    file = write("sample.json", step(ELSEWHERE, retry={"intent": HONEST, "do": {**HONEST, "cap": None}}), step(HONEST))
    assert main(["--json", file]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(line) for line in lines] == [KEYS] * 6
    assert [(line["step"], line["agent"]) for line in lines] == [
        (number, agent) for number in (1, 2) for agent in ("broken", "fixed", "guarded")
    ]
    assert {line["file"] for line in lines} == {file}
    assert lines[0] == {
        "file": file,
        "step": 1,
        "agent": "broken",
        "status": "executed",
        "verdict": "wrong money",
        "message": "refunded $200.00 on A101",
        "problems": [],
        "paid": [["A101", 200.0]],
        "ledger": [["A101", 200.0]],
    }
    assert lines[2]["problems"] == ["cap: said nothing, did None"]
    assert (lines[3]["paid"], lines[3]["ledger"]) == ([["A100", 20.0]], [["A101", 200.0], ["A100", 20.0]])


def test_the_exit_is_0_when_every_expectation_holds(write, capsys):
    assert main([write("a.json", step(ELSEWHERE), expect=AS_EXPECTED), write("b.json", step(HONEST))]) == 0
    assert capsys.readouterr().err == ""


def test_the_exit_is_1_when_an_expectation_does_not_hold(write, capsys):
    wrong = {"broken": {"ledger": [], "verdicts": ["crashed"]}}
    file = write("wrong.json", step(ELSEWHERE), expect=wrong)
    assert main([file, write("right.json", step(ELSEWHERE), expect=AS_EXPECTED)]) == 1
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        f"{file}: broken: expected ledger [], found [['A101', 200.0]]",
        f"{file}: broken: expected verdicts ['crashed'], found ['wrong money']",
    ]
    assert "About right.json" in printed.out


def test_the_exit_is_2_when_a_file_cannot_be_used_and_all_its_mistakes_are_told(write, capsys, tmp_path):
    broken = write("05-broken.json", {"said": 1, "intent": HONEST, "do": 7, "owed": None, "extra": 1})
    unmet = write("unmet.json", step(HONEST), expect={"fixed": {"ledger": [], "verdicts": ["crashed"]}})
    missing = str(tmp_path / "missing.json")
    folder = tmp_path / "folder.json"
    folder.mkdir()
    assert main([broken, missing, str(folder), write("cut.json", '{"title": '), unmet]) == 2
    printed = capsys.readouterr()
    assert printed.err.splitlines()[:7] == [
        "05-broken.json: steps[0].said: expected a text of at most 20000 characters, found 1",
        "05-broken.json: steps[0].do: expected an object or a JSON string, found 7",
        '05-broken.json: steps[0].extra: expected one of the keys said, intent, do, owed, retry, found "extra"',
        "missing.json: the file cannot be read (No such file or directory)",
        "folder.json: the file cannot be read (Is a directory)",
        "cut.json: line 1, column 11: expected a value, found the end",
        f"{unmet}: fixed: expected ledger [], found [['A100', 20.0]]",
    ]
    assert "About unmet.json" in printed.out, "a broken file hides no other"


def test_what_cannot_be_seen_is_spelled_out_on_the_terminal(write, capsys):
    file = write("sample.json", step({**HONEST, "order_id": "A\u202e1\x1b[31m"}), title="A\u200btitle\x07")
    assert main([file]) == 0
    out = capsys.readouterr().out
    assert "A⟨U+200B⟩title⟨U+0007⟩" in out
    assert "A⟨U+202E⟩1⟨U+001B⟩[31m" in out
    assert all(character.isprintable() or character == "\n" for character in out)


def test_a_value_nested_too_deeply_is_cut_short(write, capsys):
    deep = '{"order_id": "A100", "amount": 20, "x": ' + "[" * 900 + "]" * 900 + "}"
    assert main(["--json", write("deep.json", step(deep))]) == 0
    broken = json.loads(capsys.readouterr().out.splitlines()[0])
    assert broken["status"] == "executed"
    assert '[["..."]]' in json.dumps(broken["ledger"])


def test_the_command_line_runs_a_shipped_scenario():
    done = python("scenarios/01-right-words-wrong-order.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("scenarios/01-right-words-wrong-order.json: ")
    assert "  step 1, broken: executed, wrong money\n    refunded $200.00 on A101\n" in done.stdout


def test_the_command_line_exits_with_what_went_wrong(write):
    assert (
        python(write("a.json", step(ELSEWHERE), expect={**AS_EXPECTED, "fixed": AS_EXPECTED["broken"]})).returncode == 1
    )
    cut = python("--json", write("b.json", "{"))
    assert (cut.returncode, cut.stdout) == (2, "")
    assert cut.stderr == "b.json: line 1, column 2: expected a key in double quotes, found the end\n"
    assert python().returncode == 2


def test_a_console_without_a_character_still_gets_its_line(write):
    file = write("a.json", step(HONEST), title="Été\u200b")
    done = python(file, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\xc9t\\xe9\\u27e8U+200B\\u27e9" in done.stdout
