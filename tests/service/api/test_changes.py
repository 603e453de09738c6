"""The feed of changes that each caller may see, in pages and live."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replay.access import operators, visibility
from replay.access.capability_tokens import token_name
from replay.branches.forks import fork, hide
from replay.record.addresses import Address
from replay.store.feed_types import ChangeCursor
from replay.upkeep.purge import purge
from service.api import changes
from tests.service.conftest import bearer
from tests.service.live_service import live_service

NDJSON = {"Accept": "application/x-ndjson"}
SSE = {"Accept": "text/event-stream"}


@pytest.fixture
def api(fresh: Any) -> Any:
    return fresh


def told(api: Any, after: int = 0, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the changes after a number by match: what changed, or that it is gone."""
    page = api.get(f"/changes?after={after}", headers=headers or {}).json()
    return {each["match"]: "gone" if each["gone"] else each["what"] for each in page["changes"]}


def last(api: Any) -> int:
    number: int = api.get("/changes", headers=operator(api)).json()["next"]
    return number


def operator(api: Any) -> dict[str, str]:
    return bearer(operators.issue(api.book))


def test_page_lists_matches_with_their_changes(api):
    match = api.open(visibility="public", players={"1": "Jet"})
    api.play(match.id, match.host, "M@c1")
    page = api.get("/changes").json()
    [change] = page["changes"]
    assert change == {
        "number": page["next"],
        "match": match.id,
        "gone": False,
        "what": ["opened", "events", "names", "tags", "visibility"],
        "version": 1,
        "at": change["at"],
    }
    assert page["more"] is False
    again = api.get("/changes", params={"after": page["next"], "feed": page["feed"]}).json()
    assert again == {**page, "changes": []}
    api.client.patch(
        f"/matches/{match.id}/people", json={"players": {"1": "Ann"}}, headers=match.host
    )
    assert told(api, page["next"]) == {match.id: ["names"]}


def test_callers_see_changes_of_matches_they_list(api):
    matches = {each: api.open(visibility=each) for each in ("public", "unlisted", "private")}
    public, unlisted, private = (match.id for match in matches.values())
    assert set(told(api)) == {public}
    assert set(told(api, headers=matches["private"].host)) == {public, private}
    assert set(told(api, headers=matches["unlisted"].seats["1"])) == {public, unlisted}
    assert set(told(api, headers=bearer("x" * 32))) == {public}
    assert set(told(api, headers=operator(api))) == {public, unlisted, private}


@pytest.mark.parametrize("away", ["private", "trash", "purge"])
def test_match_no_longer_public_is_reported_gone(api, away):
    match, hidden = api.open(visibility="public"), api.open(visibility="private")
    after = last(api)
    for each in (match, hidden):
        url = f"/matches/{each.id}"
        if away == "private":
            api.client.put(f"{url}/visibility", json={"visibility": "private"}, headers=each.host)
        else:
            api.client.delete(url, headers=each.host)
        if away == "purge":
            purge(api.book, api.book.find(each.id))
    assert told(api, after) == {match.id: "gone"}
    assert told(api, 0) == {match.id: "gone"}
    if away == "private":
        api.play(match.id, match.host, "M@c1")
        [gone] = api.get(f"/changes?after={after}").json()["changes"]
        assert gone["version"] is None
        assert gone["number"] < last(api), "its later moves are not told"
        assert told(api, after, match.host) == {match.id: ["events", "visibility"]}


def test_published_match_is_a_change(api):
    match = api.open(visibility="private")
    api.play(match.id, match.host, "M@c1")
    after = last(api)
    api.client.put(
        f"/matches/{match.id}/visibility", json={"visibility": "public"}, headers=match.host
    )
    [change] = api.get(f"/changes?after={after}").json()["changes"]
    assert (change["match"], change["what"], change["version"]) == (match.id, ["visibility"], 1)


def test_match_made_public_again_is_not_gone(api):
    match = api.open(visibility="public")
    for each in ("private", "public"):
        api.client.put(
            f"/matches/{match.id}/visibility", json={"visibility": each}, headers=match.host
        )
    assert list(told(api)) == [match.id]
    assert told(api)[match.id] != "gone"


def test_operator_sees_changes_of_the_trash(api):
    match, trusted = api.open(), operator(api)
    after = last(api)
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    [change] = api.get(f"/changes?after={after}", headers=trusted).json()["changes"]
    assert (change["match"], change["gone"], change["what"]) == (match.id, True, ["trashed"])
    after = last(api)
    api.post(f"/matches/{match.id}/restore", headers=match.host)
    assert told(api, after, trusted) == {match.id: ["restored"]}
    after = last(api)
    purge(api.book, api.book.find(match.id))
    assert told(api, after, trusted) == {match.id: "gone"}


def test_variations_are_withdrawn_with_their_match(api):
    match = api.open(visibility="public")
    api.play(match.id, match.host, "M@c1")
    book = api.book
    line = fork(book, *book.at(Address(match.id, 1)), "variation")
    after = last(api)
    for value, expected in (("private", "gone"), ("public", ["visibility"])):
        visibility.set_visibility(book, book.open(match.id), value)
        assert told(api, after) == {match.id: expected, line.id: expected}
    after = last(api)
    hide(book, line)
    assert told(api, after) == {line.id: "gone"}


def test_annotation_is_a_change(api):
    match = api.open(visibility="public")
    after = last(api)
    body = {"ply": 0, "comment": "hello"}
    api.post(f"/matches/{match.id}/annotations", json=body, headers=match.host)
    assert told(api, after) == {match.id: ["notes"]}


def test_following_next_reaches_the_last_page(api, monkeypatch):
    monkeypatch.setattr("replay.library.changes.LOOKED", 3)
    made = [api.open(visibility="public" if each % 4 else "private") for each in range(12)]
    public = [match.id for each, match in enumerate(made) if each % 4]
    seen, state, more, requests = list[str](), dict[str, Any](), True, 0
    while more:
        page = api.get("/changes", params=state | {"limit": 2}).json()
        assert len(page["changes"]) <= 2
        seen += [each["match"] for each in page["changes"]]
        state, more = {"after": page["next"], "feed": page["feed"]}, page["more"]
        requests += 1
    assert seen == public
    assert requests <= 12


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_number_of_a_different_history_is_410(api, accept):
    api.open(visibility="public")
    now = api.get("/changes").json()
    headers = {"Accept": accept}
    beyond = api.get(f"/changes?after={now['next'] + 1}", headers=headers)
    assert beyond.status_code == 410
    assert "start from the beginning" in beyond.json()["detail"]
    other = api.get("/changes", params={"after": now["next"], "feed": "another"}, headers=headers)
    assert other.status_code == 410


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=1001", "before=1"])
def test_malformed_query_is_refused(api, query):
    assert api.get(f"/changes?{query}").status_code == 400


async def test_changes_are_followed_and_resumed():
    async with live_service() as at:
        match = await at.open(visibility="public")
        await at.open(visibility="private")
        first = await at.listen("/changes?after=0", SSE)
        opened = await first.next()
        assert (opened.event, opened.id, opened.data["match"]) == (
            "changed",
            opened.data["number"],
            match.id,
        )
        await at.play(match.id, match.host, "M@c1")
        moved = await first.next()
        assert (moved.data["what"], moved.data["version"]) == (["events"], 1)
        again = await at.listen("/changes", SSE | {"Last-Event-ID": str(opened.id)})
        assert await again.next() == moved
        line = await at.listen(f"/changes?after={opened.id}&feed={opened.data['feed']}", NDJSON)
        assert json.loads(await line.piece("\n"))["event"] == "heartbeat"
        assert json.loads(await line.piece("\n")) == {
            "event": "changed",
            "id": moved.id,
            "data": moved.data,
        }


async def test_stream_of_all_resumes_from_an_id():
    async with live_service() as at:
        match = await at.open(visibility="public")
        every = await at.listen("/stream?after=0")
        opened = await every.next()
        await every.leave()
        await at.play(match.id, match.host, "M@c1")
        await at.play(match.id, match.host, "S@c6")
        again = await at.listen("/stream", {"Last-Event-ID": str(opened.id)})
        missed = await again.next()
        assert (missed.event, missed.data["version"]) == ("moved", 2)
        assert missed.id == opened.id + 2


async def test_only_last_message_of_a_change_has_number():
    async with live_service() as at:
        match = await at.open(visibility="public")
        await at.play(match.id, match.host, "M@c1")
        every = await at.listen("/stream?after=0")
        assert [(each.event, each.id) for each in [await every.next(), await every.next()]] == [
            ("opened", None),
            ("moved", number_of(at.store, match.id)),
        ]


def number_of(store: Any, match: str) -> int:
    found = store.changes(ChangeCursor()).found
    return next(each.number for each in found if each.match == match)


async def test_operator_follows_every_match():
    async with live_service() as at:
        token = operators.issue(at.book)
        every = await at.listen("/stream", bearer(token))
        await every.piece()
        private = await at.open(visibility="private")
        assert (await every.next()).data["match"] == private.id
        operators.revoke(at.book, operators.list_issued(at.book)[0].id)
        await at.play(private.id, private.host, "M@c1")
        assert await every.next() is None


async def test_stream_of_all_ends_with_its_token():
    async with live_service() as at:
        match = await at.open(visibility="private")
        every = await at.listen("/stream", match.seats["1"])
        await every.piece()
        key = token_name(match.seats["1"]["Authorization"].removeprefix("Bearer "))
        url = f"/matches/{match.id}/invitations/{key}"
        assert (await at.client.delete(url, headers=match.host)).status_code == 200
        assert await every.next() is None


async def test_followers_of_equal_scope_share_pages(monkeypatch):
    pages = []
    read = changes._messages
    monkeypatch.setattr(changes, "_messages", lambda *asked: pages.append(asked) or read(*asked))
    async with live_service(streams_per_address=0) as at:
        listeners = [await at.listen("/stream") for _ in range(20)]
        for each in listeners:
            await each.piece()
        pages.clear()
        await at.open(visibility="public")
        first = await listeners[0].next()
        assert all([await each.next() == first for each in listeners[1:]])
        assert len(pages) <= 4
