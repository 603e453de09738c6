"""Scenes for pages that are tapped: labelled buttons, big enough, without styles of their own."""

from __future__ import annotations

import gzip
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from domain.games.cube_pyramid import GAME as CUBE_PYRAMID
from domain.names import UNNAMED, Names
from domain.scene import Cell, Colour, Grid, Piece, Pile, Row, Scene, Table, TableLine
from replay.drawing import board_buttons
from replay.drawing.board_buttons import more
from replay.drawing.colours import PAINTS, STYLE
from replay.drawing.pieces import CELL
from replay.drawing.svg import draw as draw_svg
from replay.formats.html.jinja import environment
from service.http.static_files import GENERATED, path_of
from tests.replay.drawing.positions import SLUGS, scenes
from tests.replay.drawing.scenes import (
    ALL,
    BALL,
    BLOCKADE,
    CARDS,
    CHEQUERED,
    CUBES,
    HEXES,
    NOTED,
    POPTRIX,
    POWER_PLAY,
    card,
    one_cell,
    places_of,
    pyramid,
    with_text,
)

PHONE = 360
"""The width in pixels."""

TARGET = 44
"""The smallest size of a touch target in pixels."""

TEMPLATE = environment().get_template("trays.html").module


def trays(scene: Scene, names: Names = UNNAMED) -> str:
    return str(TEMPLATE.trays(scene, names)).strip()


def sheet() -> str:
    """The style sheets of boards on a page: the rules of every picture, and those for taps."""
    own = path_of("css/board.css").read_text(encoding="utf-8")
    return GENERATED["css/pictures.css"].decode() + own


def page(scene: Scene) -> str:
    drawn = board_buttons.board(scene), more(scene), trays(scene)
    return f"<div>{''.join(drawn)}</div>"


def board(scene: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(board_buttons.board(scene))


def places(scene: Scene) -> dict[str, ElementTree.Element]:
    return {place.get("data-at"): place for place in board(scene).iterfind("g[@data-at]")}


def hit(place: ElementTree.Element) -> ElementTree.Element:
    return next(part for part in place if part.get("class") == "pb-hit")


def corner(place: ElementTree.Element) -> tuple[float, float]:
    found = re.fullmatch(r"translate\((\S+) (\S+)\)", place.get("transform"))
    return float(found[1]), float(found[2])


def busiest(slug: str) -> Scene:
    return max(
        (scene for scene in scenes(slug) if scene.trays), key=lambda s: len(board_buttons.board(s))
    )


def test_style_sheet_has_the_rules_of_every_picture():
    assert sheet().startswith(STYLE)


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_boards_obey_a_strict_content_security_policy(scene):
    drawn = page(scene)
    assert not re.search(r"<style|<script|\bstyle=|\bid=|\bon\w+=|href|url\(|http", drawn)
    assert not re.search(r"url\(|@import|http", sheet())


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_every_drawn_class_has_a_style(scene):
    rules = sheet()
    drawn = [e for e in ElementTree.fromstring(page(scene)).iter() if e.tag not in ("g", "div")]
    names = {name for element in drawn for name in element.get("class", "").split()}
    assert {name for name in names if f".{name}" not in rules} <= {"pb-arrow-move", "pb-arrow-hop"}


@pytest.mark.parametrize("state", ["open", "chosen", "target", "pending", "refused", "focus"])
def test_states_of_places_and_supplies_are_styled(state):
    rules = sheet()
    assert re.search(rf"\.is-{state} > \.pb-(state|hit)", rules)
    assert f".pb-pick.is-{state}" in rules or state == "target"


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_every_place_is_a_button_with_its_name(scene):
    found = places(scene)
    assert sorted(found) == sorted(place.at for place in places_of(scene) if place.at)
    for name, place in found.items():
        assert place.get("role") == "button"
        assert place.get("tabindex") == "-1"
        assert place.get("aria-label").startswith(f"{name}, ")
        assert place[-1] is hit(place)
    assert board(scene).get("role") == "group"


def test_labels_name_pieces_from_the_top_and_owners():
    labels = {
        name: place.get("aria-label")
        for scene in (BLOCKADE, BALL, CUBES, POWER_PLAY)
        for name, place in places(scene).items()
    }
    assert labels["b2"] == "b2, empty"
    assert places(BLOCKADE)["b2"].get("aria-label") == "b2, green small on green large, tower"
    assert places(BLOCKADE)["a1"].get("aria-label").endswith("blue large, blockade of seat 1")
    assert places(BALL)["c3"].get("aria-label") == "c3, ball, goal of seat 2"
    assert labels["B11"] == "B11, open, due"
    assert labels["A12"] == "A12, dark cube"
    assert labels["c2"] == "c2, medium of seat 4, starting square of seat 4"
    assert "power piece of strength 6" in labels["b1"]


def test_squares_are_walked_row_by_row():
    assert list(places(BLOCKADE)) == ["a2", "b2", "a1", "b1"]


def test_only_buttons_of_a_board_are_read_out():
    groups = [group for group in board(BALL) if group.get("data-at") is None]
    assert groups
    assert all(group.get("aria-hidden") == "true" for group in groups)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_place_fits_a_thumb_on_a_phone(slug):
    scene = busiest(slug)
    across = float(board(scene).get("viewBox").split()[2])
    for place in places(scene).values():
        wide, high = size(hit(place))
        assert wide * PHONE / across >= TARGET
        assert high * PHONE / across >= TARGET


def size(part: ElementTree.Element) -> tuple[float, float]:
    """Return width and height with the stroke of 3, which also takes taps."""
    if part.tag == "rect":
        return float(part.get("width")) + 3, float(part.get("height")) + 3
    corners = points(part)
    spread = [max(values) - min(values) for values in zip(*corners, strict=True)]
    return spread[0] + 3, spread[1] + 3


def points(part: ElementTree.Element) -> list[tuple[float, float]]:
    numbers = map(float, re.findall(r"-?[\d.]+", part.get("d")))
    return list(zip(numbers, numbers, strict=True))


def test_open_spaces_of_a_pile_never_overlap():
    for scene in scenes("cube-pyramid"):
        pile = scene.panels[0]
        assert isinstance(pile, Pile)
        found = places(scene)
        middles = [corner(found[block.at]) for block in pile.blocks if block.open]
        for (x, y), (across, down) in combinations(middles, 2):
            assert abs(x - across) > 60 or abs(y - down) >= 53.9


def test_pieces_have_their_codes_and_places_their_marks():
    place = places(POPTRIX)["a1"]
    assert [g.get("data-piece") for g in place.iter("g") if g.get("data-piece")] == ["L1"]
    assert place.get("data-marks") == "to"
    ball = places(BALL)["a3"]
    assert [g.get("data-piece") for g in ball.iter("g") if g.get("data-piece")] == ["S2", "*"]
    nest = places(POWER_PLAY)["a1"]
    codes = [g.get("data-piece") for g in nest.iter("g") if g.get("data-piece")]
    assert codes == ["L3", "M3", "S3"]


def test_seats_differ_without_colour_and_digits():
    def bare(colour: Colour) -> str:
        drawn = board_buttons.board(one_cell(pyramid(colour, 2)))
        drawn = re.sub(r"<text.*?</text>", "", drawn)
        return re.sub(r' (aria-label|data-piece)="[^"]*"|pb-seat\d', "", drawn)

    seats = [colour for colour in PAINTS if colour.startswith("seat")]
    assert len(set(map(bare, seats))) == len(seats) == 9


def test_rest_of_a_scene_is_described_in_words():
    cells = (Cell("A11", 0, 0, (Piece("cube", "light"),)), *map(flat, ("A12", "A21", "B11")))
    layer = Grid(("1", "2"), ("1", "2"), cells)
    drawn = ElementTree.fromstring(more(Scene((*CUBES.panels, layer))))
    assert drawn.get("role") == "img"
    assert "A11 light cube" in drawn.get("aria-label")
    assert more(POPTRIX) == ""


def flat(at: str) -> Cell:
    return Cell(at, int(at[1]) - 1, int(at[2]) - 1)


def test_panels_lie_below_one_another():
    found = places(HEXES)
    (_, lowest), (_, first), (_, second) = (corner(found[at]) for at in ("q1", "wA1", "wS2"))
    assert first == second > lowest + 74


@pytest.mark.parametrize("scene", ALL.values(), ids=ALL)
def test_places_lie_within_the_picture(scene):
    across, high = map(float, board(scene).get("viewBox").split()[2:])
    for place in places(scene).values():
        x, y = corner(place)
        assert 0 <= x < across - 30
        assert 0 <= y < high - 30


def test_table_without_boards_takes_their_place():
    table = Table(("Jet", "Red"), (TableLine("1", ("3", "4")),))
    for panels, there in (((table,), board_buttons.board), ((*CARDS.panels, table), more)):
        other = more if there is board_buttons.board else board_buttons.board
        assert "Jet, 1: 3" in there(Scene(panels))
        assert "Jet" not in other(Scene(panels))


@pytest.mark.parametrize("title", ["Trick", "More words than the cards are wide"])
def test_title_of_a_line_is_over_the_middle_of_its_cards(title):
    scene = Scene((Row((card("10♥", at="TH"), card("2♠", at="2S")), title),))
    edges = [corner(place)[0] for place in places(scene).values()]
    (said,) = (each for each in board(scene).iter() if each.text == title)
    assert float(said.get("x")) == (min(edges) + max(edges) + CELL) / 2
    assert "pb-middle" in said.get("class")


def test_hexes_of_odd_rows_are_shifted_by_half():
    found = places(HEXES)
    (left, low), (shifted, middle), (up, top) = (corner(found[at]) for at in ("q1", "q2", "q3"))
    assert shifted - left == up - shifted == 32
    assert [middle - top, low - middle] == pytest.approx([55.43, 55.43], abs=0.02)


def test_arrows_join_places_of_several_panels():
    assert board_buttons.board(HEXES).count('class="pb-way ') == 2


@pytest.mark.parametrize("scene", [HEXES, CHEQUERED, CARDS], ids=["hexes", "chequered", "cards"])
def test_flat_pieces_are_named_for_screen_readers(scene):
    labels = {place.get("aria-label") for place in places(scene).values()}
    assert labels >= LABELS[id(scene)]


LABELS = {
    id(HEXES): {
        "q2, light letter B on dark letter S on dark letter A",
        "q3, dark letter Q, home row of seat 2",
        "wA1, light letter A",
    },
    id(CHEQUERED): {
        "a1, light knight",
        "e3, disc of seat 1 on disc of seat 1",
        "f4, K disc of seat 2",
    },
    id(CARDS): {"QD, Q♦", "joker, Joker"},
}


def test_supplies_are_buttons_with_letters():
    drawn = ElementTree.fromstring(trays(POPTRIX))
    mine = drawn.find("div[@data-seat='1']")
    picks = [(b.get("data-pick"), b.get("data-count")) for b in mine.iter("button")]
    assert picks == [("S", "2"), ("M", "0")]
    assert next(mine.iter("button")).get("aria-label") == "small of seat 1, 2 left"
    assert "cap in the stash" in "".join(drawn.itertext())
    cubes = ElementTree.fromstring(trays(CUBES)).iter("button")
    assert [button.get("data-pick") for button in cubes] == ["l", "d"]


def test_trays_are_named_after_the_players():
    named = CUBE_PYRAMID.scene(CUBE_PYRAMID.start(), names=Names({1: "<Jet>"}))
    drawn = ElementTree.fromstring(trays(named))
    assert drawn.find("div").get("aria-label") == "<Jet> (Light)"


def test_texts_are_escaped():
    nasty = "</svg><script>\"'&\x1b[31m\x00\n"
    scene = with_text(nasty)
    root = ElementTree.fromstring(
        f"<div>{page(scene)}{board_buttons.board(scene, title=nasty)}</div>"
    )
    assert not list(root.iter("script"))


def test_empty_scene_is_an_empty_page():
    assert board_buttons.board(Scene(())) == ""
    assert list(ElementTree.fromstring(trays(NOTED))) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_busiest_board_of_a_game_is_small(slug):
    assert len(gzip.compress(page(busiest(slug)).encode())) < 8_000


def test_long_title_of_a_row_shrinks_no_piece():
    pieces = tuple(Piece("cube", "red", at=f"p{number}") for number in range(5))
    widths = [
        float(re.search(r'viewBox="0 0 ([0-9.]+)', draw_svg(Scene((Row(pieces, title),))))[1])
        for title in ("Bank", "Bank " * 30)
    ]
    assert widths[1] <= max(widths[0], 8 * CELL)
    assert "…" in draw_svg(Scene((Row(pieces, "Bank " * 30),)))


@pytest.mark.parametrize("size", [9, 19])
def test_labels_of_a_board_of_lines_stand_at_its_lines(size):
    names = [str(number + 1) for number in range(size)]
    cells = tuple(Cell(f"{x}/{y}", x, y) for x in range(size) for y in range(size))
    drawn = board(Scene((Grid(tuple(names), tuple(names), cells, lines="points"),)))
    labels = [each for each in drawn.iter() if each.get("class") == "pb-label"]
    spots = [tuple(map(float, (each.get("x", ""), each.get("y", "")))) for each in labels]
    corners = [cell.get("transform", "") for cell in drawn.iter() if cell.get("data-at")]
    numbers = [tuple(map(float, re.findall(r"[\d.]+", corner))) for corner in corners]
    middles = [{number[axis] + CELL / 2 for number in numbers} for axis in (0, 1)]
    assert {x for x, _ in spots[:size]} == middles[0]
    # A text stands on its line, a little below the middle.
    below = zip(sorted(y for _, y in spots[size:]), sorted(middles[1]), strict=True)
    assert all(0 < text - middle < 0.2 * CELL for text, middle in below)


def test_free_crossings_of_a_board_of_lines_have_no_ring():
    rules = sheet()
    free = rules.index(
        ".is-open:where(:not(.pb-held)) > :where(.pb-rule) ~ .pb-state { stroke: none; }"
    )
    # Every other state comes later, and so keeps its ring.
    assert rules.index(".is-open > .pb-state") < free < rules.index(".is-chosen > .pb-state")
