"""Compare two matches: the ply where they part, and how each continues and ends."""

from __future__ import annotations

from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Ply
from replay.book import Book
from replay.errors import Usage
from replay.fields import MatchKind
from replay.reading import timeline
from replay.reading.timeline import LineEntry
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.record.match_summary import StoredOutcome
from replay.tags.names import names_of, shared_names


class ComparedLine(Struct, frozen=True):
    """One of two matches; `next` is its first event after the two part, or `None`."""

    match: str
    kind: MatchKind
    plies: int
    next: LineEntry | None
    outcome: StoredOutcome | None


class Comparison(Struct, frozen=True):
    """Two matches that are equal up to ply `common`; `last` is the event there."""

    common: int
    last: LineEntry | None
    sides: tuple[ComparedLine, ComparedLine]


def compare(book: Book, one: Address, other: Address) -> Comparison:
    """Compare two matches, or two versions of a match, each up to its address.

    Raises `Usage` if their games, options or starting positions differ.
    """
    sides = _up_to(book, one), _up_to(book, other)
    _check_start(*sides)
    shared = common(*sides)
    names = [names_of(book, each) for each in sides]
    first, second = (
        [*timeline.entries(each, names=named)] for each, named in zip(sides, names, strict=True)
    )
    both = timeline.entries(sides[0], after=shared - 1, names=shared_names(*names))
    return Comparison(
        shared,
        next(both) if shared else None,
        (_side(sides[0], first, shared), _side(sides[1], second, shared)),
    )


def common(one: MatchRecord, other: MatchRecord) -> int:
    """Count the plies that two lines have in common.

    Sealed moves never compare equal, so a comparison reveals nothing.
    """

    def alike(plies: tuple[Ply, Ply]) -> bool:
        first, second = plies
        if one.entry(first.version).hash == other.entry(second.version).hash:
            return True
        hidden = first.version in one.secrets or second.version in other.secrets
        return not hidden and first.event == second.event

    plies = zip(one.match.line, other.match.line, strict=False)
    return sum(1 for _ in takewhile(alike, plies))


def _up_to(book: Book, address: Address) -> MatchRecord:
    record, ply = book.at(address)
    return replace(record, match=replace(record.match, line=record.match.line[:ply]))


def _check_start(one: MatchRecord, other: MatchRecord) -> None:
    for field in ("rules", "seats", "options", "position"):
        first, second = (getattr(each.header, field) for each in (one, other))
        if first != second:
            raise Usage(
                f"{one.id} and {other.id} begin differently, so they cannot be compared:"
                f" their {field} are {first or 'the usual'} and {second or 'the usual'}"
            )


def _side(record: MatchRecord, entries: list[LineEntry], shared: int) -> ComparedLine:
    following = entries[shared] if shared < len(entries) else None
    outcome = StoredOutcome.of(record.state.outcome) if record.state.outcome else None
    return ComparedLine(record.id, record.header.kind, len(entries), following, outcome)
