"""A match outside Plybook's pages: within another site, and on a large screen.

It is the only page that other sites may frame. It takes no token, so it shows
the view of spectators, and no private match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Annotated, Final
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Template

from replay.access import visibility
from replay.book import Book
from replay.errors import UnknownMatch
from replay.record.match_record import MatchRecord
from service.http.access import (
    AnyRequest,
    Caller,
    MatchAccess,
    TheBook,
    TheMatchAccess,
    find_match,
    open_match,
    visit_of,
)
from service.http.addresses import absolute, prefix
from service.http.book_reads import read_book, reads_book
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.pages.frame import frame
from service.pages.layout import ENVIRONMENT, page
from service.pages.replay import title
from service.pages.words import table_words

POLICY: Final = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

EMBED_WIDTH: Final = 560
EMBED_HEIGHT: Final = 720
"""The usual size of the frame, in pixels."""


@get("/m/{match:str}/embed", guards=[ANYBODY])
async def embed_page(
    request: AnyRequest, book: TheBook, match: FromPath[str], ply: FromQuery[int | None] = None
) -> Template:
    """Show a match at its head or at a ply. Raises `Problem` 401 for a private match."""
    record = await open_match(request, match)
    return await read_book(book, lambda: _page(book, record, ply))


def _page(book: Book, record: MatchRecord, ply: int | None) -> Template:
    if visibility.is_private(book, record):
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
        "embed.html", title(book, record), data, headers={"Content-Security-Policy": POLICY}
    )


def _steps(match: str, here: int, last: int) -> dict[str, str]:
    """Return the addresses of the steps along the line; empty at its ends."""
    there = f"{prefix()}/m/{match}/embed"
    back, on = here > 0, here < last
    return {
        "first": f"{there}?ply=0" if back else "",
        "previous": f"{there}?ply={here - 1}" if back else "",
        "next": f"{there}?ply={here + 1}" if on else "",
        "last": there if on else "",
    }


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


MAX_BOARDS: Final = 12
"""The most other boards with which a screen takes turns."""

Others = Annotated[
    list[str] | None, QueryParameter(name="with", description="The ids of the other matches.")
]
OfEvening = Annotated[
    str | None, QueryParameter(pattern="^[0-9a-z]{12}$", description="The id of an evening.")
]
Seconds = Annotated[int, QueryParameter(ge=10, le=3600, description="How long each is shown.")]


@get("/m/{match:str}/tv")
@reads_book
def tv_page(
    request: AnyRequest,
    book: TheBook,
    visit: TheMatchAccess,
    others: Others = None,
    seconds: Seconds = 20,
    evening: OfEvening = None,
) -> Template:
    """Show the head of a match on a large screen; the page follows it and enters nothing.

    With other matches, or with the open tables of an evening, the screen shows each in turn. A
    rematch keeps the turns.
    """
    record = visit.record
    openable = [] if evening else _openable(request, book, record.id, others or ())
    kept = {"evening": evening} if evening else {"with": openable}
    turns = urlencode({**kept, "seconds": seconds}, doseq=True) if evening or openable else ""
    following = _following(record.id, openable, seconds)
    if evening:
        following = f"/evenings/{evening}/tv?after={record.id}&seconds={seconds}"
    looking = MatchAccess(record, Caller())
    is_open = not visibility.is_private(book, record)
    data = {
        "match": record.id,
        "game": record.game,
        "frame": frame(book, looking, record, record.ply()),
        "turns": turns,
        "following": following,
        "where": table_words(book.facts(record)),
        "seconds": seconds,
        "link": absolute(request, f"/m/{record.id}") if is_open else "",
    }
    return page("tv.html", title(book, record), data)


def _openable(request: AnyRequest, book: Book, match: str, others: Iterable[str]) -> list[str]:
    """Return the other matches that the caller may open, each once."""
    found = []
    for other in [*dict.fromkeys(others)][:MAX_BOARDS]:
        with suppress(Problem, UnknownMatch):
            found += [visit_of(request, book, find_match(book, other)).record.id]
    return [each for each in found if each != match]


def _following(match: str, others: Sequence[str], seconds: int) -> str:
    """Return the address of the board to show after this one; empty if there is only one board."""
    if not others:
        return ""
    first, *rest = others
    query = urlencode({"with": [*rest, match], "seconds": seconds}, doseq=True)
    return f"/m/{first}/tv?{query}"
