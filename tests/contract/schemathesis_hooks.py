"""Hooks of Schemathesis: matches that exist in the tested service, and their tokens.

The `st` command loads this module in its own process, which names the server in its schema's
address.
"""

from __future__ import annotations

import os
import re
from typing import Any

import httpx
import schemathesis

from tests.waiting import PATIENCE

URL = os.environ["PLYBOOK_UNDER_TEST"]
OPERATOR = os.environ["PLYBOOK_OPERATOR"]
ACCOUNT = os.environ["PLYBOOK_ACCOUNT"]
"""The tokens of an operator and of the account `ann`."""

for record in ("application/x-plybook-record", "application/x-plybook-archive"):
    schemathesis.serializer.alias(record, "text/plain")

MATCHES: dict[str, dict[str, Any]] = {}
"""The tokens of matches that were opened here and in the course of the run."""

RESTORED: set[str] = set()
"""Matches that were restored from the trash, so that they exist after their deletion."""

PLAYED: dict[str, tuple[str, ...]] = {
    "poptrix": ("M@c1", "S@c6", "c1>L@c3"),
    "blockade": (),
    "power-play": (),
    "pyramid-ball": ("1:S=FR.,M=..F,L=LLF,pass=2L",),
    "cube-pyramid": (),
}
"""The games of the prepared matches, some with moves."""


def _open(game: str, tokens: tuple[str, ...]) -> str:
    with httpx.Client(base_url=URL, timeout=PATIENCE) as client:
        opened = client.post("/matches", json={"game": game}).raise_for_status().json()
        MATCHES[opened["match"]] = opened["tokens"]
        for token in tokens:
            client.post(
                f"/matches/{opened['match']}/events",
                json={"events": [{"text": token}]},
                headers={"Authorization": f"Bearer {opened['tokens']['host']}"},
            ).raise_for_status()
    return str(opened["match"])


MATCH = "/matches/{match}"
MAX_QUERY = 5_000
"""The limit of a query in characters, before escaping."""

THERE: dict[str, list[Any]] = {
    "match": [],
    "slug": list(PLAYED),
    "clause": ["POP-1.1", "BLK-1.1", "PWR-1.1", "BAL-1.1", "CUB-1.1"],
    "picture": ["0.svg", "1.svg"],
    "tag": ["Event", "Site"],
    "account": ["ann", "bob"],
}
"""Values of path parameters that exist."""


USED_AFTER_FREE = "ST301"
UNAVAILABLE = "ST302"
WITHOUT_TOKEN = "ST401"
"""Schemathesis's codes: a deleted resource answers, a created one does not, no token is needed."""


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Restrict path parameters to values that exist."""
    THERE["match"] = [_open(game, tokens) for game, tokens in PLAYED.items()]
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for parameter in operation["parameters"]:
                if parameter["in"] == "path" and parameter["name"] in THERE:
                    parameter["schema"] = {"enum": THERE[parameter["name"]]}
    _ask_the_account()
    _spare_the_caller(raw_schema)


def _ask_the_account() -> None:
    """Let the hosts of the prepared matches ask `ann`, who has to answer."""
    with httpx.Client(base_url=URL, timeout=PATIENCE) as client:
        ours = {"Authorization": f"Bearer {ACCOUNT}"}
        client.patch("/account", json={"accept": "ask"}, headers=ours).raise_for_status()
        for match in THERE["match"]:
            hosts = {"Authorization": f"Bearer {MATCHES[match]['host']}"}
            client.put(
                f"/matches/{match}/accounts/ann", json={"role": "viewer"}, headers=hosts
            ).raise_for_status()


def _spare_the_caller(raw_schema: dict[str, Any]) -> None:
    """Let nothing remove the account that asks, or revoke its token."""
    for path in ("/accounts/{account}", "/accounts/{account}/tokens/{token}"):
        for parameter in raw_schema["paths"][path]["delete"]["parameters"]:
            if parameter["name"] == "account":
                parameter["schema"] = {"enum": ["bob"]}


@schemathesis.hook
def filter_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> bool:
    """Leave out lists and numbers with a `#`, which would cut the unescaped path."""
    there = (value for value in (path_parameters or {}).values() if not isinstance(value, str))
    return not any(set("#?/") & set(str(value)) for value in there)


@schemathesis.hook
def filter_query(context: Any, query: dict[str, Any] | None) -> bool:
    """Leave out queries so long that the HTTP server refuses them before the service sees them."""
    return len(str(query)) < MAX_QUERY


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Drop false failures: a ply or seat that does not exist, a restored or a deleted match.

    Schemathesis repeats a successful deletion without the token, and so finds no match.
    """
    if failure.code == WITHOUT_TOKEN:
        return (case.method, case.operation.path) != ("DELETE", MATCH)
    if failure.code == USED_AFTER_FREE:
        return _match(case) not in RESTORED
    return failure.code != UNAVAILABLE or response.json()["detail"] == "there is no such match"


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Write whole numbers as integers: JSON Schema takes 2.0 for one, and the service does not.

    No schema can say so.
    """
    if isinstance(body, dict):
        return {name: map_body(context, part) for name, part in body.items()}
    if isinstance(body, list):
        return [map_body(context, part) for part in body]
    return int(body) if isinstance(body, float) and body.is_integer() else body


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Store the tokens of matches that a run opens, and restore the prepared matches it deletes."""
    match, answered = _match(case), (case.method, case.operation.path, response.status_code)
    if answered == ("DELETE", MATCH, 200) and match in THERE["match"]:
        headers = {"Authorization": f"Bearer {MATCHES[match]['host']}"}
        httpx.post(
            f"{URL}{MATCH.format(match=match)}/restore", headers=headers, timeout=PATIENCE
        ).raise_for_status()
        RESTORED.add(match)
    if answered == ("POST", f"{MATCH}/restore", 200):
        RESTORED.add(match)
    if response.status_code == 201 and "tokens" in (body := response.json()):
        MATCHES[body["match"]] = body["tokens"]


@schemathesis.deserializer("application/x-ndjson")
def lines(context: Any, response: Any) -> str:
    """Read NDJSON as text, which it is to OpenAPI 3.1."""
    return str(response.text)


def _match(case: Any, context: Any = None) -> str:
    return str((case.path_parameters or {}).get("match"))


OF_OPERATORS = re.compile("/(accounts|hooks|archive|changes|search|stats)(/|$)")


def _caller(case: Any, context: Any = None) -> str:
    """Return who asks: `account`, `operator`, or the match whose host it is."""
    path = case.operation.path
    if re.match("/account(/|$)", path):
        return "account"
    return "operator" if OF_OPERATORS.match(path) else _match(case)


@schemathesis.auth(cache_by_key=_caller)
class CallersToken:
    """The authentication of all requests: the token of whom an operation is for."""

    def get(self, case: Any, context: Any) -> str | None:
        caller = _caller(case)
        tokens = MATCHES.get(caller)
        of_book = {"account": ACCOUNT, "operator": OPERATOR}
        return tokens["host"] if tokens else of_book.get(caller)

    def set(self, case: Any, data: str | None, context: Any) -> None:
        if data is not None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}
