"""The application: routes, errors and headers put together over a book."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from litestar import Litestar, Response, get
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.static_files import create_static_files_router
from litestar.types import Message, Scope

from replay.book import Book
from replay.errors import PlybookError
from service import matches, pages, problems

LONGEST_BODY: Final = 64 * 1024
"""Bytes of a request body."""

STATIC: Final = Path(__file__).parent / "static"

HEADERS: Final = [
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]


@get("/healthz")
async def healthz() -> Response[bytes]:
    """Tell that the process answers."""
    return matches.json_answer({"ok": True})


async def _secure(message: Message, scope: Scope) -> None:
    """Add the security headers, also to the answers that no middleware sees (404, 405)."""
    if message["type"] == "http.response.start":
        headers: Any = message["headers"]
        message["headers"] = [*headers, *HEADERS]


def create_app(book: Book) -> Litestar:
    """Return the service over a book; the caller opens and closes its store."""
    return Litestar(
        route_handlers=[
            healthz,
            matches.ROUTER,
            pages.ROUTER,
            create_static_files_router("/static", [STATIC], include_in_schema=False),
        ],
        dependencies={"book": Provide(lambda: book, sync_to_thread=False)},
        exception_handlers={
            problems.Problem: problems.of_problem,
            PlybookError: problems.of_record,
            HTTPException: problems.of_http,
            Exception: problems.of_bug,
        },
        before_send=[_secure],
        request_max_body_size=LONGEST_BODY,
        openapi_config=None,
        logging_config=None,
    )
