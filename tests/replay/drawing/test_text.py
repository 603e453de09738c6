"""Scenes as text: aligned, complete, narrow, readable without colour."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from domain.scene import Arrow, Cell, Grid, Mark, Piece, Row, Scene, Tray
from plybook import drawing
from replay.drawing import text
from replay.drawing.colours import PAINTS
from replay.drawing.descriptions import MARK, items, piece_code, plain
from tests.paths import ROOT
from tests.replay.drawing.positions import SLUGS, scenes
from tests.replay.drawing.scenes import ALL, BALL, BLOCKADE, CUBES, NEST, POPTRIX, one_cell, pyramid


def test_board_reads_like_a_diagram():
    assert text.draw(POPTRIX) == (
        "3  .    .    .    .    M2\n"
        "2  .    .   xS2   .    .\n"
        "1 >L1^ <_1   .    .    .\n"
        "   a    b    c    d    e\n"
        "\n"
        "Seat 1:  2 S1  0 M1\n"
        "Seat 2:  2 L2\n"
        "  cap in the stash\n"
        "\n"
        "signs: > to, < from, x removed, ^ cap\n"
    )


def test_stacks_are_listed_from_the_bottom_and_wrapped():
    drawn = text.draw(BLOCKADE)
    assert "#1 BL BM BS KL" in drawn
    assert "# blockade" in drawn
    assert "CL YM YM YM YM YM YM RS" in drawn
    five = Grid(
        tuple("abcde"),
        ("1",),
        tuple(
            Cell(f"{column}1", at, 0, (pyramid("clear", 3), *[pyramid("red", 2)] * 7))
            for at, column in enumerate("abcde")
        ),
        stacks=True,
    )
    lines = text.draw(Scene((five,))).splitlines()
    assert max(map(len, lines)) <= 80
    assert "".join(lines).count("RM") == 35


def test_nests_and_power_pieces_have_different_brackets():
    assert "(LMS)3" in text.draw(one_cell(*NEST, arrangement="nest"))
    assert "[LMS]3" in text.draw(one_cell(*NEST, arrangement="bound"))
    assert "L3" in text.draw(one_cell(NEST[0], arrangement="nest"))


def test_each_kind_of_way_has_its_arrow():
    drawn = text.draw(BALL)
    for line in ("a1 -> a2", "b2 => b3", "a1 ~> c3", "b2 -x c2"):
        assert line in drawn
    assert "M1*!" in drawn


def test_pile_is_drawn_as_layers_unless_grids_exist():
    drawn = text.draw(CUBES)
    assert drawn.startswith("Pyramid 1\n2  d         Pyramid 2\n1  l >d      1 ?o\n")
    grids = tuple(
        Grid(("1",), ("1",), (Cell(block.at, 0, 0, (Piece("cube", "light"),)),), block.at)
        for block in CUBES.panels[0].blocks
    )
    assert "Pyramid" not in text.draw(Scene((*CUBES.panels, *grids)))


PICTURES = (
    (ROOT / "docs" / "games.md")
    .read_text(encoding="utf-8")
    .partition("### The picture")[2]
    .partition("\n## ")[0]
)
EXAMPLES = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PICTURES, re.DOTALL)


@pytest.mark.parametrize(("code", "shown"), EXAMPLES[1:])
def test_drawings_equal_the_documented_pictures(code, shown):
    scope = dict(vars(drawing))
    exec(code, scope)
    scenes = [value for value in scope.values() if isinstance(value, Scene)]
    assert shown == "\n".join(map(text.draw, scenes))


def test_long_row_is_wrapped():
    pieces = tuple(Piece("card", "clear", text=f"{rank}♠") for rank in range(15))
    lines = text.draw(Scene((Row(pieces, "Your hand"),))).splitlines()
    assert len(lines) == 3
    assert lines[2].split() == ["13♠", "14♠"]


def test_labels_are_listed_below_the_board():
    board = one_cell(NEST[0])
    drawn = text.draw(Scene(board.panels, marks=(Mark("a1", "circle"), Mark("a1", "label", "A"))))
    assert "1 +=L3" in drawn
    assert "signs: + circle, = label A on a1" in drawn


def test_codes_distinguish_all_pieces():
    pieces = [
        pyramid(colour, size, *badges)
        for colour in tuple(PAINTS)[:15]
        for size in (1, 2, 3)
        for badges in ((), ("cap",), ("ball",), ("halted",), ("ball", "halted"))
    ]
    pieces += [Piece("cube", "light"), Piece("cube", "dark"), Piece("ball", "yellow")]
    assert len(set(map(piece_code, pieces))) == len(pieces)


@pytest.mark.parametrize(("kind", "other"), list(combinations(MARK, 2)))
def test_marks_differ(kind, other):
    panels = one_cell().panels
    drawn = [text.draw(Scene(panels, marks=(Mark("a1", mark),))) for mark in (kind, other)]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_colour_only_adds_escape_sequences(scene):
    coloured = text.draw(scene, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b" not in text.draw(scene)
    assert plain(coloured) == text.draw(scene)


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_every_piece_mark_and_line_is_drawn(scene):
    assert_complete(scene)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_position_is_complete_aligned_and_narrow(slug):
    for scene in scenes(slug):
        assert_complete(scene)
        drawn = text.draw(scene)
        assert max(map(len, drawn.splitlines())) <= 80
        assert_aligned(scene)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("columns", [59, 79])
def test_every_position_fits_a_small_screen(slug, columns):
    for scene in scenes(slug):
        boards = text.draw_to_fit(Scene(scene.panels, marks=scene.marks), columns, 0).splitlines()
        lines = text.draw_to_fit(scene, columns, 21).splitlines()
        assert lines[: len(boards)] == boards
        assert max(map(len, lines)) <= columns
        assert len(lines) <= 21
        trays = scene.trays if columns > 60 else scene.trays[:2]
        assert all(tray.title in "\n".join(lines) for tray in trays)
        grids = [panel for panel in scene.panels if isinstance(panel, Grid)]
        for cell in (cell for panel in grids for cell in panel.cells):
            assert all(plain(part) in "\n".join(boards) for part in items(cell))


def assert_complete(scene: Scene) -> None:
    drawn = text.draw(scene)
    grids = [panel for panel in scene.panels if isinstance(panel, Grid)]
    rows = [panel for panel in scene.panels if isinstance(panel, Row)]
    for cell in (cell for panel in (*grids, *rows) for cell in panel.cells):
        if cell.arrangement == "stack" or len(cell.pieces) == 1:
            assert all(piece_code(piece) in drawn for piece in cell.pieces)
        elif cell.pieces:
            sizes = "".join("SML"[piece.size - 1] for piece in cell.pieces)
            assert f"{sizes})" in drawn or f"{sizes}]" in drawn
    for tray in scene.trays:
        for supply in tray.supplies:
            assert f"{supply.count} {piece_code(supply.piece)}" in drawn
        said = " ".join(drawn.split())
        assert all(" ".join(line.split()) in said for line in (tray.title, *tray.lines))
    for mark in scene.marks:
        assert f"{MARK.get(mark.kind, '~')} {mark.kind}" in drawn
    for arrow in scene.arrows:
        assert arrow.start in drawn
        assert arrow.end in drawn


def assert_aligned(scene: Scene) -> None:
    """The content of a cell begins in the same column as the label above it."""
    for panel in scene.panels:
        if isinstance(panel, Grid):
            drawn = text.draw(Scene((panel,), marks=scene.marks)).split("\n\n")[0].splitlines()
            starts = {index: drawn[-1].index(label) for index, label in enumerate(panel.columns)}
            rows = {
                index: next(line for line in drawn[:-1] if line.startswith(f"{label} "))
                for index, label in enumerate(panel.rows)
            }
            for cell in panel.cells:
                assert rows[cell.row][starts[cell.column] :].startswith(plain(items(cell)[0]))


def test_marks_keep_their_row_aligned():
    cells = (Cell("a1", 0, 0), Cell("a2", 0, 1), Cell("b1", 1, 0), Cell("b2", 1, 1))
    panel = Grid(("a", "b"), ("1", "2"), cells)
    marks = (Mark("a1", "to"), Mark("a1", "from"), Mark("a1", "due"))
    lines = text.draw(Scene((panel,), marks=marks)).splitlines()[:3]
    assert lines == ["2    .    .", "1 ><?.    .", "     a    b"]


def test_no_text_of_a_scene_controls_the_terminal():
    nasty = "a\x1b[2Jb\x07\rc"
    cell = Cell("a1", 0, 0, (pyramid("seat1", 1),), note=nasty)
    scene = Scene(
        (
            Grid((nasty,), (nasty,), (cell,), nasty),
            Row((Piece("disc", "seat1", text=nasty),), nasty),
        ),
        (Tray(nasty, 1, lines=(nasty,)),),
        (Arrow("a1", nasty, nasty),),
        (Mark("a1", nasty), Mark("a1", "label", nasty)),
        nasty,
    )
    drawn = text.draw(scene)
    assert all(character == "\n" or character.isprintable() for character in drawn)


def test_scene_without_panels_is_drawn():
    assert text.draw(Scene((), caption="nothing yet")) == "nothing yet\n\n"
