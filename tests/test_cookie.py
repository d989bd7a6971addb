"""Every browser gets an unguessable id that only the server sees."""

import asyncio
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from failure13.kept.cookie import COOKIE, FORM, VisitorCookie

ROOT = Path(__file__).parents[1]
KNOWN = "k" * 43


async def page(scope, _receive, send):
    """What Streamlit answers: the page, or one of its files."""
    name = scope["path"].rpartition("/")[2]
    headers = [(b"content-type", b"text/html"), (b"cache-control", b"no-cache"), (b"content-length", b"4")]
    body = b"page"
    if name == "a.js":
        headers = [(b"content-type", b"text/javascript"), (b"cache-control", b"public, immutable")]
        body = b"export const answer = 42;"
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body[:100], "more_body": True})
    await send({"type": "http.response.body", "body": body[100:]})


def asked(app, path="/", method="GET", scheme="http", kind="http", **headers):
    """The headers, as a list of pairs, and the body that `app` answers with."""
    sent = []
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": path, "scheme": scheme, "headers": raw, "server": ("x", 80)}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, None, send))
    found = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    return found, b"".join(message["body"] for message in sent[1:])


def cookie(headers):
    [value] = [value for name, value in headers if name == "set-cookie"]
    return SimpleCookie(value)[COOKIE]


def test_a_browser_that_is_new_gets_an_id_that_no_script_can_read():
    given = cookie(asked(VisitorCookie(page), accept="text/html,*/*")[0])
    assert FORM.fullmatch(given.value)
    assert (given["httponly"], given["samesite"], given["path"], given["secure"]) == (True, "Lax", "/", "")


def test_every_new_browser_gets_an_id_of_its_own():
    assert len({cookie(asked(VisitorCookie(page), accept="text/html")[0]).value for _ in range(100)}) == 100


def test_a_browser_that_is_known_keeps_its_id():
    headers, _ = asked(VisitorCookie(page), accept="text/html", cookie=f"other=1; {COOKIE}={KNOWN}")
    assert cookie(headers).value == KNOWN


@pytest.mark.parametrize("wrong", ["", "short", "k" * 44, "k" * 42 + "/", "k" * 42 + "é", '"' + "k" * 41 + '"'])
def test_an_id_of_another_form_is_replaced(wrong):
    headers, _ = asked(VisitorCookie(page), accept="text/html", cookie=f"{COOKIE}={wrong}")
    assert FORM.fullmatch(cookie(headers).value)
    assert cookie(headers).value != wrong


@pytest.mark.parametrize(
    ("scheme", "more", "secure"),
    [
        ("http", {}, ""),
        ("https", {}, True),
        ("http", {"x_forwarded_proto": "https"}, True),
        ("http", {"x_forwarded_proto": "https, http"}, True),
        ("http", {"x_forwarded_proto": "http"}, ""),
    ],
)
def test_where_the_page_came_by_https_the_id_travels_by_https_only(scheme, more, secure):
    headers, _ = asked(VisitorCookie(page), scheme=scheme, accept="text/html", **more)
    assert cookie(headers)["secure"] == secure


def test_no_cache_on_the_way_may_keep_a_page_with_an_id():
    headers, body = asked(VisitorCookie(page), accept="text/html")
    assert [value for name, value in headers if name == "cache-control"] == ["no-store"]
    assert body == b"page"


@pytest.mark.parametrize("request_", [{"accept": "*/*"}, {"accept": "text/html", "method": "POST"}, {}])
def test_what_is_no_page_carries_no_id(request_):
    assert asked(VisitorCookie(page), path="/static/js/a.js", **request_) == asked(page, path="/static/js/a.js")


def show_my_id():
    import streamlit as st

    from failure13.page.session import visitor_id

    st.text(visitor_id())
    st.button("Again")


def test_where_no_cookie_was_sent_the_id_is_the_sessions():
    here, there = AppTest.from_function(show_my_id).run(), AppTest.from_function(show_my_id).run()
    assert not here.exception
    assert FORM.fullmatch(here.text[0].value)
    assert here.text[0].value != there.text[0].value
    assert here.button[0].click().run().text[0].value == here.text[0].value


def test_the_page_runs_as_the_script_that_it_is():
    page = AppTest.from_file(str(ROOT / "app.py")).run()
    assert not page.exception
    assert page.get("bidi_component")
