"""The move list of the replay page: addresses for the player, times, annotations and tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from domain.events import Adjusted
from domain.names import Names
from replay.access import capability_tokens
from replay.annotations.current import Remark
from replay.annotations.events import Arrowed, Circled, Labelled
from replay.annotations.glyphs import OFFERED
from replay.book import Book
from replay.branches.analysis import TreeLine, line_tree
from replay.formats.html.move_list import MoveList, MoveListOptions, move_list
from replay.reading import timeline
from replay.reading.stops import MOVED, Stop, stops
from replay.reading.timeline import LineEntry
from replay.record.match_record import MatchRecord
from replay.tags.names import player_names
from replay.tags.people_changes import HOST, corrections
from service.http.access import MatchAccess
from service.http.addresses import prefix
from service.live.messages import EDITS
from service.pages.layout import render_macro
from service.pages.words import sentence

COUNT: Final = re.compile(r"\d+(?:\.\d+)?")
"""The number that a score begins with."""
CODE: Final = re.compile(r"\d:|\w+=")
"""How the texts begin that name a seat or their kind, like `1:12` and `bid=4S`."""
SHORT: Final = 24
"""The most characters of a move in the strip."""


class ShownMark(Struct, frozen=True):
    """An annotation's mark on the board: its kind, its place, and words for both."""

    kind: str
    where: str
    words: str


class StopAside(Struct, frozen=True):
    """The notes, marks, used time and time of a stop, and the changes of players at that time."""

    amended: bool
    note: str
    marks: tuple[ShownMark, ...]
    used: str
    at: int | None
    people: Sequence[str] = ()


def render_moves(
    book: Book, then: MatchRecord, reader: int | None = None, *, stands: bool
) -> Markup:
    """Render the move list of a match at a version, as items of an ordered list."""
    found = _list(book, then, reader, stands=stands)
    return render_macro("move_list.html", "page_moves", found)


def _list(book: Book, then: MatchRecord, reader: int | None, *, stands: bool) -> MoveList:
    """Return the list; only the current line, which `stands` marks, has variations."""
    names = player_names(book, then)
    whole = reader == HOST
    drawn = tuple(stops(book, then, names, whole=whole)) if not stands else ()
    line = line_tree(book, then, names, whole=whole) if stands else TreeLine(then, "", None, drawn)
    people = _people(book, then, reader)
    settled = {each.record.id: _settled(each.record) for each in line.walk()}
    manner = MoveListOptions(
        names,
        lambda its, stop: _link(then, its, stop, stands=stands),
        lambda its, stop: _data(its, stop, settled[its.record.id], names),
        lambda its, stop: _aside(its, stop, names, people if its.record.id == then.id else {}),
    )
    return move_list(line, {seat: names[seat] for seat in names.players}, manner)


def _people(book: Book, then: MatchRecord, reader: int | None) -> dict[int, list[str]]:
    """Return the changes of who sits where, by the last version of the line before each."""
    found: dict[int, list[str]] = {}
    for each in corrections(book, then, reader):
        earlier = (ply.version for ply in then.match.line if ply.version <= each.after_version)
        found.setdefault(max(earlier, default=0), []).append(sentence(each.told()))
    return found


def _settled(record: MatchRecord) -> int:
    """Return the version since which the line has only grown."""
    edits = [stored.version for stored in record.log if stored.type in EDITS]
    return max((0, *edits, *(cut.version for cut in record.header.cuts)))


def _link(then: MatchRecord, line: TreeLine, stop: Stop, *, stands: bool) -> str:
    ply = stop.point.ply
    if line.record.id != then.id:
        return f"{prefix()}/m/{line.record.id}/replay?ply={ply}"
    return f"?ply={ply}" if stands else f"?version={then.match.version}&ply={ply}"


def _data(line: TreeLine, stop: Stop, settled: int, names: Names) -> dict[str, object]:
    """Return the address of a stop, and the version since which it has not changed.

    While the version is unchanged, the address shows the same picture, so it is cached.
    """
    record = line.record
    return {
        "match": record.id,
        "version": record.match.version,
        "ply": stop.point.ply,
        "since": max(settled, stop.entry.version if stop.entry else 0),
        "score": _score(stop),
        "short": _short(line, stop, names),
    }


def _score(stop: Stop) -> str:
    """Return the score after a stop like "3:1", of three players or more that of the mover.

    It is empty in a game without a score.
    """
    trays = [tray for tray in stop.point.scene.trays if tray.score]
    if len(trays) > 2:
        trays = [tray for tray in trays if stop.entry and tray.seat == stop.entry.seat]
    numbers = [COUNT.match(tray.score.text) for tray in trays if tray.score]
    return ":".join(number[0] for number in numbers if number)


def _short(line: TreeLine, stop: Stop, names: Names) -> str:
    """Return a few words for a move whose text is no notation of people; else nothing."""
    entry = stop.entry
    if entry is None or not entry.seat or not CODE.match(entry.written):
        return ""
    told = entry.effects[0].words(names).partition(":")[0] if entry.effects else ""
    if told and len(told) <= SHORT:
        return sentence(told)
    move = getattr(line.record.match.line[entry.ply - 1].event, "move", None)
    what = move.what if move and "=" in entry.written else entry.written.partition(":")[2]
    return f"{sentence(names[entry.seat])}: {what}"


def _aside(
    line: TreeLine, stop: Stop, names: Names, people: Mapping[int, Sequence[str]]
) -> StopAside:
    entry, marks = stop.entry, tuple(_marks(stop.remarks))
    if entry is None:
        return StopAside(False, "", marks, "", None, people.get(0, ()))
    doubts = timeline.doubt_words(line.record.match.line[entry.ply - 1].event, names)
    happened = "" if entry.effects else _happened(entry, names)
    note = _reason(line, entry) or doubts or happened
    used = "" if entry.used is None else _lasted(entry.used)
    changed = people.get(entry.version, ())
    return StopAside(entry.amended, note, marks, used, entry.at, changed)


def _reason(line: TreeLine, entry: LineEntry) -> str:
    """Return the scorekeeper's reason, without the new position, which the board shows."""
    event = line.record.match.line[entry.ply - 1].event
    return event.reason if isinstance(event, Adjusted) else entry.note


def _happened(entry: LineEntry, names: Names) -> str:
    """Describe an event without consequences; a move needs only its move text."""
    if entry.type == MOVED or entry.seat is None:
        return ""
    return f"{sentence(names[entry.seat])}: {entry.type}"


def _marks(remarks: Iterable[Remark]) -> Iterator[ShownMark]:
    for remark in remarks:
        match remark.said:
            case Arrowed(start=start, end=end):
                yield ShownMark("arrow", f"{start}-{end}", f"arrow {start} to {end}")
            case Circled(at=at):
                yield ShownMark("circle", at, f"circle on {at}")
            case Labelled(at=at, text=text):
                yield ShownMark("label", f"{at}={text}", f"{text} on {at}")


def _lasted(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"


class Tool(Struct, frozen=True):
    """A button; `mode` is the mode of the page that the button switches, if any."""

    name: str
    words: str
    mode: str = ""


COMMENT: Final = Tool("comment", "Comment")
DRAW: Final = Tool("draw", "Arrows", "drawing")
FORK: Final = Tool("fork", "What if …")
LEAD: Final = Tool("lead", "Lead")
AMEND: Final = Tool("amend", "Wrong?", "correcting")
ANALYSE: Final = Tool("analyse", "Analyse")


def offered_glyphs(names: Names) -> list[tuple[str, str]]:
    """Return the signs and titles of the annotation glyphs, for the script that offers them."""
    return [(each.sign, each.title(names)) for each in OFFERED]


def tools(visit: MatchAccess, *, analysable: bool) -> list[Tool]:
    """Return the tools of the caller; readers may only fork, and perhaps analyse."""
    last = [ANALYSE] if analysable else []
    if not visit.caller.may_write:
        return [FORK, *last]
    is_host = visit.caller.role == capability_tokens.HOST
    return [COMMENT, DRAW, FORK, LEAD, *([AMEND] if is_host else []), *last]
