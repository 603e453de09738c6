"""Find the match that fits one or two scoresheets."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from litestar import Response
from litestar.params import JSONBody
from msgspec import structs

from domain.names import count
from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import write_record
from replay.formats.reconstructing import (
    FoundMatch,
    Reconstructed,
    name_match,
)
from replay.referee.scoresheet_pairs import scoresheet_state
from service.api.creation import HEADERS, creation_request
from service.api.imports import store
from service.api.presenters import answer
from service.app_state import AppState, TheAppState
from service.http import text_limits
from service.http.access import (
    AnyRequest,
    MatchAccess,
    own_key,
)
from service.http.book_reads import read_book
from service.http.caching import NO_STORE
from service.http.idempotency import request_name
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.models import responses
from service.models.bodies import read_bytes
from service.openapi.operations import post
from service.workers.reconstructions import (
    ReconstructionRequest,
    in_worker,
    visit_scoresheets,
)

LEAST_SHOWN: Final = (visibility.PRIVATE, visibility.UNLISTED, visibility.PUBLIC)


class StoredReconstruction(Reconstructed, frozen=True):
    """A reconstruction, the match that it was stored as, and the tokens of the match."""

    match: str
    tokens: responses.Tokens | None
    """The tokens of the new match."""


class FoundRecord(NamedTuple):
    """A reconstruction, and its match as a text record; empty if questions are left."""

    answer: Reconstructed
    text: str


@post(
    "/records/reconstruct",
    {200: Reconstructed, 201: StoredReconstruction},
    right=ANYBODY,
    problems=(401, 403, 404, 409, 503),
    headers=HEADERS,
    bounds=text_limits.BOUNDS,
)
async def reconstruct_match(
    request: AnyRequest, data: JSONBody[ReconstructionRequest], live: TheAppState
) -> Response[bytes]:
    """Find the match that fits one or two scoresheets, and the questions they leave open.

    `--` in a record stands for moves that nobody wrote down, the comment `{[%unsure]}` marks an
    entry whose writer was not sure. A ply that is not `certain` has `choices`; `said` answers it.
    Nothing is stored without `save`: with it and no question left, the match is stored with the ids
    of the matches it was found from as tags, and is as visible as the least visible of them. 400 if
    a question is left. A private match needs its token.
    """
    request_name(request)
    visits = await visit_scoresheets(request, live.book, data)
    found = await in_worker(request, live.workers, live.settings, data, _answer)
    if not data.save:
        return answer(found.answer, headers=NO_STORE)
    if not found.text:
        left = count(found.answer.questions, "question") if found.answer.complete else "no line"
        wrong = f"{left} left open: nothing is stored until all plies are certain"
        raise Problem(400, wrong, path="$.said")
    return answer(await _store(request, live, found, visits), 201, NO_STORE)


def _answer(found: FoundMatch) -> FoundRecord:
    text = "" if found.answer.questions or found.answer.fault else write_record(found.record())
    return FoundRecord(found.answer, text)


def _name(book: Book, match: str, visits: Sequence[MatchAccess]) -> None:
    """Name a match in the scoresheets that the caller hosts, or that are of the caller's pair."""
    states = [scoresheet_state(book, each.record) for each in visits if each.caller.may_write]
    pair = {match for each in states if each and each.open for match in (each.match, each.other)}
    own = (
        each.record
        for each in visits
        if each.caller.role == capability_tokens.HOST or each.record.id in pair
    )
    name_match(book, match, own)


async def _store(
    request: AnyRequest, live: AppState, found: FoundRecord, visits: Sequence[MatchAccess]
) -> StoredReconstruction:
    """Store a reconstructed match, and name it in those of its matches that are the caller's."""
    book = live.book
    key = await read_book(book, lambda: own_key(request, book))
    this = creation_request(request, await read_bytes(request))._replace(key=key)
    record = await asyncio.to_thread(lambda: next(read_records(found.text)))
    assert isinstance(record, Record)
    text_limits.check_record(live.settings, record)
    shown = await read_book(
        book, lambda: {visibility.visibility_of(book, visit.record) for visit in visits}
    )
    least = next((each for each in LEAST_SHOWN if each in shown), visibility.UNLISTED)
    facts = {visibility.FACT: least} if least != visibility.UNLISTED else {}
    with live.limits.opening(request):
        stored = await store(book, record, this, facts)
    await asyncio.to_thread(lambda: _name(book, str(stored.match), visits))
    return StoredReconstruction(
        **structs.asdict(found.answer), match=str(stored.match), tokens=stored.tokens
    )
