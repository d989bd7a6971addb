"""Scenario files in a terminal: `python -m failure13 [--json | --write-expect] FILE.json ...`."""

import argparse
import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from failure13.calls import is_list, is_object
from failure13.characters import visible
from failure13.compare import same
from failure13.replay import Outcome, as_json, expectation, no_refund_call, replay, unmet
from failure13.scenarios import BrokenFile, Scenario, checked, file_text, load, parsed, read, with_edit


def main(arguments: list[str] | None = None) -> int:
    """Run scenario files and print what each agent did with each step, or write it into the files as what they expect.

    Returns 0 when every `expect` holds (or a file has none) or is written, 1 when one does not hold, 2 when a file
    cannot be used.
    """
    parser = argparse.ArgumentParser(prog="python -m failure13", description="Run scenario files with every agent.")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--json", action="store_true", help="one JSON object per step and agent, one a line")
    instead.add_argument(
        "--write-expect",
        action="store_true",
        help="write what every agent does into `expect` of the file and of its tries, for a person to review",
    )
    options = parser.parse_args(arguments)
    code = 0
    for file in options.files:
        try:
            if options.write_expect:
                written = _write_expect(Path(file))
                print(visible(f"{file}: {'changed, to be reviewed' if written else 'unchanged'}"))
            else:
                code = max(code, _run(file, load(file), options.json))
        except BrokenFile as error:
            print(visible(str(error)), file=sys.stderr)
            code = 2
    return code


def _run(file: str, scenario: Scenario, as_lines: bool) -> int:
    outcomes = replay(scenario)
    (_print_json if as_lines else _print_text)(file, scenario, outcomes)
    sentences = unmet(scenario.expect, outcomes)
    for sentence in sentences:
        print(visible(f"{file}: {sentence}"), file=sys.stderr)
    return 1 if sentences else 0


def _print_text(file: str, scenario: Scenario, outcomes: dict[str, list[Outcome]]) -> None:
    print(visible(f"{file}: {scenario.title}"))
    for index, step in enumerate(scenario.steps):
        if why := no_refund_call(step):
            print(f"  step {index + 1}: {why}")
        for agent, of_agent in outcomes.items():
            outcome = of_agent[index]
            print(f"  step {index + 1}, {agent}: {outcome.status}, {outcome.verdict}")
            print(visible(f"    {outcome.message}\n    ledger: {outcome.ledger}\n    still owed: {outcome.still_owed}"))


def _print_json(file: str, scenario: Scenario, outcomes: dict[str, list[Outcome]]) -> None:
    for index in range(len(scenario.steps)):
        for of_agent in outcomes.values():
            print(json.dumps({"file": file, "step": index + 1, **as_json(of_agent[index])}))


def _write_expect(path: Path) -> bool:
    """Write what every agent does into each `expect` of a file, and nothing else; whether that changed the file."""
    data = parsed(path.name, read(path))
    # What is written anew may be wrong: a verdict may be missing for a new step, or be a word no longer.
    scenario = checked(path.name, _without_expect(data))
    changed = {**data, "expect": expectation(replay(scenario))}
    if "tries" in data:
        changed["tries"] = [
            {**attempt, "expect": expectation(replay(scenario, with_edit(scenario.steps, attempt["set"])))}
            for attempt in data["tries"]
        ]
    if same(changed, data):
        return False
    if "expect" not in data:  # it stands after the steps
        order = [each for key in data for each in ((key, "expect") if key == "steps" else (key,))]
        changed = {key: changed[key] for key in order}
    _replace(path, file_text(path.name, changed).encode())
    return True


def _without_expect(data: Any) -> Any:
    if not is_object(data):
        return data
    bare = {key: value for key, value in data.items() if key != "expect"}
    if is_list(bare.get("tries")):
        bare["tries"] = [_without_expect(attempt) for attempt in bare["tries"]]
    return bare


def _replace(path: Path, content: bytes) -> None:
    """Give the file this content: all of it or, whatever goes wrong, the one that it had."""
    path = path.resolve()  # a link goes on pointing to its file
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as temporary:
            temporary.write(content)
        shutil.copymode(path, temporary.name)
        os.replace(temporary.name, path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary.name)
        raise BrokenFile(path.name, [f"the file cannot be written ({error.strerror})"]) from None


if __name__ == "__main__":
    # A console that lacks a character still gets its line.
    cast("io.TextIOWrapper", sys.stdout).reconfigure(errors="backslashreplace")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
