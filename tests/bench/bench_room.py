"""A room on one server: how long an edit takes to its outcome while a hundred visitors edit.

Each visitor is a websocket that speaks Streamlit's protocol: it opens the page, types an amount every two seconds, and
waits for the outcome of it.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.bench.figures import Figure, p50, p95
from tests.bench.servers import Served

VISITORS, EDITS, EVERY = 100, 8, 2.0  # an edit every so many seconds


class EchoVisitor:
    """Somebody who types in the bare page."""

    def find(self, found: ForwardMsg) -> bool:
        """Whether the field to type in was in the message."""
        box = found.delta.new_element.text_input
        self.widget, self.fragment = box.id, found.delta.fragment_id
        return box.label == "do amount"

    def edit(self, number: int, amount: str) -> tuple[BackMsg, Callable[[ForwardMsg], bool]]:
        """The message that types an amount, and what tells its outcome."""
        del number
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.string_value = self.widget, amount
        return message, lambda found: found.delta.new_element.text.body == amount


class ExplorerVisitor(EchoVisitor):
    """Somebody who types in the bench."""

    def find(self, found: ForwardMsg) -> bool:
        """Whether the bench was in the message."""
        bench = found.delta.new_element.bidi_component
        self.widget, self.fragment = bench.id, found.delta.fragment_id
        if bench.id:
            self.picture = json.loads(json.loads(bench.json))
        return bool(bench.id)

    def edit(self, number: int, amount: str) -> tuple[BackMsg, Callable[[ForwardMsg], bool]]:
        """The message that types an amount, and what tells its outcome."""
        event = {
            "n": number,
            "kind": "type",
            "scenario": self.picture["scenario"],
            "step": 0,
            "place": ["first", "do", "amount"],
            "text": amount,
        }
        message = BackMsg()
        message.rerun_script.fragment_id = self.fragment
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.widget
        state.json_value = json.dumps({"events": {"session": self.picture["session"], "events": [event]}})
        return message, lambda found: f"refunded ${amount} on" in found.delta.new_element.bidi_component.json


async def _visit(site: Served, number: int, visitor: EchoVisitor, times: list[float]) -> None:
    address = f"ws://127.0.0.1:{site.port}/_stcore/stream"
    async with websockets.connect(address, subprotocols=["streamlit"], max_size=None) as socket:
        opening = BackMsg()
        opening.rerun_script.query_string = ""
        await socket.send(opening.SerializeToString())
        await _until(socket, visitor.find)
        await asyncio.sleep(EVERY + EVERY * number / VISITORS)
        for edit in range(1, EDITS + 1):
            message, is_outcome = visitor.edit(edit, f"{number + 1}.{edit:02}")
            begun = time.perf_counter()
            await socket.send(message.SerializeToString())
            await _until(socket, is_outcome)
            times.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(max(0.0, EVERY - (time.perf_counter() - begun)))


async def _until(socket: Any, wanted: Callable[[ForwardMsg], bool]) -> None:
    while True:
        found = ForwardMsg()
        found.ParseFromString(await asyncio.wait_for(socket.recv(), 60))
        if wanted(found):
            return


async def _room(site: Served, kind: type[EchoVisitor], visitors: int) -> list[float]:
    times: list[float] = []
    await asyncio.gather(*(_visit(site, number, kind(), times) for number in range(visitors)))
    return times


def measure(echo: Served, explorer: Served, visitors: int = VISITORS) -> Iterator[Figure]:
    """The figures of a room, the pages by turns."""
    taken: dict[str, list[float]] = {"echo": [], "explorer": []}
    cpu = dict.fromkeys(taken, 0.0)
    for _ in range(2):
        for site, kind in ((echo, EchoVisitor), (explorer, ExplorerVisitor)):
            before = site.cpu()
            taken[site.name] += asyncio.run(_room(site, kind, visitors))
            cpu[site.name] += site.cpu() - before
    for name, of, most in ((f"{visitors} visitors, median", p50, 2.0), (f"{visitors} visitors, 95 of 100", p95, 4.0)):
        yield Figure(name, "explorer", of(taken["explorer"]), of(taken["echo"]), "ms", most)
