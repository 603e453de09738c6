"""Authorization: every operation, by every kind of caller, on matches of every visibility."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from replay.book import Book
from replay.store import temporary_store
from service.app import create_app
from service.openapi.operations import WITH_TOKEN, operation_of
from tests.contract.operations import Operation, Schema, list_operations, path_values
from tests.contract.server import OpenedMatch, Server, bearer, run_server

NOWHERE = "zzzzzzzzzzzz"
"""An id that no match has."""

KINDS = ("public", "unlisted", "private", "trashed")

REQUIRED = {"q": "Zebulon", "as": "poptrix", "to": "5/5/5/5/5/5 5S5M5L 5s5m5l"}
OF_HOST = ("reword", "retract", "analyse_ply")
"""Operations of the author, who is the host here, or of the host before the end."""

OF_ACCOUNTS = ("/account",)

FROM_OUR_PAGES = ("import_records", "check_records")
"""The operations without a token that refuse a page of another site."""

IN = "let in"


class World(NamedTuple):
    """A match, the unique name of its player, its path values, and its callers."""

    match: OpenedMatch
    player: str
    path_values: dict[str, str]
    callers: dict[str, dict[str, str]]


ROLES = {
    "a viewer": "viewer",
    "seat 1": "seat",
    "seat 2": "seat",
    "the host": "host",
    "the host's page": "host",
    "a seat's page": "seat",
    "the host's page, sent by another site": "host",
    "the host's page, sent by nobody knows whom": "host",
}
"""The roles of callers that have one."""

OPERATOR = "an operator"
NO_TOKEN = ("somebody who has the id", "a page whose key was revoked")
OTHER_TOKEN = (
    *("a host elsewhere", "a revoked viewer", "a revoked seat", "a token of nobody's"),
    "a revoked operator",
)
FOREIGN = ("the host's page, sent by another site", "the host's page, sent by nobody knows whom")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("authorization")) as running:
        yield running


@pytest.fixture(scope="module")
def schema(server: Server) -> Schema:
    return server.client.get("/schema/openapi.json").json()


@pytest.fixture(scope="module")
def needed() -> dict[str, str]:
    """Return the documented callers of each operation."""
    store = temporary_store()
    found = {
        handler.fn.__name__: operation.auth
        for route in create_app(Book(store)).routes
        for handler in getattr(route, "route_handlers", ())
        if (operation := operation_of(handler))
    }
    store.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_operation_answers_every_caller_as_documented(server, schema, needed, kind, capsys):
    cells, differences = 0, list[str]()
    world = opened(server, schema, kind)
    # tests/service/api/test_accounts.py asks as accounts, whose matches differ.
    operations = [each for each in list_operations(schema) if not each.path.startswith(OF_ACCOUNTS)]
    for operation in operations:
        for who in world.callers:
            cells += 1
            found = asked(server, world, operation, who)
            differences += [
                f"{operation!r}, {kind}, {who}: {fault}"
                for fault in faults(server, world, operation, who, kind, needed, found)
            ]
            if operation.method != "GET" and found.status_code < 300:
                world = opened(server, schema, kind)
    with capsys.disabled():
        print(
            f"\nauthorization: {cells} cells of {len(list_operations(schema))} operations and"
            f" {len(world.callers)} callers on {kind} matches, {len(differences)} differences",
            file=sys.stderr,
        )
    assert not differences, "\n".join(differences)


def faults(
    server: Server,
    world: World,
    operation: Operation,
    who: str,
    kind: str,
    needed: dict[str, str],
    found: httpx.Response,
) -> Iterator[str]:
    """Yield the faults of an answer: a wrong class, or a leak."""
    right, answered = expected(operation, needed[repr(operation)], who, kind), class_of(found)
    if answered != right:
        yield f"{answered} ({found.status_code}) instead of {right}"
    strange = who not in (*ROLES, OPERATOR) or right == "404"
    if kind in ("private", "trashed") and strange and betrays(found, world):
        yield "it tells of the match"
    if kind == "trashed" and "{match}" in operation.path and answered != IN and right == "404":
        nowhere = asked(server, world, operation, who, {**world.path_values, "match": NOWHERE})
        if shown(nowhere, NOWHERE) != shown(found, world.match.id):
            yield f"it differs from that for no match: {nowhere.status_code} {text_of(nowhere)}"


def expected(operation: Operation, auth: str, who: str, kind: str) -> str:
    if auth in ("none", "anybody"):
        return "403" if repr(operation) in FROM_OUR_PAGES and who == FOREIGN[0] else IN
    if auth == "operator":
        return _of_operators(who, kind)
    if kind == "trashed":
        return _of_trashed(repr(operation), who, auth)
    if who in OTHER_TOKEN:
        return "401"
    if who in FOREIGN and operation.method != "GET":
        return "403"
    role = "operator" if who == OPERATOR else ROLES.get(who)
    if role is None:
        return "401" if kind == "private" or auth in WITH_TOKEN else IN
    if repr(operation) in OF_HOST:
        auth = "host"
    allowed = {
        "reader": ("viewer", "seat", "host", "operator"),
        "writer": ("seat", "host"),
        "host": ("host",),
        "host or operator": ("host", "operator"),
        "operator": ("operator",),
    }
    return IN if role in allowed[auth] else "403"


def _of_operators(who: str, kind: str) -> str:
    """Return the class of an answer about the whole book, for which cookies count nothing."""
    if who == OPERATOR:
        return IN
    bears_a_token = who in ROLES and "page" not in who and kind != "trashed"
    return "403" if bears_a_token or who == "a host elsewhere" else "401"


def _of_trashed(operation: str, who: str, auth: str) -> str:
    """Return the class of an answer about the trash: its host and operators find a match there."""
    if who == OPERATOR:
        return IN if auth == "host or operator" else "404"
    if operation != "restore" or who in OTHER_TOKEN:
        return "404"
    if who in NO_TOKEN:
        return "401"
    return IN if ROLES[who] == "host" and who not in FOREIGN else "403"


def class_of(answer: httpx.Response) -> str:
    if answer.status_code in (401, 403, 404) or answer.status_code >= 500:
        return str(answer.status_code)
    return IN


def betrays(answer: httpx.Response, world: World) -> bool:
    """Return whether an answer holds the match's player, or its id if the request did not."""
    named = world.match.id in str(answer.request.url)
    text = text_of(answer)
    return world.player in text or (world.match.id in text and not named)


def text_of(answer: httpx.Response) -> str:
    """Return the text of an answer; only the head of a stream was read."""
    return answer.text if answer.is_stream_consumed else ""


def shown(answer: httpx.Response, match: str) -> tuple[int, dict[str, str], str]:
    """Return the whole answer without its time and the requested id."""
    headers = {name: text for name, text in answer.headers.items() if name != "date"}
    return answer.status_code, headers, text_of(answer).replace(match, "")


def asked(
    server: Server,
    world: World,
    operation: Operation,
    who: str,
    filled: dict[str, str] | None = None,
) -> httpx.Response:
    """Send a valid request; searches and lists ask for something that finds this match."""
    values = REQUIRED | {"with": world.match.id}
    query = {
        each["name"]: values.get(each["name"], "1")
        for each in operation.schema["parameters"]
        if each["in"] == "query" and each["required"]
    }
    sent: dict[str, Any] = {"params": query, "headers": world.callers[who]}
    if operation.body is not None:
        sent["json"] = operation.example
    return operation.ask(server.client, filled or world.path_values, **sent)


def opened(server: Server, schema: Schema, kind: str) -> World:
    """Open a match of a visibility, create everything in it, and trash it if asked."""
    shown_to = "unlisted" if kind == "trashed" else kind
    player = f"Zebulon {secrets.token_hex(8)}"
    match = server.open("poptrix", visibility=shown_to, players={"1": player})
    path = f"/matches/{match.id}"
    tags, moves = {"tags": {"Event": player}}, {"events": [{"token": "M@c1"}]}
    server.client.patch(f"{path}/tags", json=tags, headers=match.host).raise_for_status()
    server.client.post(f"{path}/events", json=moves, headers=match.host).raise_for_status()
    world = World(match, player, path_values(server, match, schema), callers(server, match))
    if kind == "trashed":
        answer = server.client.delete(path, headers=match.host)
        assert answer.status_code == 200, answer.text
    return world


def callers(server: Server, match: OpenedMatch) -> dict[str, dict[str, str]]:
    path = f"/matches/{match.id}/invitations"

    def invited(revoked: bool = False, **body: Any) -> dict[str, str]:
        made = server.client.post(path, json=body, headers=match.host).json()
        if revoked:
            server.client.delete(f"{path}/{made['id']}", headers=match.host)
        return bearer(made["token"])

    def page(held: dict[str, str], **origin: str) -> dict[str, str]:
        token = held["Authorization"].removeprefix("Bearer ")
        return {"Cookie": f"plybook-{match.id}={token}", **origin}

    revoked_seat = invited(revoked=True, role="seat", seat=1)
    ours = {"Origin": server.url}
    return {
        "somebody who has the id": {},
        "a viewer": invited(role="viewer"),
        "seat 1": match.seats["1"],
        "seat 2": match.seats["2"],
        "the host": match.host,
        "a host elsewhere": server.open("poptrix").host,
        OPERATOR: server.operator(),
        "a revoked operator": server.operator(revoked=True, world=match.id),
        "a revoked viewer": invited(revoked=True, role="viewer"),
        "a revoked seat": revoked_seat,
        "a token of nobody's": bearer(secrets.token_hex(16)),
        "the host's page": page(match.host, **ours),
        "a seat's page": page(match.seats["1"], **ours),
        "the host's page, sent by another site": page(match.host, Origin="http://elsewhere.test"),
        "the host's page, sent by nobody knows whom": page(match.host),
        "a page whose key was revoked": page(revoked_seat, **ours),
    }
