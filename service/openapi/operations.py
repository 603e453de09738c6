"""Descriptions of API operations (body, answers, authorization), with examples, for the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from inspect import iscoroutinefunction
from typing import Any, Concatenate, Final, ParamSpec

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, ExceptionHandlersMap, Receive, Send
from litestar.typing import FieldDefinition
from msgspec import Struct, convert
from msgspec.structs import replace

from service.http.book_reads import in_thread
from service.http.conditions import CONDITIONED
from service.http.rights import NONE, READER, Right, ToLog
from service.models import responses
from service.models.bodies import StrictRequest

OPERATION: Final = "operation"
"""The key of a route's `opt` that holds its operation."""

JSON: Final = "application/json"

APPENDING: Final = ("If-Match", "Idempotency-Key")
"""The headers of a request that appends to the log of a match."""

MAX_NUMBER: Final = 999_999_999
"""The largest number in a path or a query."""


class Operation(Struct, frozen=True):
    """An API operation: the facts that its handler's signature does not give.

    `answers` are the types of the bodies by status, or the media type of a body that is not JSON;
    `problems` are further statuses that no other attribute implies, `sends` the headers of the
    first answer. The `right` is a guard of the route. A `body` is named only where it is not the
    `data` of the handler. `bounds` names the settings that limit the body.
    """

    answers: Mapping[int, Any]
    body: Any = None
    problems: tuple[int, ...] = ()
    right: Right = READER
    headers: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    opt: Mapping[str, Any] = {}

    def route(self) -> dict[str, Any]:
        """Return the arguments of Litestar for the route.

        The first status of `answers` is the usual one. A route that appends to a log also has the
        headers and the refusals of every append.
        """
        told = self
        if isinstance(self.right, ToLog):
            answers = {**self.answers, 409: responses.Refusal, 412: responses.Stale}
            told = replace(self, answers=answers, headers=APPENDING, sends=("ETag",))
        ours = told.right is not NONE and "If-Match" not in told.headers
        return {
            "opt": {OPERATION: told, CONDITIONED: ours, **told.opt},
            "status_code": next(iter(told.answers)),
            "guards": [] if told.right is READER else [told.right],
            "middleware": [_calling] if isinstance(self.right, ToLog) else [],
        }


class Route(HTTPRouteHandler):
    """A route that its guards see as it is, and that knows its exception handlers.

    For each request Litestar copies a route for each guard, which takes longer than to check a
    move, and gathers the exception handlers of its layers.
    """

    @cached_property
    def _exception_handlers(self) -> ExceptionHandlersMap:
        return super().resolve_exception_handlers()

    def resolve_exception_handlers(self) -> ExceptionHandlersMap:
        """Return the exception handlers of all layers."""
        return self._exception_handlers

    async def authorize_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Call the guards."""
        for guard in self.resolve_guards():
            await guard(connection, self)  # type: ignore[misc]  # Litestar has made it async


def _calling(app: ASGIApp) -> ASGIApp:
    """Return an application that calls the handler of a route with its request, body and query.

    It takes the place of Litestar's call, whose general way to arguments and answers takes a tenth
    of the time of a move. The handler returns an application that answers.
    """

    async def call(scope: Any, receive: Receive, send: Send) -> None:
        handler = scope["route_handler"]
        request = StrictRequest(scope, receive, send)
        await handler.authorize_connection(request)
        query = _query(request) if scope["query_string"] else {}
        answer = await handler.fn(request, await request.json(), **query)
        await answer(scope, receive, send)

    return call


def _query(request: StrictRequest) -> dict[str, Any]:
    """Return the query parameters of a request by name, after `check_query`."""
    known = query_parameters(request.route_handler)
    return {
        name: convert(text, known[name].annotation, strict=False)
        for name, text in request.query_params.items()
    }


P = ParamSpec("P")
Decorator = Callable[[Callable[..., Any]], HTTPRouteHandler]


def _route(
    method: HttpMethod, describe: Callable[P, Operation]
) -> Callable[Concatenate[str, P], Decorator]:
    """Return a decorator of a method for routes of the API: their path, and their `Operation`.

    A handler that is not `async` runs in a thread.
    """

    def decorate(path: str, /, *args: P.args, **facts: P.kwargs) -> Decorator:
        route = Route(path, http_method=method, **describe(*args, **facts).route())
        return lambda handler: route(
            handler if iscoroutinefunction(handler) else in_thread(handler)
        )

    return decorate


get = _route(HttpMethod.GET, Operation)
post = _route(HttpMethod.POST, Operation)
put = _route(HttpMethod.PUT, Operation)
patch = _route(HttpMethod.PATCH, Operation)
delete = _route(HttpMethod.DELETE, Operation)


def operation_of(handler: Any) -> Operation | None:
    """Return a route's operation with the body it takes as `data`; `None` outside the API."""
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
