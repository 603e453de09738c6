"""A match over HTTP, whose server breaks streams, is busy, and loses answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from cli.bots import remote_server
from cli.bots.remote_server import RefusedThere, RemoteMatch, RemoteServer
from replay.errors import StoreError, Usage

LOST = None
"""A request whose connection is closed without an answer."""


def logged(version: int) -> bytes:
    news = {"version": version, "kept": 0, "line": [], "awaiting": [], "outcome": None}
    return f"id: {version}\nevent: logged\ndata: {json.dumps(news)}\n\n".encode()


class Server(BaseHTTPRequestHandler):
    """Answers each request with the next prepared answer, and notes its headers."""

    answers: ClassVar[list[Any]]
    retry_after: ClassVar[str] = "0"
    asked: ClassVar[list[tuple[str, str | None]]]

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers["Last-Event-ID"]))
        self.respond()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, self.headers["Idempotency-Key"]))
        self.respond()

    def respond(self) -> None:
        answer = self.answers.pop(0)
        if answer is LOST:
            return
        status, body = answer
        self.send_response(status)
        self.send_header("Retry-After", self.retry_after)
        self.end_headers()
        self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Iterator[RemoteMatch]:
    monkeypatch.setattr(remote_server, "PAUSE", 0.0)
    Server.answers, Server.asked = [], []
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        with RemoteServer(f"http://127.0.0.1:{server.server_port}", "secret") as remote:
            yield RemoteMatch(remote, "k7m2")
        server.shutdown()
        thread.join()


PROBLEM = {"detail": "the medium cannot", "clause": "POP-3.2"}


def test_broken_stream_resumes_after_the_last_event(match):
    Server.answers = [
        (200, b"retry: 0\n" + logged(1) + logged(2)),
        LOST,
        (503, {}),
        (200, b": still here\n\n" + logged(3)),
    ]
    news = match.follow(0)
    assert [next(news).version for _ in range(3)] == [1, 2, 3]
    news.close()
    assert Server.asked == [("/matches/k7m2/stream", after) for after in "0222"]


def test_lost_answer_is_requested_again(match):
    Server.answers = [LOST, (503, {}), (429, {}), (200, {})]
    match.enter("M@c1", 0)
    assert len(Server.asked) == 4
    assert len(set(Server.asked)) == 1


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7),
        ("99999", remote_server.MAX_SILENCE),
        ("Thu, 01 Jan 1970 00:00:30 GMT", 20),
        ("Thu, 01 Jan 1970 00:00:05 GMT", 0),
        ("later", 0),
    ],
)
def test_client_waits_as_long_as_retry_after_says(match, monkeypatch, said, seconds):
    slept: list[float] = []
    monkeypatch.setattr(Server, "retry_after", said)
    monkeypatch.setattr(remote_server.time, "sleep", slept.append)
    monkeypatch.setattr(remote_server.time, "time", lambda: 10.0)
    Server.answers = [(503, {}), (200, {})]
    match.enter("M@c1", 0)
    assert slept == [seconds]


def test_stale_version_is_not_a_fault(match):
    Server.answers = [(412, {"detail": "others wrote"})]
    match.enter("M@c1", 0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((409, PROBLEM), r"M@c1 is refused: the medium cannot \(POP-3.2\)"),
        ((500, b"<html>"), "the server answered 500"),
    ],
)
def test_refusals_are_raised_with_their_message(match, answer, message):
    Server.answers = [answer]
    with pytest.raises(RefusedThere, match=message):
        match.enter("M@c1", 0)


def test_refused_try_returns_its_refusal(match):
    Server.answers = [(409, PROBLEM | {"tries_left": 0}), (200, {})]
    assert match.enter("M@c1", 0) == "the medium cannot (POP-3.2)"
    assert match.enter("M@c2", 1) is None


def test_revoked_token_ends_the_stream(match):
    Server.answers = [(200, b""), (401, {"detail": "the token opens nothing"})]
    with pytest.raises(RefusedThere, match="opens nothing"):
        next(match.follow(0))


def test_stream_restarts_after_a_change_of_history(match):
    Server.answers = [(200, b"retry: 0\n" + logged(7)), (410, {}), (200, logged(1))]
    news = match.follow(6)
    assert [next(news).version for _ in range(2)] == [7, 1]
    news.close()
    assert [after for _, after in Server.asked] == ["6", "7", None]


def test_silent_server_is_an_error_after_waiting(match, monkeypatch):
    monkeypatch.setattr(remote_server, "MAX_SILENCE", 0.0)
    Server.answers = [LOST] * 10
    with pytest.raises(StoreError, match="has not answered for 0 seconds"):
        match.legal(1)


def test_token_without_a_seat_is_usage_error(match):
    standing = {"rules": "poptrix/1", "seats": 2, "options": {}, "version": 0, "unjudged": False,
                "awaiting": [], "outcome": None, "you": {"seat": None}}  # fmt: skip
    Server.answers = [(200, standing)]
    with pytest.raises(Usage, match="no seat"):
        match.standing()


def test_absent_server_is_reported_at_once():
    with (
        RemoteServer("http://127.0.0.1:9", "secret") as server,
        pytest.raises(StoreError, match="does not answer"),
    ):
        RemoteMatch(server, "k7m2").standing()


@pytest.mark.parametrize("url", ["localhost", "http://", "http://[", "ftp://x"])
def test_wrong_address_is_usage_error(plybook, url):
    ran = plybook("bot", "--match", "k7m2", "--token", "secret", "--url", url)
    example = "use one like http://localhost:8000"
    assert (ran.code, ran.err) == (2, f"plybook: {url!r} is not a valid address; {example}\n")
