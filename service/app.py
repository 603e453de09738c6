"""Build the application over a book: routes, error handlers and headers."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import Message, Scope

from replay.book import Book
from replay.errors import PlybookError
from service.api import (
    corrections,
    events,
    explorer,
    exports,
    forks,
    games,
    health,
    hints,
    hooks,
    imports,
    invitations,
    judging,
    library,
    matches,
    missing_moves,
    schema,
    streams,
    tags,
    takebacks,
    variations,
)
from service.api.annotations import ROUTER as ANNOTATIONS
from service.api.presenters import answer
from service.app_state import AppState
from service.http import problems, static_files
from service.http.access import visit
from service.http.head_requests import Service, name_head
from service.models.operations import allow, check_query, documented
from service.models.responses import Healthy
from service.pages import ROUTERS
from service.pages.error_pages import as_page
from service.pages.layout import TEMPLATES
from service.settings import Settings

LONGEST_BODY: Final = 64 * 1024
"""The largest request body in bytes."""

HEADERS: Final = [
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
]


@get("/healthz", **documented({200: Healthy}, auth="none"))
async def healthz() -> Response[bytes]:
    """Report that the process answers."""
    return answer(Healthy(True))


async def _before_send(message: Message, scope: Scope) -> None:
    """Add headers, also to answers that bypass middleware (404, 405), and count the answer."""
    if message["type"] != "http.response.start":
        return
    headers: Any = message["headers"]
    if message["status"] == 405 or scope.get("method") == "OPTIONS":
        headers = name_head(headers)
    message["headers"] = [*headers, *HEADERS]
    scope["litestar_app"].state.live.answered(message["status"], scope)


async def _before(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Check every routed request before its handler."""
    request.app.state.live.before(request)
    check_query(request)
    return allow(request) if request.method == "OPTIONS" else None


def create_app(book: Book, settings: Settings | None = None) -> Service:
    """Return the service over a book; the caller opens and closes the book's store."""
    chosen = settings or Settings()
    live = AppState(book, chosen)
    readiness = health.Readiness(book)
    return Service(
        route_handlers=[
            healthz,
            health.ROUTER,
            # One router for all, so that several routers can define methods of one path.
            Router(
                "/",
                route_handlers=[
                    games.ROUTER,
                    judging.ROUTER,
                    library.ROUTER,
                    matches.ROUTER,
                    explorer.ROUTER,
                    takebacks.ROUTER,
                    corrections.ROUTER,
                    missing_moves.ROUTER,
                    forks.ROUTER,
                    variations.ROUTER,
                    tags.ROUTER,
                    ANNOTATIONS,
                    exports.ROUTER,
                    imports.router(chosen),
                    events.ROUTER,
                    hints.ROUTER,
                    invitations.ROUTER,
                    hooks.ROUTER,
                    streams.ROUTER,
                ],
            ),
            schema.ROUTER,
            *ROUTERS,
            static_files.ROUTER,
        ],
        dependencies={
            "book": Provide(lambda: book, sync_to_thread=False),
            "settings": Provide(lambda: chosen, sync_to_thread=False),
            "readiness": Provide(lambda: readiness, sync_to_thread=False),
            "visit": Provide(visit, sync_to_thread=False),
            **live.dependencies(),
        },
        before_request=_before,
        exception_handlers={
            problems.Problem: as_page(problems.answer_problem),
            PlybookError: as_page(problems.answer_record_error),
            HTTPException: as_page(problems.answer_http_error),
            Exception: as_page(problems.answer_bug),
        },
        before_send=[_before_send],
        on_startup=[live.start],
        on_shutdown=[live.stop],
        state=State({"live": live, "book": book, "settings": chosen}),
        request_max_body_size=LONGEST_BODY,
        compression_config=CompressionConfig("gzip", minimum_size=400, exclude="/stream$"),
        template_config=TEMPLATES,
        openapi_config=None,
        logging_config=None,
    )
