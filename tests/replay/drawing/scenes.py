"""Scenes made by hand, one for each kind of picture the games ask for."""

from __future__ import annotations

from domain.scene import Arrow, Block, Cell, Colour, Grid, Mark, Piece, Pile, Scene, Supply, Tray


def pyramid(colour: Colour, size: int, *badges: str) -> Piece:
    return Piece("pyramid", colour, size, badges)


def one_cell(*pieces: Piece, **fields: object) -> Scene:
    """A board of a single square a1."""
    cell = Cell("a1", 0, 0, pieces, **fields)
    return Scene((Grid(("a",), ("1",), (cell,)),))


def board(columns: str, rows: int, filled: dict[str, Cell], *, stacks: bool = False) -> Grid:
    cells = []
    for row in range(rows):
        for column, letter in enumerate(columns):
            name = f"{letter}{row + 1}"
            cells.append(filled.get(name, Cell(name, column, row)))
    labels = tuple(str(row + 1) for row in range(rows))
    return Grid(tuple(columns), labels, tuple(cells), stacks=stacks)


def with_text(text: str) -> Scene:
    """A scene with a text wherever a scene can have one."""
    cell = Cell("a1\"'<", 0, 0, (pyramid("seat1", 1, "<b>"),), ground="<g>", note=text)
    return Scene(
        (Grid((text,), (text,), (cell,), text),),
        (Tray(text, 1, lines=(text,)),),
        (Arrow(cell.at, "b1", '"<x'),),
        (Mark(cell.at, '"<y'), Mark(cell.at, "label", '"<z')),
        text,
    )


POPTRIX = Scene(
    (
        board(
            "abcde",
            3,
            {
                "a1": Cell("a1", 0, 0, (pyramid("seat1", 3, "cap"),), ground="home1"),
                "b1": Cell("b1", 1, 0, ground="home1"),
                "c2": Cell("c2", 2, 1, (pyramid("seat2", 1),)),
                "e3": Cell("e3", 4, 2, (pyramid("seat2", 2),), ground="home2"),
            },
        ),
    ),
    (
        Tray("Seat 1", 1, (Supply(pyramid("seat1", 1), 2), Supply(pyramid("seat1", 2), 0))),
        Tray("Seat 2", 2, (Supply(pyramid("seat2", 3), 2),), ("cap in the stash",)),
    ),
    marks=(Mark("b1", "from"), Mark("a1", "to"), Mark("c2", "removed")),
)

TOWER = (pyramid("blue", 3), pyramid("blue", 2), pyramid("blue", 1), pyramid("black", 3))
BLOCKADE = Scene(
    (
        board(
            "ab",
            2,
            {
                "a1": Cell(
                    "a1", 0, 0, TOWER, ground="blockade1", look="wall", ground_word="blockade"
                ),
                "b1": Cell(
                    "b1",
                    1,
                    0,
                    (pyramid("clear", 3), *[pyramid("yellow", 2)] * 6, pyramid("red", 1)),
                ),
                "b2": Cell("b2", 1, 1, (pyramid("green", 3), pyramid("green", 1)), note="tower"),
            },
            stacks=True,
        ),
    ),
    (Tray("Black", 0, (Supply(pyramid("black", 2), 4),)),),
    (Arrow("b2", "a1", "move", 1),),
)

NEST = (pyramid("seat3", 3), pyramid("seat3", 2), pyramid("seat3", 1))
POWER_PLAY = Scene(
    (
        board(
            "abc",
            2,
            {
                "a1": Cell("a1", 0, 0, NEST, "nest", "start3", group="nest of strength 6"),
                "b1": Cell("b1", 1, 0, NEST, "bound", group="power piece of strength 6"),
                "c1": Cell("c1", 2, 0, (pyramid("black", 3),)),
                "c2": Cell("c2", 2, 1, (pyramid("seat4", 2),), ground="start4"),
            },
        ),
    ),
    arrows=(Arrow("a1", "c1", "hop", 3),),
    marks=(Mark("a2", "due"),),
)

BALL = Scene(
    (
        board(
            "abc",
            3,
            {
                "a1": Cell("a1", 0, 0, (pyramid("seat1", 2, "ball", "halted"),), ground="goal1"),
                "b2": Cell("b2", 1, 1, (pyramid("seat2", 3),)),
                "c3": Cell("c3", 2, 2, (Piece("ball", "yellow"),), ground="goal2"),
                "a3": Cell("a3", 0, 2, (Piece("ball", "yellow"), pyramid("seat2", 1))),
            },
        ),
    ),
    (Tray("Seat 1", 1, lines=("0 points", "S=FR.,M=..F,L=LLF,pass=2L")),),
    (
        Arrow("a1", "a2", "move", 1),
        Arrow("b2", "b3", "push", 2),
        Arrow("a1", "c3", "pass", 1),
        Arrow("b2", "c2", "failed", 2),
    ),
    (Mark("b2", "failed"),),
    "row 2: a pass",
)

CUBES = Scene(
    (
        Pile(
            2,
            (
                Block("A11", 0, 0, 0, "light"),
                Block("A12", 0, 0, 1, "dark"),
                Block("A21", 0, 1, 0, "dark"),
                Block("B11", 1, 0, 0, open=True),
            ),
            "Pyramid",
        ),
    ),
    (
        Tray(
            "Seat 1 (Light)",
            1,
            (Supply(Piece("cube", "light"), 13), Supply(Piece("cube", "dark"), 5)),
        ),
    ),
    marks=(Mark("A12", "to"), Mark("B11", "due")),
)

NOTED = Scene(
    (
        board("ab", 2, {"a1": Cell("a1", 0, 0, (pyramid("seat1", 3),))}),
        Pile(2, (Block("A11", 0, 0, 0, "light"), Block("A12", 0, 0, 1, "dark")), "Pyramid"),
    ),
    arrows=(Arrow("a1", "b2", "note"), Arrow("A11", "A12", "note")),
    marks=(
        Mark("a1", "circle"),
        Mark("a1", "label", "A"),
        Mark("b2", "label", "xyz"),
        Mark("A12", "circle"),
        Mark("A11", "label", "1"),
    ),
)

ALL = {
    "poptrix": POPTRIX,
    "blockade": BLOCKADE,
    "power-play": POWER_PLAY,
    "ball": BALL,
    "cubes": CUBES,
    "noted": NOTED,
}
