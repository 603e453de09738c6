"""Painted drawings have the pixels of whole ones, and only their new parts are rasterised."""

from __future__ import annotations

import io
from typing import Any

import pytest

from domain.games import built_in
from plybook.testing.subjects import random_match
from replay.drawing import svg
from replay.formats.pictures import painter
from replay.formats.pictures.stills import png

image = pytest.importorskip("PIL.Image")
chops = pytest.importorskip("PIL.ImageChops")
pytest.importorskip("resvg_py")

WIDTH = 480
SLIGHT = 64
"""A difference of colours that rounding may cause at an edge."""


def drawings(slug: str, plies: int) -> list[str]:
    match = random_match(built_in(slug), 3, limit=plies)
    game, line = match.game, match.line
    return [
        svg.draw(game.scene(match.at(at).position.view(None), line[at - 1].effects if at else ()))
        for at in range(len(line) + 1)
    ]


def whole(drawing: str, height: int) -> Any:
    page = image.new("RGB", (WIDTH, height), "white")
    page.paste(image.open(io.BytesIO(png(drawing, WIDTH))).convert("RGB"))
    return page


@pytest.mark.parametrize(
    "slug",
    [
        "blockade",
        pytest.param("cube-pyramid", marks=pytest.mark.slow),
        pytest.param("poptrix", marks=pytest.mark.slow),
        "power-play",
        pytest.param("pyramid-ball", marks=pytest.mark.slow),
    ],
)
def test_painted_drawings_equal_whole_ones(slug):
    shown = drawings(slug, 4)
    paints = painter.Painter(WIDTH)
    height = max(map(paints.height, shown))
    for drawing in shown:
        painted = paints.paint(drawing, height)
        difference = chops.difference(painted, whole(drawing, height)).convert("L")
        assert sum(difference.histogram()[SLIGHT:]) < 5


@pytest.mark.parametrize("slug", ["poptrix", "power-play"])
def test_page_does_not_depend_on_the_last_one(slug):
    shown = drawings(slug, 12)
    paints, alone = painter.Painter(WIDTH), painter.Painter(WIDTH)
    height = max(map(paints.height, shown))
    for drawing, page in [(each, height) for each in (*shown, *shown[::-5])] + [(shown[3], 300)]:
        alone._last = {}, image.new("RGB", (WIDTH, 0))
        assert paints.paint(drawing, page).tobytes() == alone.paint(drawing, page).tobytes()


def test_only_new_parts_are_rasterised(monkeypatch):
    pixels: list[int] = []

    def counted(drawing: str, width: int, background: str | None) -> bytes:
        made = png(drawing, width, background)
        with image.open(io.BytesIO(made)) as sheet:
            pixels.append(sheet.width * sheet.height)
        return made

    monkeypatch.setattr(painter, "png", counted)
    shown = drawings("power-play", 40)
    paints = painter.Painter(WIDTH)
    height = max(map(paints.height, shown))
    for drawing in shown:
        paints.paint(drawing, height)
    assert sum(pixels) < len(shown) * WIDTH * height / 2
    pixels.clear()
    paints.paint(shown[-1], height)
    assert not sum(pixels)


def test_known_parts_are_bounded(monkeypatch):
    monkeypatch.setattr(painter, "MAX_KNOWN", 20)
    shown = drawings("poptrix", 6)
    paints = painter.Painter(WIDTH)
    pages = [paints.paint(drawing, paints.height(drawing)) for drawing in shown]
    assert len(paints._known) == 20
    difference = chops.difference(pages[-1], whole(shown[-1], pages[-1].height)).convert("L")
    assert sum(difference.histogram()[SLIGHT:]) < 5
