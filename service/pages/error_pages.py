"""Errors for people: a browser that asks for a page is told what is wrong on one."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from msgspec import Struct

from service.pages.layout import page

E = TypeVar("E", bound=Exception)
Handler = Callable[[Request[Any, Any, Any], E], Response[bytes]]

BODY: Final = """<main class="failure"><h1>{title}</h1><p>{detail}.</p>
<p class="row">{way}<a class="button{quiet}" href="/">To the first page</a>
<a class="button quiet" href="/library">Library</a></p></main>
"""

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
TO_THE_MATCH: Final = '<a class="button" href="/m/{match}">To the match</a>'
FAULT: Final = "Something went wrong"


class ErrorText(Struct):
    """What a page tells of a problem."""

    status: int
    detail: str


def for_people(handler: Handler[E]) -> Callable[[Request[Any, Any, Any], E], Response[Any]]:
    """Return a handler that answers programs as this one does, and browsers with a page."""

    def handle(request: Request[Any, Any, Any], error: E) -> Response[Any]:
        problem = handler(request, error)
        if not _wants_page(request):
            return problem
        told = msgspec.json.decode(problem.content, type=ErrorText)
        return _page(request.url.path, told, dict(problem.headers))

    return handle


def _wants_page(request: Request[Any, Any, Any]) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def _page(path: str, told: ErrorText, headers: dict[str, str]) -> Response[str]:
    title = TITLES.get(told.status, FAULT)
    if path.startswith("/join/") and told.status == 404:
        title = INVITATION
    match = NO_SUCH_PLY.fullmatch(told.detail)
    said = "this match has {1} moves, and no move {2}".format(*match.groups()) if match else ""
    detail = said or told.detail
    body = BODY.format(
        title=escape(title),
        detail=escape((detail[:1].upper() + detail[1:]).rstrip(".")),
        way=TO_THE_MATCH.format(match=match[1]) if match else "",
        quiet=" quiet" if match else "",
    )
    kept = headers | {"Cache-Control": "no-store", "Vary": "Accept, Cookie"}
    return page(f"{title} · Plybook", body, styles=("start.css",), status=told.status, headers=kept)
