"""What Schemathesis knows of the service under test: matches that exist, and their tokens.

It is loaded by the `st` command, in a process of its own, which names the server in its schema's
address.
"""

from __future__ import annotations

import os
from typing import Any

import httpx
import schemathesis

URL = os.environ["PLYBOOK_UNDER_TEST"]

MATCHES: dict[str, dict[str, Any]] = {}
"""Matches that were opened here, and in the course of the run, with the host's token."""

RESTORED: set[str] = set()
"""Matches that were taken out of the trash again, so that they are found after their deletion."""

PLAYED: dict[str, tuple[str, ...]] = {
    "poptrix": ("M@c1", "S@c6", "c1>L@c3"),
    "blockade": (),
    "power-play": (),
    "pyramid-ball": ("1:S=FR.,M=..F,L=LLF,pass=2L",),
    "cube-pyramid": (),
}
"""A match of each game is at hand, some of them begun."""


def _open(game: str, tokens: tuple[str, ...]) -> str:
    with httpx.Client(base_url=URL) as client:
        opened = client.post("/matches", json={"game": game}).raise_for_status().json()
        MATCHES[opened["match"]] = opened["tokens"]
        for token in tokens:
            client.post(
                f"/matches/{opened['match']}/events",
                json={"events": [{"token": token}]},
                headers={"Authorization": f"Bearer {opened['tokens']['host']}"},
            ).raise_for_status()
    return str(opened["match"])


MATCH = "/matches/{match}"
LONGEST = 5_000
"""Characters of a query, before they are escaped."""

THERE: dict[str, list[Any]] = {
    "match": [],
    "slug": list(PLAYED),
    "clause": ["POP-1.1", "BLK-1.1", "PWR-1.1", "BAL-1.1", "CUB-1.1"],
    "picture": ["0.svg", "1.svg"],
    "tag": ["Event", "Site"],
}
"""Values of path parameters under which there is something to find."""


USED_AFTER_FREE = "ST301"
UNAVAILABLE = "ST302"
"""What Schemathesis calls a deleted resource that answers, and a created one that does not."""


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Let what is asked for in paths be what exists."""
    THERE["match"] = [_open(game, tokens) for game, tokens in PLAYED.items()]
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for parameter in operation["parameters"]:
                if parameter["in"] == "path" and parameter["name"] in THERE:
                    parameter["schema"] = {"enum": THERE[parameter["name"]]}


@schemathesis.hook
def filter_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> bool:
    """Leave out lists and numbers where a `#` would cut the path: they are sent as they are."""
    there = (value for value in (path_parameters or {}).values() if not isinstance(value, str))
    return not any(set("#?/") & set(str(value)) for value in there)


@schemathesis.hook
def filter_query(context: Any, query: dict[str, Any] | None) -> bool:
    """Leave out addresses so long that the HTTP server refuses them before the service is asked."""
    return len(str(query)) < LONGEST


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Drop what is no failure: a ply or seat that is not there, and a match that is there again."""
    if failure.code == USED_AFTER_FREE:
        return _match(case) not in RESTORED
    return failure.code != UNAVAILABLE or response.json()["detail"] == "there is no such match"


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Write whole numbers as such: to JSON Schema 2.0 is an integer, and to the service it is not.

    No schema can say so.
    """
    if isinstance(body, dict):
        return {name: map_body(context, part) for name, part in body.items()}
    if isinstance(body, list):
        return [map_body(context, part) for part in body]
    return int(body) if isinstance(body, float) and body.is_integer() else body


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Keep the tokens of the matches that a run opens, and the matches that it was given."""
    match, answered = _match(case), (case.method, case.operation.path, response.status_code)
    if answered == ("DELETE", MATCH, 200) and match in THERE["match"]:
        headers = {"Authorization": f"Bearer {MATCHES[match]['host']}"}
        httpx.post(f"{URL}{MATCH.format(match=match)}/restore", headers=headers).raise_for_status()
        RESTORED.add(match)
    if answered == ("POST", f"{MATCH}/restore", 200):
        RESTORED.add(match)
    if response.status_code == 201 and "tokens" in (body := response.json()):
        MATCHES[body["match"]] = body["tokens"]


@schemathesis.deserializer("application/x-ndjson")
def lines(context: Any, response: Any) -> str:
    """NDJSON is text to OpenAPI 3.1."""
    return str(response.text)


def _match(case: Any, context: Any = None) -> str:
    return str((case.path_parameters or {}).get("match"))


@schemathesis.auth(cache_by_key=_match)
class HostsToken:
    """Everything is asked with the token of the match's host."""

    def get(self, case: Any, context: Any) -> str | None:
        """Return the token."""
        tokens = MATCHES.get(_match(case))
        return tokens["host"] if tokens else None

    def set(self, case: Any, data: str | None, context: Any) -> None:
        """Send it."""
        if data is not None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}
