import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from failure13.__main__ import main
from failure13.agents import AGENTS
from failure13.layout import laid_out
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


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m failure13 --json scenarios/*.json | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


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
    assert printed.out.splitlines()[:9] == [
        f"{file}: About 01-sample.json",
        "  step 1, broken: executed, wrong money",
        "    refunded $200.00 on A101",
        "    ledger: [('A101', 200.0)]",
        "    still owed: $20.00 on A100",
        "  step 1, fixed: blocked, rightly stopped",
        "    BLOCKED: amount: said 20.0, did 200.0; order_id: said 'A100', did 'A101'",
        "    ledger: []",
        "    still owed: $20.00 on A100",
    ]
    assert printed.out.splitlines()[-4:] == [
        "  step 2, guarded: executed, paid as owed",
        "    refunded $20.00 on A100",
        "    ledger: [('A100', 20.0)]",
        "    still owed: $20.00 on A100",
    ]
    assert len(printed.out.splitlines()) == 1 + 2 * 3 * 4


def test_a_call_that_is_no_refund_call_is_told_once_for_its_step(write, capsys):
    file = write("sample.json", step(HONEST), step({"to\u200b": "A100"}))
    assert main([file]) == 0
    (told,) = [line for line in capsys.readouterr().out.splitlines() if "no refund call" in line]
    assert told.startswith("  step 2: This is no refund call: it names neither order_id nor amount, only ")
    assert main(["--json", file]) == 0
    assert "no refund call" not in capsys.readouterr().out


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
    assert lines[2]["problems"] == ["'cap': left out of the intent, called None"]
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
        "05-broken.json: steps[0].said: expected a text of at most 20,000 characters, found 1",
        "05-broken.json: steps[0].do: expected an object, a JSON string or null for no call, found 7",
        '05-broken.json: steps[0].extra: expected one of the keys said, intent, do, retry, owed, found "extra"',
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


# --write-expect


AS_NOT_PAID = {agent: {"ledger": [], "verdicts": ["needless block"]} for agent in AGENTS}
EXACT = {"order_id": "A100", "amount": 17.98999999999998, "note": "\u0410100 é", "id": 12345678901234567890123}


def data_of(file):
    return json.loads(Path(file).read_text("utf-8"))


def test_what_every_agent_does_is_written_into_the_file_and_each_try(write, capsys):
    attempts = [
        {"label": "Elsewhere", "set": {"steps[0].do": ELSEWHERE}},
        {"expect": {"broken": AS_EXPECTED["fixed"]}, "label": "As it was", "set": {}},
    ]
    file = write("sample.json", step(HONEST), expect=AS_NOT_PAID, tries=attempts)
    assert main(["--write-expect", file]) == 0
    assert capsys.readouterr() == (f"{file}: changed, to be reviewed\n", "")
    paid = {agent: {"ledger": [["A100", 20.0]], "verdicts": ["paid as owed"]} for agent in AGENTS}
    data = data_of(file)
    assert data["expect"] == paid
    assert [attempt["expect"] for attempt in data["tries"]] == [AS_EXPECTED, paid]
    assert [list(attempt) for attempt in data["tries"]] == [["label", "set", "expect"], ["expect", "label", "set"]]
    assert main([file]) == 0


def test_all_else_of_the_file_stays_as_it_was(write):
    told = {"notice": "Größe \u0410100", "hook": "x\u200by", "group": "First", "seen": "a/b#1", "tries": []}
    file = write("sample.json", step(EXACT, intent='{"amount": 20.00}', owed=None), expect=AS_NOT_PAID, **told)
    before = data_of(file)
    assert main(["--write-expect", file]) == 0
    after = data_of(file)
    assert after["expect"]["broken"]["ledger"] == [
        ["A100", EXACT["amount"], {"note": EXACT["note"], "id": EXACT["id"]}]
    ]
    assert list(after) == list(before)
    assert repr({**after, "expect": None}) == repr({**before, "expect": None})
    assert Path(file).read_bytes() == laid_out(after).encode()


def test_what_a_file_expects_for_the_first_time_stands_after_its_steps(write):
    file = write("sample.json", step(HONEST), why={"broken": "x"})
    assert main(["--write-expect", file]) == 0
    assert list(data_of(file)) == ["title", "case", "steps", "expect", "why"]


def test_a_file_that_expects_what_is_done_is_not_written(write, capsys):
    file = write("sample.json", step(ELSEWHERE), expect=dict(reversed(AS_EXPECTED.items())))
    content, written = Path(file).read_bytes(), os.stat(file)
    assert main(["--write-expect", file]) == 0
    assert capsys.readouterr().out == f"{file}: unchanged\n"
    assert Path(file).read_bytes() == content
    assert (os.stat(file).st_ino, os.stat(file).st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


def test_the_pack_expects_what_would_be_written(tmp_path, capsys):
    shutil.copytree(ROOT / "scenarios", tmp_path, dirs_exist_ok=True)
    files = sorted(map(str, tmp_path.glob("*.json")))
    assert main(["--write-expect", *files]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{file}: unchanged" for file in files]
    expected = {Path(file): Path(file).read_bytes() for file in files}
    for path in expected:
        data = {**data_of(path), "expect": {}}
        path.write_text(json.dumps(data), "utf-8")
    assert main(["--write-expect", *files]) == 0
    assert {path: path.read_bytes() for path in expected} == expected


def test_an_expectation_may_be_wrong_in_any_way_before_it_is_written(write):
    old = {"brave": 7, "fixed": {"ledger": {}, "verdicts": ["no word", "too many"]}}
    for expect in (old, [], None, 7):
        file = write("sample.json", step(ELSEWHERE), expect=expect, tries=[{"label": "x", "set": {}, "expect": expect}])
        assert main(["--write-expect", file]) == 0
        assert data_of(file)["expect"] == data_of(file)["tries"][0]["expect"] == AS_EXPECTED


def test_a_fourth_agent_is_written_too(write, monkeypatch):
    monkeypatch.setitem(AGENTS, "careful", AGENTS["fixed"])
    file = write("sample.json", step(ELSEWHERE), expect=AS_EXPECTED)
    assert main(["--write-expect", file]) == 0
    assert data_of(file)["expect"] == {**AS_EXPECTED, "careful": AS_EXPECTED["fixed"]}


def test_a_file_that_cannot_be_used_is_told_and_left_as_it_is_and_hides_no_other(write, capsys, tmp_path):
    broken = write("broken.json", step(7), expect=7, tries=7)
    not_a_number = write("nan.json", step('{"order_id": "A100", "amount": NaN}'))
    lists = [
        write(f"list-{number}.json", text) for number, text in enumerate(["[]", "7", '{"title": ', '{"tries": [7]}'])
    ]
    good = write("good.json", step(HONEST))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(["--write-expect", broken, not_a_number, *lists, str(tmp_path / "missing.json"), good]) == 2
    printed = capsys.readouterr()
    told = [line.partition(" (")[0] for line in printed.err.splitlines()]
    assert told[:4] == [
        "broken.json: steps[0].do: expected an object, a JSON string or null for no call, found 7",
        "broken.json: tries: expected a list, found 7",
        "nan.json: expected values that JSON can write, found another",
        "list-0.json: the file: expected an object, found []",
    ]
    assert told[-1] == "missing.json: the file cannot be read"
    assert printed.out == f"{good}: changed, to be reviewed\n"
    changed = {path.name for path in tmp_path.iterdir() if path.read_bytes() != before.get(path)}
    assert changed == {"good.json"}


def test_a_file_that_cannot_be_written_keeps_its_content_and_leaves_nothing_beside_it(write, capsys, monkeypatch):
    file = write("sample.json", step(HONEST))
    content = Path(file).read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["--write-expect", file]) == 2
    assert capsys.readouterr() == ("", "sample.json: the file cannot be written (No space left on device)\n")
    assert Path(file).read_bytes() == content
    assert os.listdir(Path(file).parent) == ["sample.json"]


def test_a_written_file_keeps_its_mode_and_a_link_to_it_stays_one(write, tmp_path):
    file = Path(write("sample.json", step(HONEST)))
    file.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    assert main(["--write-expect", str(link)]) == 0
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert set(data_of(file)["expect"]) == set(AGENTS)


def test_lines_of_json_and_written_files_are_not_asked_for_at_once(write, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--write-expect", "--json", write("sample.json", step(HONEST))])
    assert stopped.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err
