"""Draw boards in monospaced text: labels, rows from the top down, equal columns, marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.scene import Block, Cell, Colour, Grid, Piece, Pile
from replay.drawing.piece_codes import MARK, items, width
from replay.drawing.svg_elements import printable

WIDTH: Final = 80
"""The columns of a terminal for which drawings are made."""


def board(panel: Grid, marks: Mapping[str, Sequence[str]], columns: int = WIDTH) -> list[str]:
    """Draw a board as lines; stacks too long for their column continue on the next line."""
    margin = max((len(label) for label in panel.rows), default=0)
    limit = (columns - margin) // max(1, len(panel.columns)) - 3
    cells = {(cell.column, cell.row): _fold(items(cell), limit) for cell in panel.cells}
    signs = {(cell.column, cell.row): _signs(cell, marks) for cell in panel.cells}
    fitted = _FittedBoard(panel, cells, signs, columns)
    lines = [printable(panel.title)] if panel.title else []
    for row in reversed(range(len(panel.rows))):
        lines += fitted.row(row)
    return [*lines, *fitted.columns()]


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
        self.cells = cells
        self.signs = signs
        self.margin = max(map(len, self.rows), default=0)
        longest = max((width(line) for lines in cells.values() for line in lines), default=1)
        self.width = max(longest, *map(len, self.labels), 1)
        each = (columns - self.margin - 1) // max(1, len(self.labels)) - self.width
        self.slot = max(1, min(each, max(map(len, signs.values()), default=1)))
        self.gap = " " * max(0, min(each - self.slot, 2 if panel.stacks else 1))

    def row(self, row: int) -> Iterator[str]:
        columns = range(len(self.labels))
        height = max((len(self.cells.get((column, row), ())) for column in columns), default=0)
        for line in range(max(1, height)):
            label = self.rows[row] if line == 0 else ""
            texts = (self._text(column, row, line) for column in columns)
            yield f"{label:>{self.margin}} {self.gap.join(texts)}".rstrip()

    def _text(self, column: int, row: int, line: int) -> str:
        lines = self.cells.get((column, row), [])
        text = lines[line] if line < len(lines) else ""
        sign = self.signs.get((column, row), "")[: self.slot] if line == 0 else ""
        return f"{sign:>{self.slot}}{text}{' ' * (self.width - width(text))}"

    def columns(self) -> Iterator[str]:
        if any(self.labels):
            labels = (f"{' ' * self.slot}{label:<{self.width}}" for label in self.labels)
            yield f"{' ' * self.margin} {self.gap.join(labels)}".rstrip()


def layers(panel: Pile) -> list[Grid]:
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
    """Place tables next to each other as far as they fit, aligned at the bottom."""
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
