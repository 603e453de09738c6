"""The answers of an operation for the OpenAPI schema: bodies, headers and problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from service.http.limits import EXEMPT
from service.models import responses
from service.openapi.json_schema import REF, Schema
from service.openapi.operations import JSON, WITH_TOKEN, Operation, is_revalidated

PROBLEM: Final = "application/problem+json"

WORDS: Final = {
    304: "What you have is the same",
    400: "What was sent cannot be: the path tells where",
    401: "A token is missing, or opens nothing here",
    403: "The token does not allow this",
    404: "There is no such thing",
    406: "None of the media types that are accepted can be answered",
    409: "A rule refuses it",
    410: "The number is not one of this feed; begin anew",
    412: "Others have written since the expected version",
    413: "The body is too large",
    415: "The body is of a media type that is not taken here",
    429: "Too many requests; Retry-After tells when to come back",
    503: "The database cannot be used now; Retry-After tells when to come back",
    501: "This installation cannot do it",
}


HEADERS: Final[Mapping[str, Schema]] = {
    "ETag": {
        "description": "The version of the match, for `If-Match`, where the answer is about its "
        "present state; after a `GET` a digest of the body, too, for `If-None-Match`.",
        "schema": {"type": "string", "pattern": r'^(W/)?"[0-9a-f]+(\.[0-9a-f]+)?"$'},
    },
    "Location": {
        "description": "The address of what was created.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {"type": "integer", "minimum": 1},
    },
}

RATE_LIMIT: Final[Mapping[str, Schema]] = {
    "RateLimit-Limit": {
        "description": "Requests per minute of one token or one address. Absent without a limit.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "RateLimit-Remaining": {
        "description": "Requests left now: of the token or of the address, whichever has less.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "RateLimit-Reset": {
        "description": "Seconds until all requests are left again.",
        "schema": {"type": "integer", "minimum": 0},
    },
}
"""The headers of every answer on a limited path, in the components of the schema."""

LIMITED: Final = {name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT}

WAITING: Final = (429, 503)
"""Statuses that tell when to come back."""


def answers(path: str, handler: HTTPRouteHandler, operation: Operation) -> Schema:
    """Return the answers of an operation by status."""
    told: Schema = {
        str(status): {"description": WORDS.get(status, "Done"), "content": content(status, body)}
        for status, body in operation.answers.items()
    }
    if operation.sends:
        first = told[str(next(iter(operation.answers)))]
        first["headers"] = {name: HEADERS[name] for name in operation.sends}
    if is_revalidated(handler, operation):
        told["304"] = {"description": WORDS[304], "headers": {"ETag": HEADERS["ETag"]}}
    for status in sorted(_problems(path, operation)):
        told.setdefault(str(status), _problem(status))
    if path not in EXEMPT:
        for each in told.values():
            each["headers"] = each.get("headers", {}) | LIMITED
    return told


def _problem(status: int) -> Schema:
    body = responses.BadRequest if status == 400 else responses.Problem
    told: Schema = {"description": WORDS[status], "content": {PROBLEM: media(body)}}
    if status in WAITING:
        told["headers"] = {"Retry-After": HEADERS["Retry-After"]}
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
    if operation.auth not in ("none", "anybody"):
        yield 401
    if operation.auth in WITH_TOKEN:
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
