"""Streams report every event of a match, and no sealed move."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from typing import Any

import pytest

from replay.access import capability_tokens, operators, visibility
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.corrections.amendments import amend, plan_deletion, plan_replacement
from replay.corrections.takebacks import take_back
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.store import open_store
from replay.tags.people import name_players
from service.api import streams
from service.live.event_stream import RETRY_INTERVALS
from tests.service.conftest import bearer
from tests.service.live_service import Listener, live_match, live_service
from tests.waiting import wait_until

PROGRAMS = ("1:S=FR.,M=..F,L=LLF,pass=2L", "2:S=LFF,M=RFF,L=RFB")


def say(book: Book, record: MatchRecord) -> None:
    annotate(book, record, 0, Wording(comment="so far"), author="Jet")


async def test_stream_without_version_begins_with_standing():
    async with live_match() as (at, match, host, _):
        await at.play(match, host, "M@c1")
        listener = await at.listen(f"/matches/{match}/stream")
        assert listener.status == 200
        assert listener.headers["content-type"].startswith("text/event-stream")
        assert listener.headers["cache-control"] == "no-store, no-transform"
        assert listener.headers["x-accel-buffering"] == "no"
        told = await listener.next()
        assert (told.event, told.id) == ("standing", 1)
        shown = (await at.client.get(f"/matches/{match}")).json()
        assert told.data == shown


async def test_brief_stream_has_only_versions():
    async with live_match() as (at, match, host, _):
        brief = await at.listen(f"/matches/{match}/stream?after=0&brief=true")
        whole = await at.listen(f"/matches/{match}/stream?after=0")
        for version, token in enumerate(("M@c1", "S@c6"), 1):
            await at.play(match, host, token)
            told = await brief.next()
            assert (told.event, told.id) == ("advanced", version)
            assert told.data == {"match": match, "version": version}
            assert (await whole.next()).event == "logged"


async def test_only_the_first_event_has_retry_line():
    async with live_match(heartbeat=0.01) as (at, match, host, _):
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        assert [await listener.piece() for _ in range(3)] == [": still here"] * 3
        await at.play(match, host, "M@c1")
        while (first := await listener.piece()) == ": still here":
            pass
        retry, *rest = first.splitlines()[:3]
        assert int(retry.removeprefix("retry: ")) in RETRY_INTERVALS
        assert rest == ["id: 1", "event: logged"]
        await at.play(match, host, "S@c6")
        while (second := await listener.piece()) == ": still here":
            pass
        assert second.startswith("id: 2\n")


async def lines(listener: Listener, count: int) -> list[Any]:
    """Return the next lines of an NDJSON stream except heartbeats."""
    found: list[Any] = []
    while len(found) < count:
        line = json.loads(await listener.piece("\n") or "")
        found += [] if line == {"event": "heartbeat", "id": None, "data": None} else [line]
    return found


async def test_ndjson_has_one_event_per_line():
    async with live_match("pyramid-ball", heartbeat=0.01) as (at, match, host, seats):
        await at.play(match, host, PROGRAMS[0])
        url, asking = f"/matches/{match}/stream", {"Accept": "application/x-ndjson"}
        pairs = [
            (await at.listen(url, sent), await at.listen(url, sent | asking))
            for sent in ({}, {"Last-Event-ID": "0"}, seats["1"])
        ]
        told = [[await events.next()] for events, _ in pairs]
        same = [await lines(twin, 1) for _, twin in pairs]
        say(at.book, at.book.open(match))
        at.feed.written()
        for heard, twins, (events, twin) in zip(told, same, pairs, strict=True):
            assert twin.headers["content-type"].startswith("application/x-ndjson")
            heard.append(await events.next())
            twins += await lines(twin, 1)
            assert twins == [one._asdict() for one in heard]
        assert [[line["event"] for line in twins] for twins in same] == [
            ["standing", "notes"],
            ["logged", "notes"],
            ["standing", "notes"],
        ]


async def test_ndjson_stream_of_all_has_object_per_line():
    async with live_service() as at:
        headers = {"Accept": "application/x-ndjson"}
        every = await at.listen("/stream", headers)
        assert json.loads(await every.piece("\n"))["event"] == "heartbeat"
        match, host, _ = await at.open(visibility="public")
        await at.play(match, host, "M@c1")
        told = await lines(every, 2)
        assert [one["event"] for one in told] == ["opened", "moved"]
        assert {one["data"]["match"] for one in told} == {match}
        resumed = await at.listen(f"/stream?after={told[0]['id'] or 0}", headers)
        assert (await lines(resumed, 1 if told[0]["id"] else 2))[-1] == told[1]


async def test_each_event_is_sent_once_with_its_line():
    async with live_match() as (at, match, host, _):
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        answer = (await at.play(match, host, "M@c1", "S@c6")).json()
        for version in (1, 2):
            told = await listener.next()
            assert (told.event, told.id, told.data["version"]) == ("logged", version, version)
            assert told.data["kept"] == version - 1
            assert told.data["line"] == [answer["events"][version - 1]]
        assert told.data["awaiting"] == answer["awaiting"]
        assert told.data["standing"] == answer["standing"]
        assert told.data["outcome"] is None
        log = (await at.client.get(f"/matches/{match}/events")).json()["events"]
        assert {name: told.data[name] for name in log[1]} == log[1]


@pytest.mark.parametrize("how", ["Last-Event-ID", "after"])
async def test_stream_continues_after_named_version(how):
    async with live_match() as (at, match, host, _):
        await at.play(match, host, "M@c1", "S@c6", "c1>L@c3")
        url, headers = f"/matches/{match}/stream?after=1", {}
        if how == "Last-Event-ID":  # browsers send this header when they reconnect
            url, headers = f"/matches/{match}/stream?after=0", {"Last-Event-ID": "1"}
        listener = await at.listen(url, headers)
        assert [(await listener.next()).id for _ in range(2)] == [2, 3]


async def test_resumed_stream_begins_with_notes():
    async with live_match() as (at, match, host, _):
        await at.play(match, host, "M@c1")
        say(at.book, at.book.open(match))
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        told = [await listener.next() for _ in range(2)]
        assert [(each.event, each.id) for each in told] == [("notes", None), ("logged", 1)]
        assert told[0].data["annotations"] == 1


async def test_late_stream_repeats_the_live_messages():
    async with live_match("pyramid-ball") as (at, match, host, _):
        live = await at.listen(f"/matches/{match}/stream?after=0")
        heard = []
        for token in PROGRAMS:
            await at.play(match, host, token)
            heard.append(await live.next())
        take_back(at.book, at.book.open(match), 1)
        late = await at.listen(f"/matches/{match}/stream?after=0")
        heard.append(await live.next())
        assert [await late.next() for _ in heard] == heard
        assert heard[-1].data["kept"] == 1


async def test_stream_of_unknown_version_begins_with_standing():
    async with live_match() as (at, match, _, _):
        listener = await at.listen(f"/matches/{match}/stream?after=7")
        told = await listener.next()
        assert (told.event, told.id) == ("standing", 0)


async def test_line_can_be_followed_through_every_edit():
    async with live_match() as (at, match, host, _):
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await at.play(match, host, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
        book = at.book
        amend(book, plan_replacement(book.open(match), 1, "S@c1"))
        amend(book, plan_deletion(book.open(match), len(book.open(match).match.line)))
        take_back(book, book.open(match), 2)
        at.feed.written()
        line: list[Any] = []
        for version in range(1, book.open(match).match.version + 1):
            told = (await listener.next()).data
            line = line[: told["kept"]] + told["line"]
            stood = book.open(match).at_version(version)
            expected = [(one.ply, one.version, one.text) for one in timeline.entries(stood)]
            assert [(one["ply"], one["version"], one["text"]) for one in line] == expected
            assert told["ply"] == len(line)


async def test_only_its_seat_receives_a_sealed_move():
    async with live_match("pyramid-ball") as (at, match, host, seats):
        viewers = {"host": host, "1": seats["1"], "2": seats["2"], "nobody": {}}
        listeners = {
            name: await at.listen(f"/matches/{match}/stream", headers)
            for name, headers in viewers.items()
        }
        for listener in listeners.values():
            await listener.next()
        first, second = PROGRAMS
        await at.play(match, seats["1"], first)
        secret = first.partition(":")[2]
        for name, listener in listeners.items():
            told = await listener.next()
            assert (secret in json.dumps(told.data)) == (name == "1")
            assert told.data["revealed"] == []
        await at.play(match, seats["2"], second)
        for name, listener in listeners.items():
            told = (await listener.next()).data
            line = [event["text"].partition(":")[2] for event in told["line"]]
            revealed = [one["text"] for one in told["revealed"]]
            if name == "1":
                assert (told["kept"], line, revealed) == (1, [second.partition(":")[2]], [])
            else:
                assert (told["kept"], len(line), revealed) == (0, 2, [first])
                assert line[0] == secret


async def test_stream_reports_events_of_another_process(tmp_path):
    store, other = open_store(tmp_path / "book.db"), open_store(tmp_path / "book.db")
    async with live_service(store) as at:
        match, _, _ = await at.open()
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await listener.piece()
        beside = Book(other)
        play(beside, beside.open(match), ["M@c1"])
        assert (await listener.next()).id == 1
    other.close()
    store.close()


async def test_message_of_names_and_annotations_has_no_id():
    async with live_match() as (at, match, _, _):
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await listener.piece()
        name_players(at.book, at.book.open(match), {1: "Jet"})
        told = await listener.next()
        assert (told.event, told.id, told.data["players"]) == ("notes", None, {"1": "Jet"})
        assert (await listener.next()).event == "people"
        say(at.book, at.book.open(match))
        told = await listener.next()
        assert (told.event, told.data["annotations"]) == ("notes", 1)


async def test_all_followers_read_who_sits_where_now():
    async with live_match() as (at, match, host, seats):
        await at.play(match, host, "M@c1")
        url = f"/matches/{match}/stream?after=1"
        brief = f"{url}&brief=true"
        listeners = [await at.listen(url), await at.listen(brief), await at.listen(url, seats["2"])]
        for listener in listeners:
            await listener.piece()
        body = {"players": {"1": "Anna"}}
        await at.client.patch(f"/matches/{match}/people", json=body, headers=host)
        for listener in listeners:
            assert (await listener.next()).data["players"] == {"1": "Anna"}
            told = await listener.next()
            assert (told.event, told.id) == ("people", None)
            assert told.data["words"] == "seat 1 is Anna now"
            assert (told.data["author"], told.data["after_version"]) == ("scorekeeper", 1)


async def test_stream_ends_when_its_token_is_revoked():
    async with live_match() as (at, match, host, seats):
        url = f"/matches/{match}/stream?after=0"
        revoked, stays = await at.listen(url, seats["1"]), await at.listen(url, seats["2"])
        for listener in (revoked, stays):
            await listener.piece()
        key = capability_tokens.token_name(seats["1"]["Authorization"].partition(" ")[2])
        gone = await at.client.delete(f"/matches/{match}/invitations/{key}", headers=host)
        assert gone.status_code == 200
        assert await revoked.next() is None
        await at.play(match, host, "M@c1")
        assert (await stays.next()).id == 1


async def test_operator_stream_ends_when_token_is_revoked():
    async with live_service() as at:
        match, host, _ = await at.open(visibility="private")
        url, tokens = f"/matches/{match}/stream?after=0", [operators.issue(at.book) for _ in "ab"]
        revoked, stays = [await at.listen(url, bearer(token)) for token in tokens]
        for listener in (revoked, stays):
            await listener.piece()
        operators.revoke(at.book, capability_tokens.token_name(tokens[0]))
        assert await revoked.next() is None
        await at.play(match, host, "M@c1")
        assert (await stays.next()).id == 1


async def test_stream_ends_when_match_becomes_private():
    async with live_match() as (at, match, host, _):
        anybody = await at.listen(f"/matches/{match}/stream?after=0")
        invited = await at.listen(f"/matches/{match}/stream?after=0", host)
        for listener in (anybody, invited):
            await listener.piece()
        visibility.set_visibility(at.book, at.book.open(match), visibility.PRIVATE)
        assert await anybody.next() is None
        await at.play(match, host, "M@c1")
        assert (await invited.next()).id == 1


@pytest.mark.parametrize("how", ["trash", "purge"])
async def test_stream_ends_when_the_match_is_deleted(how, caplog):
    async with live_match() as (at, match, _, _):
        listener = await at.listen(f"/matches/{match}/stream")
        await listener.next()
        getattr(at.store, how)(at.book.open(match).stream.id).result()
        assert await listener.next() is None
    assert not caplog.records


async def test_stream_needs_read_access():
    async with live_service() as at:
        match, _, _ = await at.open(visibility="private")
        url = f"/matches/{match}/stream"
        assert (await at.client.get(url)).status_code == 401
        assert (await at.client.get(url, headers=bearer("x"))).status_code == 401
        assert (await at.client.get("/matches/000000000000/stream")).status_code == 404


@pytest.mark.parametrize("sent", ["", "-1", "1e3", "one", "1" * 10])
def test_invalid_last_event_id_is_refused(api, sent):
    match = api.open()
    answer = api.get(f"/matches/{match.id}/stream", headers={"Last-Event-ID": sent})
    assert answer.status_code == 400
    assert answer.json()["path"] == "Last-Event-ID"


async def test_stream_without_news_sends_heartbeats():
    async with live_match(heartbeat=0.01) as (at, match, _, _):
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await listener.piece()
        assert await listener.piece() == ": still here"


async def test_idle_client_does_not_delay_others():
    async with live_match() as (at, match, host, _):
        url = f"/matches/{match}/stream?after=0"
        await at.listen(url)  # and reads nothing
        quick = await at.listen(url)
        for version, token in enumerate(["M@c1", "S@c6", "c1>L@c3", "c6>M@c4"], 1):
            await at.play(match, host, token)
            assert (await quick.next()).id == version


async def test_message_for_many_followers_is_made_once(monkeypatch):
    made = []
    told = streams.live_messages
    monkeypatch.setattr(streams, "live_messages", lambda *news: made.append(news) or told(*news))
    async with live_match(streams_per_address=0) as (at, match, host, _):
        url = f"/matches/{match}/stream?after=0"
        listeners = [await at.listen(url) for _ in range(50)]
        for listener in listeners:
            await listener.piece()
        made.clear()
        await at.play(match, host, "M@c1")
        first = await listeners[0].next()
        assert all([await listener.next() == first for listener in listeners[1:]])
        news = [head for _, before, head, *_ in made if head.match.version > before.match.version]
        assert len(news) == 1


async def test_store_is_not_polled_without_listeners():
    async with live_match() as (at, match, _, _):
        asked = asyncio.all_tasks()
        listener = await at.listen(f"/matches/{match}/stream")
        await listener.next()
        assert at.feed.watching
        await listener.leave()
        assert not at.feed.watching
        await wait_until(lambda: asyncio.all_tasks() <= asked)


async def test_streams_end_with_hint_when_application_stops():
    async with live_match() as (at, match, _, _):
        one = await at.listen(f"/matches/{match}/stream")
        every = await at.listen("/stream")
        await one.next()
        await every.piece()
        at.app.state.live.end_streams()
        late = await at.listen(f"/matches/{match}/stream?after=0")
        for listener in (one, every, late):
            told = await listener.next()
            assert (told.event, told.id) == ("closing", None)
            assert told.data["retry"] in RETRY_INTERVALS
            assert await listener.next() is None
        line = await at.listen("/stream", {"Accept": "application/x-ndjson"})
        assert [each["event"] for each in await lines(line, 1)] == ["closing"]
        assert await line.piece("\n") is None


async def test_streams_end_when_store_file_is_changed(tmp_path):
    path = tmp_path / "book.db"
    with closing(open_store(path)) as store:
        async with live_service(store) as there:
            match = await there.open()
            listeners = [
                await there.listen(f"/matches/{match.id}/stream", match.host),
                await there.listen("/stream"),
            ]
            await listeners[0].next()
            path.rename(tmp_path / "moved.db")
            assert [(await each.next()).event for each in listeners] == ["closing", "closing"]
            assert [await each.next() for each in listeners] == [None, None]
            again = await there.listen(f"/matches/{match.id}/stream", match.host)
            assert again.status == 503


async def test_client_with_too_many_streams_is_refused():
    async with live_match(streams_per_address=2) as (at, match, _, _):
        url = f"/matches/{match}/stream"
        first, _ = await at.listen(url), await at.listen("/stream")
        refused = await at.listen(url)
        assert refused.status == 429
        assert int(refused.headers["retry-after"]) > 0
        await first.leave()
        assert (await at.listen(url)).status == 200


async def test_stream_of_all_has_only_public_matches():
    async with live_service() as at:
        every = await at.listen("/stream")
        await every.piece()
        await at.open()
        hidden, secret, _ = await at.open(visibility="private")
        await at.play(hidden, secret, "M@c1")
        match, host, _ = await at.open(visibility="public", players={"1": "Jet", "2": "Red"})
        told = await every.next()
        assert (told.event, told.data["match"], told.data["version"]) == ("opened", match, 0)
        assert told.data["players"] == {"1": "Jet", "2": "Red"}
        await at.play(match, host, "M@c1")
        told = await every.next()
        assert (told.event, told.data["version"]) == ("moved", 1)
        await at.play(match, host, "2:resign")
        told = await every.next()
        assert (told.event, told.data["outcome"]["winner"]) == ("ended", 1)


async def test_stream_of_all_keeps_sealed_moves_secret():
    async with live_service() as at:
        match, host, _ = await at.open("pyramid-ball", visibility="public")
        every = await at.listen("/stream")
        await every.piece()
        await at.play(match, host, PROGRAMS[0])
        told = await every.next()
        assert told.event == "moved"
        assert PROGRAMS[0].partition(":")[2] not in json.dumps(told.data)
        say(at.book, at.book.open(match))
        at.feed.written()
        await at.play(match, host, PROGRAMS[1])
        assert (await every.next()).data["version"] == 2
