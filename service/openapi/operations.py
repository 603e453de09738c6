"""Descriptions of API operations (body, answers, authorization), with examples, for the schema."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec import Struct
from msgspec.structs import replace

from service.http.conditions import CONDITIONED
from service.http.rights import NONE, READER, Right

OPERATION: Final = "operation"
"""The key of a route's `opt` that holds its operation."""

JSON: Final = "application/json"

MAX_NUMBER: Final = 999_999_999
"""The largest number in a path or a query."""


class Operation(Struct, frozen=True):
    """An API operation: the facts that its handler's signature does not give.

    `answers` are the types of the bodies by status, or the media type of a body that is not JSON;
    `problems` are further statuses that no other attribute implies, `sends` the headers of the
    first answer. The `right` is a guard of the route. A `body` is named only where it is not the
    `data` of the handler. `bounds` names the settings that limit the body.
    """

    body: Any = None
    answers: Mapping[int, Any] = {}
    problems: tuple[int, ...] = ()
    right: Right = READER
    headers: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()


def documented(
    answers: Mapping[int, Any],
    *,
    body: Any = None,
    problems: tuple[int, ...] = (),
    right: Right = READER,
    headers: tuple[str, ...] = (),
    bounds: tuple[str, ...] = (),
    sends: tuple[str, ...] = (),
    opt: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the arguments for a route of the API. The first answer is the usual one."""
    operation = Operation(body, answers, problems, right, headers, bounds, sends)
    ours = right is not NONE and "If-Match" not in headers
    opts = {OPERATION: operation, CONDITIONED: ours, **opt}
    return {
        "opt": opts,
        "status_code": next(iter(answers)),
        "guards": [] if right is READER else [right],
    }


def operation_of(handler: Any) -> Operation | None:
    """Return a route's operation with the body it takes as `data`; `None` if it is of no API."""
    found: Operation | None = handler.opt.get(OPERATION)
    data = handler.parsed_data_field
    return found if found is None or data is None else replace(found, body=data.annotation)


def is_revalidated(handler: HTTPRouteHandler, operation: Operation) -> bool:
    """Return whether the answer of a route has a tag for `If-None-Match`."""
    return "GET" in handler.http_methods and "ETag" in operation.sends


def is_conditioned(handler: HTTPRouteHandler) -> bool:
    """Return whether a route writes outside the log, under the condition of `If-Match`."""
    return bool(handler.opt[CONDITIONED]) and "GET" not in handler.http_methods


def query_parameters(handler: HTTPRouteHandler) -> dict[str, FieldDefinition]:
    """Return the query parameters of a route by name."""
    return {
        field.kwarg_definition.name or name: field
        for name, field in handler.parsed_fn_signature.parameters.items()
        if isinstance(field.kwarg_definition, QueryParameter)
    }


def allow(request: Request[Any, Any, Any]) -> Response[None]:
    """Answer OPTIONS with the methods of a path.

    Litestar's own answer lists only the methods registered first.
    """
    template = request.scope["path_template"]
    methods = next(
        route.methods
        for route in request.app.routes
        if isinstance(route, HTTPRoute) and route.path_format == template
    )
    return Response(None, status_code=204, headers={"Allow": ", ".join(sorted(methods))})


EXAMPLES: Final[dict[str, Any]] = {
    "AddingAccount": {"name": "bob", "scopes": ["play", "read"]},
    "SettingAccount": {"accept": "ask"},
    "Adjusting": {"position": "5/5/5/5/5/5 5S5M5L 5s5m5l 1 1", "reason": "the cat"},
    "Amending": {"ply": 1, "how": "replaced", "texts": ["M@c1"]},
    "Analysing": {"ply": 1, "seconds": 0.5},
    "Annotating": {"ply": 0, "comment": "a calm start"},
    "Challenging": {"game": "poptrix", "clock": {"total": 600}, "seat": 1},
    "Entries": {"events": [{"text": "M@c1"}], "expected": 0},
    "Entry": {"text": "M@c1"},
    "Forking": {"ply": 0, "kind": "variation", "name": "a bolder start"},
    "Granting": {"grant": True},
    "Inviting": {"role": "viewer"},
    "IssuingToken": {"scopes": ["read"]},
    "JudgingMatch": {"expected": 0},
    "Judging": {"lines": [{"texts": ["M@c1", "S@c6"]}]},
    "Line": {"texts": ["M@c1", "S@c6"]},
    "Naming": {"name": "a bolder start"},
    "NamingSeat": {"name": "Ben", "seat": 1},
    "Opening": {
        "game": "poptrix",
        "players": {"1": "Jet"},
        "clock": {"total": 600},
        "tags": {"Event": "Cup", "Round": "1"},
        "invite": True,
    },
    "Redoing": {},
    "Registering": {"url": "https://plybook.example/news", "secret": "a-secret-of-20-signs"},
    "RegisteringForAll": {
        "url": "https://plybook.example/news",
        "secret": "a-secret-of-20-signs",
        "types": ["match.opened", "match.ended"],
    },
    "Rematching": {"swap": True},
    "Rewording": {"comment": "a bold start"},
    "Ruling": {"result": "drawn", "reason": "the last train leaves"},
    "Reconstructing": {"scoresheets": ['[Game "poptrix"]\n\n1. M@c1 2. -- 3. c1>L@c3 *\n']},
    "Recording": {"records": '[Game "poptrix"]\n\n1. M@c1 2. S@c6 *\n'},
    "Seating": {"players": {"1": "Jet", "2": "Red"}},
    "Showing": {"visibility": "public"},
    "Tagging": {"tags": {"Event": "Second evening"}},
    "TakingBack": {"ply": 0},
    "Problem": {
        "title": "Bad Request",
        "status": 400,
        "code": "invalid-request",
        "detail": "$.expected is not a whole number; use a number, not text",
        "path": "$.expected",
    },
    "Refusal": {
        "title": "Conflict",
        "status": 409,
        "code": "rule-broken",
        "detail": "c6 is not on the home row of seat 1, row 1",
        "event": 0,
        "text": "M@c6",
        "seat": 1,
        "clause": "POP-2.1",
        "squares": ["c6"],
        "version": 0,
        "legal": ["S@a1", "M@a1", "L@a1"],
    },
}
