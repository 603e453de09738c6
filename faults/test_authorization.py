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
from service.http.rights import WITH_TOKEN
from service.openapi.operations import operation_of
from tests.contract.operations import Operation, Schema, list_operations, path_values
from tests.contract.server import OpenedMatch, Server, bearer, run_server
from tests.waiting import eventually

NOWHERE = "zzzzzzzzzzzz"
"""An id that no match has."""

KINDS = ("public", "unlisted", "private", "trashed")

REQUIRED = {"q": "Zebulon", "as": "poptrix", "to": "5/5/5/5/5/5 5S5M5L 5s5m5l"}
OF_HOST = ("reword", "retract", "analyse_ply")
"""Operations of the author, who is the host here, or of the host before the end."""
OF_ANOTHER = ("change_people", "seat 2")
"""The example names the player of seat 1, which only this seat and the host may."""

FROM_OUR_PAGES = ("import_records", "check_records", "reconstruct_match")
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

ACCOUNTS = {
    "an account that is the host": "host",
    "an account at seat 1": "seat",
    "a token to read of an account at seat 2": "viewer",
    "an account that views": "viewer",
    "an account that is asked to be a host": None,
    "an account elsewhere": None,
}
"""The roles in the match that the tokens of accounts have."""
ASKED, TO_READ = "an account that is asked to be a host", "a token to read of an account at seat 2"
MAKING_A_HOST = ("open_a_match", "import_records")
"""The operations without a token that make an account the host, if one asks."""
ANSWERS = ("accept_invitation", "decline_invitation")
OPERATOR = "an operator"
OF_LINK = "the holder of an evening's link"
BEARERS = {"operator": (OPERATOR,), "link": (OF_LINK,), "link or operator": (OF_LINK, OPERATOR)}
"""The callers whose token opens no match, by what they may do."""
OF_NO_CALLER = {"hand_over": "403", "decide_unsent": "404"}
"""The answers to those who may ask, as none of the callers has a phone that was replaced."""
NO_TOKEN = ("somebody who has the id", "a page whose key was revoked")
OTHER_TOKEN = (
    *("a host elsewhere", OF_LINK, "a revoked viewer", "a revoked seat", "a token of nobody's"),
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
        handler.fn.__name__: operation.right.who
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
    for operation in list_operations(schema):
        for who in world.callers:
            if is_repeated(operation, who, kind, needed):
                continue
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


def is_repeated(operation: Operation, who: str, kind: str, needed: dict[str, str]) -> bool:
    """Return whether a change is allowed in a public match as it is in an unlisted one.

    Each of these takes a new match, and refusals are what could differ.
    """
    changes = operation.method != "GET" and kind == "public"
    return changes and expected(operation, needed[repr(operation)], who, kind) == IN


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
    auth = needed[repr(operation)]
    right, answered = expected(operation, auth, who, kind), class_of(found)
    if answered != right:
        yield f"{answered} ({found.status_code}) instead of {right}"
    strange = right == "404" or not (ROLES | ACCOUNTS).get(who, who == OPERATOR)
    strange = strange and (who != ASKED or auth != "account" or right == "404")
    if kind in ("private", "trashed") and strange and betrays(found, world):
        yield "it tells of the match"
    if kind == "trashed" and "{match}" in operation.path and answered != IN and right == "404":
        nowhere = asked(server, world, operation, who, {**world.path_values, "match": NOWHERE})
        if shown(nowhere, NOWHERE) != shown(found, world.match.id):
            yield f"it differs from that for no match: {nowhere.status_code} {text_of(nowhere)}"


def expected(operation: Operation, auth: str, who: str, kind: str) -> str:
    if auth in ("none", "anybody"):
        gone = kind == "trashed" and "{match}" in operation.path
        return "404" if gone else _of_anybody(repr(operation), who)
    if auth in BEARERS:
        unread = repr(operation) == "ask_to_join" and kind in ("private", "trashed")
        return ("404" if unread else IN) if who in BEARERS[auth] else _of_others(who, kind)
    if auth == "account":
        return _of_accounts(repr(operation), who) if who in ACCOUNTS else _of_others(who, kind)
    if kind == "trashed":
        return _of_trashed(repr(operation), who, auth)
    if who in OTHER_TOKEN:
        return "401"
    if who in FOREIGN and operation.method != "GET":
        return "403"
    role = "operator" if who == OPERATOR else (ROLES | ACCOUNTS).get(who)
    let_in = OF_NO_CALLER.get(repr(operation), IN)
    if role is None and (kind == "private" or auth in WITH_TOKEN):
        return "403" if who in ACCOUNTS and kind != "private" else "401"
    if role is None:
        return let_in
    if repr(operation) in OF_HOST or (repr(operation), who) == OF_ANOTHER:
        auth = "host"
    allowed = {
        "reader": ("viewer", "seat", "host", "operator"),
        "writer": ("seat", "host"),
        "host": ("host",),
        "host or operator": ("host", "operator"),
        "operator": ("operator",),
    }
    return let_in if role in allowed[auth] else "403"


def _of_anybody(operation: str, who: str) -> str:
    """Return the class of an answer for which a token is optional."""
    to_read = who == TO_READ and operation in MAKING_A_HOST
    foreign = who == FOREIGN[0] and operation in FROM_OUR_PAGES
    return "403" if to_read or foreign else IN


def _of_accounts(operation: str, who: str) -> str:
    """Return the class of an answer to an account about itself, in the trash or not."""
    if operation in ANSWERS and who != TO_READ:
        return IN if who == ASKED else "404"
    changes = operation in (*ANSWERS, "leave_match", "set_account")
    if who == TO_READ:
        return "403" if changes else IN
    return "404" if operation == "leave_match" and ACCOUNTS[who] is None else IN


def _of_others(who: str, kind: str) -> str:
    """Return the class of an answer that needs the token of an operator or of an account.

    Cookies count nothing.
    """
    bears_a_token = who in ROLES and "page" not in who and kind != "trashed"
    known = bears_a_token or who in ("a host elsewhere", OF_LINK, OPERATOR, *ACCOUNTS)
    return "403" if known else "401"


def _of_trashed(operation: str, who: str, auth: str) -> str:
    """Return the class of an answer about the trash: its host and operators find a match there."""
    if who == OPERATOR:
        return IN if auth == "host or operator" else "404"
    if operation != "restore" or who in OTHER_TOKEN or ACCOUNTS.get(who, who) is None:
        return "404"
    if who in NO_TOKEN:
        return "401"
    return IN if (ROLES | ACCOUNTS)[who] == "host" and who not in FOREIGN else "403"


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
    """Send a valid request, again if the server asks for it: it calls few hooks at once.

    Searches and lists ask for something that finds this match.
    """
    values = REQUIRED | {"with": world.match.id}
    query = {
        each["name"]: values.get(each["name"], "1")
        for each in operation.schema["parameters"]
        if each["in"] == "query" and each["required"]
    }
    sent: dict[str, Any] = {"params": query, "headers": world.callers[who]}
    if operation.body is not None:
        sent["json"] = operation.example

    def ask() -> httpx.Response | None:
        found = operation.ask(server.client, filled or world.path_values, **sent)
        return None if "Retry-After" in found.headers else found

    return eventually(ask)


def opened(server: Server, schema: Schema, kind: str) -> World:
    """Open a match of a visibility, create everything in it, and trash it if asked."""
    shown_to = "unlisted" if kind == "trashed" else kind
    player = f"Zebulon {secrets.token_hex(8)}"
    match = server.open("poptrix", visibility=shown_to, players={"1": player})
    path = f"/matches/{match.id}"
    tags, moves = {"tags": {"Event": player}}, {"events": [{"text": "M@c1"}]}
    server.client.patch(f"{path}/tags", json=tags, headers=match.host).raise_for_status()
    server.client.post(f"{path}/events", json=moves, headers=match.host).raise_for_status()
    club = {"title": "Tuesday club", "date": "2026-11-24"}
    evening = server.client.post("/evenings", json=club).json()
    there = path_values(server, match, schema) | _account_to_lose(server)
    there["evening"] = evening["evening"]
    people = {**callers(server, match), **accounts_in(server, match)}
    world = World(match, player, there, people | {OF_LINK: bearer(evening["token"])})
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


def accounts_in(server: Server, match: OpenedMatch) -> dict[str, dict[str, str]]:
    """Add accounts, and give them their roles in a match."""
    roles = {
        "an account that is the host": {"role": "host"},
        "an account at seat 1": {"role": "seat", "seat": 1},
        TO_READ: {"role": "seat", "seat": 2},
        "an account that views": {"role": "viewer"},
        ASKED: {"role": "host"},
        "an account elsewhere": {},
    }
    found = {}
    for who, role in roles.items():
        made = _added(server, scopes=["read"] if who == TO_READ else ["play", "read"])
        found[who] = bearer(made["token"])
        if who == ASKED:
            asks = server.client.patch("/account", json={"accept": "ask"}, headers=found[who])
            asks.raise_for_status()
        if role:
            path = f"/matches/{match.id}/accounts/{made['account']}"
            server.client.put(path, json=role, headers=match.host).raise_for_status()
    return found


def _account_to_lose(server: Server) -> dict[str, str]:
    """Add an account that an operator may remove, and return its path values."""
    made = _added(server)
    return {"account": made["account"], "token": made["id"]}


def _added(server: Server, **body: Any) -> dict[str, str]:
    named = {"name": f"a{secrets.token_hex(8)}", **body}
    made = server.client.post("/accounts", json=named, headers=server.operator())
    made.raise_for_status()
    answer: dict[str, str] = made.json()
    return answer
