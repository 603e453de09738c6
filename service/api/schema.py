"""Where the API tells of itself: the OpenAPI schema, and a page made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib.metadata import version
from typing import Any, Final

import msgspec
from litestar import Litestar, Request, Response, Router, get

from service.http.caching import HOUR
from service.models.json_schema import Schema
from service.models.openapi import schema_of
from service.pages.layout import page

INTRODUCTION: Final = (
    "Plain HTTP with JSON. A token goes into the header <code>Authorization: Bearer</code>; reading"
    " a match that is not private needs none. Errors are problems (RFC 9457): a broken rule is a"
    ' 409 with the clause. The schema itself: <a href="/schema/openapi.json">openapi.json</a>.'
)


@get("/schema/openapi.json")
async def read_schema(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the OpenAPI schema."""
    encoded = msgspec.json.encode(_schema(request.app))
    return Response(encoded, media_type="application/json", headers=HOUR)


@get("/schema")
async def read_docs(request: Request[Any, Any, Any]) -> Response[str]:
    """Show the API on a page, which needs nothing from elsewhere."""
    schema = _schema(request.app)
    operations = "".join(
        _operation(path, method, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    )
    types = "".join(
        f'<details id="{escape(name)}"><summary>{escape(name)}</summary>'
        f"<pre>{escape(json.dumps(kind, indent=1, ensure_ascii=False))}</pre></details>"
        for name, kind in schema["components"]["schemas"].items()
    )
    return page(
        "The API",
        f"<main><h1>The API</h1><p>{INTRODUCTION}</p>{operations}<h2>Types</h2>{types}</main>",
    )


def _schema(app: Litestar) -> Schema:
    """Return the schema, made when it is first asked for: the routes do not change."""
    if SCHEMA not in app.state:
        app.state[SCHEMA] = schema_of(app, version("plybook"))
    found: Schema = app.state[SCHEMA]
    return found


def _operation(path: str, method: str, operation: Schema) -> str:
    name = escape(operation["operationId"])
    parameters = "".join(
        f"<li><code>{escape(each['name'])}</code> ({each['in']})"
        f" {escape(each.get('description', ''))}</li>"
        for each in operation["parameters"]
    )
    body = operation.get("requestBody")
    sent = f"<p>Send: {_links(body)}</p>" if body else ""
    answered = "".join(
        f"<li>{status}: {escape(told['description'])} {_links(told)}</li>"
        for status, told in operation["responses"].items()
    )
    return (
        f'<details id="{name}"><summary><code>{method.upper()} {escape(path)}</code>'
        f" <span>{escape(operation['summary'])}</span></summary>"
        f"<p>{escape(operation['description'])}</p>"
        f"<ul>{parameters}</ul>{sent}<ul>{answered}</ul></details>"
    )


def _links(part: Schema) -> str:
    """Link to the types that a part of an operation names."""
    names = dict.fromkeys(_names(part))
    return ", ".join(f'<a href="#{escape(name)}">{escape(name)}</a>' for name in names)


def _names(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        for each in part.values():
            yield from _names(each)
    elif isinstance(part, list):
        for each in part:
            yield from _names(each)


SCHEMA: Final = "schema"

ROUTER: Final = Router("/", route_handlers=[read_schema, read_docs], include_in_schema=False)
