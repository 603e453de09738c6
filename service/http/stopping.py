"""Answer the requests that a stopping server gives up, because what they wait for takes long."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar.types import ASGIApp

from service.http.problems import bare_answer

GIVEN_UP: Final = (
    "the server stops, and what was asked for takes longer; ask again, with the same id"
)
SOON: Final = "1"
"""Seconds for `Retry-After`: another server may answer, or the same one after its restart."""


class Stopping:
    """An application whose requests may be cancelled: uvicorn does so when it stops."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        begun = False

        async def answer(message: Any) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, answer)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            given_up = bare_answer(503, GIVEN_UP, {"Retry-After": SOON})
            await given_up(scope, receive, send)
