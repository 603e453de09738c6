"""Draw a scene for a page: inline SVG in which every place is a labelled button.

It has no inline styles, because pages may forbid them: `service/static/board.css` has them all. A
script sets the state of a place as classes: `is-open`, `is-chosen`, `is-target`, `is-pending`,
`is-refused`, `is-focus`, and for changes `is-new` and `is-gone`. The trays are HTML.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from domain.names import UNNAMED, Names
from domain.scene import Block, Cell, Graph, Grid, Pile, Scene, Table, TableLine
from replay.drawing.arrows import Reach, arrows
from replay.drawing.board_geometry import GridFrame, Rim, Shown, frame_of
from replay.drawing.corner_pile import HEXAGON, Corner
from replay.drawing.descriptions import block_label, cell_label, describe
from replay.drawing.grid import grid, left_out
from replay.drawing.pieces import CELL
from replay.drawing.rows import LINE, LaidRow, laid_out, layers
from replay.drawing.svg_elements import (
    Box,
    at,
    circle,
    escape,
    flow,
    number,
    path,
    polygon,
    rectangle,
)
from replay.drawing.tables_and_curves import WIDTH, Sheet, phrases, sheet, sheets, table

BARE: Final = Rim(0.75, 0.75, 0.75, 11.0)
"""No rim: the board has the whole width, eight columns of 44 pixels on a phone of 360 pixels."""

ROOMY: Final = Rim(16.0, 19.0, 2.0, 14.5)
"""The rim of hexes and of lines, whose pieces leave no corner to a label."""

ASIDE: Final = 700.0
GAP: Final = 12.0


def board(
    scene: Scene, *, title: str = "Board", names: Names = UNNAMED, before: Scene | None = None
) -> str:
    """Draw the panels of a scene, if any, one below the other, with every place as a button.

    `names` are used in the labels for screen readers. A place is a `<g class="pb-cell" data-at="c3"
    role="button" aria-label="c3, ...">` in reading order, with `data-marks` if it is marked; a
    piece in it is a `<g data-piece="L1">`. A place that is drawn as in the scene `before`,
    which the page shows, is only a `<g data-same="c3">`.
    """
    panels, tables = _tappable(scene), _tapped_tables(scene)
    if not (panels or tables):
        return _still([each for each in sheets(scene.panels) if not isinstance(each, Graph)], title)
    same = _unchanged(before, scene, _tappable)
    drawn = Box(0, 0, "")
    ends: dict[str, Reach] = {}
    for panel in panels:
        top = drawn.height + (GAP if drawn.height else 0.0)
        if isinstance(panel, Pile):
            added = _pile(panel, scene, same, top)
        else:
            frame = frame_of(panel, _rim(panel), top)
            ends |= frame.places()
            # The arrows lie over all panels.
            added = _grid(frame, scene, names, same, ends if panel is panels[-1] else {})
        drawn = Box(max(drawn.width, added.width), added.height, drawn.body + added.body)
    for each in tables:
        top = drawn.height + (GAP if drawn.height else 0.0)
        added = table(each, max(WIDTH, drawn.width), functools.partial(_line, Shown(scene.marks)))
        drawn = Box(added.width, top + added.height, drawn.body + at(0, top, added.body))
    across = max(drawn.width, _narrowest(panels))
    left = (drawn.width - across) / 2
    return (
        f'<svg class="pb-scene pb-live" role="group" aria-label="{escape(title)}"'
        f' viewBox="{number(left)} 0 {number(across)} {number(drawn.height)}">{drawn.body}</svg>'
    )


def _rim(panel: Grid) -> Rim:
    """Return the rim of a board; the labels of a large board of lines are as large on a phone."""
    if panel.lines == "points":
        return Rim(*(part * max(1.0, len(panel.columns) / 9) for part in ROOMY))
    return ROOMY if panel.lines == "hexes" else BARE


def _narrowest(panels: Sequence[Grid | Pile]) -> float:
    """Return the least width of a picture, so that a board with few places is not drawn huge."""
    boards = [panel for panel in panels if isinstance(panel, Grid)]
    growing = any(board.lines == "hexes" or isinstance(board, LaidRow) for board in boards)
    return LINE * CELL + 2 * ROOMY.edge if growing else 0.0


def more(scene: Scene, names: Names = UNNAMED, before: Scene | None = None) -> str:
    """Draw the parts without buttons: the layers of a pile, tables, graphs and texts.

    Places that are drawn as in the scene `before` are left out, as in `board`.
    """
    panels = layers(scene)
    if not panels:
        # Without boards, draw the tables where the boards would be.
        board = _tappable(scene) or _tapped_tables(scene)
        beside = [
            each
            for each in sheets(scene.panels)
            if not each.cells and (isinstance(each, Graph) or board)
        ]
        return _still(beside, ". ".join(panel.title for panel in beside))
    same = _unchanged(before, scene, layers)
    drawn = [grid(panel, scene.marks, (), names, same) for panel in panels]
    whole = flow(drawn, ASIDE, GAP)
    told = describe(Scene(tuple(panels)), names)
    return (
        f'<svg class="pb-scene pb-more" role="img" aria-label="{escape(told)}"'
        f' viewBox="0 0 {number(whole.width)} {number(whole.height)}">{whole.body}</svg>'
    )


def _still(panels: Sequence[Sheet], title: str) -> str:
    """Draw tables, graphs and texts, one below the other."""
    if not panels:
        return ""
    whole = flow(list(map(sheet, panels)), WIDTH, GAP)
    told = escape(". ".join([title, *(each for panel in panels for each in phrases(panel))]))
    return (
        f'<svg class="pb-scene pb-more" role="img" aria-label="{told}"'
        f' viewBox="0 0 {number(WIDTH)} {number(whole.height)}">{whole.body}</svg>'
    )


def _tappable(scene: Scene) -> list[Grid | Pile]:
    """Return the panels with places to tap."""
    again = layers(scene)
    return laid_out(tuple(panel for panel in scene.panels if panel not in again))


def _tapped_tables(scene: Scene) -> list[Table]:
    return [panel for panel in scene.panels if isinstance(panel, Table) and panel.cells]


def _line(shown: Shown, line: TableLine, box: Box) -> str:
    """Draw a line of a table as a button."""
    kinds = " ".join(shown.kinds(line.at))
    marked = f' data-marks="{escape(kinds)}"' if kinds else ""
    sides = 3.0, 3.0, box.width - 6, box.height - 6
    glow = rectangle("pb-glow", *sides, round_=7) if kinds else ""
    state = rectangle("pb-state", *sides, round_=7)
    hit = rectangle("pb-hit", 0.5, 0.5, box.width - 1, box.height - 1)
    label = ", ".join(filter(None, (line.title, *line.texts)))
    drawn = f"{glow}{state}{box.body}{_signs(box.width / 2, box.height / 2)}{hit}"
    return _button("pb-cell pb-held", line.at, marked, label, (0, 0), drawn)


Panels = Callable[[Scene], Sequence[Grid | Pile]]


def _unchanged(before: Scene | None, scene: Scene, panels: Panels) -> frozenset[str]:
    """Return the places of some panels that are drawn alike in both scenes."""
    if before is None:
        return frozenset()
    old, new = (_drawn_places(each, panels(each)) for each in (before, scene))
    return frozenset(place for place, drawn in new.items() if old.get(place) == drawn)


def _drawn_places(scene: Scene, panels: Sequence[Grid | Pile]) -> dict[str, object]:
    """Return all that the drawing of a place depends on, by place."""
    shown, table = Shown(scene.marks), tuple(map(_shape, panels))
    return {
        each.at: (table, number_, each, tuple(shown.kinds(each.at)), tuple(shown.notes(each.at)))
        for number_, panel in enumerate(panels)
        for each in (panel.blocks if isinstance(panel, Pile) else panel.cells)
        if each.at
    }


def _shape(panel: Grid | Pile) -> object:
    """Return the data of the scene on which the drawing of every place depends."""
    if isinstance(panel, Pile):
        return panel.side
    look = panel.lines, panel.chequered, panel.ways
    return panel.columns, panel.rows, panel.stacks, panel.title, *look


def _grid(
    frame: GridFrame,
    scene: Scene,
    names: Names,
    same: frozenset[str],
    ends: Mapping[str, Reach],
) -> Box:
    """Draw a board, and over it the arrows between these places."""
    shown = Shown(scene.marks)
    cells = sorted(frame.panel.cells, key=lambda cell: (-cell.row, cell.column))
    drawn = "".join(
        left_out(cell.at) if cell.at in same else _cell(cell, frame, shown, names) for cell in cells
    )
    ways = "".join(arrows(scene.arrows, ends))
    return frame.around(drawn, f'<g class="pb-ways" aria-hidden="true">{ways}</g>')


def _cell(cell: Cell, frame: GridFrame, shown: Shown, names: Names) -> str:
    if not cell.at:
        return at(*frame.corner(cell), frame.under(cell, shown) + frame.over(cell, shown))
    css = "pb-cell pb-held" if cell.pieces else "pb-cell"
    kinds = " ".join(shown.kinds(cell.at))
    marked = f' data-marks="{escape(kinds)}"' if kinds else ""
    # Rings are drawn under the pieces, so that they do not hide a piece's badges.
    state = frame.outline("pb-state", 3.5, 7)
    hit = frame.outline("pb-hit", 1.5)
    drawn = frame.under(cell, shown) + state + frame.over(cell, shown)
    drawn += _signs(frame.width / 2, frame.height / 2) + hit
    return _button(css, cell.at, marked, cell_label(cell, names), frame.corner(cell), drawn)


def _pile(panel: Pile, scene: Scene, same: frozenset[str], top: float) -> Box:
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
    return Corner(untitled, top).draw(place, scene.marks, scene.arrows)


def _hexagon(css: str, factor: float) -> str:
    return polygon(css, *((x * factor, y * factor) for x, y in HEXAGON))


@functools.lru_cache(maxsize=16)  # the cells of a board have one size
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
