"""Boards of spikes: pieces in lines from the edges, numbers, taps and contrasts."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from domain.scene import Arrow, Cell, Grid, Piece, Scene
from replay.drawing import svg, text
from replay.drawing.board_buttons import board
from replay.drawing.colours import DARK, LIGHT
from tests.replay.drawing.test_signs import contrast, rgb

LIGHT_MAN, DARK_MAN = Piece("disc", "light"), Piece("disc", "dark")


def spikes(upper: int, lower: int) -> Scene:
    """A board of two spikes, one above the other, and the bar beside them."""
    cells = (
        Cell("x", 0, 1, (DARK_MAN,) * upper, note="24"),
        Cell("a", 0, 0, (LIGHT_MAN,) * lower, note="1"),
        Cell("bar", 1, 0),
    )
    return Scene((Grid(("", ""), ("", ""), cells, lines="spikes"),))


def middles(drawn: str, place: str) -> list[float]:
    """Return how far down the pieces of a place lie in its cell."""
    cell = next(e for e in ElementTree.fromstring(drawn).iter() if e.get("data-at") == place)
    moved = (
        each.get("transform", "")
        for each in cell.iter()
        if each.find("./*[@data-piece]") is not None
    )
    return [float(y) for y in re.findall(r"translate\(\S+ (\S+)\)", " ".join(moved))]


def test_pieces_lie_in_a_line_from_the_edge():
    drawn = board(spikes(2, 3))
    first, second = middles(drawn, "x")
    assert first < second
    down = middles(drawn, "a")
    assert down == sorted(down, reverse=True)
    assert len({round(a - b) for a, b in pairwise(down)}) == 1


@pytest.mark.parametrize("count", [5, 6, 12, 15])
def test_full_line_stays_on_its_spike(count):
    down = middles(board(spikes(0, count)), "a")
    assert len(down) == min(count, 12)
    assert max(down) - min(down) <= middles(board(spikes(0, 5)), "a")[0]
    assert (f">{count}</text>" in board(spikes(0, count))) == (count > 5)


def test_place_without_a_note_has_no_spike():
    drawn = ElementTree.fromstring(board(spikes(1, 1)))
    spiked = {
        cell.get("data-at")
        for cell in drawn.iter()
        if any("pb-spike" in (each.get("class") or "") for each in cell.findall("./*"))
    }
    assert spiked == {"x", "a"}


def test_place_can_be_tapped_in_its_whole_length():
    sizes = re.findall(
        r'class="pb-hit"[^>]*width="([\d.]+)" height="([\d.]+)"', board(spikes(1, 1))
    )
    assert len(sizes) == 3
    assert all(float(height) > 4 * float(width) for width, height in sizes)


def test_arrow_goes_from_the_last_piece_of_a_line():
    moved = Scene(spikes(1, 3).panels, arrows=(Arrow("a", "x"),))
    assert "pb-arrow-move" in svg.draw(moved)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["square", "chequer"])
def test_outline_of_a_spike_stands_out(scheme, ground):
    assert contrast(rgb(scheme["soft"]), rgb(scheme[ground])) >= 3


def test_equal_pieces_are_counted_for_screen_readers():
    drawn = board(spikes(0, 5))
    assert 'aria-label="a, 5 × light disc, 1"' in drawn
    assert "a 5 × light disc (1)" in svg.draw(spikes(0, 5))


def test_text_counts_the_pieces_above_the_number():
    assert text.draw(spikes(15, 1)) == "  15do\n  24\n  1lo   .\n  1\n"
