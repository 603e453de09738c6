"""Moves that a page enters: the answer is the board after them, so that one answer is enough."""

from __future__ import annotations

from typing import Final

from litestar import Router, post
from litestar.params import FromPath
from litestar.response import Template

from service.api.events import enter
from service.http.access import AnyRequest, MatchAccess, TheBook
from service.http.book_reads import read_book
from service.http.caching import NO_STORE
from service.pages.frame import frame_since
from service.pages.layout import fragment


@post("/m/{match:str}/events", status_code=200)
async def enter_on_board(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Template:
    """Enter events as `POST /matches/{match}/events` does, and answer the board after them.

    The page shows the version that it expects, so places that are as before are left out.
    """
    visit, asked, after = await enter(request, match)
    now = MatchAccess(after, visit.caller)
    shown = await read_book(book, lambda: frame_since(book, now, after, asked.expected))
    return fragment("frame.html", {"frame": shown}, NO_STORE)


ROUTER: Final = Router("/", route_handlers=[enter_on_board], include_in_schema=False)
