"""The page of a match: its board, recorded upon by those who may, followed by everybody else."""

from __future__ import annotations

from html import escape
from typing import Final

from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery

from replay.access import capability_tokens
from replay.book import Book
from replay.errors import UnknownAddress
from replay.match_record import MatchRecord
from replay.reading import timeline
from service.http.access import TheBook, TheSettings, TheVisit, Visit
from service.http.caching import ASK_AGAIN, address_headers
from service.models.text_limits import REASON
from service.pages.frame import chips, frame, player_names, sentence
from service.pages.frame_data import at_head, may_act
from service.pages.layout import page
from service.pages.variations import aside

BODY: Final = """<main class="match wide" data-match="{match}" data-game="{game}"
 data-role="{role}" data-seat="{seat}" data-head="{head}" data-secret="{secret}"
 data-longest-reason="{longest_reason}">
<header class="who"><h1>{name}</h1><ol class="players" data-part="players">{players}</ol>
{aside}</header>
<p class="unseen" role="status" data-part="news"></p>
<section class="stage" data-part="stage" aria-label="The board">{frame}</section>
<section class="desk" data-part="desk" aria-label="Your move" tabindex="-1">{desk}</section>
<nav class="ways" aria-label="This match" data-part="ways">{ways}</nav>
</main>
"""
SECRETS: Final = ("match/secrets.js",)
"""What `record.js` imports only where a game has secret moves."""

SCRIPTLESS: Final = (
    "<noscript><p>To record moves here, allow this page its scripts."
    " Reading works without them.</p></noscript>"
)


@get("/m/{match:str}")
async def board_page(
    book: TheBook,
    settings: TheSettings,
    visit: TheVisit,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Response[str]:
    """Show the board of a match, at its head or at an address."""
    then = visit.at(version)
    here = then.ply(ply)
    recording = may_act(visit, then, here)
    secretly = SECRETS if recording and not then.game.lists_all else ()
    body = BODY.format(
        match=then.id,
        game=then.game.slug,
        role=visit.caller.role or "",
        seat=visit.caller.seat or "",
        head="yes" if at_head(visit, then, here) else "",
        secret="yes" if secretly else "",
        longest_reason=REASON.longest(settings),
        name=escape(then.game.name),
        players=chips(book, then),
        aside=aside(book, then),
        frame=frame(book, visit, then, here),
        desk=SCRIPTLESS if recording else _elsewhere(visit, then, here),
        ways=_ways(visit, then, here),
    )
    return page(
        _title(book, then),
        body,
        kind="at-table",
        styles=("board.css", "match.css"),
        scripts=(*secretly, "record.js" if recording else "follow.js"),
    )


@get("/m/{match:str}/frame")
async def board_frame(
    book: TheBook,
    visit: TheVisit,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    step: FromQuery[int | None] = None,
) -> Response[str]:
    """Answer the board at an address as a fragment of HTML, for a page that shows it already.

    Without a version and a ply it is the head, which moves on, as it does under who may enter
    something there.
    """
    then = visit.at(version)
    here = then.ply(ply)
    if step is not None and not 0 <= step < _steps(then, here):
        raise UnknownAddress(f"ply {here} has no step {step}")
    fixed = version is not None and ply is not None and not at_head(visit, then, here)
    lasting = fixed or (step is not None and version is not None and ply is not None)
    headers = address_headers(visit, then, here) if lasting else ASK_AGAIN
    fragment = frame(book, visit, then, here, step)
    return Response(fragment, media_type=MediaType.HTML, headers=headers)


def _steps(then: MatchRecord, ply: int) -> int:
    return len(timeline.point(then, ply).scene.frames)


def _title(book: Book, recorded: MatchRecord) -> str:
    who = " - ".join(player_names(book, recorded).players.values())
    return f"{recorded.game.name}: {sentence(who)}" if who else recorded.game.name


def _elsewhere(visit: Visit, then: MatchRecord, ply: int) -> str:
    """Say on a page that shows an address where the match stands."""
    if at_head(visit, then, ply):
        return ""
    return (
        f'<p class="notice">This is move {ply} of {len(visit.recorded.match.line)}.'
        f' <a href="/m/{then.id}">Go to where the match stands</a></p>'
    )


def _ways(visit: Visit, recorded: MatchRecord, ply: int) -> str:
    """Link to what else there is of the match."""
    invite = f'<a href="/m/{recorded.id}/invite">Invite</a>'
    return (
        f'<a href="/m/{recorded.id}/replay#{ply}">Look back</a>'
        f'<a href="/rules/{recorded.game.slug}">Rules</a>'
        f'<a href="/m/{recorded.id}/share">Share</a>'
        + (invite if visit.caller.role == capability_tokens.HOST else "")
    )


ROUTER: Final = Router("/", route_handlers=[board_page, board_frame], include_in_schema=False)
