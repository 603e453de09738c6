"""The accent, the tint of the last move and the red for a "no" differ in all pictures."""

from __future__ import annotations

import re

import pytest

from domain.scene import Arrow
from replay.drawing.arrows import Reach, arrows
from replay.drawing.colours import DARK, LIGHT, PAINTS, STYLE
from tests.paths import ROOT

TINT = 0.24
"""The opacity of the ground of a seat."""

GLOW = 0.55
"""The opacity of the tint of the last move."""


def rgb(colour: str) -> list[float]:
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def over(colour: list[float], ground: list[float], opacity: float) -> list[float]:
    return [
        above * opacity + below * (1 - opacity) for above, below in zip(colour, ground, strict=True)
    ]


def luminance(colour: list[float]) -> float:
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: list[float], other: list[float]) -> float:
    """The contrast of two colours by WCAG 2."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("seat", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("sign", ["mark", "just"])
def test_signs_stand_out_from_every_ground(scheme, seat, sign):
    square = rgb(scheme["square"])
    ground = over(rgb(PAINTS[f"seat{seat}"].fill), square, TINT) if seat else square
    for below in (ground, over(rgb(scheme["glow"]), ground, GLOW)):
        assert contrast(rgb(scheme[sign]), below) >= 3


@pytest.mark.parametrize("ground", ["square", "chequer", "card", "paper"])
@pytest.mark.parametrize("colour", PAINTS)
def test_pieces_of_each_colour_stand_out_from_every_square(colour, ground):
    # Games and plug-ins name colours of this table, so it covers them all.
    twin = re.search(rf"\.pb-{colour}\b[^{{}}]*{{--pb-rim:(#\w+)}}", STYLE)
    for scheme, rim in (LIGHT, LIGHT["rim"]), (DARK, twin[1] if twin else DARK["rim"]):
        edge = (PAINTS[colour].fill, rim)
        assert max(contrast(rgb(each), rgb(scheme[ground])) for each in edge) >= 3


@pytest.mark.parametrize(
    "sheet", ["service/static/css/board", "replay/formats/html/static/css/player"]
)
def test_chips_have_an_edge_that_stands_out_from_every_page(sheet):
    # A variable of pictures has no value in the strip of players, and its border would be none.
    rules = (ROOT / f"{sheet}.css").read_text(encoding="utf-8")
    (chip,) = re.findall(r"^\.swatches i \{([^}]*)\}", rules, re.MULTILINE)
    assert "border: 1px solid var(--ink);" in chip
    colours = (ROOT / "replay/formats/html/static/css/colours.css").read_text(encoding="utf-8")
    for scheme in colours.partition("@media")[::2]:
        known = dict(re.findall(r"--([\w-]+): (#\w+);", scheme))
        for ground in ("paper", "card", "good-tint"):
            assert contrast(rgb(known["ink"]), rgb(known[ground])) >= 3


def test_pictures_and_pages_have_the_same_accent():
    sheet = (ROOT / "replay/formats/html/static/css/colours.css").read_text(encoding="utf-8")
    assert re.findall(r"--pb-act: (#\w+)", sheet) == [LIGHT["mark"], DARK["mark"]]


def test_last_move_and_due_places_differ_in_colour():
    rules = dict(re.findall(r"^\.(pb-\w+)\{([^}]*)\}", STYLE.replace("}.", "}\n."), re.MULTILINE))
    assert all("--pb-just" in rules[name] for name in ("pb-to", "pb-from"))
    assert all("--pb-mark" in rules[name] for name in ("pb-due", "pb-flag"))
    (bad,) = re.findall(r"--pb-bad: (#\w+)", _light_sheet())
    assert bad in rules["pb-cross"]
    assert bad not in LIGHT.values()


def _light_sheet() -> str:
    sheet = (ROOT / "replay/formats/html/static/css/colours.css").read_text(encoding="utf-8")
    return sheet.partition("@media")[0]


@pytest.mark.parametrize("kind", ["move", "hop"])
def test_arrow_head_does_not_cover_the_piece(kind):
    (drawn,) = arrows([Arrow("a1", "a3", kind)], {"a1": Reach(32, 160), "a3": Reach(32, 32)})
    tip = re.search(r'"pb-head" d="M([\d.]+) ([\d.]+)', drawn)
    assert tip is not None
    assert float(tip[2]) - 32 >= 24


@pytest.mark.parametrize("kind", ["move", "note"])
def test_arrow_runs_behind_pieces_on_its_way(kind):
    held = {f"a{row}": Reach(32, 32 + 64 * row, 24, 26) for row in range(4)}
    (drawn,) = arrows([Arrow("a3", "a0", kind)], held)
    line = re.search(rf'pb-arrow-{kind}" d="([^"]*)"', drawn)
    tip = re.search(r'"pb-head" d="M([\d.]+) ([\d.]+)', drawn)
    assert line is not None
    assert tip is not None
    heights = [float(y) for y in re.findall(r" ([\d.]+)", line[1])]
    for spot in held.values():
        assert not any(abs(y - spot.y) < spot.high for y in heights)
    assert float(tip[2]) >= 32 + 26
