"""A match outside Plybook's pages: within another site, and on a large screen.

It is the only page that other sites may frame. It takes no token, so it shows
the view of spectators, and no private match.
"""

from __future__ import annotations

from typing import Final

from litestar import Router, get
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.record.match_record import MatchRecord
from service.http.access import AnyRequest, Caller, MatchAccess, TheBook, TheMatchAccess, open_match
from service.http.addresses import absolute, prefix
from service.http.book_reads import read_book, reads_book
from service.http.problems import Problem
from service.pages.cards import is_private
from service.pages.frame import frame
from service.pages.layout import ENVIRONMENT, page
from service.pages.replay import title

POLICY: Final = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

EMBED_WIDTH: Final = 560
EMBED_HEIGHT: Final = 720
"""The usual size of the frame, in pixels."""


class Steps(Struct, frozen=True):
    """The addresses of the steps along the line; empty at its ends."""

    first: str
    previous: str
    next: str
    last: str


@get("/m/{match:str}/embed")
async def embed_page(
    request: AnyRequest, book: TheBook, match: FromPath[str], ply: FromQuery[int | None] = None
) -> Template:
    """Show a match at its head or at a ply. Raises `Problem` 401 for a private match."""
    record = await open_match(request, match)
    return await read_book(book, lambda: _page(book, record, ply))


def _page(book: Book, record: MatchRecord, ply: int | None) -> Template:
    if is_private(book, record):
        raise Problem(401, "this match is private: it needs an invitation", "private-match")
    here, last = record.ply(ply), record.ply()
    data = {
        "match": record.id,
        "game": record.game,
        "live": here == last,
        "frame": frame(book, MatchAccess(record, Caller()), record, here),
        "last": last,
        "steps": _steps(record.id, here, last),
    }
    return page(
        "embed.html",
        title(book, record),
        data,
        kind="embedded",
        styles=("board.css", "embed.css"),
        scripts=("embed.js",) if here == last else (),
        headers={"Content-Security-Policy": POLICY},
    )


def _steps(match: str, here: int, last: int) -> Steps:
    there = f"{prefix()}/m/{match}/embed"
    back, on = here > 0, here < last
    return Steps(
        f"{there}?ply=0" if back else "",
        f"{there}?ply={here - 1}" if back else "",
        f"{there}?ply={here + 1}" if on else "",
        there if on else "",
    )


def embed_code(
    request: AnyRequest, match: str, title: str, ply: int | None, size: tuple[int, int]
) -> str:
    """Return the HTML with which another site embeds a match."""
    at = "" if ply is None else f"?ply={ply}"
    width, height = size
    data = {
        "source": absolute(request, f"/m/{match}/embed{at}"),
        "title": title,
        "width": width,
        "height": height,
    }
    return ENVIRONMENT.get_template("embed_code.html").render(data).strip()


@get("/m/{match:str}/tv")
@reads_book
def tv_page(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Template:
    """Show the head of a match on a large screen; the page follows it and enters nothing."""
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


ROUTER: Final = Router("/", route_handlers=[embed_page, tv_page], include_in_schema=False)
