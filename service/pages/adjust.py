"""Adjust the position by moving pieces as on the table.

The page is stateless: its address lists the moved pieces, and the board is a fragment built from
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from msgspec import Struct

from domain.editor import Location
from domain.entry import move_text
from domain.events import broken_clause
from domain.names import Names, worded
from domain.position import Violation
from domain.scene import Scene
from replay import rules_text
from replay.access import capability_tokens
from replay.corrections import adjustments
from replay.corrections.adjustments import Arrangement, ImpossibleEdit, PieceMove
from replay.errors import Refused
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing_briefly
from replay.tags.names import player_names
from service.http.access import TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.http.text_limits import REASON
from service.pages.layout import fragment, page
from service.pages.words import FormAnswer, sentence


class ArrangedBoard(Struct, frozen=True):
    """The data of `arranged_board.html`.

    `verdict` names the seat to move, or gives the reason why the position is invalid; `turns` are
    the possible seats in turn, `turn` the chosen one; `things` names the pieces by place.
    """

    text: str
    fits: bool
    differs: bool
    verdict: str
    title: str
    scene: Scene
    names: Names
    locations: Sequence[Location]
    turns: Sequence[FormAnswer]
    turn: int | None
    things: dict[str, Any]


def arranged_board(
    then: MatchRecord, shown: Arrangement, names: Names, turn: int | None
) -> ArrangedBoard:
    """Return the board as arranged so far."""
    return ArrangedBoard(
        text=shown.text,
        fits=shown.state is not None,
        differs=shown.differs,
        verdict=f"{sentence(_words(shown, names)).rstrip('.')}.",
        title=f"{then.game.name} board",
        scene=shown.scene,
        names=names,
        locations=shown.locations,
        turns=_turns(shown, names),
        turn=turn,
        things=_things(shown.locations, names),
    )


def _words(shown: Arrangement, names: Names) -> str:
    """Name the seat to move then, or the reason why the position is invalid."""
    if shown.state is None:
        return shown.fault.words(names) if shown.fault else ""
    words = describe_standing_briefly(shown.state, names)
    return f"this ends the match: {words}" if shown.state.outcome else words


def _turns(shown: Arrangement, names: Names) -> list[FormAnswer]:
    """Return the seats that can be in turn, if the turn can be set by hand."""
    if not shown.turns:
        return []
    return [FormAnswer("", "As it was"), *(FormAnswer(seat, names[seat]) for seat in shown.turns)]


def _things(spots: Sequence[Location], names: Names) -> dict[str, Any]:
    return {
        spot.at: {
            "words": spot.words(names),
            "things": [{"what": each.what, "words": each.words(names)} for each in spot.things],
        }
        for spot in spots
    }


LONGEST: Final = 2000
"""The length limit of a position, as in the API."""

Base = Annotated[str | None, QueryParameter(max_length=LONGEST)]


class StoodMove(Struct, frozen=True):
    """An illegal move that the players accepted: its text, its seat, and the clause it breaks."""

    text: str
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
        """Apply the changes that the page has made to the board.

        Raises as `position_editor.arrange` does.
        """
        return adjustments.arrange(self.then, self.shifts, self.turn, self.base)


TheEditing = NamedDependency[Editing]


def read_editing(
    visit: TheMatchAccess,
    version: FromQuery[int | None] = None,
    shift: FromQuery[list[str] | None] = None,
    turn: FromQuery[int | None] = None,
    base: Base = None,
    stood: Base = None,
) -> Editing:
    """Read the address of the page. Raises `Problem` 403 for callers other than the host."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only the scorekeeper of this match can adjust the position")
    return Editing(visit.at(version), _shifts(shift), turn, base, stood)


@get("/m/{match:str}/adjust", guards=[ANYBODY])
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
    return page("adjust.html", title, data)


@get("/m/{match:str}/adjust/board", guards=[ANYBODY])
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


def _read_stood(then: MatchRecord, text: str) -> StoodMove | Violation:
    """Return the accepted illegal move, or the reason why it cannot be recorded."""
    said = move_text.split(text)
    seat = said.seat or then.state.in_turn or 0
    clause = broken_clause(then.state, seat, said.body)
    if isinstance(clause, Violation):
        return clause
    return StoodMove(said.body, seat, clause, rules_text.words(then.game, clause))


def _refused(then: MatchRecord, why: str) -> Template:
    data = {"why": why, "match": then.id}
    return page("refused.html", "Not just now · Plybook", data, status=409)
