"""The page of an unjudged match: moves are tapped on an empty board, or written.

The page does not depend on whether a move is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from litestar.response import Template
from msgspec import Struct
from msgspec.structs import replace

from domain.entry.movers import movers
from domain.game import Game
from domain.names import Names
from domain.notation import Label, Part
from domain.position import Move
from domain.scene import Cell, Grid, Pile, Scene
from replay.access import capability_tokens
from replay.book import Book
from replay.formats.reconstructing import FOUND
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.referee.scoresheet_pairs import may_go_on, scoresheet_state
from replay.referee.unjudged import OpenDash, find_dash, first_broken
from replay.tags.match_tags import tags_of
from replay.tags.names import player_names, seats
from service.http.access import MatchAccess
from service.pages.layout import page


class TakenDown(Struct, frozen=True):
    """An event of the list: its ply, the seat and name of its player, its text and effects.

    The seat is `supposed` if the record does not name it.
    """

    ply: int
    seat: int
    supposed: bool
    who: str
    text: str
    words: str


class TextPart(Struct, frozen=True):
    """A part of a move text with the literals around it; without `choices` a place."""

    before: str
    after: str
    choices: tuple[Label, ...]


class Kind(Struct, frozen=True):
    """A kind of move, in words, and the parts that its texts are tapped from, in their order."""

    words: str
    names_seat: bool
    parts: tuple[TextPart, ...]


class Taps(Struct, frozen=True):
    """The data for the script: the kinds of moves, and the seat whose move is next."""

    kinds: tuple[Kind, ...]
    next: int


def unjudged_page(book: Book, visit: MatchAccess, title: str, lost: str) -> Template:
    """Show the moves of an unjudged match, with the controls for callers who may write.

    `lost` says why the caller can no longer write, although the browser could before.
    """
    record, names = visit.record, player_names(book, visit.record)
    sheet = scoresheet_state(book, record)
    judged = not record.match.start.unjudged
    *_, following = _movers(record)
    dash = find_dash(record)
    scene = certain_board(visit, dash) if dash else empty_board(record)
    linked = dict(tags_of(book.facts(record)))
    data = {
        "match": record.id,
        "lost": lost,
        "game": record.game,
        "version": record.match.version,
        "players": " - ".join(names.players.values()),
        "events": taken_down(visit, names),
        "over": record.state.outcome is not None,
        "standing": describe_standing(record.state, names),
        "next": following,
        "writing": visit.caller.may_write and may_go_on(sheet, visit.caller.seat),
        "sheet": sheet if visit.caller.may_write else None,
        "found": linked.get(FOUND),
        "host": visit.caller.role == capability_tokens.HOST,
        "seats": {seat: names[seat] for seat in seats(record)},
        "judged": judged,
        "broken": first_broken(record.match, names) if judged else None,
        "dash": dash,
        "example": record.game.moves[0].example,
        "scene": scene,
        "taps": Taps(tuple(tapped_kinds(record.game, scene)), following),
    }
    return page("unjudged.html", title, data)


def taken_down(visit: MatchAccess, names: Names) -> list[TakenDown]:
    """Return the events of a line, as written."""
    entries = timeline.entries(visit.record, visit.viewer, names=names)
    return [
        TakenDown(entry.ply, seat, not entry.seat, names[seat], entry.written, entry.words)
        for entry, seat in zip(entries, _movers(visit.record), strict=False)
    ]


def _movers(record: MatchRecord) -> Iterator[int]:
    return movers(record.game, [ply.event for ply in record.match.line], record.match.seats)


def empty_board(record: MatchRecord) -> Scene:
    """Return the places of an unjudged match, without their content."""
    view = record.match.start.position.view(None)
    panels = record.game.scene(view).panels
    grids = [panel for panel in panels if isinstance(panel, Grid)]
    piled = any(isinstance(panel, Pile) for panel in panels)
    return Scene((_side_by_side(grids),) if piled else tuple(map(_emptied, grids)))


def certain_board(visit: MatchAccess, dash: OpenDash) -> Scene:
    """Return the board before an open dash; without pieces if it is one of several layers."""
    grids = timeline.point(visit.record, dash.ply - 1, visit.viewer).scene.panels
    whole = all(isinstance(panel, Grid) for panel in grids)
    return Scene(grids) if whole else empty_board(visit.record)


def _emptied(grid: Grid) -> Grid:
    return replace(grid, cells=tuple(replace(cell, pieces=()) for cell in grid.cells))


def _side_by_side(grids: Sequence[Grid]) -> Grid:
    """Join grids, like the layers of a pile, in lines of twice the width of the first."""
    width = 2 * len(grids[0].columns)
    left, top, bottom, cells = 0, 0, 0, list[Cell]()
    for grid in grids:
        if left + len(grid.columns) > width:
            left, top = 0, bottom - 1
        for cell in grid.cells:
            row = top - len(grid.rows) + cell.row
            cells.append(Cell(cell.at, left + cell.column, row, note=cell.at))
        bottom = min(bottom, top - len(grid.rows))
        left += len(grid.columns) + 1
    laid = tuple(replace(cell, row=cell.row - bottom) for cell in cells)
    return Grid(("",) * width, ("",) * -bottom, laid)


def tapped_kinds(game: Game[Any], scene: Scene) -> Iterator[Kind]:
    """Yield the kinds of moves whose parts can all be tapped."""
    places = frozenset(scene.places)
    for move in game.moves:
        parts = tuple(part for each in move.notation.parts for part in _tapped(move, each, places))
        if all(part is not None for part in parts):
            yield Kind(move.what, move.names_seat, tuple(filter(None, parts)))


def _tapped(move: type[Move[Any]], part: Part, places: frozenset[str]) -> Iterator[TextPart | None]:
    """Yield the taps for a part of a move text, dice one at a time; `None` if it is typed."""
    texts = part.lexeme.offered
    if move.dice_count:
        faces = tuple(Label(face, face) for face in "123456")
        for number in range(move.dice_count):
            yield TextPart("," if number else part.before, "", faces)
    elif texts and places.issuperset(texts):
        yield TextPart(part.before, part.after, ())
    elif texts and "" not in texts:
        known = {label.text: label for label in part.lexeme.labels}
        alone = move.what if len(texts) == 1 else ""
        labels = tuple(known.get(text) or Label(text, alone or text) for text in texts)
        yield TextPart(part.before, part.after, labels)
    else:
        yield None
