"""Pieces and scenes in words, and pieces as codes that do not rely on colour.

A code is size letter and seat number, or colour letter and size letter: `L1`, `RM`. Cubes are `l`
and `d`, a ball is `*`. A flat piece has its text in the place of a size; a `clear` card has only
its text. Badges follow: `^` cap, `*` ball, `!` halted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from domain.board import SIZE_WORD
from domain.names import UNNAMED, Names
from domain.scene import Block, Cell, Colour, Panel, Piece, Pile, Scene, Supply, Tray
from replay.drawing.backgrounds import look
from replay.drawing.colours import PAINTS, SIZE_LETTER
from replay.drawing.svg_elements import printable
from replay.drawing.tables_and_curves import Sheet, phrases

BADGE: Final = {"cap": "^", "ball": "*", "halted": "!"}
MARK: Final = {
    "to": ">", "from": "<", "removed": "x", "due": "?", "failed": "/", "ball": "@",
    "circle": "+", "label": "=",
}  # fmt: skip
"""Signs before a cell; an unknown mark is a `~`."""

ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")


def piece_code(thing: Piece) -> str:
    """Return the code of a piece with its badges: `L1^`.

    >>> piece_code(Piece("pyramid", "seat1", 3, badges=("cap",)))
    'L1^'
    """
    return bare_code(thing) + "".join(map(_badge, thing.badges))


def _badge(name: str) -> str:
    return BADGE.get(name, printable(name[:1]))


def bare_code(thing: Piece) -> str:
    """Return the code of a piece without its badges: `L1`."""
    letter = PAINTS[thing.colour].letter
    if thing.shape == "ball":
        return "*"
    if thing.shape == "cube":
        return letter
    size = SIZE_LETTER[thing.size] if thing.shape == "pyramid" else _text(thing)
    if thing.shape == "card" and thing.colour == "clear":
        return size
    return size + letter if thing.colour.startswith("seat") else letter + size


def _text(thing: Piece) -> str:
    """Return the text of a flat piece; a hidden card or a disc without text has a sign instead."""
    if thing.shape == "tile":
        return printable("/".join(filter(None, (thing.text, thing.second, thing.price)))) or "o"
    return printable(thing.text) or ("#" if thing.shape == "card" else "o")


def ansi(colour: Colour | None, text: str) -> str:
    """Wrap text in the escape sequence of a colour."""
    return text if colour is None else f"\x1b[1;38;5;{PAINTS[colour].ansi}m{text}\x1b[0m"


def dim(text: str) -> str:
    """Wrap text in the escape sequence for faint."""
    return f"\x1b[2m{text}\x1b[0m"


def plain(text: str) -> str:
    r"""Remove escape sequences.

    >>> plain("\x1b[2mrow 1\x1b[0m")
    'row 1'
    """
    return ESCAPE.sub("", text)


def width(text: str) -> int:
    """Return the number of visible characters."""
    return len(plain(text))


def items(cell: Cell) -> list[str]:
    """Return the coloured parts of a cell, which may be on separate lines."""
    parts = [ansi(colour, code) for colour, code in codes(cell)]
    kind, seat = look(cell)
    if kind == "wall":
        parts.insert(0, f"#{seat}")
    if cell.note:
        parts.append(printable(cell.note))
    return parts or [dim(_empty(kind, seat))]


def codes(cell: Cell) -> list[tuple[Colour | None, str]]:
    """Return the codes of a cell's pieces with their colours; a group of pieces has one code."""
    things = cell.shown
    if len(things) > 1 and cell.arrangement != "stack" and not cell.height:
        return [(things[0].colour, _group(cell))]
    count: list[tuple[Colour | None, str]] = [(None, f"{cell.height}:")] if cell.height else []
    return count + [(_shown(thing), piece_code(thing)) for thing in things]


def _shown(thing: Piece) -> Colour | None:
    return None if thing.shape == "ball" else thing.colour


def _group(cell: Cell) -> str:
    """Write nested pieces as `(LMS)1` and bound pieces as `[LM]1`."""
    left, right = "()" if cell.arrangement == "nest" else "[]"
    sizes = "".join(SIZE_LETTER[thing.size] for thing in cell.pieces)
    worn = "".join(_badge(badge) for thing in cell.pieces for badge in thing.badges)
    return f"{left}{sizes}{right}{PAINTS[cell.pieces[0].colour].letter}{worn}"


def _empty(kind: str, seat: int) -> str:
    if kind in ("open", "due"):
        return "o"
    if kind == "closed":
        return "-"
    return f"_{seat or ''}" if kind else "."


def piece_letter(thing: Piece) -> str:
    """Return how a move text writes a supply's piece: its name, size, text, or a cube's letter."""
    if thing.shape == "pyramid":
        return SIZE_LETTER[thing.size]
    return thing.at or thing.text or PAINTS[thing.colour].letter


def piece_phrase(thing: Piece, names: Names = UNNAMED) -> str:
    """Name a piece and its badges: `large of seat 1 with cap`.

    >>> piece_phrase(Piece("pyramid", "seat1", 3, badges=("cap",)))
    'large of seat 1 with cap'
    >>> piece_phrase(Piece("cube", "red"))
    'red cube'
    """
    kind = SIZE_WORD[thing.size] if thing.shape == "pyramid" else _kind(thing)
    worn = f" with {' and '.join(thing.badges)}" if thing.badges else ""
    if thing.shape == "ball" or (thing.shape == "card" and thing.colour == "clear"):
        return f"{kind}{worn}"
    if thing.colour.startswith("seat"):
        return f"{kind} of {names[int(thing.colour[4:])]}{worn}"
    return f"{PAINTS[thing.colour].word} {kind}{worn}"


def _kind(thing: Piece) -> str:
    """Name a piece without a size: `cube`, `knight`, `K disc`, `letter Q`, `10♥`, `hidden card`."""
    match thing.shape:
        case "symbol":
            return thing.symbol.rpartition("/")[2].replace("_", " ")
        case "card":
            return thing.text or "hidden card"
        case "letter":
            return f"letter {thing.text}"
        case "tile":
            named = " ".join(filter(None, ("tile", thing.text, thing.second)))
            return f"{named} for {thing.price}" if thing.price else named
    return f"{thing.text} {thing.shape}".lstrip()


def cell_phrase(cell: Cell, names: Names = UNNAMED) -> str:
    """Describe the pieces on a place, from the bottom up or from the outside in.

    >>> pieces = (Piece("pyramid", "seat2", 3), Piece("pyramid", "seat1", 1))
    >>> cell_phrase(Cell("c3", 2, 2, pieces))
    'c3 large of seat 2, small of seat 1'
    """
    things = ", ".join(_phrases(cell, names)) or "empty"
    things = f"{cell.height} pieces, on top {things}" if cell.height else things
    if cell.group and len(cell.pieces) > 1:
        things = f"{cell.group}: {things}"
    kind, seat = look(cell)
    place = f"{cell.at} ({ground_word(cell)} of {names[seat]})" if kind == "wall" else cell.at
    return f"{place} {things}{f' ({cell.note})' if cell.note else ''}".lstrip()


def _phrases(cell: Cell, names: Names) -> Iterator[str]:
    """Name the pieces of a place, three or more equal ones together: `5 × light disc`."""
    for phrase, run in groupby(piece_phrase(each, names) for each in cell.shown):
        count = len(list(run))
        yield from [f"{count} × {phrase}"] if count > 2 else [phrase] * count


def block_phrase(block: Block) -> str:
    """Describe the content of a place in a pile."""
    return f"{block.at} {'open' if block.colour is None else PAINTS[block.colour].word}"


GROUND: Final = {
    "home": "home row",
    "start": "starting square",
    "corner": "corner",
    "goal": "goal",
}
"""The words for the backgrounds that belong to a seat, unless the game has its own."""


def cell_label(cell: Cell, names: Names = UNNAMED) -> str:
    """Label a place for a person who may tap it, the top piece first: `c3, red large on ...`.

    >>> pieces = (Piece("pyramid", "seat2", 3), Piece("pyramid", "seat1", 1))
    >>> cell_label(Cell("c3", 2, 2, pieces))
    'c3, small of seat 1 on large of seat 2'
    """
    return ", ".join(
        filter(None, (cell.at, _standing(cell, names), _ground(cell, names), cell.note))
    )


def _standing(cell: Cell, names: Names) -> str:
    covered = [f"{cell.height - len(cell.shown)} more"] if cell.height else []
    things = [*covered, *_phrases(cell, names)]
    if cell.group and len(things) > 1:
        return f"{cell.group}: {', '.join(things)}"
    return " on ".join(reversed(things)) or "empty"


def _ground(cell: Cell, names: Names) -> str:
    kind, seat = look(cell)
    return f"{ground_word(cell)} of {names[seat]}" if seat else kind


def ground_word(cell: Cell) -> str:
    """Return the word for the ground of a cell."""
    kind = look(cell).kind
    return cell.ground_word or GROUND.get(kind, kind)


def block_label(block: Block) -> str:
    """Label a place in a pile for a person who may tap it."""
    return f"{block.at}, {'open' if block.colour is None else f'{PAINTS[block.colour].word} cube'}"


def supply_label(supply: Supply, names: Names = UNNAMED) -> str:
    """Label a supply for a person who may take from it: `medium of seat 1, 2 left`.

    >>> supply_label(Supply(Piece("pyramid", "seat1", 2), 2))
    'medium of seat 1, 2 left'
    """
    return f"{piece_phrase(supply.piece, names)}, {supply.count} left"


def tray_items(tray: Tray, names: Names = UNNAMED) -> list[str]:
    """Describe each item of a tray, then its lines of text."""
    supplies = [f"{supply.count} × {piece_phrase(supply.piece, names)}" for supply in tray.supplies]
    return [*supplies, *tray.lines]


def _tray_phrase(tray: Tray, names: Names) -> str:
    return f"{tray.title}: {', '.join(tray_items(tray, names)) or 'nothing'}"


def _sentences(scene: Scene, names: Names) -> Iterator[str]:
    for panel in scene.panels:
        title = f"{panel.title}: " if panel.title else ""
        yield title + ("; ".join(_parts(panel, names)) or "empty")
    yield from (_tray_phrase(tray, names) for tray in scene.full_trays)
    if scene.marks:
        yield "marked " + ", ".join(
            f"{mark.at} {mark.kind} {mark.text}".rstrip() for mark in scene.marks
        )
    for arrow in scene.arrows:
        yield f"{arrow.kind} from {arrow.start} to {arrow.end}"


def _parts(panel: Panel, names: Names) -> Iterator[str]:
    if isinstance(panel, Sheet):
        yield from phrases(panel)
    elif isinstance(panel, Pile):
        yield from map(block_phrase, panel.blocks)
    else:
        yield from (cell_phrase(cell, names) for cell in panel.cells if cell.pieces)


def describe(scene: Scene, names: Names = UNNAMED) -> str:
    """Describe the whole picture in sentences."""
    return ". ".join(_sentences(scene, names))
