"""Edits as the text of a link, and back: `2.` and the base64url of the zlib-compressed JSON.

A link holds a scenario's id, its steps and case as edited, which step is on screen and which guards are off; never a
result. What comes back is somebody else's text, so it is read as strictly as a file and never unpacked beyond a bound.
Links of version 1 hold neither case nor guards.
"""

import base64
import json
import re
import zlib
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from failure13 import Case, Step
from failure13.calls import Unreadable, is_list, is_object, read_value
from failure13.characters import shortened
from failure13.compare import same
from failure13.guards import GUARDS
from failure13.scenarios import Scenario, records_mistakes, steps_mistakes

VERSION = "2"
MOST_CHARACTERS = 8 * 1024  # of a link's text; longer addresses fail at some hosts
MOST_BYTES = 64 * 1024  # of the JSON in it
FORM = re.compile(r"([0-9]+)\.([A-Za-z0-9_-]+)", re.ASCII)
KEYS = {"1": ("scenario", "step", "steps"), "2": ("case", "off", "scenario", "step", "steps")}  # by version
DOWNLOAD = "download the scenario instead"
ASK_AGAIN = "ask for the link once more"


class BadLink(ValueError):
    """Why a link cannot be read or written, in a sentence that says what was found and what to do."""


class Link(NamedTuple):
    """What a link holds; `step` is the place in `steps` of the step on screen, from 0.

    `case` is None where the link has the scenario's own, `off` are the guards that are off, None where it does not say.
    """

    scenario_id: str
    steps: list[Step]
    step: int
    case: Case | None = None
    off: list[str] | None = None


class Opened(NamedTuple):
    """What a link leads to: a scenario that is here, with what the link holds of it."""

    scenario: Scenario
    steps: list[Step]
    case: Case
    step: int
    off: list[str] | None


def encode(
    scenario_id: str, steps: Sequence[Step], step: int = 0, case: Case | None = None, off: Collection[str] = ()
) -> str:
    """The text of a link that `decode` turns back into the same id and steps; the same edits give the same text.

    `case` is the edited one, None for the scenario's own, and `off` are the guards that are off. Raises BadLink for
    steps and a case that no file could hold, for a value that JSON cannot write exactly (NaN in an object) and for more
    than 8 KiB of text.
    """
    data = {"scenario": scenario_id, "step": step, "steps": list(steps), "case": case, "off": sorted(off)}
    try:
        # Half a surrogate pair, which UTF-8 lacks, becomes its JSON escape, and reading says where it stands.
        packed = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "backslashreplace"
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise BadLink(f"steps: expected values that JSON can write, found other ({error}); {DOWNLOAD}") from None
    try:
        read_back = _content(packed, VERSION)
    except BadLink as error:
        raise BadLink(f"These edits fit no link. {error}") from None
    if not same([read_back.steps, read_back.case], [data["steps"], case]):
        raise BadLink("steps: expected values that JSON can write, found some that it reads back as others")
    text = f"{VERSION}.{base64.urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip('=')}"
    if len(text) > MOST_CHARACTERS:
        raise BadLink(
            f"the edits: expected a link of at most {MOST_CHARACTERS} characters, found {len(text)}; {DOWNLOAD}"
        )
    return text


def decode(text: str) -> tuple[str, list[Step]]:
    """The scenario's id and the steps that a link holds; raises BadLink as `read` does."""
    link = read(text)
    return link.scenario_id, link.steps


def read(text: str) -> Link:
    """All that a link holds.

    Raises BadLink for more than 8 KiB of text or 64 KiB of JSON, a version other than 1 and 2, text that is cut off or
    goes on after its end, what is no strict JSON, and steps or records with any mistake that a file's could have.
    """
    if len(text) > MOST_CHARACTERS:
        raise BadLink(f"the link: expected at most {MOST_CHARACTERS} characters, found {len(text)}; {ASK_AGAIN}")
    match = FORM.fullmatch(text)
    if match is None:
        raise BadLink(f"the link: expected a version, a point and base64url text, found {_shown(text)}; {ASK_AGAIN}")
    if match[1] not in KEYS:
        raise BadLink(f"the link: expected version {' or '.join(KEYS)}, found {_shown(match[1])}; {ASK_AGAIN}")
    return _content(_unpacked(match[2]), match[1])


def opened(text: str, scenarios: Sequence[Scenario]) -> Opened:
    """The scenario that a link is about, with the steps and the case as shared.

    Raises BadLink as `read` does, and for a scenario that is not here or has another number of steps.
    """
    link = read(text)
    scenario = next((each for each in scenarios if each.id == link.scenario_id), None)
    if scenario is None:
        raise BadLink(f"scenario: expected one of the {len(scenarios)} here, found {_shown(link.scenario_id)}")
    if len(link.steps) != len(scenario.steps):
        raise BadLink(f"steps: expected {len(scenario.steps)} as in {scenario.id}, found {len(link.steps)}")
    case = scenario.case if link.case is None else link.case
    if found := steps_mistakes(link.steps, case):
        raise BadLink("; ".join(found))
    return Opened(scenario, link.steps, case, link.step, link.off)


def _unpacked(letters: str) -> bytes:
    try:
        packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        unpack = zlib.decompressobj()
        content = unpack.decompress(packed, MOST_BYTES + 1)  # never more, whatever the link would grow to
    except (ValueError, zlib.error):
        raise BadLink(f"the link: expected zlib data as base64url, found {_shown(letters)}; {ASK_AGAIN}") from None
    if len(content) > MOST_BYTES:
        raise BadLink(f"the link: expected at most {MOST_BYTES // 1024} KiB of JSON in it, found more; {DOWNLOAD}")
    if not unpack.eof:
        raise BadLink(f"the link: expected its end, found that it is cut off; {ASK_AGAIN}")
    if unpack.unused_data:
        raise BadLink(f"the link: expected its end, found {len(unpack.unused_data)} bytes more; {ASK_AGAIN}")
    return content


def _content(content: bytes, version: str) -> Link:
    try:
        data = read_value(content.decode("utf-8"), MOST_BYTES)
    except UnicodeDecodeError as error:
        raise BadLink(f"the link: expected UTF-8, found byte {error.object[error.start]} at {error.start}") from None
    except Unreadable as error:
        raise BadLink(f"the link's JSON: {error}; a value like this can only be shared as JSON text") from None
    found = _mistakes(data, KEYS[version])
    if found:
        raise BadLink("; ".join(found))
    return Link(data["scenario"], data["steps"], data["step"], data.get("case"), data.get("off"))


def _mistakes(data: Any, keys: Sequence[str]) -> list[str]:
    if not is_object(data) or set(data) != set(keys):
        return [f"the link: expected an object with {', '.join(keys)}, found {_shown(json.dumps(data))}; {ASK_AGAIN}"]
    found = steps_mistakes(data["steps"])
    if not isinstance(data["scenario"], str):
        found.append(f"scenario: expected an id as text, found {_shown(json.dumps(data['scenario']))}")
    if not found and (type(data["step"]) is not int or not 0 <= data["step"] < len(data["steps"])):
        found.append(f"step: expected one of the {len(data['steps'])} from 0, found {_shown(json.dumps(data['step']))}")
    if not found and data.get("case") is not None:
        found = records_mistakes(data["case"], data["steps"])
    off = data.get("off", [])
    if not is_list(off) or not all(isinstance(name, str) and name in GUARDS for name in off):
        found.append(f"off: expected a list of guards, found {_shown(json.dumps(off))}")
    return found


def _shown(text: str) -> str:
    return ascii(shortened(text, 40))
