"""Build the application over a book: routes, error handlers and headers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

from litestar import Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.enums import CompressionEncoding
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.types import Message, Scope, Send

from replay.book import Book
from replay.errors import PlybookError
from service import api, pages
from service.api import events, imports, reconstruction
from service.app_state import Allowed, AppState
from service.http import problems, static_files
from service.http.access import visit
from service.http.book_reads import MatchReader
from service.http.conditions import conditional
from service.http.head_requests import Service
from service.http.rights import RightsPlugin
from service.live.telemetry import Telemetry
from service.models.bodies import StrictRequest
from service.openapi.openapi import answer_invalid
from service.pages import adjust, pocket
from service.pages.layout import TEMPLATES, as_page
from service.settings import Settings

MAX_BODY: Final = 64 * 1024
"""The largest request body in bytes."""


PICTURES: Final = frozenset((b"image/gif", b"image/png"))
"""Media types with compressed content; compressing them again takes up to 30 ms."""


class _Compression(CompressionMiddleware):
    """Compression of all answers except pictures."""

    def create_compression_send_wrapper(
        self, send: Send, compression_encoding: CompressionEncoding | str, scope: Scope
    ) -> Send:
        """Return a `send` that compresses unless the answer begins as a picture."""
        chosen = compressing = super().create_compression_send_wrapper(
            send, compression_encoding, scope
        )

        async def choose(message: Message) -> None:
            nonlocal chosen
            if message["type"] == "http.response.start":
                kind = dict(message["headers"]).get(b"content-type")
                chosen = send if kind in PICTURES else compressing
            await chosen(message)

        return choose


UNCOMPRESSED: Final = (events.enter_events, pocket.site_file)
"""The answers to moves, which take longer to compress than to send, and files compressed before."""
LONG: Final = (imports.import_records, imports.check_records, reconstruction.reconstruct_match)
"""The routes that accept larger bodies than others."""


@cache
def _routes(longest_import: int) -> Router:
    """Return one router for all routes, so that several modules can define methods of one path.

    Litestar copies it for each application, so it can be shared.
    """
    return Router("/", route_handlers=[*UNCOMPRESSED, _compressed(longest_import)])


def _compressed(longest_import: int) -> Router:
    """Return all other routes; their answers may be compressed.

    An event stream is never compressed. Tags are made of bodies before they are compressed.
    """
    config = CompressionConfig("gzip", minimum_size=400, exclude=["/stream$", "/changes$"])
    own = {"editing": Provide(adjust.read_editing, sync_to_thread=False)}
    return Router(
        "/",
        middleware=[DefineMiddleware(_Compression, config=config), conditional],
        route_handlers=[
            *_handlers(api),
            Router("/", route_handlers=LONG, request_max_body_size=longest_import or None),
            Router("/", route_handlers=_handlers(pages), dependencies=own, include_in_schema=False),
            static_files.ROUTER,
        ],
    )


def _handlers(package: ModuleType) -> list[HTTPRouteHandler]:
    """Return the routes of the modules of a package, except modules that are mounted separately."""
    names = (each.name for each in iter_modules(package.__path__, f"{package.__name__}."))
    return [
        each
        for module in map(import_module, names)
        for each in vars(module).values()
        if isinstance(each, HTTPRouteHandler) and each.fn.__module__ == module.__name__
        if each not in (*UNCOMPRESSED, *LONG)
    ]


def create_app(
    book: Book, settings: Settings | None = None, telemetry: Telemetry | None = None
) -> Service:
    """Return the service over a book; the caller opens and closes the book's store."""
    chosen = settings or Settings()
    live = AppState(book, chosen, telemetry or Telemetry())
    service = Service(
        route_handlers=[_routes(chosen.longest_import)],
        dependencies={
            "book": Provide(lambda: book, sync_to_thread=False),
            "settings": Provide(lambda: chosen, sync_to_thread=False),
            "live": Provide(lambda: live, sync_to_thread=False),
            "visit": Provide(visit),
        },
        guards=[live.admit],
        request_class=StrictRequest,
        plugins=[RightsPlugin()],
        exception_handlers={
            Allowed: lambda _, allowed: allowed.answer,
            problems.Problem: as_page(problems.answer_problem),
            PlybookError: as_page(problems.answer_record_error),
            ValidationException: as_page(answer_invalid),
            HTTPException: as_page(problems.answer_http_error),
            Exception: as_page(problems.answer_bug),
        },
        before_send=[live.before_send],
        on_startup=[live.start],
        on_shutdown=[live.stop],
        state=State({"live": live, "book": book, "reader": MatchReader(book), "settings": chosen}),
        request_max_body_size=MAX_BODY,
        template_config=TEMPLATES,
        openapi_config=None,
        logging_config=None,
    )
    if live.access_log is not None:
        service.wrap(live.access_log.wrap)
    service.wrap(live.telemetry.wrap)  # the outer wrapper, so that the access log knows the trace
    return service
