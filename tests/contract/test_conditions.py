"""Every write of the schema is refused under a false `If-Match`, and then stores nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.contract.operations import Operation, list_operations, path_values
from tests.contract.server import BOOK, Server, bearer

FREE = {"judge_moves", "check_records", "reconstruct_match"}
"""Operations that write nothing."""
FALSE = ('"77"', 'W/"77.00ff"')
TABLES = {
    **dict.fromkeys(("streams", "events", "sealed", "segments", "facts", "keys", "held"), "*"),
    **dict.fromkeys(("operators", "accounts", "account_tokens", "changes", "evenings"), "*"),
    "hooks": "id, stream, url, secret",
}
"""All that is stored, but derived data and the state of deliveries."""
PATHS = {
    "promote": "variation",
    "accept_invitation": "asked",
    "decline_invitation": "asked",
    "hide": "variation",
    "unhide": "variation",
    "rename": "variation",
    "play_again": "over",
    "join_evening": "joining",
}
"""The match that some operations need."""


@pytest.fixture(scope="module")
def writes(schema) -> list[Operation]:
    """Return the operations that write; those that take a match away are the last."""
    every = [each for each in list_operations(schema) if each.method != "GET"]
    return sorted(every, key=lambda each: each.method == "DELETE")


@pytest.fixture(scope="module")
def there(server, schema):
    match = server.open("poptrix")
    tags = {"tags": {"Event": "Cup"}}
    server.client.patch(f"/matches/{match.id}/tags", json=tags, headers=match.host)
    seat = {"role": "seat", "seat": 2}
    for account in ("ann", "bob"):
        server.account(account)
    joined = server.client.put(f"/matches/{match.id}/accounts/bob", json=seat, headers=match.host)
    assert joined.status_code == 200, joined.text
    return match, path_values(server, match, schema)


@pytest.fixture(scope="module")
def others(server):
    """Matches in other states, with the headers of their hosts."""
    match, over = server.open("poptrix"), server.open("poptrix")
    body = {"ply": 0, "kind": "variation"}
    path = f"/matches/{match.id}/forks"
    variation = server.client.post(path, json=body, headers=match.host).json()
    move = {"events": [{"text": "M@c1"}]}
    own = bearer(variation["tokens"]["host"])
    server.client.post(f"/matches/{variation['match']}/events", json=move, headers=own)
    ruling = {"result": "drawn", "reason": "late"}
    server.client.post(f"/matches/{over.id}/rulings", json=ruling, headers=over.host)
    ann, asked = server.account("ann"), server.open("poptrix")
    server.client.patch("/account", json={"accept": "ask"}, headers=ann)
    role = {"role": "viewer"}
    pending = server.client.put(f"/matches/{asked.id}/accounts/ann", json=role, headers=asked.host)
    assert pending.status_code == 202
    joining, (evening, link) = server.open("poptrix"), server.evening()
    server.client.put(f"/evenings/{evening}/matches/{joining.id}", headers=link)
    return {
        "variation": (variation["match"], match.host),
        "over": (over.id, over.host),
        "asked": (asked.id, ann),
        "joining": (joining.id, joining.host),
    }


def stored(server: Server) -> list[str]:
    with closing(sqlite3.connect(server.log.with_name(BOOK))) as book:
        rows = (
            (name, row)
            for name, columns in TABLES.items()
            for row in book.execute(f"SELECT {columns} FROM {name}")
        )
        return sorted(f"{name} {row}" for name, row in rows)


def asked(operation: Operation, server, there, others) -> tuple[str, dict[str, str]]:
    """Return the address and the headers of a request."""
    match, values = there
    headers = operation.caller(server, match)
    if repr(operation) in PATHS:
        other, headers = others[PATHS[repr(operation)]]
        values = values | {"match": other}
    elif repr(operation) == "leave_match":
        headers = server.account("bob")
    elif repr(operation) == "revoke_token":
        told = server.client.get("/accounts", headers=headers).json()["accounts"][0]
        values = values | {"account": told["account"], "token": told["tokens"][0]["id"]}
    elif repr(operation) in ("open_a_match", "import_records"):
        headers = {}
    return operation.address(values), headers


def test_false_tag_is_412_and_writes_nothing(server, writes, there, others):
    wrong = []
    for operation in writes:
        if repr(operation) in FREE:
            continue
        sent = {"json": without_expected(operation.example)} if operation.body else {}
        if repr(operation) == "join_evening":
            sent = {"json": {"evening": server.evening()[0]}}
        address, headers = asked(operation, server, there, others)
        before = stored(server)
        for tag in FALSE:
            told = headers | {"If-Match": tag}
            answer = server.client.request(operation.method, address, headers=told, **sent)
            if answer.status_code != 412:
                wrong.append((repr(operation), tag, answer.text))
        if stored(server) != before:
            wrong.append((repr(operation), "wrote"))
    assert not wrong, "\n".join(map(str, wrong))


def without_expected(body: Any) -> Any:
    """Leave out the version that contradicts the tag, and name the ply that is there."""
    body = {name: value for name, value in body.items() if name != "expected"}
    if "seconds" in body:
        return body | {"ply": 0}
    return body | {"comment": "another start"} if body.get("comment") == "a calm start" else body
