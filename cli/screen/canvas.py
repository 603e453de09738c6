"""A rectangle of coloured characters, to draw on."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from rich.style import Style
from rich.text import Text


class Canvas:
    """Characters with styles, by row and column from the upper left."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[(" ", Style.null())] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write a text over the canvas; a style without background keeps the one below."""
        row = self._rows[y]
        for column, character in enumerate(text, x):
            row[column] = character, row[column][1] + style

    def fill(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        """Paint a rectangle."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def text(self) -> Text:
        """Return the drawing as lines of text."""
        return Text("\n", no_wrap=True).join(map(_line, self._rows))


def _line(row: list[tuple[str, Style]]) -> Text:
    runs = groupby(row, key=itemgetter(1))
    return Text.assemble(*(("".join(one for one, _ in run), style) for style, run in runs))
