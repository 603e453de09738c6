"""Write a match, or all matches of a caller, as an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw

from replay import registry
from replay.access.visibility import ReadScope
from replay.annotations.current import as_published, read_notes
from replay.book import Book
from replay.errors import Damaged, DamagedMatch, UnknownRuleset, Usage
from replay.formats.archive.model import (
    DOUBT,
    FORMER,
    VERSION,
    WITH_PEOPLE,
    ArchiveHead,
    ArchiveOpening,
    EndLine,
    EventLine,
    FactsLine,
    Line,
    MatchLine,
    NoteLine,
    encode,
    facts_hash,
    line_of,
    person_line,
)
from replay.formats.archive.reader import MAX_ARCHIVE, MAX_LINE
from replay.kept_book import hidden_versions
from replay.library.match_list import ListFilter, is_hidden_line, page_by_page
from replay.record.match_record import MatchRecord, header_of
from replay.referee.entering import still_sealed
from replay.referee.verification import verify_match
from replay.store.people_chain import withheld
from replay.store.types import KeptPeople, StoredEvent, Stream

MAX_MATCHES: Final = 1000
"""The most matches and variations of an archive: finding them takes about that many reads."""


def write_archive(
    book: Book,
    record: MatchRecord,
    wanted: Callable[[Stream], bool] = lambda stream: True,
    retracted: Callable[[Stream], bool] = lambda stream: True,
) -> bytes:
    """Return everything about a match as JSON Lines: its ancestors, itself, its forks.

    Forks that are not `wanted` are omitted with their descendants, and so are forks in the trash
    unless another match needs them. Retracted and held annotations, former names of players and
    the reasons why these changed are included only for matches that `retracted` accepts. Secrets
    that are still sealed are omitted; their commitments are part of the events. Raises `Usage` for
    a match that exceeds the limits of an archive, and `DamagedMatch` if one of the matches does not
    verify, because its archive would not either.
    """
    family = (*ancestors(book, record.stream), *family_of(book, record.stream, wanted))
    for each in family:
        verdict = verify_match(book, each, unrefereed=True)
        if not verdict.ok:
            raise DamagedMatch(each.public_id, verdict.defect)
    return write_streams(book, family, f"{record.id} and the matches around it", retracted)


def write_streams(
    book: Book, streams: Sequence[Stream], what: str, retracted: Callable[[Stream], bool]
) -> bytes:
    """Return an archive of verified matches, each after its parent. Errors name them `what`."""
    lines, heads = list[bytes](), list[ArchiveHead]()
    for stream in streams:
        notes = read_notes(book.store, stream)
        notes = notes if retracted(stream) else as_published(book, stream, notes)
        kept = book.store.people(stream.id)
        people = kept if retracted(stream) else withheld(kept)
        lines += [encode(line) for line in _lines(book, stream, people, notes)]
        heads.append(_head(stream, people, notes))
    version = WITH_PEOPLE if any(head.people for head in heads) else FORMER
    version = VERSION if any(map(DOUBT.search, lines)) else version
    lines.insert(0, encode(ArchiveOpening(version=version)))
    lines.append(encode(EndLine(len(lines) + 1, tuple(heads))))
    _check_size(what, len(heads), lines)
    return b"".join(lines)


def _check_size(what: str, matches: int, lines: Sequence[bytes]) -> None:
    """Refuse to write an archive that is too large to be read."""
    size, longest = sum(map(len, lines)), max(map(len, lines))
    if size > MAX_ARCHIVE or longest > MAX_LINE:
        raise Usage(
            f"{what} ({matches} in all) are too large for an"
            f" archive: {size} bytes of at most {MAX_ARCHIVE}, {longest} in a line of at most"
            f" {MAX_LINE}; archive fewer at a time"
        )


def ancestors(book: Book, stream: Stream) -> list[Stream]:
    """Return the ancestors of a match, the oldest first."""
    found: list[Stream] = []
    while stream.parent is not None:
        stream = book.store.stream(stream.parent)
        found.append(stream)
    return found[::-1]


def family_of(book: Book, stream: Stream, wanted: Callable[[Stream], bool]) -> list[Stream]:
    """Return a match and its forks that an archive takes along, each after its parent.

    A match in the trash is omitted unless a descendant of it is not in the trash.
    """
    family: list[Stream] = []
    waiting = [stream]
    while waiting:
        family.append(waiting.pop())
        waiting += reversed([*filter(wanted, book.store.forks(family[-1].id))])
    living = {stream.id}
    for member in reversed(family):  # a fork comes after its parent
        if member.id in living or not member.trashed:
            living |= {member.id, member.parent or member.id}
    return [member for member in family if member.id in living]


def _lines(
    book: Book, stream: Stream, people: KeptPeople, notes: Sequence[StoredEvent]
) -> Iterator[Line]:
    yield MatchLine(Raw(stream.header), stream.origin.hex())
    facts = msgspec.json.encode(book.store.metadata(stream.id))
    yield FactsLine(Raw(facts), facts_hash(stream.origin, facts))
    yield from (person_line(each, people.texts) for each in people.events)
    hidden = hidden_versions(book, stream)
    for stored in book.store.read(stream.id, stream.fork_version or 0, stream.head):
        yield line_of(stored, EventLine, None if stored.version in hidden else stored.sealed)
    for stored in notes:
        yield line_of(stored, NoteLine, None)


def _head(stream: Stream, people: KeptPeople, notes: Sequence[StoredEvent]) -> ArchiveHead:
    return ArchiveHead(
        header_of(stream).id,  # a carrier has a different public id
        stream.head,
        stream.head_hash.hex(),
        len(notes),
        notes[-1].hash.hex() if notes else "",
        *(people.head.number, people.head.hash.hex()),
    )


class TakenAlong(NamedTuple):
    """The matches of an archive, each after its parent, and the matches omitted from it.

    No book could import a `sealed` match: a move in it, or in an ancestor, is still sealed.
    """

    ready: tuple[Stream, ...]
    sealed: tuple[Stream, ...]


def taken_along(book: Book, seen: ReadScope) -> TakenAlong:
    """Return the matches that the caller's tokens open, with ancestors and forks.

    An operator's scope takes all matches of the book. Raises `Usage` for more than `MAX_MATCHES`.
    """
    scope = seen if seen.sees_all else seen.own

    def wanted(stream: Stream) -> bool:
        return scope.may_list(book, stream) and (scope.sees_all or not is_hidden_line(book, stream))

    found: dict[int, Stream] = {}
    for listed in page_by_page(book, ListFilter(), scope):
        before = ancestors(book, listed.stream)
        if all(seen.may_list(book, each) for each in before):
            family = (*before, *family_of(book, listed.stream, wanted))
            found |= {each.id: each for each in family}
        if len(found) > MAX_MATCHES:
            raise Usage(
                f"an archive can have at most {MAX_MATCHES} matches, and the book has more;"
                " archive them one by one, or copy the book with `plybook backup`"
            )
    return _parted(book, [found[number] for number in sorted(found)])  # forks are newer


def _parted(book: Book, streams: Iterable[Stream]) -> TakenAlong:
    ready: list[Stream] = []
    sealed: dict[int, Stream] = {}
    for stream in streams:
        if stream.parent in sealed or _is_sealed(book, stream):
            sealed[stream.id] = stream
        else:
            ready.append(stream)
    return TakenAlong(tuple(ready), tuple(sealed.values()))


def _is_sealed(book: Book, stream: Stream) -> bool:
    # The moves of a missing game remain sealed in the copy; a damaged match is left out of it.
    with suppress(UnknownRuleset, Damaged):
        if registry.find(header_of(stream).rules).has_secrets:
            return any(still_sealed(book.read(stream)))
    return False


class Everything(NamedTuple):
    """An archive, and the ids of the matches left out because they do not verify."""

    content: bytes
    left_out: tuple[str, ...]


def write_everything(book: Book, ready: Sequence[Stream], whole: bool) -> Everything:
    """Return an archive of the `ready` matches; matches that do not verify are left out.

    Their forks are left out too. With `whole` the archive includes retracted notes. Raises `Usage`.
    """
    bad: dict[int, str] = {}
    for each in ready:
        if each.parent in bad or not verify_match(book, each, unrefereed=True).ok:
            bad[each.id] = each.public_id
    good = [each for each in ready if each.id not in bad]
    content = write_streams(book, good, "all matches", lambda _: whole)
    return Everything(content, tuple(bad.values()))
