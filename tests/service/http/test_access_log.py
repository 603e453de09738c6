"""The access log has a line for each request, and no secret."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.testing import TestClient

from replay.access import capability_tokens
from service.http import access_log
from service.http.access_log import AccessLog, masked
from service.http.trace_context import REQUEST_ID
from service.settings import Settings
from tests.service.conftest import Api, serve

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SENT = f"00-{TRACE}-00f067aa0ba902b7-01"


class Logged(Api):
    """A service with an access log; `close` it to read the whole log."""

    def __init__(self, client: TestClient[Any], out: io.BytesIO, log: AccessLog) -> None:
        super().__init__(client)
        self._out, self._log = out, log

    def text(self) -> str:
        self._log.close()
        return self._out.getvalue().decode()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text().splitlines()]


@contextmanager
def logging_to_memory(form: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Logged]:
    out = io.BytesIO()
    monkeypatch.setattr(access_log, "_standard_output", lambda: out)
    with serve(Settings(access_log=form)) as api:
        yield Logged(api.client, out, api.client.app.state.live.access_log)


@pytest.fixture
def logged(monkeypatch) -> Iterator[Logged]:
    with logging_to_memory("json", monkeypatch) as opened:
        yield opened


def test_each_request_has_line_with_its_id(logged):
    match = logged.open()
    answers = [
        logged.play(match.id, match.host, "M@c1"),
        logged.get("/no/such/page"),
        logged.client.delete("/games"),
        logged.client.head(f"/matches/{match.id}"),
        logged.get("/static/no-such-file"),
    ]
    lines = logged.lines()[1:]
    assert [each["request"] for each in lines] == [each.headers["x-request-id"] for each in answers]
    assert len({each["request"] for each in lines}) == len(answers)
    assert [(each["method"], each["path"], each["status"]) for each in lines] == [
        ("POST", f"/matches/{match.id}/events", 200),
        ("GET", "/no/such/page", 404),
        ("DELETE", "/games", 405),
        ("HEAD", f"/matches/{match.id}", 200),
        ("GET", "/static/no-such-file", 404),
    ]
    assert [each["bytes"] for each in lines] == [len(each.content) for each in answers]
    assert all(each["ms"] > 0 and each["trace"] is None for each in lines)


def test_well_formed_id_and_trace_are_kept(logged):
    for name, kept in (
        ("edge-7.a:b/c=", True),
        ("", False),
        ("two words", False),
        ("x" * 129, False),
    ):
        answer = logged.get("/games", headers={"X-Request-Id": name, "traceparent": SENT})
        assert (answer.headers["x-request-id"] == name) == kept
    logged.get("/games", headers={"traceparent": SENT + "-"})
    lines = logged.lines()
    assert [each["request"] == "edge-7.a:b/c=" for each in lines] == [True, *[False] * 4]
    assert [each["trace"] for each in lines] == [*[TRACE] * 4, None]


def test_log_has_no_token_and_no_query(logged):
    match = logged.open(visibility="private")
    tokens = [
        each["Authorization"].removeprefix("Bearer ")
        for each in (match.host, *match.seats.values())
    ]
    token, hook = tokens[0], {"url": "https://example.org/?key=lets-me-in"}
    made = logged.post(f"/matches/{match.id}/hooks", json=hook, headers=match.host).json()
    tokens += [made["secret"], "lets-me-in"]
    for path in (
        f"/join/{match.id}/{token}",
        f"/join/{match.id}/{token}/",
        f"/join/{token}",
        f"//join/{match.id}/{token}",
        f"/plybook/join/{match.id}/{token}",
        f"/join/{match.id}/%{ord(token[0]):02x}{token[1:]}",
        f"/matches/{token}",
        f"/matches/{match.id}?token={token}",
        f"/games?q={token}",
        f"/matches/{match.id}/invitations/{capability_tokens.token_name(token)}",
    ):
        for headers in ({}, match.host):
            logged.get(path, headers=headers, follow_redirects=False)
    text = logged.text()
    assert f'"/join/{match.id}/***"' in text
    assert "?" not in text
    for each in tokens:
        assert each not in text
        assert each[2:26] not in text


def test_text_line_has_the_same_values(monkeypatch):
    with logging_to_memory("text", monkeypatch) as logged:
        first = logged.get("/games", headers={"traceparent": SENT}).headers["x-request-id"]
        second = logged.get("/a%0d%0aforged%20line%C3%A9").headers["x-request-id"]
        lines = logged.text().splitlines()
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} INFO plybook.access:"
    assert re.fullmatch(
        rf"{moment} GET /games 200 [\d.]+ms \d+B request={first} trace={TRACE}", lines[0]
    )
    assert re.fullmatch(
        rf"{moment} GET /a%0D%0Aforged%20line%C3%A9 404 [\d.]+ms \d+B request={second}", lines[1]
    )
    assert len(lines) == 2


def test_answer_without_log_has_no_id(api):
    assert "x-request-id" not in api.get("/games").headers


def test_request_of_departed_caller_has_no_status(logged):
    async def leave(scope: Any, receive: Any, send: Any) -> None:
        assert scope[REQUEST_ID]
        raise ConnectionError

    app = logged._log.wrap(leave)
    scope = {"type": "http", "method": "BREW", "path": "/", "headers": []}
    with pytest.raises(ConnectionError), logged.client.portal() as portal:
        portal.call(app, scope, None, None)
    assert [(each["status"], each["method"]) for each in logged.lines()] == [(None, "other")]


def test_unread_lines_are_dropped_and_counted(monkeypatch, caplog):
    monkeypatch.setattr(access_log, "MAX_WAITING", 3)
    out = io.BytesIO()
    log = AccessLog("json", out)
    log._thread = threading.current_thread()  # so that none is started, and the lines wait
    for _ in range(5):
        log._put(access_log.AnsweredRequest(0, "id", "GET", "/", 200, 0.1, 1, None))
    log._entries.put(None)
    log._run()
    assert len(out.getvalue().splitlines()) == 3
    assert "2 lines were dropped" in caplog.text


@given(st.text(max_size=40), st.text(alphabet="abcXYZ019-_", min_size=24, max_size=44), st.text())
def test_token_is_masked_in_any_path(before, token, after):
    shown = masked(f"/{before}/{token}/{after}")
    assert token not in shown
    assert shown.isascii()
    assert shown.isprintable()
