"""Positions of Cube Pyramid as text.

The fields: layers A to E, each row by row from row 1, `l` and `d` for cubes; the supply of seat
1 and of seat 2; the spaces due as bonuses; the seat to move; the turn. The start:

    5/4/3/2/1 4/3/2/1 3/2/1 2/1 1 13l5d 5l13d - 1 1
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from domain.games.cube_pyramid.board import BIT, LAYERS, NAMES, SPOTS, SUPPORTS, cells, names
from domain.games.cube_pyramid.position import Table
from domain.games.cube_pyramid.turn import finish
from domain.position_text import (
    NOTHING,
    Field,
    Rows,
    TextCodec,
    fields,
    read_seat,
    read_supply,
    read_turn,
    write_supply,
)

FIELDS: Final = (
    *(f"layer {layer}" for layer in LAYERS),
    "the supply of seat 1",
    "the supply of seat 2",
    "the spaces due",
    "the seat to move",
    "the turn",
)

OF_EACH_COLOUR: Final = 18
"""The number of cubes of a colour (CUB-1.1)."""


def _layer(number: int) -> Rows:
    lines: dict[str, list[int]] = {}
    for place, spot in enumerate(SPOTS):
        if spot.layer == number:
            lines.setdefault(f"row {spot.row + 1} of layer {LAYERS[number]}", []).append(place)
    return Rows(lines, "[ld]", "l or d for a cube")


ROWS: Final = tuple(_layer(number) for number in range(len(LAYERS)))


CELLS: Final = tuple(
    cells(spot.name for spot in SPOTS if spot.layer == number) for number in range(len(LAYERS))
)
"""The cells of each layer."""


@lru_cache(4096)  # a move changes one layer
def _write_layer(number: int, light: int, dark: int) -> str:
    cubes = ["l" if light & bit else "d" if dark & bit else "" for bit in BIT.values()]
    return ROWS[number].write(cubes)


def write(table: Table) -> str:
    """Write a position of Cube Pyramid."""
    layers = [
        _write_layer(number, table.light & layer, table.dark & layer)
        for number, layer in enumerate(CELLS)
    ]
    return " ".join(
        (
            *layers,
            write_supply(table.supply[:2], "ld"),
            write_supply(table.supply[2:], "ld"),
            ",".join(names(table.due)) or NOTHING,
            str(table.seat),
            str(table.turn),
        )
    )


def read(table: Table, text: str) -> Table:
    """Return the position of a text of Cube Pyramid. Raises `PositionError`."""
    *layers, first, second, due, seat, turn = fields(text, FIELDS)
    cubes = {
        NAMES[place]: cube
        for rows, layer in zip(ROWS, layers, strict=True)
        for place, cube in rows.read(layer).items()
    }
    _check_supports(cubes)
    light, dark = (cells(at for at in cubes if cubes[at].text == colour) for colour in "ld")
    own, other = (read_supply(field, "ld", OF_EACH_COLOUR) for field in (first, second))
    supply = own[0], own[1], other[0], other[1]
    _check_count(first, "light", light, own[0] + other[0])
    _check_count(first, "dark", dark, own[1] + other[1])
    to_move = read_seat(seat, (1, 2))
    spaces = _read_due(due, light, dark, supply, 3 - to_move)
    edited = replace(
        table,
        light=light,
        dark=dark,
        open=open_spaces(light | dark),
        due=spaces,
        supply=supply,
        seat=to_move,
        turn=read_turn(turn),
        result=None,
    )
    return finish(edited)


def _check_supports(cubes: Mapping[str, Field]) -> None:
    """CUB-1.3, CUB-2.3."""
    for at, cube in cubes.items():
        bare = [below for below in names(SUPPORTS[at]) if below not in cubes]
        if bare:
            raise cube.wrong(f"the cube on {at} has no support on {' and '.join(bare)}")


def _check_count(supplies: Field, colour: str, placed: int, left: int) -> None:
    """Require that no cube is missing or added (CUB-1.1)."""
    if placed.bit_count() + left != OF_EACH_COLOUR:
        raise supplies.wrong(
            f"there must be {OF_EACH_COLOUR} {colour} cubes, not {placed.bit_count()}"
            f" in the pyramid and {left} in the supplies"
        )


def open_spaces(filled: int) -> int:
    """Return the spaces that can be filled (CUB-2.3)."""
    return sum(
        bit for at, bit in BIT.items() if not filled & bit and filled & SUPPORTS[at] == SUPPORTS[at]
    )


def _read_due(
    field: Field, light: int, dark: int, supply: tuple[int, int, int, int], giver: int
) -> int:
    """CUB-3.1, CUB-3.5."""
    if field.text == NOTHING:
        return 0
    due = 0
    for part in field.split(","):
        bit = part.choice("a space due", one_colour(light, dark) or {NOTHING: 0})
        if bit <= due:
            raise part.wrong("name each space once, in the order A11, A12, … E11")
        due |= bit
    if not any(supply[:2] if giver == 1 else supply[2:]):
        raise field.wrong("no bonus is due: {seat} has no cube left to take; write -", seat=giver)
    return due


def one_colour(light: int, dark: int) -> dict[str, int]:
    """Return the open spaces over cubes of one colour (CUB-3.1)."""
    return {
        at: BIT[at]
        for at in names(open_spaces(light | dark))
        if SUPPORTS[at] and light & SUPPORTS[at] in (0, SUPPORTS[at])
    }


TEXT: Final = TextCodec(write, read)
