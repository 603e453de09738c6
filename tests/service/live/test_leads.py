"""One page turns the pages of a match for all who follow it, and nothing of it is stored."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from replay.store import temporary_store
from service.live import leads
from tests.conformance import door
from tests.paths import ROOT
from tests.service.live_service import Listener, LiveService, live_match, live_service

HERE = {"id": "a" * 32, "version": 1, "ply": 1}
MARKS = [{"kind": "arrow", "where": "a1-c3"}, {"kind": "circle", "where": "d4"}]


async def put(at: LiveService, match: str, who: dict[str, str], **lead: Any) -> Any:
    return await at.client.put(f"/matches/{match}/lead", json=HERE | lead, headers=who)


async def led(listener: Listener) -> Any:
    """Return the next lead that a stream tells."""
    while told := await listener.next():
        if told.event == "led":
            assert told.id is None
            return told.data["lead"]
    return None


async def test_lead_reaches_every_follower_also_late_ones():
    async with live_match() as (at, match, host, seats):
        await at.play(match, host, "M@c1", "S@c6")
        url, asking = f"/matches/{match}/stream?after=0", {"Accept": "application/x-ndjson"}
        early = [await at.listen(url), await at.listen(f"{url}&brief=true", seats["2"])]
        answered = await put(at, match, seats["1"], marks=MARKS)
        shown = {"id": HERE["id"], "by": "seat 1", "version": 1, "ply": 1, "marks": MARKS}
        assert answered.json() == {"match": match, "lead": shown}
        late = await at.listen(url)
        for each in (*early, late):
            assert await led(each) == shown
        lines = await at.listen(url, asking)
        while '"led"' not in (line := await lines.piece("\n") or ""):
            assert line
        assert (await put(at, match, host, id="b", ply=0)).status_code == 200
        for each in (*early, late):
            assert (await led(each))["by"] == "scorekeeper"


async def test_only_the_leading_page_ends_its_lead():
    async with live_match() as (at, match, host, seats):
        await at.play(match, host, "M@c1")
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await put(at, match, seats["1"])
        assert (await led(listener))["by"] == "seat 1"
        await put(at, match, host, id="b")
        assert (await led(listener))["by"] == "scorekeeper"
        await put(at, match, seats["1"], over=True)
        await put(at, match, host, id="b", ply=0)
        assert (await led(listener))["ply"] == 0
        answered = await put(at, match, host, id="b", over=True)
        assert answered.json() == {"match": match, "lead": None}
        assert await led(listener) is None


async def test_silent_page_leads_no_more(monkeypatch):
    async with live_match() as (at, match, host, _):
        await at.play(match, host, "M@c1")
        listener = await at.listen(f"/matches/{match}/stream?after=0")
        await put(at, match, host)
        assert (await led(listener))["ply"] == 1
        monkeypatch.setattr(leads, "SILENCE", 0.01)
        await put(at, match, host, ply=0)
        # A busy stream may miss the place that was led to for so short.
        while (last := await led(listener)) is not None:
            assert last["ply"] == 0


async def test_who_may_comment_may_lead():
    async with live_match() as (at, match, host, seats):
        await at.play(match, host, "M@c1")
        invited = await at.client.post(
            f"/matches/{match}/invitations", json={"role": "viewer"}, headers=host
        )
        viewer = {"Authorization": f"Bearer {invited.json()['token']}"}
        for visibility in ("unlisted", "private"):
            body = {"visibility": visibility}
            await at.client.put(f"/matches/{match}/visibility", json=body, headers=host)
            answers = [await put(at, match, who) for who in ({}, viewer, *seats.values(), host)]
            assert [each.status_code for each in answers] == [401, 403, 200, 200, 200]
        await at.client.delete(f"/matches/{match}", headers=host)
        assert (await put(at, match, host)).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"version": 9}, "version 9 is not in"),
        ({"ply": 2}, "ply 2 is not in the line"),
        ({"marks": [{"kind": "arrow", "where": "a1"}]}, "'a1' is not a valid arrow"),
        ({"marks": [{"kind": "circle", "where": "z9"}]}, "'z9' is not a place"),
        ({"marks": [{"kind": "line", "where": "a1"}]}, "kind"),
        ({"marks": MARKS * 9}, "marks"),
        ({"id": "a" * 201}, "id"),
        ({"step": 1}, "step"),
    ],
)
async def test_lead_of_a_wrong_place_is_refused(wrong, words):
    async with live_match() as (at, match, host, _):
        await at.play(match, host, "M@c1")
        answered = await put(at, match, host, **wrong)
        assert answered.status_code in (400, 404)
        assert words in answered.text


async def test_lead_stores_nothing():
    async with live_match() as (at, match, host, _):
        await at.play(match, host, "M@c1")
        before = at.store.data_version(), at.store.changes(None).cursor
        await put(at, match, host, marks=MARKS)
        assert (at.store.data_version(), at.store.changes(None).cursor) == before


async def test_leaders_secrets_stay_their_own(tmp_path):
    """Followers hear the place; the page of each asks for its own board of it."""
    door.install(ROOT / "plugins" / "whist", tmp_path)
    with door.opened(tmp_path):
        async with live_service() as at:
            match, _, seats = await at.open("whist", seats=4)
            await at.play(
                match, seats["1"], "1:hand=" + "".join(f"{rank}C" for rank in "23456789TJQKA")
            )
            url = f"/matches/{match}/stream?after=1"
            listeners = [await at.listen(url, who) for who in ({}, seats["1"], seats["2"])]
            assert (await put(at, match, seats["1"])).status_code == 200
            heard = [await led(each) for each in listeners]
            assert heard == 3 * [
                {"id": HERE["id"], "by": "seat 1", "version": 1, "ply": 1, "marks": []}
            ]
            frame = f"/m/{match}/frame?version=1&ply=1"
            boards = [await at.client.get(frame, headers=who) for who in ({}, *seats.values())]
            assert ["9♣" in board.text for board in boards] == [False, True, False, False, False]


async def test_lead_from_another_version_is_not_heard():
    with closing(temporary_store()) as store:
        async with live_service(store) as at:
            match, host, _ = await at.open()
            for odd in ("{", "{}", "[]", "\x00"):
                store.tell(odd)
            await put(at, match, host, version=0, ply=0)
            listener = await at.listen(f"/matches/{match}/stream?after=0")
            assert (await led(listener))["ply"] == 0
