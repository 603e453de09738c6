"""The state of a running application: followers, limits, and hooks run on every request."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

from litestar import Response
from litestar.di import NamedDependency
from litestar.types import Message, Scope
from msgspec.structs import replace

from replay.book import Book
from service.http.access import VIEWER, AccessCache
from service.http.access_log import AccessLog
from service.http.addresses import checked_prefix
from service.http.caching import encoding_header
from service.http.cors import allow_headers, cross_origin_headers
from service.http.head_requests import name_head
from service.http.host_names import HostNames
from service.http.kept_statistics import KeptStatistics
from service.http.limits import BYTES, Limits
from service.http.problems import Problem
from service.http.trace_context import CURRENT, trace_of
from service.live.feed import Commits, Feed
from service.live.hook_deliveries import HookDeliverer
from service.live.indexer import Indexer
from service.live.leads import Leads
from service.live.messages import read_metadata
from service.live.readiness import Readiness
from service.live.telemetry import BEGAN, Telemetry
from service.openapi.openapi import check_query
from service.openapi.operations import allow
from service.settings import Settings
from service.workers.pool import Workers
from service.workers.process import IDLE_NICE

POLICY: Final = b"content-security-policy"
OWN_SITE: Final = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors "
"""The policy of all pages without a policy of their own; the allowed frames are appended."""

REFERRER: Final = (b"referrer-policy", b"same-origin")
NO_SNIFFING: Final = (b"x-content-type-options", b"nosniff")
PARTS: Final = "/static/{path}"
"""The path of style sheets, modules and pictures, which the policy of their page covers."""

METRICS: Final = "/metrics"
MAX_THREADS: Final = 64
"""The most requests that wait for a database server at one time."""
MEGABYTE: Final = 1024 * 1024


class Allowed(Exception):
    """Raised with the answer to OPTIONS, since a guard cannot return it."""

    def __init__(self, answer: Response[None]) -> None:
        super().__init__()
        self.answer = answer


class AppState:
    """The long-lived parts of an application over a book."""

    def __init__(self, book: Book, settings: Settings, telemetry: Telemetry) -> None:
        self.book = book
        self.telemetry = telemetry
        self.settings = settings
        book.cache.capacity = settings.cache_mb * MEGABYTE
        self.feed = Feed(book, partial(read_metadata, book))
        self.leads = Leads(book, self.feed)
        self.visits = AccessCache(book)
        self.commits = Commits()
        self._metrics_port = settings.metrics_port
        self._policy = POLICY, f"{OWN_SITE}{settings.frame_ancestors}".encode()
        self.host_names = HostNames(settings)
        root = settings.root_path
        self.prefix = None if root is None else checked_prefix(root)
        self.limits = Limits(settings)
        self.statistics = KeptStatistics(book, self.limits)
        self.access_log = None if settings.access_log == "off" else AccessLog(settings.access_log)
        self.workers = Workers(book, settings, self.limits, telemetry.work_failed)
        self.analysts = Workers(
            book, replace(settings, workers=1), self.limits, telemetry.work_failed, IDLE_NICE, 0
        )
        self.hook_deliverer = HookDeliverer(book, self.feed, settings, telemetry)
        self.indexer = Indexer(book)
        self.readiness = Readiness(book)
        telemetry.attend(self)

    async def start(self) -> None:
        """Start background tasks with the application."""
        if not self.book.store.is_local:  # threads wait for the server, and use no processor
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MAX_THREADS))
        self.feed.open()
        self.hook_deliverer.start()
        self.indexer.start()

    async def stop(self) -> None:
        """Stop background tasks with the application."""
        await self.hook_deliverer.stop()
        await self.indexer.stop()
        await asyncio.gather(self.workers.stop(), self.analysts.stop())
        self.end_streams()
        if self.access_log is not None:
            await asyncio.to_thread(self.access_log.close)
        await asyncio.to_thread(self.telemetry.close)

    def end_streams(self) -> None:
        """End streams and expensive work, because a stopping server waits for its answers."""
        self.feed.close()
        self.workers.end()
        self.analysts.end()

    async def admit(self, request: Any, handler: object) -> None:
        """Check a routed request before the guard of its right. Raises `Problem` and `Allowed`."""
        scope = request.scope
        scope[BEGAN] = time.perf_counter()
        CURRENT.set(trace_of(scope))
        if self._metrics_port is not None:
            self._check_port(scope)
        self.limits.admit(request)
        if scope["query_string"]:
            check_query(request)
        if request.method == "OPTIONS":
            raise Allowed(allow_headers(request, allow(request)))

    def _check_port(self, scope: Any) -> None:
        """Separate metrics and everything else by port. Raises `Problem` 404."""
        _, port = scope["server"] or (None, None)
        if (port == self._metrics_port) != (scope["path_template"] == METRICS):
            raise Problem(404, "this port does not serve this path")

    async def before_send(self, message: Message, scope: Scope) -> None:
        """Add headers, even to answers that bypass middleware (404, 405), and count the answer."""
        if message["type"] != "http.response.start":
            return
        headers: Any = message["headers"]
        sent, method = dict(headers), scope.get("method")
        length = int(sent.get(b"content-length", 0))
        if length >= BYTES:
            self.limits.sent(scope, length)
        if message["status"] == 405 or method == "OPTIONS":
            headers = name_head(headers)
        crossing = await cross_origin_headers(self.book, scope, message["status"])
        policy = () if POLICY in sent else (self._policy,)
        is_part = scope.get("path_template") == PARTS and not scope["path"].endswith(".svg")
        common = (NO_SNIFFING,) if is_part else (*policy, REFERRER, NO_SNIFFING)
        viewer = _viewer_header(scope) if VIEWER in scope else ()
        varying = encoding_header(message) if method == "GET" else ()
        common = (*common, *viewer, *varying, *self.limits.headers(scope))
        message["headers"] = [*headers, *common, *crossing]
        self.telemetry.answered(message["status"], scope)


TheAppState = NamedDependency[AppState]
"""The state of the application, for handlers that need more than its book."""


def _viewer_header(scope: Any) -> list[tuple[bytes, bytes]]:
    """Name the viewer to the page's device, so that it drops cached pages of another viewer."""
    is_page = (scope.get("path_template") or "").startswith("/m/")
    return [(b"plybook-viewer", scope[VIEWER].encode())] if is_page and scope[VIEWER] else []
