"""The API reference as a page, built from the schema without external resources."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from litestar import Request, get
from litestar.response import Template

from service.http.rights import ANYBODY
from service.openapi.json_schema import Schema
from service.openapi.openapi import schema_of_app
from service.pages.layout import page


@get("/schema", guards=[ANYBODY])
async def read_docs(request: Request[Any, Any, Any]) -> Template:
    """Show the API: every operation, and the types of its bodies."""
    schema = schema_of_app(request.app)
    data = {
        "operations": [
            _operation(path, method, operation)
            for path, methods in schema["paths"].items()
            for method, operation in methods.items()
        ],
        "types": {
            name: json.dumps(kind, indent=1, ensure_ascii=False)
            for name, kind in schema["components"]["schemas"].items()
        },
    }
    return page("api.html", "The API", data)


def _operation(path: str, method: str, operation: Schema) -> dict[str, Any]:
    body = operation.get("requestBody")
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "description": operation["description"],
        "parameters": operation["parameters"],
        "sent": list(dict.fromkeys(_types(body))) if body else None,
        "answers": {
            status: {"description": one["description"], "types": list(dict.fromkeys(_types(one)))}
            for status, one in operation["responses"].items()
        },
    }


def _types(part: Any) -> Iterator[str]:
    """Yield the names of the types that a part of an operation refers to."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        for each in part.values():
            yield from _types(each)
    elif isinstance(part, list):
        for each in part:
            yield from _types(each)
