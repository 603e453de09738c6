"""An operation in the OpenAPI schema: its parameters, its answers and its links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, get_args

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.typing import FieldDefinition
from msgspec import Struct, structs

from service.http.limits import EXEMPT
from service.http.preconditions import TAGS
from service.http.problems import PROBLEM
from service.http.rights import WITH_TOKEN
from service.models import responses
from service.openapi.json_schema import REF, Schema
from service.openapi.operations import (
    JSON,
    MAX_NUMBER,
    Operation,
    is_conditioned,
    is_revalidated,
    query_parameters,
)

PATTERNS: Final = {"match": r"^[0-9a-hjkmnp-tv-z]{12}$", "picture": r"^(0|[1-9][0-9]{0,8})\.svg$"}
"""The syntax of path parameters."""

IF_MATCH: Final = rf"^(\*|{TAGS.pattern.replace('?:', '')})$"

REQUEST_HEADERS: Final[dict[str, tuple[str, str | None]]] = {
    "If-Match": ("The version expected: an `ETag` of the match, or several.", IF_MATCH),
    "If-None-Match": ("The `ETag` of the answer that the caller has.", None),
    "Idempotency-Key": ("Makes a retry harmless.", r"^[!-~]{1,200}$"),
    "Last-Event-ID": ("The place from which a stream resumes.", r"^[0-9]{1,9}$"),
}
OTHER_MATCH: Final = (
    "The `ETag` that a `GET` of this path would have, or of the match; or several. A tag that is "
    "only a version is compared with that of the match; any other text is no present tag."
)
"""The words of `If-Match` for writes outside the log, which takes any text."""
OWN_KEY: Final = (
    "Makes a retry harmless: it gets the same tokens. The key opens them to others, too: use one "
    "that cannot be guessed.",
    r"^[!-~]{20,200}$",
)
"""The syntax of an `Idempotency-Key` for requests that create tokens."""


def parameters(path: str, handler: HTTPRouteHandler, operation: Operation) -> list[Schema]:
    """Return the parameters of an operation: in the path, the query and the headers."""
    typed = handler.parsed_fn_signature.parameters
    required = {"in": "path", "required": True}
    inside = [
        {"name": name, **required, "schema": _path_schema(name, typed.get(name))}
        for name in re.findall(r"{(\w+)}", path)
    ]
    asked = [
        {"name": name, "in": "query", "required": field.is_required, **_query_schema(field)}
        for name, field in query_parameters(handler).items()
    ]
    headers = (
        *operation.headers,
        *(("If-None-Match",) if is_revalidated(handler, operation) else ()),
        *(("If-Match",) if is_conditioned(handler) else ()),
    )
    return inside + asked + [_header(name, operation) for name in headers]


def _header(name: str, operation: Operation) -> Schema:
    secret = (
        operation.right.who in ("none", "anybody", "reader", "link")
        or responses.Invitation in operation.answers.values()
    )
    own = name == "Idempotency-Key" and secret
    words, pattern = OWN_KEY if own else REQUEST_HEADERS[name]
    if name == "If-Match" and name not in operation.headers:
        words, pattern = OTHER_MATCH, None
    return header(name, words, required=False, pattern=pattern)


def header(name: str, words: str, *, required: bool, pattern: str | None = None) -> Schema:
    """Describe a header of a request."""
    schema = {"type": "string"} | ({"pattern": pattern} if pattern else {})
    told = {"name": name, "in": "header", "required": required, "description": words}
    return {**told, "schema": schema}


def _path_schema(name: str, field: FieldDefinition | None) -> Schema:
    if name in PATTERNS:
        return {"type": "string", "pattern": PATTERNS[name]}
    if field is not None and field.annotation is int:
        return {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}
    return {"type": "string", "minLength": 1}


def _query_schema(field: FieldDefinition) -> Schema:
    # Optional parameters are omitted rather than null.
    kinds = [kind for kind in get_args(field.annotation) if kind is not type(None)]
    kind = field.annotation if field.annotation in (int, bool, str) or not kinds else kinds[0]
    kwarg: Any = field.kwarg_definition
    schema = msgspec.json.schema(kind)
    if kind is int:
        schema |= {"minimum": 0, "maximum": MAX_NUMBER}
    limits = {
        "minimum": kwarg.ge,
        "maximum": kwarg.le,
        "minLength": kwarg.min_length,
        "maxLength": kwarg.max_length,
        "pattern": kwarg.pattern,
    }
    schema |= {name: limit for name, limit in limits.items() if limit is not None}
    return {"schema": schema} | ({"description": kwarg.description} if kwarg.description else {})


Links = dict[str, dict[str, Any]]


class OperationPath(NamedTuple):
    """An operation by its id, and its path."""

    operation: str
    path: str


def links(path: str, body: Any, places: Iterable[OperationPath]) -> Links:
    """Return the schema's links of an answer of this type to a request to this path.

    A parameter of the target path directly under the request's path is the answer's `id`, or that
    of the first created item. Any other parameter is the same parameter of the request's path, or
    else the field of the answer with that name.
    """
    fields = {field.name for field in structs.fields(body)}
    found: Links = {}
    for place in places:
        there = {
            name: _source(path, place.path, name, fields)
            for name in re.findall(r"{(\w+)}", place.path)
        }
        known = [source for source in there.values() if source is not None]
        if len(known) == len(there) and any("body" in source for source in known):
            found[place.operation] = {"operationId": place.operation, "parameters": there}
    return found


def _source(path: str, other: str, name: str, fields: set[str]) -> str | None:
    """Return the runtime expression for a parameter of the target path."""
    if other.startswith(f"{path}/{{{name}}}") and fields & {"id", f"{name}s"}:
        return "$response.body#/id" if "id" in fields else f"$response.body#/{name}s/0/id"
    if f"{{{name}}}" in path:
        return f"$request.path.{name}"
    return f"$response.body#/{name}" if name in fields else None


WORDS: Final = {
    304: "Your copy is current",
    400: "The request is not valid: `path` says where",
    401: "A token is missing, or opens nothing here",
    403: "The token does not allow this",
    404: "The address names nothing here",
    406: "None of the media types in `Accept` can be answered",
    409: "A rule refuses it",
    410: "The number does not belong to this feed; start over",
    412: "Others have written since the expected version",
    413: "The body is too large",
    415: "The body is of a media type that is not accepted here",
    429: "Too many requests; Retry-After says when to come back",
    503: "The database cannot be used now; Retry-After says when to come back",
    501: "This installation cannot do it",
}


RESPONSE_HEADERS: Final[Mapping[str, Schema]] = {
    "ETag": {
        "description": "The version of the match, for `If-Match`, where the answer is about its "
        "present state; after a `GET` a digest of the body, too, for `If-None-Match`.",
        "schema": {"type": "string", "pattern": r'^(W/)?"[0-9a-f]+(\.[0-9a-f]+)?"$'},
    },
    "Location": {
        "description": "The address of the created resource.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {"type": "integer", "minimum": 1},
    },
}

RATE_LIMIT: Final[Mapping[str, Schema]] = {
    "RateLimit-Policy": {
        "description": "Requests of one token or one address (`q`) in `w` seconds. Absent without "
        "a limit.",
        "schema": {"type": "string", "pattern": '^"requests";q=[0-9]+;w=60$'},
    },
    "RateLimit": {
        "description": "Requests left now (`r`) of the token or of the address, whichever has "
        "less, and the seconds until all are left again (`t`).",
        "schema": {"type": "string", "pattern": '^"requests";r=[0-9]+;t=[0-9]+$'},
    },
}
"""The headers of every answer on a limited path, in the components of the schema."""

LIMITED: Final = {name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT}

WAITING: Final = (429, 503)
"""The statuses with `Retry-After`."""


def answers(path: str, handler: HTTPRouteHandler, operation: Operation) -> Schema:
    """Return the answers of an operation by status."""
    told: Schema = {
        str(status): {"description": WORDS.get(status, "Done"), "content": content(status, body)}
        for status, body in operation.answers.items()
    }
    if operation.sends:
        first = told[str(next(iter(operation.answers)))]
        first["headers"] = {name: RESPONSE_HEADERS[name] for name in operation.sends}
    if is_revalidated(handler, operation):
        told["304"] = {"description": WORDS[304], "headers": {"ETag": RESPONSE_HEADERS["ETag"]}}
    for status in sorted({*_problems(path, operation), *_conditions(handler, operation)}):
        told.setdefault(str(status), _problem(status))
    if "412" in told:
        told["412"]["headers"] = {"ETag": RESPONSE_HEADERS["ETag"]}
    if path not in EXEMPT:
        for each in told.values():
            each["headers"] = each.get("headers", {}) | LIMITED
    return told


def _conditions(handler: HTTPRouteHandler, operation: Operation) -> Iterator[int]:
    if is_conditioned(handler) or "If-Match" in operation.headers:
        yield 412


def _problem(status: int) -> Schema:
    body = responses.BadRequest if status == 400 else responses.Problem
    told: Schema = {"description": WORDS[status], "content": {PROBLEM: media(body)}}
    if status in WAITING:
        told["headers"] = {"Retry-After": RESPONSE_HEADERS["Retry-After"]}
    return told


def _problems(path: str, operation: Operation) -> Iterator[int]:
    """Yield the problem statuses implied by the operation."""
    yield from (400, 503, *operation.problems)  # 400 for an unknown query parameter
    if path not in EXEMPT:
        yield 429
    if operation.body is not None:
        yield from (413, 415)
    if "{" in path:
        yield 404
    if operation.right.who not in ("none", "anybody"):
        yield 401
    if operation.right.who in WITH_TOKEN:
        yield 403


def content(status: int, body: Any) -> Schema:
    """Return the media types of a body, with the schema of each."""
    if isinstance(body, Mapping):
        return {
            media_type: media(kind) if media_type == JSON else _text(media_type, kind)
            for media_type, kind in body.items()
        }
    if isinstance(body, str):
        return {body: {"schema": {"type": "string"}}}
    return {(PROBLEM if status >= 400 else JSON): media(body)}


def _text(media_type: str, line: Any) -> Schema:
    """Describe text whose lines, or whose events' data, are JSON of a type."""
    kinds = get_args(line) or (line,)
    if not all(isinstance(kind, type) and issubclass(kind, Struct) for kind in kinds):
        return media(line)
    told = {"contentMediaType": media_type, "contentSchema": media(line)["schema"]}
    return {"schema": {"type": "string"} | told}


def media(body: Any) -> Schema:
    """Return the media type object of a body of JSON, of text or of bytes."""
    if body is str:
        return {"schema": {"type": "string"}}
    if body is bytes:
        return {"schema": {"type": "string", "format": "binary"}}
    named = [{"$ref": REF.format(name=kind.__name__)} for kind in get_args(body) or (body,)]
    return {"schema": named[0] if len(named) == 1 else {"anyOf": named}}
