"""A scene in words, for people who hear pictures and for tooltips."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from domain.pyramids import SIZE_WORD
from domain.scene import Block, Cell, Grid, Piece, Pile, Scene, Supply, Tray
from replay.drawing.backgrounds import read
from replay.drawing.palette import PAINTS


def piece_phrase(thing: Piece) -> str:
    """Name a piece and what it wears: `large of seat 1 with cap`."""
    kind = SIZE_WORD[thing.size] if thing.shape == "pyramid" else thing.shape
    worn = f" with {' and '.join(thing.badges)}" if thing.badges else ""
    if thing.shape == "ball":
        return f"ball{worn}"
    colour = PAINTS[thing.colour].word
    of_seat = thing.colour.startswith("seat")
    return f"{kind} of {colour}{worn}" if of_seat else f"{colour} {kind}{worn}"


def cell_phrase(cell: Cell) -> str:
    """Say what stands on a place, from the bottom up or from the outside in."""
    things = ", ".join(map(piece_phrase, cell.pieces)) or "empty"
    if len(cell.pieces) > 1 and cell.arrangement != "stack":
        strength = sum(thing.size for thing in cell.pieces)
        kind = "nest" if cell.arrangement == "nest" else "power piece"
        things = f"{kind} of strength {strength}: {things}"
    kind, seat = read(cell.ground)
    place = f"{cell.at} (blockade of seat {seat})" if kind == "blockade" else cell.at
    return f"{place} {things}{f' ({cell.note})' if cell.note else ''}"


def block_phrase(block: Block) -> str:
    """Say what is in a place of a pile."""
    return f"{block.at} {'open' if block.colour is None else PAINTS[block.colour].word}"


GROUND: Final = {
    "home": "home row",
    "start": "starting square",
    "corner": "corner",
    "goal": "goal",
    "blockade": "blockade",
}
"""What kinds of place are called that belong to a seat."""


def cell_label(cell: Cell) -> str:
    """Name a place for who would tap it, the uppermost piece first: `c3, red large on ...`."""
    return ", ".join(filter(None, (cell.at, _standing(cell), _ground(cell.ground), cell.note)))


def _standing(cell: Cell) -> str:
    things = list(map(piece_phrase, cell.pieces))
    if len(things) > 1 and cell.arrangement != "stack":
        strength = sum(thing.size for thing in cell.pieces)
        kind = "nest" if cell.arrangement == "nest" else "power piece"
        return f"{kind} of strength {strength}: {', '.join(things)}"
    return " on ".join(reversed(things)) or "empty"


def _ground(text: str) -> str:
    kind, seat = read(text)
    return f"{GROUND.get(kind, kind)} of seat {seat}" if seat else kind


def block_label(block: Block) -> str:
    """Name a place of a pile for who would tap it."""
    return f"{block.at}, {'open' if block.colour is None else f'{PAINTS[block.colour].word} cube'}"


def supply_label(supply: Supply) -> str:
    """Name a supply for who would take from it: `medium of seat 1, 2 left`."""
    return f"{piece_phrase(supply.piece)}, {supply.count} left"


def tray_items(tray: Tray) -> list[str]:
    """Say one by one what lies in a tray, and what is written on it."""
    supplies = [f"{supply.count} × {piece_phrase(supply.piece)}" for supply in tray.supplies]
    return [*supplies, *tray.lines]


def _tray_phrase(tray: Tray) -> str:
    return f"{tray.title}: {', '.join(tray_items(tray)) or 'nothing'}"


def _sentences(scene: Scene) -> Iterator[str]:
    for panel in scene.panels:
        title = f"{panel.title}: " if panel.title else ""
        yield title + ("; ".join(_places(panel)) or "empty")
    yield from map(_tray_phrase, scene.trays)
    if scene.marks:
        yield "marked " + ", ".join(
            f"{mark.at} {mark.kind} {mark.text}".rstrip() for mark in scene.marks
        )
    for arrow in scene.arrows:
        yield f"{arrow.kind} from {arrow.start} to {arrow.end}"


def _places(panel: Grid | Pile) -> Iterator[str]:
    if isinstance(panel, Pile):
        yield from map(block_phrase, panel.blocks)
    else:
        yield from (cell_phrase(cell) for cell in panel.cells if cell.pieces)


def describe(scene: Scene) -> str:
    """Say everything a picture shows, as sentences."""
    return ". ".join(_sentences(scene))
