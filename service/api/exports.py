"""Export a match as a file in every format, as a spectator sees it, and verify its log."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from contextlib import suppress
from operator import itemgetter
from typing import Annotated, Any, Final, NamedTuple

import litestar
from litestar import Response
from litestar.params import FromQuery, QueryParameter
from msgspec.structs import replace

from domain.game import Game
from replay.access import capability_tokens
from replay.access.visibility import ReadScope, analysed_match, is_hidden
from replay.annotations.current import heads
from replay.book import Book
from replay.errors import Usage
from replay.formats.archive.writer import ancestors, taken_along, write_archive, write_everything
from replay.formats.export_formats import ARCHIVE, FORMATS, RECORD, formats_of, named
from replay.formats.pictures.stills import check_extra
from replay.kept_book import KeptBook
from replay.library.match_list import is_hidden_line
from replay.record.match_record import MatchRecord, header_of
from replay.referee.verification import Verified, verify_match
from replay.store.types import Stream
from service.api.presenters import answer, left_out
from service.app_state import AppState, TheAppState
from service.http.access import (
    KEPT,
    AnyRequest,
    TheMatchAccess,
    read_scope,
)
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN, is_known
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.openapi.operations import get
from service.settings import Settings
from service.workers.process import LONG_LIMIT, PROCESSOR_LIMIT

Name = Annotated[
    str | None,
    QueryParameter(
        name="format",
        pattern="^[a-z0-9-]{1,20}$",
        description=f"One of {', '.join(FORMATS)}, or a format of the game, like `pgn` of chess.",
    ),
]

UNTIL_REVEALED: Final = (
    "verification failed; details are available when the sealed moves are revealed"
)
"""The fault of a match with sealed moves, whose details could give them away."""

SHEET_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
)
"""The policy of the score sheet, a single file without scripts."""

FRAME: Final = 3
"""The cost of an animation's ply, in requests."""
PLIES: Final = 10
"""The number of plies in any other format that cost one request."""


class Wanted(NamedTuple):
    """A requested file: the match at a version, and the format.

    `first` is the ply where an animation begins, `ply` the ply that is shown, or where an animation
    ends. An archive contains the matches that `seen` allows and, if `retracted`, the match's
    retracted annotations; other formats contain a spectator's view.
    """

    match: str
    version: int
    name: str
    first: int
    ply: int
    seen: ReadScope | None
    retracted: bool


@get(
    "/matches/{match:str}/record",
    {
        200: {
            RECORD: str,
            "text/plain": str,
            ARCHIVE: str,
            "text/html": str,
            "image/svg+xml": str,
            "image/png": bytes,
            "image/gif": bytes,
        },
    },
    problems=(403, 406, 501, 503),
    sends=("ETag",),
    opt=KEPT,
)
async def read_record(
    request: AnyRequest,
    live: TheAppState,
    visit: TheMatchAccess,
    asked: Name = None,
    ply: FromQuery[int | None] = None,
    first: Annotated[int | None, QueryParameter(name="from")] = None,
    last: Annotated[int | None, QueryParameter(name="to")] = None,
) -> Response[bytes]:
    """Export a match as a file in `format`, or in a format that `Accept` allows.

    No format contains sealed moves. The default is the text record. Pictures and pages show a ply,
    by default the last; a card is a picture with the names and the result, too; an animation shows
    the plies `from` to `to`, by default all. An archive contains the forks that the caller may
    list.
    """
    record = visit.record
    name, media_type = _wanted(request, record.game, asked)
    form = named(record.game, name)
    if ply is not None and not form.per_ply:
        raise Problem(400, f"{name} holds the whole match; leave out ply", path="ply")
    shown = _range(record, name, ply, first, last)
    archive = name == "archive"
    seen = await read_book(live.book, lambda: read_scope(request)) if archive else None
    whole = archive and visit.caller.role == capability_tokens.HOST
    wanted = Wanted(record.id, record.match.version, name, shown.start, shown[-1], seen, whole)
    disposition = "inline" if form.shown else "attachment"
    file = f'{disposition}; filename="{record.game.slug}-{record.id}{form.ending}"'
    headers = ASK_AGAIN | {"Content-Disposition": file, "Vary": "Accept, Authorization, Cookie"}
    if form.light:
        content = await asyncio.to_thread(lambda: content_of(live.book, wanted))
        return Response(content, media_type=media_type, headers=headers)
    _check(live.settings, name, shown)
    return await _worked(request, live, record, wanted, media_type, headers)


@litestar.get("/m/{match:str}/sheet", include_in_schema=False)
async def show_sheet(
    request: AnyRequest, live: TheAppState, visit: TheMatchAccess
) -> Response[bytes]:
    """Show the score sheet as a page to print; the file is `read_record` in the format `sheet`."""
    record = visit.record
    wanted = Wanted(record.id, record.match.version, "sheet", 0, record.ply(), None, False)
    headers = ASK_AGAIN | {"Content-Security-Policy": SHEET_POLICY}
    return await _worked(request, live, record, wanted, "text/html", headers)


async def _worked(
    request: AnyRequest,
    live: AppState,
    record: MatchRecord,
    wanted: Wanted,
    media_type: str,
    headers: dict[str, str],
) -> Response[bytes]:
    """Answer a file that a worker makes, unless the caller has it."""
    key = (wanted, await asyncio.to_thread(lambda: _state(live.book, record, wanted.name)))
    headers["ETag"] = live.workers.tag(key)
    if is_known(headers["ETag"], request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, media_type=media_type, headers=headers)
    shown = range(wanted.first, wanted.ply + 1)
    cost = _cost(record, wanted.name, shown)
    seconds = LONG_LIMIT if wanted.name == "archive" else PROCESSOR_LIMIT
    content = await live.workers.do(
        request, content_of, wanted, cost=cost, key=key, seconds=seconds
    )
    return Response(content, media_type=media_type, headers=headers)


@get("/archive", {200: ARCHIVE}, right=ANYBODY, problems=(503,), sends=("ETag",))
async def read_archive_of_all(request: AnyRequest, live: TheAppState) -> Response[bytes]:
    """Return one archive of all matches that the caller's tokens open; an operator gets all.

    Matches with moves that are still sealed are left out, as no book could import them yet, and so
    are matches that do not verify: the header `Left-Out` names up to 100 of them.
    """
    seen = await read_book(live.book, lambda: read_scope(request))
    ready = (await asyncio.to_thread(taken_along, live.book, seen)).ready
    content, bad = await live.workers.do(
        request, write_everything, ready, seen.sees_all, cost=1 + len(ready), seconds=LONG_LIMIT
    )
    file = 'attachment; filename="matches.plybook"'
    headers = ASK_AGAIN | {"Content-Disposition": file, "Vary": "Authorization, Cookie"}
    return Response(content, media_type=ARCHIVE, headers=headers | left_out(bad))


@get("/matches/{match:str}/verify", {200: Verified}, problems=(503,), sends=("ETag",), opt=KEPT)
async def verify(request: AnyRequest, live: TheAppState, visit: TheMatchAccess) -> Response[bytes]:
    """Recompute a match's hashes, and referee the log again with every die and clock."""
    record = visit.record
    verdict = await live.workers.do(
        request,
        verified,
        record.id,
        cost=1 + record.match.version // PLIES,
        key=("verify", record.id, await read_book(live.book, live.book.store.data_version)),
    )
    if verdict.fault is not None and record.secrets:
        verdict = replace(verdict, fault=UNTIL_REVEALED)
    return answer(verdict, headers=ASK_AGAIN)


def _wanted(request: AnyRequest, game: Game[Any], asked: str | None) -> tuple[str, str]:
    """Return the requested format and its media type. Raises `Usage`, and `Problem` 406."""
    if asked is not None:
        return asked, named(game, asked).media_type
    accepted = {RECORD: "ply", "text/plain": "ply"}  # the default of all comes first
    for name, form in formats_of(game).items():
        accepted.setdefault(form.media_type, name)
    for media_type in _preferred(request.headers.get("accept", "*/*")):
        for known, name in accepted.items():
            if media_type in ("*/*", f"{known.partition('/')[0]}/*", known):
                return name, known
    raise Problem(406, f"Accept names no media type of a match; use {', '.join(accepted)}")


def _preferred(header: str) -> list[str]:
    """Return the media types of `Accept` by preference, without refused types."""
    wanted = []
    for part in header.split(","):
        media_type, *parameters = (each.strip().lower() for each in part.split(";"))
        quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        with suppress(ValueError):
            wanted.append((-float(quality), media_type))
    ordered = sorted(wanted, key=itemgetter(0))
    return [media_type for quality, media_type in ordered if quality < 0]


def _range(
    record: MatchRecord, name: str, ply: int | None, first: int | None, last: int | None
) -> range:
    """Return the requested plies: an animation's range, or the ply that is shown.

    Raises `Problem` 400 for an invalid range, and `UnknownAddress`.
    """
    if name != "gif":
        for path, value in (("from", first), ("to", last)):
            if value is not None:
                raise Problem(400, f"only a gif shows a range of plies, not {name}", path=path)
        here = record.ply(ply)
        return range(here, here + 1)
    if ply is not None and last is not None:
        raise Problem(400, "ply and to both say where a gif ends; give one", path="to")
    start, end = record.ply(first or 0), record.ply(ply if last is None else last)
    if start > end:
        raise Problem(400, f"a gif from ply {start} cannot end at ply {end}", path="from")
    return range(start, end + 1)


def _check(settings: Settings, name: str, shown: range) -> None:
    """Raise `Problem` 501 if pictures need an extra, 400 if an animation is too long."""
    if not FORMATS[name].picture:
        return
    try:
        check_extra()
    except Usage as error:
        raise Problem(501, str(error)) from None
    most = settings.plies_per_picture
    if most and len(shown) > most + 1:
        raise Problem(
            400,
            f"a gif shows at most {most} plies here, not {len(shown) - 1}; ask for a range of"
            f" them, like ?from={shown[-1] - most}&to={shown[-1]}",
            path="from",
        )


def _state(book: Book, record: MatchRecord, name: str) -> Hashable:
    """Return the state that a file depends on besides its address.

    Pictures depend on the log, the annotations and the names; other files on the whole book.
    """
    if not FORMATS[name].picture:
        return book.store.data_version()
    names = tuple(book.facts(record).items())
    return record.stream.head_hash, heads(book, record), names


def _cost(record: MatchRecord, name: str, shown: range) -> int:
    if name == "gif":
        return FRAME * len(shown)
    return FRAME if FORMATS[name].picture else 1 + record.match.version // PLIES


def content_of(book: Book, wanted: Wanted) -> bytes:
    """Return the content of an exported file. Raises `Problem`, and errors of the format."""
    book = KeptBook(book)
    record = book.open(wanted.match).at_version(wanted.version)
    if wanted.name == "archive":
        assert wanted.seen is not None
        return _archived(book, record, wanted.seen, wanted.retracted)
    form = named(record.game, wanted.name)
    return form.write(book, record, range(wanted.first, wanted.ply + 1))


def verified(book: Book, match: str) -> Verified:
    """Verify a match by its id."""
    return verify_match(book, book.find(match), unrefereed=True)


def _archived(book: Book, record: MatchRecord, seen: ReadScope, whole: bool) -> bytes:
    """Return an archive without the forks hidden from the caller.

    It must contain the ancestors of the match: raises `Problem` 403 if the caller may not see them.
    If `whole`, it includes the match's own retracted annotations.
    """
    for stream in ancestors(book, record.stream):
        if not (_same(book, stream, record) or seen.may_list(book, stream)):
            raise Problem(
                403, "the archive would contain the parent of this match, which you may not read"
            )

    hidden = is_hidden_line(book, record.stream)

    def wanted(stream: Stream) -> bool:
        """Include a fork if its parent is included."""
        same = _same(book, stream, record)
        if header_of(stream).kind == "variation" and (is_hidden(book, stream) or (same and hidden)):
            return False
        return same or seen.may_list(book, stream)

    def retracted(stream: Stream) -> bool:
        return whole and stream.id == record.stream.id

    return write_archive(book, record, wanted, retracted)


def _same(book: Book, stream: Stream, record: MatchRecord) -> bool:
    """Say whether a stream is a variation of the match, or the match that a variation analyses."""
    return analysed_match(book, stream).id == analysed_match(book, record.stream).id
