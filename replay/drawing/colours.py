"""Colours by Okabe and Ito, which are distinct for all kinds of colour vision.

Each colour also has a letter, drawn on pieces, and a word for screen readers. Nine seats need more
colours than these: the later ones also differ in lightness.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.scene import Colour


class Paint(NamedTuple):
    """A colour: its fill, a readable ink on it, its letter, word and ANSI colour."""

    fill: str
    ink: str
    letter: str
    word: str
    ansi: int


WHITE: Final = "#fff"
BLACK: Final = "#000"
CHARCOAL: Final = "#1c1c1c"
BLUE: Final = "#0072b2"
GREEN: Final = "#12a67c"
CHALK: Final = "#f1f1ee"

PAINTS: Final[dict[Colour, Paint]] = {
    "seat1": Paint(BLUE, WHITE, "1", "seat 1", 33),
    "seat2": Paint("#e69f00", BLACK, "2", "seat 2", 208),
    "seat3": Paint(GREEN, BLACK, "3", "seat 3", 36),
    "seat4": Paint("#d58ab3", BLACK, "4", "seat 4", 170),
    "seat5": Paint("#8fd0f5", BLACK, "5", "seat 5", 117),
    "seat6": Paint("#b5400a", WHITE, "6", "seat 6", 130),
    "seat7": Paint("#f0e442", BLACK, "7", "seat 7", 227),
    "seat8": Paint("#3d3d45", WHITE, "8", "seat 8", 240),
    "seat9": Paint("#5b3a8c", WHITE, "9", "seat 9", 61),
    "black": Paint("#26262b", WHITE, "K", "black", 243),
    "clear": Paint("#eaf3f8", CHARCOAL, "C", "clear", 110),
    "blue": Paint(BLUE, WHITE, "B", "blue", 33),
    "green": Paint(GREEN, BLACK, "G", "green", 36),
    "red": Paint("#d95f1e", BLACK, "R", "red", 166),
    "yellow": Paint("#f0e442", BLACK, "Y", "yellow", 178),
    "light": Paint("#f1dfb8", "#3a2a10", "l", "light", 179),
    "dark": Paint("#6d4527", WHITE, "d", "dark", 130),
}


def seat_colour(seat: int) -> Colour | None:
    """Return the colour of a seat; `None` without a seat."""
    return SEAT_COLOURS.get(seat)


SEAT_COLOURS: Final = {
    int(paint.letter): colour for colour, paint in PAINTS.items() if paint.letter.isdigit()
}

SIZE_LETTER: Final = ("", "S", "M", "L")
"""The letters of the sizes, by pips."""

# `mark` frames what must be done and what people drew, `just` and `glow` what happened last.
LIGHT: Final = {
    "paper": WHITE, "ink": CHARCOAL, "soft": "#5f6368", "square": "#f7f3ea",
    "line": "#b5aa96", "card": "#f4f4f2", "rim": CHARCOAL, "mark": "#6b1fd1", "glow": "#ffdc5e",
    "just": "#7d5b00", "halo": WHITE, "chequer": "#d3c6ad",
}  # fmt: skip
DARK: Final = {
    "paper": "#15181c", "ink": CHALK, "soft": "#a9b0b8", "square": "#272c33",
    "line": "#565e69", "card": "#1f242a", "rim": BLACK, "mark": "#d0b3ff", "glow": "#7a6410",
    "just": "#f0cf5c", "halo": CHALK, "chequer": "#3d4651",
}  # fmt: skip


def _variables(values: dict[str, str]) -> str:
    return "".join(f"--pb-{name}:{value};" for name, value in values.items())


_PAINTED: Final = "".join(
    f".pb-{colour}{{--pb-fill:{paint.fill};--pb-on:{paint.ink}}}"
    for colour, paint in PAINTS.items()
)

DIM: Final[tuple[Colour, ...]] = (
    "seat1", "seat6", "seat8", "seat9", "black", "blue", "red", "dark",
)  # fmt: skip
"""The colours that hardly differ from a dark board: there their pieces get a pale outline."""

_PALE_RIMS: Final = ",".join(f".pb-scene .pb-{colour}" for colour in DIM) + "{--pb-rim:#d5d9df}"

STYLE: Final = (
    f".pb-scene{{{_variables(LIGHT)}font-family:system-ui,'DejaVu Sans',sans-serif}}"
    f"@media(prefers-color-scheme:dark){{.pb-scene{{{_variables(DARK)}}}"
    f"{_PALE_RIMS}}}"
    "@media(prefers-contrast:more){.pb-scene{--pb-line:var(--pb-ink);--pb-soft:var(--pb-ink)}}"
    f"{_PAINTED}"
    """
.pb-paper{fill:var(--pb-paper)}
.pb-card{fill:var(--pb-card);stroke:var(--pb-line)}
.pb-square{fill:var(--pb-square);stroke:var(--pb-line);stroke-width:1}
.pb-chequer{fill:var(--pb-chequer)}
.pb-spike{fill:var(--pb-square);stroke:var(--pb-soft);stroke-width:1.3}
.pb-spike.pb-chequer{fill:var(--pb-chequer)}
.pb-bare{stroke:var(--pb-square)}
.pb-rule{fill:none;stroke:var(--pb-soft);stroke-width:1.3}
.pb-slot{fill:none}
.pb-star{fill:var(--pb-soft)}
.pb-body{fill:var(--pb-fill);stroke:var(--pb-rim);stroke-width:1.5;stroke-linejoin:round}
.pb-shade{fill:#000;fill-opacity:.2}
.pb-tip-light{fill:#fff;stroke:var(--pb-rim);stroke-width:1.2;stroke-linejoin:round}
.pb-tip-dark{fill:#16161a;stroke:var(--pb-rim);stroke-width:1.2;stroke-linejoin:round}
.pb-gleam{fill:#fff;fill-opacity:.18}
.pb-dusk{fill:#2e1a00;fill-opacity:.2}
.pb-night{fill:#2e1a00;fill-opacity:.42}
.pb-crease{fill:none;stroke:var(--pb-rim);stroke-width:1;stroke-linejoin:round}
.pb-inset{fill:none;stroke:#fff;stroke-opacity:.55;stroke-width:1.2}
.pb-groove{fill:none;stroke:var(--pb-on);stroke-opacity:.6;stroke-width:1.2}
.pb-band-line{fill:none;stroke:var(--pb-on);stroke-width:1.6}
.pb-face{fill:#fff;stroke:#1c1c1c;stroke-width:1.2}
.pb-suit-red{fill:#c4122f;font-weight:700}
.pb-suit-black{fill:#1c1c1c;font-weight:700}
.pb-figure{fill:var(--pb-fill);stroke:var(--pb-rim);stroke-linejoin:round}
.pb-figure-line{fill:none;stroke:var(--pb-on);stroke-linecap:round;stroke-linejoin:round}
.pb-pip{fill:var(--pb-on)}
.pb-letter{fill:var(--pb-on);font-weight:700;text-anchor:middle}
.pb-cap{fill:#fff;stroke:#111;stroke-width:2;stroke-linejoin:round}
.pb-brim{fill:none;stroke:#111;stroke-width:7;stroke-linecap:round}
.pb-braid{fill:none;stroke:#fff;stroke-width:3;stroke-linecap:round}
.pb-ball{fill:#fff;stroke:#111;stroke-width:1.8}
.pb-seam{fill:#111;stroke:#111;stroke-width:1.3}
.pb-halt{fill:#c8102e;stroke:#fff;stroke-width:2}
.pb-halt-bar{fill:#fff}
.pb-tint{fill:var(--pb-fill);fill-opacity:.24}
.pb-tint-edge{fill:none;stroke:var(--pb-fill);stroke-opacity:.85;stroke-width:2}
.pb-net{fill:none;stroke:var(--pb-fill);stroke-opacity:.6;stroke-width:1.3}
.pb-owner{fill:var(--pb-soft);font-weight:600;text-anchor:middle}
.pb-open{fill:var(--pb-square);stroke:var(--pb-ink);stroke-width:1.8;stroke-dasharray:5 4}
.pb-space{fill-opacity:.55}
.pb-space-spoke{fill:none;stroke:var(--pb-ink);stroke-opacity:.35}
.pb-closed{fill:var(--pb-line);fill-opacity:.35}
.pb-wall{fill:none;stroke:var(--pb-ink);stroke-width:4;stroke-dasharray:13 2.5}
.pb-rubble{fill:var(--pb-ink);fill-opacity:.13}
.pb-shield{fill:var(--pb-ink);stroke:var(--pb-paper);stroke-width:1.5}
.pb-shield-text{fill:var(--pb-paper);font-weight:700;text-anchor:middle}
.pb-chip{fill:var(--pb-fill);stroke:var(--pb-rim);stroke-width:1.2}
.pb-band{fill:var(--pb-square);fill-opacity:.35;stroke:var(--pb-ink);stroke-width:3}
.pb-glow{fill:var(--pb-glow);fill-opacity:.55}
.pb-to{fill:none;stroke:var(--pb-just);stroke-width:2.5}
.pb-from{fill:none;stroke:var(--pb-just);stroke-width:2;stroke-dasharray:7 5}
.pb-due{fill:none;stroke:var(--pb-mark);stroke-width:3.5;stroke-dasharray:.1 7;stroke-linecap:round}
.pb-flag{fill:var(--pb-mark);stroke:var(--pb-paper);stroke-width:1.5}
.pb-cross-halo{fill:none;stroke:var(--pb-halo);stroke-width:9;stroke-linecap:round}
.pb-cross{fill:none;stroke:#b3001b;stroke-width:5;stroke-linecap:round}
.pb-mark-removed .pb-cross{stroke:#1c1c1c}
.pb-arrow,.pb-halo{fill:none;stroke-linecap:round;stroke-linejoin:round;pointer-events:none}
.pb-way{opacity:.8}
.pb-halo{stroke:var(--pb-halo);stroke-width:7}
.pb-arrow{stroke:var(--pb-fill,#1c1c1c);stroke-width:3.5}
.pb-arrow-push{stroke-width:8}
.pb-arrow-pass{stroke-dasharray:1 8}
.pb-arrow-failed{stroke-dasharray:8 6;stroke-width:3}
.pb-way-note{--pb-fill:var(--pb-mark)}
.pb-arrow-note{stroke-width:5}
.pb-ring,.pb-ring-halo{fill:none;pointer-events:none}
.pb-ring{stroke:var(--pb-mark);stroke-width:4}
.pb-ring-halo{stroke:var(--pb-halo);stroke-width:7;stroke-opacity:.8}
.pb-plate{fill:var(--pb-paper);stroke:var(--pb-mark);stroke-width:2}
.pb-plate-text{fill:var(--pb-ink);font-weight:700;text-anchor:middle}
.pb-head{fill:var(--pb-fill,#1c1c1c);stroke:var(--pb-halo);stroke-width:1.5;pointer-events:none}
.pb-head-open{fill:var(--pb-halo);stroke:var(--pb-fill,#1c1c1c);stroke-width:2.5;pointer-events:none}
.pb-label{fill:var(--pb-soft);text-anchor:middle}
.pb-note{fill:var(--pb-ink);text-anchor:middle;paint-order:stroke;stroke:var(--pb-square);stroke-width:3px;stroke-linejoin:round}
.pb-inside{font-weight:600}
.pb-end{text-anchor:end}
.pb-begin{text-anchor:start}
.pb-title{fill:var(--pb-ink);font-weight:700}
.pb-middle{text-anchor:middle}
.pb-line{fill:var(--pb-ink)}
.pb-fixed{font-family:ui-monospace,'DejaVu Sans Mono','Liberation Mono',monospace}
.pb-none{opacity:.35}
""".replace("\n", "")
)
"""The style sheet of every picture; it is the same in all, so several can be on one page."""
