"""Scenario files in a terminal: `python -m failure13 [--json] FILE.json ...`."""

import argparse
import io
import json
import sys
from typing import cast

from failure13.characters import visible
from failure13.replay import Outcome, as_json, replay, unmet
from failure13.scenarios import BrokenFile, Scenario, load


def main(arguments: list[str] | None = None) -> int:
    """Run scenario files and print what each agent did with each step.

    Returns 0 when every `expect` holds (or a file has none), 1 when one does not, 2 when a file cannot be used.
    """
    parser = argparse.ArgumentParser(prog="python -m failure13", description="Run scenario files with every agent.")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("--json", action="store_true", help="one JSON object per step and agent, one a line")
    options = parser.parse_args(arguments)
    code = 0
    for file in options.files:
        try:
            scenario = load(file)
        except BrokenFile as error:
            print(visible(str(error)), file=sys.stderr)
            code = 2
            continue
        outcomes = replay(scenario)
        (_print_json if options.json else _print_text)(file, scenario, outcomes)
        for sentence in unmet(scenario.expect, outcomes):
            print(visible(f"{file}: {sentence}"), file=sys.stderr)
            code = max(code, 1)
    return code


def _print_text(file: str, scenario: Scenario, outcomes: dict[str, list[Outcome]]) -> None:
    print(visible(f"{file}: {scenario.title}"))
    for index in range(len(scenario.steps)):
        for agent, of_agent in outcomes.items():
            outcome = of_agent[index]
            print(f"  step {index + 1}, {agent}: {outcome.status}, {outcome.verdict}")
            print(visible(f"    {outcome.message}\n    ledger: {outcome.ledger}"))


def _print_json(file: str, scenario: Scenario, outcomes: dict[str, list[Outcome]]) -> None:
    for index in range(len(scenario.steps)):
        for of_agent in outcomes.values():
            print(json.dumps({"file": file, "step": index + 1, **as_json(of_agent[index])}))


if __name__ == "__main__":
    # A console that lacks a character still gets its line.
    cast("io.TextIOWrapper", sys.stdout).reconfigure(errors="backslashreplace")
    sys.exit(main())
