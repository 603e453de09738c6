"""Spans of requests, appends and calls of WebHooks follow the conventions and hold no tokens."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from replay.errors import Usage
from service import telemetry
from service.settings import Settings
from service.telemetry import spans
from tests.contract.server import run_server
from tests.replay.store.internals import held
from tests.service.live.test_hook_deliveries import receiving, register, until_told
from tests.service.live_service import LiveService, live_service
from tests.waiting import wait_until

ID, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = {"traceparent": f"00-{ID}-{PARENT}-01"}


class Traced:
    """A service whose spans are kept in memory."""

    def __init__(self, at: LiveService, exporter: InMemorySpanExporter) -> None:
        self.at = at
        self._exporter = exporter

    def spans(self, name: str) -> list[ReadableSpan]:
        return [each for each in self._exporter.get_finished_spans() if each.name == name]

    def everything(self) -> str:
        return "".join(each.to_json() for each in self._exporter.get_finished_spans())


@asynccontextmanager
async def traced_service(monkeypatch: pytest.MonkeyPatch, **settings: Any) -> AsyncIterator[Traced]:
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(spans, "exporting_provider", lambda: provider)
    async with live_service(otel=True, **settings) as at:
        yield Traced(at, exporter)


def span_id(span: ReadableSpan) -> str:
    return f"{span.context.span_id:016x}"


def parent_id(span: ReadableSpan) -> str | None:
    return span.parent and f"{span.parent.span_id:016x}"


def trace_id(span: ReadableSpan) -> str:
    return f"{span.context.trace_id:032x}"


async def test_request_span_has_the_conventional_attributes(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        client = traced.at.client
        match, *_ = await traced.at.open()
        await client.get(f"/matches/{match}", headers=SENT)
        await client.head(f"/matches/{match}")
        (shown,) = traced.spans("GET /matches/{match}")
        assert (shown.kind, shown.status.status_code) == (SpanKind.SERVER, StatusCode.UNSET)
        assert shown.attributes == {
            "http.request.method": "GET",
            "url.scheme": "http",
            "url.path": f"/matches/{match}",
            "network.protocol.version": "1.1",
            "server.address": "house",
            "http.response.status_code": 200,
            "http.route": "/matches/{match}",
        }
        assert (trace_id(shown), parent_id(shown)) == (ID, PARENT)
        (head,) = traced.spans("HEAD /matches/{match}")
        assert (head.parent, trace_id(head) == ID) == (None, False)


@pytest.mark.parametrize(
    ("host", "address", "port"),
    [
        ("Club.example", "club.example", None),
        ("club.example:8443", "club.example", 8443),
        ("[::1]:8000", "::1", 8000),
        ("club.example:", "club.example", None),
    ],
)
async def test_span_names_the_host_in_the_request(monkeypatch, host, address, port):
    async with traced_service(monkeypatch, host_names=("club.example",)) as traced:
        await traced.at.client.get("/games", headers={"Host": host})
        (shown,) = traced.spans("GET /games")
        named = [shown.attributes.get(f"server.{part}") for part in ("address", "port")]
        assert named == [address, port]


async def test_invalid_host_is_not_in_the_span(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        for host in ("club~example", "club.example:" + "9" * 5000):
            await traced.at.client.get("/games", headers={"Host": host})
        assert "club" not in traced.everything()


async def test_only_a_server_failure_is_an_error_span(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        client = traced.at.client
        await client.get("/no/such/page")
        await client.request("BREW", "/games")
        match, *_ = await traced.at.open()
        monkeypatch.setattr(traced.at.store, "metadata", lambda _: 1 / 0)
        await client.get(f"/matches/{match}")
        (missing,) = traced.spans("GET")
        assert missing.attributes["http.response.status_code"] == 404
        assert missing.status.status_code == StatusCode.UNSET
        assert [each.attributes["http.request.method"] for each in traced.spans("_OTHER")] == [
            "_OTHER"
        ]
        (failed,) = traced.spans("GET /matches/{match}")
        assert failed.status.status_code == StatusCode.ERROR
        assert failed.attributes["error.type"] == "500"


async def test_monitoring_has_no_spans(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        for path in ("/healthz", "/readyz", "/metrics"):
            assert (await traced.at.client.get(path)).status_code == 200
        assert traced.everything() == ""


async def test_append_span_has_request_and_group_size(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        at = traced.at
        matches = [await at.open() for _ in range(2)]
        with held(at.store, ends_epoch=False):
            moves = asyncio.gather(*(at.play(each.id, each.host, "M@c1") for each in matches))
            await wait_until(lambda: at.store._writer._jobs.qsize() == 2)
        await moves
        await wait_until(lambda: len(traced.spans("append")) == 2)
        requests = {span_id(each) for each in traced.spans("POST /matches/{match}/events")}
        appends = traced.spans("append")
        assert {parent_id(each) for each in appends} == requests
        assert [each.attributes for each in appends] == [
            {"db.operation.name": "COMMIT", "db.operation.batch.size": 2}
        ] * 2
        seconds = (await at.client.get("/metrics")).text
        assert "plybook_commit_seconds_count" in seconds
        assert "plybook_commit_seconds_count 0.0" not in seconds


async def test_late_append_is_an_error_of_its_span(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        at = traced.at
        match, host, _ = await at.open()
        url, body = f"/matches/{match}/events", {"events": [{"text": "M@c1"}], "expected": 0}
        with held(at.store, ends_epoch=False):
            post = at.client.post
            moves = [asyncio.create_task(post(url, json=body, headers=host)) for _ in "ab"]
            await wait_until(lambda: at.store._writer._jobs.qsize() == 2)
        answers = await asyncio.gather(*moves)
        assert sorted(each.status_code for each in answers) == [200, 412]
        await wait_until(lambda: len(traced.spans("append")) > 1)
        errors = [each.attributes.get("error.type") for each in traced.spans("append")]
        assert errors[0] is None
        assert set(errors[1:]) == {"Stale"}


async def test_hook_call_is_a_span_of_its_move(monkeypatch):
    async with traced_service(monkeypatch, hooks_anywhere=True) as traced, receiving() as receiver:
        at = traced.at
        match, host, _ = await at.open()
        hook = await register(at, match, host, receiver.url)
        receiver.answers = [b"HTTP/1.1 503 Later\r\n\r\n"]
        await at.play(match, host | SENT, "M@c1")
        await until_told(at, hook, host, lambda now: now["failures"] == 1)
        await at.client.post(f"/matches/{match}/hooks/{hook['id']}/ping", headers=host)
        (move,) = traced.spans("POST /matches/{match}/events")
        (ping,) = traced.spans("POST /matches/{match}/hooks/{hook}/ping")
        delivery, test = traced.spans("POST")
        assert (trace_id(delivery), parent_id(delivery)) == (ID, span_id(move))
        assert parent_id(test) == span_id(ping)
        assert delivery.attributes == {
            "http.request.method": "POST",
            "url.scheme": "http",
            "server.address": "127.0.0.1",
            "server.port": receiver.port,
            "http.response.status_code": 503,
            "error.type": "503",
        }
        assert (delivery.kind, test.status.status_code) == (SpanKind.CLIENT, StatusCode.UNSET)
        sent = [headers["traceparent"] for headers, _ in receiver.posts]
        assert sent == [f"00-{trace_id(each)}-{span_id(each)}-01" for each in (delivery, test)]


async def test_stream_span_ends_with_its_stream(monkeypatch):
    async with traced_service(monkeypatch) as traced:
        match, *_ = await traced.at.open()
        listener = await traced.at.listen(f"/matches/{match}/stream")
        await listener.next()
        assert traced.spans("GET /matches/{match}/stream") == []
        await listener.leave()
        assert len(traced.spans("GET /matches/{match}/stream")) == 1


async def test_spans_have_no_token_secret_or_name(monkeypatch):
    async with traced_service(monkeypatch, hooks_anywhere=True) as traced, receiving() as receiver:
        at = traced.at
        match, host, _ = await at.open(players={"1": "Zebulon"})
        token = host["Authorization"].removeprefix("Bearer ")
        hook = await register(at, match, host, receiver.url)
        await at.play(match, host, "M@c1")
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        for path in (f"/join/{match}/{token}", f"/join/{token}", f"/games?q={token}"):
            await at.client.get(path)
        text = traced.everything()
        assert f"/join/{match}/***" in text
        for secret in (token, token[2:26], hook["secret"], "key=x", "Zebulon", "M@c1"):
            assert secret not in text


def test_missing_extra_is_named_with_its_command(monkeypatch):
    for name in [*sys.modules]:
        if name.startswith("opentelemetry.") or name == "service.telemetry.spans":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("service.telemetry.spans")
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(Usage, match=r"pip install '\.\[otel\]'"):
        telemetry.check_extra()


def test_unreadable_variable_is_named(monkeypatch):
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "-1")
    with pytest.raises(Usage, match="OpenTelemetry cannot be read"):
        telemetry.open_telemetry(Settings(otel=True))


@contextmanager
def collecting() -> Iterator[tuple[str, Queue[Any]]]:
    """Run a collector that understands OTLP over HTTP; return its address and its requests."""
    received: Queue[Any] = Queue()

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.put((self.path, ExportTraceServiceRequest.FromString(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", received
        finally:
            server.shutdown()
            thread.join()


def test_server_exports_its_spans_to_a_collector(tmp_path, monkeypatch):
    with collecting() as (address, received):
        monkeypatch.setenv("PLYBOOK_OTEL", "true")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        with run_server(tmp_path) as server:
            match = server.open("poptrix")
            body = {"events": [{"text": "M@c1"}]}
            path = f"/matches/{match.id}/events"
            server.client.post(path, json=body, headers=match.host | SENT).raise_for_status()
    requests = [received.get_nowait() for _ in range(received.qsize())]
    assert {path for path, _ in requests} == {"/v1/traces"}
    resources = [each for _, request in requests for each in request.resource_spans]
    attributes = {each.key: each.value.string_value for each in resources[0].resource.attributes}
    assert attributes["service.name"] == "plybook"
    found = {
        span.name: span
        for resource in resources
        for scope in resource.scope_spans
        for span in scope.spans
    }
    move, append = found["POST /matches/{match}/events"], found["append"]
    assert (move.trace_id.hex(), move.parent_span_id.hex()) == (ID, PARENT)
    assert append.parent_span_id == move.span_id
