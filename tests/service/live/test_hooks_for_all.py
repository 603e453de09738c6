"""A hook of the book gets the changes of all matches, in order, and nothing secret."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replay.access import operators
from replay.store import open_store
from replay.upkeep.purge import purge
from tests.service.conftest import bearer
from tests.service.live.test_hook_deliveries import (
    SECRET,
    Receiver,
    hooked,
    hurried,
    receiving,
    status,
    told,
)
from tests.service.live.test_streams import PROGRAMS
from tests.service.live_service import LiveService, live_service
from tests.waiting import wait_until

__all__ = ["hurried"]


async def register_for_all(at: LiveService, url: str, *types: str) -> dict[str, Any]:
    who = bearer(operators.issue(at.book))
    body = {"url": url, "secret": SECRET, "types": types}
    answer = await at.client.post("/hooks", json=body, headers=who)
    assert answer.status_code == 201, answer.text
    return {**answer.json(), "who": who}


def bodies(receiver: Receiver) -> list[dict[str, Any]]:
    return [json.loads(body) for _, body in receiver.posts]


async def until(receiver: Receiver, count: int) -> list[dict[str, Any]]:
    await wait_until(lambda: len(receiver.posts) >= count)
    return bodies(receiver)


async def test_hook_for_all_gets_every_change():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        await at.open()
        hook = await register_for_all(at, receiver.url)
        match, host, _ = await at.open(visibility="private", players={"1": "Jet", "2": "Red"})
        opened, *_ = await until(receiver, 1)
        assert opened == {
            "type": "match.opened",
            "hook": hook["id"],
            "number": opened["number"],
            "feed": opened["feed"],
            "match": match,
            "what": ["opened", "names", "tags", "visibility"],
            "at": opened["at"],
            "words": "a match of Poptrix was opened: Jet - Red",
            "url": f"http://house/m/{match}",
            "game": "poptrix",
            "players": {"1": "Jet", "2": "Red"},
            "version": 0,
            "outcome": None,
        }
        await at.play(match, host, "M@c1")
        await until(receiver, 2)
        await at.client.post(f"/matches/{match}/takeback", json={"ply": 0}, headers=host)
        await until(receiver, 3)
        body = {"ply": 0, "comment": "hello"}
        await at.client.post(f"/matches/{match}/annotations", json=body, headers=host)
        await until(receiver, 4)
        await at.client.put(f"/matches/{match}/tags", json={"tags": {"Event": "C"}}, headers=host)
        await until(receiver, 5)
        body = {"players": {"2": "Ann"}}
        await at.client.patch(f"/matches/{match}/people", json=body, headers=host)
        await until(receiver, 6)
        await at.play(match, host, "2:resign")
        await until(receiver, 7)
        purge(at.book, at.book.find(match))
        heard = await until(receiver, 8)
        assert [(each["type"], each["words"]) for each in heard[1:]] == [
            (
                "match.events",
                "Jet places a medium on c1; Red is to place a pyramid on the home row",
            ),
            ("match.events", "taken back to ply 0; Jet is to place a pyramid on the home row"),
            ("match.notes", "the annotations of the match were changed"),
            ("match.changed", "the tags of the match were changed"),
            ("match.changed", "seat 2 is Ann now (scorekeeper)"),
            ("match.ended", "Ann resigns; Jet won (resigned)"),
            ("match.gone", "the match was deleted"),
        ]
        assert heard[6]["outcome"]["winner"] == 1
        assert (heard[7]["url"], heard[7]["game"], heard[7]["players"]) == (None, None, {})
        numbers = [each["number"] for each in heard]
        assert numbers == sorted(set(numbers))


async def test_hooks_for_all_choose_their_types():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        hook = await register_for_all(at, receiver.url, "match.ended")
        commits = at.store._writer.commits
        match, host, _ = await at.open()
        for token in ("M@c1", "S@c6", "c1>L@c3"):
            await at.play(match, host, token)
        assert at.store._writer.commits - commits <= 6, "nothing is noted for what it is not told"
        await at.play(match, host, "2:resign")
        [ended] = await until(receiver, 1)
        assert (ended["type"], ended["version"]) == ("match.ended", 4)
        assert hook["types"] == ["match.ended"]
        await wait_until(lambda: at.store.hooks()[0].delivered)  # stored after the call
        answer = await at.client.get(f"/hooks/{hook['id']}", headers=hook["who"])
        assert (answer.json()["delivered"], "secret" in answer.json()) == (ended["number"], False)


async def test_no_secret_reaches_a_hook_for_all():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        await register_for_all(at, receiver.url)
        match, host, _ = await at.open("pyramid-ball")
        await at.play(match, host, PROGRAMS[0])
        await wait_until(lambda: any(each["version"] == 1 for each in bodies(receiver)))
        assert PROGRAMS[0].partition(":")[2] not in json.dumps(bodies(receiver))


@pytest.mark.usefixtures("hurried")
async def test_failed_call_of_hook_for_all_is_repeated():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        receiver.answers = [status(500)] * 2
        hook = await register_for_all(at, receiver.url)
        matches = {(await at.open()).id for _ in range(5)}
        await wait_until(lambda: {each["match"] for each in bodies(receiver)} == matches)
        await wait_until(
            lambda: at.store.hooks()[0].delivered == at.store.changes(None).cursor.number
        )
        assert bodies(receiver)[0] == bodies(receiver)[1] or len(receiver.posts) > 5
        assert hook["delivered"] == 0


async def test_hooks_for_all_continue_after_restarts(tmp_path):
    store = open_store(tmp_path / "book.db")
    async with receiving() as receiver:
        async with live_service(store, hooks_anywhere=True) as at:
            await register_for_all(at, receiver.url)
            first = (await at.open()).id
            await until(receiver, 1)
            await wait_until(lambda: store.hooks()[0].delivered > 0)
        async with live_service(store) as at:  # this service may not call the address
            second = (await at.open()).id
        store.revive_hook(store.hooks()[0].id, 0).result()
        async with live_service(store, hooks_anywhere=True):
            heard = await until(receiver, 2)
    assert [each["match"] for each in heard] == [first, second]
    store.close()


async def test_hooks_for_all_are_pinged_rotated_and_removed():
    async with live_service(hooks_anywhere=True) as at, receiving() as receiver:
        hook = await register_for_all(at, receiver.url)
        url, who = f"/hooks/{hook['id']}", hook["who"]
        assert (await at.client.post(f"{url}/ping", headers=who)).json()["arrived"]
        assert bodies(receiver) == [{"type": "ping", "hook": hook["id"], "match": None}]
        rotated = (await at.client.post(f"{url}/rotate", headers=who)).json()
        assert rotated["secret"] not in (SECRET, "")
        there = (await at.client.get("/hooks", headers=who)).json()["hooks"]
        assert [each["id"] for each in there] == [hook["id"]]
        assert SECRET not in json.dumps(there)
        assert (await at.client.post(f"{url}/revive", headers=who)).status_code == 200
        assert (await at.client.delete(url, headers=who)).status_code == 200
        assert (await at.client.get(url, headers=who)).status_code == 404


async def test_retry_registers_one_hook_for_all():
    async with live_service(hooks_anywhere=True) as at:
        who = bearer(operators.issue(at.book)) | {"Idempotency-Key": "k" * 30}
        body = {"url": "http://127.0.0.1:9/", "types": ["match.gone"]}
        first, second = [
            (await at.client.post("/hooks", json=body, headers=who)).json() for _ in range(2)
        ]
        assert first["id"] == second["id"]
        other = await at.client.post("/hooks", json={**body, "types": []}, headers=who)
        assert other.status_code == 409


def test_only_an_operator_registers_a_hook_for_all(api):
    match, body = api.open(), {"url": "https://example.org/"}
    for who, expected in (({}, 401), (bearer("x" * 32), 401), (match.host, 403)):
        assert api.post("/hooks", json=body, headers=who).status_code == expected
        assert api.get("/hooks", headers=who).status_code == expected
        assert api.get("/hooks/abc", headers=who).status_code == expected


@pytest.mark.parametrize(
    "body", [{"types": ["match.lost"]}, {"url": "ftp://example.org"}, {"url": "http://127.0.0.1/"}]
)
def test_malformed_hook_for_all_is_refused(api, body):
    who = bearer(operators.issue(api.book))
    sent = {"url": "https://example.org/"} | body
    assert api.post("/hooks", json=sent, headers=who).status_code == 400


async def test_match_hook_names_match_and_news():
    async with hooked(players={"1": "Jet"}) as (at, receiver, match, host, hook):
        await at.play(match, host, "M@c1")
        [heard] = await until(receiver, 1)
        assert (heard["url"], heard["game"], heard["players"], heard["words"]) == (
            f"http://house/m/{match}",
            "poptrix",
            {"1": "Jet"},
            "Jet places a medium on c1; seat 2 is to place a pyramid on the home row",
        )
        assert (await told(at, hook, host))["match"] == match
