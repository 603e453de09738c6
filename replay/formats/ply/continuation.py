"""Go on in the match that begins like a record: the file that the match came from has grown.

The log keeps everything: a line that the file corrects is amended, and a file that is shorter than
its match changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import reduce
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from domain.entry import move_text
from domain.events import LineEvent, Ruled
from domain.log_edits import Amended
from domain.match import LogEvent, Match
from domain.names import count
from replay.annotations.editing import annotate_missing
from replay.book import Book
from replay.branches import forks
from replay.branches.fork_tree import family
from replay.corrections.amendments import plan_amendments
from replay.errors import Refused
from replay.formats.ply.doubts import storable
from replay.formats.ply.importer import PAIRED, fact_of, line_annotations, pairing_fact
from replay.formats.ply.model import Record, RecordLine
from replay.formats.reader_warning import ReaderWarning
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.store.types import MetadataItem
from replay.tags.match_tags import Tag, add_tags, tags

GROWING: Final = frozenset(
    [
        "ECO",
        "NIC",
        "Opening",
        "Variation",
        "SubVariation",
        "PlyCount",
        "Termination",
        "EndTime",
        "WhiteClock",
        "BlackClock",
        "Clock",
        "PGN_Result",
    ]
)
"""The tags that change while a game goes on."""
MAX_ALIKE: Final = 20
"""The most matches that are compared with a record, the newest first."""
MAX_SEEN: Final = 200
"""The most matches of a pairing that are looked at for them."""
MAX_CORRECTED: Final = 2
"""The most plies that a file corrects at once; with more corrections it is a different match."""

May = Callable[[MatchRecord], bool]
"""Returns whether the caller may continue a match."""


class Continuation(NamedTuple):
    """A match that a record continues, and the events to append to it.

    `corrected` is the first ply that these events amend, or 0; `ahead` are the plies that the match
    has beyond the record.
    """

    match: MatchRecord
    events: list[LogEvent]
    corrected: int
    ahead: int

    def warning(self, record: Record) -> str:
        """Return a warning if the match was corrected, or is longer than the record; else empty."""
        if self.ahead:
            more = count(self.ahead, "ply", "plies")
            return f"the match {self.match.id} has {more} more; nothing in it was taken back"
        if not self.corrected:
            return ""
        old, new = (
            move_text.write(record.game, line[self.corrected - 1].event)
            for line in (self.match.match.line, record.match.line)
        )
        where = f"{self.match.id}@{self.corrected}"
        return f"corrected {where}, which was {old} and is {new}; the log keeps both"


def _anybody(_: MatchRecord) -> bool:
    return True


def find_alike(book: Book, record: Record, others: Collection[str] = ()) -> Iterator[MatchRecord]:
    """Yield the matches of a record's pairing, the newest first, without the `others`.

    A tag that differs, like an address, says that it is another game.
    """
    for fact in pairing_fact(record):
        streams = book.store.matches(having=MetadataItem(fact, PAIRED))
        new = (one for one in islice(streams, MAX_SEEN) if one.public_id not in others)
        found = map(book.read, islice(new, MAX_ALIKE))
        yield from (match for match in found if _agrees(tags(book, match), record))


def _agrees(there: list[Tag], record: Record) -> bool:
    known = {tag.name: tag.value for tag in there if tag.name not in GROWING}
    return all(known.get(tag.name, tag.value) == tag.value for tag in record.tags)


def find_continuation(
    book: Book,
    record: Record,
    may: May = _anybody,
    others: Collection[str] = (),
    followed: str | None = None,
) -> Continuation | None:
    """Return how the match that begins like a record goes on, or `None` without one.

    The one that needs the fewest corrections is taken, and of these the longest. `followed` is the
    match that a watched file had in this place: it may be corrected further.
    """
    found = list[Continuation]()
    for match in find_alike(book, record, others):
        with suppress(Refused):
            if may(match) and (one := _continuation(match, record, match.id == followed)):
                found.append(one)
    key = lambda one: (bool(one.corrected), one.ahead, -len(one.match.match.line))  # noqa: E731
    return min(found, key=key, default=None)


def begins_alike(
    book: Book, record: Record, may: May = _anybody, others: Collection[str] = ()
) -> str:
    """Return a warning for a new match of a record that another match may begin."""
    for match in find_alike(book, record, others):
        old, new = match.match.line, record.match.line
        if may(match) and (not old or (new and old[0].event == new[0].event)):
            return f"the match {match.id} of these players begins alike; this is a new one"
    return ""


def _continuation(match: MatchRecord, record: Record, followed: bool) -> Continuation | None:
    """Plan how a match goes on. Raises `Refused` if its line cannot be corrected."""
    old = [ply.event for ply in match.match.line]
    new = [storable(node.event, record.players) for node in record.line.nodes]
    pairs = zip(old, new, strict=False)
    wrong = [ply for ply, (was, is_now) in enumerate(pairs, 1) if was != is_now]
    if match.secrets or not _is_same(match, old, new, wrong, followed):
        return None
    edits = _edits(match, new, wrong)
    line = reduce(Match.evolve, edits, match.match).line
    return Continuation(
        match, [*edits, *new[len(line) :]], min(wrong, default=0), max(0, len(line) - len(new))
    )


def _is_same(
    match: MatchRecord,
    old: list[LineEvent],
    new: list[LineEvent],
    wrong: list[int],
    followed: bool,
) -> bool:
    """Return whether a record continues this match rather than another match of its pairing.

    More than half of the plies stand, or half in a watched file. Only the result of a match that
    has ended can be corrected.
    """
    both = min(len(old), len(new))
    if match.state.outcome is None:
        stand = 2 * (both - len(wrong)) - len(old)
        return not wrong or (stand >= 0 if followed else stand > 0 >= len(wrong) - MAX_CORRECTED)
    if not wrong:
        return followed or old == new
    ruled = wrong == [len(old)] and isinstance(old[-1], Ruled)
    return ruled and (followed or isinstance(new[-1], Ruled))


def _edits(match: MatchRecord, new: list[LineEvent], wrong: list[int]) -> tuple[LogEvent, ...]:
    if not wrong:
        return ()
    plies = range(wrong[0], wrong[-1] + 1)
    return plan_amendments(match, [Amended(ply, "replaced", new[ply - 1]) for ply in plies]).edits


def go_on(book: Book, record: Record, this: Continuation) -> MatchRecord:
    """Enter the parts of a record that its match lacks: events, comments, variations, tags.

    Each step can be repeated. Raises `Stale` if the match has grown since.
    """
    match = play(book, this.match, this.events) if this.events else this.match
    if this.ahead:
        return match
    _annotate(book, match, record.line)
    _add_variations(book, match, record.line, [each.record for each in family(book, match)])
    add_tags(book, match, record.others, {fact_of(record): ""})
    return match


def with_warning(record: Record, message: str) -> Record:
    """Return a record with a warning at its beginning; an empty message adds no warning."""
    if not message:
        return record
    warning = ReaderWarning(record.number, record.begins, 1, message)
    return replace(record, warnings=(*record.warnings, warning))


def _annotate(book: Book, match: MatchRecord, line: RecordLine, start: int = 0) -> None:
    versions = [0, *(ply.version for ply in match.match.line)]
    said = (replace(each, on=versions[each.on]) for each in line_annotations(line, start))
    annotate_missing(book, match, list(said))


def _add_variations(
    book: Book, match: MatchRecord, line: RecordLine, kin: list[MatchRecord], start: int = 0
) -> None:
    """Fork the match for the variations that no match of its family has."""
    events = [ply.event for ply in match.match.line]
    for ply, node in enumerate(line.nodes, start):
        for inside in node.variations:
            whole = [*events[:ply], *(one.event for one in inside.nodes)]
            branch = next((one for one in kin if _has(one, whole)), None)
            if branch is None:
                branch = play(book, forks.fork(book, match, ply), whole[ply:])
                _annotate(book, branch, inside, ply)
            _add_variations(book, branch, inside, kin, ply)


def _has(match: MatchRecord, events: list[LineEvent]) -> bool:
    return [ply.event for ply in match.match.line] == events
