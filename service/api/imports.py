"""Records sent to the service: refereed, and stored as matches of whoever sent them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from litestar import Response, Router, post
from litestar.params import FromQuery
from msgspec import Struct, structs

from replay.archive.importing import import_archive
from replay.archive.reading import Archive, read_archive
from replay.archive.verifying import verdicts
from replay.book import ALPHABET, Book
from replay.errors import AmbiguousMatch, BadLine, Diverged, UnknownMatch, Usage
from replay.importing import imported
from replay.records.model import Fault, Record
from replay.records.reader import read_records
from service.access import AnyRequest, TheBook, TheSettings
from service.api import answers, room
from service.api.answering import answer, apart
from service.api.matches import with_tokens
from service.api.operations import documented
from service.api.records import ARCHIVE, RECORD
from service.limits import TheLimits
from service.problems import Problem
from service.settings import Settings

TEXT: Final = (RECORD, "text/plain")
ID: Final = re.compile(f"[{ALPHABET}]{{12}}")
MOST: Final = 100
"""Matches that are imported at once."""


class ImportedMatch(Struct, frozen=True):
    """A record in order: which of those sent, the match it became, and its tokens.

    There is no match and there are no tokens unless it was stored. `left_out` are variations that
    would tell what the line they leave keeps sealed. What is of an archive has no outcome here.
    """

    record: int
    match: str | None
    events: int
    variations: int | None
    left_out: int | None
    outcome: answers.Outcome | None
    tokens: answers.Tokens | None


class Import(Struct, frozen=True):
    """What became of records: those that are in order, and what is wrong with the others."""

    stored: bool
    matches: tuple[ImportedMatch, ...]
    faults: tuple[Fault, ...]


@post(
    "/records",
    **documented(
        {201: Import, 200: Import},
        body={RECORD: str, "text/plain": str, ARCHIVE: str},
        auth="none",
        problems=(409,),
    ),
)
async def import_records(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    limits: TheLimits,
    dry_run: FromQuery[bool] = False,
) -> Response[bytes]:
    """Store text records, or an archive, as matches; answers them with tokens, shown this once.

    A bad record is told with its line, and the others are stored; 400 if none is in order. Of an
    archive all is stored or nothing, 409 if one of its matches is here already. With `dry_run`
    nothing is stored.
    """
    kind = _media_type(request, (*TEXT, ARCHIVE))
    body = await request.body()
    if kind == ARCHIVE:
        archive = await apart(lambda: _archive(book, settings, body))
        if dry_run:
            return answer(Import(False, tuple(_archived(archive)), ()))
        limits.admit_openings(request, len(archive.matches))
        return _stored(await apart(lambda: _store_archive(book, archive, body)))
    records, faults = await apart(lambda: _read(settings, body))
    if dry_run:
        return answer(Import(False, tuple(map(_in_order, records)), faults))
    if not records:
        told = [structs.asdict(fault) for fault in faults]
        raise Problem(400, f"line {faults[0].line}: {faults[0].message}", faults=told)
    limits.admit_openings(request, len(records))
    return _stored(await apart(lambda: Import(True, tuple(_store(book, records)), faults)))


@post(
    "/records/check",
    **documented({200: Import}, body={RECORD: str, "text/plain": str}, auth="none"),
)
async def check_records(request: AnyRequest, settings: TheSettings) -> Response[bytes]:
    """Referee text records without storing them, like `plybook check`."""
    _media_type(request, TEXT)
    body = await request.body()
    records, faults = await apart(lambda: _read(settings, body))
    return answer(Import(False, tuple(map(_in_order, records)), faults))


def router(settings: Settings) -> Router:
    """Return the routes, which take longer bodies than others."""
    return Router(
        "/",
        route_handlers=[import_records, check_records],
        request_max_body_size=settings.longest_import or None,
    )


def _media_type(request: AnyRequest, known: tuple[str, ...]) -> str:
    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if sent not in known:
        raise Problem(415, f"send {' or '.join(known)}")
    return sent


def _read(settings: Settings, body: bytes) -> tuple[list[Record], tuple[Fault, ...]]:
    """Referee records. Raises `Problem` 400 for more than may be sent at once."""
    results = list(islice(read_records(body), MOST + 1))
    if len(results) > MOST:
        raise Problem(400, f"at most {MOST} records are taken at once")
    records = [each for each in results if isinstance(each, Record)]
    for record in records:
        room.check_record(settings, record)
    faults = (each for each in results if isinstance(each, Fault))
    return records, tuple(faults)


def _in_order(record: Record) -> ImportedMatch:
    outcome = record.match.state.outcome
    told = outcome.told() if outcome else None
    events = len(record.match.line)
    return ImportedMatch(record.number, None, events, None, None, told, None)


def _store(book: Book, records: list[Record]) -> Iterator[ImportedMatch]:
    for record in records:
        made = imported(book, record)
        opened = with_tokens(book, made.recorded)
        yield structs.replace(
            _in_order(record),
            match=opened.match,
            variations=made.variations,
            left_out=made.left_out,
            tokens=opened.tokens,
        )


def _archive(book: Book, settings: Settings, body: bytes) -> Archive:
    """Read and verify an archive none of whose matches is here. Raises `Problem`."""
    try:
        archive = read_archive(io.BytesIO(body))
        list(verdicts(archive))
    except BadLine as error:
        raise Problem(400, str(error), line=error.line) from None
    if len(archive.matches) > MOST:
        raise Problem(400, f"at most {MOST} matches are taken at once")
    for stream in archive.matches:
        room.check_archived(settings, archive, stream)
        if not ID.fullmatch(stream.public_id):
            raise Problem(400, f"{stream.public_id!r} is no id of a match here")
        if _is_here(book, stream.public_id):
            # Whoever could add to a match by an archive of it would need no token.
            raise Problem(409, f"the match {stream.public_id} is here already")
    return archive


def _is_here(book: Book, match: str) -> bool:
    try:
        return book.store.find(match).public_id == match
    except (UnknownMatch, AmbiguousMatch):
        return False


def _archived(archive: Archive) -> Iterator[ImportedMatch]:
    for number, stream in enumerate(archive.matches, 1):
        events = stream.head - (stream.fork_version or 0)
        yield ImportedMatch(number, None, events, None, None, None, None)


def _store_archive(book: Book, archive: Archive, body: bytes) -> Import:
    try:
        import_archive(book, io.BytesIO(body))
    except (Diverged, Usage) as error:
        raise Problem(409, str(error)) from None
    there = []
    for told, stream in zip(_archived(archive), archive.matches, strict=True):
        opened = with_tokens(book, book.open(stream.public_id))
        there.append(structs.replace(told, match=opened.match, tokens=opened.tokens))
    return Import(True, tuple(there), ())


def _stored(body: Import) -> Response[bytes]:
    return answer(body, 201, {"Cache-Control": "no-store"})
