"""Draw a scene in monospaced text, for the terminal and for files; ASCII except for names.

A legend below the drawing explains the signs in it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from domain.scene import Arrow, Cell, Colour, Grid, Scene, Supply, Tray
from replay.drawing.backgrounds import look
from replay.drawing.descriptions import ground_word
from replay.drawing.marks import by_place
from replay.drawing.piece_codes import BADGE, MARK, ansi, piece_code, plain, width
from replay.drawing.svg_elements import printable
from replay.drawing.text_boards import WIDTH, board, layers, side_by_side

SEATS: Final[tuple[Colour | None, ...]] = (None, "seat1", "seat2", "seat3", "seat4")

SHAFT: Final = {"move": "->", "push": "=>", "pass": "~>", "failed": "-x"}


def draw(scene: Scene, *, colour: bool = False) -> str:
    """Draw the scene itself, as lines ending in newlines; with `colour`, with ANSI sequences."""
    drawn = "\n".join([*_lines(scene), ""])
    return drawn if colour else plain(drawn)


def draw_to_fit(scene: Scene, columns: int, rows: int, *, colour: bool = False) -> str:
    """Draw a scene for a screen: the boards, then as much of the rest as the rows can hold.

    Trays come before the caption, the arrows and the legend, and are written close together.
    """
    lines = list(_board_lines(scene, columns))
    for block in (
        *(_close_tray(tray, columns) for tray in scene.trays),
        textwrap.wrap(printable(scene.caption), columns),
        map(_arrow, scene.arrows),
        _legend(scene, columns),
    ):
        added = list(block)
        if len(lines) + len(added) <= rows:
            lines += added
    drawn = "\n".join([*lines, ""])
    return drawn if colour else plain(drawn)


def _lines(scene: Scene) -> Iterator[str]:
    if scene.caption:
        yield from (*textwrap.wrap(printable(scene.caption), WIDTH), "")
    yield from _board_lines(scene, WIDTH)
    yield from _block(map(_arrow, scene.arrows))
    yield from _block(_tray_lines(scene.trays))
    yield from _block(_legend(scene, WIDTH))


def _board_lines(scene: Scene, columns: int) -> Iterator[str]:
    marks = by_place(scene.marks)
    yield from side_by_side([board(panel, marks, columns) for panel in _boards(scene)], columns)


def _block(lines: Iterator[str]) -> Iterator[str]:
    """Put an empty line before a block of lines, unless it is empty."""
    for index, line in enumerate(lines):
        if index == 0:
            yield ""
        yield line


def _boards(scene: Scene) -> Iterator[Grid]:
    """Yield the boards, without a pile whose layers the scene also has as boards."""
    flat = {cell.at for panel in scene.panels if isinstance(panel, Grid) for cell in panel.cells}
    for panel in scene.panels:
        if isinstance(panel, Grid):
            yield panel
        elif not flat.issuperset(block.at for block in panel.blocks):
            yield from layers(panel)


def _arrow(arrow: Arrow) -> str:
    whose = f" (seat {arrow.seat})" if arrow.seat else ""
    line = f"{arrow.kind:<6} {arrow.start} {SHAFT.get(arrow.kind, '->')} {arrow.end}{whose}"
    return printable(line)


def _tray_lines(trays: tuple[Tray, ...]) -> Iterator[str]:
    for tray in trays:
        yield from _tray(tray)


def _tray(tray: Tray) -> Iterator[str]:
    """Write the title and supplies of a tray on one line, and its text on the lines below."""
    title = printable(tray.title)
    supplies = "  ".join(map(_supply, tray.supplies))
    yield f"{_seat(tray, title)}{'  ' if supplies else ''}{supplies}"
    for line in tray.lines:
        yield from textwrap.wrap(
            printable(line), WIDTH, initial_indent="  ", subsequent_indent="    "
        )


def _close_tray(tray: Tray, columns: int) -> Iterator[str]:
    """Write a tray as a paragraph."""
    told = "; ".join(map(printable, tray.lines))
    supplies = "  ".join(map(_supply, tray.supplies))
    title = _seat(tray, printable(tray.title))
    return _wrap("  ".join(filter(None, (title, supplies, told))), columns)


def _wrap(line: str, columns: int) -> Iterator[str]:
    """Break a coloured line between words."""
    taken = ""
    for word in line.split(" "):
        if taken and width(taken) + 1 + width(word) > columns:
            yield taken
            taken = f"  {word}"
        else:
            taken = f"{taken} {word}" if taken else word
    yield taken


def _seat(tray: Tray, title: str) -> str:
    return ansi(SEATS[tray.seat] if tray.seat < len(SEATS) else None, f"{title}:")


def _supply(supply: Supply) -> str:
    return f"{supply.count} {ansi(supply.piece.colour, piece_code(supply.piece))}"


def _legend(scene: Scene, columns: int) -> Iterator[str]:
    """Explain the badges and marks that occur."""
    kinds = {mark.kind for mark in scene.marks}
    known = [f"{sign} {kind}" for kind, sign in MARK.items() if kind in kinds - {"label"}]
    known += [f"= label {printable(m.text)} on {m.at}" for m in scene.marks if m.kind == "label"]
    known += [f"~ {printable(kind)}" for kind in sorted(kinds - MARK.keys())]
    worn = _badges(scene)
    known += [f"{sign} {badge}" for badge, sign in BADGE.items() if badge in worn]
    walls = {ground_word(cell) for cell in _cells(scene) if look(cell).kind == "wall"}
    known += [f"# {printable(word)} of a seat" for word in sorted(walls)]
    if known:
        yield from textwrap.wrap("signs: " + ", ".join(known), columns, subsequent_indent="  ")


def _badges(scene: Scene) -> set[str]:
    pieces = [thing for cell in _cells(scene) for thing in cell.pieces]
    worn = {badge for thing in pieces for badge in thing.badges}
    return worn | {"ball" for thing in pieces if thing.shape == "ball"}


def _cells(scene: Scene) -> Iterator[Cell]:
    for panel in scene.panels:
        if isinstance(panel, Grid):
            yield from panel.cells
