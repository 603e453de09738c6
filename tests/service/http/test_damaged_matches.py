"""A damaged match is one problem, 409 `damaged-match`, at every door, and one line of the log."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest

from replay.book import Book
from replay.store import open_store
from service.http import logs
from service.settings import Settings
from tests.contract.operations import list_operations
from tests.damage import READABLE, UNREADABLE, damaged_book
from tests.service.conftest import bearer, serve
from tests.service.mcp.tool_server import client as connect
from tests.service.mcp.tool_server import create_server

FREE = Settings(requests_per_minute=0, matches_per_hour=0)

READS = (
    "/matches/{match}",
    "/matches/{match}/events",
    "/matches/{match}/legal?all=true",
    "/matches/{match}/verify",
    "/matches/{match}/explore",
    "/matches/{match}/annotations",
    "/matches/{match}/stream",
    "/matches/{match}/record",
    *(f"/matches/{{match}}/record?format={name}" for name in ("archive", "png", "gif", "html")),
    *(f"/m/{{match}}{page}" for page in ("", "/replay", "/sheet", "/tv", "/embed", "/frame")),
)
"""The doors where people and programs read a match."""

WHOLE = ("/", "/matches", "/archive", "/changes", "/records?tag=Event:x", "/library", "/stats")
"""The doors that go on without a damaged match."""

VALUES = {
    "slug": "poptrix",
    "game": "poptrix",
    "clause": "POP-1.1",
    "tag": "Event",
    "picture": "0.svg",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "book.db"
    return path, damaged_book(path)


@pytest.fixture(scope="module")
def damaged(book):
    """The service over the damaged book, and the ids and tokens of its matches."""
    path, made = book
    with serve(FREE, Book(open_store(path))) as api:
        yield api, made


@pytest.fixture
def lines(caplog, monkeypatch):
    """A function that returns the lines that the service logged."""
    monkeypatch.setattr(logs, "CAUSES", logs.Causes())
    with caplog.at_level(logging.ERROR):
        yield lambda: [
            each.getMessage() for each in caplog.records if each.name == "plybook.service"
        ]


@pytest.mark.parametrize("kind", UNREADABLE)
def test_every_reader_names_the_damaged_match_in_one_line(damaged, lines, kind):
    api, made = damaged
    match, token = made[kind]
    for door in READS:
        answer = api.get(door.format(match=match), headers=bearer(token))
        told = answer.json()
        assert (answer.status_code, told["code"]) == (409, "damaged-match"), (door, answer.text)
        assert told["match"] == match
        assert f"`plybook verify {match}`" in told["detail"]
    (line,) = lines()
    assert f"`plybook verify {match}`" in line
    assert "\n" not in line


@pytest.mark.parametrize("kind", UNREADABLE | READABLE)
def test_no_route_answers_500_for_a_damaged_match(damaged, lines, kind):
    api, made = damaged
    match, token = made[kind]
    asked, examples = 0, bodies(api)
    for method, path in requests(api):
        address = re.sub(r"{(\w+)}", lambda name: VALUES.get(name[1], "1"), path)
        body = examples.get((method, path))
        sent = {} if body is None else {"json": body}
        there = address.replace("/matches/1", f"/matches/{match}").replace("/m/1", f"/m/{match}")
        answer = api.client.request(method, there, headers=bearer(token), **sent)
        assert answer.status_code < 500 or answer.status_code == 501, (method, there, answer.text)
        asked += 1
    assert asked > 70
    assert not [line for line in lines() if "\n" in line]


def requests(api):
    """Return the methods and paths of all routes about a match, without the one that deletes it."""
    found = {
        (method, re.sub(r":\w+}", "}", route.path))
        for route in api.client.app.routes
        for method in getattr(route, "methods", ())
        if route.path.startswith(("/matches/{match", "/m/{match")) and "stream" not in route.path
    }
    kept = {each for each in found if each[0] not in ("OPTIONS", "HEAD")}
    return sorted(
        kept - {("DELETE", "/matches/{match}")}, key=lambda each: (each[0] != "GET", each)
    )


def bodies(api):
    """Return the example of each operation's body."""
    schema = api.get("/schema/openapi.json").json()
    return {(each.method, each.path): each.example for each in list_operations(schema) if each.body}


def test_whole_book_is_read_without_its_damaged_matches(damaged, lines):
    api, made = damaged
    own = bearer(made["hash does not fit"][1])
    for door in WHOLE:
        assert api.get(door, headers=own).status_code == 200, door
    assert not [line for line in lines() if "\n" in line]


@pytest.mark.parametrize(
    ("kind", "form"), [("hash does not fit", "archive"), ("note is no JSON", "html")]
)
def test_export_that_meets_the_damage_names_the_match(damaged, kind, form):
    api, made = damaged
    match, token = made[kind]
    answer = api.get(f"/matches/{match}/record?format={form}", headers=bearer(token))
    assert (answer.status_code, answer.json().get("match")) == (409, match), answer.text


def test_match_that_waits_for_a_lost_secret_is_taken_back(tmp_path):
    match, token = damaged_book(tmp_path / "book.db")["secret is missing"]
    host = bearer(token)
    with serve(FREE, Book(open_store(tmp_path / "book.db"))) as api:
        legal = api.get(f"/matches/{match}/legal?all=true", headers=host).json()["legal"]
        assert legal == {"1": [], "2": []}
        assert api.get(f"/m/{match}/ahead", headers=host).is_success
        answer = api.play(match, host, "2:S=LFF,M=RFF,L=RFB")
        assert "take it back" in answer.json()["detail"]
        assert api.post(f"/matches/{match}/takeback", json={"ply": 0}, headers=host).is_success


def test_tools_name_the_damaged_match(book):
    path, made = book
    match, _ = made["payload is no JSON"]

    async def look():
        store = open_store(path)
        server, app = create_server(Book(store), FREE)
        async with app.lifespan(), connect(server) as client:
            told = [
                await client.call_tool(tool, {"match": match, "token": ""})
                for tool in ("look", "history")
            ]
        store.close()
        return [each.content[0].text for each in told]

    for text in asyncio.run(look()):
        assert f"`plybook verify {match}`" in text
