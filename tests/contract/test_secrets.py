"""No request of anyone but its seat reveals a sealed move.

Two matches differ only in a sealed move. The answers to others about the one match contain no more
of its secret than the answers about the other.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest
from litestar.routes import HTTPRoute

from plybook.testing.secrets import Worlds, worlds
from replay.book import Book
from replay.programs import evaluations
from replay.store import temporary_store
from service.app import create_app
from tests.conformance import door
from tests.conformance.subjects import SITE, WITH_SECRETS, Subject
from tests.contract.operations import Operation, Schema, list_operations, path_values
from tests.contract.random_requests import RandomRequests
from tests.contract.server import OpenedMatch, Server, run_server
from tests.contract.twin_matches import (
    Request,
    Service,
    TwinMatches,
    comparable,
    play_twins,
    two_services,
)

STREAM = "/matches/{match}/stream"
AT_ONCE = 0.15
"""Seconds in which a stream sends its first messages."""


class Scenario(NamedTuple):
    """A game in which a seat seals one of two secrets after some moves; `reveal` opens them."""

    name: str
    opening: dict[str, Any]
    before: tuple[str, ...]
    seat: str
    secrets: tuple[str, str]
    reveal: tuple[str, ...]


ROWS = "S=RLB,M=BLR,L=LRB", "S=BRL,M=LBR,L=RBL"
PICKING = {"game": "pyramid-ball", "options": {"opening": "selection"}}

SCENARIOS = [
    *(
        Scenario(
            f"program of seat {seat}",
            {"game": "pyramid-ball"},
            (),
            seat,
            (f"{seat}:{ROWS[0]}", f"{seat}:{ROWS[1]}"),
            (f"{other}:S=...,M=...,L=...",),
        )
        for seat, other in ("12", "21")
    ),
    Scenario("pick of seat 1", PICKING, (), "1", ("1:pick=S", "1:pick=L"), ("2:pick=M",)),
    Scenario("pick of seat 2", PICKING, (), "2", ("2:pick=M", "2:pick=L"), ("1:pick=S",)),
    Scenario(
        "bid of seat 2",
        {"game": "hidden-bid", "seats": 2},
        ("roll=4",),
        "2",
        ("2:bid=3", "2:bid=7"),
        ("1:bid=1",),
    ),
]


class World(NamedTuple):
    """A match with a sealed move, the people who send requests, and its path values."""

    match: OpenedMatch
    people: dict[str, dict[str, str]]
    path_values: dict[str, str]
    seat: str


class Asking(NamedTuple):
    """A kind of request: its name, and its parts with placeholders like `{match}`."""

    name: str
    method: str
    path: str
    query: str = ""
    body: Any = None


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[Server]:
    """A server with the sixth game; the last test reads its log."""
    with run_server(tmp_path_factory.mktemp("house"), str(SITE)) as running:
        yield running


@pytest.fixture(scope="module")
def house_schema(house) -> Schema:
    return house.client.get("/schema/openapi.json").json()


def fragments(secret: str) -> set[str]:
    """Return the texts that give a secret away: its move text, and its parts as text and JSON."""
    token = secret.partition(":")[2]
    parts = [part.partition("=") for part in token.split(",")]
    written = {f"{name}={value}" for name, _, value in parts}
    values = {value for _, _, value in parts if len(value) > 2}
    encoded = {f'"{name}":"{value}"' for name, _, value in parts}
    bare = {f'"coins":{value}' for name, _, value in parts if name == "bid"}
    sizes = {f'"size":"{value}"' for name, _, value in parts if name == "pick"}
    every = {token, *written, *values, *encoded, *bare, *sizes}
    return every | {quote(each) for each in every}


def world(server: Server, schema: Schema, scenario: Scenario, secret: str) -> World:
    """Open a match, create everything that can be created in it, and seal a secret."""
    match = server.open(**scenario.opening, visibility="public")
    if scenario.before:
        assert server.enter(match, scenario.before).status_code == 200
    found = path_values(server, match, schema)
    inviting = server.client.post(
        f"/matches/{match.id}/invitations", json={"role": "viewer"}, headers=match.host
    )
    sealed = server.enter(match, [secret], match.seats[scenario.seat])
    assert sealed.status_code == 200, sealed.text
    others = {name: header for name, header in match.seats.items() if name != scenario.seat}
    people = {
        "a spectator": {},
        "a viewer": {"Authorization": f"Bearer {inviting.json()['token']}"},
        **{f"seat {name}": header for name, header in others.items()},
        "the host": match.host,
        "an operator": server.operator(),
    }
    return World(match, people, found, scenario.seat)


def ways(schema: Schema, secrets: tuple[str, str]) -> Iterator[Asking]:
    """Yield every kind of request for every operation of the schema and for every page."""
    for operation in list_operations(schema):
        body = operation.example if operation.body is not None else None
        required = "after=0" if operation.path == STREAM else _required(operation)
        yield Asking(repr(operation), operation.method, operation.path, required, body)
        for name, values in _values(operation, secrets):
            for value in values:
                query = "&".join(filter(None, (required, f"{name}={quote(value)}")))
                yield Asking(repr(operation), operation.method, operation.path, query, body)
    other = {"1": "2", "2": "1"}[secrets[0][0]]
    for token in (f"{other}:{ROWS[0]}", f"{other}:S=FFFF", secrets[0], secrets[1], "resign", "?"):
        body = {"events": [{"text": token}]}
        yield Asking("try", "POST", "/matches/{match}/events", "dry_run=true", body)
    listed = {operation.path for operation in list_operations(schema)}
    for route in create_app(Book(temporary_store())).routes:
        page = isinstance(route, HTTPRoute) and "GET" in route.methods
        if page and route.path_format not in listed and not route.path.startswith("/static"):
            for query in ("", "ply=1") if "{match}" in route.path_format else ("",):
                yield Asking("page", "GET", route.path_format, query)


def _required(operation: Operation) -> str:
    given = {"with": "{match}", "q": "pyramid"}
    return "&".join(
        f"{each['name']}={given.get(each['name'], '1')}"
        for each in operation.schema["parameters"]
        if each["in"] == "query" and each["required"]
    )


def _values(operation: Operation, secrets: tuple[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield values of each query parameter: words, beginnings and parts of the secrets."""
    for each in operation.schema["parameters"]:
        schema = each["schema"]
        if each["in"] != "query" or each["required"] or operation.streams:
            continue
        match schema.get("type"):
            case "integer":
                yield each["name"], ["0", "1", "2"]
            case "boolean":
                yield each["name"], ["true"]
            case _ if "enum" in schema:
                yield each["name"], list(schema["enum"])
            case _:
                tokens = [secret.partition(":")[2] for secret in secrets]
                begun = [token[: len(token) // 2] for token in tokens]
                yield each["name"], [*secrets, *tokens, *begun]


def ask(server: Server, world: World, asking: Asking, headers: dict[str, str]) -> str:
    """Return the whole answer, headers included; of a stream its first messages."""
    filled = {"version": "1", "ply": "1", **world.path_values, "picture": "1.svg", "token": "0"}
    path = asking.path
    for name, value in filled.items():
        path = path.replace(f"{{{name}}}", value)
    query = asking.query.replace("{match}", world.match.id)
    request = server.client.build_request(
        asking.method, f"{path}?{query}", json=asking.body, headers=headers
    )
    answer = server.client.send(request, stream=True)
    if path.endswith("/stream"):  # a stream stays open after the first messages
        request.extensions["timeout"]["read"] = AT_ONCE
    heard = [f"{answer.status_code} {answer.headers}".encode()]
    try:
        heard += answer.iter_bytes()
    except httpx.ReadTimeout:
        for_ever = answer.headers.get("content-type", "").startswith("text/event-stream")
        assert for_ever, asking
    finally:
        answer.close()
    return b"".join(heard).decode(errors="replace")


CHANCE = re.compile(r"[\w-]{22,}")
"""Tokens, ids and hashes: random, so they contain any three letters now and then."""


def told_of(text: str, secrets: tuple[str, str]) -> list[Counter[str]]:
    """Count the fragments of the one secret and of the other."""
    text = CHANCE.sub("", text)
    return [
        Counter({each: count for each in fragments(secret) if (count := text.count(each))})
        for secret in secrets
    ]


every_scenario = pytest.mark.parametrize(
    "scenario",
    [pytest.param(each, id=each.name) for each in SCENARIOS],
)


@pytest.mark.slow
@every_scenario
def test_no_answer_reveals_part_of_a_secret(house, house_schema, scenario):
    asked = [each for each in ways(house_schema, scenario.secrets) if only_asks(each)]
    inside = [asking for asking in asked if "{match}" in asking.path]
    outside = [asking for asking in asked if "{match}" not in asking.path]
    aside = world(house, house_schema, scenario, scenario.secrets[0])
    said = [told_of(ask(house, aside, asking, {}), scenario.secrets) for asking in outside]
    pair = [world(house, house_schema, scenario, secret) for secret in scenario.secrets]
    for asking in inside:
        compare(house, pair, asking, scenario)
    for asking, before in zip(outside, said, strict=True):
        for each in pair:
            heard = ask(house, each, asking, each.match.host)
            assert told_of(heard, scenario.secrets) == before, (asking, heard)
    shown = "".join(ask(house, pair[0], asking, owner(pair[0])) for asking in inside)
    assert scenario.secrets[0].partition(":")[2] in shown, "the owner sees it"
    assert house.enter(pair[0].match, scenario.reveal).status_code == 200
    everything = house.client.get(f"/matches/{pair[0].match.id}/events").text
    assert scenario.secrets[0].partition(":")[2] in everything, "and everybody in the end"


@pytest.mark.slow
@every_scenario
def test_no_account_stream_reveals_a_secret(house, house_schema, scenario):
    pair = [world(house, house_schema, scenario, secret) for secret in scenario.secrets]
    roles = [{"role": "seat", "seat": int({"1": "2", "2": "1"}[scenario.seat])}, {"role": "host"}]
    asked = [Asking("stream", "GET", "/account/stream", query) for query in ("", "after=0")]
    asked.append(Asking("matches", "GET", "/account/matches"))
    for role in roles:
        seated = [(each, account(house, each.match, role)) for each in pair]
        heard = ["".join(ask(house, each, asking, who) for asking in asked) for each, who in seated]
        assert all(text.count(each.match.id) > 1 for each, text in zip(pair, heard, strict=True))
        first, second = ([*map(shares, told_of(text, scenario.secrets))] for text in heard)
        assert first == second, (role, heard)


def shares(told: Counter[str]) -> Counter[str]:
    """Divide counts by what they have in common: on a busy machine news may come twice."""
    common = math.gcd(*told.values())
    return Counter({each: count // common for each, count in told.items()})


def account(server: Server, match: OpenedMatch, role: dict[str, Any]) -> dict[str, str]:
    """Return the headers of a new account that has a role in this match only."""
    name = f"{role['role']}-{match.id}"
    who = server.account(name)
    url = f"/matches/{match.id}/accounts/{name}"
    assert server.client.put(url, json=role, headers=match.host).status_code == 200
    return who


@pytest.mark.slow
@every_scenario
def test_no_change_reveals_part_of_a_secret(house, house_schema, scenario):
    log = Asking("log", "GET", "/matches/{match}/events")
    for asking in ways(house_schema, scenario.secrets):
        if "{match}" in asking.path and asking.path != ANALYSIS and not only_asks(asking):
            pair = [world(house, house_schema, scenario, secret) for secret in scenario.secrets]
            compare(house, pair, asking, scenario)
            compare(house, pair, log, scenario)


ANALYSIS = "/matches/{match}/analysis"
"""Its best lines are the guesses of a search, which may name the secret by chance.

The twin matches show that it is asked the same.
"""


def only_asks(asking: Asking) -> bool:
    return asking.method == "GET" or "dry_run" in asking.query


def compare(house: Server, pair: list[World], asking: Asking, scenario: Scenario) -> None:
    """Send a request about both matches as everybody but the owner, and compare the fragments."""
    for who in pair[0].people:
        heard = [ask(house, each, asking, each.people[who]) for each in pair]
        first, second = (told_of(text, scenario.secrets) for text in heard)
        assert first == second, (asking, who, heard)


def owner(world: World) -> dict[str, str]:
    return world.match.seats[world.seat]


@pytest.mark.slow
def test_server_log_holds_no_secret(house):
    text = house.log.read_text()
    for scenario in SCENARIOS:
        for secret in scenario.secrets:
            assert secret not in text
            assert secret.partition(":")[2] not in text


OPENING = "refused after an opening"
"""The key for the answers that are not counted by kind."""


@pytest.mark.parametrize(
    "wanted", [400, pytest.param(6_000, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_answers_do_not_depend_on_the_secret(wanted, capsys):
    tried = Counter[str]()
    with door.opened(SITE), two_services() as services:
        for number, (subject, world) in enumerate(_worlds(wanted)):
            if tried.total() - tried[OPENING] >= wanted:
                break
            tried += compare_twins(services, subject, world, Random(number))
    opening = tried.pop(OPENING)
    requests, games = tried.total(), {each.game.slug for each in WITH_SECRETS}
    assert requests >= wanted
    assert opening
    with capsys.disabled():
        print(
            f"\nsecrets: {requests} requests of {len(tried)} kinds, {number} matches of"
            f" {len(games)} games, {opening} batches that would have opened a secret,"
            " 0 differences",
            file=sys.stderr,
        )


def _worlds(wanted: int) -> Iterator[tuple[Subject, Worlds]]:
    """Yield worlds of all games in turn, again and again, late ones of each match included."""
    of_each = [(one, found) for one in WITH_SECRETS if (found := [*worlds(one)])]
    for place in itertools.count():
        for subject, found in of_each:
            yield subject, found[place * 7 % len(found)]


def compare_twins(
    services: Sequence[Service], subject: Subject, world: Worlds, rng: Random
) -> Counter[str]:
    """Ask about a match until its secret is revealed, and about its forks; count the requests."""
    tries = 100 if rng.random() < 1 / 3 else None
    pair, tried = play_twins(services, subject, world, tries), Counter[str]()
    first, second = (evaluations.questions(side.record) for side in pair.sides)
    assert first == second, "an analysis is asked the same"
    for who, request in RandomRequests(pair, rng).some(60):
        answers = pair.ask(request, who)
        if pair.revealed:
            break
        tried[request.kind] += 1
        first, second = map(comparable, answers)
        assert first == second, (who, request, parting(first[2], second[2]))
        assert first[0] < 500, (who, request)
        tried[OPENING] += "opens sealed moves" in first[2]
        if request.kind == "fork" and first[0] == 201:
            tried += compare_forks(pair.forked(answers), rng)
    # A revealed secret would be counted in searches across matches.
    pair.ask(Request("delete", "DELETE", "/matches/{match}"), "the host")
    return tried


def compare_forks(pair: TwinMatches, rng: Random) -> Counter[str]:
    """Ask about a fork as the holders of its tokens, the same seat among them."""
    tried = Counter[str]()
    for who, request in RandomRequests(pair, rng).some(12):
        if request.kind != "fork":
            tried[f"{request.kind} in a fork"] += 1
            first, second = map(comparable, pair.ask(request, who))
            assert first == second, (who, request, parting(first[2], second[2]))
    return tried


def parting(first: str, second: str) -> tuple[str, str]:
    """Return the parts of two texts where they first differ."""
    pairs = enumerate(zip(first, second, strict=False))
    at = max(0, next((place for place, (one, other) in pairs if one != other), 0) - 60)
    return first[at : at + 160], second[at : at + 160]
