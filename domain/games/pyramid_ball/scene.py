"""The scene of Pyramid Ball: the board, both sides' trays, and a turn row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from domain.board import OFF, PIPS
from domain.effects import Effect
from domain.games.pyramid_ball.board import BOARD, NOBODY, PYRAMIDS, ROW, SEAT, SIZE
from domain.games.pyramid_ball.effects import (
    SPECIAL,
    BallPlaced,
    Completed,
    Failed,
    Intercepted,
    Pushed,
    Revealed,
    Sealed,
    Snapshot,
    Stepped,
)
from domain.games.pyramid_ball.position import Play, Seen
from domain.games.pyramid_ball.table import GOAL, Table
from domain.names import Names, count
from domain.scene import Arrow, Cell, Colour, Grid, Mark, Piece, Scene, Score, Tray

COLOURS: Final[tuple[Colour, Colour, Colour]] = ("black", "seat1", "seat2")
BALL: Final = Piece("ball", "yellow")


def draw(view: Seen | Play, effects: Sequence[Effect], players: Names) -> Scene:
    """Draw a view; a whole position is drawn as spectators see it.

    A turn just played has one frame per row.
    """
    seen = view.view(None) if isinstance(view, Play) else view
    table, sealed, own = seen.table, seen.sealed, _own_line(seen)
    names = BOARD.names
    where = {names[at]: one for one, at in enumerate(table.squares)}
    loose = names[table.loose] if table.loose != OFF else None
    carrier = PYRAMIDS[table.carrier] if table.carrier != NOBODY else None
    running = table.interrupted.halted if table.interrupted else frozenset()
    halted = tuple(PYRAMIDS[one] for one in running)
    return Scene(
        (_grid(table, where, loose, carrier, halted),),
        tuple(
            _tray(
                table,
                players,
                seat,
                (*_secret(seat, sealed, own), *_public(table, seat, effects)),
            )
            for seat in (1, 2)
        ),
        tuple(_ways(effects)),
        tuple(_marks(effects)),
        _caption(table, players),
        tuple(_frames(table, effects, players)),
    )


def _own_line(seen: Seen) -> tuple[int, str] | None:
    """Return the viewer's seat and the text of the viewer's sealed move."""
    if seen.own is None or seen.seat is None:
        return None
    return seen.seat, f"locked in: {seen.own.notation.write(seen.own)}"


def _grid(
    table: Table,
    where: dict[str, int],
    loose: str | None,
    carrier: str | None,
    halted: tuple[str, ...],
) -> Grid:
    cells = tuple(
        Cell(
            name,
            at % 7,
            ROW[at],
            (
                *((BALL,) if name == loose else ()),
                *((_piece(where[name], carrier, halted),) if name in where else ()),
            ),
            ground=_ground(table, at),
        )
        for at, name in enumerate(BOARD.names)
    )
    return Grid(BOARD.files, BOARD.ranks, cells)


def _piece(one: int, carrier: str | None, halted: tuple[str, ...]) -> Piece:
    name = PYRAMIDS[one]
    badges = (*(("ball",) if name == carrier else ()), *(("halted",) if name in halted else ()))
    return Piece("pyramid", COLOURS[SEAT[one]], PIPS[SIZE[one]], badges)


def _ground(table: Table, at: int) -> str:
    """Return the backgrounds of the goal rows, by the seat that defends them (BAL-1.3)."""
    if not table.squares or 0 < ROW[at] < 7:
        return ""
    return f"goal{table.low if ROW[at] == 0 else 3 - table.low}"


def _tray(table: Table, players: Names, seat: int, programs: tuple[str, ...]) -> Tray:
    points = table.scores[seat - 1]
    lines = [count(points, "point")]
    if table.offence:
        lines.append("offence" if table.offence == seat else "defence")
    for size in table.taken[seat - 1]:
        used = " (used)" if size in table.used[seat - 1] else ""
        lines.append(f"{SPECIAL[size]}{used}")
    if table.closed.seat == seat:
        lines.append(f"may not enter row {table.closed.row + 1}")
    goal = GOAL if table.advanced else 1
    return Tray(
        players.title(seat),
        seat,
        (),
        (*lines, *programs),
        Score.of(points, "point", f"{points}/{goal}", f"{points} of {count(goal, 'point')}"),
        (COLOURS[seat],),
        bool(table.squares) and seat != table.low,
    )


def _secret(seat: int, sealed: tuple[int, ...], own: tuple[int, str] | None) -> Iterator[str]:
    """Say that a seat has sealed; show the content only to that seat."""
    if own is not None and own[0] == seat:
        yield own[1]
    elif seat in sealed:
        yield "locked in"


def _public(table: Table, seat: int, effects: Sequence[Effect]) -> Iterator[str]:
    """Show the program of a turn that was just played or is interrupted by a goal."""
    shown = table.interrupted.programs if table.interrupted else effects
    for effect in shown:
        if isinstance(effect, Revealed) and effect.seat == seat:
            yield f"program {effect.text}"


def _caption(table: Table, names: Names) -> str:
    if table.result is not None:
        (winner,) = table.result.winners
        return f"{names[winner]} has won"
    match table.stage:
        case "pick":
            return "who starts: both pick a size"
        case "start":
            return f"{names[table.seat]} chooses the ball or defence"
        case "place":
            return f"{names[table.seat]} puts the ball down"
    return f"turn {table.turn}: both program"


def _arrows(effects: Iterable[Effect]) -> Iterator[Arrow]:
    """Yield the arrows of one row."""
    for effect in effects:
        match effect:
            case Stepped():
                yield Arrow(effect.start, effect.end, "move", effect.seat)
            case Pushed():
                yield Arrow(effect.start, effect.end, "push", effect.seat)
            case Failed():
                yield Arrow(effect.start, effect.end or effect.start, "failed", effect.seat)
            case Completed():
                yield Arrow(effect.start, effect.end, "pass", effect.seat)
            case Intercepted():
                yield Arrow(effect.start, effect.at, "pass", effect.seat)


def _ways(effects: Iterable[Effect]) -> Iterator[Arrow]:
    """Yield the path of each pyramid over all rows as one arrow."""
    starts: dict[tuple[int, str], str] = {}
    ends: dict[tuple[int, str], str] = {}
    for effect in effects:
        if isinstance(effect, Stepped | Pushed):
            starts.setdefault((effect.seat, effect.size), effect.start)
            ends[effect.seat, effect.size] = effect.end
    for one, start in starts.items():
        if start != ends[one]:
            yield Arrow(start, ends[one], "move", one[0])


def _marks(effects: Iterable[Effect]) -> Iterator[Mark]:
    for arrow in _ways(effects):
        yield Mark(arrow.start, "from")
        yield Mark(arrow.end, "to")
    for effect in effects:
        if isinstance(effect, BallPlaced):
            yield Mark(effect.at, "to")


def _frames(table: Table, effects: Iterable[Effect], names: Names) -> Iterator[Scene]:
    """Yield a scene for every played row, from the snapshots at their ends."""
    row: list[Effect] = []
    for effect in effects:
        if isinstance(effect, Snapshot):
            yield _frame(table, row, effect, names)
            row = []
        else:
            row.append(effect)


def _frame(table: Table, row: Sequence[Effect], end: Snapshot, names: Names) -> Scene:
    where = {at: one for one, at in enumerate(end.squares)}
    grid = _grid(table, where, end.ball if end.carrier is None else None, end.carrier, end.halted)
    said = "; ".join(one.words(names) for one in row if not isinstance(one, SHOWN))
    caption = f"{end.row}: {said}" if said else end.row
    return Scene((grid,), arrows=tuple(_arrows(row)), caption=caption)


SHOWN: Final = (Sealed, Revealed, Stepped, Pushed)
"""Effects that arrows and trays show well enough."""
