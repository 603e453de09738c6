"""Descriptions of API operations (body, answers, authorization) for the OpenAPI schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec import Struct

OPERATION: Final = "operation"
"""The key of a route's `opt` that holds its operation."""

JSON: Final = "application/json"

LARGEST: Final = 999_999_999
"""The largest number in a path or a query."""

Auth = Literal["none", "anybody", "reader", "writer", "host", "host or operator", "operator"]
"""Who may use an operation. A token may show `anybody` more; `none` takes no token."""

WITH_TOKEN: Final = ("writer", "host", "host or operator", "operator")
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
    """Return whether the answer of a route has a tag for `If-None-Match`."""
    return "GET" in handler.http_methods and "ETag" in operation.sends


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
