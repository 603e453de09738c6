"""The parameters of an operation for the OpenAPI schema: path, query and headers."""

from __future__ import annotations

import re
from typing import Any, Final, get_args

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.typing import FieldDefinition

from service.http.preconditions import TAGS
from service.models import responses
from service.openapi.json_schema import Schema
from service.openapi.operations import LARGEST, Operation, is_revalidated, query_parameters

PATTERNS: Final = {
    "match": r"^[0-9a-hjkmnp-tv-z]{12}$",
    "picture": r"^(0|[1-9][0-9]{0,8})\.svg$",
}
"""The syntax of path parameters."""

IF_MATCH: Final = rf"^(\*|{TAGS.pattern.replace('?:', '')})$"

HEADERS: Final[dict[str, tuple[str, str | None]]] = {
    "If-Match": ("The version expected: an `ETag` of the match, or several.", IF_MATCH),
    "If-None-Match": ("The `ETag` of the answer that the caller has.", None),
    "Idempotency-Key": ("Makes a retry harmless.", r"^[!-~]{1,200}$"),
    "Last-Event-ID": ("Where a stream goes on.", r"^[0-9]{1,9}$"),
}
OWN_KEY: Final = (
    "Makes a retry harmless: it gets the same tokens. Whoever knows the key gets them, too: let "
    "nobody guess it.",
    r"^[!-~]{20,200}$",
)
"""The syntax of an `Idempotency-Key` for requests that create tokens."""


def parameters(path: str, handler: HTTPRouteHandler, operation: Operation) -> list[Schema]:
    """Return the parameters of an operation: in the path, the query and the headers."""
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
    headers = (
        *operation.headers,
        *(("If-None-Match",) if is_revalidated(handler, operation) else ()),
    )
    return inside + asked + [_header(name, operation) for name in headers]


def _header(name: str, operation: Operation) -> Schema:
    secret = (
        operation.auth in ("none", "anybody", "reader")
        or responses.Invitation in operation.answers.values()
    )
    own = name == "Idempotency-Key" and secret
    words, pattern = OWN_KEY if own else HEADERS[name]
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": words,
        "schema": {"type": "string"} | ({"pattern": pattern} if pattern else {}),
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
