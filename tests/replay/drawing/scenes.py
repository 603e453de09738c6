"""Scenes made by hand, one for each kind of picture the games ask for."""

from __future__ import annotations

from domain.scene import (
    Arrow,
    Block,
    Cell,
    Colour,
    Grid,
    Mark,
    Piece,
    Pile,
    Row,
    Scene,
    Supply,
    Tray,
)


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
    flat = tuple(Piece(shape, "seat1", text=text, at=text) for shape in ("disc", "letter", "card"))
    return Scene(
        (Grid((text,), (text,), (cell,), text), Row(flat, text, "end")),
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


def tile(colour: Colour, text: str, at: str = "") -> Piece:
    return Piece("letter", colour, text=text, at=at)


def card(text: str, colour: Colour = "clear", at: str = "") -> Piece:
    return Piece("card", colour, text=text, at=at)


def figure(name: str, colour: Colour) -> Piece:
    """A symbol of the tests, `pieces/symbols/knight.svg`."""
    letter = {"knight": "N", "pawn": "P"}[name]
    return Piece("symbol", colour, text=letter, symbol=f"tests.replay.drawing/pieces/{name}")


HEXES = Scene(
    (
        Grid(
            ("",) * 4,
            ("",) * 3,
            (
                Cell("q1", 1, 0, (tile("light", "Q"),)),
                Cell("a1", 2, 0),
                Cell("q2", 1, 1, (tile("dark", "A"), tile("dark", "S"), tile("light", "B"))),
                Cell("a2", 2, 1, (tile("dark", "G"),)),
                Cell("a3", 0, 2),
                Cell("q3", 2, 2, (tile("dark", "Q"),), ground="home2"),
            ),
            lines="hexes",
        ),
        Row((tile("light", "A", "wA1"), tile("light", "S", "wS2")), "Light's pieces", "box"),
    ),
    arrows=(Arrow("wA1", "a1"), Arrow("a2", "q3")),
    marks=(Mark("a1", "to"), Mark("a2", "from"), Mark("a3", "due"), Mark("q3", "removed")),
)

POINTS = Scene(
    (
        Grid(
            tuple("ABCDEFGHJ"),
            tuple("123456789"),
            tuple(
                Cell(
                    f"{letter}{row + 1}",
                    column,
                    row,
                    (Piece("disc", "black" if (row + column) % 2 else "clear"),)
                    if row * column % 5 == 2
                    else (),
                    ground="star" if row in (2, 4, 6) and column in (2, 4, 6) else "",
                )
                for row in range(9)
                for column, letter in enumerate("ABCDEFGHJ")
            ),
            lines="points",
        ),
    ),
    (Tray("Black", 1, (Supply(Piece("disc", "clear"), 3),), colours=("black",)),),
    marks=(Mark("C2", "to"),),
)

MEN = {
    "a1": (figure("knight", "light"),),
    "b1": (figure("pawn", "light"),),
    "c3": (figure("pawn", "dark"),),
    "d4": (figure("knight", "dark"),),
    "e3": (Piece("disc", "seat1"), Piece("disc", "seat1")),
    "f4": (Piece("disc", "seat2", text="K"),),
    "g5": (figure("knight", "seat3"),),
    "h6": (tile("seat9", "Qu"),),
}
CHEQUERED = Scene(
    (
        Grid(
            tuple("abcdefgh"),
            tuple("12345678"),
            tuple(
                Cell(f"{letter}{row + 1}", column, row, MEN.get(f"{letter}{row + 1}", ()))
                for row in range(8)
                for column, letter in enumerate("abcdefgh")
            ),
            chequered=True,
        ),
    ),
    arrows=(Arrow("b1", "b3"),),
    marks=(Mark("b1", "from"), Mark("c3", "to")),
)

CARDS = Scene(
    (
        Row((card("10♥", "seat4"), card("2♠", "seat1")), "Trick"),
        Row(
            (
                *(card(f"{rank}♣", at=f"{rank}C") for rank in "24679J"),
                *(card(f"{rank}♦", at=f"{rank}D") for rank in "35QK"),
                card("Joker", at="joker"),
            ),
            "Your hand",
        ),
        Row((card("", "seat2"), card("", "blue")), "Hidden"),
        Row((), "Nothing"),
    ),
    marks=(Mark("QD", "to"),),
)

ALL = {
    "poptrix": POPTRIX,
    "blockade": BLOCKADE,
    "power-play": POWER_PLAY,
    "ball": BALL,
    "cubes": CUBES,
    "noted": NOTED,
    "hexes": HEXES,
    "points": POINTS,
    "chequered": CHEQUERED,
    "cards": CARDS,
}


def places_of(scene: Scene) -> list[Cell | Block]:
    """The places of all panels."""
    return [
        place
        for panel in scene.panels
        for place in (panel.blocks if isinstance(panel, Pile) else panel.cells)
    ]
