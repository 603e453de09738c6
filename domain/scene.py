"""A view as data to draw, for renderers that know no rules.

A scene has panels (a grid of cells, a row of pieces, a pile of cubes, a table, a graph), trays next
to them (supplies), arrows and marks. Places have the names of the notation ("c3",
"B12"); everything with a name can be tapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from domain.names import count

Shape = Literal["pyramid", "cube", "ball", "disc", "letter", "card", "symbol"]
Colour = Literal[
    "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "seat7", "seat8", "seat9",
    "black", "clear", "blue", "green", "red", "yellow", "light", "dark",
]  # fmt: skip
"""`seatN` is the colour of seat N in games whose pieces have no colours of their own."""


TALLEST: Final = 12
"""The most pieces of a stack that are drawn; of a taller one the top is drawn, and the number."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """A pyramid of `size` 1 to 3 (its pips), a cube, a ball, or a flat piece with a `text`.

    `badges` of pyramids are `cap`, `ball` and `halted`. The flat pieces are a `disc`, a `letter` (a
    tile), a `card` and a `symbol`. The text of a card is its rank and its suit, "10♥"; without it
    the card lies face down. `symbol` names a drawing, "PACKAGE/GAME/knight" for the file
    `GAME/symbols/knight.svg` of a package of seeds; the text stands for it in a terminal. `at` is
    the name of a piece in a `Row`.
    """

    shape: Shape
    colour: Colour
    size: int = 0
    badges: tuple[str, ...] = ()
    text: str = ""
    symbol: str = ""
    at: str = ""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A place: `column` and `row` count from 0 at the lower left of its panel.

    `pieces` are ordered from the bottom up, or in a `nest` from the outermost in; `bound` ones are
    framed. `ground` is the kind of place: `home1`, `start2`, `corner1`, `goal1`, `wall1`, ending
    in the seat that owns it, `open`, `closed`, or `star`, a dot. `note` is a word to print there.

    A place of a kind that only one game has is drawn as the kind `look`. `ground_word` is the
    game's word for the place, `group` its words for several pieces as one.
    """

    at: str
    column: int
    row: int
    pieces: tuple[Piece, ...] = ()
    arrangement: Literal["stack", "nest", "bound"] = "stack"
    ground: str = ""
    note: str = ""
    look: str = ""
    ground_word: str = ""
    group: str = ""

    @property
    def shown(self) -> tuple[Piece, ...]:
        """The pieces that are drawn: all, or the uppermost `TALLEST`."""
        return self.pieces[-TALLEST:]

    @property
    def height(self) -> int:
        """The number of pieces of a stack of which only the top is drawn; 0 for any other."""
        return len(self.pieces) if len(self.pieces) > TALLEST else 0


class Grid(Struct, frozen=True, omit_defaults=True, tag="grid"):
    """A flat board: labels of the columns left to right and of the rows bottom to top.

    It has all its places as `cells`, or only some, as on a table that grows. Every odd row of
    `hexes` is shifted to the right by half a hex: a hex has the neighbours (column ± 1, row), and
    (column, row ± 1) with the column to their left in an even row, to their right in an odd row.
    A square of a `chequered` board is dark if its column and row have an even sum.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[Cell, ...]
    title: str = ""
    stacks: bool = False
    """Whether cells contain stacks, which are drawn fanned out from the side."""
    lines: Literal["cells", "points", "hexes"] = "cells"
    chequered: bool = False
    ways: tuple[tuple[str, str], ...] = ()
    """The pairs of places that a line joins on a board of `points`; if empty, all neighbours."""

    @classmethod
    def of(
        cls,
        columns: Iterable[str],
        rows: Iterable[str],
        pieces: Mapping[str, tuple[Piece, ...]],
        **fields: Any,
    ) -> Grid:
        """Return a board with pieces on its places; `c3` is in the column `c` and the row `3`."""
        across, up = tuple(columns), tuple(rows)
        cells = (
            Cell(f"{column}{row}", x, y, pieces.get(f"{column}{row}", ()))
            for y, row in enumerate(up)
            for x, column in enumerate(across)
        )
        return cls(across, up, tuple(cells), **fields)


class Row(Struct, frozen=True, omit_defaults=True, tag="row"):
    """Pieces in the game's order, like a hand, a trick or a bank; drawers break it into lines.

    `at` is the name of an open place at its end, to put something there.
    """

    pieces: tuple[Piece, ...]
    title: str = ""
    at: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The places of the row as one line."""
        cells = [Cell(piece.at, at, 0, (piece,)) for at, piece in enumerate(self.pieces)]
        end = [Cell(self.at, len(cells), 0, ground="open")] if self.at else []
        return (*cells, *end)


class Block(Struct, frozen=True, omit_defaults=True):
    """A cube of a pile, or an open space, by layer (0 at the bottom), row and column from 0."""

    at: str
    layer: int
    row: int
    column: int
    colour: Colour | None = None
    open: bool = False


class Pile(Struct, frozen=True, omit_defaults=True, tag="pile"):
    """A corner pile of cubes, drawn isometrically; `side` is the length of its edge in cubes."""

    side: int
    blocks: tuple[Block, ...]
    title: str = ""


class TableLine(Struct, frozen=True):
    """A line of a table: its title, and a text for each column."""

    title: str
    texts: tuple[str, ...]


class Table(Struct, frozen=True, omit_defaults=True, tag="table"):
    """Texts in columns, like the scores of rounds; the lines of `foot` are in bold, like totals.

    `latest` is the number of the line and of the column that changed last, from 0.
    """

    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    foot: tuple[TableLine, ...] = ()
    title: str = ""
    latest: tuple[int, int] | None = None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """No places."""
        return ()


class Graph(Struct, frozen=True, omit_defaults=True, tag="graph"):
    """A curve for each seat: its values after each round, from the first."""

    curves: tuple[tuple[int, ...], ...]
    title: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """No places."""
        return ()


Panel = Grid | Row | Pile | Table | Graph


class Supply(Struct, frozen=True):
    """A number of pieces of one kind."""

    piece: Piece
    count: int


class Score(Struct, frozen=True):
    """The score of a seat in the terms of its game.

    `text` is short: "3/5 ▲"; `words` say the same: "3 of 5 towers". The seat with more `points`
    leads; the lead is counted in `unit`: "tower".
    """

    points: int
    text: str
    words: str
    unit: str

    @staticmethod
    def of(points: int, unit: str, text: str = "", words: str = "") -> Score:
        """Return a score; without words it is the number of its units."""
        counted = count(points, unit)
        return Score(points, text or counted, words or counted, unit)


class Tray(Struct, frozen=True, omit_defaults=True):
    """The supplies of a seat (0: common ones) next to the board, with lines of text.

    `colours` are the colours of the seat's pieces. `far` is true for a seat at the upper edge of
    the board, whose player wants to see the board turned round.
    """

    title: str
    seat: int = 0
    supplies: tuple[Supply, ...] = ()
    lines: tuple[str, ...] = ()
    score: Score | None = None
    colours: tuple[Colour, ...] = ()
    far: bool = False

    @property
    def own_colours(self) -> tuple[Colour, ...]:
        """The colours of the seat's pieces; empty if that is only the seat's colour."""
        return () if self.colours == (f"seat{self.seat}",) else self.colours


class Arrow(Struct, frozen=True, omit_defaults=True):
    """An arrow between places, of a `kind`: `move`, `push`, `hop`, `pass` or `failed`.

    Another kind looks like `move`. Annotations add the kind `note`.
    """

    start: str
    end: str
    kind: str = "move"
    seat: int = 0


class Mark(Struct, frozen=True, omit_defaults=True):
    """A highlighted place, of a `kind`: `from`, `to`, `ball`, `removed`, `due` or `failed`.

    Another kind shows its initial. Annotations add `circle`, and `label` with a short `text`.
    """

    at: str
    kind: str
    text: str = ""


class Scene(Struct, frozen=True, omit_defaults=True):
    """A picture. `frames` are the steps of the last event, if it had several.

    Each name belongs to one place; only boards that show a `Pile` again, layer by layer, repeat its
    names, and cannot be tapped.
    """

    panels: tuple[Panel, ...]
    trays: tuple[Tray, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    caption: str = ""
    frames: tuple[Scene, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the places of all panels."""
        return tuple(
            each.at
            for panel in self.panels
            for each in (panel.blocks if isinstance(panel, Pile) else panel.cells)
            if each.at
        )

    @property
    def full_trays(self) -> tuple[Tray, ...]:
        """The trays that show more than a score."""
        return tuple(tray for tray in self.trays if tray.supplies or tray.lines)

    def colours(self, seat: int | None) -> tuple[Colour, ...]:
        """Return the colours of a seat's pieces; empty if that is only the seat's colour."""
        return next((tray.own_colours for tray in self.trays if tray.seat == seat), ())
