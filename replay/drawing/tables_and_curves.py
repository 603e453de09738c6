"""Draw tables, curves of numbers and texts of fixed width, as SVG and as lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from domain.scene import FixedText, Graph, Panel, Table, TableLine
from replay.drawing.svg_elements import Box, at, escape, number, path, printable, rectangle, words

WIDTH: Final = 380.0
HEIGHT: Final = 27.0
TAPPED: Final = 58.0
"""The height of the lines of a table that has places: as high as a finger on a phone."""
FONT: Final = 15.0
LETTER: Final = FONT * 0.56
"""A generous average of a letter's width, because fonts cannot be measured here."""

BOLD: Final = 1.1
"""The width of the letters in the foot, as a fraction of the width of other letters."""

MIN_NAME: Final = 5
"""The fewest letters of a cut head that still identify the column."""

MAX_HEAD: Final = 96.0
"""The most room for the titles of lines."""

GRAPH: Final = 150.0
MONO: Final = 0.6
"""The width of a letter of fixed width, in font sizes."""

TYPED: Final = 12.0
"""The most room for such a letter."""

LEADING: Final = 2.0
"""The height of its line, in widths of a letter."""

WORD: Final = re.compile(r"\S+")
EDGE: Final = 6.0


Sheet = Table | Graph | FixedText


def sheets(panels: Sequence[Panel]) -> list[Sheet]:
    """Return the tables, graphs and texts among panels."""
    return [panel for panel in panels if isinstance(panel, Sheet)]


def sheet(panel: Sheet) -> Box:
    """Draw a table, a graph or a text."""
    if isinstance(panel, FixedText):
        return fixed(panel)
    return table(panel) if isinstance(panel, Table) else graph(panel)


def _named(line: TableLine, box: Box) -> str:
    return f'<g data-at="{escape(line.at)}">{box.body}</g>'


def table(
    panel: Table, width: float = WIDTH, draw_named: Callable[[TableLine, Box], str] = _named
) -> Box:
    """Draw a table, as wide as a phone: columns are equally wide, and long texts are smaller.

    `draw_named` returns the elements of a line that can be tapped, from its drawing.
    """
    tall = TAPPED if panel.cells else HEIGHT
    tops = [HEIGHT + row * tall for row in range(1 + len(panel.lines) + len(panel.foot))]
    longest = max((len(line.title) for line in (*panel.lines, *panel.foot)), default=0)
    left = min(MAX_HEAD, longest * LETTER + 2 * EDGE)
    column = (width - left) / max(1, len(panel.heads))
    sizes = _sizes(panel, column - EDGE)
    heads = [
        words("pb-title pb-end", left + column * place - EDGE, HEIGHT / 2, FONT, head)
        for place, head in enumerate(_heads(panel.heads, column - 2 * EDGE), 1)
    ]
    parts = [f'<g class="pb-heads">{"".join(heads)}</g>']
    ways = [f"M0 {number(top)}H{number(width)}" for top in tops[: 1 + len(panel.lines)]]
    parts += [path("pb-square", way) for way in ways[1:-1]]
    if panel.latest:
        row, place = panel.latest
        parts += [rectangle("pb-glow", left + column * place, tops[row], column, tall)]
    for row, line in enumerate((*panel.lines, *panel.foot)):
        css, named = "pb-line" if row < len(panel.lines) else "pb-title", bool(line.at)
        top = 0.0 if named else tops[row]
        drawn = "".join(_line(line, css, left, column, sizes, top, tall))
        parts.append(
            at(0, tops[row], draw_named(line, Box(width, tall, drawn))) if named else drawn
        )
    parts += [path("pb-rule", way) for way in dict.fromkeys((ways[0], ways[-1]))]
    return Box(width, tops[-1], "".join(parts))


def _sizes(panel: Table, room: float) -> list[float]:
    """Return the size of the texts in each column, so that the longest has room."""
    widths = [[LETTER * len(text) for text in line.texts] for line in panel.lines]
    widths += [[LETTER * BOLD * len(text) for text in line.texts] for line in panel.foot]
    return [FONT * room / max(room, *column) for column in zip(*widths, strict=True)]


def _heads(heads: Sequence[str], room: float) -> Iterator[str]:
    """Cut long heads; a head that is then too short or ambiguous becomes the column's number."""
    cut = [_cut(head, room) for head in heads]
    for place, (head, short) in enumerate(zip(heads, cut, strict=True), 1):
        told = short == head or (len(short.lstrip("▸ ")) >= MIN_NAME and cut.count(short) == 1)
        yield short if told else f"{'▸' * head.startswith('▸')}{place}"


def _line(
    line: TableLine,
    css: str,
    left: float,
    column: float,
    sizes: list[float],
    top: float,
    tall: float,
) -> Iterator[str]:
    y = top + tall / 2
    yield words("pb-label pb-end", left - EDGE, y, FONT, _cut(line.title, left - EDGE))
    for place, (text, size) in enumerate(zip(line.texts, sizes, strict=True), 1):
        cell = words(f"{css} pb-end", left + column * place - EDGE, y, size, text)
        if text:
            yield cell
        elif css == "pb-line":  # a pad writes here what is typed
            frame = rectangle("pb-blank", left + column * (place - 1), top, column, tall)
            yield (
                f'<g fill="none" data-column="{place}" data-line="{escape(line.title)}">'
                f"{frame}{cell}</g>"
            )


def _cut(text: str, room: float) -> str:
    most = max(1, int(room / LETTER))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def graph(panel: Graph) -> Box:
    """Draw a curve for each seat in its colour, with 0 as a line and the ends as numbers."""
    values = [0, *(value for curve in panel.curves for value in curve)]
    low, high = min(values), max(values)
    steps = max(map(len, panel.curves), default=0)
    side = (max(len(str(value)) for value in (low, high)) + 1) * LETTER

    def place(step: int, value: int) -> str:
        x = side + (WIDTH - side - EDGE) * step / max(1, steps)
        y = EDGE + (GRAPH - 2 * EDGE) * (high - value) / max(1, high - low)
        return f"{number(x)} {number(y)}"

    parts = [path("pb-rule", f"M{place(0, 0)}L{place(steps, 0)}")]
    for seat, curve in enumerate(panel.curves, 1):
        points = "L".join(place(step, value) for step, value in enumerate((0, *curve)))
        parts.append(f'<g class="pb-seat{seat}">{path("pb-arrow", f"M{points}")}</g>')
    for value in {low, high}:
        y = float(place(0, value).split()[1])
        parts.append(words("pb-label pb-end", side - EDGE, y, FONT * 0.8, str(value)))
    return Box(WIDTH, GRAPH, "".join(parts))


def fixed(panel: FixedText) -> Box:
    """Draw each word at its column, as wide as it is long; long lines are smaller."""
    lines = table_lines(panel)
    longest = max((len(line) for line in lines), default=0)
    across = min(TYPED, WIDTH / max(1, longest))
    high = across * LEADING
    drawn = (
        f'<text class="pb-line pb-fixed" x="{number(across * found.start())}"'
        f' y="{number(high * (row + 0.75))}" font-size="{number(across / MONO)}"'
        f' textLength="{number(across * len(found[0]))}">{escape(found[0])}</text>'
        for row, line in enumerate(lines)
        for found in WORD.finditer(line)
    )
    return Box(across * longest, high * len(lines), "".join(drawn))


def table_lines(panel: Sheet) -> list[str]:
    """Write a table in columns, and a text as it is; a graph has no lines."""
    if isinstance(panel, Graph):
        return []
    if isinstance(panel, FixedText):
        return [printable(line) for line in (panel.title, *panel.lines)][not panel.title :]
    rows = [("", *panel.heads), *((one.title, *one.texts) for one in panel.lines)]
    foot = [(one.title, *one.texts) for one in panel.foot]
    written = [tuple(map(printable, row)) for row in (*rows, *foot)]
    widths = [max(map(len, column)) for column in zip(*written, strict=True)]
    drawn = [
        "  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in written
    ]
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    return [drawn[0], rule, *drawn[1 : len(rows)], rule, *drawn[len(rows) :]]


def phrases(panel: Sheet) -> Iterator[str]:
    """Describe a table by its columns, a graph by its curves, and a text by its lines."""
    if isinstance(panel, FixedText):
        yield from filter(None, map(str.strip, panel.lines))
        return
    if isinstance(panel, Graph):
        for seat, curve in enumerate(panel.curves, 1):
            course = " then ".join(f"{'up' if b > a else 'down'} to {b}" for a, b in _steps(curve))
            yield f"seat {seat} {course or 'has no number'}"
        return
    for place, head in enumerate(panel.heads):
        texts = (f"{one.title}: {one.texts[place]}" for one in (*panel.lines, *panel.foot))
        yield f"{head}, {', '.join(texts)}"


def _steps(curve: Sequence[int]) -> Iterator[tuple[int, int]]:
    return pairwise((0, *curve))
