"""Errors as `application/problem+json` (RFC 9457)."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, InternalServerException
from litestar.response.base import ASGIResponse

from replay.errors import (
    AmbiguousMatch,
    FileChanged,
    PlybookError,
    StoreError,
    UnknownAddress,
    UnknownMatch,
    Usage,
)
from service.http.error_log import log_error

PROBLEM: Final = "application/problem+json"

SOON: Final = 5
"""Seconds for `Retry-After` when the database is temporarily unavailable."""
RESTARTED: Final = 60
"""Seconds for `Retry-After` when the server has to be restarted first."""


GONE: Final = "client disconnected prematurely"
"""Litestar's message for a client that disconnects before its body has arrived."""


class Problem(Exception):
    """An error answer. `facts` become members of the problem."""

    def __init__(self, status: int, detail: str, **facts: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        """Preserve status and facts when pickled by a worker process."""
        return partial(Problem, **self.facts), (self.status, self.detail)


def answer_problem(request: Request[Any, Any, Any], problem: Problem) -> Response[bytes]:
    """Answer one of our own problems."""
    if "clause" in problem.facts:
        request.app.state.live.metrics.refused(problem.facts["clause"])
    return answer(problem.status, problem.detail, **problem.facts)


def answer_record_error(request: Request[Any, Any, Any], error: PlybookError) -> Response[bytes]:
    """Answer an error of the record: 404 for an unknown match, else 400, 503 or 500."""
    if isinstance(error, UnknownMatch | AmbiguousMatch):
        return answer(404, "there is no such match")
    if isinstance(error, UnknownAddress):
        return answer(404, str(error))
    if isinstance(error, Usage):
        return answer(400, str(error))
    log_error(request, error)
    if isinstance(error, StoreError):
        return unavailable(error)
    return answer(500, "what is asked for cannot be read or written here now; it has been logged")


def unavailable(error: StoreError) -> Response[bytes]:
    """Answer that the database is unavailable: the reason, and when to retry."""
    wait = RESTARTED if isinstance(error, FileChanged) else SOON
    detail = f"the database cannot be read and written: {error.reason}"
    return answer(503, detail, headers={"Retry-After": str(wait)})


def answer_http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer an error of the framework: unknown route or method, body too large, bad query."""
    if isinstance(error, InternalServerException) and error.detail == GONE:
        return answer(400, "the body of the request did not come")  # the client has gone
    facts = {"errors": error.extra} if error.extra else {}
    return answer(error.status_code, error.detail, headers=error.headers, **facts)


def answer_bug(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer an internal error without details; the log has them."""
    log_error(request, error)
    return answer(500, "something went wrong here; it has been logged")


def answer(
    status: int, detail: str, *, headers: dict[str, str] | None = None, **facts: Any
) -> Response[bytes]:
    """Build a problem response."""
    body = _members(status, detail) | facts
    return Response(
        msgspec.json.encode(body), status_code=status, media_type=PROBLEM, headers=headers
    )


def bare_answer(status: int, detail: str, headers: dict[str, str] | None = None) -> ASGIResponse:
    """Build a problem response for a request that no route answers."""
    return ASGIResponse(
        body=msgspec.json.encode(_members(status, detail)),
        status_code=status,
        media_type=PROBLEM,
        headers=headers,
    )


def _members(status: int, detail: str) -> dict[str, Any]:
    return {"title": HTTPStatus(status).phrase, "status": status, "detail": detail}
