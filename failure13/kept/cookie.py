"""A browser is known again by an unguessable id in a cookie that no script can read and no address shows.

The id opens what its visitor has kept, so an address copied into a chat must not carry it.
"""

import re
import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "failure13_visitor"
FORM = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)  # 32 random bytes as base64url
SECONDS = 30 * 24 * 60 * 60  # longer than anything is kept, and begun anew with every page


class VisitorCookie:
    """ASGI middleware that hands every browser its id along with the page, a new one where it has none of that form."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through; an answer to a browser that asks for a page gets the cookie."""
        if scope["type"] != "http" or not _asks_for_a_page(HTTPConnection(scope)):
            await self.app(scope, receive, send)
            return
        cookie = _cookie(HTTPConnection(scope))

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.append("set-cookie", cookie)
                headers["cache-control"] = "no-store"  # else a cache between could hand one visitor's id to others
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def visitor_id(sent: str) -> str:
    """The id that a browser `sent` in its cookie, or a new one where that is of another form or nothing."""
    return sent if FORM.fullmatch(sent) else secrets.token_urlsafe(32)


def _asks_for_a_page(request: HTTPConnection) -> bool:
    return request.scope["method"] == "GET" and "text/html" in request.headers.get("accept", "")


def _cookie(request: HTTPConnection) -> str:
    known = visitor_id(request.cookies.get(COOKIE, ""))
    came_by = request.headers.get("x-forwarded-proto", request.scope["scheme"]).partition(",")[0].strip()
    secure = "; Secure" if came_by == "https" else ""
    return f"{COOKIE}={known}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Lax{secure}"
