"""Build the OpenAPI 3.1 schema from the routes: operations, tags, types.

This is *safer* than the schema of Litestar, which leaves out 574 of 753 answers, which fields are
closed, and what a caller must send (`tests/contract`).
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version as installed_version
from typing import Any, Final, Literal, get_args, get_origin

from litestar import Litestar, Request, Response
from litestar.exceptions import ValidationException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition
from msgspec import Struct

from service.http.addresses import prefix
from service.http.problems import Problem, answer, answer_problem
from service.http.rights import WITH_TOKEN
from service.live.hook_headers import DELIVERED
from service.live.hook_news import BookDelivery, Delivery, Ping
from service.models import responses
from service.models.bodies import read_empty
from service.openapi import operation_schemas
from service.openapi.json_schema import Schema, components
from service.openapi.operation_schemas import OperationPath, links, parameters
from service.openapi.operations import (
    JSON,
    MAX_NUMBER,
    OPERATION,
    Operation,
    operation_of,
    query_parameters,
)
from service.settings import Settings

SCHEMA: Final = "schema"
"""The key of the schema in the application's state."""

CREATED: Final = 201

TOKEN: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A capability token: the host's, a seat's or a viewer's. Opening a match "
    "answers the first ones; an invitation makes others. An operator of the server "
    "has one that reads every match, and an account has some for its seats in all matches.",
}

Route = tuple[str, str, HTTPRouteHandler, Operation]


def schema_of_app(app: Litestar) -> Schema:
    """Return the application's schema. All but the server's address is built once."""
    if SCHEMA not in app.state:
        app.state[SCHEMA] = schema_of(app, installed_version("plybook"))
    server = {"url": prefix() or "/", "description": "The server that answers this schema."}
    found: Schema = app.state[SCHEMA] | {"servers": [server]}
    return found


def schema_of(app: Litestar, version: str) -> Schema:
    """Return the schema of an application's API, without the server's address."""
    operations = list(_operations(app))
    bodies = (kind for *_, operation in operations for kind in _structs(operation.body))
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
            "license": {"name": "MIT", "identifier": "MIT"},
            "contact": {"name": "The Plybook developers"},
        },
        "servers": [],
        "tags": [*_tags(operations)],
        "paths": dict(sorted(paths.items())),
        "webhooks": {
            "delivery": {"post": _call("receive_delivery", "Receive events of a match", Delivery)},
            "change": {
                "post": _call("receive_change", "Receive a change of any match", BookDelivery)
            },
            "ping": {"post": _call("receive_ping", "Receive a test call", Ping)},
        },
        "components": {
            "schemas": components(_types(operations), bodies, app.state.settings),
            "headers": operation_schemas.RATE_LIMIT,
            "securitySchemes": {"token": TOKEN},
        },
    }


def _operations(app: Litestar) -> Iterator[Route]:
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            operation = operation_of(handler)
            for method in sorted(handler.http_methods - {"OPTIONS"}):
                if operation is not None:
                    yield route.path_format, str(method), handler, operation


def _tags(operations: list[Route]) -> Iterator[Schema]:
    """Yield the tags: the modules with routes, described by their docstrings."""
    modules = {handler.fn.__module__ for _, _, handler, _ in operations}
    for module in sorted(modules):
        yield {"name": _tag(module), "description": inspect.getdoc(sys.modules[module])}


def _tag(module: str) -> str:
    return module.rpartition(".")[2]


def _operation(
    path: str, handler: HTTPRouteHandler, operation: Operation, settings: Settings
) -> Schema:
    doc = inspect.getdoc(handler.fn) or ""
    told: Schema = {
        "operationId": handler.fn.__name__,
        "summary": doc.partition(".")[0].partition(";")[0].partition(":")[0],
        "description": doc,
        "tags": [_tag(handler.fn.__module__)],
        "security": _security(operation),
        "parameters": parameters(path, handler, operation),
        "responses": operation_schemas.answers(path, handler, operation),
    }
    if operation.body is not None:
        content = operation_schemas.content(200, operation.body)
        told["requestBody"] = {"required": True, "content": content}
        told["requestBody"] |= _bounds(operation, settings)
    return told


def _security(operation: Operation) -> list[Schema]:
    """Return the security requirements; `{}` allows requests without a token."""
    who = operation.right.who
    if who == "none":
        return []
    return [{"token": []}] if who in WITH_TOKEN else [{}, {"token": []}]


def _bounds(operation: Operation, settings: Settings) -> Schema:
    """Describe the limits of a body under the settings in force."""
    most = {name: getattr(settings, name) for name in operation.bounds}
    if not most:
        return {}
    words = "; ".join(f"{name} {bound or 'unlimited'}" for name, bound in most.items())
    return {"description": f"The limits of one request: {words}.", "x-bounds": most}


def _call(name: str, summary: str, body: type[Struct]) -> Schema:
    """Describe the requests with such a body that are posted to a hook's address."""
    return {
        "operationId": name,
        "summary": summary,
        "description": inspect.getdoc(body),
        "tags": ["hooks"],
        "security": [],
        "parameters": [
            operation_schemas.header(name, words, required=True)
            for name, words in DELIVERED.items()
        ],
        "requestBody": {"required": True, "content": {JSON: operation_schemas.media(body)}},
        "responses": {
            "2XX": {"description": "It has arrived"},
            "410": {"description": "The receiver wants no more: the hook ends"},
            "4XX": {"description": "It has not arrived; a delivery is sent again later"},
        },
    }


def _types(operations: list[Route]) -> Iterator[Any]:
    yield from (responses.Problem, responses.BadRequest, Delivery, BookDelivery, Ping)
    for _, _, _, operation in operations:
        for body in (operation.body, *operation.answers.values()):
            yield from _structs(body)


def _structs(body: Any) -> Iterator[Any]:
    for each in body.values() if isinstance(body, Mapping) else (body,):
        yield from get_args(each) or (each,)


def _link(paths: dict[str, Schema], operations: list[Route]) -> None:
    """Add links from every answer to the operations that use it."""
    places = [OperationPath(handler.fn.__name__, path) for path, _, handler, _ in operations]
    for path, method, _, operation in operations:
        for status, body in operation.answers.items():
            found = links(path, body, places) if status == CREATED else {}
            if found:
                paths[path][method.lower()]["responses"][str(status)]["links"] = found


AnyRequest = Request[Any, Any, Any]

NUMBER: Final = re.compile("0|[1-9][0-9]{0,8}")
"""A number in a query, as it must be written."""

MAX_QUOTED: Final = 60
"""The number of characters of a wrong value that an answer repeats."""


def check_query(request: AnyRequest) -> None:
    """Refuse unknown query parameters of the API and invalid values.

    A misspelt parameter must not be ignored. Raises `Problem` 400.
    """
    handler: Any = request.route_handler
    if OPERATION not in handler.opt:
        return
    known = query_parameters(handler)
    for name, text in request.query_params.multi_items():
        if name not in known:
            there = f"use {', '.join(sorted(known))}" if known else "use none"
            raise Problem(400, f"{name!r} is not a query parameter here; {there}", path=name)
        if len(request.query_params.getall(name)) > 1:
            raise Problem(400, f"{name} is given twice", path=name)
        _check_value(name, known[name], text)


def answer_invalid(request: AnyRequest, error: ValidationException) -> Response[bytes]:
    """Answer a request that lacks a parameter, or has an invalid one."""
    known, given = query_parameters(request.route_handler), request.query_params
    try:
        for name, field in known.items():
            if field.is_required and name not in given:
                raise Problem(400, f"the query parameter {name} is missing; add it", path=name)
            for text in given.getall(name, []):
                _check_value(name, field, text)
        faults: Any = error.extra or ()
        if any(fault.get("key") == "data" for fault in faults):
            read_empty(request)
    except Problem as problem:
        return answer_problem(request, problem)
    return answer(400, "the address is not valid; write it as the schema does", path="path")


def _check_value(name: str, field: FieldDefinition, text: str) -> None:
    right = _misspelt(field, text)
    if right is not None:
        shown = repr(text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…")
        raise Problem(400, f"{shown} is not a valid {name}; use {right}", path=name)


def _misspelt(field: FieldDefinition, text: str) -> str | None:
    """Return the valid values of a parameter in words, if the given value is invalid."""
    kinds = (field.annotation, *get_args(field.annotation))
    values = [each for kind in kinds if get_origin(kind) is Literal for each in get_args(kind)]
    if values:
        return None if text in values else f"one of {', '.join(values)}"
    if _is(bool, field):
        return None if text in ("true", "false") else "true or false"
    rule: Any = field.kwarg_definition
    if _is(int, field):
        least, most = rule.ge or 0, MAX_NUMBER if rule.le is None else rule.le
        fits = NUMBER.fullmatch(text) and least <= int(text) <= most
        return None if fits else f"a whole number from {least} to {most}"
    if rule.pattern is not None and not re.search(rule.pattern, text):
        return f"text that matches {rule.pattern}"
    least, most = rule.min_length or 0, rule.max_length
    if len(text) < least or (most is not None and len(text) > most):
        return f"text of {least} to {most} characters"
    return None


def _is(kind: type, field: FieldDefinition) -> bool:
    """Return whether a parameter has a type; `bool` is a subclass of `int`, so ask for it first."""
    return field.has_inner_subclass_of(kind) or field.is_subclass_of(kind)
