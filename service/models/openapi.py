"""Build the OpenAPI 3.1 schema from the routes: types, parameters, answers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version as installed_version
from typing import Any, Final, get_args

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec import Struct

from service.live.hook_deliveries import DELIVERED, Delivery
from service.models import responses
from service.models.json_schema import REF, Schema, components
from service.models.openapi_links import Place, links
from service.models.operations import JSON, LARGEST, Operation, operation_of, query_parameters
from service.settings import Settings

SCHEMA: Final = "schema"
"""The key of the schema in the application's state."""

PROBLEM: Final = "application/problem+json"
PATTERNS: Final = {
    "match": r"^[0-9a-hjkmnp-tv-z]{12}$",
    "picture": r"^(0|[1-9][0-9]{0,8})\.svg$",
}
"""The syntax of path parameters."""

HEADERS: Final = {
    "If-Match": ("The version expected, in quotes.", r'^"(0|[1-9][0-9]{0,8})"$'),
    "Idempotency-Key": ("Makes a retry harmless.", r"^[!-~]{1,200}$"),
    "Last-Event-ID": ("Where a stream goes on.", r"^[0-9]{1,9}$"),
}
OWN_KEY: Final = (
    "Makes a retry harmless for a day. Whoever knows it is told the tokens: let nobody guess it.",
    r"^[!-~]{20,200}$",
)
"""The syntax of an `Idempotency-Key` for requests without a token that create tokens."""

WORDS: Final = {
    304: "What you have is the same",
    400: "What was sent cannot be: the path tells where",
    401: "A token is missing, or opens nothing here",
    403: "The token does not allow this",
    404: "There is no such thing",
    406: "None of the media types that are accepted can be answered",
    409: "A rule refuses it",
    412: "Others have written since the expected version",
    413: "The body is too large",
    415: "The body is of a media type that is not taken here",
    429: "Too many requests; Retry-After tells when to come back",
    503: "The database cannot be used now; Retry-After tells when to come back",
    501: "This installation cannot do it",
}


def schema_of_app(app: Litestar) -> Schema:
    """Return the application's schema, built on first use: the routes do not change."""
    if SCHEMA not in app.state:
        app.state[SCHEMA] = schema_of(app, installed_version("plybook"))
    found: Schema = app.state[SCHEMA]
    return found


def schema_of(app: Litestar, version: str) -> Schema:
    """Return the schema of an application's API."""
    operations = list(_operations(app))
    paths: dict[str, Schema] = {}
    for path, method, handler, operation in operations:
        paths.setdefault(path, {})[method.lower()] = _operation(
            path, handler, operation, app.state.settings
        )
    _link(paths, operations)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Plybook",
            "version": version,
            "description": "The referee, record and replay of games played on a real table.",
        },
        "paths": dict(sorted(paths.items())),
        "webhooks": {"delivery": {"post": _delivery()}},
        "components": {
            "schemas": components(_types(operations), app.state.settings),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


CREATED: Final = 201

Route = tuple[str, str, HTTPRouteHandler, Operation]


def _operations(app: Litestar) -> Iterator[Route]:
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            operation = operation_of(handler)
            for method in sorted(handler.http_methods - {"OPTIONS"}):
                if operation is not None:
                    yield route.path_format, str(method), handler, operation


def _operation(
    path: str, handler: HTTPRouteHandler, operation: Operation, settings: Settings
) -> Schema:
    doc = inspect.getdoc(handler.fn) or ""
    name = handler.fn.__name__
    told: Schema = {
        "operationId": name,
        "summary": doc.partition(".")[0].partition(";")[0].partition(":")[0],
        "description": doc,
        "tags": [handler.fn.__module__.rpartition(".")[2]],
        "parameters": _parameters(path, handler, operation),
        "responses": _responses(path, handler, operation),
    }
    if operation.auth != "none":
        told["security"] = ([{}] if operation.auth == "reader" else []) + [{"token": []}]
    if operation.body is not None:
        told["requestBody"] = {"required": True, "content": _content(200, operation.body)}
        told["requestBody"] |= _bounds(operation, settings)
    return told


def _bounds(operation: Operation, settings: Settings) -> Schema:
    """Describe the limits of a body under the settings in force."""
    most = {name: getattr(settings, name) for name in operation.bounds}
    if not most:
        return {}
    words = "; ".join(f"{name} {bound or 'unlimited'}" for name, bound in most.items())
    return {"description": f"What is sent at once is bounded: {words}.", "x-bounds": most}


def _parameters(path: str, handler: HTTPRouteHandler, operation: Operation) -> list[Schema]:
    typed = handler.parsed_fn_signature.parameters
    inside = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _path_schema(name, typed.get(name)),
        }
        for name in re.findall(r"{(\w+)}", path)
    ]
    asked = [
        {"name": name, "in": "query", "required": field.is_required, **_query_schema(field)}
        for name, field in query_parameters(handler).items()
    ]
    return inside + asked + [_header(name, operation) for name in operation.headers]


def _header(name: str, operation: Operation) -> Schema:
    own = name == "Idempotency-Key" and operation.auth in ("none", "reader")
    words, pattern = OWN_KEY if own else HEADERS[name]
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": words,
        "schema": {"type": "string", "pattern": pattern},
    }


def _path_schema(name: str, field: FieldDefinition | None) -> Schema:
    if name in PATTERNS:
        return {"type": "string", "pattern": PATTERNS[name]}
    if field is not None and field.annotation is int:
        return {"type": "integer", "minimum": 0, "maximum": LARGEST}
    return {"type": "string", "minLength": 1}


def _query_schema(field: FieldDefinition) -> Schema:
    # Optional parameters are omitted rather than null.
    kinds = [kind for kind in get_args(field.annotation) if kind is not type(None)]
    kind = field.annotation if field.annotation in (int, bool, str) or not kinds else kinds[0]
    kwarg: Any = field.kwarg_definition
    schema = msgspec.json.schema(kind)
    if kind is int:
        schema |= {"minimum": 0, "maximum": LARGEST}
    limits = {
        "minimum": kwarg.ge,
        "maximum": kwarg.le,
        "minLength": kwarg.min_length,
        "maxLength": kwarg.max_length,
        "pattern": kwarg.pattern,
    }
    schema |= {name: limit for name, limit in limits.items() if limit is not None}
    return {"schema": schema} | ({"description": kwarg.description} if kwarg.description else {})


def _responses(path: str, handler: HTTPRouteHandler, operation: Operation) -> Schema:
    told: Schema = {
        str(status): {"description": WORDS.get(status, "Done"), "content": _content(status, body)}
        for status, body in operation.answers.items()
    }
    for status in sorted(_problems(path, handler, operation)):
        content = {PROBLEM: _media(responses.Problem)}
        told.setdefault(str(status), {"description": WORDS[status], "content": content})
    return told


def _problems(path: str, handler: HTTPRouteHandler, operation: Operation) -> Iterator[int]:
    """Yield the problem statuses implied by the operation."""
    yield from (429, 503, *operation.problems)
    if operation.body is not None or query_parameters(handler) or operation.headers:
        yield 400
    if operation.body is not None:
        yield from (413, 415)
    if "{" in path:
        yield 404
    if operation.auth != "none":
        yield 401
    if operation.auth in ("writer", "host"):
        yield 403


def _content(status: int, body: Any) -> Schema:
    if isinstance(body, Mapping):
        return {
            media_type: _media(kind) if media_type == JSON else _text(media_type, kind)
            for media_type, kind in body.items()
        }
    if isinstance(body, str):
        return {body: {"schema": {"type": "string"}}}
    return {(PROBLEM if status >= 400 else JSON): _media(body)}


def _text(media_type: str, line: Any) -> Schema:
    """Describe text whose lines, or whose events' data, are JSON of a type."""
    kinds = get_args(line) or (line,)
    if not all(isinstance(kind, type) and issubclass(kind, Struct) for kind in kinds):
        return {"schema": {"type": "string"}}
    told = {"contentMediaType": media_type, "contentSchema": _media(line)["schema"]}
    return {"schema": {"type": "string"} | told}


def _media(body: Any) -> Schema:
    if body is str or body is bytes:
        return {"schema": {"type": "string"}}
    named = [{"$ref": REF.format(name=kind.__name__)} for kind in get_args(body) or (body,)]
    return {"schema": named[0] if len(named) == 1 else {"anyOf": named}}


def _delivery() -> Schema:
    """Describe the requests that are posted to a hook's address."""
    sent = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        for name in DELIVERED
    ]
    return {
        "operationId": "receive_delivery",
        "summary": "Receive what happened in a match",
        "description": inspect.getdoc(Delivery),
        "parameters": sent,
        "requestBody": {"required": True, "content": {JSON: _media(Delivery)}},
        "responses": {"2XX": {"description": "It has arrived; else it is sent again later"}},
    }


def _types(operations: list[Route]) -> Iterator[Any]:
    yield from (responses.Problem, Delivery)
    for _, _, _, operation in operations:
        for body in (operation.body, *operation.answers.values()):
            for each in body.values() if isinstance(body, Mapping) else (body,):
                yield from get_args(each) or (each,)


def _link(paths: dict[str, Schema], operations: list[Route]) -> None:
    """Add links from every answer to the operations that use it."""
    places = [Place(handler.fn.__name__, path) for path, _, handler, _ in operations]
    for path, method, _, operation in operations:
        for status, body in operation.answers.items():
            found = links(path, body, places) if status == CREATED else {}
            if found:
                paths[path][method.lower()]["responses"][str(status)]["links"] = found
