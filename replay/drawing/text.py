"""Draw a scene in monospaced text, for the terminal and for files; ASCII except for names.

A legend below the drawing explains the signs in it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from domain.scene import Arrow, Block, Cell, Colour, Grid, Piece, Pile, Scene, Supply, Tray
from replay.drawing.backgrounds import look
from replay.drawing.colours import seat_colour
from replay.drawing.descriptions import (
    BADGE,
    MARK,
    ansi,
    ground_word,
    items,
    piece_code,
    plain,
    width,
)
from replay.drawing.marks import by_place
from replay.drawing.rows import laid_out, layers
from replay.drawing.svg_elements import printable
from replay.drawing.tables_and_curves import sheets, table_lines

WIDTH: Final = 80
"""The columns of a terminal for which drawings are made."""

LINE: Final = 13
"""The pieces in a line of a row."""


def board(panel: Grid, marks: Mapping[str, Sequence[str]], columns: int = WIDTH) -> list[str]:
    """Draw a board as lines of text; stacks too long for a column continue on the next line."""
    margin = max((len(label) for label in panel.rows), default=0)
    limit = (columns - margin) // max(1, len(panel.columns)) - 3
    lines_of = _line_of if panel.lines == "spikes" else lambda cell: _fold(items(cell), limit)
    cells = {(cell.column, cell.row): lines_of(cell) for cell in panel.cells}
    signs = {(cell.column, cell.row): _signs(cell, marks) for cell in panel.cells}
    fitted = _FittedBoard(panel, cells, signs, columns)
    lines = [printable(panel.title)] if panel.title else []
    for row in reversed(range(len(panel.rows))):
        lines += fitted.row(row)
    return [*lines, *fitted.columns()]


def _line_of(cell: Cell) -> list[str]:
    """Return the number of a place, and how many equal pieces it has."""
    drawn = items(replace(cell, pieces=cell.pieces[-1:], note=""))
    count = str(len(cell.pieces)) if cell.pieces else ""
    return [f"{count}{drawn[0]}", printable(cell.note)]


def _signs(cell: Cell, marks: Mapping[str, Sequence[str]]) -> str:
    return "".join(MARK.get(kind, "~") for kind in marks.get(cell.at, ()))


def _fold(parts: list[str], limit: int) -> list[str]:
    """Join parts by spaces into as few lines as the limit allows."""
    lines = [parts[0]]
    for part in parts[1:]:
        if width(lines[-1]) + 1 + width(part) > limit:
            lines.append(part)
        else:
            lines[-1] += f" {part}"
    return lines


class _FittedBoard:
    """A board with the widths of its columns."""

    def __init__(
        self,
        panel: Grid,
        cells: Mapping[tuple[int, int], list[str]],
        signs: Mapping[tuple[int, int], str],
        columns: int,
    ) -> None:
        self.rows = tuple(map(printable, panel.rows))
        self.labels = tuple(map(printable, panel.columns))
        self.lines = panel.lines
        self.cells = cells
        self.signs = signs
        self.margin = max(map(len, self.rows), default=0)
        longest = max((width(line) for lines in cells.values() for line in lines), default=1)
        self.width = max(longest, *map(len, self.labels), 1)
        across = max(1, len(self.labels) + (panel.lines == "hexes"))
        each = (columns - self.margin - 1) // across - self.width
        self.slot = max(1, min(each, max(map(len, signs.values()), default=1)))
        self.gap = " " * max(0, min(each - self.slot, 2 if panel.stacks else 1))

    def row(self, row: int) -> Iterator[str]:
        columns = range(len(self.labels))
        height = max((len(self.cells.get((column, row), ())) for column in columns), default=0)
        for line in range(max(1, height)):
            label = self.rows[row] if line == 0 else ""
            texts = (self._text(column, row, line) for column in columns)
            yield f"{label:>{self.margin}} {self._shift(row)}{self.gap.join(texts)}".rstrip()

    def _shift(self, row: int) -> str:
        """Return half of a column before an odd row of hexes."""
        if self.lines != "hexes" or row % 2 == 0:
            return ""
        return " " * ((self.slot + self.width + len(self.gap)) // 2)

    def _text(self, column: int, row: int, line: int) -> str:
        lines = self.cells.get((column, row), [])
        text = lines[line] if line < len(lines) else ""
        sign = self.signs.get((column, row), "")[: self.slot] if line == 0 else ""
        return f"{sign:>{self.slot}}{text}{' ' * (self.width - width(text))}"

    def columns(self) -> Iterator[str]:
        if any(self.labels):
            labels = (f"{' ' * self.slot}{label:<{self.width}}" for label in self.labels)
            yield f"{' ' * self.margin} {self.gap.join(labels)}".rstrip()


def pile_layers(panel: Pile) -> list[Grid]:
    """Return the layers of a pile as boards, lowest first, for a terminal."""
    return [_layer(panel, layer) for layer in range(panel.side)]


def _layer(panel: Pile, layer: int) -> Grid:
    labels = tuple(str(place + 1) for place in range(panel.side - layer))
    cells = tuple(_cell(block) for block in panel.blocks if block.layer == layer)
    title = f"{panel.title} {layer + 1}".strip()
    return Grid(labels, labels, cells, title)


def _cell(block: Block) -> Cell:
    colour: Colour | None = block.colour
    pieces = () if colour is None else (Piece("cube", colour),)
    return Cell(block.at, block.column, block.row, pieces, ground="" if pieces else "open")


def side_by_side(tables: Sequence[list[str]], columns: int = WIDTH) -> Iterator[str]:
    """Place tables next to each other as far as they fit, aligned at the bottom.

    >>> list(side_by_side([["a1", "a2"], ["b2"]]))
    ['a1', 'a2    b2']
    """
    row: list[list[str]] = []
    for table in tables:
        if row and _total([*row, table]) > columns:
            yield from _join(row)
            yield ""
            row = []
        row.append(table)
    if row:
        yield from _join(row)


def _total(tables: Sequence[list[str]]) -> int:
    return sum(max(map(width, table)) for table in tables) + 4 * (len(tables) - 1)


def _join(tables: Sequence[list[str]]) -> Iterator[str]:
    height = max(map(len, tables))
    padded = [[""] * (height - len(table)) + table for table in tables]
    widths = [max(map(width, table)) for table in tables]
    for lines in zip(*padded, strict=True):
        fitted = (
            line + " " * (size - width(line)) for line, size in zip(lines, widths, strict=True)
        )
        yield "    ".join(fitted).rstrip()


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
        *(_close_tray(tray, columns) for tray in scene.full_trays),
        textwrap.wrap(printable(scene.caption), columns),
        map(arrow_words, scene.arrows),
        legend(scene, columns),
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
    yield from _block(map(arrow_words, scene.arrows))
    yield from _block(_tray_lines(scene.full_trays))
    yield from _block(legend(scene, WIDTH))


def _board_lines(scene: Scene, columns: int) -> Iterator[str]:
    marks = by_place(scene.marks)
    drawn = [lines for panel in boards(scene) if (lines := board(panel, marks, columns))]
    yield from side_by_side([*drawn, *sheet_lines(scene)], columns)


def _block(lines: Iterator[str]) -> Iterator[str]:
    """Put an empty line before a block of lines, unless it is empty."""
    for index, line in enumerate(lines):
        if index == 0:
            yield ""
        yield line


def boards(scene: Scene) -> Iterator[Grid]:
    """Yield the boards, without a pile whose layers the scene also has as boards."""
    again = layers(scene)
    for panel in laid_out(scene.panels, LINE):
        if isinstance(panel, Grid):
            yield panel
        elif not again:
            yield from pile_layers(panel)


def sheet_lines(scene: Scene) -> list[list[str]]:
    """Return the lines of each table of a scene."""
    return [drawn for panel in sheets(scene.panels) if (drawn := table_lines(panel))]


def arrow_words(arrow: Arrow) -> str:
    """Describe an arrow in a line: `push   a1 => a2 (seat 1)`.

    >>> arrow_words(Arrow("a1", "a2", kind="push", seat=1))
    'push   a1 => a2 (seat 1)'
    """
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
    return ansi(seat_colour(tray.seat), f"{title}:")


def _supply(supply: Supply) -> str:
    return f"{supply.count} {ansi(supply.piece.colour, piece_code(supply.piece))}"


def legend(scene: Scene, columns: int) -> Iterator[str]:
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


CODES: Final = (
    "S, M, L are pyramids by size; a digit after is the seat (L1), a letter before the colour (RM)",
    "(LMS)1 are nested pyramids, the outermost first; [LM]1 are bound ones",
    "l d are cubes, one light and one dark; * is a ball",
    ". is an empty place, _1 one that belongs to seat 1, #1 a wall of seat 1",
    "o is an open place, - a closed one",
    "N1 and dN are pieces with a text, of seat 1 and dark; o1 and lo are discs; # is a hidden card",
)


def all_signs() -> Iterator[str]:
    """Yield lines that explain every code and sign of boards."""
    yield from CODES
    yield "before a place: " + ", ".join(f"{sign} {kind}" for kind, sign in MARK.items())
    yield "after a piece: " + ", ".join(f"{sign} {badge}" for badge, sign in BADGE.items())


def _badges(scene: Scene) -> set[str]:
    pieces = [thing for cell in _cells(scene) for thing in cell.pieces]
    worn = {badge for thing in pieces for badge in thing.badges}
    return worn | {"ball" for thing in pieces if thing.shape == "ball"}


def _cells(scene: Scene) -> Iterator[Cell]:
    for panel in scene.panels:
        if not isinstance(panel, Pile):
            yield from panel.cells
