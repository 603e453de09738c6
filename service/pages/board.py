"""The page of a match: its board, recorded upon by those who may, followed by everybody else."""

from __future__ import annotations

from html import escape
from typing import Final

from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery

from replay import timeline
from replay.book import Book
from replay.errors import UnknownAddress
from replay.html.moves import chip
from replay.recorded import Recorded
from service.access import TheBook, TheVisit, Visit
from service.answering import ASK_AGAIN, seats
from service.layout import page
from service.matches import at, cached
from service.pages.frame import frame, may_act, named

BODY: Final = """<main class="match" data-match="{match}" data-game="{game}"
 data-version="{version}" data-ply="{ply}" data-role="{role}">
<header class="head"><h1>{name}</h1><ol class="players">{players}</ol></header>
<section class="stage" data-part="stage">{frame}</section>
<section class="desk" data-part="desk" aria-label="Your move"></section>
<nav class="ways" aria-label="This match">{ways}</nav>
</main>
"""


@get("/m/{match:str}")
async def board_page(
    book: TheBook,
    visit: TheVisit,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Response[str]:
    """Show the board of a match, at its head or at an address."""
    then = at(visit, version)
    here = then.ply(ply)
    body = BODY.format(
        match=then.id,
        game=then.game.slug,
        version=then.match.version,
        ply=here,
        role=visit.caller.role or "",
        name=escape(then.game.name),
        players=_players(book, then),
        frame=frame(book, visit, then, here),
        ways=_ways(then, here),
    )
    title = f"{then.game.name}, ply {here}"
    scripts = ("record.js",) if may_act(visit, then, here) else ("follow.js",)
    return page(title, body, kind="at-table", styles=("board.css", "match.css"), scripts=scripts)


@get("/m/{match:str}/frame")
async def board_frame(
    book: TheBook,
    visit: TheVisit,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    step: FromQuery[int | None] = None,
) -> Response[str]:
    """Answer the board at an address as a fragment of HTML, for a page that shows it already."""
    then = at(visit, version)
    here = then.ply(ply)
    if step is not None and not 0 <= step < _steps(then, here, visit):
        raise UnknownAddress(f"ply {here} has no step {step}")
    # At the head the frame holds what can be entered, and the head moves on.
    headers = ASK_AGAIN if may_act(visit, then, here) else cached(visit, then, here)
    fragment = frame(book, visit, then, here, step)
    return Response(fragment, media_type=MediaType.HTML, headers=headers)


def _steps(then: Recorded, ply: int, visit: Visit) -> int:
    return len(timeline.point(then, ply, visit.viewer).scene.frames)


def _players(book: Book, recorded: Recorded) -> str:
    names = named(book, recorded)
    return "".join(
        f'<li data-seat="{seat}">{chip(seat)} {escape(names.get(seat, f"Seat {seat}"))}</li>'
        for seat in seats(recorded)
    )


def _ways(recorded: Recorded, ply: int) -> str:
    """Link to what else there is of the match."""
    return (
        f'<a href="/m/{recorded.id}/replay#{ply}">Look back</a>'
        f'<a href="/rules/{recorded.game.slug}">Rules</a>'
    )


ROUTER: Final = Router("/", route_handlers=[board_page, board_frame], include_in_schema=False)
