"""The page of a match: callers who may write record on its board, others follow it."""

from __future__ import annotations

from typing import Final

from litestar import Router, get
from litestar.params import FromQuery
from litestar.response import Template

from replay.access import capability_tokens
from replay.book import Book
from replay.errors import UnknownAddress
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from service.http.access import AnyRequest, TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN, address_headers
from service.http.text_limits import REASON
from service.pages.frame import frame
from service.pages.frame_data import at_head, may_act
from service.pages.layout import fragment, page
from service.pages.link_preview import link_preview
from service.pages.quiet import quiet_page
from service.pages.variations import variation_note
from service.pages.words import player_names, sentence

SECRETS: Final = ("match/secrets.js",)
"""Modules that `record.js` imports only if a game has secret moves."""

PADS: Final = ("match/pads.js",)
"""Modules that a page with secret moves needs at once if it is a player's own."""

DICE: Final = ("match/dice.js",)
"""Modules that `record.js` imports only if a game has dice."""


@get("/m/{match:str}")
@reads_book
def board_page(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Template:
    """Show the board of a match, at its head or at an address."""
    then = visit.at(version)
    here = then.ply(ply)
    if then.state.quiet and at_head(visit, then, here):
        return quiet_page(book, visit, _title(book, then))
    recording = may_act(visit, then, here)
    secretly = SECRETS if recording and not then.game.lists_all else ()
    own = PADS if secretly and visit.caller.seat else ()
    rolling = DICE if recording and then.game.dice_count else ()
    shown, title = frame(book, visit, then, here), _title(book, then)
    data = {
        "match": then.id,
        "game": then.game,
        "role": visit.caller.role or "",
        "seat": visit.caller.seat or "",
        "at_head": at_head(visit, then, here),
        "secret": bool(secretly),
        "recording": recording,
        "longest_reason": REASON.longest(settings),
        "variation": variation_note(book, then),
        "frame": shown,
        "turned": visit.caller.seat in shown.strip.far,
        "preview": link_preview(request, book, visit, shown, title),
        "moves": len(visit.record.match.line),
        "may_invite": visit.caller.role == capability_tokens.HOST,
    }
    return page(
        "match.html",
        title,
        data,
        kind="at-table",
        styles=("board.css", "match.css"),
        scripts=(*secretly, *own, *rolling, "record.js" if recording else "follow.js"),
    )


@get("/m/{match:str}/frame")
@reads_book
def board_frame(
    book: TheBook,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    step: FromQuery[int | None] = None,
) -> Template:
    """Answer the board at an address as an HTML fragment, for a page that shows it already.

    Without a version and a ply it shows the head and is updated with it.
    """
    then = visit.at(version)
    here = then.ply(ply)
    if step is not None and not 0 <= step < _steps(then, here):
        raise UnknownAddress(f"ply {here} has no step {step}")
    fixed = version is not None and ply is not None and not at_head(visit, then, here)
    lasting = fixed or (step is not None and version is not None and ply is not None)
    headers = address_headers(visit, then, here) if lasting else ASK_AGAIN
    return fragment("frame.html", {"frame": frame(book, visit, then, here, step)}, headers)


def _steps(then: MatchRecord, ply: int) -> int:
    return len(timeline.point(then, ply).scene.frames)


def _title(book: Book, record: MatchRecord) -> str:
    who = " - ".join(player_names(book, record).players.values())
    return f"{record.game.name}: {sentence(who)}" if who else record.game.name


ROUTER: Final = Router("/", route_handlers=[board_page, board_frame], include_in_schema=False)
