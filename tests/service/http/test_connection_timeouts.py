"""Connections with no request, half of one or a large header are closed and do not block others."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cli.serve import bind
from replay.book import Book
from service.app import create_app
from service.http.connections import BoundedHeader, TimeoutProtocol, connection_options
from service.http.limits import MAX_HEADERS
from service.settings import Settings
from tests.service.stores import empty_store
from tests.waiting import PATIENCE

uvloop = pytest.importorskip("uvloop")
httptools = pytest.importorskip("uvicorn.protocols.http.httptools_impl")

Pair = tuple[Callable[[], asyncio.AbstractEventLoop], type]

PAIRS: dict[str, Pair] = {
    "uvloop, httptools": (uvloop.new_event_loop, httptools.HttpToolsProtocol),
    "asyncio, h11": (asyncio.new_event_loop, H11Protocol),
}
"""The event loops with the HTTP parsers: the second pair where there are no wheels of the first."""

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
POST = (
    b"POST /matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 19\r\n\r\n"
)
SHORT = {"header_timeout": 0.5, "body_timeout": 0.5}

BODY = b'{"game": "poptrix"}'
CHUNKED = (
    b"POST /matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
MAX_HEADER = 2000
MAX_READ = 256 * 1024
"""The most bytes that a transport of asyncio reads at once; one of uvloop reads fewer."""

ENDLESS = {
    "a value": (GET + b"X-A: ", b"a"),
    "many headers": (GET, b"a:b\r\n"),
    "an address": (b"GET /", b"a"),
    "an extension of a chunk": (CHUNKED + b"1;", b"a"),
    "trailers": (CHUNKED + b"0\r\n", b"a:b\r\n"),
}
"""The beginnings of requests, and what can be sent after them for ever."""


class Client:
    """A connection that sends any bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def rest(self) -> bytes:
        """Return everything that the server sends before it closes the connection."""
        with suppress(ConnectionError):
            return await asyncio.wait_for(self.reader.read(), PATIENCE)
        return b""

    async def answer(self) -> bytes:
        return await asyncio.wait_for(self.reader.readuntil(b"true}"), PATIENCE)


class Door:
    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self.clients: list[Client] = []

    async def connect(self, data: bytes = b"") -> Client:
        client = Client(*await asyncio.open_connection(*self.address))
        client.send(data)
        self.clients.append(client)
        return client


@asynccontextmanager
async def serving(protocol: type, **settings: float) -> AsyncIterator[Door]:
    chosen = Settings(**settings)  # type: ignore[arg-type]
    store = empty_store()
    app = create_app(Book(store), chosen)
    config = uvicorn.Config(
        app,
        **connection_options(chosen, protocol),
        lifespan="on",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    with bind("127.0.0.1", 0) as listening:
        running = asyncio.create_task(server.serve([listening]))
        door = Door(listening.getsockname())
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield door
        finally:
            for client in door.clients:
                client.writer.close()
            app.state.live.end_streams()
            server.should_exit = True
            await running
    store.close()


def with_both(test: Callable[[type], Coroutine[Any, Any, None]]) -> Callable[[Pair], None]:
    """Run a test in each event loop with its HTTP parser."""

    @pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
    def run(pair: Pair) -> None:
        run_with(pair, test)

    return run


def run_with(pair: Pair, test: Callable[[type], Coroutine[Any, Any, None]]) -> None:
    loop, protocol = pair
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(test(protocol))


def problem(answer: bytes) -> dict[str, object]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    told: dict[str, object] = json.loads(body)
    assert head.startswith(f"HTTP/1.1 {told['status']} ".encode())
    return told


@with_both
async def test_half_a_request_is_answered_with_408(protocol):
    async with serving(protocol, **SHORT) as door:
        for sent, part in ((GET, "header"), (POST + b'{"game"', "body")):
            told = problem(await (await door.connect(sent)).rest())
            assert (told["status"], part in str(told["detail"])) == (408, True)
        second = await door.connect(GET + b"\r\n")
        assert b" 200 " in await second.answer()
        second.send(GET)
        assert problem(await second.rest())["status"] == 408
        silent = await door.connect()
        assert await silent.rest() == b""


@with_both
async def test_header_byte_by_byte_gets_no_more_time(protocol):
    async with serving(protocol, **SHORT) as door:
        client = await door.connect(GET + b"X-Slow: ")
        closed = asyncio.create_task(client.rest())
        async with asyncio.timeout(PATIENCE):
            while not closed.done():
                client.send(b"x")
                await asyncio.sleep(0.02)


@with_both
async def test_idle_connection_is_closed_after_a_while(protocol):
    async with serving(protocol, keep_alive=0) as door:
        client = await door.connect(GET + b"\r\n")
        assert b" 200 " in await client.rest()


@with_both
async def test_client_that_sends_whole_requests_stays_connected(protocol):
    async with serving(protocol, **SHORT) as door:
        client = await door.connect()
        for _ in range(20):
            client.send(GET + b"\r\n")
            assert b" 200 " in await client.answer()
            await asyncio.sleep(0.05)


@with_both
async def test_stream_outlives_the_time_outs(protocol):
    async with serving(protocol, **SHORT, heartbeat=0.1) as door:
        client = await door.connect(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(8):
            await asyncio.wait_for(client.reader.readuntil(b"still here"), PATIENCE)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("sent", [b"", GET, POST], ids=["nothing", "header", "body"])
def test_oldest_waiting_connection_is_closed_first(pair, sent):
    async def go(protocol: type) -> None:
        async with serving(protocol, connections=20, header_timeout=0, body_timeout=0) as door:
            half = [await door.connect(sent) for _ in range(60)]
            client = await door.connect(GET + b"\r\n")
            assert b" 200 " in await client.answer()
            await asyncio.gather(*(one.rest() for one in half[:41]))
            assert not any(one.reader.at_eof() for one in half[41:])

    run_with(pair, go)


@with_both
async def test_address_with_most_waiting_connections_makes_room(protocol):
    async with serving(protocol, connections=20, header_timeout=0) as door:
        reader, writer = await asyncio.open_connection(*door.address, local_addr=("127.0.0.2", 0))
        other = Client(reader, writer)
        door.clients.append(other)
        other.send(GET)
        for _ in range(60):
            await door.connect(GET)
        other.send(b"\r\n")
        assert b" 200 " in await other.answer()


@with_both
async def test_new_connection_waits_while_others_are_busy(protocol):
    async with serving(protocol, connections=3) as door:
        for _ in range(3):
            stream = await door.connect(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await asyncio.wait_for(stream.reader.readuntil(b"still here"), PATIENCE)
        client = await door.connect()
        answer = await client.rest()
        assert problem(answer)["status"] == 503
        assert b"Retry-After: " in answer


@with_both
async def test_header_beyond_limit_is_answered_with_431(protocol):
    async with serving(protocol, longest_header=MAX_HEADER) as door:
        for begin, more in ENDLESS.values():
            client = await door.connect(begin + more * 2 * MAX_HEADER)
            told = problem(await client.rest())
            assert told["status"] == 431
            assert f"{MAX_HEADERS} fields of {MAX_HEADER} bytes" in str(told["detail"])


@with_both
async def test_endless_header_is_parsed_up_to_its_limit(protocol):
    parsed = Counter[str]()

    class Counting(protocol):  # type: ignore[misc]
        def data_received(self, data: bytes) -> None:
            parsed["bytes"] += len(data)
            super().data_received(data)

    async with serving(Counting, longest_header=MAX_HEADER) as door:
        for what, (begin, more) in ENDLESS.items():
            parsed.clear()
            client = await door.connect(begin)
            with suppress(ConnectionError):
                for _ in range(4 * MAX_READ // MAX_HEADER):
                    client.send(more * MAX_HEADER)
                    await client.writer.drain()
            await client.rest()
            at_most = MAX_HEADER + (MAX_READ if protocol is H11Protocol else MAX_HEADER)
            assert 0 < parsed["bytes"] <= at_most, what


@with_both
async def test_request_has_at_most_a_hundred_headers(protocol):
    async with serving(protocol) as door:
        for more, status in ((MAX_HEADERS - 1, b" 200 "), (MAX_HEADERS, b" 431 ")):
            client = await door.connect(GET + b"a:b\r\n" * more + b"\r\n")
            assert status in await asyncio.wait_for(client.reader.readline(), PATIENCE)


@with_both
async def test_two_host_headers_are_answered_with_400(protocol):
    async with serving(protocol) as door:
        client = await door.connect(GET + b"Host: localhost\r\nConnection: close\r\n\r\n")
        assert problem(await client.rest())["status"] == 400


@with_both
async def test_chunks_and_trailers_do_not_count_as_headers(protocol):
    async with serving(protocol, longest_header=MAX_HEADER) as door:
        client = await door.connect(CHUNKED + b"1\r\n \r\n" * MAX_HEADER)
        client.send(b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY))
        assert b" 201 " in await asyncio.wait_for(client.reader.readline(), PATIENCE)
        trailed = CHUNKED + b"%x\r\n%b\r\n0\r\nHost: b\r\n\r\n" % (len(BODY), BODY)
        client = await door.connect(trailed)
        assert b" 201 " in await asyncio.wait_for(client.reader.readline(), PATIENCE)


@with_both
async def test_connection_survives_a_refused_body(protocol):
    async with serving(protocol, longest_header=MAX_HEADER) as door:
        client = await door.connect(CHUNKED.replace(b"/matches", b"/nowhere"))
        assert b" 404 " in await asyncio.wait_for(client.reader.readline(), PATIENCE)
        for _ in range(20):
            client.send(b"%x\r\n%b\r\n" % (MAX_HEADER, b" " * MAX_HEADER))
        client.send(b"0\r\n\r\n" + GET + b"\r\n")
        assert b" 200 " in await client.answer()


@with_both
async def test_pipelined_requests_may_exceed_header_limit_together(protocol):
    async with serving(protocol, longest_header=100) as door:
        client = await door.connect((GET + b"\r\n") * 20)
        for _ in range(20):
            assert b" 200 " in await client.answer()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (TimeoutProtocol, H11Protocol),
        (TimeoutProtocol, httptools.HttpToolsProtocol),
        (BoundedHeader, httptools.HttpToolsProtocol),
    ],
)
def test_uvicorn_still_has_the_overridden_methods(ours, theirs):
    """Uvicorn does not document them; without one of them, ours would never be called."""
    overridden = {
        name: list(inspect.signature(method).parameters)
        for name, method in vars(ours).items()
        if inspect.isfunction(method) and not name.startswith("_") and name != "close_waiting"
    }
    assert len(overridden) in (5, 7)
    for name, parameters in overridden.items():
        assert list(inspect.signature(getattr(theirs, name)).parameters) == parameters, name
