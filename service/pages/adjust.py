"""Adjust the position: move pieces as on the table, give a reason, and save.

The page is stateless: its address lists the moved pieces, and the board is a fragment built from
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from litestar import Router, get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template

from replay.access import capability_tokens
from replay.corrections import position_editor
from replay.corrections.position_editor import Mislaid, Shift
from replay.errors import Refused
from replay.match_record import MatchRecord
from service.http.access import TheBook, TheSettings, TheVisit, Visit
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.models.text_limits import REASON
from service.pages.layout import fragment, page
from service.pages.position_editor import arranged_board
from service.pages.words import player_names

STYLES: Final = ("board.css", "adjust.css")

LONGEST: Final = 2000
"""The length limit of a position, as in the API."""

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
) -> Template:
    """Show the host the board to rearrange. Raises `Problem` 403 for other callers."""
    then = _then(visit, version)
    try:
        shown = position_editor.arrange(then, _shifts(shift), turn, base)
    except Refused as error:
        return _refused(then, error)
    names = player_names(book, then)
    data = {
        "match": then.id,
        "version": then.match.version,
        "game": then.game,
        "board": arranged_board(then, shown, names, turn),
        "longest": LONGEST,
        "longest_reason": REASON.longest(settings),
        "facts": {"game": then.game.slug, "names": names.players},
    }
    title = "Adjust the position · Plybook"
    return page("adjust.html", title, data, styles=STYLES, scripts=("adjust.js",))


@get("/m/{match:str}/adjust/board")
async def show_board(
    book: TheBook,
    visit: TheVisit,
    version: FromQuery[int | None] = None,
    shift: Shifted = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
) -> Template:
    """Answer the board as arranged so far. Raises `Problem` 409 for an impossible position."""
    then = _then(visit, version)
    try:
        shown = position_editor.arrange(then, _shifts(shift), turn, base)
    except Mislaid as error:
        raise Problem(409, error.reason, shift=error.number) from None
    except Refused as error:
        raise Problem(409, error.violation.message) from None
    board = arranged_board(then, shown, player_names(book, then), turn)
    return fragment("arranged_board.html", {"board": board}, ASK_AGAIN)


def _then(visit: Visit, version: int | None) -> MatchRecord:
    """Return the match to adjust at a version. Raises `Problem` 403."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only who keeps the score of this match can adjust the position")
    return visit.at(version)


def _shifts(written: Sequence[str] | None) -> list[Shift]:
    """Parse the moved pieces: `S,stash1,c3`. Raises `Problem` 400."""
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


def _refused(then: MatchRecord, error: Refused) -> Template:
    data = {"why": error.violation.message, "match": then.id}
    return page("refused.html", "Not just now · Plybook", data, styles=("start.css",), status=409)


ROUTER: Final = Router("/", route_handlers=[adjust_page, show_board], include_in_schema=False)
