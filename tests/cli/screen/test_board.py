"""The board as box lines: sizes of pieces, marks, and squares that never move."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem

from cli.screen.board import draw_boards, fitting_scale
from cli.screen.palette import CHEQUER, EMBER, GLOW, PAPER, SQUARE, tint
from domain.scene import Arrow, Cell, Grid, Mark, Piece, Scene
from replay.drawing import text
from replay.drawing.colours import PAINTS
from replay.drawing.svg_elements import printable
from replay.reading import timeline
from tests.replay.drawing.scenes import ALL

PIECES = tuple(
    Cell(name, column, 0, (Piece("pyramid", "seat1", size),))
    for column, (name, size) in enumerate((("a1", 1), ("b1", 2), ("c1", 3)))
)
BOARD = Grid(("a", "b", "c"), ("1",), PIECES)
GAMES = ("poptrix", "blockade", "power-play", "pyramid-ball", "cube-pyramid")


def drawn(scene: Scene, columns: int, rows: int, *, colour: bool = True) -> list[str]:
    return draw_boards(scene, columns, rows, colour=colour).plain.split("\n")


def backgrounds(scene: Scene) -> set[str]:
    spans = draw_boards(scene, 40, 8, colour=True).spans
    return {span.style.bgcolor.name for span in spans if span.style.bgcolor}


def test_pyramids_have_three_sizes():
    assert drawn(Scene((BOARD,)), 30, 6) == [
        "  ┌───────┬───────┬───────┐",
        "  │       │       │  ▟█▙  │",
        "1 │       │  ▟█▙  │ ▟███▙ │",
        "  │  ▟1▙  │ ▟█1█▙ │▟██1██▙│",
        "  └───────┴───────┴───────┘",
        "      a       b       c    ",
    ]


def test_narrow_squares_hold_codes():
    assert drawn(Scene((BOARD,)), 16, 4)[1] == "1 │S1 │M1 │L1 │"


def test_nest_shows_its_sizes_at_the_base():
    nest = tuple(Piece("pyramid", "seat2", size) for size in (3, 2, 1))
    board = Grid(("a",), ("1",), (Cell("a1", 0, 0, nest, "nest"),))
    assert "▟LMS2█▙" in "".join(drawn(Scene((board,)), 20, 4))


def test_long_stacks_count_hidden_pieces():
    stack = tuple(Piece("pyramid", "blue", 1) for _ in range(9))
    board = Grid(("a",), ("1",), (Cell("a1", 0, 0, stack),), stacks=True)
    assert "+7" in "".join(drawn(Scene((board,)), 8, 3))


@pytest.mark.parametrize(
    "scene",
    [
        Scene((BOARD,), marks=(Mark("b1", "from"), Mark("c1", "to"))),
        Scene((BOARD,), arrows=(Arrow("b1", "c1"),)),
    ],
)
def test_backgrounds_show_the_last_move(scene):
    assert {GLOW, EMBER} <= backgrounds(scene)
    assert not {GLOW, EMBER} & backgrounds(Scene((BOARD,)))
    assert "<" not in "".join(drawn(scene, 40, 8))


def test_cube_does_not_hide_its_mark():
    board = Grid(("a",), ("1",), (Cell("a1", 0, 0, (Piece("cube", "light"),)),))
    picture = draw_boards(Scene((board,), marks=(Mark("a1", "to"),)), 7, 4, colour=True)
    assert GLOW in {span.style.bgcolor.name for span in picture.spans if span.style.bgcolor}


def test_without_colour_signs_show_the_last_move():
    scene = Scene((BOARD,), marks=(Mark("b1", "from"), Mark("c1", "to"), Mark("a1", "due")))
    lines = drawn(scene, 40, 8, colour=False)
    assert lines[1] == "  │?      │<      │> ▟█▙  │"
    assert drawn(scene, 40, 8)[1] == "  │?      │       │  ▟█▙  │"


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("size", [(38, 12), (58, 20), (78, 30)])
def test_squares_never_move_during_a_match(demo, slug, size):
    record = demo(slug)
    scenes = [timeline.point(record, ply).scene for ply in range(0, record.ply() + 1, 7)]
    assert len({fitting_scale(list(text.boards(scene)), *size) for scene in scenes}) == 1
    shapes = {tuple(map(len, drawn(scene, *size))) for scene in scenes}
    assert len(shapes) == 1


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
@pytest.mark.parametrize("size", [(30, 12), (78, 30)])
def test_boards_of_every_kind_are_drawn_completely(scene, size):
    shown = "".join("".join(drawn(scene, *size)).split())
    for panel in text.boards(scene):
        assert printable(panel.title).replace(" ", "")[:3] in shown
        for cell in panel.cells:
            assert all(thing.text[:2] in shown for thing in cell.pieces[:2])


def test_odd_rows_of_hexes_are_shifted():
    cells = tuple(Cell(f"{row}", 0, row, (Piece("letter", "light", text="Q"),)) for row in (0, 1))
    board = Grid(("",), ("", ""), cells, lines="hexes")
    assert drawn(Scene((board,)), 9, 4)[1:3] == ["   lQ  ", " lQ    "]


def test_chequered_squares_differ_in_background():
    cells = tuple(Cell(f"{letter}1", column, 0) for column, letter in enumerate("ab"))
    board = Grid(("a", "b"), ("1",), cells, chequered=True)
    assert {CHEQUER, SQUARE} <= backgrounds(Scene((board,)))
    assert CHEQUER not in backgrounds(Scene((BOARD,)))


@pytest.mark.parametrize("system", [ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR])
def test_no_square_has_the_colours_of_the_last_move(system):
    def seen(colour: str) -> Color:
        return Color.parse(colour).downgrade(system)

    tints = [tint(colour).bgcolor.name for colour in PAINTS]
    grounds = {seen(one) for one in (*tints, SQUARE, CHEQUER, PAPER)}
    assert not {seen(GLOW), seen(EMBER)} & grounds
    assert seen(GLOW) != seen(EMBER)
