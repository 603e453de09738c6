"""Matches, positions and events as text, and the JSON answer of commands that write."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import shutil
import sys
import textwrap

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cli.output import duration, in_colour, suggest
from domain.names import Names, quote_role
from domain.scene import Scene
from replay.book import Book
from replay.reading import timeline
from replay.record.clock import SeatClock
from replay.record.match_record import MatchRecord
from replay.record.match_summary import standing_of


def compose(scene: Scene, told: Iterable[str], standing: Iterable[str], free: int = 0) -> str:
    """Return the board, the sentences about it and the state of the match as lines.

    In a terminal they fit the screen and leave `free` lines: the board is complete, the rest of the
    drawing and the sentences are cut.
    """
    from replay.drawing import text

    if not sys.stdout.isatty():
        return "\n".join([text.draw(scene, colour=in_colour()).rstrip("\n"), *told, *standing])
    columns, rows = shutil.get_terminal_size()
    below = list(_wrap(standing, columns - 1))
    said = _cut(list(_wrap(told, columns - 1)), rows // 4)
    left = rows - free - len(said) - len(below)
    drawing = text.draw_to_fit(scene, columns - 1, left, colour=in_colour())
    return "\n".join([drawing.rstrip("\n"), *said, *below])


def wrapped(text: str) -> str:
    """Break lines between words if the terminal is too narrow for them."""
    if not sys.stdout.isatty():
        return text
    lines = text.split("\n")
    return "\n".join(line for each in lines for line in _broken(each))


def _broken(line: str) -> list[str]:
    columns = shutil.get_terminal_size().columns - 1
    return [line] if len(line) <= columns else textwrap.wrap(line, columns, subsequent_indent="  ")


def _wrap(sentences: Iterable[str], columns: int) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(sentence, columns, subsequent_indent="  ")


def _cut(lines: Sequence[str], most: int) -> list[str]:
    """Keep the first lines, and mark that some are missing."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"{lines[most - 1]} …"]


NOTED = "noted"
"""The type of an unjudged move, whose seat may be unknown."""
WIDTH = 96
"""The longest line of an event; in a longer description each effect gets its own line."""


def describe_entry(entry: timeline.LineEntry, names: Names) -> str:
    """Describe an event in a line: its turn, move text and effects."""
    if entry.seat is None and entry.type == NOTED:
        return f"{entry.turn}. {entry.written}"
    seat = quote_role(names[entry.seat], entry.seat) if entry.seat else "scorekeeper"
    return f"{entry.turn}. {seat}: {entry.written}" + (f"  {entry.words}" if entry.words else "")


def describe_in_detail(entry: timeline.LineEntry, names: Names) -> str:
    """Describe an event; each effect gets its own line if one line would be too long."""
    line = describe_entry(entry, names)
    if len(line) <= WIDTH or not entry.effects:
        return line
    head = line.removesuffix(entry.words).rstrip()
    sentences = [effect.words(names) for effect in entry.effects]
    sentences += ["amended"] if entry.amended else []
    return "\n".join([head, *(f"      {words}" for words in sentences)])


def status(record: MatchRecord, names: Names) -> str:
    """Describe the current state of the match in a line."""
    return standing_of(record.state, record.match.asked).words(names)


def describe_clocks(record: MatchRecord, names: Names) -> str:
    """Describe the clocks at the last event in a line; empty without a clock."""
    clocks = timeline.clocks(record)
    if clocks is None:
        return ""
    return "clock: " + "; ".join(_describe_clock(clock, names) for clock in clocks.seats)


def _describe_clock(clock: SeatClock, names: Names) -> str:
    shown = clock.shown(0)
    words = f" ({shown.note})" if shown and shown.note else ""
    left = f", has {duration(shown.left)}{words}" if shown else ""
    runs = " and runs" if clock.running else ""
    return f"{names[clock.seat]} used {duration(clock.used)}{left}{runs}"


def open_to_write(book: Book, match: str) -> MatchRecord:
    """Open a match to enter something, and warn if it is in the trash."""
    record = book.open(match)
    warn_of_trash(record)
    return record


def warn_of_trash(record: MatchRecord) -> None:
    """Warn that a match is in the trash, before something is entered into it."""
    if record.stream.trashed:
        out = f"`{suggest('delete', record.id, '--restore')}` takes it out"
        kept = "is in the trash, and what is entered is kept there"
        print(f"warning: {record.id} {kept}; {out}", file=sys.stderr)


def described(book: Book, record: MatchRecord, ply: int | None = None) -> dict[str, Any]:
    """Return the description of a match as JSON data, at a ply or at its end."""
    from replay.library.match_state import describe

    return describe(book, record, record.ply(ply))


def players_in(facts: Mapping[str, str], seats: int) -> dict[int, str]:
    """Return the names of the players by seat."""
    return {seat: facts.get(f"Seat{seat}", f"seat {seat}") for seat in range(1, seats + 1)}


def answer(record: MatchRecord, entered: list[timeline.LineEntry]) -> dict[str, object]:
    """Return the JSON answer of a command that wrote to a match."""
    point = timeline.point(record, len(record.match.line))
    return {
        "ok": True,
        "match": record.id,
        "version": record.match.version,
        "ply": point.ply,
        "events": entered,
        "awaiting": point.awaiting,
        "outcome": point.outcome and point.outcome.read().to_dict(),
        "asked": record.match.asked,
    }
