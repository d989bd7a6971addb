"""Where two places of a scenario file must agree, which no schema can say: amounts, counts of verdicts, edits.

The data may have any form, for every mistake of a file is told at once: what is not there agrees with anything.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from failure13 import money
from failure13.calls import is_list, is_object
from failure13.characters import json_text, shortened

Place = tuple[str | int, ...]  # the way to a value, key by key: ("steps", 0, "do")
Mistake = tuple[Place, str]
EDIT = re.compile(r"steps\[(\d{1,9})\]\.(said|intent|do|retry)(?:\.(.+))?", re.DOTALL)


def expected(rule: str, value: Any) -> str:
    """A mistake in words: ("a list", 7) -> "expected a list, found 7"."""
    return f"expected {rule}, found {shortened(json_text(value), 60)}"


def keys(value: Any) -> Iterable[Any]:
    """The keys of an object or the numbers of a list's entries; of anything else, none."""
    return value.keys() if is_object(value) else range(len(value)) if is_list(value) else ()


def target(steps: list[Any], place: str) -> tuple[int, str, str | None]:
    """A place of an edit as step, part and field, None for the whole part: "steps[0].do.amount" -> (0, "do", "amount").

    Raises ValueError where it is not there.
    """
    match = EDIT.fullmatch(place)
    if match is None or int(match[1]) >= len(steps):
        raise ValueError(f"expected a said, intent, do or retry of one of the {len(steps)} steps, found another place")
    index, part, field = int(match[1]), match[2], match[3]
    if field is not None and not is_object(steps[index].get(part)):
        raise ValueError(expected(f"{part} to be an object", steps[index].get(part)))
    return index, part, field


def disagreements(data: Any) -> Iterator[Mistake]:
    """Every place of a file's content that does not agree with another, and how."""
    yield from _amounts(data)
    yield from _harmless(data)
    steps = _at(data, "steps")
    if is_list(steps) and steps and all(map(is_object, steps)):
        yield from _verdicts(data, len(steps))
        yield from _edits(data, steps)


def _at(value: Any, *way: Any) -> Any:
    for key in way:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _amounts(data: Any) -> Iterator[Mistake]:
    """An amount is a whole number of its currency's smallest unit; with the order not on file, any currency will do."""
    orders = _at(data, "case", "orders")
    for order_id in keys(orders):
        for key in ("paid", "refundable"):
            yield from _amount(data, ("case", "orders", order_id, key), _at(orders, order_id, "currency"))
    of_ticket = _at(orders, _at(data, "case", "ticket", "order_id"), "currency")
    yield from _amount(data, ("case", "ticket", "agreed_amount"), of_ticket)
    for number in keys(_at(data, "steps")):
        owed = _at(data, "steps", number, "owed")
        of_order = _at(orders, _at(owed, "order_id"), "currency")
        yield from _amount(data, ("steps", number, "owed", "amount"), _at(owed, "currency"), of_order)


def _amount(data: Any, place: Place, *currencies: Any) -> Iterator[Mistake]:
    """The amount at `place` must fit the first of these currencies that is known."""
    value = _at(data, *place)
    listed = [each for each in currencies if isinstance(each, str) and each in money.DECIMALS][:1]
    if value is not None and not any(_is_amount(value, each) for each in listed or money.DECIMALS):
        unit = f"{listed[0]} ({money.DECIMALS[listed[0]]} decimals)" if listed else "a listed currency"
        most = f", at most {money.MOST_DIGITS} digits" if len(json_text(value)) > money.MOST_DIGITS else ""
        yield place, expected(f"a whole number of the smallest unit of {unit}{most}", value)


def _is_amount(value: Any, currency: str) -> bool:
    try:
        return money.read(value, currency) >= 0
    except money.NotMoney:
        return False


def _harmless(data: Any) -> Iterator[Mistake]:
    """Each field stands once in the list."""
    seen: set[str] = set()
    for number in keys(_at(data, "case", "harmless")):
        name = _at(data, "case", "harmless", number)
        if isinstance(name, str) and name in seen:
            yield ("case", "harmless", number), expected("each field once", name)
        elif isinstance(name, str):
            seen.add(name)


def _verdicts(data: Any, steps: int) -> Iterator[Mistake]:
    """Each agent has a verdict for each step."""
    tries: list[Place] = [("tries", number, "expect") for number in keys(_at(data, "tries"))]
    for place in (("expect",), *tries):
        for agent in keys(_at(data, *place)):
            verdicts = _at(data, *place, agent, "verdicts")
            if is_list(verdicts) and len(verdicts) != steps:
                yield (*place, agent, "verdicts"), expected(f"one for each of the {steps} steps", verdicts)


def _edits(data: Any, steps: list[Any]) -> Iterator[Mistake]:
    """Each place that a try sets is in the steps, as the places before it leave them."""
    for number in keys(_at(data, "tries")):
        edit = _at(data, "tries", number, "set")
        changed = list(steps)
        for place, value in edit.items() if is_object(edit) else ():
            try:
                index, part, field = target(changed, place)
            except ValueError as error:
                yield ("tries", number, "set", place), str(error)
            else:
                changed[index] = {**changed[index], part: value} if field is None else changed[index]
