"""The replay page: board, player, moves and comments, variations, and the whole log."""

from __future__ import annotations

from typing import Final

from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery
from litestar.response import Template

from domain.events import outcome_words
from domain.position import Outcome
from replay.book import Book
from replay.corrections import amendments
from replay.reading.unspoiled import shorten
from replay.record.match_record import MatchRecord
from service.http.access import AnyRequest, MatchAccess, TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import in_thread
from service.http.caching import ASK_AGAIN
from service.http.text_limits import COMMENT, NAME
from service.pages.frame import frame
from service.pages.history import history, past
from service.pages.layout import fragment, page
from service.pages.link_preview import link_preview
from service.pages.move_list import render_moves
from service.pages.move_tools import offered_glyphs, tools
from service.pages.variations import shown_family, variation_note
from service.pages.words import player_names


@get("/m/{match:str}/replay")
@in_thread
def replay_page(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    amend: FromQuery[int | None] = None,
    all: FromQuery[bool] = False,  # noqa: A002  # the name of the query parameter
) -> Template:
    """Show a match at a ply, as it stands or stood; `all` shows its whole log.

    `amend` is the ply of an event to correct.
    """
    then = visit.at(version)
    here = then.ply(ply if amend is None else amend)
    stands = then.match.version == visit.record.match.version
    names = player_names(book, then)
    moves = render_moves(book, then, stands=stands)
    offered = tools(visit) if stands else None
    shown, name = frame(book, visit, then, here), title(book, then)
    data = {
        "match": then.id,
        "game": then.game,
        "version": then.match.version,
        "stands": stands,
        "role": visit.caller.role or "",
        "longest_name": NAME.longest(settings),
        "longest_comment": COMMENT.longest(settings),
        "result": outcome_words(then.state.outcome, names) if then.state.outcome else "",
        "variation": variation_note(book, then),
        "past": None if stands else past(visit, then, names),
        "frame": shown,
        "preview": link_preview(request, book, visit, shown, name),
        "tools": offered,
        "glyphs": offered_glyphs(names) if offered and visit.caller.may_write else (),
        "moves": moves,
        "family": shown_family(request, book, settings, visit) if stands else (),
        "log": history(visit, player_names(book, visit.record)) if all else None,
    }
    return page(
        "replay.html",
        name,
        data,
        kind="reading",
        styles=("board.css", "moves.css", "replay.css"),
        scripts=("replay.js",),
    )


@get("/m/{match:str}/replay/moves")
@in_thread
def replay_moves(
    book: TheBook, visit: TheMatchAccess, version: FromQuery[int | None] = None
) -> Response[str]:
    """Answer only the list of moves, for an open page whose match has changed."""
    then = visit.at(version)
    stands = then.match.version == visit.record.match.version
    moves = render_moves(book, then, stands=stands)
    return Response(moves, media_type=MediaType.HTML, headers=ASK_AGAIN)


@get("/m/{match:str}/entry")
@in_thread
def entry_frame(
    book: TheBook, visit: TheMatchAccess, ply: FromQuery[int], then: FromQuery[str] = ""
) -> Template:
    """Answer the board after a ply to the host as if it were the head, with its legal moves.

    `then` are tokens, separated by spaces, that were already entered there.
    """
    visit.host("amend")
    before, written = shorten(visit.record, ply), then.split()
    if written:
        before = amendments.preview(book, visit.record, ply + 1, *written)
    shown = frame(book, MatchAccess(before, visit.caller), before, ply + len(written))
    return fragment("frame.html", {"frame": shown}, ASK_AGAIN)


def title(book: Book, record: MatchRecord) -> str:
    """Name a match by its game, its players and its outcome."""
    players = " – ".join(player_names(book, record).players.values())
    return ": ".join(filter(None, (record.game.name, players))) + _ended(record.state.outcome)


def _ended(outcome: Outcome | None) -> str:
    return "" if outcome is None else " (ended)"


ROUTER: Final = Router(
    "/", route_handlers=[replay_page, replay_moves, entry_frame], include_in_schema=False
)
