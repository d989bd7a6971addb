"""A visitor at the bench without a page: the events that a browser would send go in, the picture comes out."""

from itertools import count

from failure13.guards import all_but
from failure13.visit import bench, runs, screen
from failure13.visit.screen import Screen
from failure13.visit.visit import Visit
from failure13.visit.visitor import Visitor

ADDRESS = "http://127.0.0.1/"


TALLIES = {}  # what is worked out once, as the page does


def tally_of(off, ids, scenarios):
    if (off, ids) not in TALLIES:
        TALLIES[off, ids] = runs.tally(scenarios, all_but(off))
    return TALLIES[off, ids]


class Desk:
    """One visitor with one browser, who can pick `scenarios` and is at one of them."""

    def __init__(self, scenarios, scenario_id=None):
        self.scenarios = list(scenarios)
        self.visitor = Visitor(place=scenario_id or self.scenarios[0].id)
        self.screen = Screen("mine")
        self.numbers = count(1)

    @property
    def visit(self):
        at = next(each for each in self.scenarios if each.id == self.visitor.place)
        return Visit(self.visitor, self.scenarios, at)

    @property
    def picture(self):
        off, ids = frozenset(self.visitor.guards_off), tuple(each.id for each in self.scenarios)
        tally = tally_of(off, ids, self.scenarios)
        return bench.picture(self.visit, self.screen, tally, lambda: ADDRESS, lambda text: (f"QR of {text}", 21))

    def send(self, *events, session="mine"):
        """Take a browser's message in; what an event leaves out is as on screen."""
        on_screen = {"scenario": self.visit.scenario.id, "step": self.visit.work.step}
        numbered = [{"n": next(self.numbers), **on_screen, **event} for event in events]
        return screen.take(self.screen, self.visitor, self.scenarios, {"session": session, "events": numbered})

    def type(self, text, *place, **more):
        return self.send({"kind": "type", "place": list(place), "text": text, **more})

    def press(self, verb, *about, **more):
        return self.send({"kind": "press", "verb": verb, "about": list(about), **more})

    def lane(self, agent):
        return next(lane for lane in self.picture["lanes"] if lane["agent"] == agent)

    def ledger(self, agent):
        return self.lane(agent)["printed"][-1].removeprefix("ledger: ")

    def verdicts(self):
        return {lane["agent"]: lane["verdict"] for lane in self.picture["lanes"]}

    def field(self, name):
        """The field that a screen reader calls `name`."""
        [field] = [each for each in fields(self.picture) if each["name"] == name]
        return field

    def fill(self, name, text):
        """Type in the field that a screen reader calls `name`."""
        return self.type(text, *self.field(name)["place"])


def fields(value):
    """Every field in a picture."""
    if isinstance(value, dict):
        if "place" in value:
            yield value
        for inner in value.values():
            yield from fields(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner)


def actions(value):
    """Every button in a picture."""
    if isinstance(value, dict):
        if "verb" in value:
            yield value
        for inner in value.values():
            yield from actions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from actions(inner)


def texts(value):
    """Every text in a picture, but for places and what a button is about, which are ways and no words."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("place", "about"):
                yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value
