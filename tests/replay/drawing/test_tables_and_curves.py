"""Tables and graphs, as SVG and as text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.scene import FixedText, Graph, Grid, Piece, Row, Scene, Table, TableLine
from replay.drawing import board_buttons, svg, text
from replay.drawing.descriptions import describe

TABLE = Table(
    ("Ann", "Bartholomew of the North"),
    (TableLine("1", ("12", "-8")), TableLine("2", ("7", ""))),
    (TableLine("Total", ("19", "-8")),),
    latest=(1, 0),
)
SCENE = Scene((TABLE, Graph(((12, 19), (-8,)), "Totals")))


def test_table_is_written_in_columns():
    assert text.draw(SCENE).splitlines()[:6] == [
        "       Ann  Bartholomew of the North",
        "------------------------------------",
        "    1   12                        -8",
        "    2    7",
        "------------------------------------",
        "Total   19                        -8",
    ]


def test_table_is_drawn_with_its_latest_number():
    drawn = ElementTree.fromstring(svg.draw(SCENE))
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "Ann"
    assert texts[1].endswith("…")
    assert {"12", "-8", "7", "19", "Total"} <= set(texts)
    glows = [each for each in drawn.iter() if each.get("class") == "pb-glow"]
    assert len(glows) == 1


def test_heads_without_room_are_numbers_of_columns():
    names = ("Ann", "Alexandra", "Alexander", "▸ Alexandrine", "Bo", "Bartholomew")
    lines = (TableLine("1", ("-12345",) * 5 + ("",)),)
    drawn = ElementTree.fromstring(svg.draw(Scene((Table(names, lines),))))
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:6] == ["Ann", "2", "3", "▸4", "Bo", "Bart…"]


def test_graph_has_a_curve_for_each_seat():
    drawn = ElementTree.fromstring(svg.draw(SCENE))
    curves = [each.get("d") for each in drawn.iter() if each.get("class") == "pb-arrow"]
    assert [curve.count("L") for curve in curves] == [2, 1]


def test_sheet_is_described_in_words():
    said = describe(SCENE)
    assert "Ann, 1: 12, 2: 7, Total: 19" in said
    assert "Totals: seat 1 up to 12 then up to 19; seat 2 down to -8" in said


def test_page_has_table_above_graph():
    assert "Bartholomew" in board_buttons.board(SCENE)
    assert "pb-seat2" in board_buttons.more(SCENE)
    assert "pb-seat2" not in board_buttons.board(SCENE)


def test_text_of_fixed_width_keeps_its_columns():
    morris = Scene((FixedText((".--.", "|  W", " <&>"), "To move: B"),))
    assert text.draw(morris).splitlines() == ["To move: B", ".--.", "|  W", " <&>"]
    drawn = ElementTree.fromstring(svg.draw(morris))
    written = [each for each in drawn.iter() if "pb-fixed" in each.get("class", "")]
    starts = {each.text: float(each.get("x")) for each in written}
    widths = {each.text: float(each.get("textLength")) for each in written}
    letter = widths["|"]
    assert widths[".--."] == 4 * letter
    assert (starts["|"], starts["W"], starts["<&>"]) == (0, 3 * letter, letter)
    assert describe(morris) == "To move: B: .--.; |  W; <&>"
    assert "pb-fixed" in board_buttons.board(morris)
    beside = Scene((Grid.of("ab", "12", {}), *morris.panels))
    assert "pb-fixed" not in board_buttons.board(beside)
    assert "pb-fixed" in board_buttons.more(beside)


def test_long_text_of_fixed_width_fits():
    drawn = ElementTree.fromstring(svg.draw(Scene((FixedText(("x" * 200,)),))))
    (line,) = (each for each in drawn.iter() if "pb-fixed" in each.get("class", ""))
    assert float(line.get("textLength")) <= 380


def test_tile_has_two_lines_and_a_price():
    tile = Piece("tile", "green", text="Forge", second="hall & yard", price="12", at="F")
    scene = Scene((Row((tile,) * 1, "Market"),))
    drawn = ElementTree.fromstring(svg.draw(scene))
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Forge", "hall & yard", "12"} <= set(texts)
    assert "green tile Forge hall & yard for 12" in describe(scene)
    assert "Forge/hall & yard/12" in text.draw(scene)
    many = Scene((Row(tuple(replace(tile, at=f"F{n}") for n in range(5))),))
    page = ElementTree.fromstring(board_buttons.board(many))
    places = [each.get("transform") for each in page.iter() if each.get("data-at")]
    assert len({place.split()[1] for place in places}) == 2, "four tiles in a line"
    plain = Piece("tile", "seat2")
    assert ElementTree.fromstring(svg.draw(Scene((Row((plain,)),)))) is not None


def test_named_lines_of_a_table_are_places():
    lines = (TableLine("fish", ("3",), "fish"), TableLine("salt", ("5",)))
    goods = Table(("price",), lines, (TableLine("all", ("8",)),))
    scene = Scene((goods, Table(("Ann",), ()), Grid.of("a", "1", {})))
    assert scene.places == ("fish", "a1")
    page = board_buttons.board(scene)
    assert 'data-at="fish" role="button" tabindex="-1" aria-label="fish, 3"' in page
    assert page.count('role="button"') == 2
    assert "Ann" not in page
    assert "Ann" in board_buttons.more(scene)
    assert "fish" not in board_buttons.more(scene)
    assert 'data-at="fish"' in svg.draw(scene)
    alone = board_buttons.board(Scene((goods,)))
    assert alone.count('role="button"') == 1
    assert board_buttons.more(Scene((goods,))) == ""


EMPTY = [
    *(Table((), ()), Table(("Ann",), ()), Graph(()), Graph(((), ())), Row(())),
    *(FixedText(()), FixedText((), "Ann"), Grid((), (), ())),
]


@pytest.mark.parametrize("panel", EMPTY, ids=str)
@pytest.mark.parametrize(
    "others", [(), (Grid.of("ab", "12", {}),)], ids=["alone", "beside a board"]
)
def test_empty_panel_is_drawn(panel, others):
    scene = Scene((panel, *others))
    text.draw(scene)
    for drawn in (svg.draw(scene), board_buttons.board(scene), board_buttons.more(scene)):
        ElementTree.fromstring(drawn or "<p/>")
