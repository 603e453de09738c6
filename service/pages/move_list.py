"""The list of moves of a match that is read: what the player of the page needs, times and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape
from typing import Final

from domain.names import Names
from replay.annotations import Arrowed, Circled, Labelled, Remark
from replay.book import Book
from replay.branches.line_tree import Stop, TreeLine, line_tree, stops
from replay.formats.html.move_list import Manner, moves
from replay.match_record import MatchRecord
from replay.names import actor_words
from replay.reading.highlights import MOVED
from replay.reading.timeline import TimelineEntry
from service.pages.frame import player_names

EDITS: Final = ("taken back", "amended")


def move_list(book: Book, then: MatchRecord, *, stands: bool) -> str:
    """Write the list of a match as it stood at a version, as items of an ordered list.

    Variations are in it if that is how it `stands` now; they leave what stands.
    """
    names = player_names(book, then)
    drawn = tuple(stops(book, then, names)) if not stands else ()
    line = line_tree(book, then, names) if stands else TreeLine(then, "", None, drawn)
    players = names.players
    settled = {each.recorded.id: _settled(each.recorded) for each in line.walk()}
    manner = Manner(
        names,
        lambda its, stop: _link(then, its, stop, stands=stands),
        lambda its, stop: _facts(its, stop, settled[its.recorded.id]),
        lambda its, stop: _aside(stop, names),
    )
    return moves(line, players, manner)[0]


def _settled(recorded: MatchRecord) -> int:
    """Return the version since which the line has only grown."""
    edits = [stored.version for stored in recorded.log if stored.type in EDITS]
    return max((0, *edits, *(cut.version for cut in recorded.header.cuts)))


def _link(then: MatchRecord, line: TreeLine, stop: Stop, *, stands: bool) -> str:
    ply = stop.point.ply
    if line.recorded.id != then.id:
        return f"/m/{line.recorded.id}/replay?ply={ply}"
    return f"?ply={ply}" if stands else f"?version={then.match.version}&amp;ply={ply}"


def _facts(line: TreeLine, stop: Stop, settled: int) -> str:
    """Write the address of a stop, and since which version it stands there.

    While that is the same an older address is as good, and the picture of it is there already.
    """
    recorded, ply = line.recorded, stop.point.ply
    since = max(settled, stop.entry.version if stop.entry else 0)
    version = recorded.match.version
    return (
        f' data-match="{recorded.id}" data-version="{version}" data-ply="{ply}"'
        f' data-since="{since}"'
    )


def _aside(stop: Stop, names: Names) -> str:
    """Write what was said with the event, what is drawn on the board, and when it was."""
    entry = stop.entry
    marks = ", ".join(_marks(stop.remarks))
    drawn = f'<p class="marks">{marks}</p>' if marks else ""
    if entry is None:
        return drawn
    amended = ' <span class="tag">corrected</span>' if entry.amended else ""
    said = entry.note or ("" if entry.effects else _happened(entry, names))
    note = f' <span class="words">{escape(said)}</span>' if said else ""
    used = "" if entry.used is None else f'<span class="used">{_lasted(entry.used)}</span> '
    return f'{amended}{note}{drawn}<p class="when">{used}{moment(entry.at)}</p>'


def _happened(entry: TimelineEntry, names: Names) -> str:
    """Tell an event without consequences; of a move its token tells all."""
    if entry.type == MOVED or entry.seat is None:
        return ""
    return f"{names.title(entry.seat)}: {entry.type}"


def _marks(remarks: Iterable[Remark]) -> Iterator[str]:
    for remark in remarks:
        match remark.said:
            case Arrowed(start=start, end=end):
                yield _mark("arrow", f"{start}-{end}", f"arrow {start} to {end}")
            case Circled(at=at):
                yield _mark("circle", at, f"circle on {at}")
            case Labelled(at=at, text=text):
                yield _mark("label", f"{at}={text}", f"{text} on {at}")


def _mark(kind: str, where: str, words: str) -> str:
    return f'<span data-mark="{kind}" data-where="{escape(where)}">{escape(words)}</span>'


def _lasted(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"


def moment(milliseconds: int) -> str:
    """Write a time; a script says it in the reader's own."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f'<time datetime="{at:%Y-%m-%dT%H:%M:%SZ}">{at:%Y-%m-%d %H:%M} UTC</time>'


def who(actor: str, names: Names) -> str:
    """Name whoever entered something, escaped."""
    return escape(actor_words(actor, names))
