"""Draw a scene for pages and files: one `<svg>` without scripts or references.

The layout suits a narrow screen: boards first, trays below. Colours follow the reader's light or
dark scheme. Every place is a `<g data-at="c3">`, for pages that react to taps. Class names begin
with `pb-`, and elements have no ids, so that many drawings fit on one page.
"""

from __future__ import annotations

import math
import textwrap
from typing import Final, NamedTuple

from msgspec.structs import replace

from domain.names import UNNAMED, Names
from domain.scene import Grid, Piece, Pile, Row, Scene, Table
from replay.drawing.colours import STYLE, seat_colour
from replay.drawing.corner_pile import pile
from replay.drawing.descriptions import describe
from replay.drawing.grid import grid
from replay.drawing.rows import laid_out, layers
from replay.drawing.svg_elements import Box, escape, flow, number, words
from replay.drawing.tables_and_curves import sheet, sheets, table
from replay.drawing.trays import trays

MARGIN: Final = 8.0
GAP: Final = 12.0
NARROWEST: Final = 380.0
SECONDARY: Final = 0.56
"""The scale of the layers next to a pile."""

LARGE: Final = 1.3

CAPTION: Final = 17.0

BESIDE: Final = 280.0
"""The width of the trays in a picture of their own."""

LAST: Final = 2
"""The lines of a table in a small picture."""
MOST_COLUMNS: Final = 4
"""The most columns of a table there; of more only the scores are drawn."""
COLUMN: Final = 40.0
"""The width of its columns there."""

TOP: Final = ' preserveAspectRatio="xMidYMin" viewBox'


def draw(scene: Scene, *, title: str = "", names: Names = UNNAMED) -> str:
    """Draw the scene itself as SVG; each of its frames must be drawn separately.

    `title` is the accessible name; by default it is the caption.
    """
    panels = _panels(scene, names)
    width = max([NARROWEST, *(box.width for box in panels)])
    # Text next to a wide board is larger, so that it stays readable when scaled down.
    large = min(LARGE, width / NARROWEST)
    beside = trays(scene.full_trays, width / large).scaled(large)
    parts = [_caption(scene.caption, width), flow(panels, width, GAP), beside]
    content = flow([part for part in parts if part.height], width, GAP)
    return _page(content, escape(title or scene.caption or "Board"), escape(describe(scene, names)))


def draw_small(scene: Scene, *, title: str) -> str:
    """Draw the first panel that is not empty, or the scores, as SVG as small as a word.

    A row is about as high as it is wide, and a table has its last lines and its foot.
    """
    panels = (*scene.panels, _scores(scene))
    shown = next((each for each in panels if not isinstance(each, Row) or each.pieces), None)
    if isinstance(shown, Table) and len(shown.heads) > MOST_COLUMNS:
        shown = _scores(scene)
    match shown:
        case Row():
            (laid,) = laid_out((replace(shown, title=""),), math.ceil(math.sqrt(len(shown.cells))))
            box = draw_panel(laid, scene, UNNAMED)
        case Table():
            lines, foot = (
                tuple(replace(line, title="") for line in those)
                for those in (shown.lines[-LAST:], shown.foot)
            )
            last = replace(shown, lines=lines, foot=foot, latest=None)
            box = table(last, COLUMN * len(shown.heads))
        case _:
            return draw(replace(scene, panels=scene.panels[:1], trays=(), caption=""), title=title)
    return _page(box, escape(title), escape(describe(scene, UNNAMED)))


def _scores(scene: Scene) -> Row:
    """Return the numbers of the scores, each as a tile in the colour of its seat."""
    told = ((seat_colour(tray.seat), tray.score) for tray in scene.trays if tray.score)
    return Row(
        tuple(Piece("letter", own or "clear", text=its.text.split()[0]) for own, its in told)
    )


class Apart(NamedTuple):
    """A drawing in two parts: the boards with the caption, and the trays."""

    board: str
    beside: str


def draw_parts(scene: Scene, *, title: str = "", names: Names = UNNAMED) -> Apart:
    """Draw a scene as two SVG pictures, for pages with room to put them side by side.

    The description in the first picture covers both. Both align to the top of a box that is too
    high.
    """
    panels = _panels(scene, names)
    width = max([NARROWEST, *(box.width for box in panels)])
    parts = [_caption(scene.caption, width), flow(panels, width, GAP)]
    board = flow([part for part in parts if part.height], width, GAP)
    beside = trays(scene.full_trays, BESIDE)
    named = escape(title or scene.caption or "Board")
    return Apart(
        _page(board, named, escape(describe(scene, names))).replace(" viewBox", TOP, 1),
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pb-scene" aria-hidden="true"{TOP}="0 0'
        f' {number(beside.width)} {number(beside.height)}">{beside.body}</svg>\n',
    )


def _panels(scene: Scene, names: Names) -> list[Box]:
    small = layers(scene)
    boards = ((panel in small, draw_panel(panel, scene, names)) for panel in laid_out(scene.panels))
    drawn = [box.scaled(SECONDARY) if again else box for again, box in boards]
    return [*drawn, *map(sheet, sheets(scene.panels))]


def draw_panel(panel: Grid | Pile, scene: Scene, names: Names) -> Box:
    """Draw one panel as SVG, with the marks and arrows of its scene."""
    if isinstance(panel, Pile):
        return pile(panel, scene.marks, scene.arrows)
    return grid(panel, scene.marks, scene.arrows, names)


def _caption(text: str, width: float) -> Box:
    """Write a short caption as a heading, a long one as a paragraph."""
    folded = textwrap.wrap(text, int(width / (CAPTION * 0.56)))
    css, x = ("pb-title pb-middle", width / 2) if len(folded) == 1 else ("pb-line", 4.0)
    lines = (
        words(css, x, CAPTION * (0.6 + 1.3 * index), CAPTION, line)
        for index, line in enumerate(folded)
    )
    return Box(width, CAPTION * 1.3 * len(folded), "".join(lines))


def _page(content: Box, title: str, description: str) -> str:
    width, height = content.width + 2 * MARGIN, content.height + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pb-scene" role="img"'
        f' viewBox="0 0 {number(width)} {number(height)}" aria-label="{title}">'
        f"<title>{title}</title><desc>{description}</desc><style>{STYLE}</style>"
        f'<rect class="pb-paper" width="{number(width)}" height="{number(height)}" rx="10"/>'
        f'<g transform="translate({number(MARGIN)} {number(MARGIN)})">{content.body}</g></svg>\n'
    )
