"""Adjust the position: move pieces as on the table, give a reason, and save.

The page is stateless: its address lists the moved pieces, and the board is a fragment built from
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from litestar import Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from msgspec import Struct

from domain.entry import tokens
from domain.events import broken_clause
from domain.names import worded
from domain.position import Violation
from replay import rules_text
from replay.access import capability_tokens
from replay.corrections import position_editor
from replay.corrections.position_editor import Arrangement, ImpossibleEdit, PieceMove
from replay.errors import Refused
from replay.record.match_record import MatchRecord
from service.http.access import TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.http.text_limits import REASON
from service.pages.layout import fragment, page
from service.pages.position_editor import arranged_board
from service.pages.words import player_names

STYLES: Final = ("board.css", "adjust.css")

LONGEST: Final = 2000
"""The length limit of a position, as in the API."""

Base = Annotated[str | None, QueryParameter(max_length=LONGEST)]


class StoodMove(Struct, frozen=True):
    """A move that stood: its token, its seat, and the clause that it breaks with its words."""

    token: str
    seat: int
    clause: str
    words: str | None


class Editing(Struct, frozen=True):
    """The match to adjust, and the changes in the address of the page."""

    then: MatchRecord
    shifts: Sequence[PieceMove]
    turn: int | None
    base: str | None
    stood: str | None

    def arrange(self) -> Arrangement:
        """Apply the changes. Raises as `position_editor.arrange` does."""
        return position_editor.arrange(self.then, self.shifts, self.turn, self.base)


TheEditing = NamedDependency[Editing]


def read_editing(
    visit: TheMatchAccess,
    version: FromQuery[int | None] = None,
    shift: FromQuery[list[str] | None] = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
    stood: Base = None,
) -> Editing:
    """Read the address of the page. Raises `Problem` 403 for other callers than the host."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only who keeps the score of this match can adjust the position")
    return Editing(visit.at(version), _shifts(shift), turn, base, stood)


@get("/m/{match:str}/adjust")
@reads_book
def adjust_page(book: TheBook, settings: TheSettings, editing: TheEditing) -> Template:
    """Show the host the board to rearrange. Raises `Problem` 403 for other callers."""
    then, names = editing.then, player_names(book, editing.then)
    move = editing.stood and _read_stood(then, editing.stood)
    if isinstance(move, Violation):
        return _refused(then, move.words(names))
    try:
        shown = editing.arrange()
    except Refused as error:
        return _refused(then, error.violation.words(names))
    data = {
        "match": then.id,
        "version": then.match.version,
        "game": then.game,
        "names": names,
        "board": arranged_board(then, shown, names, editing.turn),
        "longest": LONGEST,
        "longest_reason": REASON.longest(settings),
        "facts": {"game": then.game.slug},
        "stood": move,
        "title": "We played it anyway" if move else "Adjust the position",
    }
    title = f"{data['title']} · Plybook"
    return page("adjust.html", title, data, styles=STYLES, scripts=("adjust.js",))


@get("/m/{match:str}/adjust/board")
@reads_book
def show_board(book: TheBook, editing: TheEditing) -> Template:
    """Answer the board as arranged so far. Raises `Problem` 409 for an impossible position."""
    names = player_names(book, editing.then)
    try:
        shown = editing.arrange()
    except ImpossibleEdit as error:
        raise Problem(409, worded(error.reason, names), shift=error.number) from None
    except Refused as error:
        raise Problem(409, error.violation.words(names)) from None
    board = arranged_board(editing.then, shown, names, editing.turn)
    return fragment("arranged_board.html", {"board": board}, ASK_AGAIN)


def _shifts(written: Sequence[str] | None) -> list[PieceMove]:
    """Parse the moved pieces: `S,stash1,c3`. Raises `Problem` 400."""
    shifts = []
    for number, one in enumerate(written or (), 1):
        parts = one.split(",")
        if len(parts) != 3:
            wrong = (
                f"shift {number} is a thing, from where, to where, like S,stash1,c3, not {one!r}"
            )
            raise Problem(400, wrong, path="shift")
        shifts.append(PieceMove(*parts))
    return shifts


def _read_stood(then: MatchRecord, token: str) -> StoodMove | Violation:
    """Return a move that stood, or why it cannot be recorded as one."""
    said = tokens.split(token)
    seat = said.seat or then.state.in_turn or 0
    clause = broken_clause(then.state, seat, said.body)
    if isinstance(clause, Violation):
        return clause
    return StoodMove(said.body, seat, clause, rules_text.words(then.game, clause))


def _refused(then: MatchRecord, why: str) -> Template:
    data = {"why": why, "match": then.id}
    return page("refused.html", "Not just now · Plybook", data, styles=("start.css",), status=409)


ROUTER: Final = Router(
    "/",
    route_handlers=[adjust_page, show_board],
    dependencies={"editing": Provide(read_editing, sync_to_thread=False)},
    include_in_schema=False,
)
