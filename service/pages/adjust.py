"""Adjust the position: move things as they were moved on the table, say why, and save.

The page is stateless: what was moved since is in the address, and the board so far is a fragment
that follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Annotated, Final

from litestar import MediaType, Response, Router, get
from litestar.params import FromQuery, QueryParameter

from replay.access import capability_tokens
from replay.corrections import position_editor
from replay.corrections.position_editor import Mislaid, Shift
from replay.errors import Refused
from replay.match_record import MatchRecord
from service.http.access import TheBook, TheSettings, TheVisit, Visit
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.models.text_limits import REASON
from service.pages.frame import player_names, sentence
from service.pages.layout import page
from service.pages.position_editor import board_of, data

BODY: Final = """<main class="adjust wide" data-match="{match}" data-version="{version}">
<header><a class="back" href="/m/{match}" aria-label="Back to the match">Back</a>
<h1>Adjust the position</h1></header>
<p class="unseen" role="status" data-part="news"></p>
<section class="hand" data-part="hand" aria-label="Your hand"><div class="said">{how}</div>
<div class="row"><button type="button" class="button quiet" data-undo disabled>Undo</button>
<button type="button" class="button quiet" data-anew disabled>Start over</button></div></section>
<section class="stage" data-part="stage" aria-label="The board">{board}</section>
<form class="saving" data-part="saving">
<details class="written"{open}><summary>As text</summary>
<div class="field"><label for="position">The position, in one line</label>
<textarea id="position" name="position" rows="4" maxlength="{longest}" spellcheck="false"
 autocapitalize="off" autocomplete="off">{text}</textarea>
<span class="hint">For what cannot be tapped. How it is written:
<a href="/rules/{game}#positions">Positions</a></span></div>
<button type="button" class="button quiet" data-part="show">Show</button></details>
<div class="field"><label for="reason">Reason</label>
<input id="reason" name="reason" required maxlength="{most}" autocomplete="off"
 placeholder="What really happened" enterkeyhint="done"></div>
<p class="hint">The record shows for ever that the position was set by hand, and why.</p>
<p class="notice bad" role="alert" data-part="trouble" hidden></p>
<noscript><p class="notice">To adjust the position, allow this page its scripts.</p></noscript>
<button class="button large broad">Save</button></form>
<script type="application/json" class="facts">{facts}</script>
</main>
"""

REFUSED: Final = """<main class="failure"><h1>Not just now</h1><p>{why}</p>
<p class="row"><a class="button" href="/m/{match}">Back to the board</a></p></main>
"""

BY_HAND: Final = "Tap a piece, then tap where it stands on your table."
BY_TEXT: Final = "Write how it stands on your table, show it, and save."

STYLES: Final = ("board.css", "adjust.css")

LONGEST: Final = 2000
"""Characters of a position, as the API takes it."""

Base = Annotated[str | None, QueryParameter(max_length=LONGEST)]
Shifted = FromQuery[list[str] | None]


@get("/m/{match:str}/adjust")
async def adjust_page(
    book: TheBook,
    settings: TheSettings,
    visit: TheVisit,
    version: FromQuery[int | None] = None,
    shift: Shifted = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
) -> Response[str]:
    """Show the host the board to be rearranged. Raises `Problem` 403 for anybody else."""
    then = _then(visit, version)
    try:
        shown = position_editor.arrange(then, _shifts(shift), turn, base)
    except Refused as error:
        return _refused(then, error)
    names = player_names(book, then)
    facts = {
        "game": then.game.slug,
        "names": {str(seat): name for seat, name in names.players.items()},
    }
    body = BODY.format(
        match=then.id,
        version=then.match.version,
        how=BY_HAND if shown.locations else BY_TEXT,
        board=board_of(then, shown, names, turn),
        open="" if shown.locations else " open",
        longest=LONGEST,
        text=escape(shown.text),
        game=escape(then.game.slug),
        most=REASON.longest(settings),
        facts=data(facts),
    )
    return page("Adjust the position · Plybook", body, styles=STYLES, scripts=("adjust.js",))


@get("/m/{match:str}/adjust/board")
async def arranged_board(
    book: TheBook,
    visit: TheVisit,
    version: FromQuery[int | None] = None,
    shift: Shifted = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
) -> Response[str]:
    """Answer the board as it is shown so far. Raises `Problem` 409 for what cannot be."""
    then = _then(visit, version)
    try:
        shown = position_editor.arrange(then, _shifts(shift), turn, base)
    except Mislaid as error:
        raise Problem(409, error.reason, shift=error.number) from None
    except Refused as error:
        raise Problem(409, error.violation.message) from None
    board = board_of(then, shown, player_names(book, then), turn)
    return Response(board, media_type=MediaType.HTML, headers=ASK_AGAIN)


def _then(visit: Visit, version: int | None) -> MatchRecord:
    """Return the match that is adjusted, as it stood at a version. Raises `Problem` 403."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only who keeps the score of this match can adjust the position")
    return visit.at(version)


def _shifts(written: Sequence[str] | None) -> list[Shift]:
    """Read what was moved: `S,stash1,c3`. Raises `Problem` 400."""
    shifts = []
    for number, one in enumerate(written or (), 1):
        parts = one.split(",")
        if len(parts) != 3:
            wrong = (
                f"shift {number} is a thing, from where, to where, like S,stash1,c3, not {one!r}"
            )
            raise Problem(400, wrong, path="shift")
        shifts.append(Shift(*parts))
    return shifts


def _refused(then: MatchRecord, error: Refused) -> Response[str]:
    why = escape(sentence(error.violation.message))
    body = REFUSED.format(why=f"{why}.", match=then.id)
    return page("Not just now · Plybook", body, styles=("start.css",), status=409)


ROUTER: Final = Router("/", route_handlers=[adjust_page, arranged_board], include_in_schema=False)
