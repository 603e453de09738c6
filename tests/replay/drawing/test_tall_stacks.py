"""Of a stack of any height every drawer of the server shows the top and the number of pieces."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from domain.scene import TALLEST, Cell, Grid, Piece, Scene
from replay.drawing import board_buttons, svg, text

HEIGHT = 501
KINDS = {
    "pyramids": (Piece("pyramid", "seat1", 2), {"stacks": True}, "stack"),
    "bound": (Piece("pyramid", "seat1", 2), {"stacks": True}, "bound"),
    "nest": (Piece("pyramid", "seat1", 1), {}, "nest"),
    "discs": (Piece("disc", "black"), {}, "stack"),
    "cards": (Piece("card", "clear", text="10♥"), {"lines": "points"}, "stack"),
    "hexes": (Piece("letter", "seat2", text="Q"), {"lines": "hexes"}, "stack"),
    "cubes": (Piece("cube", "dark"), {}, "stack"),
    "balls": (Piece("ball", "clear"), {}, "stack"),
}
DRAWERS: dict[str, Callable[[Scene], str]] = {
    "picture": svg.draw,
    "page": board_buttons.board,
    "parts": lambda scene: "".join(svg.draw_parts(scene)),
    "text": text.draw,
}


def scene(kind: str, height: int) -> Scene:
    thing, look, arrangement = KINDS[kind]
    cell = Cell("a1", 0, 0, (thing,) * height, arrangement)
    return Scene((Grid(("a",), ("1",), (cell,), **look),))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("drawer", DRAWERS)
def test_tall_stack_is_drawn_as_its_top_and_number(drawer, kind):
    draw = DRAWERS[drawer]
    tall, low = draw(scene(kind, HEIGHT)), draw(scene(kind, TALLEST))
    assert len(tall) < len(low) + 400
    seen = re.sub(r'<(title|desc)>.*?</|aria-label="[^"]*"', "", tall)
    assert re.search(rf"\b{HEIGHT}\b", seen)


def test_label_says_the_height_and_the_top():
    shown = board_buttons.board(scene("discs", HEIGHT))
    (label,) = re.findall(r'role="button"[^>]*aria-label="([^"]*)"', shown)
    assert label == f"a1, {TALLEST} × black disc on {HEIGHT - TALLEST} more"
