"""JSON answers sent without Litestar's `Response`, which takes longer than to referee a move."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.http.caching import ASK_AGAIN

ENCODE: Final = msgspec.json.Encoder().encode
COMMON_HEADERS: Final = [
    (b"content-type", b"application/json"),
    *((name.lower().encode(), value.encode()) for name, value in ASK_AGAIN.items()),
]


class JSONAnswer(ASGIResponse):
    """JSON about the current match; its version is the ETag."""

    def __init__(self, body: Any, version: int | None = None) -> None:
        self.status_code = 200
        self.body = ENCODE(body)
        self._etag = [] if version is None else [(b"etag", b'"%d"' % version)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        length = (b"content-length", b"%d" % len(self.body))
        headers = [*COMMON_HEADERS, length, *self._etag]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
