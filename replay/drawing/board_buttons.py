"""Draw a scene for a page: inline SVG in which every place is a labelled button.

It has no inline styles, because pages may forbid them: `service/static/board.css` has them all. A
script sets the state of a place as classes: `is-open`, `is-chosen`, `is-target`, `is-pending`,
`is-refused`, `is-focus`, and for changes `is-new` and `is-gone`. The trays are HTML.
"""

from __future__ import annotations

from typing import Final

from domain.names import UNNAMED, Names
from domain.scene import Block, Cell, Grid, Pile, Scene
from replay.drawing.corner_pile import HEXAGON, Corner
from replay.drawing.descriptions import block_label, cell_label, describe
from replay.drawing.grid import GridFrame, Rim, Shown, grid, left_out
from replay.drawing.marks import arrows
from replay.drawing.svg_elements import Box, circle, escape, flow, number, path, polygon, rectangle

ROOMY: Final = Rim(16.0, 19.0, 2.0, 14.5)
NARROW: Final = Rim(10.5, 15.0, 0.75, 13.5)
"""The rim of a wide board: eight columns are 44 pixels wide each on a phone of 360 pixels."""

BROAD: Final = 8
"""The number of columns from which a board is wide."""

ASIDE: Final = 700.0
GAP: Final = 12.0


def board(
    scene: Scene, *, title: str = "Board", names: Names = UNNAMED, before: Scene | None = None
) -> str:
    """Draw the first panel of a scene, if any, with every place as a button.

    `names` are used in the labels for screen readers. A place is a `<g class="pb-cell" data-at="c3"
    role="button" aria-label="c3, ...">` in reading order, with `data-marks` if it is marked; a
    piece in it is a `<g data-piece="L1">`. A place that is drawn as in the scene `before`,
    which the page shows, is only a `<g data-same="c3">`.
    """
    if not scene.panels:
        return ""
    panel = scene.panels[0]
    same = _unchanged(before, scene) if before else frozenset()
    if isinstance(panel, Pile):
        drawn = _pile(panel, scene, same)
    else:
        drawn = _grid(panel, scene, names, same)
    return (
        f'<svg class="pb-scene pb-live" role="group" aria-label="{escape(title)}"'
        f' viewBox="0 0 {number(drawn.width)} {number(drawn.height)}">{drawn.body}</svg>'
    )


def more(scene: Scene, names: Names = UNNAMED, before: Scene | None = None) -> str:
    """Draw the other panels, if any, without buttons.

    Places that are drawn as in the scene `before` are left out, as in `board`.
    """
    panels = [panel for panel in scene.panels[1:] if isinstance(panel, Grid)]
    if not panels:
        return ""
    drawn = [
        grid(panel, scene.marks, (), names, _unchanged(before, scene, number_) if before else ())
        for number_, panel in enumerate(scene.panels)
        if number_ and isinstance(panel, Grid)
    ]
    whole = flow(drawn, ASIDE, GAP)
    told = describe(Scene(tuple(panels)), names)
    return (
        f'<svg class="pb-scene pb-more" role="img" aria-label="{escape(told)}"'
        f' viewBox="0 0 {number(whole.width)} {number(whole.height)}">{whole.body}</svg>'
    )


def _unchanged(before: Scene, scene: Scene, number_: int = 0) -> frozenset[str]:
    """Return the places of a panel that are drawn alike in both scenes."""
    old, new = (_drawn_places(each, number_) for each in (before, scene))
    return frozenset(place for place, drawn in new.items() if old.get(place) == drawn)


def _drawn_places(scene: Scene, number_: int) -> dict[str, object]:
    """Return all that the drawing of a place of a panel depends on, by place."""
    if number_ >= len(scene.panels):
        return {}
    panel, shown = scene.panels[number_], Shown(scene.marks)
    if isinstance(panel, Pile):
        return {each.at: (panel.side, each, tuple(shown.kinds(each.at))) for each in panel.blocks}
    board = panel.columns, panel.rows, panel.stacks, panel.title
    return {
        cell.at: (board, cell, tuple(shown.kinds(cell.at)), tuple(shown.notes(cell.at)))
        for cell in panel.cells
    }


def _grid(panel: Grid, scene: Scene, names: Names, same: frozenset[str]) -> Box:
    frame = GridFrame(panel, NARROW if len(panel.columns) >= BROAD else ROOMY)
    shown = Shown(scene.marks)
    cells = sorted(panel.cells, key=lambda cell: (-cell.row, cell.column))
    drawn = "".join(
        left_out(cell.at) if cell.at in same else _cell(cell, frame, shown, names) for cell in cells
    )
    ways = "".join(arrows(scene.arrows, frame.places()))
    return frame.around(drawn, f'<g class="pb-ways" aria-hidden="true">{ways}</g>')


def _cell(cell: Cell, frame: GridFrame, shown: Shown, names: Names) -> str:
    width, height = frame.width, frame.height
    css = "pb-cell pb-held" if cell.pieces else "pb-cell"
    kinds = " ".join(shown.kinds(cell.at))
    marked = f' data-marks="{escape(kinds)}"' if kinds else ""
    # Rings are drawn under the pieces, so that they do not hide a piece's badges.
    state = rectangle("pb-state", 3.5, 3.5, width - 7, height - 7, round_=7)
    hit = rectangle("pb-hit", 1.5, 1.5, width - 3, height - 3)
    drawn = frame.under(cell, shown) + state + frame.over(cell, shown)
    drawn += _signs(width / 2, height / 2) + hit
    return _button(css, cell.at, marked, cell_label(cell, names), frame.corner(cell), drawn)


def _pile(panel: Pile, scene: Scene, same: frozenset[str]) -> Box:
    shown = Shown(scene.marks)

    def place(block: Block, x: float, y: float, drawn: str) -> str:
        if block.at in same:
            return left_out(block.at)
        css = "pb-cell" if block.open else "pb-cell pb-held"
        kinds = shown.kinds(block.at)
        marked = f' data-marks="{escape(" ".join(kinds))}"' if kinds else ""
        label = block_label(block) + (", due" if "due" in kinds else "")
        drawn += _signs(0, 0) + _hexagon("pb-state", 0.84) + _hexagon("pb-hit", 0.97)
        return _button(css, block.at, marked, label, (x, y), drawn)

    untitled = Pile(panel.side, panel.blocks)
    return Corner(untitled).draw(place, scene.marks, scene.arrows)


def _hexagon(css: str, factor: float) -> str:
    return polygon(css, *((x * factor, y * factor) for x, y in HEXAGON))


def _signs(x: float, y: float) -> str:
    """Draw the signs that the style sheet shows in some states: a dot, and a cross."""
    cross = path("pb-no", f"M{number(x - 13)} {number(y - 13)}l26 26m0-26l-26 26")
    return circle("pb-dot", x, y, 8) + cross


def _button(
    css: str, place: str, marked: str, label: str, where: tuple[float, float], drawn: str
) -> str:
    x, y = where
    return (
        f'<g class="{css}" data-at="{escape(place)}"{marked} role="button" tabindex="-1"'
        f' aria-label="{escape(label)}" transform="translate({number(x)} {number(y)})">{drawn}</g>'
    )
