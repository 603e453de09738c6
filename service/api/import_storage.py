"""Store imported records as matches, once: a retry gets the same tokens."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec import Struct, structs

from replay.access.credentials import CreatedMatch
from replay.book import Book
from replay.errors import Diverged, Usage
from replay.formats.archive.importer import import_archive
from replay.formats.archive.reader import Archive
from replay.formats.ply.importer import imported, repeat_answer
from replay.formats.ply.model import Record
from service.api.creation import CreationRequest, tokens
from service.http.idempotency import once
from service.http.problems import Problem
from service.models import responses

STORED: Final = "already-stored"
"""The code of the problem that a match of an archive is in the book."""


class ImportedMatch(Struct, frozen=True):
    """A valid record: its index, the match created from it, and the match's tokens.

    Match and tokens are null unless it was stored. `left_out` are variations omitted because they
    would reveal sealed moves of their parent line. Archived matches have no outcome here.
    """

    record: int
    match: str | None
    events: int
    variations: int | None
    left_out: int | None
    outcome: responses.Outcome | None
    tokens: responses.Tokens | None


def in_order(record: Record) -> ImportedMatch:
    """Report a valid record."""
    outcome = record.match.state.outcome
    told = outcome.to_dict() if outcome else None
    events = len(record.match.line)
    return ImportedMatch(record.number, None, events, None, None, told, None)


async def store(book: Book, record: Record, this: CreationRequest) -> ImportedMatch:
    """Store a record as a new match, once."""
    part = this.part(record.number)

    def create() -> CreatedMatch:
        return part.create(record.match.seats, lambda new: imported(book, record, new).record)

    recorded, new = await once(
        part.name, partial(asyncio.to_thread, part.find, book), partial(asyncio.to_thread, create)
    )
    made = repeat_answer(recorded, record)
    return structs.replace(
        in_order(record),
        match=recorded.id,
        variations=made.variations,
        left_out=made.left_out,
        tokens=tokens(new, recorded),
    )


def archive_stored_before(
    book: Book, archive: Archive, this: CreationRequest
) -> list[CreatedMatch] | None:
    """Return the matches of an archive that this request stored before, all or none.

    Raises `Problem` 409 if any were stored otherwise: importing an archive must not be a way to add
    to a match without its token.
    """
    here = next((each for each in archive.matches if book.find_existing(each.public_id)), None)
    if here is None:
        return None
    # They are stored in one transaction: only now are the earlier ones certain to be stored too.
    before = [this.find(book, each.public_id) for each in archive.matches]
    found = [each for each in before if each is not None]
    if len(found) < len(before):
        raise Problem(409, f"the match {here.public_id} is here already", STORED)
    return found


def archived(archive: Archive) -> Iterator[ImportedMatch]:
    """Report each match of a valid archive."""
    for number, stream in enumerate(archive.matches, 1):
        events = stream.head - (stream.fork_version or 0)
        yield ImportedMatch(number, None, events, None, None, None, None)


def store_archive(
    book: Book, archive: Archive, body: bytes, this: CreationRequest
) -> list[CreatedMatch]:
    """Store the matches of an archive read from the body. Raises `Problem` 409."""
    made = {each.public_id: this.new_tokens(each.public_id) for each in archive.matches}
    try:
        stored = import_archive(
            book,
            io.BytesIO(body),
            lambda record: made[record.id].credentials(record.match.seats),
        )
    except (Diverged, Usage) as error:
        raise Problem(409, str(error)) from None
    here = next((each for each in stored if not each.new), None)
    if here is not None:
        raise Problem(409, f"the match {here.match} is here already", STORED)
    return [CreatedMatch(book.open(match), new) for match, new in made.items()]


def opened(archive: Archive, matches: list[CreatedMatch]) -> Iterator[ImportedMatch]:
    """Report each stored match of an archive, with its tokens."""
    for told, (record, new) in zip(archived(archive), matches, strict=True):
        yield structs.replace(told, match=record.id, tokens=tokens(new, record))
