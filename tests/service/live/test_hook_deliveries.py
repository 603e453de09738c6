"""WebHooks get the public events, signed and in order, and reach no private address."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.store import open_store
from replay.store.feed_types import Hook
from service.http import safe_http
from service.live import hook_deliveries, hook_headers, hook_news, hook_schedule
from service.live.feed import POLL_INTERVAL
from service.live.hook_schedule import Deadlines
from tests.service.api.test_merges import ARCHIVE, longer
from tests.service.live.test_streams import PROGRAMS
from tests.service.live_service import LiveService, live_match, live_service
from tests.waiting import PATIENCE, wait_until

SECRET = "a secret that is long enough".replace(" ", "-")
CLOSED = (
    *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1", "0.0.0.0", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1"),
    *("198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "4000::1"),
    *("64:ff9b::10.0.0.1", "2002:7f00:1::1", "2002:c0a8:101::1", "2001:0:7f00:1::1"),
    *("192.88.99.1", "::ffff:192.88.99.1", "64:ff9b::192.88.99.1", "3fff::1", "3fff:fff::1"),
    *("2002:101:101::1", "2001:0:101:101::1", "64:ff9b:1::1.1.1.1", "::ffff:0:1.1.1.1"),
    *("2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1"),
    *("2001:30::1", "2620:4f:8000::1", "100::1", "100:0:0:1::1", "5f00::1", "fd00::1"),
    *("192.0.0.1", "192.0.0.9", "192.0.0.170", "192.31.196.1", "192.52.193.1", "192.175.48.1"),
    *("198.51.100.1", "203.0.113.1", "ff0e::1", "::1.1.1.1"),
)
OF_A_HOOK = (
    *(("GET", ""), ("DELETE", ""), ("POST", "/revive"), ("POST", "/ping"), ("POST", "/rotate")),
)
TOKENS = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
HOOK = Hook("h", 1, "http://example.org", SECRET, created=0, delivered=0)


class Receiver:
    """A server of HTTP/1.1 with prepared answers that stores the posted requests."""

    def __init__(self) -> None:
        self.posts: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[bytes] = []
        self.pause = 0.0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/news?key=x"

    def events(self) -> list[dict[str, Any]]:
        return [event for _, body in self.posts for event in json.loads(body)["events"]]

    def versions(self, hook: dict[str, Any]) -> list[int]:
        """Return the versions in the order a hook received them."""
        told = (json.loads(body) for _, body in self.posts)
        return [
            event["version"] for one in told if one["hook"] == hook["id"] for event in one["events"]
        ]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._answer(reader, writer)
        finally:
            writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")[1:-2]
        sent = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(sent["content-length"]))
        self.posts.append(({**sent, "first-line": head.splitlines()[0]}, body))
        answer = self.answers.pop(0) if self.answers else b"HTTP/1.1 204 No Content\r\n\r\n"
        await asyncio.sleep(self.pause)
        writer.write(answer)


@asynccontextmanager
async def receiving(**options: Any) -> AsyncIterator[Receiver]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, **options)
    receiver.port = server.sockets[0].getsockname()[1]
    async with server:
        yield receiver


@asynccontextmanager
async def two_servers(path: Path) -> AsyncIterator[tuple[LiveService, LiveService]]:
    """Two services over one file."""
    stores = [open_store(path) for _ in range(2)]
    async with (
        live_service(stores[0], hooks_anywhere=True) as one,
        live_service(stores[1], hooks_anywhere=True) as two,
    ):
        yield one, two
    for store in stores:
        store.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat failed deliveries at once."""
    monkeypatch.setattr(hook_schedule, "FIRST_WAIT", 1)


def status(code: int, *headers: str) -> bytes:
    return "\r\n".join((f"HTTP/1.1 {code} As told", *headers, "", "")).encode()


async def register(at: LiveService, match: str, host: dict[str, str], url: str) -> dict[str, Any]:
    body = {"url": url, "secret": SECRET}
    answer = await at.client.post(f"/matches/{match}/hooks", json=body, headers=host)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def told(at: LiveService, hook: dict[str, Any], host: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = (
        await at.client.get(f"/matches/{hook['match']}/hooks/{hook['id']}", headers=host)
    ).json()
    return found


async def until_told(
    at: LiveService,
    hook: dict[str, Any],
    host: dict[str, str],
    true: Callable[[dict[str, Any]], Any],
) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while not true(found := await told(at, hook, host)):
            await asyncio.sleep(0.02)
    return found


@asynccontextmanager
async def hooked(
    game: str = "poptrix", **body: Any
) -> AsyncIterator[tuple[LiveService, Receiver, str, dict[str, str], dict[str, Any]]]:
    """Serve a match with a hook: the service, its receiver, the match, its host and the hook."""
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        match, host, _ = await at.open(game, **body)
        yield at, receiver, match, host, await register(at, match, host, receiver.url)


# Deliveries


async def test_events_after_registration_are_posted_signed():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        match, host, _ = await at.open()
        await at.play(match, host, "M@c1")
        hook = await register(at, match, host, receiver.url)
        await at.play(match, host, "S@c6", "c1>L@c3")
        await until_told(at, hook, host, lambda now: now["delivered"] == 3)
        sent, body = receiver.posts[0]
        assert sent["first-line"] == "POST /news?key=x HTTP/1.1"
        assert sent["host"] == f"127.0.0.1:{receiver.port}"
        assert sent["content-type"] == "application/json"
        assert sent["plybook-delivery"] == f"{hook['id']}-2-3"
        signed = f"{sent['plybook-timestamp']}.".encode() + body
        digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        assert sent["plybook-signature"] == f"sha256={digest}"
        delivery = json.loads(body)
        assert delivery["type"] == "match.events"
        assert (delivery["match"], delivery["hook"]) == (match, hook["id"])
        listener = await at.listen(f"/matches/{match}/stream?after=1")
        assert delivery["events"] == [(await listener.next()).data for _ in range(2)]


async def test_change_of_a_player_is_posted_before_the_first_move_and_after_the_end():
    async with hooked(players={"1": "Jet", "2": "Red"}) as (at, receiver, match, host, hook):
        path, names = f"/matches/{match}/people", []
        for number, (seat, name) in enumerate((("1", "Ann"), ("2", "Ben")), 1):
            body = {"players": {seat: name}, "reason": "slip"}
            await at.client.patch(path, json=body, headers=host)
            async with asyncio.timeout(PATIENCE):
                while len(receiver.posts) < 2 * number - 1:
                    await asyncio.sleep(0.02)
            sent, delivery = receiver.posts[-1]
            told = json.loads(delivery)
            names.append((told["events"], told["words"], [each["name"] for each in told["people"]]))
            assert sent["plybook-delivery"].startswith(f"{hook['id']}-people-")
            if number == 1:
                await at.play(match, host, "1:resign")
                await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        assert names == [
            ([], "seat 1 is Ann now (scorekeeper)", ["Ann"]),
            ([], "seat 2 is Ben now after the end (scorekeeper)", ["Ben"]),
        ]
        assert json.loads(receiver.posts[1][1])["people"] == []


async def test_hook_and_stream_mark_what_the_host_brought_in_as_the_log_does():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        match, host, _ = await at.open()
        path = f"/matches/{match}/record?format=archive"
        shorter = (await at.client.get(path)).content
        hook = await register(at, match, host, receiver.url)
        resigned = {"type": "resigned", "seat": 2}
        sent = {"Content-Type": ARCHIVE} | host
        more = longer(shorter, data=resigned, actor="seat 2", at=at.book.now())
        done = await at.client.post("/records?merge=true", content=more, headers=sent)
        assert done.status_code == 201
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        (logged,) = (await at.client.get(f"/matches/{match}/events")).json()["events"]
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        told = (await listener.next()).data
        assert logged["brought_in"] > 0
        assert {name: told[name] for name in logged} == logged
        assert json.loads(receiver.posts[0][1])["events"] == [told]


async def test_hook_gets_sealed_move_after_its_reveal():
    async with hooked("pyramid-ball") as (at, receiver, match, host, hook):
        secret = PROGRAMS[0].partition(":")[2]
        await at.play(match, host, PROGRAMS[0])
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        assert secret not in receiver.posts[0][1].decode()
        await at.play(match, host, PROGRAMS[1])
        await until_told(at, hook, host, lambda now: now["delivered"] == 2)
        assert receiver.events()[1]["revealed"][0]["text"] == PROGRAMS[0]


async def test_many_events_come_in_several_deliveries(monkeypatch):
    monkeypatch.setattr(hook_news, "PAGE", 2)
    async with hooked() as (at, receiver, match, host, hook):
        await at.play(match, host, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")
        await until_told(at, hook, host, lambda now: now["delivered"] == 5)
        assert [len(json.loads(body)["events"]) for _, body in receiver.posts] == [2, 2, 1]
        assert [event["version"] for event in receiver.events()] == [1, 2, 3, 4, 5]


@pytest.mark.usefixtures("hurried")
async def test_failed_deliveries_are_repeated_completely_and_in_order():
    async with hooked() as (at, receiver, match, host, hook):
        receiver.answers = [status(500), b"", status(302, "Location: /elsewhere"), b"nonsense\r\n"]
        for token in ("M@c1", "S@c6", "c1>L@c3"):
            await at.play(match, host, token)
        now = await until_told(at, hook, host, lambda now: now["delivered"] == 3)
        assert (now["failures"], now["since"], now["answer"]) == (0, None, "status 204")
        assert all(sent["first-line"].startswith("POST /news") for sent, _ in receiver.posts)
        seen = [event["version"] for event in receiver.events()]
        assert list(dict.fromkeys(seen)) == [1, 2, 3]
        assert len(receiver.posts) >= 5


async def test_failure_can_be_inspected():
    async with hooked() as (at, receiver, match, host, hook):
        receiver.answers = [status(503)]
        await at.play(match, host, "M@c1")
        now = await until_told(at, hook, host, lambda now: now["failures"])
        assert (now["delivered"], now["answer"], now["dead"]) == (0, "status 503", False)
        assert now["due"] > now["tried"] == now["since"]


async def test_deliveries_continue_after_a_restart(tmp_path):
    store = open_store(tmp_path / "book.db")
    async with receiving() as receiver:
        async with live_service(store, hooks_anywhere=True) as at:
            receiver.answers = [status(500)]
            match, host, _ = await at.open()
            hook = await register(at, match, host, receiver.url)
            await at.play(match, host, "M@c1")
            await until_told(at, hook, host, lambda now: now["failures"])
        failed = store.hooks()[0]
        store.put_hook(replace(failed, due=0)).result()
        async with live_service(store, hooks_anywhere=True) as at:
            await until_told(at, hook, host, lambda now: now["delivered"] == 1)
    store.close()


async def test_two_servers_deliver_everything_once_in_order(tmp_path):
    async with two_servers(tmp_path / "book.db") as (one, two), receiving() as receiver:
        match, host, _ = await one.open()
        made = [await register(one, match, host, receiver.url) for _ in range(4)]
        receiver.pause = 2 * POLL_INTERVAL  # the other server sees the pending delivery
        two.app.state.live.hook_deliverer.look()
        for at, token in zip((one, two, one, two), TOKENS, strict=True):
            await at.play(match, host, token)
        for hook in made:
            await until_told(two, hook, host, lambda now: now["delivered"] == len(TOKENS))
        for hook in made:
            assert receiver.versions(hook) == [1, 2, 3, 4]


async def test_server_takes_over_a_dead_ones_deliveries(tmp_path):
    async with two_servers(tmp_path / "book.db") as (dead, other), receiving() as receiver:
        match, host, _ = await dead.open()
        hook = await register(dead, match, host, receiver.url)
        await dead.app.state.live.hook_deliverer.stop()
        await dead.play(match, host, TOKENS[0])
        lapses = dead.book.now() + 500
        assert dead.store.claim_hook(hook["id"], dead.book.now(), lapses).result()
        other.app.state.live.hook_deliverer.look()
        now = await until_told(other, hook, host, lambda now: now["delivered"] == 1)
        assert now["tried"] >= lapses
        assert receiver.versions(hook) == [1]


async def test_server_finds_hooks_registered_with_another(tmp_path, monkeypatch):
    monkeypatch.setattr(hook_deliveries, "ELSEWHERE", 0.05)
    async with two_servers(tmp_path / "book.db") as (one, two), receiving() as receiver:
        match, host, _ = await one.open()
        hook = await register(one, match, host, receiver.url)
        await one.app.state.live.hook_deliverer.stop()
        await one.play(match, host, TOKENS[0])
        await until_told(two, hook, host, lambda now: now["delivered"] == 1)


async def test_stopping_server_releases_its_claims(tmp_path):
    begun = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        begun.set()
        with suppress(ConnectionError):
            await reader.read()
        writer.close()

    store = open_store(tmp_path / "book.db")
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with live_service(store, hooks_anywhere=True) as at:
            match, host, _ = await at.open()
            await register(at, match, host, url)
            await at.play(match, host, TOKENS[0])
            await asyncio.wait_for(begun.wait(), PATIENCE)
            assert store.hooks()[0].claimed > at.book.now()
        await wait_until(lambda: store.hooks()[0].claimed == 0)
        assert store.hooks_due() == store.hooks()
    store.close()


async def test_dead_hook_is_not_called_until_revived():
    async with hooked() as (at, receiver, match, host, hook):
        at.store.put_hook(replace(at.store.hooks()[0], dead=True, failures=9)).result()
        at.app.state.live.hook_deliverer.look()
        await wait_until(lambda: not at.app.state.live.hook_deliverer.running)
        await at.play(match, host, "M@c1")
        assert (await told(at, hook, host))["dead"]
        url = f"/matches/{match}/hooks/{hook['id']}/revive"
        revived = (await at.client.post(url, headers=host)).json()
        assert (revived["dead"], revived["failures"]) == (False, 0)
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        assert len(receiver.posts) == 1


async def test_hook_deliverer_rests_without_hooks():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        hook_deliverer = at.app.state.live.hook_deliverer
        match, host, _ = await at.open()
        assert not hook_deliverer.running
        hook = await register(at, match, host, receiver.url)
        await wait_until(lambda: hook_deliverer.running)
        url = f"/matches/{match}/hooks/{hook['id']}"
        assert (await at.client.delete(url, headers=host)).status_code == 200
        await wait_until(lambda: not hook_deliverer.running)
        await at.play(match, host, "M@c1")
        assert (await at.client.get(url, headers=host)).status_code == 404
        assert receiver.posts == []


async def test_endless_answer_is_not_awaited(monkeypatch):
    monkeypatch.setattr(safe_http, "CALL_TIMEOUT", 0.2)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")  # the headers never end
        await reader.read()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await safe_http.call(url, b"{}", {}, anywhere=True) == safe_http.Call(
            "no answer in time", False
        )
        await wait_until(lambda: asyncio.all_tasks() == {asyncio.current_task()})


@pytest.mark.parametrize(
    ("secret", "key"),
    [(None, None), ("whsec_" + base64.b64encode(bytes(24)).decode(), bytes(24)), (SECRET, b"")],
)
async def test_receiver_verifies_deliveries_as_standard_webhooks(secret, key):
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        match, host, _ = await at.open()
        asked = {"url": receiver.url} | ({"secret": secret} if secret else {})
        answer = await at.client.post(f"/matches/{match}/hooks", json=asked, headers=host)
        hook = answer.json()
        if key is None:
            assert hook["secret"].startswith("whsec_")
            key = base64.b64decode(hook["secret"].removeprefix("whsec_"), validate=True)
        await at.play(match, host, TOKENS[0])
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        sent, body = receiver.posts[0]
        assert sent["webhook-id"] == sent["plybook-delivery"]
        assert sent["webhook-timestamp"] == sent["plybook-timestamp"]
        signed = f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + body
        digest = hmac.new(key or SECRET.encode(), signed, hashlib.sha256).digest()
        assert sent["webhook-signature"] == "v1," + base64.b64encode(digest).decode()


def test_signature_equals_that_of_standard_webhooks_libraries():
    """The example is from the tests of those libraries."""
    sent = hook_headers.signed_headers(
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert sent["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    "secret", ["whsec_not base64, no", "whsec_" + "é" * 12, "whsec_AAAAAAAAAAA"]
)
def test_undecodable_secret_is_refused(api, secret):
    match = api.open()
    asked = {"url": "https://example.org/", "secret": secret}
    answer = api.post(f"/matches/{match.id}/hooks", json=asked, headers=match.host)
    assert (answer.status_code, answer.json()["path"]) == (400, "$.secret")


async def test_answer_410_ends_the_hook():
    async with hooked() as (at, receiver, match, host, hook):
        receiver.answers = [status(410)]
        await at.play(match, host, TOKENS[0])
        now = await until_told(at, hook, host, lambda now: now["failures"])
        assert (now["dead"], now["answer"], now["delivered"]) == (True, "status 410", 0)
        await wait_until(lambda: not at.app.state.live.hook_deliverer.running)
        await at.play(match, host, TOKENS[1])
        assert len(receiver.posts) == 1


async def test_ping_is_signed_and_changes_no_delivery():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        match, host, seats = await at.open()
        hook = await register(at, match, host, receiver.url)
        path = f"/matches/{match}/hooks/{hook['id']}/ping"
        before = await told(at, hook, host)
        receiver.answers = [status(204), status(410)]
        answers = [(await at.client.post(path, headers=host)).json() for _ in range(2)]
        assert [(each["arrived"], each["answer"]) for each in answers] == [
            (True, "status 204"),
            (False, "status 410"),
        ]
        sent, body = receiver.posts[0]
        assert json.loads(body) == {"type": "ping", "hook": hook["id"], "match": match}
        signed = f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + body
        digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
        assert sent["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
        assert await told(at, hook, host) == before
        assert (await at.client.post(path, headers=seats["1"])).status_code == 403
        assert len(receiver.posts) == 2


async def test_ping_does_not_wait_for_slow_receiver():
    async with hooked() as (at, receiver, match, host, hook):
        path = f"/matches/{match}/hooks/{hook['id']}/ping"
        called = at.app.state.live.hook_deliverer._called_hosts
        called["127.0.0.1"] = hook_deliveries.OF_A_HOST
        refused = await at.client.post(path, headers=host)
        assert (refused.status_code, receiver.posts) == (503, [])
        assert int(refused.headers["retry-after"]) > 0
        called["127.0.0.1"] -= 1
        assert (await at.client.post(path, headers=host)).json()["arrived"]
        assert called["127.0.0.1"] == hook_deliveries.OF_A_HOST - 1


# Addresses


@pytest.mark.parametrize("address", CLOSED)
def test_addresses_outside_public_internet_are_closed(address):
    assert not safe_http.is_open(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "192.88.98.1"),
        *("2001:200::1", "2003::1", "3ffe::1"),
    ],
)
def test_addresses_of_the_public_internet_are_open(address):
    assert safe_http.is_open(ipaddress.ip_address(address))


@given(st.ip_addresses(v=4))
def test_mapped_ipv6_address_is_open_as_its_ipv4(address):
    mapped = ipaddress.IPv6Address(f"::ffff:{address}")
    assert safe_http.is_open(mapped) == safe_http.is_open(address)


async def test_name_of_an_internal_address_is_refused(monkeypatch):
    async with receiving() as receiver:
        port = receiver.port
        for host in ("localhost", "2130706433", "0x7f.1", "127.1"):
            done = await safe_http.call(f"http://{host}:{port}/", b"{}", {}, anywhere=False)
            assert not done.arrived
        public = [(2, 1, 6, "", (address, port)) for address in ("1.1.1.1", "127.0.0.1")]
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: public)
        done = await safe_http.call(f"http://example.org:{port}/", b"{}", {}, anywhere=False)
        assert (done.arrived, "public internet" in done.told) == (False, True)
        assert receiver.posts == []


async def test_connection_goes_to_the_checked_address(monkeypatch):
    asked = []

    def rebinding(host: str, port: int, **_: Any) -> Any:
        asked.append(host)
        return [(2, 1, 6, "", ("127.0.0.1" if len(asked) == 1 else "127.0.0.99", port))]

    monkeypatch.setattr("socket.getaddrinfo", rebinding)
    async with receiving() as receiver:
        url = f"http://example.org:{receiver.port}/"
        assert (await safe_http.call(url, b"{}", {}, anywhere=True)).arrived
        assert asked.count("example.org") == 1
        assert receiver.posts[0][0]["host"] == f"example.org:{receiver.port}"


async def test_address_that_does_not_connect_is_passed_over(monkeypatch):
    async with receiving() as receiver:
        there = [(2, 1, 6, "", (address, 0)) for address in ("127.0.0.99", "127.0.0.1")]
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: there)
        url = f"http://example.org:{receiver.port}/"
        assert (await safe_http.call(url, b"{}", {}, anywhere=True)).arrived
        assert len(receiver.posts) == 1


async def test_tls_verifies_the_name_not_the_address(monkeypatch):
    greeted: list[Any] = []
    context = ssl.create_default_context()
    wrap = context.wrap_bio

    def noted(*buffers: Any, **options: Any) -> Any:
        greeted.append(options.get("server_hostname"))
        return wrap(*buffers, **options)

    monkeypatch.setattr(safe_http, "_certificates", lambda: context)
    monkeypatch.setattr(context, "wrap_bio", noted, raising=False)
    there = [(2, 1, 6, "", ("127.0.0.1", 0))]

    async def rude(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"no TLS here")
        writer.close()

    async with await asyncio.start_server(rude, "127.0.0.1", 0) as server:
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: there)
        url = f"https://example.org:{server.sockets[0].getsockname()[1]}/"
        assert not (await safe_http.call(url, b"{}", {}, anywhere=True)).arrived
    assert context.check_hostname
    assert greeted == [b"example.org"]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "https:///nowhere",
        "https://user:word@example.org/",
        "https://example.org/#part",
        "https://example.org:0/",
        "https://example.org:99999/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest",
        "example.org",
        "http://exa mple.org/",
        "https://example.org/" + "x" * 2000,
    ],
)
def test_uncallable_hook_address_is_refused(api, url):
    match = api.open()
    answer = api.post(f"/matches/{match.id}/hooks", json={"url": url}, headers=match.host)
    assert (answer.status_code, answer.json()["path"]) == (400, "$.url")
    assert api.book.store.hooks() == []


# Roles


async def test_only_host_sees_hooks_and_secret_appears_once():
    async with live_match(hooks_anywhere=True) as (at, match, host, seats):
        path, body = f"/matches/{match}/hooks", {"url": "https://example.org/"}
        assert (await at.client.post(path, json=body)).status_code == 401
        assert (await at.client.post(path, json=body, headers=seats["1"])).status_code == 403
        made = await at.client.post(path, json=body, headers=host)
        assert len(made.json()["secret"]) >= 32
        assert made.headers["location"] == f"{path}/{made.json()['id']}"
        for url in (path, made.headers["location"]):
            assert (await at.client.get(url)).status_code == 401
            assert (await at.client.get(url, headers=seats["2"])).status_code == 403
            shown = await at.client.get(url, headers=host)
            assert made.json()["secret"] not in shown.text
            assert "https://example.org/" in shown.text


async def test_repeated_registration_makes_one_hook_and_secret():
    async with live_match(hooks_anywhere=True) as (at, match, host, _):
        path, body = f"/matches/{match}/hooks", {"url": "https://example.org/"}
        key = host | {"Idempotency-Key": "one"}
        made = [await at.client.post(path, json=body, headers=key) for _ in range(2)]
        at_once = (at.client.post(path, json=body, headers=key) for _ in range(4))
        made += await asyncio.gather(*at_once)
        assert {answer.status_code for answer in made} == {201}
        assert len({answer.text for answer in made}) == 1
        assert len(at.store.hooks()) == 1
        for other in ({"url": "https://example.org/other"}, body | {"secret": SECRET}):
            assert (await at.client.post(path, json=other, headers=key)).status_code == 409
        more = await at.client.post(path, json=body, headers=host | {"Idempotency-Key": "two"})
        other_match, others, _ = await at.open()
        elsewhere = await at.client.post(
            f"/matches/{other_match}/hooks", json=body, headers=others | {"Idempotency-Key": "one"}
        )
        assert (more.status_code, elsewhere.status_code) == (201, 201)
        assert len(at.store.hooks()) == 3


async def test_match_has_at_most_ten_hooks():
    async with live_match(hooks_anywhere=True) as (at, match, host, _):
        for number in range(10):
            hook = await register(at, match, host, f"https://example.org/{number}")
        path = f"/matches/{match}/hooks"
        more = await at.client.post(path, json={"url": "https://example.org/"}, headers=host)
        assert more.status_code == 409
        other, others, _ = await at.open()
        for method, end in OF_A_HOOK:
            url = f"/matches/{other}/hooks/{hook['id']}{end}"
            assert (await at.client.request(method, url, headers=others)).status_code == 404


async def test_simultaneous_registrations_make_at_most_ten_hooks(monkeypatch):
    async with live_match(hooks_anywhere=True) as (at, match, host, _):
        counted = at.store.hooks

        def count_slowly(*stream: int) -> list[Hook]:
            there = counted(*stream)
            time.sleep(0.01)
            return there

        monkeypatch.setattr(at.store, "hooks", count_slowly)
        path = f"/matches/{match}/hooks"
        registering = [
            at.client.post(path, json={"url": f"https://example.org/{number}"}, headers=host)
            for number in range(30)
        ]
        answers = await asyncio.gather(*registering)
        assert sorted(each.status_code for each in answers) == [201] * 10 + [409] * 20


HOUR = 60 * 60 * hook_schedule.SECOND


async def test_deliveries_continue_after_clock_goes_back():
    async with hooked() as (at, _, match, host, hook):
        await at.play(match, host, TOKENS[0])
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        right = at.book.now
        at.book.now = lambda: right() - 24 * HOUR
        await at.play(match, host, TOKENS[1])
        await until_told(at, hook, host, lambda now: now["delivered"] == 2)


async def test_failed_deliveries_are_repeated_after_clock_goes_back(monkeypatch):
    monkeypatch.setattr(hook_schedule, "FIRST_WAIT", 200)
    async with hooked() as (at, receiver, match, host, hook):
        receiver.answers = [status(500)]
        await at.play(match, host, TOKENS[0])
        await until_told(at, hook, host, lambda now: now["failures"])
        right = at.book.now
        at.book.now = lambda: right() - 24 * HOUR
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)
        assert len(receiver.posts) == 2


async def test_slow_host_does_not_delay_others(monkeypatch):
    monkeypatch.setattr(safe_http, "CALL_TIMEOUT", 10 * PATIENCE)
    monkeypatch.setattr(safe_http, "CONNECT_TIMEOUT", 10 * PATIENCE)
    async with (
        live_service(hooks_anywhere=True, matches_per_hour=0) as at,
        receiving() as slow,
        receiving() as quick,
    ):
        slow.pause = 10 * PATIENCE
        slow_url = slow.url.replace("127.0.0.1", "localhost")
        for _ in range(4):
            match, host, _ = await at.open()
            for _ in range(10):
                await register(at, match, host, slow_url)
            await at.play(match, host, TOKENS[0])
        match, host, _ = await at.open()
        hook = await register(at, match, host, quick.url)
        await at.play(match, host, TOKENS[0])
        await until_told(at, hook, host, lambda now: now["delivered"] == 1)


# Times of repetitions


def test_due_time_too_far_ahead_counts_as_past():
    failing = hook_schedule.after_failure(HOOK, "status 500", 10 * HOUR, 1)
    assert hook_schedule.delay(failing, 10 * HOUR, 30) == failing.due - 10 * HOUR
    assert hook_schedule.delay(failing, failing.due, 30) == 0
    assert hook_schedule.delay(failing, 9 * HOUR, 30) == 0
    arrived = hook_schedule.after_delivery(failing, 1, 0, "status 204", 10 * HOUR)
    assert hook_schedule.delay(arrived, 9 * HOUR, 30) == 0


def test_claim_is_awaited_within_the_limit():
    claimed = replace(HOOK, due=10, claimed=40)
    assert hook_schedule.delay(claimed, 15, 30) == 25
    assert hook_schedule.delay(claimed, 9, 30) == 0


@pytest.mark.parametrize("set_to", [0, 10 * HOUR, 1000 * HOUR])
def test_wait_ends_despite_clock_changes(set_to):
    seconds = [100.0]
    deadlines = Deadlines(30_000, lambda: seconds[0])
    failing = hook_schedule.after_failure(HOOK, "status 500", 10 * HOUR, 0)
    assert deadlines.left([failing], 10 * HOUR) == {"h": 5.0}
    seconds[0] += 4
    assert deadlines.left([failing], set_to) == {"h": 1.0}
    seconds[0] += 1
    assert deadlines.left([failing], set_to) == {"h": 0.0}


@given(st.integers(0, 100), st.floats(0, 1))
def test_waits_grow_to_one_and_a_half_hours(failures, chance):
    assert (
        hook_schedule.FIRST_WAIT
        <= hook_schedule.backoff(failures, chance)
        <= 1.5 * hook_schedule.LONGEST_WAIT
    )
    assert hook_schedule.backoff(failures, 0) <= hook_schedule.backoff(failures + 1, 0)


@given(st.floats(0, 1))
def test_failing_hook_is_dead_after_a_day(chance):
    hook, now = HOOK, 1_000
    while not hook.dead:
        assert (
            hook.since is None
            or now < hook.since + hook_schedule.DAY + 2 * hook_schedule.LONGEST_WAIT
        )
        hook = hook_schedule.after_failure(hook, "status 500", now, chance)
        assert hook.dead == (now - 1_000 >= hook_schedule.DAY)
        now = hook.due
    assert hook.since == 1_000


def test_delivery_resets_the_count_of_failures():
    failing = hook_schedule.after_failure(hook_schedule.after_failure(HOOK, "x", 1, 0), "x", 2, 0)
    arrived = hook_schedule.after_delivery(failing, 7, 2, "status 200", 3)
    assert (arrived.failures, arrived.since) == (0, None)
    assert (arrived.delivered, arrived.named) == (7, 2)
    assert hook_schedule.after_failure(arrived, "x", 9, 0).since == 9
