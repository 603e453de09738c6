"""A recorded match to be read: board, player, moves and comments, variations, the whole log."""

from __future__ import annotations

import asyncio
from html import escape
from typing import Final

from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery
from msgspec.structs import replace

from domain.events import outcome_words
from domain.position import Outcome
from replay.book import Book
from replay.corrections import amendments
from replay.formats.html.player_page import CONTROLS, KEYS
from replay.match_record import MatchRecord
from service.http.access import AnyRequest, TheBook, TheSettings, TheVisit, Visit
from service.http.caching import ASK_AGAIN
from service.models.text_limits import COMMENT, NAME
from service.pages.frame import chips, frame, player_names, sentence
from service.pages.history import history, way_back
from service.pages.layout import page
from service.pages.move_list import move_list
from service.pages.move_tools import tools
from service.pages.variations import aside, variations

BODY: Final = """<main class="player reading wide" data-match="{match}" data-game="{game}"
 data-opened="{opened}" data-version="{version}" data-stands="{stands}" data-role="{role}"
 data-longest-name="{longest_name}" data-longest-comment="{longest_comment}">
<header class="who"><h1>{name}</h1><ol class="players">{players}</ol>{result}{aside}{then}</header>
<section class="stage" data-player="board" aria-label="The board">{frame}</section>
{controls}
<section class="caption" data-player="caption" aria-live="polite" aria-label="What happened">\
</section>
<section class="desk" data-part="desk" aria-label="About this move">{tools}</section>
<section class="moves" aria-labelledby="moves"><h2 id="moves">Moves</h2>
<label class="folded" hidden><input type="checkbox" data-part="times"> Times</label>
<div class="list" data-player="list" tabindex="0" role="group" aria-label="All moves">\
<ol>{moves}</ol></div></section>
<p class="fresh" role="status" data-part="fresh"></p>
<div class="more">{tree}{log}<nav class="ways" aria-label="This match">{ways}</nav>{keys}</div>
</main>
"""


@get("/m/{match:str}/replay")
async def replay_page(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    visit: TheVisit,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    amend: FromQuery[int | None] = None,
    all: FromQuery[bool] = False,  # noqa: A002  # the name in the address
) -> Response[str]:
    """Show a match to be read, as it stands or stood, opened at a ply; `all` shows its log.

    `amend` is the ply of an event that was written down wrongly.
    """
    then = visit.at(version)
    here = then.ply(ply if amend is None else amend)
    stands = then.match.version == visit.recorded.match.version
    listed = await asyncio.to_thread(lambda: move_list(book, then, stands=stands))
    body = BODY.format(
        match=then.id,
        game=then.game.slug,
        opened=here,
        version=then.match.version,
        stands="yes" if stands else "",
        role=visit.caller.role or "",
        longest_name=NAME.longest(settings),
        longest_comment=COMMENT.longest(settings),
        name=escape(then.game.name),
        players=chips(book, then),
        result=_result(book, then),
        aside=aside(book, then),
        then="" if stands else way_back(visit, then, player_names(book, then)),
        frame=frame(book, visit, then, here),
        controls=CONTROLS,
        tools=tools(visit) if stands else "",
        moves=listed,
        tree=variations(request, book, settings, visit) if stands else "",
        log=history(book, visit, open_=all),
        ways=_ways(then, here),
        keys=KEYS,
    )
    return page(
        title(book, then),
        body,
        kind="reading",
        styles=("board.css", "replay.css"),
        scripts=("replay.js",),
    )


@get("/m/{match:str}/replay/moves")
async def replay_moves(
    book: TheBook, visit: TheVisit, version: FromQuery[int | None] = None
) -> Response[str]:
    """Answer the list of moves alone, for a page that has it open while things change."""
    then = visit.at(version)
    stands = then.match.version == visit.recorded.match.version
    listed = await asyncio.to_thread(lambda: move_list(book, then, stands=stands))
    return Response(listed, media_type=MediaType.HTML, headers=ASK_AGAIN)


@get("/m/{match:str}/entry")
async def entry(
    book: TheBook, visit: TheVisit, ply: FromQuery[int], then: FromQuery[str] = ""
) -> Response[str]:
    """Answer the board after a ply to the host as if it were the head: with what can be entered.

    `then` are tokens, with spaces between them, that were entered there already.
    """
    visit.host("amend")
    before, written = _until(visit.recorded, ply), then.split()
    if written:
        before = await asyncio.to_thread(
            lambda: amendments.preview(book, visit.recorded, ply + 1, *written)
        )
    fragment = frame(book, Visit(before, visit.caller), before, ply + len(written))
    return Response(fragment, media_type=MediaType.HTML, headers=ASK_AGAIN)


def _until(recorded: MatchRecord, ply: int) -> MatchRecord:
    line = recorded.match.line[: recorded.ply(ply)]
    return replace(recorded, match=replace(recorded.match, line=line))


def title(book: Book, recorded: MatchRecord) -> str:
    """Name a match by its game, its players and how it ended."""
    players = " – ".join(player_names(book, recorded).players.values())
    return ": ".join(filter(None, (recorded.game.name, players))) + _ended(recorded.state.outcome)


def _ended(outcome: Outcome | None) -> str:
    return "" if outcome is None else " (ended)"


def _result(book: Book, then: MatchRecord) -> str:
    """Say how a match ended; nothing while it goes on."""
    if then.state.outcome is None:
        return ""
    said = sentence(outcome_words(then.state.outcome, player_names(book, then)))
    return f'<p class="result">{escape(said)}</p>'


def _ways(recorded: MatchRecord, ply: int) -> str:
    match = recorded.id
    return (
        f'<a href="/m/{match}">At the table</a><a href="/m/{match}/share">Share, save, print</a>'
        f'<a href="/rules/{recorded.game.slug}">Rules</a>'
    )


ROUTER: Final = Router(
    "/", route_handlers=[replay_page, replay_moves, entry], include_in_schema=False
)
