"""A view as data to draw, for renderers that know no rules.

A scene has panels (a grid of cells, a row of pieces, a pile of cubes, a table, a graph, a text),
trays next to them (supplies), arrows and marks. Places have the names of the notation ("c3",
"B12"); everything with a name can be tapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from domain.names import count

Shape = Literal["pyramid", "cube", "ball", "disc", "letter", "card", "symbol", "tile"]
Colour = Literal[
    "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "seat7", "seat8", "seat9",
    "black", "clear", "blue", "green", "red", "yellow", "light", "dark",
]  # fmt: skip
"""`seatN` is the colour of seat N in games whose pieces have no colours of their own."""


TALLEST: Final = 12
"""The most pieces of a stack that are drawn; of a taller one the top is drawn, and the number."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """A pyramid of `size` 1 to 3 (its pips), a cube, a ball, or a flat piece with a `text`.

    `badges` of pyramids are `cap`, `ball` and `halted`. The flat pieces are a `disc`, a `letter`, a
    `card`, a `symbol` and a `tile`, which may have a `second` line and a `price`. The text of a
    card is its rank and its suit, "10♥"; without it the card lies face down. `symbol` names a
    drawing, "PACKAGE/GAME/knight" for the file `GAME/symbols/knight.svg` of a package of seeds; the
    text stands for it in a terminal. `at` is the name of a piece in a `Row`.
    """

    shape: Shape
    """The shape of the piece."""
    colour: Colour
    """The colour of the piece."""
    size: int = 0
    """The size of the piece."""
    badges: tuple[str, ...] = ()
    """Signs on the piece: `cap`, `ball`, `halted`."""
    text: str = ""
    """The text on a flat piece, or the substitute of its symbol; may be empty."""
    symbol: str = ""
    """The name of the drawing of a symbol: `chess.seeds/chess/knight`."""
    at: str = ""
    """The name of a piece in a row, by which it is tapped; may be empty."""
    second: str = ""
    """The second line of a tile; may be empty."""
    price: str = ""
    """The price in the corner of a tile; may be empty."""


class Cell(Struct, frozen=True, omit_defaults=True):
    """A place: `column` and `row` count from 0 at the lower left of its panel.

    `pieces` are ordered from the bottom up, or in a `nest` from the outermost in; `bound` ones are
    framed. `ground` is the kind of place: `home1`, `start2`, `corner1`, `goal1`, `wall1`, ending
    in the seat that owns it, `open`, `closed`, or `star`, a dot. `note` is a word to print there.

    A place of a kind that only one game has is drawn as the kind `look`. `ground_word` is the
    game's word for the place, `group` its words for several pieces as one.
    """

    at: str
    """The name of the place."""
    column: int
    """The column, counted from 0 at the left."""
    row: int
    """The row, counted from 0 at the bottom."""
    pieces: tuple[Piece, ...] = ()
    """The pieces on the place, from the bottom up; in a nest from the outside in."""
    arrangement: Literal["stack", "nest", "bound"] = "stack"
    """The way the pieces are put together."""
    ground: str = ""
    """The kind of the place, as the game names it."""
    note: str = ""
    """A remark of the game about the place; may be empty."""
    look: str = ""
    """The kind of place whose drawing is used; empty for the place's own kind."""
    ground_word: str = ""
    """The game's word for the place; may be empty."""
    group: str = ""
    """The game's words for several pieces as one; may be empty."""

    @property
    def shown(self) -> tuple[Piece, ...]:
        """The pieces that are drawn: all, or the uppermost `TALLEST`."""
        return self.pieces[-TALLEST:]

    @property
    def height(self) -> int:
        """The number of pieces of a stack whose lower part is not drawn; 0 for any other stack."""
        return len(self.pieces) if len(self.pieces) > TALLEST else 0


class Grid(Struct, frozen=True, omit_defaults=True, tag="grid"):
    """A flat board: labels of the columns left to right and of the rows bottom to top.

    It has all its places as `cells`, or only some, as on a table that grows. Every odd row of
    `hexes` is shifted to the right by half a hex: a hex has the neighbours (column ± 1, row), and
    (column, row ± 1) with the column to their left in an even row, to their right in an odd row.
    A square of a `chequered` board is dark if its column and row have an even sum.

    `spikes` are the two rows of long places of backgammon: pieces lie in a line from the edge of
    the board, and the `note` of a place is its number. A place without a note has no spike.
    """

    columns: tuple[str, ...]
    """The labels of the columns from left to right."""
    rows: tuple[str, ...]
    """The labels of the rows from bottom to top."""
    cells: tuple[Cell, ...]
    """The places of the board."""
    title: str = ""
    """A heading."""
    stacks: bool = False
    """Whether cells contain stacks, which are drawn fanned out from the side."""
    lines: Literal["cells", "points", "hexes", "spikes"] = "cells"
    """Whether pieces lie in squares, where lines meet, in hexes, or on long places."""
    chequered: bool = False
    """Whether the squares are light and dark by turns, the lower left one dark."""
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
    """The pieces in the game's order."""
    title: str = ""
    """A heading."""
    at: str = ""
    """The name of an open place at the end of the row; empty if there is no such place."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The places of the row as one line."""
        cells = [Cell(piece.at, at, 0, (piece,)) for at, piece in enumerate(self.pieces)]
        end = [Cell(self.at, len(cells), 0, ground="open")] if self.at else []
        return (*cells, *end)


class Block(Struct, frozen=True, omit_defaults=True):
    """A cube of a pile, or an open space, by layer (0 at the bottom), row and column from 0."""

    at: str
    """The name of the place."""
    layer: int
    """The layer, counted from 0 at the bottom."""
    row: int
    """The row, counted from 0 at the bottom."""
    column: int
    """The column, counted from 0 at the left."""
    colour: Colour | None = None
    """The colour of the cube; null for an open space."""
    open: bool = False
    """Whether a cube can be put there."""


class Pile(Struct, frozen=True, omit_defaults=True, tag="pile"):
    """A corner pile of cubes, drawn isometrically; `side` is the length of its edge in cubes."""

    side: int
    """The length of an edge, in cubes."""
    blocks: tuple[Block, ...]
    """The cubes and the open spaces."""
    title: str = ""
    """A heading."""


class TableLine(Struct, frozen=True, omit_defaults=True):
    """A line of a table: its title, and a text for each column; with a name it can be tapped."""

    title: str
    """The title of the line."""
    texts: tuple[str, ...]
    """A text for each column; empty until one is entered."""
    at: str = ""
    """The name of the line, by which it is tapped; may be empty."""


class Table(Struct, frozen=True, omit_defaults=True, tag="table"):
    """Texts in columns, like the scores of rounds; the lines of `foot` are in bold, like totals.

    `latest` is the number of the line and of the column that changed last, from 0.
    """

    heads: tuple[str, ...]
    """The titles of the columns."""
    lines: tuple[TableLine, ...]
    """The texts of the table, line by line."""
    foot: tuple[TableLine, ...] = ()
    """The lines in bold at the end, like totals."""
    title: str = ""
    """A heading."""
    latest: tuple[int, int] | None = None
    """The numbers of the line and of the column that changed last, from 0."""
    earlier: tuple[TableLine, ...] = ()
    """The lines before, for which a picture has no room."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The lines that can be tapped, as places."""
        return tuple(Cell(line.at, 0, row) for row, line in enumerate(self.lines) if line.at)


class Graph(Struct, frozen=True, omit_defaults=True, tag="graph"):
    """A curve for each seat: its values after each round, from the first."""

    curves: tuple[tuple[int, ...], ...]
    """The values of each seat after each round."""
    title: str = ""
    """A heading."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """No places."""
        return ()


class FixedText(Struct, frozen=True, omit_defaults=True, tag="text"):
    """Lines whose characters all have one width, like a board that a different program wrote."""

    lines: tuple[str, ...]
    """The lines, with their spaces."""
    title: str = ""
    """A heading."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """No places."""
        return ()


Panel = Grid | Row | Pile | Table | Graph | FixedText


class Supply(Struct, frozen=True):
    """A number of pieces of one kind."""

    piece: Piece
    """The kind of piece."""
    count: int
    """How many there are."""


class Score(Struct, frozen=True):
    """The score of a seat in the terms of its game.

    `text` is short: "3/5 ▲"; `words` say the same: "3 of 5 towers". The seat with more `points`
    leads; the lead is counted in `unit`: "tower".
    """

    points: float
    """The seat's points, perhaps with a half; the seat with the most leads."""
    text: str
    """The score in short: `3/5`."""
    words: str
    """The score in words."""
    unit: str
    """The unit of a point, like `tower`."""

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
    """A heading."""
    seat: int = 0
    supplies: tuple[Supply, ...] = ()
    """The pieces that are not on the board."""
    lines: tuple[str, ...] = ()
    """Lines of text about the seat."""
    score: Score | None = None
    """The score of the seat; null in games without a score."""
    colours: tuple[Colour, ...] = ()
    """The colours of the seat's pieces."""
    far: bool = False
    """Whether the seat sits at the upper edge of the board."""

    @property
    def own_colours(self) -> tuple[Colour, ...]:
        """The colours of the seat's pieces; empty if that is only the seat's colour."""
        return () if self.colours == (f"seat{self.seat}",) else self.colours


class Arrow(Struct, frozen=True, omit_defaults=True):
    """An arrow between places, of a `kind`: `move`, `push`, `hop`, `pass` or `failed`.

    Any other kind looks like `move`. Annotations add the kind `note`.
    """

    start: str
    """The place where the arrow begins."""
    end: str
    """The place where the arrow ends."""
    kind: str = "move"
    seat: int = 0


class Mark(Struct, frozen=True, omit_defaults=True):
    """A highlighted place, of a `kind`: `from`, `to`, `ball`, `removed`, `due` or `failed`.

    Any other kind shows its initial. Annotations add `circle`, and `label` with a short `text`.
    """

    at: str
    """The name of the place."""
    kind: str
    text: str = ""
    """A short text on the place."""


class Scene(Struct, frozen=True, omit_defaults=True):
    """A picture. `frames` are the steps of the last event, if it had several.

    Each name belongs to one place; only boards that show a `Pile` again, layer by layer, repeat its
    names, and cannot be tapped.
    """

    panels: tuple[Panel, ...]
    """The boards, rows and piles."""
    trays: tuple[Tray, ...] = ()
    """The supplies next to the board."""
    arrows: tuple[Arrow, ...] = ()
    """Arrows drawn over the board."""
    marks: tuple[Mark, ...] = ()
    """Highlighted places."""
    caption: str = ""
    """The picture in one sentence."""
    frames: tuple[Scene, ...] = ()
    """The pictures of the steps of the last event."""

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
