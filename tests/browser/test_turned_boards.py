"""Pieces of every kind stay in their places on a board that is turned to its other side."""

from __future__ import annotations

import pytest

from replay.drawing.board_buttons import board
from service.http.static_files import GENERATED, path_of
from tests.replay.drawing.scenes import ALL, BLOCKADE

SHEETS = GENERATED["css/pictures.css"].decode() + "".join(
    path_of(f"css/{name}.css").read_text(encoding="utf-8") for name in ("board", "match")
)

STRAYED = """() => [...document.querySelectorAll(".pb-cell")].flatMap((cell) => {
  const place = cell.querySelector(".pb-hit").getBoundingClientRect();
  return [...cell.querySelectorAll(".pb-piece")].filter((piece) => {
    const { x, y, width, height } = piece.getBoundingClientRect();
    const [right, down] = [x + width / 2 - place.x, y + height / 2 - place.y];
    return right < 0 || down < 0 || right > place.width || down > place.height;
  }).map(() => cell.dataset.at);
})"""


@pytest.mark.slow
def test_pieces_keep_their_places_on_turned_boards(phone):
    page = phone()
    for turned in ("", " is-turned"):
        for name, scene in ALL.items() - {("blockade", BLOCKADE)}:  # fans of pyramids never turn
            page.set_content(f"<style>{SHEETS}</style><p class='stage{turned}'>{board(scene)}")
            assert page.evaluate(STRAYED) == [], (name, turned)
