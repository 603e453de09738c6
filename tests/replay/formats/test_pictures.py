"""PNG and GIF with the extra installed, and the message without it."""

from __future__ import annotations

import importlib.util
import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from domain.games import built_in
from domain.match import open_match
from domain.names import UNNAMED
from domain.scene import Cell, Grid, Piece, Scene, Score, Tray
from replay.book import Book
from replay.drawing import svg
from replay.drawing.card import Card, draw_card
from replay.drawing.colours import PAINTS
from replay.drawing.svg_elements import plain
from replay.errors import Usage
from replay.formats.pictures.stills import check_extra, png, write_card, write_png
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.store import temporary_store

EXTRA = all(importlib.util.find_spec(name) for name in ("PIL", "resvg_py"))
needs_extra = pytest.mark.skipif(not EXTRA, reason="the extra `pictures` is not installed")


@pytest.fixture
def record() -> Iterator[tuple[Book, Any]]:
    store = temporary_store()
    book = Book(store)
    text = Path("fixtures/poptrix/commented.ply").read_text(encoding="utf-8")
    yield book, import_record(book, next(iter(read_records(text))))  # type: ignore[arg-type]
    store.close()


def image(data: bytes) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(data))


def one_piece(colour: Any) -> str:
    cell = Cell("a1", 0, 0, (Piece("cube", colour),))
    return svg.draw(Scene((Grid(("a",), ("1",), (cell,)),)))


@pytest.mark.parametrize("slug", ["poptrix", "power-play", "cube-pyramid"])
def test_plain_drawing_names_its_colours(slug):
    drawing = svg.draw(built_in(slug).scene(open_match(built_in(slug)).state.position.view(None)))
    drawn = plain(drawing)
    assert "var(" not in drawn
    assert "--pb" not in drawn
    assert "@media" not in drawn
    assert re.sub("<style>.*?</style>", "", drawn) == re.sub("<style>.*?</style>", "", drawing)


@needs_extra
@pytest.mark.parametrize("colour", PAINTS)
def test_every_colour_arrives_in_the_pixels(colour):
    picture = image(png(one_piece(colour), 400)).convert("RGB")
    fill = PAINTS[colour].fill
    wanted = tuple(int(fill[at : at + 2], 16) for at in (1, 3, 5))
    # The lit face of a cube is its colour with 18 % white.
    lit = tuple(round(part + (255 - part) * 0.18) for part in wanted)
    counts = {pixel: count for count, pixel in picture.getcolors(1 << 20)}
    near = sum(
        count
        for pixel, count in counts.items()
        if max(abs(one - other) for one, other in zip(pixel, lit, strict=True)) <= 3
    )
    assert near > 50


@needs_extra
def test_letters_show_without_fonts_on_the_machine(monkeypatch):
    import resvg_py

    real = resvg_py.svg_to_bytes
    monkeypatch.setattr(
        resvg_py, "svg_to_bytes", lambda **asked: real(**asked, skip_system_fonts=True)
    )
    scene = Scene((Grid(("a",), ("1",), (Cell("a1", 0, 0),)),))
    blank = Scene((Grid(("",), ("",), (Cell("a1", 0, 0),)),))
    assert dark_pixels(png(svg.draw(scene), 400)) > dark_pixels(png(svg.draw(blank), 400)) + 20


def dark_pixels(data: bytes) -> int:
    histogram = image(data).convert("L").histogram()
    return sum(histogram[:140])


@needs_extra
def test_position_becomes_a_png_of_its_ply(record):
    book, match = record
    first, later = write_png(book, match, 1), write_png(book, match, 5)
    assert image(first).format == "PNG"
    assert image(first).width == 960
    assert first != later


@needs_extra
def test_match_becomes_a_gif_of_its_positions(record):
    from replay.formats.pictures.animation import write_gif

    book, match = record
    gif = image(write_gif(book, match, 4))
    assert gif.format == "GIF"
    assert gif.n_frames == 5
    assert gif.info["loop"] == 0
    gif.seek(4)
    assert gif.info["duration"] > 2000


def test_missing_extra_is_named_with_its_installation(record, monkeypatch):
    check_extra.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Usage, match=r"pip install '\.\[pictures\]'"):
        write_png(*record, 0)


@needs_extra
def test_animation_shows_exactly_the_requested_range(record):
    from replay.formats.pictures.animation import write_gif

    book, match = record
    assert image(write_gif(book, match, 6, first=3)).n_frames == 4
    assert image(write_gif(book, match, 3, first=3)).format == "GIF"
    with pytest.raises(Usage, match="before"):
        write_gif(book, match, 3, first=4)


def test_plain_drawing_has_only_the_needed_rules():
    drawn = plain(one_piece("seat1"))
    assert ".pb-seat1 .pb-body{" in drawn
    assert ".pb-seat2" not in drawn


@needs_extra
def test_card_has_the_expected_size_and_its_board(record):
    book, match = record
    first, last = (write_card(book, match, ply) for ply in (1, match.ply()))
    assert image(first).size == image(last).size == (1200, 630)
    assert first != last


def test_card_has_scores_and_colours_of_pieces():
    score = Score(2, "2/5 ▲", "2 of 5 towers", "tower")
    trays = (Tray("Cool", 1, score=score, colours=("blue", "green")), Tray("Warm", 2))
    card = Card("Blockade", {1: "Jet", 2: "Red"}, "Red is to move", "9 moves")
    drawn = draw_card(Scene((), trays), card, UNNAMED)
    assert ">2/5 ▲</text>" in drawn
    assert drawn.index("pb-blue") < drawn.index("pb-green") < drawn.index(">Jet<")
    assert 'class="pb-seat2"' in drawn
    assert 'class="pb-seat1"' not in drawn


@pytest.mark.parametrize("name", ["A" * 80, "王" * 60, "i" * 200, "Jet & <Red>"])
def test_texts_of_a_card_stay_on_it(name):
    standing = f"{name} is to launch, and that is a long sentence about a short matter " * 3
    drawn = draw_card(Scene(()), Card("Poptrix", {1: name, 2: "Red"}, standing, "3 moves"), UNNAMED)
    pattern = r'<text class="([^"]*)" x="([\d.]+)" y="[\d.]+" font-size="([\d.]+)">([^<]*)</text>'
    lines = re.findall(pattern, drawn)
    assert len(lines) >= 6
    assert lines[-2][3] == "Plybook"
    for css, x, size, text in lines:
        letters = unescape(text)
        wide = sum(1.0 if letter == "王" else 0.54 for letter in letters) * float(size)
        assert float(x) + wide * ("pb-end" not in css) <= 1200
