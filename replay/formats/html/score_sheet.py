"""A score sheet for paper: players, scores, clocks, moves by rounds, corrections and signatures.

Rounds have a column for each seat. The hash can later prove that a record is the signed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Final

from msgspec import UNSET, Struct

from domain.events import Adjusted, Ruled, Stood
from domain.log_edits import Amended, Filled, Judged, Reopened, TakenBack
from domain.names import Names
from domain.scene import Scene, Table
from replay.annotations.events import Glyphed
from replay.annotations.glyphs import glyph
from replay.book import Book
from replay.formats.html.jinja import MatchHeading, export, heading, trust
from replay.reading import timeline
from replay.reading.brought_in import brought_in
from replay.reading.stops import Stop, stops
from replay.record.clock import SeatClock
from replay.record.match_record import MatchRecord
from replay.tags.names import player_names
from replay.tags.people_changes import corrections

INTERVENTIONS: Final = (TakenBack, Amended, Judged, Filled, Reopened, Adjusted, Stood, Ruled)
SEAT: Final = re.compile(r"seat ([1-9])")
"""The actor of an event that a player entered."""

SHORT: Final = 14
"""The longest average cell, in characters, with which two columns of rounds fit on the page."""


class SheetTurn(Struct, frozen=True):
    """A turn in a round: its number, and the move texts with their glyphs."""

    number: int
    texts: list[str]


class SheetPlayer(Struct, frozen=True):
    """A player with the final score in words, and the times used and left if there is a clock."""

    seat: int
    name: str
    score: str
    clock: str


class PrintedCorrection(Struct, frozen=True):
    """An intervention of the log: its time, its author, and its description."""

    at: str
    who: str
    what: str


def write_sheet(book: Book, record: MatchRecord) -> str:
    """Return the sheet of a match as an HTML file."""
    told, names = heading(book, record), player_names(book, record)
    line = list(stops(book, record, names))
    scene = timeline.point(record, record.ply(), names=names).scene
    # Who played a sheet filled in a table; its moves are the numbers there.
    filled = [panel for panel in scene.panels if isinstance(panel, Table)]
    table = filled[0] if filled and record.game.pad == "number" else None
    rounds = [] if table else list(_rounds(line[1:]))
    return export(
        "score_sheet.html",
        heading=told,
        style=trust(paper_style()),
        game=record.game.name,
        facts=(*told.facts.values(), *(f"{name}={value}" for name, value in told.options.items())),
        result=line[-1].standing,
        players=list(_players(record, told, scene)),
        table=table,
        corrections=[*_corrections(book, record, names), *_renamed(book, record)],
        twofold=_are_short(rounds),
        rounds=rounds,
        head=_grouped(told.head),
    )


def paper_style() -> str:
    """Return the style of files for the printer."""
    return files("replay.formats.html").joinpath("score_sheet.css").read_text(encoding="utf-8")


def _players(record: MatchRecord, told: MatchHeading, scene: Scene) -> Iterator[SheetPlayer]:
    scores = {tray.seat: tray.score.words for tray in scene.trays if tray.score}
    timed = timeline.clocks(record)
    times = {each.seat: each for each in timed.seats} if timed else {}
    for seat, name in told.players.items():
        clock = _clock(times[seat]) if seat in times else ""
        yield SheetPlayer(seat, name, scores.get(seat, ""), clock)


def _clock(clock: SeatClock) -> str:
    used, shown = f"{_duration(clock.used)} used", clock.shown(0)
    if shown is None:
        return used
    stage = f" ({shown.note})" if shown.note else ""
    return f"{used}, {_duration(max(shown.left, 0))} left{stage}"


def _duration(milliseconds: int) -> str:
    """Format a time: 0:04:09."""
    return str(timedelta(seconds=milliseconds // 1000))


def _corrections(book: Book, record: MatchRecord, names: Names) -> Iterator[PrintedCorrection]:
    """Yield the changes of the line other than moves by the rules, in the order of the log."""
    for entry in timeline.log(record, names=names, brought_in=brought_in(book, record)):
        if isinstance(entry.event, INTERVENTIONS):
            at = datetime.fromtimestamp(entry.at / 1000, UTC)
            seat = SEAT.fullmatch(entry.actor)
            who = names[int(seat[1])] if seat else entry.actor
            who += "" if entry.brought_in is UNSET else ", as the host brought it in"
            yield PrintedCorrection(f"{at:%Y-%m-%d %H:%M:%S} UTC", who, entry.what)


def _renamed(book: Book, record: MatchRecord) -> Iterator[PrintedCorrection]:
    """Yield the changes of who sits where after the first move."""
    for each in corrections(book, record):
        at = datetime.fromtimestamp(each.at / 1000, UTC)
        yield PrintedCorrection(f"{at:%Y-%m-%d %H:%M:%S} UTC", each.author or "", each.words)


def _rounds(line: Iterable[Stop]) -> Iterator[dict[int, SheetTurn]]:
    """Group the moves by rounds: the turns of all seats from the first on, 0 for rulings."""
    cells: dict[int, SheetTurn] = {}
    turns: dict[int, int] = {}
    for stop in line:
        assert stop.entry is not None
        seat, turn = stop.entry.seat or 0, stop.entry.turn
        if turns.get(seat, turn) != turn or (cells and _is_over(seat, turn, turns)):
            yield cells
            cells, turns = {}, {}
        turns[seat] = turn
        cells.setdefault(seat, SheetTurn(turn, [])).texts.append(_written(stop))
    if cells:
        yield cells


def _is_over(seat: int, turn: int, turns: Mapping[int, int]) -> bool:
    """Say if a round is over: a later seat has had an earlier turn, or rulings begin or end."""
    later = any(other > seat and at != turn for other, at in turns.items())
    return later or (seat == 0) != (0 in turns)


def _written(stop: Stop) -> str:
    assert stop.entry is not None
    signs = (
        glyph(remark.said.glyph).sign for remark in stop.remarks if isinstance(remark.said, Glyphed)
    )
    return stop.entry.written + "".join(signs)


def _are_short(rounds: Sequence[Mapping[int, SheetTurn]]) -> bool:
    """Return whether cells are short enough for two columns of rounds."""
    plain = [
        len(" ".join((f"{turn.number}.", *turn.texts)))
        for turns in rounds
        for turn in turns.values()
    ]
    widest = max((len(cells) for cells in rounds), default=1)
    return bool(plain) and widest == 2 and sum(plain) / len(plain) <= SHORT


def _grouped(digest: str) -> str:
    """Format a hash in groups of four characters, so that people can compare it."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))
