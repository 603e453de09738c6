"""The changes of who sits where, as a caller may read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from replay.access.authors import with_name
from replay.access.visibility import analysed_match
from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.store.people_chain import BEFORE_PLAY, NAME, REASON, fold, is_late
from replay.store.types import PersonEvent, StoredEvent
from replay.tags.names import OF_A_SEAT, end_of


class PersonChange(Struct, frozen=True):
    """A change of who sits where; the text of a former name is only for its seat and the host."""

    number: int
    """The number of the change, from 1."""
    event: str
    """`seated`, `renamed`, `swapped` or `erased`; `found` is a name from before this list, and
    `forked` begins the list of a fork. With `replaced` the same player uses another phone."""
    seat: Annotated[int, Meta(description="The seat, from 1; 0 of `forked`.")]
    other: int | None
    """The seat that this seat swapped with; null for other changes."""
    name: str | None
    """The name; null for a former name, and for an erased name."""
    after_version: int
    """The version of the log that the change followed."""
    at: int
    """Milliseconds since 1970."""
    author: str | None
    """The author of the change: `scorekeeper`, or the seat; null if unknown.

    Callers with a role in the match also read the account of a host: `scorekeeper, bob`.
    """
    reason: str | None
    """The reason, shown to this seat and the host; null for others."""
    words: str
    """The change as a sentence."""

    def told(self) -> str:
        """Return the sentence about the change of a name, with its author."""
        return f"{self.words} ({self.author})" if self.author else self.words


class ReadPeople(NamedTuple):
    """The changes that a caller may read, and the hash of the last one."""

    head: bytes | None
    changes: tuple[PersonChange, ...]


HOST: Final = 0
"""The reader of all former names: the host is no seat."""


def read_people(book: Book, record: MatchRecord, reader: int | None = None) -> ReadPeople:
    """Return the changes as a seat, the host or a spectator (`None`) may read them.

    A variation has the people of its match.
    """
    stream = analysed_match(book, record.stream)
    people = book.store.people(stream.id)
    accounts = {} if reader is None else book.store.accounts_of(stream.id)
    said = fold(people.events)
    own = said.people.get(reader or 0, ())
    readable = {
        (each.number, each.kind): each.text
        for each in people.texts
        if each.salt and (reader == HOST or each.number in own)
    }
    readable |= {(number, NAME): people.names[seat] for seat, number in said.named.items()}
    end = end_of(record) if record.header.kind == "match" else None
    told = list[PersonChange]()
    for each in people.events:
        author = with_name(each.author, accounts, stream.public_id, each.at)
        is_after = end is not None and is_late(each, end, record.shared)
        heard = _heard(record, each) if each.event == "replaced" else ""
        told.append(_change(replace(each, author=author), readable, is_after, heard))
    return ReadPeople(people.events[-1].hash if people.events else None, tuple(told))


def corrections(
    book: Book, record: MatchRecord, reader: int | None = None
) -> tuple[PersonChange, ...]:
    """Return the changes since the first move of a match; none in a variation."""
    if record.header.kind == "variation":
        return ()
    return tuple(since(read_people(book, record, reader).changes, record.shared + 1))


def news(book: Book, record: MatchRecord, reader: int | None = None) -> list[PersonChange]:
    """Return the corrections since the end of a match, or since its last event."""
    end = end_of(record)
    latest = record.match.version if end is None else end
    return [*since(corrections(book, record, reader), latest)]


def since(changes: Iterable[PersonChange], version: int) -> Iterator[PersonChange]:
    """Yield the changes that followed a version or a later one."""
    return (
        each for each in changes if each.after_version >= version and each.event not in BEFORE_PLAY
    )


def last_entered(record: MatchRecord, seat: int, version: int) -> tuple[int, StoredEvent] | None:
    """Return the last ply that a seat itself entered up to a version, with the stored event."""
    for ply in range(len(record.match.line), 0, -1):
        stored = record.entry(record.match.line[ply - 1].version)
        if stored.version <= version and stored.actor == f"{OF_A_SEAT}{seat}":
            return ply, stored
    return None


def _heard(record: MatchRecord, event: PersonEvent) -> str:
    heard = last_entered(record, event.seat, event.after_version)
    return f"; the former was last heard at move {heard[0]}" if heard else ""


def _change(
    event: PersonEvent, texts: Mapping[tuple[int, str], str], late: bool, heard: str
) -> PersonChange:
    name, reason = (texts.get((event.number, kind)) for kind in (NAME, REASON))
    after = f"{_words(event, name)}{' after the end' if late else ''}{heard}"
    return PersonChange(
        number=event.number,
        event=event.event,
        seat=event.seat,
        other=event.other or None,
        name=name,
        after_version=event.after_version,
        at=event.at,
        author=event.author or None,
        reason=reason,
        words=f"{after}: {reason}" if reason else after,
    )


def _words(event: PersonEvent, name: str | None) -> str:
    match event.event:
        case "forked":
            return f"forked after {event.name.hex()}, the last change of the players before"
        case "swapped":
            return f"seats {event.seat} and {event.other} swapped players"
        case "replaced":
            return f"seat {event.seat} has another phone now"
        case "erased":
            return f"the name of seat {event.seat} was erased"
    return f"seat {event.seat} is {name} now" if name else f"seat {event.seat} was corrected"
