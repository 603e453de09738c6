"""Arrange drawn parts in rows, within a width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from replay.drawing.svg_elements import Box, at


def flow(boxes: Sequence[Box], width: float, gap: float) -> Box:
    """Arrange boxes in as few rows as fit the width, every row centred, and stack the rows."""
    y = 0.0
    parts = []
    for row in _rows(boxes, width, gap):
        x = (width - sum(box.width for box in row) - gap * (len(row) - 1)) / 2
        for box in row:
            parts.append(at(x, y, box.body))
            x += box.width + gap
        y += max(box.height for box in row) + gap
    return Box(width, max(0.0, y - gap), "".join(parts))


def _rows(boxes: Sequence[Box], width: float, gap: float) -> Iterator[list[Box]]:
    row: list[Box] = []
    for box in boxes:
        if row and sum(other.width + gap for other in row) + box.width > width + 0.01:
            yield row
            row = []
        row.append(box)
    if row:
        yield row
