"""The 35 cells of the pyramid: their names, supports, and the three faces.

Sets of cells are ints, one bit a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

SIDE: Final = 5
LAYERS: Final = "ABCDE"

LEXICON: Final = tuple(
    f"{layer}{row}{column}" for layer in LAYERS for row in range(1, 6) for column in range(1, 6)
)
"""Every text with the form of a cell, including cells outside the pyramid."""

if TYPE_CHECKING:
    CellName = str
else:
    CellName = Literal[LEXICON]


class Spot:
    """The place of a cell: layer, row and column from 0."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.layer = LAYERS.index(name[0])
        self.row = int(name[1]) - 1
        self.column = int(name[2]) - 1

    @property
    def inside(self) -> bool:
        """Return whether the cell lies in the pyramid (CUB-1.2)."""
        return self.row + self.column < SIDE - self.layer

    @property
    def supports(self) -> tuple[str, ...]:
        """The cells below that support it (CUB-1.3)."""
        if not self.layer:
            return ()
        below, row, column = LAYERS[self.layer - 1], self.row + 1, self.column + 1
        return f"{below}{row}{column}", f"{below}{row + 1}{column}", f"{below}{row}{column + 1}"

    @property
    def faces(self) -> tuple[bool, bool, bool]:
        """Whether the cell is part of face 1, of face 2 and of face 3 (CUB-1.4)."""
        return self.row == 0, self.column == 0, self.row + self.column == SIDE - 1 - self.layer


SPOTS: Final = tuple(spot for spot in map(Spot, LEXICON) if spot.inside)
"""The cells from the board up; bit *n* is the cell of `SPOTS[n]`."""

NAMES: Final = tuple(spot.name for spot in SPOTS)
BIT: Final[Mapping[str, int]] = {name: 1 << number for number, name in enumerate(NAMES)}


def cells(members: Iterable[str]) -> int:
    """Return the set of the cells with these names."""
    return sum(BIT[name] for name in members)


@lru_cache(4096)  # asked again for the images of a position
def names(some: int) -> tuple[str, ...]:
    """Return the names of a set of cells, from the board up."""
    return tuple(name for name, bit in BIT.items() if some & bit)


ALL: Final = cells(NAMES)
GROUND: Final = cells(spot.name for spot in SPOTS if spot.layer == 0)
"""Layer A, open from the start (CUB-2.3)."""

FACES: Final = tuple(cells(spot.name for spot in SPOTS if spot.faces[face]) for face in range(3))

SUPPORTS: Final[Mapping[str, int]] = {spot.name: cells(spot.supports) for spot in SPOTS}
"""For each cell its supports (CUB-1.3)."""

ABOVE: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    name: tuple((BIT[upper], below) for upper, below in SUPPORTS.items() if BIT[name] & below)
    for name in NAMES
}
"""For each cell the cells it supports, each with the three supports of that cell."""

SLOT: Final[tuple[Mapping[str, int], ...]] = ({}, {"light": 0, "dark": 1}, {"light": 2, "dark": 3})
"""The index of a seat's cubes of a colour in the supplies."""
