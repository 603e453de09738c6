"""Import records: referee them and store them, once, as matches of the sender."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext, suppress
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Final

from litestar import Response
from litestar.params import FromQuery
from msgspec import Struct, structs

from replay.access import operators
from replay.access.capability_tokens import HOST
from replay.access.credentials import CreatedMatch, MatchTokens
from replay.access.visibility import PUBLIC, visibility_of
from replay.book import Book
from replay.errors import BadLine, Diverged, Usage
from replay.formats.archive.importer import ArchiveImport, doubts, import_archive
from replay.formats.archive.reader import Archive, read_archive, verdicts
from replay.formats.encodings import check_encoding
from replay.formats.export_formats import ARCHIVE, RECORD
from replay.formats.mending import Mender
from replay.formats.ply.continuation import (
    Continuation,
    begins_alike,
    find_continuation,
    go_on,
    with_warning,
)
from replay.formats.ply.importer import imported, repeat_answer
from replay.formats.ply.model import BOUND, Record, RecordFault
from replay.formats.ply.reader import Mend, read_with_faults
from replay.formats.reader_warning import ReaderWarning
from replay.formats.text_formats import Hint, text_formats
from replay.kept_book import KeptBook
from replay.record.match_creation import MATCH_ID, MatchCredentials
from replay.record.match_record import MatchRecord, header_of
from replay.store.types import Stream
from service.api.creation import HEADERS, CreationRequest, creation_request, tokens
from service.api.presenters import answer
from service.app_state import AppState, TheAppState
from service.http import text_limits
from service.http.access import AnyRequest, caller_of, own_key
from service.http.book_reads import read_book
from service.http.caching import NO_STORE
from service.http.cookies import check_origin
from service.http.idempotency import once
from service.http.problems import Problem
from service.http.rights import ANYBODY, NONE
from service.models import responses
from service.models.bodies import read, read_bytes
from service.openapi.operations import JSON, post
from service.settings import Settings
from service.workers.process import LONG_LIMIT

TEXT: Final = (RECORD, "text/plain", JSON)
BYTES_PER_REQUEST: Final = 8192
"""This many bytes of a record cost one request."""
STORED: Final = "already-stored"
"""The code of the problem that the book already has a match of the archive."""


class RecordText(Struct, frozen=True, forbid_unknown_fields=True):
    r"""Text records as JSON, in a single text as in a file.

    Example: {"records": "[Game \"poptrix\"]\n\n1. M@c1 2. S@c6 *\n"}
    """

    records: str
    """Text records, one or several, in a single text as in a file."""


class Import(Struct, frozen=True):
    """The result of an import: the valid records, and up to 20 faults of each invalid record.

    `warnings` name what in the valid records was not read as it was written.
    """

    stored: bool
    matches: tuple[ImportedMatch, ...]
    """The records that are valid, each with its match once it is stored."""
    faults: tuple[RecordFault, ...]
    """The faults of the records that were rejected, up to 20 of each."""
    warnings: tuple[ReaderWarning, ...] = ()
    """Parts that were not read as written; up to 20 of each valid record."""


class ImportedMatch(Struct, frozen=True):
    """A valid record: its index, the match created from it, and the match's tokens.

    Match and tokens are null unless it was stored. `left_out` are variations omitted because they
    would reveal sealed moves of their parent line. Archived matches have no outcome here. `note`
    says what is odd about the authors and times of an archive. `continued` is true if the record
    continued a match of the caller.
    """

    record: int
    """The record's number in the file, from 1."""
    match: str | None
    events: int
    """How many events the match has."""
    variations: int | None
    """How many variations there are."""
    left_out: int | None
    """How many variations were left out because they would reveal sealed moves."""
    outcome: responses.Outcome | None
    tokens: responses.Tokens | None
    """The tokens of the new match."""
    note: str | None = None
    """Irregularities of the archive."""
    continued: bool = False
    """Whether the match was here, and got further events."""


@post(
    "/records",
    {201: Import, 200: Import},
    body={RECORD: bytes, "text/plain": bytes, ARCHIVE: bytes, JSON: RecordText},
    right=ANYBODY,
    problems=(403, 409, 503),
    headers=HEADERS,
    bounds=text_limits.BOUNDS,
)
async def import_records(
    request: AnyRequest,
    live: TheAppState,
    dry_run: FromQuery[bool] = False,
    merge: FromQuery[bool] = False,
) -> Response[bytes]:
    """Store text records, or an archive, as matches; the answer shows their tokens only once.

    An invalid record is reported with its line, and the other records are stored; 400 if no record
    is valid. If an unfinished match of the same players, event, round and date begins like a
    record, the record continues that match if the caller is its host; for other callers it is a new
    match, with a warning. An archive is stored whole or not at all: 409 if one of its matches
    exists already, and if the `Idempotency-Key` belongs to a different request. With `merge` its
    matches may exist. A match that the archive adds nothing to does not change, and gets no tokens
    in the answer. Any other existing match is continued if the caller is its host; otherwise 409.
    The host also gets existing matches back from the trash. With `dry_run` nothing is stored. A key
    of the caller's own opens the matches too, as for `POST /matches`.
    """
    check_origin(request)
    kind = _media_type(request, (*TEXT, ARCHIVE))
    body = await _content(request, kind)
    book, settings = live.book, live.settings
    key = await read_book(book, lambda: own_key(request, book))
    this = creation_request(request, body)._replace(key=key)
    if kind == ARCHIVE:
        work = judge_archive, settings, body, this, merge
        judged = await live.workers.do(request, *work, cost=_cost(body), seconds=LONG_LIMIT)
        if dry_run:
            check = _host_check(request, book) if merge else bool
            await asyncio.to_thread(lambda: _stored_in(book, body, {}, check, dry_run=True))
            return answer(judged)
        with closing(await asyncio.to_thread(lambda: _archive(settings, body))) as archive:
            take = _merge_archive if merge else _import_archive
            created, warnings = await take(request, live, archive, body, this)
            taken = Import(True, tuple(_opened(archive, created)), (), warnings)
            return answer(taken, 201, NO_STORE)
    hint = _hint(request, kind)
    judged = await _judged(request, live, body, hint)
    if dry_run:
        return answer(judged)
    if not judged.matches:
        told = [structs.asdict(fault) for fault in judged.faults]
        first = judged.faults[0]
        wrong = f"line {first.line}: {first.message}"
        raise Problem(400, wrong, "invalid-record", faults=told)

    def find() -> tuple[list[Record], dict[int, Continuation], int]:
        records, _ = _read(settings, body, hint)
        new = [each for each in records if not this.part(each.number).find(book)]
        going_on = _continued(request, book, new)
        numbers = {each.number for each in new}
        told = [_told(book, each, going_on) if each.number in numbers else each for each in records]
        return told, going_on, len(new) - len(going_on)

    records, going_on, fresh = await asyncio.to_thread(find)
    with live.limits.opening(request, fresh) if fresh else nullcontext():
        matches = [
            await asyncio.to_thread(_go_on, book, each, going_on[each.number])
            if each.number in going_on
            else await store(book, each, this)
            for each in records
        ]
    warnings = tuple(each for record in records for each in record.warnings)
    return answer(Import(True, tuple(matches), judged.faults, warnings), 201, NO_STORE)


@post(
    "/records/check",
    {200: Import},
    body={RECORD: bytes, "text/plain": bytes, JSON: RecordText},
    right=NONE,
    problems=(403, 503),
    bounds=text_limits.BOUNDS,
)
async def check_records(request: AnyRequest, live: TheAppState) -> Response[bytes]:
    """Referee text records without storing them, like `plybook check`."""
    check_origin(request)
    kind = _media_type(request, TEXT)
    body, hint = await _content(request, kind), _hint(request, kind)
    return answer(await _judged(request, live, body, hint))


async def _judged(request: AnyRequest, live: AppState, body: bytes, hint: Hint) -> Import:
    """Referee records in a worker. Concurrent equal imports are refereed once."""
    key, cost = ("records", hashlib.sha256(body).digest(), hint), _cost(body)
    work = judge, live.settings, body, hint
    return await live.workers.do(request, *work, cost=cost, key=key, seconds=LONG_LIMIT)


Created = dict[str, CreatedMatch]
"""The matches that a request has created, by their ids."""
Told = tuple[Created, tuple[ReaderWarning, ...]]
"""The matches of an import, and the warnings for the caller."""


async def _import_archive(
    request: AnyRequest, live: AppState, archive: Archive, body: bytes, this: CreationRequest
) -> Told:
    """Store an archive unless this request already did, and return its matches."""
    book = live.book

    async def create() -> Created:
        with live.limits.opening(request, len(archive.matches)):
            return await asyncio.to_thread(lambda: store_archive(book, archive, body, this))

    created = await once(
        archive.matches,  # archived matches have their own ids, with or without a key
        partial(asyncio.to_thread, archive_stored_before, book, archive, this),
        create,
    )
    return created, archive.warnings


async def _merge_archive(
    request: AnyRequest, live: AppState, archive: Archive, body: bytes, this: CreationRequest
) -> Told:
    """Store an archive's new matches, and continue the caller's existing ones; return the new."""
    book = live.book

    def find() -> Created:
        found = Created()
        for stream in archive.matches:
            with suppress(Problem):  # another request stored it
                if made := this.find(KeptBook(book), stream.public_id):
                    found[stream.public_id] = made
        return found

    def store() -> Told:
        before = find()
        made = {each.public_id: this.new_tokens(each.public_id) for each in archive.matches}
        stored = _stored_in(book, body, made, _host_check(request, book))
        new = [each.match for each in stored if each.new]
        for match in made.keys() - before.keys() - set(new):
            there = book.find_existing(match)
            if there and there.trashed and _is_host(request, book, KeptBook(book).read(there)):
                operators.restore_as_host(book, there)
        created = before | {match: _created(book, match, made) for match in new}
        return created, tuple(warning for each in stored for warning in each.warnings)

    missing = await asyncio.to_thread(
        lambda: sum(not book.find_existing(each.public_id) for each in archive.matches)
    )
    with live.limits.opening(request, missing) if missing else nullcontext():
        return await asyncio.to_thread(store)


def _continued(
    request: AnyRequest, book: Book, records: Sequence[Record]
) -> dict[int, Continuation]:
    """Return the caller's matches that go on, by the number of the record."""
    found, here = dict[int, Continuation](), set[str]()
    for record in records:
        this = find_continuation(book, record, partial(_is_host, request, book), here)
        if this is not None:
            found[record.number] = this
            here.add(this.match.id)
    return found


def _told(book: Book, record: Record, going_on: Mapping[int, Continuation]) -> Record:
    """Return a record with a warning about its match, or a public match that begins alike."""
    if this := going_on.get(record.number):
        return with_warning(record, this.warning(record))
    alike = begins_alike(book, record, lambda one: visibility_of(book, one) == PUBLIC)
    return with_warning(record, alike)


def _go_on(book: Book, record: Record, this: Continuation) -> ImportedMatch:
    match = go_on(book, record, this).id
    return structs.replace(in_order(record), match=match, continued=True)


def _host_check(request: AnyRequest, book: Book) -> Callable[[Stream], object]:
    """Return a check that raises `Problem` 409 for a match whose host is somebody else."""

    def check(there: Stream) -> None:
        if not _is_host(request, book, KeptBook(book).read(there)):
            more = "and only its host may import its further events"
            raise Problem(409, f"the match {there.public_id} is here already, {more}", STORED)

    return check


def _is_host(request: AnyRequest, book: Book, record: MatchRecord) -> bool:
    with suppress(Problem):  # the token is of another match
        return caller_of(request, book, record).role == HOST
    return False


def _media_type(request: AnyRequest, known: tuple[str, ...]) -> str:
    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    known += tuple(form.media_type for _, form in text_formats())
    if sent not in known:
        raise Problem(415, f"send {' or '.join(known)}")
    return sent


async def _content(request: AnyRequest, kind: str) -> bytes:
    """Return the records or the archive of a request; JSON has the text of records in a field."""
    content = await read_bytes(request)
    if kind != JSON:
        return content
    recording: RecordText = read(request, content, RecordText)
    return recording.records.encode()


def _hint(request: AnyRequest, kind: str) -> Hint:
    """Return the hint about the format of records that the headers give.

    Raises `Problem` for an unknown `charset`.
    """
    parts = request.headers.get("content-type", "").lower().partition("charset=")[2]
    encoding = parts.partition(";")[0].strip(' "')
    if kind == JSON or encoding in ("", "utf-8", "us-ascii"):
        return Hint(media_type=kind)
    try:
        check_encoding(encoding)
    except Usage as error:
        raise Problem(415, str(error)) from None
    return Hint(media_type=kind, encoding=encoding)


def judge(_: Book, settings: Settings, body: bytes, hint: Hint) -> Import:
    """Referee records, and report for each whether it is valid. Raises `Problem` 400."""
    records, faults = _read(settings, body, hint, Mender())
    warnings = tuple(each for record in records for each in record.warnings)
    return Import(False, tuple(map(in_order, records)), faults, warnings)


def judge_archive(
    book: Book, settings: Settings, body: bytes, this: CreationRequest, merge: bool
) -> Import:
    """Verify an archive and list its matches.

    Raises `Problem`, even for existing matches unless they may be merged.
    """
    with closing(_archive(settings, body)) as archive:
        if not merge:
            archive_stored_before(book, archive, this)
        return Import(False, tuple(archived(archive)), (), archive.warnings)


def _cost(body: bytes) -> int:
    return 1 + len(body) // BYTES_PER_REQUEST


def _read(
    settings: Settings, body: bytes, hint: Hint, mend: Mend | None = None
) -> tuple[list[Record], tuple[RecordFault, ...]]:
    """Referee records. Raises `Problem` 400 if there are too many."""
    bounds, most = text_limits.bounds(settings), settings.matches_per_import
    results = []
    found = read_with_faults(body, bounds, hint, mend)
    for result in islice(found, most + 1 if most else None):
        if isinstance(result, list) and result[-1].clause == BOUND:
            last = result[-1]
            where = f"record {last.record}, line {last.line}, column {last.column}"
            facts = structs.asdict(last)
            raise Problem(400, f"{where}: {last.message}", "invalid-record", **facts)
        results.append(result)
    if most and len(results) > most:
        raise Problem(400, f"send at most {most} records at once")
    records = [each for each in results if isinstance(each, Record)]
    for record in records:
        text_limits.check_record(settings, record)
    faults = (fault for each in results if isinstance(each, list) for fault in each)
    return records, tuple(faults)


def _archive(settings: Settings, body: bytes) -> Archive:
    """Read and verify an archive that may be stored here. Raises `Problem`."""
    with ExitStack() as unfinished:
        try:
            archive = read_archive(io.BytesIO(body), text_limits.bounds(settings))
            unfinished.callback(archive.close)
            list(verdicts(archive))
        except BadLine as error:
            raise Problem(400, str(error), "invalid-record", line=error.line) from None
        most = settings.matches_per_import
        if most and sum(header_of(each).kind == "match" for each in archive.matches) > most:
            raise Problem(400, f"send at most {most} matches at once")
        for stream in archive.matches:
            text_limits.check_archived(settings, archive, stream)
            if not MATCH_ID.fullmatch(stream.public_id):
                raise Problem(
                    400, f"{stream.public_id!r} is not a match id that this server accepts"
                )
        unfinished.pop_all()
    return archive


def in_order(record: Record) -> ImportedMatch:
    """Report a valid record of an import."""
    outcome = record.match.state.outcome
    told = outcome.to_dict() if outcome else None
    events = len(record.match.line)
    return ImportedMatch(record.number, None, events, None, None, told, None)


async def store(
    book: Book,
    record: Record,
    this: CreationRequest,
    facts: Mapping[str, str] = MappingProxyType({}),
) -> ImportedMatch:
    """Store a record as a new match with more `facts`, once."""
    part = this.part(record.number)

    def create() -> CreatedMatch:
        return part.create(
            record.match.seats, lambda new: imported(book, record, new, facts).record
        )

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


def archive_stored_before(book: Book, archive: Archive, this: CreationRequest) -> Created | None:
    """Return the matches of an archive if an earlier request stored all of them, or `None`.

    Raises `Problem` 409 if the book has any of them from elsewhere: importing an archive must not
    be a way to add to a match without its token.
    """
    here = next((each for each in archive.matches if book.find_existing(each.public_id)), None)
    if here is None:
        return None
    # A request stores its matches in one transaction: if it stored this match, all others are here.
    ids = [each.public_id for each in archive.matches]
    found = {match: made for match in ids if (made := this.find(KeptBook(book), match))}
    if len(found) < len(ids):
        raise Problem(409, f"the match {here.public_id} is here already", STORED)
    return found


def archived(archive: Archive) -> Iterator[ImportedMatch]:
    """Report each match of a valid archive."""
    for number, stream in enumerate(archive.matches, 1):
        events = archive.store.read(stream.id, stream.fork_version or 0)
        people = archive.store.people(stream.id).events
        note = doubts(events, people, Book(archive.store).now())
        yield ImportedMatch(number, None, len(events), None, None, None, None, note)


def store_archive(book: Book, archive: Archive, body: bytes, this: CreationRequest) -> Created:
    """Store the matches of an archive read from the body. Raises `Problem` 409."""
    made = {each.public_id: this.new_tokens(each.public_id) for each in archive.matches}
    stored = _stored_in(book, body, made)
    here = next((each for each in stored if not each.new), None)
    if here is not None:
        raise Problem(409, f"the match {here.match} is here already", STORED)
    return {match: _created(book, match, made) for match in made}


def _created(book: Book, match: str, made: Mapping[str, MatchTokens]) -> CreatedMatch:
    return CreatedMatch(KeptBook(book).open(match), made[match])


def _stored_in(
    book: Book,
    body: bytes,
    made: Mapping[str, MatchTokens],
    check: Callable[[Stream], object] = bool,
    *,
    dry_run: bool = False,
) -> list[ArchiveImport]:
    """Import an archive with the tokens for its new matches. Raises `Problem` 409."""

    def credentials(record: MatchRecord) -> MatchCredentials:
        return made[record.id].credentials(record.match.seats)

    try:
        return import_archive(book, io.BytesIO(body), credentials, check=check, dry_run=dry_run)
    except (Diverged, Usage) as error:
        raise Problem(409, str(error)) from None


def _opened(archive: Archive, created: Created) -> Iterator[ImportedMatch]:
    """Report each match of an archive, with its tokens if it is new."""
    for told, stream in zip(archived(archive), archive.matches, strict=True):
        made = created.get(stream.public_id)
        shown = tokens(made.tokens, made.record) if made else None
        yield structs.replace(told, match=stream.public_id, tokens=shown)
