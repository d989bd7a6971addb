"""The page's own scripts go out compressed, each compressed once.

Streamlit sends them as they are, since compressing anew for every visitor costs more than it saves; a file whose name
changes with its content needs it only once. A first visit then loads a third of the bytes.
"""

import gzip
from posixpath import normpath

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TEXT = ("text/", "application/javascript", "application/json", "image/svg+xml")


class Packing:
    """ASGI middleware that answers for /static/ with gzip where the browser takes it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._packed: dict[str, list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a whole file compressed; let every other request through as it is."""
        if not _takes_a_packed_file(scope):
            await self.app(scope, receive, send)
            return
        answer = self._packed.get(scope["path"])
        if answer is None:
            answer = await self._answer(scope, receive)
            if _is_whole(answer) and _never_changes(answer):  # so many as Streamlit has files, whatever is asked for
                answer = await to_thread.run_sync(_packed, answer)
                self._packed[scope["path"]] = answer
        for message in answer:
            await send({**message})

    async def _answer(self, scope: Scope, receive: Receive) -> list[Message]:
        messages: list[Message] = []

        async def collect(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, collect)
        return messages


def _takes_a_packed_file(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET" or "/static/" not in scope["path"]:
        return False
    if normpath(scope["path"]) != scope["path"]:  # one file by many names would be kept as often
        return False
    headers = Headers(scope=scope)
    return "gzip" in headers.get("accept-encoding", "") and not {"range", "if-none-match"} & set(headers)


def _is_whole(answer: list[Message]) -> bool:
    """Whether an answer was given to its end; where the browser has gone, Streamlit stops."""
    return bool(answer) and answer[-1]["type"] == "http.response.body" and not answer[-1].get("more_body", False)


def _never_changes(answer: list[Message]) -> bool:
    headers = Headers(raw=answer[0]["headers"])
    return (
        answer[0]["status"] == 200
        and "immutable" in headers.get("cache-control", "")
        and headers.get("content-type", "").startswith(TEXT)
        and "content-encoding" not in headers
    )


def _packed(answer: list[Message]) -> list[Message]:
    start, *rest = answer
    body = gzip.compress(b"".join(message.get("body", b"") for message in rest), mtime=0)
    headers = MutableHeaders(raw=list(start["headers"]))
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(body))
    headers["accept-ranges"] = "none"
    headers.add_vary_header("Accept-Encoding")
    for name in (
        "etag",
        "last-modified",
    ):  # of the file as it is: a browser would complete this answer with parts of it
        del headers[name]
    return [{**start, "headers": headers.raw}, {"type": "http.response.body", "body": body}]
