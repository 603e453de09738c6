"""The picture of a score sheet: the numbers by round or row, the totals, and their course."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import Final

from domain.effects import Effect
from domain.games.score_sheet.definition import Entry
from domain.games.score_sheet.effects import Entered
from domain.games.score_sheet.position import Sheet
from domain.names import Names, count
from domain.scene import Graph, Scene, Score, Table, TableLine, Tray

Lines = tuple[TableLine, ...]

MAX_LINES: Final = 12
"""The number of last rounds that are shown."""


def draw(sheet: Sheet, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the sheet; the graph begins with the second round."""
    seats = range(1, len(sheet.entries) + 1)
    entered = next((each.seat for each in effects if isinstance(each, Entered)), 0)
    (earlier, lines), foot, latest = _lines(sheet, entered)
    heads = tuple(f"{'▸ ' * (seat == sheet.starter)}{names.title(seat)}" for seat in seats)
    table = Table(heads, lines, foot, latest=latest, earlier=earlier)
    trays = tuple(Tray(names.title(seat), seat, score=_score(sheet, seat)) for seat in seats)
    curves = tuple(tuple(accumulate(points for _, points in own)) for own in sheet.entries)
    longest = max(map(len, curves))
    panels = (table, Graph(curves, "Totals")) if longest > 1 else (table,)
    return Scene(panels, trays)


def _lines(sheet: Sheet, entered: int) -> tuple[tuple[Lines, Lines], Lines, tuple[int, int] | None]:
    """Return the earlier and the shown lines, the foot, and the place of the latest number."""
    rounds = list(_rounds(sheet))
    hidden = max(0, len(rounds) - MAX_LINES)
    lines = tuple(rounds[:hidden]), (*rounds[hidden:], *_rows(sheet))
    foot = (*_sums(sheet), TableLine("Total", tuple(map(str, sheet.totals))))
    if not entered:
        return lines, foot, None
    *earlier, entry = sheet.entries[entered - 1]
    names = [row.name for row in sheet.rules.rows]
    at = len(rounds) + names.index(entry.row) if entry.row else len(earlier)
    return lines, foot, (at - hidden, entered - 1) if at >= hidden else None


def _rounds(sheet: Sheet) -> Iterator[TableLine]:
    columns: list[list[Entry | None]]
    columns = [[entry for entry in own if not entry.row] for own in sheet.entries]
    for each in sheet.awaiting():  # the line of a round is there before its numbers
        if "enter" in each.moves:
            columns[each.seat - 1].append(None)
    for number, entries in enumerate(zip_longest(*columns), 1):
        texts = ("" if entry is None else str(entry.points) for entry in entries)
        yield TableLine(str(number), tuple(texts))


def _rows(sheet: Sheet) -> Iterator[TableLine]:
    filled = [dict(entries) for entries in sheet.entries]
    for row in sheet.rules.rows:
        texts = (str(own[row.name]) if row.name in own else "" for own in filled)
        yield TableLine(row.title or row.name, tuple(texts))


def _sums(sheet: Sheet) -> Iterator[TableLine]:
    for each in sheet.rules.sums:
        yield TableLine(each.title, tuple(str(each.of(own)) for own in sheet.entries))
    for bonus in sheet.rules.bonus:
        earned = (str(bonus.points) if bonus.earned(own) else "" for own in sheet.entries)
        yield TableLine(bonus.title, tuple(earned))


def _score(sheet: Sheet, seat: int) -> Score:
    """Return the total; the seat with more points leads, so that low totals count negatively."""
    total = sheet.totals[seat - 1]
    words = count(total, "point")
    return Score(total if sheet.wins == "high" else -total, str(total), words, "point")
