"""Nest the lines of an analysis inside one another, as a text record holds them.

A variation is written as an alternative to an event of the line that it leaves. If that line ends
there, the variation repeats the previous event and is an alternative to that one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from domain.events import Adjusted
from replay.annotations.current import Remark, by_ply
from replay.annotations.events import Glyphed
from replay.annotations.notation import as_note
from replay.book import Book
from replay.branches.analysis import Analysis, AnalysisLine
from replay.formats.ply.model import MAX_DEPTH, Node, RecordLine
from replay.record.clock import clocks
from replay.record.match_record import MatchRecord, steps
from replay.record.sealed_moves import open_plies

EMPTY: Final = "it has no move of its own"
NOWHERE: Final = "the line ends before the ply where it leaves"
TOO_DEEP: Final = f"variations nest at most {MAX_DEPTH} deep"
ADJUSTED: Final = "a text record cannot express the position that was set there"


class LeftOut(NamedTuple):
    """A line that a text record cannot hold, or not from ply `start` on, and why."""

    record: MatchRecord
    why: str
    start: int | None = None

    def words(self) -> str:
        """Describe the omission in a line."""
        part = "" if self.start is None else f" from ply {self.start} on"
        return f"{self.record.header.kind} {self.record.id} left out{part}: {self.why}"


class Nested(NamedTuple):
    """A main line with its variations inside, and the lines that could not be nested."""

    line: RecordLine
    left_out: tuple[LeftOut, ...]


@dataclass
class _Sheet:
    """The data of a line to write: the events after ply `start`, with their remarks."""

    record: MatchRecord
    start: int
    depth: int = 0
    host: _Sheet | None = None
    remarks: dict[int, list[Remark]] = field(default_factory=dict)
    guests: dict[int, list[int]] = field(default_factory=dict)
    """The streams of the variations, by the ply to which they are alternatives."""

    @cached_property
    def plies(self) -> list[int]:
        """Return the plies that a text record can hold: readable ones, up to an adjustment."""
        end = _adjusted_after(self.record, self.start)
        visible = open_plies(self.record.match, self.record.secrets)
        return [ply for ply in visible if self.start < ply and (end is None or ply < end)]

    def line(self, lines: dict[int, RecordLine]) -> RecordLine:
        """Return the line, given the lines of its guests."""
        match, left = self.record.match, _time_left(self.record)
        nodes = []
        for number in self.plies:
            inside = tuple(lines[guest] for guest in sorted(self.guests.get(number, ())))
            note = as_note(self.remarks.get(number, ()))
            ply, turn = match.line[number - 1], match.at(number - 1).position.turn
            clock = left.get(ply.version)
            nodes.append(Node(ply.event, turn, note.glyphs, note.comments, inside, clock))
        return RecordLine(tuple(nodes), as_note(self.remarks.get(self.start, ())).comments)


def _time_left(record: MatchRecord) -> dict[int, int | None]:
    """Return the time on its seat's clock after each event of a match with a clock."""
    clock = record.header.clock
    if clock is None or not clock.stages:
        return {}
    return {
        then.match.version: clocks(clock, then.times).seats[seat - 1].left
        for then in steps(record.at_version(record.shared), record)
        if then.times and (seat := getattr(then.events[-1], "seat", None))
    }


def nest(book: Book, analysis: Analysis, start: int = 0) -> Nested:
    """Nest the lines of an analysis, the main line from a ply on."""
    main = analysis.main
    sheets = {main.stream.id: _Sheet(main, start, remarks=by_ply(book, main))}
    left_out: list[LeftOut] = []
    for key, branch in analysis.branches.items():
        host = sheets.get(branch.host)
        placed = _place(branch, host)
        if isinstance(placed, _Sheet):
            sheets[key] = placed
            _annotate(book, placed, branch)
        left_out += _left_out(branch, placed, host)
    lines: dict[int, RecordLine] = {}
    for key, sheet in reversed(sheets.items()):  # a host comes before its guests
        lines[key] = sheet.line(lines)
    return Nested(lines[main.stream.id], tuple(left_out))


def _place(branch: AnalysisLine, host: _Sheet | None) -> _Sheet | str:
    """Return a line's sheet, registered with its host's, or why it cannot be nested."""
    earlier = bisect_right(host.plies, branch.after + 1) if host else 0
    if host is None or not earlier:
        return NOWHERE
    place = host.plies[earlier - 1]
    if host.depth == MAX_DEPTH:
        return TOO_DEEP
    sheet = _Sheet(branch.record, place - 1, host.depth + 1, host)
    if not any(ply > branch.after for ply in sheet.plies):
        return EMPTY
    host.guests.setdefault(place, []).append(branch.record.stream.id)
    return sheet


def _left_out(branch: AnalysisLine, placed: _Sheet | str, host: _Sheet | None) -> Iterator[LeftOut]:
    """Yield the omitted parts of a line; none if it ends where a promoted line leaves it."""
    above = placed if isinstance(placed, _Sheet) else host
    adjusted = _adjusted_after(branch.record, above.start) if above else None
    if adjusted is not None and placed not in (NOWHERE, TOO_DEEP):
        yield LeftOut(branch.record, ADJUSTED, adjusted)
    elif isinstance(placed, str) and not (branch.turned and _ends_at_branch(branch)):
        yield LeftOut(branch.record, placed)


def _ends_at_branch(branch: AnalysisLine) -> bool:
    visible = open_plies(branch.record.match, branch.record.secrets)
    return not any(ply > branch.after for ply in visible)


def _adjusted_after(record: MatchRecord, start: int) -> int | None:
    """Return the first ply after `start` at which the position was set by hand, or `None`."""
    plies = enumerate(record.match.line[start:], start + 1)
    return next((ply for ply, each in plies if isinstance(each.event, Adjusted)), None)


def _annotate(book: Book, sheet: _Sheet, branch: AnalysisLine) -> None:
    """Add a line's remarks: on its own events to its sheet, on shared events to its host's."""
    notes = book.store.notes(branch.record.stream.id)
    own = {event.id.hex() for event in book.store.read(notes.id)} if notes else set()
    for ply, remarks in by_ply(book, branch.record).items():
        if ply > branch.after:
            sheet.remarks[ply] = remarks
            continue
        for remark in remarks:
            if remark.id in own and not branch.turned:  # else the main line has the remark
                _say(sheet, ply, remark)


def _say(sheet: _Sheet, ply: int, remark: Remark) -> None:
    glyph = isinstance(remark.said, Glyphed)
    while sheet.host and (ply < sheet.start or (ply == sheet.start and glyph)):
        sheet = sheet.host
    sheet.remarks.setdefault(ply, []).append(remark)
