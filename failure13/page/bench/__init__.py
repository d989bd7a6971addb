"""The bench: Explore as one component. Python makes the picture and takes the events; the script shows it."""

import json
import secrets
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import segno
import streamlit as st
import streamlit.components.v2 as components
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from failure13.page import address
from failure13.page.session import era, forget, keep, tally, visit
from failure13.visit import bench, screen
from failure13.visit.screen import Screen

HERE = Path(__file__).parent
KINDS = {"bench.js": "text/javascript", "bench.css": "text/css"}
MOST_IN_A_QR_CODE = 1200  # characters; a phone reads no denser code off a projector
KEY = "bench"


@cache
def _files() -> dict[str, bytes]:
    return {name: (HERE / name).read_bytes() for name in KINDS}


def _version() -> str:
    return f"{zlib.crc32(b''.join(_files().values())):08x}"


def _send(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in KINDS:
        return Response(status_code=404)
    for_good = {"Cache-Control": "public, max-age=31536000, immutable"}  # another content has another address
    return Response(_files()[name], media_type=KINDS[name], headers=for_good)


ROUTES = [Route("/bench/{version}/{name}", _send)]

# The script and its style are fetched once and kept by the browser; what is here goes out with every edit.
STUB = """
let show;
const latest = new Map();
export default function (component) {
  const root = component.parentElement;
  latest.set(root, component);
  if (show) show(component);
  else import(new URL("/bench/%(version)s/bench.js", location.origin).href).then((bench) => {
    show = bench.show;
    if (latest.get(root) === component) show(component);
  });
  return () => { latest.delete(root); show?.end(root); };
}
"""
HTML = '<link rel="stylesheet" href="/bench/%(version)s/bench.css"><div class="bench"></div>'

_bench = components.component("failure13.bench", html=HTML % {"version": _version()}, js=STUB % {"version": _version()})


def show() -> None:
    """The bench, or the page that was asked for on it."""
    asked = st.session_state.pop("asked for", None)
    for page in st.session_state["pages"]:
        if page.url_path == asked:
            st.switch_page(page)
    if "screen" not in st.session_state:
        st.session_state["screen"] = Screen(secrets.token_hex(8))
    st.session_state["screen"].era = era()
    _show()


@st.fragment
def _show() -> None:
    """The scenario, its records, what was said, declared and done, and a lane per agent; an edit redraws just this."""
    here, seen = visit(), st.session_state["screen"]
    # As one text: of an object, every part would be looked at for a table, then written, read and written once more.
    data = json.dumps(bench.picture(here, seen, tally(here), address.of_the_page, _qr))
    _bench(key=KEY, data=data, default={"events": None}, on_events_change=_take)
    keep()  # after the outcome is on its way; what was run or decided is kept before it is shown


def _take() -> None:
    state: Any = st.session_state[KEY]
    here = visit()
    taken = screen.take(st.session_state["screen"], here.visitor, here.scenarios, state["events"])
    if taken.forget:
        forget()
    if taken.all_anew or taken.page is not None:
        keep()
        st.session_state["asked for"] = taken.page
        st.rerun()


def _qr(text: str) -> tuple[str, int]:
    """A QR code as the path of an SVG and its size in modules, quiet zone included; "" where the text is too long."""
    if len(text) > MOST_IN_A_QR_CODE:
        return "", 0
    code = segno.make_qr(text, error="l")
    margin = 4
    rows = enumerate(code.matrix)
    dots = "".join(f"M{x + margin} {y + margin}h1v1h-1z" for y, row in rows for x, module in enumerate(row) if module)
    return dots, len(code.matrix) + 2 * margin
