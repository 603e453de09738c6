"""OpenTelemetry spans of requests, appends and calls of WebHooks. It needs the extra `otel`.

Attributes follow the semantic conventions
(https://opentelemetry.io/docs/specs/semconv/http/http-spans/). Paths are masked as in the access
log. An address that is called is recorded by its host only, because the rest may contain a secret.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.types import ASGIApp, Message, Receive, Send
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.semconv.attributes.db_attributes import (
    DB_OPERATION_BATCH_SIZE,
    DB_OPERATION_NAME,
)
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.semconv.attributes.http_attributes import (
    HTTP_REQUEST_METHOD,
    HTTP_RESPONSE_STATUS_CODE,
    HTTP_ROUTE,
)
from opentelemetry.semconv.attributes.network_attributes import NETWORK_PROTOCOL_VERSION
from opentelemetry.semconv.attributes.server_attributes import SERVER_ADDRESS, SERVER_PORT
from opentelemetry.semconv.attributes.service_attributes import SERVICE_NAME, SERVICE_VERSION
from opentelemetry.semconv.attributes.url_attributes import URL_PATH, URL_SCHEME
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from replay.store.sql.store import Store
from replay.store.types import Appended
from replay.store.writer_thread import Observer
from service.app_state import AppState
from service.http.access_log import METHODS, masked
from service.http.head_requests import ASKED
from service.http.host_names import HOST
from service.http.limits import EXEMPT
from service.http.safe_http import SCHEMES, Call, call, host_of
from service.http.trace_context import CURRENT, TRACE, Trace, trace_of
from service.telemetry.metrics import Metrics

OTHER: Final = "_OTHER"
"""The attribute value for an unusual method or type of error."""

UNNAMED: Final = "unknown_service"
"""The prefix of the SDK's default name of a service."""

CLOSE_TIMEOUT: Final = 2.0
"""The seconds that a stopping server waits to send its last spans."""


def exporting_provider() -> TracerProvider:
    """Return a provider that exports over OTLP as the `OTEL_` variables say.

    Raises `ValueError` for a variable that cannot be read.
    """
    resource = Resource.create({SERVICE_VERSION: version("plybook")})
    if str(resource.attributes[SERVICE_NAME]).startswith(UNNAMED):
        resource = resource.merge(Resource({SERVICE_NAME: "plybook"}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Spans(Metrics):
    """The spans of one application besides its metrics; it observes the commits of its store."""

    def __init__(self, provider: TracerProvider) -> None:
        super().__init__()
        self._provider = provider
        self._tracer = provider.get_tracer("plybook", version("plybook"))
        self._writes = 1
        self._observer: Observer | None = None

    def attend(self, live: AppState) -> None:
        """Measure the parts of an application, and also make spans of the appends to its book."""
        super().attend(live)
        live.book.watch_writes(self._append)

    def observe(self, store: Store, observer: Observer) -> None:
        """Observe the commits of a store, and pass them on."""
        self._observer = observer
        store.observe(self)

    def close(self) -> None:
        """Export the remaining spans, for at most `CLOSE_TIMEOUT` seconds."""
        closing = threading.Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(CLOSE_TIMEOUT)

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Return an application that answers like `app`, with a span for each request.

        Requests of monitoring get no span.
        """

        async def traced(scope: Any, receive: Receive, send: Send) -> None:
            own = str(scope.get("path", "")).removeprefix(scope.get("root_path", ""))
            if scope["type"] != "http" or own in EXEMPT:
                await app(scope, receive, send)
            else:
                await self._trace(app, scope, receive, send)

        return traced

    async def call(
        self, trace: Trace | None, url: str, body: bytes, headers: Mapping[str, str], anywhere: bool
    ) -> Call:
        """Call an address within a new span; the request names the span as its parent."""
        span = self._tracer.start_span("POST", _within(trace), SpanKind.CLIENT, _called(url))
        try:
            parent = {"traceparent": _named(span).header}
            done = await call(url, body, {**headers, **parent}, anywhere)
            if done.status is not None:
                span.set_attribute(HTTP_RESPONSE_STATUS_CODE, done.status)
            if not done.arrived:
                _fail(span, str(done.status or OTHER), None if done.status else done.told)
            return done
        finally:
            span.end()

    def committed(self, seconds: float, writes: int = 1) -> None:
        """Remember the size of the group of writes whose spans end next."""
        self._writes = writes
        if self._observer is not None:
            self._observer.committed(seconds, writes)

    def failed(self) -> None:
        """Pass on that a transaction failed because of the disk."""
        if self._observer is not None:
            self._observer.failed()

    async def _trace(self, app: ASGIApp, scope: Any, receive: Receive, send: Send) -> None:
        asked = scope.get(ASKED, scope["method"])
        method = asked if asked in METHODS else OTHER
        span = self._tracer.start_span(
            method, _within(trace_of(scope)), SpanKind.SERVER, _asked(scope, method)
        )
        scope[TRACE] = _named(span)

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                span.set_attribute(HTTP_RESPONSE_STATUS_CODE, status)
                if status >= 500:
                    _fail(span, str(status))
            await send(message)

        try:
            await app(scope, receive, answering)
        except Exception as error:
            _fail(span, type(error).__name__)
            raise
        finally:
            route = scope.get("path_template")
            if route:
                span.update_name(f"{method} {route}")
                span.set_attribute(HTTP_ROUTE, route)
            span.end()

    def _append(self, write: Future[Appended]) -> None:
        within = _within(CURRENT.get())
        span = self._tracer.start_span("append", within, attributes={DB_OPERATION_NAME: "COMMIT"})
        write.add_done_callback(partial(self._end_append, span))

    def _end_append(self, span: Span, write: Future[Appended]) -> None:
        """End the span of an append. Called in the thread that writes, after `committed`."""
        error = None if write.cancelled() else write.exception()
        if error is None:
            span.set_attribute(DB_OPERATION_BATCH_SIZE, self._writes)
        else:
            _fail(span, type(error).__name__)
        span.end()


def _asked(scope: Any, method: str) -> dict[str, str | int]:
    """Return the attributes of a request that are known when it arrives."""
    address, port = _server(scope)
    told = {
        HTTP_REQUEST_METHOD: method,
        URL_SCHEME: scope["scheme"],
        URL_PATH: masked(scope["path"]),
        NETWORK_PROTOCOL_VERSION: scope["http_version"],
        SERVER_ADDRESS: address,
        SERVER_PORT: port,
    }
    return {name: value for name, value in told.items() if value is not None}


def _server(scope: Any) -> tuple[str | None, int | None]:
    """Return the host and the port that the caller named, or the server's own.

    Behind a proxy, only the names that callers use are known outside.
    """
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
    found = HOST.fullmatch(host)
    if found is None:
        return scope.get("server") or (None, None)
    return found[1].strip("[]"), int(found[2]) if found[2] else None


def _called(url: str) -> dict[str, str | int]:
    """Return the attributes of a called address, without its path and query."""
    parts = urlsplit(url)
    return {
        HTTP_REQUEST_METHOD: "POST",
        URL_SCHEME: parts.scheme,
        SERVER_ADDRESS: host_of(url),
        SERVER_PORT: parts.port or SCHEMES.get(parts.scheme, 0),
    }


def _within(trace: Trace | None) -> Context:
    """Return the context of a new span: with the given parent, or without a parent."""
    if trace is None:
        return Context()
    flags = TraceFlags(TraceFlags.SAMPLED if trace.sampled else TraceFlags.DEFAULT)
    parent = SpanContext(int(trace.id, 16), int(trace.span, 16), is_remote=True, trace_flags=flags)
    return set_span_in_context(NonRecordingSpan(parent), Context())


def _named(span: Span) -> Trace:
    found = span.get_span_context()
    return Trace(f"{found.trace_id:032x}", f"{found.span_id:016x}", found.trace_flags.sampled)


def _fail(span: Span, kind: str, words: str | None = None) -> None:
    span.set_status(StatusCode.ERROR, words)
    span.set_attribute(ERROR_TYPE, kind)
