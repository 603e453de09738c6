"""Symbols: paths of a game's seeds are drawn, and anything else is refused."""

from __future__ import annotations

import pytest

from replay import rules_text
from replay.drawing.symbols import symbol
from replay.errors import Damaged, Usage

KNIGHT = "tests.replay.drawing/pieces/knight"


def drawn(monkeypatch: pytest.MonkeyPatch, text: str) -> str:
    monkeypatch.setattr(rules_text, "seed", lambda package, game, name: text)
    return symbol.__wrapped__(KNIGHT)


def svg(content: str, view: str = "0 0 45 45") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{content}</svg>'


def test_symbol_is_drawn_from_its_paths():
    found = symbol(KNIGHT)
    assert found.count('class="pb-figure"') == 2
    assert found.count('class="pb-figure-line"') == 1
    assert "scale(1.244) translate(-22.5 -22.5)" in found


def test_holes_of_a_path_stay_holes(monkeypatch):
    path = '<path d="M0 0h9v9z" fill-rule="evenodd"/>'
    assert 'fill-rule="evenodd"' in drawn(monkeypatch, svg(path))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (svg("<script>alert(1)</script>"), "<script>; use only paths"),
        (svg("<text>N</text>"), "<text>"),
        (svg('<image href="x.png"/>'), "<image>"),
        (svg('<path d="M0 0"><animate/></path>'), "<path>"),
        (svg('<path d="M0 0" onclick="x()"/>'), 'onclick="x\\(\\)" is not allowed'),
        (svg('<path d="M0 0" style="fill:red"/>'), "style="),
        (svg('<path d="M0 0" fill="url(#x)"/>'), "fill="),
        (svg('<path d="url(http://x)"/>'), "d="),
        (svg("", view="0 0 45"), "viewBox"),
        (svg("", view="0 0 0 0"), "viewBox"),
        ('<g viewBox="0 0 9 9"/>', "<svg>"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + svg(""), "<!"),
        (svg(" " * 20_000), "20000 characters"),
        ("knight", "not XML"),
        (svg("<path"), "not XML"),
    ],
)
def test_unsafe_symbol_is_refused(monkeypatch, text, fault):
    with pytest.raises(Damaged, match=fault):
        drawn(monkeypatch, text)


@pytest.mark.parametrize(
    "name", ["", "knight", "../knight", "a/../b", "tests.replay.drawing/pieces/../x", "a/b/c/d"]
)
def test_name_of_a_symbol_has_three_parts(name):
    with pytest.raises(Damaged, match="use PACKAGE/GAME/NAME"):
        symbol(name)


def test_missing_symbol_is_named():
    with pytest.raises(Usage, match=r"without a symbols/rook\.svg"):
        symbol("tests.replay.drawing/pieces/rook")
