"""Draw a match as a card of fixed size for links: the board, the players, the state of play."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.names import Names
from domain.scene import Scene, Tray
from replay.drawing.colours import STYLE
from replay.drawing.descriptions import describe
from replay.drawing.rows import laid_out
from replay.drawing.svg import draw_panel
from replay.drawing.svg_elements import Box, at, circle, escape, number, words
from replay.drawing.tables_and_curves import sheet, sheets

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size that sites expect of a picture for a link, in user units and pixels."""

MARGIN: Final = 36.0
MAX_WIDTH: Final = 640.0
"""The largest width of the board."""

SIGN: Final = """<rect width="32" height="32" rx="7" fill="#0b5472"/>\
<path d="M16 5 27 26H5z" fill="#f2c14e"/><path d="M16 5 27 26H16z" fill="#d9a32f"/>\
<circle cx="12.5" cy="21.5" r="1.9" fill="#0b3346"/>\
<circle cx="19.5" cy="21.5" r="1.9" fill="#0b3346"/>"""
"""The sign of Plybook, of 32 by 32."""

GAME: Final = 32.0
NAME: Final = 52.0
STANDING: Final = 40.0
PLACE: Final = 28.0
"""Font sizes."""

LETTER: Final = 0.54
"""A generous average of a letter's width, in font sizes, because fonts cannot be measured here."""

DISC: Final = 27.0
OVERLAP: Final = 36.0
"""The radius of the disc of a colour, and the distance to the next one."""


class Card(Struct, frozen=True):
    """The texts of a card: the game, the players by seat, the state of play, and the ply."""

    game: str
    players: Mapping[int, str]
    standing: str
    place: str


def draw_card(scene: Scene, card: Card, names: Names) -> str:
    """Draw a card with the first panel of a scene; a scene without panels leaves the card empty."""
    board = _board(scene, names)
    x = MARGIN + board.width + (1.5 * MARGIN if board.width else 0)
    text = _text(card, scene, WIDTH - MARGIN - x)
    foot = _foot(card.place, WIDTH - MARGIN - x)
    parts = (
        at(MARGIN, (HEIGHT - board.height) / 2, board.body),
        at(x, (HEIGHT - MARGIN - foot.height - text.height) / 2, text.body),
        at(x, HEIGHT - MARGIN - foot.height, foot.body),
    )
    title = escape(f"{card.game}: {', '.join(card.players.values())}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pb-scene" role="img"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="{title}"><title>{title}</title>'
        f"<desc>{escape(describe(scene, names))}</desc><style>{STYLE}</style>"
        f'<rect class="pb-square" width="100%" height="100%"/>{"".join(parts)}</svg>\n'
    )


def _board(scene: Scene, names: Names) -> Box:
    """Draw the first panel as large as fits."""
    if not scene.panels:
        return Box(0, 0, "")
    first = replace(scene.panels[0], title="")
    boards = [draw_panel(panel, scene, names) for panel in laid_out((first,))]
    (drawn,) = boards or map(sheet, sheets((first,)))
    return drawn.scaled(min(MAX_WIDTH / drawn.width, (HEIGHT - 2 * MARGIN) / drawn.height))


def _text(card: Card, scene: Scene, width: float) -> Box:
    parts, y = [], 0.0
    for css, size, height, body in _lines(card, scene, width):
        parts.append(at(0, y, body) if css is None else words(css, 0, y + height / 2, size, body))
        y += height
    return Box(width, y, "".join(parts))


def _lines(
    card: Card, scene: Scene, width: float
) -> Iterator[tuple[str | None, float, float, str]]:
    """Yield the lines: a class, a font size, a height and a text; or no class and a drawing."""
    yield "pb-line", GAME, 1.9 * GAME, _fit(card.game, width, GAME)
    trays = {tray.seat: tray for tray in scene.trays}
    for seat, name in card.players.items():
        tray = trays.get(seat, Tray("", seat))
        yield None, NAME, 1.45 * NAME, _player(tray, name, width)
    yield "pb-line", STANDING, 0.5 * STANDING, ""
    room = int(width / (STANDING * LETTER))
    for line in textwrap.wrap(card.standing, room, max_lines=3, placeholder=" …"):
        yield "pb-title", STANDING, 1.3 * STANDING, _fit(line, width, STANDING)


def _foot(place: str, width: float) -> Box:
    """Draw the sign and the name of Plybook, and at the right the progress of the match."""
    brand = f'<g transform="scale(1.5)">{SIGN}</g>' + words("pb-title", 64, 24, PLACE, "Plybook")
    return Box(
        width, 48, brand + words("pb-line pb-end", width, 24, PLACE, _fit(place, width / 2, PLACE))
    )


def _player(tray: Tray, name: str, width: float) -> str:
    """Write a name between the colours of its seat and its score."""
    middle = 0.7 * NAME
    signs = list(_signs(tray, middle))
    left = 2 * DISC + (len(signs) - 1) * OVERLAP + 18
    score = tray.score.text if tray.score else ""
    right = width - (len(score) * LETTER * NAME + 18 if score else 0)
    parts = (*signs, words("pb-line", left, middle, NAME, _fit(name, right - left, NAME)))
    if score:
        parts += (words("pb-title pb-end", width, middle, NAME, score),)
    return "".join(parts)


def _signs(tray: Tray, y: float) -> Iterator[str]:
    """Draw the number of a seat on its colour, or the colours of its pieces."""
    own = f"seat{tray.seat}"
    if tray.colours in ((), (own,)):
        number_ = words("pb-letter", DISC, y, 34, number(tray.seat))
        yield f'<g class="pb-{own}">{circle("pb-chip", DISC, y, DISC)}{number_}</g>'
        return
    for index, colour in enumerate(tray.colours):
        yield f'<g class="pb-{colour}">{circle("pb-chip", DISC + index * OVERLAP, y, DISC)}</g>'


def _fit(text: str, width: float, size: float) -> str:
    """Shorten a text that is too wide for one line."""
    room = width / size
    used = 0.0
    for index, letter in enumerate(text):
        used += 1.0 if unicodedata.east_asian_width(letter) in "WF" else LETTER
        if used > room:
            return f"{text[: max(1, index - 1)]}…"
    return text
