"""A scenario file becomes a Scenario, or the list of every mistake in it."""

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from failure13 import AGENTS, Case, Step, money
from failure13.calls import Unreadable, is_list, is_object, read_value
from failure13.cells import literal
from failure13.compare import same
from failure13.limits import LIMITS
from failure13.verdicts import VERDICTS

MOST_BYTES = 256 * 1024
MOST_CHARACTERS = 20_000  # of one text; more slows every browser that shows it
MARKDOWN = re.compile(r"[$*_`~\[\]<>:#\\|^]|--")  # what a button's label would take for more than text
EDIT = re.compile(r"steps\[(\d+)\]\.(said|intent|do|retry)(?:\.(.+))?", re.DOTALL)


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
    limit: str | None = None
    seen: str | None = None


class BrokenFile(ValueError):
    """A scenario file that cannot be used, with all its `mistakes`, each as "file: place: rule, value found"."""

    def __init__(self, name: str, found: list[str]) -> None:
        self.mistakes = [f"{name}: {mistake}" for mistake in found]
        super().__init__("\n".join(self.mistakes))


def load(path: str | Path) -> Scenario:
    """The scenario in the JSON file at `path`; its id is the file's name without ending and leading number.

    Raises BrokenFile with every mistake when the file cannot be read, is over 256 KiB, no strict JSON or no scenario.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BrokenFile(path.name, [f"the file cannot be read ({error.strerror})"]) from None
    return uploaded(path.name, content)


def uploaded(name: str, content: bytes) -> Scenario:
    """The scenario in the `content` of a file of that `name`, such as one a visitor uploaded; raises as `load` does."""
    try:
        data = read_value(content.decode("utf-8-sig"), MOST_BYTES)
    except UnicodeDecodeError as error:
        raise BrokenFile(name, [f"expected UTF-8, found byte {error.object[error.start]} at {error.start}"]) from None
    except Unreadable as error:
        raise BrokenFile(name, [str(error)]) from None
    found = mistakes(data)
    if found:
        raise BrokenFile(name, found)
    return from_data(re.sub(r"^\d+-", "", Path(name).stem), data)


def from_data(scenario_id: str, data: Mapping[str, Any]) -> Scenario:
    """The scenario that `data`, a file's content without mistakes, describes."""
    fields: dict[str, Any] = {**data, "tries": tuple(data.get("tries", ()))}
    return Scenario(id=scenario_id, **fields)


def with_steps(scenario: Scenario, steps: list[Step]) -> Scenario:
    """The scenario with these steps in place of its own.

    What the file says about its own steps (`expect`, `why`, `tries`) is not said about others, so it goes.
    """
    if same(steps, scenario.steps):
        return scenario
    return replace(scenario, steps=steps, expect=None, why=None, tries=())


def to_json(scenario: Scenario) -> str:
    """The text of a file that `uploaded` turns back into the same scenario, but for the id, which is the file's name.

    Raises BrokenFile for what no file can hold, such as NaN or half a surrogate pair in an object.
    """
    name = f"{scenario.id}.json"
    try:
        text = json.dumps(_data(scenario), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise BrokenFile(name, [f"expected values that JSON can write, found another ({error})"]) from None
    # Half a surrogate pair, which UTF-8 lacks, becomes its JSON escape, and reading says where it stands.
    content = text.encode("utf-8", "backslashreplace")
    if not same(_data(uploaded(name, content)), _data(scenario)):
        raise BrokenFile(name, ["expected values that JSON can write, found one that it reads back as another"])
    return content.decode()


def _data(scenario: Scenario) -> dict[str, Any]:
    """A scenario as the content of its file, without what is empty."""
    data = {**vars(scenario), "tries": list(scenario.tries)}
    return {key: value for key, value in data.items() if key != "id" and value not in ("", None, [])}


def load_all(folder: str | Path) -> tuple[list[Scenario], dict[str, list[str]]]:
    """Every scenario of a folder in the order of the file names, and the mistakes of each file that cannot be used.

    A broken file hides no other; so does a second file with an id that is taken. No folder gives no scenario.
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
    """Every mistake in a file's content, each as "place: rule, value found"; none for a scenario.

    Example: "steps[0].do: expected an object or a JSON string, found 7"
    """
    found = list(_scenario("", data))
    if not found:
        found = [*_expect_fits("expect", data.get("expect"), data), *_tries_fit(data)]
    return found


def edited(steps: list[Step], edit: Mapping[str, Any]) -> list[Step]:
    """`steps` with each place of `edit` set, such as {"steps[0].do.amount": 20.0}; the given steps stay as they are.

    Raises ValueError for a place that is not there.
    """
    changed = copy.deepcopy(steps)
    for place, value in edit.items():
        match = EDIT.fullmatch(place)
        if match is None or int(match[1]) >= len(changed):
            raise ValueError(f"{place}: expected a said, intent, do or retry of one of the {len(steps)} steps")
        step: Any = changed[int(match[1])]
        if match[3] is None:
            step[match[2]] = copy.deepcopy(value)
        elif is_object(step.get(match[2])):
            step[match[2]][match[3]] = copy.deepcopy(value)
        else:
            raise ValueError(f"{place}: expected {match[2]} to be an object, found {_shown(step.get(match[2]))}")
    return changed


def steps_mistakes(steps: Any) -> list[str]:
    """Every mistake in a list of steps, as `mistakes` gives them."""
    return list(_steps("steps", steps))


# The rules. Each takes a place and the value found there and yields the mistakes of that value.

Rule = Callable[[str, Any], Iterator[str]]


def _shown(value: Any) -> str:
    text = literal(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _inside(place: str, key: str) -> str:
    if not re.fullmatch(r"[\w-]+", key):
        return f"{place}[{json.dumps(key)}]"
    return f"{place}.{key}" if place else key


def _rule(what: str, holds: Callable[[Any], bool]) -> Rule:
    def check(place: str, value: Any) -> Iterator[str]:
        if not holds(value):
            yield f"{place}: expected {what}, found {_shown(value)}"

    return check


def _one_of(*allowed: str) -> Rule:
    return _rule("one of " + ", ".join(map(json.dumps, allowed)), lambda value: value in allowed)


def _object(required: Mapping[str, Rule], optional: Mapping[str, Rule]) -> Rule:
    rules = {**required, **optional}

    def check(place: str, value: Any) -> Iterator[str]:
        if not is_object(value):
            yield f"{place or 'the file'}: expected an object, found {_shown(value)}"
            return
        for key in required:
            if key not in value:
                yield f"{_inside(place, key)}: expected this key, found nothing"
        for key, inner in value.items():
            if key in rules:
                yield from rules[key](_inside(place, key), inner)
            else:
                yield f"{_inside(place, key)}: expected one of the keys {', '.join(rules)}, found {_shown(key)}"

    return check


def _each(rule: Rule, least: int = 0) -> Rule:
    def check(place: str, value: Any) -> Iterator[str]:
        if not is_list(value) or len(value) < least:
            yield f"{place}: expected a list{' of at least one' if least else ''}, found {_shown(value)}"
            return
        for index, inner in enumerate(value):
            yield from rule(f"{place}[{index}]", inner)

    return check


def _by_name(rule: Rule) -> Rule:
    def check(place: str, value: Any) -> Iterator[str]:
        if not is_object(value):
            yield f"{place}: expected an object, found {_shown(value)}"
            return
        for key, inner in value.items():
            yield from rule(_inside(place, key), inner)

    return check


def _is_amount(value: Any, currency: str = "USD") -> bool:
    try:
        return money.read(value, currency) >= 0
    except money.NotMoney:
        return False


def _order(place: str, value: Any) -> Iterator[str]:
    yield from _order_keys(place, value)
    currency = value.get("currency") if is_object(value) else None
    if isinstance(currency, str) and currency in money.DECIMALS:
        for key in ("paid", "refundable"):
            if isinstance(value.get(key), str) and not _is_amount(value[key], currency):
                yield (
                    f"{place}.{key}: expected a whole number of the smallest unit of {currency} "
                    f'as text, such as "40.00" dollars, found {_shown(value[key])}'
                )


def _owed(place: str, value: Any) -> Iterator[str]:
    if value is None:
        return
    yield from _by_name(_anything)(place, value)
    if is_object(value):
        for key, rule in (("order_id", _text), ("amount", _rule("an amount", _is_money_form))):
            if key in value:
                yield from rule(_inside(place, key), value[key])
            else:
                yield f"{_inside(place, key)}: expected this key, found nothing"


def _anything(_place: str, _value: Any) -> Iterator[str]:
    yield from ()


def _is_money_form(value: Any) -> bool:
    return any(_is_amount(value, currency) for currency in ("JPY", "USD", "KWD"))


_text = _rule(
    f"a text of at most {MOST_CHARACTERS} characters",
    lambda value: isinstance(value, str) and len(value) <= MOST_CHARACTERS,
)
_label = _rule(
    "a text of 1 to 60 characters, none of which markdown would change",
    lambda value: isinstance(value, str) and 0 < len(value) <= 60 and MARKDOWN.search(value) is None,
)
_title = _rule(
    "a text of 1 to 200 characters that can be seen", lambda value: isinstance(value, str) and _is_seen(value)
)
_amount_text = _rule(
    'an amount as text, such as "40.00"', lambda value: isinstance(value, str) and _is_money_form(value)
)
_order_text = _rule('an amount as text, such as "40.00"', lambda value: isinstance(value, str))
_declared = _rule("an object, a JSON string or null", lambda value: value is None or isinstance(value, dict | str))
_call = _rule("an object or a JSON string", lambda value: isinstance(value, dict | str))
_order_keys = _object(
    {"customer_id": _text, "paid": _order_text, "refundable": _order_text, "currency": _one_of(*money.DECIMALS)}, {}
)
_case = _object(
    {
        "ticket": _object(
            {"id": _text, "order_id": _text, "customer_id": _text, "text": _text}, {"agreed_amount": _amount_text}
        ),
        "orders": _by_name(_order),
    },
    {},
)
_step = _object(
    {"said": _text, "intent": _declared, "do": _call, "owed": _owed},
    {"retry": _object({"intent": _declared, "do": _call}, {"said": _text})},
)
_steps = _each(_step, least=1)
_expected = _object(
    {
        "ledger": _each(
            _rule(
                "a row [order, amount] or [order, amount, further arguments]",
                lambda value: is_list(value) and len(value) in (2, 3),
            )
        ),
        "verdicts": _each(_one_of(*VERDICTS)),
    },
    {},
)
_expect = _object({}, dict.fromkeys(AGENTS, _expected))
_scenario = _object(
    {"title": _title, "case": _case, "steps": _steps},
    {
        "hook": _text,
        "notice": _text,
        "expect": _expect,
        "why": _object({}, dict.fromkeys(AGENTS, _text)),
        "tries": _each(_object({"label": _label, "set": _by_name(_anything)}, {"expect": _expect})),
        "limit": _one_of(*LIMITS),
        "seen": _rule('a public report as "repo#number"', lambda value: _is_report(value)),
    },
)


def _is_seen(value: str) -> bool:
    return len(value) <= 200 and any(character.isprintable() and not character.isspace() for character in value)


def _is_report(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[\w.-]+(/[\w.-]+)?#\d+", value, re.ASCII) is not None


def _expect_fits(place: str, expect: Mapping[str, Any] | None, data: Mapping[str, Any]) -> Iterator[str]:
    for agent, expected in (expect or {}).items():
        if len(expected["verdicts"]) != len(data["steps"]):
            yield (
                f"{place}.{agent}.verdicts: expected one for each of the {len(data['steps'])} steps, "
                f"found {_shown(expected['verdicts'])}"
            )


def _tries_fit(data: Mapping[str, Any]) -> Iterator[str]:
    for index, attempt in enumerate(data.get("tries", ())):
        try:
            changed = edited(data["steps"], attempt["set"])
        except ValueError as error:
            yield f"tries[{index}].set: {error}"
            continue
        yield from (f"tries[{index}].set: {mistake}" for mistake in steps_mistakes(changed))
        yield from _expect_fits(f"tries[{index}].expect", attempt.get("expect"), data)
