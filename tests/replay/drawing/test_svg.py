"""Scenes as SVG: well-formed, complete, equal for equal scenes, readable without colour."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.scene import (
    Arrow,
    Block,
    Cell,
    Colour,
    Grid,
    Mark,
    Piece,
    Row,
    Scene,
    Score,
    Table,
    TableLine,
    Tray,
)
from replay.drawing import svg
from replay.drawing.colours import PAINTS
from tests.replay.drawing.positions import SLUGS, scenes
from tests.replay.drawing.scenes import (
    ALL,
    BALL,
    BLOCKADE,
    CUBES,
    NEST,
    NOTED,
    one_cell,
    places_of,
    pyramid,
    with_text,
)

SVG = "{http://www.w3.org/2000/svg}"


def pairs(things: Iterable[Any]) -> list[tuple[Any, Any]]:
    return list(combinations(things, 2))


def parse(scene: Scene, title: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(svg.draw(scene, title=title))


def shapes(scene: Scene) -> str:
    """The content of a picture for a viewer without colours: no classes, no hidden labels."""
    drawn = re.sub(r"<(title|desc|style)>.*?</\1>", "", svg.draw(scene), flags=re.DOTALL)
    return re.sub(r' (class|aria-label)="[^"]*"', "", drawn)


def classes(root: ElementTree.Element) -> list[str]:
    return [name for element in root.iter() for name in element.get("class", "").split()]


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_picture_is_well_formed_and_described(scene):
    root = parse(scene, "Turn 3")
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == root.get("aria-label") == "Turn 3"
    assert root.find(f"{SVG}desc").text
    assert re.fullmatch(r"0 0 [\d.]+ [\d.]+", root.get("viewBox"))


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_picture_holds_no_script_id_or_reference(scene):
    drawn = svg.draw(scene).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"<script|<a\b|<use|<image|href|url\(|http|@import|\bid=|\bon\w+=", drawn)


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_svg_classes_begin_with_pb(scene):
    assert all(name.startswith("pb-") for name in classes(parse(scene)))


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_every_class_is_styled_or_names_a_thing(scene):
    root = parse(scene)
    style = root.find(f"{SVG}style").text
    bare = [
        name
        for element in root.iter()
        if element.tag != f"{SVG}g"
        for name in element.get("class", "").split()
        if f".{name}" not in style
    ]
    assert set(bare) <= {"pb-arrow-move", "pb-arrow-hop"}


def test_style_has_a_dark_scheme_and_its_variables():
    style = parse(BALL).find(f"{SVG}style").text
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    used = set(re.findall(r"var\((--pb-\w+)", style))
    assert used <= set(re.findall(r"(--pb-\w+):", style))
    assert set(re.findall(r"(--pb-\w+):", light)) <= set(re.findall(r"(--pb-\w+):", dark))


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_every_place_can_be_tapped(scene):
    places = {element.get("data-at") for element in parse(scene).iter(f"{SVG}g")} - {None}
    assert places == {place.at for place in places_of(scene)} - {""}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_thing_of_a_game_is_drawn(slug):
    for scene in scenes(slug)[::5]:
        assert_complete(scene)


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_every_thing_of_a_scene_is_drawn(scene):
    assert_complete(scene)


def assert_complete(scene: Scene) -> None:
    drawn = classes(parse(scene))
    blocks = [place for place in places_of(scene) if isinstance(place, Block)]
    cells = [place for place in places_of(scene) if isinstance(place, Cell)]
    on_board = [piece for cell in cells for piece in cell.pieces]
    supplied = [supply.piece for tray in scene.trays for supply in tray.supplies]
    for colour in PAINTS:
        pieces = [p for p in (*on_board, *supplied) if p.shape != "ball" and p.colour == colour]
        cubes = [block for block in blocks if block.colour == colour]
        assert drawn.count(f"pb-{colour}") >= len(pieces) + len(cubes)
    for badge in ("cap", "halted"):
        assert drawn.count(f"pb-badge-{badge}") == sum(p.badges.count(badge) for p in on_board)
    balls = sum(p.badges.count("ball") + (p.shape == "ball") for p in on_board)
    assert drawn.count("pb-badge-ball") == balls
    panels = [places_of(Scene((panel,))) for panel in scene.panels]
    joined = [{place.at for place in places} for places in panels]
    ways = [way for way in scene.arrows if any({way.start, way.end} <= each for each in joined)]
    assert drawn.count("pb-way") == len(ways)
    for mark in scene.marks:
        assert f"pb-mark-{mark.kind}" in drawn or mark.kind == "removed"
    removed = len({mark for mark in scene.marks if mark.kind == "removed"})
    assert drawn.count("pb-mark-removed") == removed


def test_equal_scenes_are_drawn_equally():
    assert svg.draw(one_cell(*NEST)) == svg.draw(one_cell(*NEST))


COLOURS: tuple[Colour, ...] = tuple(PAINTS)


def test_pieces_differ_without_colour():
    looks: dict[str, Piece] = {}
    # A blue pyramid and one of the first seat differ too, by letters and numbers.
    for colour in COLOURS[:15]:
        for size in (1, 2, 3):
            for badges in ((), ("cap",), ("ball",), ("halted",), ("ball", "halted")):
                piece = pyramid(colour, size, *badges)
                other = looks.setdefault(shapes(one_cell(piece)), piece)
                assert other == piece
    assert len(looks) == 225


def test_cubes_differ_without_colour():
    light, dark = (shapes(one_cell(Piece("cube", colour))) for colour in ("light", "dark"))
    assert light != dark


@pytest.mark.parametrize(
    ("one", "other"),
    pairs(
        [
            one_cell(*NEST),
            one_cell(*NEST, arrangement="nest"),
            one_cell(*NEST, arrangement="bound"),
            one_cell(NEST[0]),
            one_cell(*NEST[:2], arrangement="nest"),
            one_cell(NEST[0], NEST[2], arrangement="nest"),
            one_cell(*NEST, ground="wall1"),
            one_cell(*NEST, ground="wall2"),
        ]
    ),
)
def test_arrangements_differ_without_colour(one, other):
    assert shapes(one) != shapes(other)


@pytest.mark.parametrize(
    ("ground", "other"),
    pairs(["", "home1", "home2", "start1", "corner1", "goal1", "open", "closed", "wall1"]),
)
def test_grounds_differ_in_shape_or_tint(ground, other):
    drawn = [svg.draw(one_cell(ground=kind)) for kind in (ground, other)]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize(("kind", "other"), pairs(["move", "push", "pass", "failed", "note"]))
def test_kinds_of_arrow_differ_without_colour(kind, other):
    def ways(kind: str) -> str:
        cells = (Cell("a1", 0, 0), Cell("a2", 0, 1))
        return shapes(Scene((Grid(("a",), ("1", "2"), cells),), arrows=(Arrow("a1", "a2", kind),)))

    assert ways(kind) != ways(other)


def test_arrow_off_the_board_is_drawn_at_start():
    scene = one_cell()
    away = Scene(scene.panels, arrows=(Arrow("a1", "a0", "failed", 1),))
    assert "pb-cross" in classes(parse(away))


def letters_by_height(scene: Scene) -> list[str]:
    """Return the letters of the pieces in the only cell, from the bottom up."""
    cell = next(g for g in parse(scene).iter(f"{SVG}g") if g.get("data-at"))
    return [t.text for t in cell.iter(f"{SVG}text") if t.get("class") == "pb-letter"]


def test_stack_shows_every_pyramid_under_its_top():
    stack = tuple(
        pyramid(colour, size)
        for colour, size in zip(
            ("clear", "red", "red", "red", "red", "red", "red", "black"),
            (3, 2, 2, 2, 2, 2, 1, 3),
            strict=True,
        )
    )
    scene = one_cell(*stack)
    grid = Grid(("a",), ("1",), scene.panels[0].cells, stacks=True)
    assert letters_by_height(Scene((grid,))) == list("CRRRRRRK")
    cell = next(g for g in parse(Scene((grid,))).iter(f"{SVG}g") if g.get("data-at"))
    dots = [e for e in cell.iter(f"{SVG}circle") if e.get("class") == "pb-pip"]
    assert len(dots) == sum(piece.size for piece in stack)


@pytest.mark.parametrize("arrangement", ["nest", "bound"])
def test_nests_and_power_pieces_show_their_strength(arrangement):
    root = parse(one_cell(*NEST, arrangement=arrangement))
    strength = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "pb-strength")
    assert strength.find(f"{SVG}text").text == "6"


def test_blockade_shows_its_owner():
    root = parse(BLOCKADE)
    wall = next(g for g in root.iter(f"{SVG}g") if "pb-ground-wall" in g.get("class", ""))
    assert wall.find(f"{SVG}text").text == "1"


def test_removal_cross_does_not_hide_a_later_piece():
    mark = (Mark("a1", "removed"),)
    empty = Scene(one_cell().panels, marks=mark)
    taken = Scene(one_cell(*NEST[:1]).panels, marks=mark)
    assert "pb-cross" in classes(parse(empty))
    assert "pb-cross" not in classes(parse(taken))
    assert "pb-flag" in classes(parse(taken))


def test_annotation_marks_lie_over_the_piece():
    cell = next(g for g in parse(NOTED).iter(f"{SVG}g") if g.get("data-at") == "a1")
    order = [name for name in classes(cell) if name in ("pb-body", "pb-ring", "pb-plate-text")]
    assert order == ["pb-body", "pb-ring", "pb-plate-text"]
    texts = [t.text for t in parse(NOTED).iter(f"{SVG}text") if t.get("class") == "pb-plate-text"]
    assert texts == ["A", "xyz", "1"]
    assert "b2 label xyz" in parse(NOTED).find(f"{SVG}desc").text


def test_annotation_arrow_with_missing_end_is_not_drawn():
    away = Scene(NOTED.panels, arrows=(Arrow("a1", "A12", "note"),))
    assert "pb-way" not in classes(parse(away))


def test_texts_are_escaped():
    nasty = "</title><script>\"'&\x1b[31m\x00\n"
    scene = with_text(nasty)
    root = parse(scene, nasty)
    assert not list(root.iter(f"{SVG}script"))
    assert root.find(f"{SVG}title").text.startswith("</title><script>\"'&")


def test_long_caption_is_folded_without_loss():
    caption = "Jet hops from g8 over f8 to e8; Jet hops from e8 over d8 to c8"
    picture = ElementTree.fromstring(svg.draw(replace(one_cell(), caption=caption)))
    assert caption in " ".join(line.text or "" for line in picture.iter(f"{SVG}text"))


def test_scene_without_panels_or_pieces_is_drawn():
    assert parse(Scene(())).tag == f"{SVG}svg"
    assert parse(Scene((Grid((), (), ()),))).tag == f"{SVG}svg"


def test_description_names_everything():
    words = parse(BALL).find(f"{SVG}desc").text
    assert "a1 medium of seat 1 with ball and halted" in words
    assert "push from b2 to b3" in words
    assert "b2 failed" in words
    assert "B11 open" in parse(CUBES).find(f"{SVG}desc").text
    assert "a1 (blockade of seat 1) blue large" in parse(BLOCKADE).find(f"{SVG}desc").text


def test_long_tray_lines_are_folded_without_loss():
    line = " ".join(f"word{index}" for index in range(60))
    root = parse(Scene(one_cell().panels, (Tray("Seat 1", 1, lines=(line,)),)))
    lines = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "pb-line"]
    assert len(lines) > 1
    assert " ".join(lines) == line


def test_boards_come_before_trays_in_reading_order():
    drawn = svg.draw(BALL)
    assert drawn.index('data-at="c3"') < drawn.index("pb-tray")


def test_stack_of_flat_pieces_shows_its_height():
    stack = tuple(Piece("letter", colour, text="A") for colour in ("dark", "light", "dark"))
    for height in (1, 2, 3):
        cell = Cell("q1", 0, 0, stack[:height])
        board = Grid(("",), ("",), (cell,), lines="hexes")
        texts = [text.text for text in parse(Scene((board,))).iter(f"{SVG}text")]
        assert texts == [*"A" * height, *([str(height)] if height > 1 else [])]


@pytest.mark.parametrize("shape", ["disc", "letter", "symbol"])
def test_flat_pieces_differ_without_colour(shape):
    def piece(colour: Colour, text: str) -> Piece:
        symbol = "tests.replay.drawing/pieces/knight" if shape == "symbol" else ""
        return Piece(shape, colour, text=text, symbol=symbol)

    # Symbols and plain tiles of different seats differ in lightness.
    colours = [colour for colour in PAINTS if colour.startswith("seat")]
    colours += ["dark", "light"] if shape == "disc" else ["dark"]
    looks = {shapes(one_cell(piece(colour, "Q"))) for colour in colours}
    assert len(looks) == len(colours)


def test_suits_of_cards_differ_without_colour():
    looks = {shapes(one_cell(Piece("card", "clear", text=f"7{suit}"))) for suit in "♥♦♠♣"}
    assert len(looks | {shapes(one_cell(Piece("card", "clear")))}) == 5


def test_lines_of_a_point_end_at_the_edge():
    cells = tuple(Cell(f"{x}{y}", x, y) for x in range(3) for y in range(3))
    root = parse(Scene((Grid(("",) * 3, ("",) * 3, cells, lines="points"),)))
    lines = [each.get("d") for each in root.iter(f"{SVG}path") if each.get("class") == "pb-rule"]
    assert lines[0] == "M32 32H64M32 0V32"
    assert lines[4] == "M0 32H64M32 0V64"
    assert lines[8] == "M0 32H32M32 32V64"


def test_named_lines_of_points_cross_gaps():
    cells = Cell("a1", 0, 0), Cell("d1", 3, 0), Cell("d4", 3, 3)
    ways = (("a1", "d1"), ("d1", "d4"), ("a1", "d4"))
    root = parse(Scene((Grid(("",) * 4, ("",) * 4, cells, lines="points", ways=ways),)))
    lines = [each.get("d") for each in root.iter(f"{SVG}path") if each.get("class") == "pb-rule"]
    assert lines == [
        "M32 32l96 0M32 32l96 -96",
        "M32 32l-96 0M32 32l0 -96",
        "M32 32l0 96M32 32l-96 96",
    ]


@pytest.mark.parametrize("number", [1, 4, 5, 12])
def test_small_picture_of_a_row_is_about_square(number):
    cards = tuple(Piece("card", "red", at=f"at{place}", text="A♥") for place in range(number))
    empty, full = Row((), "Trick"), Row(cards, "Hand")
    drawn = ElementTree.fromstring(svg.draw_small(Scene((empty, full)), title="Whist"))
    _, _, width, height = map(float, drawn.get("viewBox", "").split())
    assert 0.6 < width / height < 1.7
    assert not [each for each in drawn.iter(f"{SVG}text") if each.text == "Hand"]


def test_small_picture_without_a_card_has_the_scores():
    trays = tuple(
        Tray(f"P{seat}", seat, score=Score.of(9 * seat, "point")) for seat in (1, 2, 3, 4)
    )
    drawn = svg.draw_small(Scene((Row((), "Trick"),), trays=trays), title="Hearts")
    texts = [each.text for each in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert {"9", "18", "27", "36"} <= {*texts}


def test_lines_between_the_rows_of_a_table_are_light():
    lines = tuple(TableLine(str(number), ("1", "2")) for number in range(4))
    root = parse(Scene((Table(("Ann", "Ben"), lines, (TableLine("Total", ("4", "8")),)),)))
    drawn = [each.get("class") for each in root.iter(f"{SVG}path")]
    assert drawn == ["pb-square"] * 3 + ["pb-rule"] * 2


def test_small_picture_of_a_table_has_its_last_lines_and_the_foot():
    lines = tuple(TableLine(f"Round {number}", (f"{number}1", f"{number}2")) for number in "3456")
    table = Table(("Ann", "Ben"), lines, (TableLine("Total", ("184", "188")),), latest=(3, 1))
    drawn = ElementTree.fromstring(svg.draw_small(Scene((table,)), title="Scores"))
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert list(filter(None, texts))[-6:] == ["51", "52", "61", "62", "184", "188"]
    assert "Total" not in texts
