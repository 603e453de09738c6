"""The scene of a position of Power Play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from domain.effects import Effect
from domain.games.power_play.board import BOARD
from domain.games.power_play.effects import (
    Captured,
    Hopped,
    KickedBack,
    Returned,
    Stepped,
    WentOut,
)
from domain.games.power_play.pieces import (
    KNOCKOUT,
    PYRAMIDS,
    SEAT_SHIFT,
    is_nest,
    is_power,
    returns,
)
from domain.games.power_play.position import Table
from domain.names import Names, count
from domain.scene import Arrow, Cell, Colour, Grid, Mark, Piece, Scene, Score, Supply, Tray

COLOUR: Final[tuple[Colour, ...]] = ("black", "seat1", "seat2", "seat3", "seat4")


def draw(table: Table, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the board, the seats' hands and losses, and what the last event changed."""
    cells = tuple(_cell(table, at) for at in BOARD.squares)
    trays = tuple(_tray(table, seat, names) for seat in range(1, len(table.lost) + 1))
    arrows = tuple(_arrows(effects))
    marks = (*_way(effects), *(mark for each in effects for mark in _marks(each)), *_due(table))
    return Scene((Grid(BOARD.files, BOARD.ranks, cells),), trays, arrows, marks)


def _cell(table: Table, at: int) -> Cell:
    code = table.board[at]
    pieces = tuple(Piece("pyramid", COLOUR[code >> SEAT_SHIFT], pips) for pips in PYRAMIDS[code])
    arrangement: Literal["stack", "nest", "bound"] = (
        "nest" if is_nest(code) else "bound" if is_power(code) else "stack"
    )
    column, row = at % BOARD.columns, at // BOARD.columns
    return Cell(
        BOARD.names[at],
        column,
        row,
        pieces,
        arrangement,
        _ground(table, at),
        group=_group(code, pieces),
    )


def _group(code: int, pieces: Sequence[Piece]) -> str:
    """Name a nest (PWR-2.2) or a power piece (PWR-4.3) with its strength."""
    kind = "nest" if is_nest(code) else "power piece" if is_power(code) else ""
    return kind and f"{kind} of strength {sum(piece.size for piece in pieces)}"


def _ground(table: Table, at: int) -> str:
    """Return the background of a starting square; seats that went out have none (PWR-6.4)."""
    for seat in table.playing:
        if at in table.starting(seat):
            return f"start{seat}"
    return ""


def _tray(table: Table, seat: int, names: Names) -> Tray:
    supplies = tuple(
        Supply(Piece("pyramid", COLOUR[seat], pips), table.hands[seat * 4 + pips])
        for pips in (1, 2, 3)
        if table.hands[seat * 4 + pips]
    )
    far = min(table.starting(seat)) >= BOARD.columns * BOARD.columns // 2
    return Tray(
        names.title(seat),
        seat,
        supplies,
        tuple(_lines(table, seat)),
        _score(table, seat),
        (COLOUR[seat],),
        far,
    )


def _score(table: Table, seat: int) -> Score:
    """Count the lost pips: fewer are better (PWR-6.1)."""
    lost = table.lost[seat - 1]
    if seat not in table.playing:
        return Score(-lost, "out", "out of the game", "pip")
    words = f"{lost} of the {KNOCKOUT} pips lost that put a seat out"
    text = f"{lost} of {KNOCKOUT} lost" if lost < KNOCKOUT else f"{lost} lost"
    return Score(-lost, text, words, "pip")


def _lines(table: Table, seat: int) -> Iterator[str]:
    yield f"{count(table.lost[seat - 1], 'pip')} lost"
    if seat not in table.playing:
        yield "out of the game"
    elif any(table.declarable(other, seat) for other in table.playing):
        yield "may be declared knocked out"


def _arrows(effects: Iterable[Effect]) -> Iterator[Arrow]:
    for effect in effects:
        if isinstance(effect, Stepped | Hopped):
            yield Arrow(effect.from_, effect.to, "move", effect.seat)


def _way(effects: Iterable[Effect]) -> Iterator[Mark]:
    """Yield where a piece began its step or jump, and where it is now."""
    moved = [effect for effect in effects if isinstance(effect, Stepped | Hopped)]
    if moved:
        yield Mark(moved[0].from_, "from")
        yield Mark(moved[-1].to, "to")


def _marks(effect: Effect) -> Iterator[Mark]:
    match effect:
        case Captured() | KickedBack():
            yield Mark(effect.at, "removed")
        case Returned():
            yield Mark(effect.at, "to")
        case WentOut():
            yield from (Mark(at, "removed") for at in effect.squares)


def _due(table: Table) -> Iterator[Mark]:
    """Yield the squares where the due pyramids can be put back."""
    if table.due:
        starting = table.starting(table.due)
        fitting = returns(table.board, table.hands, starting, table.due)
        yield from (Mark(BOARD.names[at], "due") for at in sorted({at for _, at in fitting}))
