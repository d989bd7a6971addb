"""A room on one server: how long an edit takes to its outcome with many visitors, as a ratio to one visitor alone.

Run with `python -m tests.bench.bench_room [visitors]`. Each visitor is a websocket that speaks Streamlit's protocol: it
opens the page, then types an amount every two seconds, and waits for the card that says what broken paid.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import urllib3
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from urllib3.util import Retry

ROOT = Path(__file__).parents[2]
PORT = 8571
EDITS = 10
EVERY = 2.0  # seconds between a visitor's edits


async def visitor(number: int, edits: int, times: list[float]) -> None:
    """Open the page and make edits, noting how long each took."""
    address = f"ws://127.0.0.1:{PORT}/_stcore/stream"
    async with websockets.connect(address, subprotocols=["streamlit"], max_size=None) as socket:
        opening = BackMsg()
        opening.rerun_script.query_string = ""
        await socket.send(opening.SerializeToString())
        widget, fragment = await _until(socket, _amount)
        await asyncio.sleep(EVERY * (number % 20) / 20)
        for edit in range(edits):
            typed = f"{number + 1}.{edit:02}"
            message = BackMsg()
            message.rerun_script.fragment_id = fragment
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.string_value = widget, typed
            begun = time.perf_counter()
            await socket.send(message.SerializeToString())
            await _until(
                socket, lambda found, typed=typed: f"refunded ${typed} on" in found.delta.new_element.html.body
            )
            times.append(time.perf_counter() - begun)
            await asyncio.sleep(max(0.0, EVERY - times[-1]))


def _amount(found: ForwardMsg) -> tuple[str, str] | None:
    box = found.delta.new_element.text_input
    return (box.id, found.delta.fragment_id) if box.label == "do amount" else None


async def _until(socket, wanted):
    while True:
        found = ForwardMsg()
        found.ParseFromString(await asyncio.wait_for(socket.recv(), 60))
        result = wanted(found)
        if result:
            return result


async def room(visitors: int) -> list[float]:
    """The times of all edits of a room, in seconds, sorted."""
    times: list[float] = []
    await asyncio.gather(*(visitor(number, EDITS, times) for number in range(visitors)))
    return sorted(times)


def main() -> None:
    """Start the app, measure one visitor and a room of them, print both and the ratio."""
    visitors = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    kept = Path(tempfile.mkdtemp()) / "visitors.sqlite3"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(PORT)]
    server = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "FAILURE13_STORE": str(kept)}, stdout=subprocess.DEVNULL
    )
    try:
        answering = Retry(total=240, backoff_factor=0.05, backoff_max=0.5)
        urllib3.PoolManager(retries=answering).request("GET", f"http://127.0.0.1:{PORT}/_stcore/health")
        alone, many = asyncio.run(room(1)), asyncio.run(room(visitors))
    finally:
        server.terminate()
        server.wait()
    for name, times in (("1 visitor", alone), (f"{visitors} visitors", many)):
        p95 = times[int(len(times) * 0.95) - 1]
        print(f"{name}: median {statistics.median(times) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, {len(times)} edits")
    print(f"ratio of the medians: {statistics.median(many) / statistics.median(alone):.1f}")


if __name__ == "__main__":
    main()
