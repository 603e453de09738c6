"""Hexagons, pieces and their ways: a board maps each occupied cell to its stack, bottom first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import compress

Cell = tuple[int, int]
Board = Mapping[Cell, tuple[str, ...]]
BUGS = ("Q", "S1", "S2", "B1", "B2", "G1", "G2", "G3", "A1", "A2", "A3", "M", "L", "P")
PIECES = tuple(colour + bug for colour in "wb" for bug in BUGS)
RANK = {piece: number for number, piece in enumerate(PIECES)}
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six directions, from the right anticlockwise."""
SIDES = dict(zip(STEPS, ("{}-", "{}/", "\\{}", "-{}", "/{}", "{}\\"), strict=True))
"""How a neighbour of a piece is named."""

BESIDE = {
    "{}-": "right of", "{}/": "upper right of", "\\{}": "upper left of",
    "-{}": "left of", "/{}": "lower left of", "{}\\": "lower right of", "{}": "on top of",
}  # fmt: skip
"""The sides of a neighbour in words."""

KINDS = {
    "Q": "queen", "S": "spider", "B": "beetle", "G": "grasshopper", "A": "ant", "M": "mosquito",
    "L": "ladybug", "P": "pillbug",
}  # fmt: skip


def said(piece: str) -> str:
    """Return a piece in words: "white ant 2"."""
    colour = "white" if piece[0] == "w" else "black"
    return " ".join(filter(None, (colour, KINDS[piece[1]], piece[2:])))


def space(name: str) -> str:
    """Return a space in words: "right of white ant 2"; a piece is the space on top of it."""
    piece = name.strip("-/\\")
    where = next(words for form, words in BESIDE.items() if form.format(piece) == name)
    return f"{where} {said(piece)}"


@lru_cache(4096)
def around(cell: Cell) -> tuple[Cell, ...]:
    """Return the six neighbours."""
    return tuple((cell[0] + q, cell[1] + r) for q, r in STEPS)


def lift(board: Board, cell: Cell) -> dict[Cell, tuple[str, ...]]:
    """Return the board without the top piece of a cell."""
    left = dict(board)
    left[cell] = left[cell][:-1]
    if not left[cell]:
        del left[cell]
    return left


def steps(board: Board, cell: Cell, free: bool = False) -> Iterator[Cell]:
    """Yield the cells that a lifted piece can step to, up and down too (HIV-3.3).

    With `free`, gates and contact do not matter.
    """
    near = around(cell)
    here, *high = (len(board.get(one, ())) for one in (cell, *near))
    for side, to in enumerate(near):
        left, right, level = high[side - 1], high[side - 5], max(here, high[side])
        if free or (min(left, right) <= level and (level or left or right)):
            yield to


def slides(board: Board, cell: Cell, free: bool = False) -> Iterator[Cell]:
    """Yield the empty cells that a piece on the table can step to."""
    if free or cell in board:
        return (to for to in steps(board, cell, free) if to not in board)
    near = around(cell)
    full = [one in board for one in near]
    ways = (full[side - 1] != full[side - 5] and not full[side] for side in range(6))
    return compress(near, ways)


def spider(board: Board, cell: Cell, free: bool = False) -> set[Cell]:
    """HIV-5.2."""
    paths = [(cell,)]
    for _ in range(3):
        paths = [(*path, to) for path in paths for to in slides(board, path[-1], free)
                 if to not in path]  # fmt: skip
    return {path[-1] for path in paths}


def ant(board: Board, cell: Cell, free: bool = False) -> set[Cell]:
    """HIV-5.3."""
    seen, open_ = {cell}, [cell]
    while open_:
        for to in slides(board, open_.pop(), free):
            if to not in seen and not (free and board.keys().isdisjoint(around(to))):
                seen.add(to)
                open_.append(to)
    return seen


def grasshopper(board: Board, cell: Cell, free: bool = False) -> set[Cell]:
    """HIV-5.5."""
    ends = set()
    for q, r in STEPS:
        to = (cell[0] + q, cell[1] + r)
        if to in board:
            while to in board:
                to = (to[0] + q, to[1] + r)
            ends.add(to)
    return ends


def ladybug(board: Board, cell: Cell, free: bool = False) -> set[Cell]:
    """HIV-5.6."""
    first = [to for to in steps(board, cell, free) if to in board]
    second = {to for one in first for to in steps(board, one, free) if to in board}
    return {to for one in second for to in slides(board, one, free)}


def mosquito(board: Board, cell: Cell, free: bool = False) -> set[Cell]:
    """HIV-5.7. On top of the hive it is a Beetle."""
    touched = {board[to][-1][1] for to in around(cell) if to in board} - {"M"}
    kinds = {"B"} if cell in board else touched
    return {to for kind in kinds for to in WAYS[kind][0](board, cell, free)}


WAYS = {
    "Q": (slides, "HIV-5.1"),
    "S": (spider, "HIV-5.2"),
    "A": (ant, "HIV-5.3"),
    "B": (steps, "HIV-5.4"),
    "G": (grasshopper, "HIV-5.5"),
    "L": (ladybug, "HIV-5.6"),
    "M": (mosquito, "HIV-5.7"),
    "P": (slides, "HIV-5.8"),
}
"""For each kind of piece the cells it can go to once it is lifted, and its clause."""


def pins(board: Board) -> set[Cell]:
    """Return the cells that hold the others together: articulation points."""
    found: set[Cell] = set()
    number: dict[Cell, int] = {}

    def visit(cell: Cell, parent: Cell | None) -> int:
        low = number[cell] = len(number)
        branches = 0
        for to in around(cell):
            if to in number:
                low = min(low, number[to])
            elif to in board:
                branches += 1
                lowest = visit(to, cell)
                if lowest >= number[cell] and parent is not None:
                    found.add(cell)
                low = min(low, lowest)
        if parent is None and branches > 1:
            found.add(cell)
        return low

    if board:
        visit(next(iter(board)), None)
    return found
