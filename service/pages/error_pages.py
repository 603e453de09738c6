"""Error pages for browsers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from litestar.response import Template
from msgspec import Struct

from service.pages.layout import page

E = TypeVar("E", bound=Exception)
Handler = Callable[[Request[Any, Any, Any], E], Response[bytes]]

TITLES: Final = {
    400: "This address does not work",
    401: "This match is private",
    403: "This is not yours to open",
    404: "There is nothing here",
    429: "One moment, please",
    503: "The book cannot be opened now",
}
INVITATION: Final = "This invitation is no longer good"
NO_SUCH_PLY: Final = re.compile(
    r"the line of (\w+) has plies 0 to (\d+), and none numbered (-?\d+)"
)
FAULT: Final = "Something went wrong"


class ErrorText(Struct):
    """The status of a problem, and its explanation."""

    status: int
    detail: str


def as_page(handler: Handler[E]) -> Callable[[Request[Any, Any, Any], E], Response[Any]]:
    """Return a handler that answers browsers with a page, and programs like the given handler."""

    def handle(request: Request[Any, Any, Any], error: E) -> Response[Any]:
        problem = handler(request, error)
        if not _wants_page(request):
            return problem
        text = msgspec.json.decode(problem.content, type=ErrorText)
        return _page(request.scope["path"], text, dict(problem.headers))

    return handle


def _wants_page(request: Request[Any, Any, Any]) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def _page(path: str, problem: ErrorText, headers: dict[str, str]) -> Template:
    title = TITLES.get(problem.status, FAULT)
    if path.startswith("/join/") and problem.status == 404:
        title = INVITATION
    match = NO_SUCH_PLY.fullmatch(problem.detail)
    said = "this match has {1} moves, and no move {2}".format(*match.groups()) if match else ""
    detail = said or problem.detail
    return page(
        "failure.html",
        f"{title} · Plybook",
        {
            "title": title,
            "detail": (detail[:1].upper() + detail[1:]).rstrip("."),
            "match": match[1] if match else "",
        },
        styles=("start.css",),
        status=problem.status,
        headers=headers | {"Cache-Control": "no-store", "Vary": "Accept, Cookie"},
    )
