"""The scene of the pyramid: the pile, and its layers one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from domain.effects import Effect
from domain.games.cube_pyramid.board import BIT, FACES, LAYERS, SIDE, SPOTS, Spot, names
from domain.games.cube_pyramid.effects import Colour, Placed
from domain.games.cube_pyramid.position import Table
from domain.names import Names, count
from domain.scene import Block, Cell, Grid, Mark, Piece, Pile, Scene, Score, Supply, Tray

SEAT_NAME: Final = ("", "Light", "Dark")


def draw(table: Table, effects: Sequence[Effect], players: Names) -> Scene:
    """Draw a table; marks show the last cube and the spaces due."""
    placed = (Mark(effect.at, "to") for effect in effects if isinstance(effect, Placed))
    due = (Mark(name, "due") for name in names(table.due))
    return Scene(
        (_pile(table), *(_layer(table, number) for number in range(SIDE))),
        (_supplies(table, 1, players), _supplies(table, 2, players), _faces(table)),
        marks=(*placed, *due),
    )


def _pile(table: Table) -> Pile:
    return Pile(SIDE, tuple(_blocks(table)), "Pyramid")


def _blocks(table: Table) -> Iterator[Block]:
    for spot in SPOTS:
        colour, open_ = _colour(table, spot), bool(BIT[spot.name] & table.open)
        if colour or open_:
            yield Block(spot.name, spot.layer, spot.row, spot.column, colour, open_)


def _layer(table: Table, number: int) -> Grid:
    labels = tuple(str(place + 1) for place in range(SIDE - number))
    cells = tuple(_cell(table, spot) for spot in SPOTS if spot.layer == number)
    return Grid(labels, labels, cells, f"Layer {LAYERS[number]}")


def _cell(table: Table, spot: Spot) -> Cell:
    colour = _colour(table, spot)
    if colour:
        return Cell(spot.name, spot.column, spot.row, (Piece("cube", colour),))
    bit = BIT[spot.name]
    ground = "due" if bit & table.due else "open" if bit & table.open else "closed"
    return Cell(spot.name, spot.column, spot.row, ground=ground)


def _colour(table: Table, spot: Spot) -> Colour | None:
    bit = BIT[spot.name]
    return "light" if table.light & bit else "dark" if table.dark & bit else None


def _supplies(table: Table, seat: int, players: Names) -> Tray:
    light, dark = table.supply[:2] if seat == 1 else table.supply[2:]
    supplies = Supply(Piece("cube", "light"), light), Supply(Piece("cube", "dark"), dark)
    own: Colour = "light" if seat == 1 else "dark"
    name, side = players.title(seat), SEAT_NAME[seat]
    title = name if name == side else f"{name} ({side})"
    return Tray(title, seat, supplies, score=_score(table, seat), colours=(own,))


def _score(table: Table, seat: int) -> Score:
    """Count the faces on which the seat's colour has more cubes now (CUB-4.2)."""
    own, other = (table.light, table.dark) if seat == 1 else (table.dark, table.light)
    led = sum((own & face).bit_count() > (other & face).bit_count() for face in FACES)
    return Score.of(led, "face", words=f"more cubes on {count(led, 'face')} of {len(FACES)}")


def _faces(table: Table) -> Tray:
    lines = tuple(
        f"face {number}: light {(table.light & face).bit_count()},"
        f" dark {(table.dark & face).bit_count()}"
        for number, face in enumerate(FACES, 1)
    )
    return Tray("Faces", lines=lines)
