"""A bug in a game's code harms one match, is logged with its place, and leaks no secret."""

from __future__ import annotations

import logging

import pytest

from domain.games.poptrix import moves
from service.api import streams
from service.http.logs import trace
from service.live import feed
from tests.service.live_service import live_match, live_service
from tests.waiting import wait_until

SEALED = "S=FR.,M=..F,L=LLF"


class Planted(RuntimeError):
    """Raised by the planted bug."""


@pytest.fixture
def buggy(monkeypatch):
    """Launching to d1 raises an error whose message contains every secret."""
    launch = moves.Launch
    evolve = launch.evolve

    def evolve_badly(self, position, seat):
        if "d1" in repr(self):
            raise Planted(f"{self!r} {position!r} {SEALED}")
        return evolve(self, position, seat)

    monkeypatch.setattr(launch, "evolve", evolve_badly)


@pytest.mark.usefixtures("buggy")
def test_bug_in_one_match_does_not_affect_others(api, caplog):
    match, host, _ = api.open()
    other, others, _ = api.open()
    for each, who in ((match, host), (other, others)):
        assert api.play(each, who, "M@c1", "S@c6").status_code == 200
    with caplog.at_level(logging.ERROR):
        answer = api.play(match, host, "c1>L@d1")
    assert answer.status_code == 500
    assert answer.json()["title"] == "Internal Server Error"
    assert "logged" in answer.json()["detail"]
    assert SEALED not in answer.text
    assert api.get(f"/matches/{match}").json()["version"] == 2
    assert len(api.get(f"/matches/{match}/events").json()["events"]) == 2
    assert api.play(match, host, "c1>L@c3").status_code == 200
    assert api.play(other, others, "c1>L@c3").status_code == 200


@pytest.mark.usefixtures("buggy")
def test_bug_is_logged_with_match_and_place(api, caplog):
    match, host, _ = api.open()
    api.play(match, host, "M@c1", "S@c6")
    with caplog.at_level(logging.DEBUG):
        api.play(match, host, "c1>L@d1")
    (record,) = [each for each in caplog.records if each.name == "plybook.service"]
    assert record.levelno == logging.ERROR
    told = record.getMessage()
    assert f"match {match} at version 2" in told
    assert "POST /matches/{match}/events" in told
    assert "Planted" in told
    assert "in evolve_badly" in told
    for hidden in (SEALED, host["Authorization"][7:]):
        assert hidden not in caplog.text
    assert record.exc_info is None


def test_error_of_an_unplayable_match_reveals_nothing(api, caplog, monkeypatch):
    match, host, _ = api.open()
    other, _, _ = api.open()
    api.play(match, host, "M@c1", "S@c6", "c1>L@d1")

    def fail(self, *_):
        raise Planted(SEALED)

    live = api.client.app.state.live
    live.book.cache = type(live.book.cache)()  # like a restart with the bug in the code
    monkeypatch.setattr(moves.Launch, "evolve", fail)
    with caplog.at_level(logging.DEBUG):
        answer = api.get(f"/matches/{match}")
    assert (answer.status_code, answer.json()["match"]) == (409, match)
    assert SEALED not in answer.text + caplog.text
    (line,) = [each.getMessage() for each in caplog.records if each.name == "plybook.service"]
    assert f"plybook verify {match}" in line
    assert "Planted in fail, line " in line
    assert "\n" not in line
    assert api.get(f"/matches/{other}").status_code == 200


async def test_stream_ends_at_bug_and_others_continue(caplog, monkeypatch):
    async with live_service() as at:
        (match, host, _), (other, others, _) = await at.open(), await at.open()
        broken = await at.listen(f"/matches/{match}/stream?after=0")
        whole = await at.listen(f"/matches/{other}/stream?after=0")
        told = streams.live_messages

        def badly(book, before, head, viewer, most, names):
            if before.id == match and head.match.version > before.match.version:
                raise Planted(SEALED)
            return told(book, before, head, viewer, most, names)

        monkeypatch.setattr(streams, "live_messages", badly)
        await at.play(match, host, "M@c1")
        assert await broken.next() is None
        await at.play(other, others, "M@c1")
        assert (await whole.next()).id == 1
    assert f"match {match} at version 1" in caplog.text
    assert SEALED not in caplog.text


async def test_followers_continue_after_store_failures(caplog, monkeypatch):
    monkeypatch.setattr(feed, "RETRY_INTERVAL", 0.01)
    async with live_match() as (at, match, host, _):
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await listener.piece()
        touched, failing = at.store.data_version, [Planted(SEALED)] * 3

        def fail():
            if failing:
                raise failing.pop()
            return touched()

        monkeypatch.setattr(at.store, "data_version", fail)
        at.feed.written()
        await wait_until(lambda: not failing)
        await at.play(match, host, "M@c1")
        assert (await listener.next()).id == 1
    assert SEALED not in caplog.text


def test_trace_names_causes_without_their_messages():
    def inner() -> None:
        raise KeyError(SEALED)

    try:
        try:
            inner()
        except KeyError as error:
            raise Planted(SEALED) from error
    except Planted as error:
        told = trace(error)
    assert "Planted" in told
    assert "builtins.KeyError" in told
    assert "in inner" in told
    assert SEALED not in told
