"""A match on a large screen across the room: the board, the names, the score, the last move."""

from __future__ import annotations

from typing import Final

from litestar import Router, get
from litestar.response import Template

from replay.access import visibility
from service.http.access import AnyRequest, Caller, MatchAccess, TheBook, TheMatchAccess
from service.http.addresses import absolute
from service.http.book_reads import reads_book
from service.pages.frame import frame
from service.pages.layout import page
from service.pages.replay import title


@get("/m/{match:str}/tv")
@reads_book
def tv_page(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Template:
    """Show the head of a match to a room; the page follows it and enters nothing."""
    record = visit.record
    looking = MatchAccess(record, Caller())
    is_open = visibility.visibility_of(book, record) != visibility.PRIVATE
    data = {
        "match": record.id,
        "game": record.game,
        "frame": frame(book, looking, record, record.ply()),
        "link": absolute(request, f"/m/{record.id}") if is_open else "",
    }
    return page(
        "tv.html",
        title(book, record),
        data,
        kind="on-tv",
        styles=("board.css", "tv.css"),
        scripts=("tv.js",),
    )


ROUTER: Final = Router("/", route_handlers=[tv_page], include_in_schema=False)
