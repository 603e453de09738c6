"""Errors as `application/problem+json` (RFC 9457).

This is *safer* than the plug-in of Litestar: a problem has a code and the path of the wrong value,
and an internal error does not reveal its cause (`tests/service/http/test_problems.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, InternalServerException
from litestar.response.base import ASGIResponse

from replay.errors import (
    AmbiguousMatch,
    DamagedMatch,
    FileChanged,
    InvalidField,
    NotAllowed,
    PlybookError,
    StoreError,
    UnknownMatch,
    Usage,
)
from service.http.logs import damage, log_error

PROBLEM: Final = "application/problem+json"

TITLES: Final = {413: "Content Too Large"}
"""Titles of RFC 9110 that Python calls by their former names."""

SOON: Final = 5
"""Seconds for `Retry-After` when the database is temporarily unavailable."""
RESTARTED: Final = 60
"""Seconds for `Retry-After` when the server has to be restarted first."""


GONE: Final = "client disconnected prematurely"
"""Litestar's message for a client that disconnects before its body has arrived."""


WHOLE: Final = "$"
"""The path of a fault that concerns the whole request."""


class Kind(NamedTuple):
    """A kind of problem: its status, and its meaning in a sentence."""

    status: int
    meaning: str


CODES: Final[dict[str, Kind]] = {
    "invalid-request": Kind(400, "The request is malformed; `path` says where"),
    "invalid-record": Kind(400, "No record can be stored; `faults` or `line` say why"),
    "token-required": Kind(401, "This needs a token"),
    "unknown-token": Kind(401, "The token is unknown or revoked"),
    "private-match": Kind(401, "The match is private; send one of its tokens"),
    "forbidden": Kind(403, "The token does not allow this"),
    "foreign-page": Kind(403, "A page of another site may not do this without a token"),
    "match-full": Kind(403, "The match has reached this server's limit of events or annotations"),
    "not-granted": Kind(403, "The server's user of the database may not do this"),
    "not-found": Kind(404, "The address names nothing here"),
    "unknown-match": Kind(404, "The id belongs to no match"),
    "unknown-address": Kind(404, "The match has no such ply or version"),
    "method-not-allowed": Kind(405, "This address takes other methods; `Allow` names them"),
    "not-acceptable": Kind(406, "None of the media types in `Accept` can be answered"),
    "request-timeout": Kind(408, "The request did not arrive in time"),
    "conflict": Kind(409, "The request contradicts the stored data"),
    "rule-broken": Kind(409, "A rule refuses the event; `clause` names the rule"),
    "malformed-event": Kind(409, "The text or the event is not one of this game"),
    "out-of-turn": Kind(409, "Another seat must act, or another kind of event is awaited"),
    "match-over": Kind(409, "The match has ended"),
    "sealed": Kind(409, "This has to wait until the sealed moves are revealed"),
    "hidden": Kind(409, "Only the player of the seat may know whether the move is legal"),
    "roll-refused": Kind(409, "The dice cannot be rolled or entered like this"),
    "clock-refused": Kind(409, "The clock does not allow this claim"),
    "missing-game": Kind(409, "The game of the match, or this ruleset of it, is not installed"),
    "damaged-match": Kind(
        409, "The stored match is corrupt; `plybook verify` with its id, `match`, says where"
    ),
    "key-reused": Kind(409, "The Idempotency-Key, or the id, belongs to another request"),
    "already-stored": Kind(409, "The book has this match already"),
    "unknown-change": Kind(
        410, "This number of a change is not one of this book, which was restored from a backup"
    ),
    "stale-version": Kind(412, "Others wrote since the expected version; `missed` has the events"),
    "precondition-failed": Kind(412, "No tag in `If-Match` is the present one, which `ETag` has"),
    "body-too-large": Kind(413, "The body is too large"),
    "unsupported-media-type": Kind(415, "The body is of a media type that is not accepted here"),
    "unknown-host": Kind(421, "The server does not answer to this host name"),
    "rate-limited": Kind(429, "Too many requests; `Retry-After` says when to come back"),
    "header-too-large": Kind(
        431, "The header has too many bytes, with address and cookies, or too many fields"
    ),
    "internal-error": Kind(500, "A fault of the server, which its log describes"),
    "not-installed": Kind(501, "The server lacks the software for this"),
    "busy": Kind(503, "Too much work is waiting, or the server is stopping"),
    "page-outdated": Kind(503, "The page is of another version of Plybook; reload it"),
    "store-unavailable": Kind(503, "The database cannot be used now"),
    "store-replaced": Kind(503, "The database file was replaced; the server must be restarted"),
}
"""All problems of the API by their codes; the first code of a status is its usual one."""

USUAL: Final = {CODES[code].status: code for code in reversed(CODES)}
"""The usual code of a status."""


class Problem(Exception):
    """An error answer, with a code of `CODES`. `facts` become members of the problem."""

    def __init__(self, status: int, detail: str, code: str | None = None, **facts: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.code = code or USUAL[status]
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        """Preserve status, code and facts when pickled by a worker process."""
        return partial(Problem, **self.facts), (self.status, self.detail, self.code)


def answer_problem(request: Request[Any, Any, Any], problem: Problem) -> Response[bytes]:
    """Answer with one of this project's own problems."""
    if "clause" in problem.facts:
        request.app.state.live.telemetry.refused(problem.facts["clause"])
    facts = problem.facts
    if problem.code == "unknown-token":  # RFC 6750 §3.1
        facts = facts | {"headers": {"WWW-Authenticate": 'Bearer error="invalid_token"'}}
    return answer(problem.status, problem.detail, problem.code, **facts)


def answer_record_error(request: Request[Any, Any, Any], error: PlybookError) -> Response[bytes]:
    """Answer an error of the record: 404 for an unknown match, else 400, 403, 409, 503 or 500."""
    if isinstance(error, UnknownMatch | AmbiguousMatch):
        return answer(404, "there is no such match", error.code)
    if isinstance(error, Usage):
        facts: dict[str, Any] = {}
        if isinstance(error, InvalidField):
            facts["path"] = f"$.{error.field}"
        return answer(CODES[error.code].status, str(error), error.code, **facts)
    log_error(request, error)
    if isinstance(error, NotAllowed):
        return answer(403, f"the database refuses: {error.reason}", error.code)
    if isinstance(error, StoreError):
        return unavailable(error)
    if isinstance(error, DamagedMatch):
        return answer(409, damage(error), error.code, match=error.match)
    return answer(
        500, "the book cannot be read or written now; the log of the server has the cause"
    )


def unavailable(error: StoreError) -> Response[bytes]:
    """Answer that the database is unavailable: the reason, and when to retry."""
    wait = RESTARTED if isinstance(error, FileChanged) else SOON
    detail = f"the database cannot be read and written: {error.reason}"
    return answer(503, detail, error.code, headers={"Retry-After": str(wait)})


def answer_http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer an error of the framework: unknown route or method, body too large, bad query."""
    if isinstance(error, InternalServerException) and error.detail == GONE:
        return answer(400, "the body of the request did not come")  # the client has gone
    kind = CODES.get(USUAL.get(error.status_code, ""))
    detail = error.detail if kind is None else kind.meaning[0].lower() + kind.meaning[1:]
    return answer(error.status_code, detail, headers=error.headers)


def answer_bug(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer an internal error without details; the log has them."""
    log_error(request, error)
    return answer(500, "something went wrong here; it has been logged")


def answer(
    status: int,
    detail: str,
    code: str | None = None,
    *,
    headers: dict[str, str] | None = None,
    **facts: Any,
) -> Response[bytes]:
    """Build the response for a problem."""
    body = members(status, detail, code) | facts
    return Response(
        msgspec.json.encode(body), status_code=status, media_type=PROBLEM, headers=headers
    )


def bare_answer(
    status: int, detail: str, headers: dict[str, str] | None = None, **facts: Any
) -> ASGIResponse:
    """Build a problem response for a request that no route answers."""
    return ASGIResponse(
        body=msgspec.json.encode(members(status, detail) | facts),
        status_code=status,
        media_type=PROBLEM,
        headers=headers,
    )


def members(status: int, detail: str, code: str | None = None) -> dict[str, Any]:
    """Return the members of every problem; the problem of a malformed request also has a path."""
    found = code or USUAL.get(status, "invalid-request")
    told = {
        "title": TITLES.get(status, HTTPStatus(status).phrase),
        "status": status,
        "code": found,
        "detail": detail,
    }
    return told | ({"path": WHOLE} if status == HTTPStatus.BAD_REQUEST else {})


@contextmanager
def blaming(path: str) -> Iterator[None]:
    """Add the path of a parameter or field to the `Problem` 400 raised within the block."""
    try:
        yield
    except Usage as error:
        if error.code != Usage.code:
            raise
        raise Problem(400, str(error), path=path) from None
