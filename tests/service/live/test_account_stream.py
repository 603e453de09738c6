"""An account follows all of its matches in one stream."""

from __future__ import annotations

import json

import pytest

from replay.access import accounts, operators
from replay.access.capability_tokens import token_name
from replay.branches.forks import fork
from replay.record.addresses import Address
from tests.service.conftest import bearer
from tests.service.live_service import LiveService, live_service
from tests.waiting import wait_until


async def seat(at: LiveService, match, account, number):
    url = f"/matches/{match.id}/accounts/{account}"
    answer = await at.client.put(url, json={"role": "seat", "seat": number}, headers=match.host)
    assert answer.status_code == 200, answer.text


async def following(at, *names):
    """Return each account's headers and its stream, which has begun."""
    found = []
    for name in names:
        who = bearer(accounts.add(at.book, name))
        stream = await at.listen("/account/stream", who)
        await stream.piece()
        found.append((who, stream))
    return found


async def told(stream, count=1):
    news = [await stream.next() for _ in range(count)]
    return [(each.event, each.data["match"], each.data["version"]) for each in news]


async def test_account_stream_reports_all_its_matches():
    async with live_service() as at:
        (ann, hers), (bob, his) = await following(at, "ann", "bob")
        match, other = await at.open(visibility="private"), await at.open()
        await seat(at, match, "ann", 1)
        assert await told(hers, 2) == [("invited", match.id, 0), ("turn", match.id, 0)]
        await seat(at, match, "bob", 2)
        await seat(at, other, "bob", 2)
        assert await told(his, 2) == [("invited", match.id, 0), ("invited", other.id, 0)]
        await at.play(match.id, ann, "M@c1")
        turn = await his.next()
        assert (turn.event, turn.data["seat"], turn.data["players"]) == (
            "turn",
            2,
            {"1": "ann", "2": "bob"},
        )
        legal = (await at.client.get(f"/matches/{match.id}/legal?seat=2", headers=bob)).json()
        assert turn.data["legal"] == legal["legal"]["2"]
        assert [each["seat"] for each in turn.data["awaiting"]] == [2]
        await at.play(match.id, bob, turn.data["legal"][0])
        assert await told(hers) == [("turn", match.id, 2)]
        await at.client.post(f"/matches/{match.id}/takeback", json={"ply": 1}, headers=match.host)
        assert await told(his, 2) == [("taken-back", match.id, 3), ("turn", match.id, 3)]
        assert await told(hers) == [("taken-back", match.id, 3)]
        await at.play(match.id, match.host, "2:resign")
        for stream in (hers, his):
            assert await told(stream) == [("ended", match.id, 4)]


async def test_correction_is_sent_before_the_turn():
    async with live_service() as at:
        ((_, stream),) = await following(at, "ann")
        match = await at.open()
        await at.play(match.id, match.host, "M@c1")
        await seat(at, match, "ann", 2)
        await told(stream, 2)
        body = {"ply": 1, "how": "replaced", "texts": ["S@c1"]}
        url = f"/matches/{match.id}/amendments"
        assert (await at.client.post(url, json=body, headers=match.host)).status_code == 200
        assert await told(stream, 2) == [("corrected", match.id, 2), ("turn", match.id, 2)]


async def test_new_stream_begins_with_the_turns():
    async with live_service() as at:
        ann = bearer(accounts.add(at.book, "ann"))
        matches = [await at.open() for _ in range(60)]
        for match in matches:
            await seat(at, match, "ann", 1)
        await at.play(matches[0].id, ann, "M@c1")
        await at.client.delete(f"/matches/{matches[1].id}", headers=matches[1].host)
        stream = await at.listen("/account/stream", ann)
        begun = await told(stream, 58)
        assert begun == [("turn", match.id, 0) for match in reversed(matches[2:])]
        await at.play(matches[0].id, matches[0].host, "S@c6")
        assert await told(stream) == [("turn", matches[0].id, 2)]


async def test_stream_resumes_after_its_last_message():
    async with live_service() as at:
        ((ann, stream),) = await following(at, "ann")
        match, other = await at.open(), await at.open()
        await seat(at, match, "ann", 1)
        first, turn = await stream.next(), await stream.next()
        assert (first.id, turn.id > 0) == (None, True)
        await stream.leave()
        await at.play(match.id, ann, "M@c1")
        await at.play(match.id, match.host, "S@c6", "c1>L@c3")
        await at.client.post(f"/matches/{match.id}/takeback", json={"ply": 2}, headers=match.host)
        await seat(at, other, "ann", 2)
        again = await at.listen("/account/stream", ann | {"Last-Event-ID": str(turn.id)})
        assert await told(again, 3) == [
            ("taken-back", match.id, 4),
            ("turn", match.id, 4),
            ("invited", other.id, 0),
        ]
        lost = await at.listen("/account/stream?after=999", ann)
        assert lost.status == 410


async def test_stream_ends_with_its_token(monkeypatch):
    async with live_service() as at:
        ((ann, kept),) = await following(at, "ann")
        issued = accounts.issue(at.book, "ann")
        match = await at.open()
        await seat(at, match, "ann", 1)
        revoked = await at.listen("/account/stream", bearer(issued))
        in_match = await at.listen(f"/matches/{match.id}/stream?after=0", bearer(issued))
        await revoked.next()
        assert (await in_match.next()).event == "notes"
        operator = bearer(operators.issue(at.book))
        url = f"/accounts/ann/tokens/{token_name(issued)}"
        assert (await at.client.delete(url, headers=operator)).status_code == 200
        assert await revoked.next() is None
        assert await in_match.next() is None
        await told(kept, 2)
        await at.play(match.id, ann, "M@c1")
        await at.client.delete("/accounts/ann", headers=operator)
        assert await kept.next() is None


async def test_streams_end_when_the_token_expires(monkeypatch):
    async with live_service(heartbeat=0.05) as at:
        now = at.book.now()
        ann = bearer(accounts.add(at.book, "ann", expires=now + 60_000))
        match = await at.open()
        await seat(at, match, "ann", 2)
        streams = [
            await at.listen(url, ann)
            for url in ("/account/stream", f"/matches/{match.id}/stream?after=0")
        ]
        await streams[0].piece()
        assert (await streams[1].next()).event == "notes"
        monkeypatch.setattr(at.book, "now", lambda: now + 60_000)
        for stream in streams:
            assert await stream.next() is None


@pytest.mark.parametrize("scope", ["play", "read"])
async def test_secret_moves_are_sampled_for_the_player(scope):
    async with live_service() as at:
        ann = bearer(accounts.add(at.book, "ann", [scope]))
        match = await at.open("pyramid-ball")
        await seat(at, match, "ann", 1)
        stream = await at.listen("/account/stream", ann)
        turn = await stream.next()
        assert (turn.event, turn.data["legal"]) == ("turn", [])
        legal = (await at.client.get(f"/matches/{match.id}/legal?all=true", headers=ann)).json()
        assert turn.data["secret"] == legal["secret"]["1"]


async def test_other_seats_secret_is_not_sent():
    async with live_service() as at:
        ((_, stream),) = await following(at, "ann")
        match = await at.open("pyramid-ball", visibility="private")
        await seat(at, match, "ann", 2)
        await told(stream, 2)
        await at.play(match.id, match.seats["1"], "S=RLB,M=BLR,L=LRB")
        turn = await stream.next()
        assert (turn.event, turn.data["version"]) == ("turn", 1)
        assert "RLB" not in json.dumps(turn.data | {"secret": []})  # samples are random programs


async def test_moves_in_variations_are_not_sent():
    async with live_service() as at:
        ((_, stream),) = await following(at, "ann")
        match = await at.open()
        await seat(at, match, "ann", 1)
        await told(stream, 2)
        fork(at.book, *at.book.at(Address(match.id, 0)))
        await at.play(match.id, match.host, "M@c1", "S@c6")
        assert await told(stream) == [("turn", match.id, 2)]


async def test_ndjson_has_the_same_messages():
    async with live_service() as at:
        ann = bearer(accounts.add(at.book, "ann"))
        match = await at.open()
        await seat(at, match, "ann", 1)
        stream = await at.listen("/account/stream", ann | {"Accept": "application/x-ndjson"})
        lines = [json.loads(await stream.piece("\n")) for _ in range(2)]
        assert [line["event"] for line in lines] == ["heartbeat", "turn"]
        assert lines[1]["data"]["match"] == match.id
        await wait_until(lambda: at.app.state.live.limits.streams == 1)
