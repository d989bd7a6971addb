"""A scenario file becomes a Scenario, or the list of every mistake in it.

The rules stand in one place, scenarios/schema/scenario.schema.json; what no schema can say is in agreement.py.
"""

import copy
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from failure13 import Case, Step, money
from failure13.agents import AGENTS
from failure13.agreement import Mistake, Place, disagreements, expected, keys, target
from failure13.calls import MOST_DIGITS, MOST_LEVELS, Unreadable, read_value
from failure13.characters import json_text, shortened
from failure13.compare import same
from failure13.layout import laid_out
from failure13.limits import LIMITS
from failure13.verdicts import VERDICTS

MOST_BYTES = 256 * 1024
SCHEMA_FILE = Path(__file__).parents[1] / "scenarios" / "schema" / "scenario.schema.json"
# Lists that Python holds; the schema refers to each by its name, as a "format".
WORDS: Mapping[str, Collection[str]] = {
    "agent": AGENTS,
    "verdict": VERDICTS,
    "limit": LIMITS,
    "currency": money.DECIMALS,
}


@dataclass(frozen=True)
class Scenario:
    """One idea as data: the records of a case, an agent's steps, what was owed and what each agent must do with it."""

    id: str
    title: str
    case: Case
    steps: list[Step]
    hook: str = ""
    notice: str = ""
    expect: Mapping[str, Any] | None = None
    why: Mapping[str, str] | None = None
    tries: tuple[Mapping[str, Any], ...] = ()
    group: str = ""
    limit: str | None = None
    seen: str | None = None


class BrokenFile(ValueError):
    """A scenario file that cannot be used, with all its `mistakes`, each as "file: place: rule, value found"."""

    def __init__(self, name: str, found: list[str]) -> None:
        self.mistakes = [f"{name}: {mistake}" for mistake in found]
        super().__init__("\n".join(self.mistakes))


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of a scenario file. It is read where a file is checked, so a replay alone does without it."""
    return json.loads(SCHEMA_FILE.read_text("utf-8"))


def most_characters(name: str) -> int:
    """How long a text of the schema may be: "text" for most, "json_string" for an intent or a call as text."""
    return schema()["$defs"][name]["maxLength"]


def most_fields() -> int:
    """How many fields an intent or a call may have as an object."""
    return schema()["$defs"]["few_fields"]["maxProperties"]


def most_orders() -> int:
    """How many orders a case may have."""
    return schema()["$defs"]["few_orders"]["maxProperties"]


def load(path: str | Path) -> Scenario:
    """The scenario in the JSON file at `path`; its id is the file's name without ending and leading number.

    Raises BrokenFile with every mistake when the file cannot be read, is over 256 KiB, no strict JSON or no scenario.
    """
    path = Path(path)
    return checked(path.name, parsed(path.name, read(path)))


def uploaded(name: str, content: bytes) -> Scenario:
    """The scenario in the `content` of a file of that `name`, such as one a visitor uploaded; raises as `load` does."""
    return checked(name, parsed(name, content))


def read(path: Path) -> bytes:
    """The content of the file at `path`; raises BrokenFile where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenFile(path.name, [f"the file cannot be read ({error.strerror})"]) from None


def parsed(name: str, content: bytes) -> Any:
    """The data in the `content` of a file of that `name`; raises BrokenFile where it is no strict JSON."""
    try:
        return read_value(content.decode("utf-8-sig"), MOST_BYTES)
    except UnicodeDecodeError as error:
        raise BrokenFile(name, [f"expected UTF-8, found byte {error.object[error.start]} at {error.start}"]) from None
    except Unreadable as error:
        raise BrokenFile(name, [str(error)]) from None


def checked(name: str, data: Any) -> Scenario:
    """The scenario that the data of a file of that `name` is; raises BrokenFile with every mistake."""
    found = mistakes(data)
    if found:
        raise BrokenFile(name, found)
    return from_data(re.sub(r"^\d+-", "", Path(name).stem), data)


def from_data(scenario_id: str, data: Mapping[str, Any]) -> Scenario:
    """The scenario that `data`, a file's content without mistakes, describes."""
    fields: dict[str, Any] = {**data, "tries": tuple(data.get("tries", ()))}
    return Scenario(id=scenario_id, **fields)


def as_edited(scenario: Scenario, case: Case, steps: list[Step]) -> Scenario:
    """The scenario with this case and these steps in place of its own.

    What the file says about its own (`expect`, `why`, `tries`) is not said about others, so it goes.
    """
    if same(steps, scenario.steps) and same(case, scenario.case):
        return scenario
    return replace(scenario, case=case, steps=steps, expect=None, why=None, tries=())


def to_json(scenario: Scenario) -> str:
    """The text of a file that `uploaded` turns back into the same scenario, but for the id, which is the file's name.

    Raises BrokenFile as `file_text` does.
    """
    fields = {**vars(scenario), "tries": list(scenario.tries)}
    data = {key: fields[key] for key in schema()["properties"] if fields[key] not in ("", None, [])}
    return file_text(f"{scenario.id}.json", data)


def file_text(name: str, data: Any) -> str:
    """The text of a file of that `name` with this data, laid out as the pack is.

    Raises BrokenFile for what no file can hold, such as NaN or half a surrogate pair in an object, and for mistakes.
    """
    try:
        text = laid_out(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise BrokenFile(name, [f"expected values that JSON can write, found another ({error})"]) from None
    read_back = parsed(name, text.encode())
    checked(name, read_back)
    if not same(read_back, data):
        raise BrokenFile(name, ["expected values that JSON can write, found one that it reads back as another"])
    return text


def load_all(folder: str | Path) -> tuple[list[Scenario], dict[str, list[str]]]:
    """Every scenario of a folder in the order of the file names, and the mistakes of each file that cannot be used.

    A broken file hides no other, and neither does a second file whose id is taken. No folder gives no scenario.
    """
    scenarios: dict[str, Scenario] = {}
    broken: dict[str, list[str]] = {}
    for path in sorted(Path(folder).glob("*.json")):
        try:
            scenario = load(path)
            if scenario.id in scenarios:
                raise BrokenFile(path.name, [f"expected an id of its own, found {scenario.id!r} in an earlier file"])
            scenarios[scenario.id] = scenario
        except BrokenFile as error:
            broken[path.name] = error.mistakes
    return list(scenarios.values()), broken


def mistakes(data: Any) -> list[str]:
    """Every mistake in a file's content, each as "place: rule, value found", in the order of the file; or none.

    Example: "steps[0].do: expected an object, a JSON string or null for no call, found 7"
    """
    return _mistakes(_validators()[0], data, "the file")


def steps_mistakes(steps: Any, case: Case | None = None) -> list[str]:
    """Every mistake in a list of steps, as `mistakes` gives them; with a case, also where the two do not agree."""
    return _mistakes(_validators()[1], {"steps": steps} if case is None else {"steps": steps, "case": case}, "steps")


def records_mistakes(case: Any, steps: Any) -> list[str]:
    """Every mistake in a case and in what is owed for each of these steps, as `mistakes` gives them."""
    of_steps = [{"owed": step.get("owed")} for step in steps]
    return _mistakes(_validators()[2], {"case": case, "steps": of_steps}, "the records")


def with_edit(steps: list[Step], edit: Mapping[str, Any]) -> list[Step]:
    """`steps` with each place of `edit` set, such as {"steps[0].do.amount": 20.0}; the given steps stay as they are.

    Raises ValueError for a place that is not there.
    """
    changed: list[Any] = copy.deepcopy(steps)
    for place, value in edit.items():
        try:
            index, part, field = target(changed, place)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        inner, key = (changed[index], part) if field is None else (changed[index][part], field)
        inner[key] = copy.deepcopy(value)
    return changed


# From what jsonschema finds to sentences.


def _is_seen(text: Any) -> bool:
    return any(character.isprintable() and not character.isspace() for character in text)


def _is_visible(text: Any) -> bool:
    return text.isprintable() and _is_seen(text)


CHECKS: Mapping[str, Callable[[Any], bool]] = {
    **{name: words.__contains__ for name, words in WORDS.items()},
    "seen": _is_seen,
    "visible": _is_visible,
}


COUNTED = {"maxLength": "characters", "maxProperties": "of them"}  # rules of which a mistake tells only the number


@cache
def _validators() -> tuple[Any, Any, Any]:
    """The validators of a whole file, of a list of steps, and of a case with what is owed.

    They alone need more than the standard library, so it is here that they ask for it.
    """
    from jsonschema import Draft202012Validator, FormatChecker

    formats = FormatChecker(formats=())
    for name, check in CHECKS.items():
        formats.checks(name, raises=(AttributeError, TypeError))(check)  # which is what a check of no text raises
    case, steps = (schema()["properties"][part] for part in ("case", "steps"))
    owed = {"properties": {"owed": steps["items"]["properties"]["owed"]}}
    rules = (
        {"properties": {"steps": steps}, "$defs": schema()["$defs"]},
        {"properties": {"case": case, "steps": {"items": owed}}, "$defs": schema()["$defs"]},
    )
    of_file, of_steps, of_records = (Draft202012Validator(each, format_checker=formats) for each in (schema(), *rules))
    return of_file, of_steps, of_records


def _mistakes(validator: Any, data: Any, whole: str) -> list[str]:
    """Every mistake in `data`, each once, in the order of the file; a missing key stands where its object begins."""
    try:
        found = list(_broken_rules(validator, data))
        known = {place for place, _ in found}
        found += [mistake for mistake in disagreements(data) if mistake[0] not in known]
        order = {place: number for number, place in enumerate(_places(data))} if found else {}
    except (RecursionError, ValueError):  # a file's text cannot hold such a value; data from elsewhere can
        return [f"{whole}: expected at most {MOST_LEVELS} levels and {MOST_DIGITS} digits of a number, found more"]
    in_order = sorted(dict.fromkeys(found), key=lambda each: order.get(each[0], order.get(each[0][:-1], 0)))
    return [f"{_spelled(place) or whole}: {sentence}" for place, sentence in in_order]


def _broken_rules(validator: Any, data: Any) -> Iterator[Mistake]:
    for error in validator.iter_errors(data):
        place, node, value = tuple(error.absolute_path), error.schema, error.instance
        if error.validator == "required":
            yield from (
                ((*place, key), "expected this key, found nothing") for key in node["required"] if key not in value
            )
        elif error.validator == "additionalProperties":
            rule = f"one of the keys {', '.join(node['properties'])}"
            yield from (((*place, key), expected(rule, key)) for key in value.keys() - node["properties"].keys())
        elif error.validator in COUNTED:
            yield place, f"expected {_rule(node)}, found {len(value)} {COUNTED[error.validator]}"
        else:
            of_key = "propertyNames" in error.relative_schema_path
            yield (*place, value) if of_key else place, expected(_rule(node), value)


def _rule(node: Mapping[str, Any]) -> str:
    """The rule of a node of the schema, in the words of its "title".

    That is a keyword of the standard: every validator takes it, and an editor shows it where the mistake is made.
    """
    words = WORDS.get(node.get("format", ""))
    return node["title"] if words is None else f"one of {', '.join(map(json_text, words))}"


def _spelled(place: Place) -> str:
    """A place as a sentence names it: ("steps", 0, "do", "odd key") -> 'steps[0].do["odd key"]'."""
    text = ""
    for key in place:
        if isinstance(key, int):
            text += f"[{key}]"
        elif re.fullmatch(r"[\w-]{1,60}", key):
            text += f".{key}" if text else key
        else:
            text += f"[{shortened(json_text(key), 60)}]"
    return text


def _places(value: Any, way: Place = ()) -> Iterator[Place]:
    """Every place in `value`, in order."""
    yield way
    for key in keys(value):
        yield from _places(value[key], (*way, key))
