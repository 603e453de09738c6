"""Descriptions of API operations (body, answers, authorization) for the OpenAPI schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec import Struct

from service.http.problems import Problem

OPERATION: Final = "operation"
"""The key of a route's `opt` that holds its operation."""

JSON: Final = "application/json"

LARGEST: Final = 999_999_999
"""The largest number in a path or a query."""

SPELLING: Final = {
    bool: (re.compile("true|false"), "true or false"),
    int: (re.compile(r"0|[1-9][0-9]{0,8}"), "a whole number, 0 or more, of up to nine digits"),
}
"""The syntax of query values. `bool` comes first, because it is a subclass of `int`."""

Auth = Literal["none", "anybody", "reader", "writer", "host", "host or operator"]
"""Who may use an operation. A token may show `anybody` more; `none` takes no token."""

WITH_TOKEN: Final = ("writer", "host", "host or operator")
"""Those of whom an operation always needs a token."""


class Operation(Struct, frozen=True):
    """An API operation: the facts that its handler's signature does not give.

    `answers` are the types of the bodies by status, or the media type of a body that is not JSON;
    `problems` are statuses that follow from nothing else here, `sends` the headers of the first
    answer. Operations of a match (`reader`, `writer`, `host`) need a token with that right; an
    operator is a reader of every match. `bounds` name the settings that limit the body.
    """

    body: Any = None
    answers: Mapping[int, Any] = {}
    problems: tuple[int, ...] = ()
    auth: Auth = "reader"
    headers: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()


def documented(
    answers: Mapping[int, Any],
    *,
    body: Any = None,
    problems: tuple[int, ...] = (),
    auth: Auth = "reader",
    headers: tuple[str, ...] = (),
    bounds: tuple[str, ...] = (),
    sends: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return the arguments for a route of the API. The first answer is the usual one."""
    operation = Operation(body, answers, problems, auth, headers, bounds, sends)
    return {"opt": {OPERATION: operation}, "status_code": next(iter(answers))}


def operation_of(handler: Any) -> Operation | None:
    """Return a route's operation, or `None` if it is not part of the API."""
    found: Operation | None = handler.opt.get(OPERATION)
    return found


def is_revalidated(handler: HTTPRouteHandler, operation: Operation) -> bool:
    """Tell whether the answer of a route has a tag for `If-None-Match`."""
    return "GET" in handler.http_methods and "ETag" in operation.sends


def query_parameters(handler: HTTPRouteHandler) -> dict[str, FieldDefinition]:
    """Return the query parameters of a route by name."""
    return {
        field.kwarg_definition.name or name: field
        for name, field in handler.parsed_fn_signature.parameters.items()
        if isinstance(field.kwarg_definition, QueryParameter)
    }


def check_query(request: Request[Any, Any, Any]) -> None:
    """Refuse unknown query parameters and loosely written values.

    A misspelt parameter must not be ignored. Raises `Problem` 400.
    """
    handler: Any = request.route_handler
    if operation_of(handler) is None:
        return
    known = query_parameters(handler)
    for name, text in request.query_params.multi_items():
        if name not in known:
            there = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            raise Problem(400, f"there is no query parameter {name!r} here; {there}", path=name)
        if len(request.query_params.getall(name)) > 1:
            raise Problem(400, f"{name} is given twice", path=name)
        right = _misspelt(known[name], text)
        if right is not None:
            raise Problem(400, f"{name} is {right}, not {text!r}", path=name)


def _misspelt(field: FieldDefinition, text: str) -> str | None:
    """Return the expected syntax of a parameter if its value does not match it."""
    values = [value for kind in _kinds(field.annotation) for value in get_args(kind)]
    if values:
        return None if text in values else f"one of {', '.join(values)}"
    for kind, (pattern, right) in SPELLING.items():
        if field.has_inner_subclass_of(kind) or field.is_subclass_of(kind):
            return None if pattern.fullmatch(text) else right
    return None


def _kinds(annotation: Any) -> Iterator[Any]:
    """Yield the `Literal` types of a type or a union."""
    if get_origin(annotation) is Literal:
        yield annotation
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from _kinds(part)


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
