"""The records of a case as fields to type in. What is typed is held against the rules of a file before it is in force.

A place is ("ticket", "order_id"), ("order", "A100", "paid"), ("owed", "amount") of one step, or ("harmless",).
"""

import copy
import json
import re
from collections.abc import Mapping
from itertools import count
from typing import Any, NamedTuple

from failure13 import Case, Order, Step, money
from failure13.calls import is_list
from failure13.characters import quoted
from failure13.scenarios import records_mistakes
from failure13.visit import cells
from failure13.visit.grid import Change

Place = tuple[str, ...]
Unusable = Mapping[str, str]
TICKET = ("id", "customer_id", "order_id", "agreed_amount", "text")
ORDER = ("customer_id", "paid", "refundable", "currency")
OWED = ("amount", "order_id", "currency")
MAY_BE_LEFT_OUT = (("ticket", "agreed_amount"), ("owed", "currency"))
NUMBERED = re.compile(r"(.*?)([0-9]{1,9})", re.DOTALL | re.ASCII)


class NoRecord(ValueError):
    """There is no record at a place, or none can be made or removed there; says why."""


class Records(NamedTuple):
    """A case, and the steps for what is owed in each."""

    case: Case
    steps: list[Step]


def key(step: int, place: Place) -> str:
    """A place as text; one of what is owed belongs to its step."""
    return json.dumps([*place, step] if place[0] == "owed" else place)


def place_of(text: str) -> tuple[Place, int]:
    """The place and the step that `key` made a text of; raises ValueError for any other text."""
    value = json.loads(text)
    if not is_list(value) or not value:
        raise ValueError("expected a place")
    step = value.pop() if value[0] == "owed" else 0
    if type(step) is not int or not all(isinstance(part, str) for part in value):
        raise ValueError("expected a place")
    return tuple(value), step


def in_force(records: Records, step: int, place: Place) -> str:
    """The record at a place as it can be typed, such as "20.00", or "" where there is none; raises NoRecord."""
    holder, name = _holder(records, step, place)
    value = holder.get(name)
    if place == ("harmless",):
        return ", ".join(value or ())
    return "" if value is None else value if isinstance(value, str) else cells.write(value)


def text(records: Records, unusable: Unusable, step: int, place: Place) -> str:
    """The text that stands in the field of a place: what was typed there, though it cannot be used, else the record."""
    waiting = unusable.get(key(step, place))
    return in_force(records, step, place) if waiting is None else waiting


def with_text(records: Records, step: int, place: Place, text: str) -> Records:
    """The records with a text typed at a place, whether they are sound then or not; raises NoRecord."""
    changed = copy.deepcopy(records)
    holder, name = _holder(changed, step, place)
    value: Any = text
    if place == ("harmless",):
        value = [part.strip() for part in text.split(",") if part.strip()]
    elif place == ("owed", "amount") and not isinstance(holder[name], str):
        value = cells.read(text)
    if not value and (place in MAY_BE_LEFT_OUT or place == ("harmless",)):
        holder.pop(name, None)
    else:
        holder[name] = value
    return changed


def typed(records: Records, unusable: Unusable, step: int, place: Place, text: str) -> tuple[Records, dict[str, str]]:
    """The records once a text was typed, and the texts that cannot be used yet.

    All the texts that could not be used are tried together with the new one, then the new one alone; what breaks a rule
    of a file is left out, and the last good record stays in force.
    """
    waiting = {**unusable, key(step, place): text}
    together = records
    try:
        for each, of_it in waiting.items():
            other, of_step = place_of(each)
            together = with_text(together, of_step, other, of_it)
    except (NoRecord, ValueError):
        together = with_text(records, step, place, text)
        waiting = {key(step, place): text}
    if not records_mistakes(*together):
        return together, {}
    alone = with_text(records, step, place, text)
    left = {each: of_it for each, of_it in unusable.items() if each != key(step, place)}
    if not records_mistakes(*alone):
        return alone, left
    return records, {**left, key(step, place): text}


def why_not(records: Records, unusable: Unusable, step: int, place: Place) -> str:
    """Why the text at a place is not in force, and what is; "" where it is in force."""
    text = unusable.get(key(step, place))
    if text is None:
        return ""
    found = records_mistakes(*with_text(records, step, place, text))
    last = in_force(records, step, place)
    return f"{found[0] if found else 'not taken'}; {quoted(last) if last else 'none'} stays in force"


def _holder(records: Records, step: int, place: Place) -> tuple[dict[str, Any], str]:
    """The object in which a record stands, and its name in it."""
    holder: Any = None
    match place:
        case ("harmless",):
            holder = records.case
        case ("ticket", part) if part in TICKET:
            holder = records.case["ticket"]
        case ("order", order_id, part) if part in ORDER:
            holder = records.case["orders"].get(order_id)
        case ("owed", part) if part in OWED and step < len(records.steps):
            holder = records.steps[step]["owed"]
        case _:
            pass
    if holder is None:
        raise NoRecord(f"there is no record {' '.join(place)}")
    return holder, place[-1]


def is_there(records: Records, step: int, place: Place) -> bool:
    """Whether there is a record, or room for one, at a place."""
    try:
        _holder(records, step, place)
    except NoRecord:
        return False
    return True


def with_new_order(case: Case) -> Case:
    """The case with one more order, under the next free id: of the last one's customer and currency, nothing paid."""
    orders = case["orders"]
    last = next(reversed(orders), "A99")
    match = NUMBERED.fullmatch(last)
    stem, number = (match[1], int(match[2])) if match else (f"{last}-", 1)
    new = next(name for name in (f"{stem}{n}" for n in count(number + 1)) if name not in orders)
    currency = orders[last]["currency"] if last in orders else "USD"
    customer = orders[last]["customer_id"] if last in orders else case["ticket"]["customer_id"]
    nothing = str(money.read(0, currency))
    order: Order = {"customer_id": customer, "paid": nothing, "refundable": nothing, "currency": currency}
    return {**case, "orders": {**orders, new: order}}


def without_order(case: Case, order_id: str) -> Case:
    """The case without an order."""
    return {**case, "orders": {name: order for name, order in case["orders"].items() if name != order_id}}


def with_order_renamed(case: Case, old: str, new: str) -> Case:
    """The case with an order under another id, in its place."""
    return {**case, "orders": {new if name == old else name: order for name, order in case["orders"].items()}}


def changes(before: Case, after: Case) -> list[Change]:
    """What changed between two cases: [("order A100 refundable", "20.00", "0.00")]."""
    old, new = _flat(before), _flat(after)
    names = dict.fromkeys([*old, *new])
    return [
        Change(name, old.get(name, "absent"), new.get(name, "absent"))
        for name in names
        if old.get(name) != new.get(name)
    ]


def _flat(case: Case) -> dict[str, str]:
    found = {f"ticket {part}": str(value) for part, value in case["ticket"].items()}
    for order_id, order in case["orders"].items():
        found |= {f"order {order_id} {part}": str(value) for part, value in order.items()}
    return {**found, **({"harmless": ", ".join(case["harmless"])} if "harmless" in case else {})}
