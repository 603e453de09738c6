"""Open a match, or a fork, once: a retry is answered as the first time, with the same tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response
from msgspec import Struct

from replay.access import capability_tokens, credentials
from replay.access.credentials import CreatedMatch, MatchTokens
from replay.errors import Usage
from replay.match_record import MatchRecord
from service.api.presenters import about, answer, in_thread, seats
from service.http.access import AnyRequest, Caller, TheBook, Visit
from service.http.limits import TheLimits
from service.http.preconditions import own_key
from service.http.problems import Problem
from service.models import responses

HEADERS: Final = ("Idempotency-Key",)
"""The headers that are taken with a request to open something."""

Making = Callable[[MatchTokens], MatchRecord]
"""Creates what is asked for. Raises `Refused` and `Usage`."""


class CreationRequest(NamedTuple):
    """What a request asks for, and the name by which it is known again, if it has one."""

    name: bytes | None
    body: bytes

    def part(self, number: int) -> CreationRequest:
        """Return what asks for one of several things, counted in the request."""
        name = None if self.name is None else self.name + str(number).encode()
        return CreationRequest(name, self.body)

    def founding(self, match: str | None = None) -> MatchTokens:
        """Return what is founded with it; a match may have its id already."""
        if self.name is None:
            return credentials.draw(match)
        return credentials.derive(self.name, self.body, match)

    def found(self, book: TheBook, match: str | None = None) -> CreatedMatch | None:
        """Return what was founded before. Raises `Problem` 409 where another request did that."""
        if self.name is None:
            return None
        try:
            return credentials.find_created(book, self.name, self.body, match)
        except Usage as error:
            raise Problem(409, f"this Idempotency-Key is used up: {error}") from None

    def once(self, book: TheBook, make: Making) -> CreatedMatch:
        """Return what was founded before, or create it now. Raises as `found` and `make` do."""
        before = self.found(book)
        if before is not None:
            return before
        new = self.founding()
        try:
            return CreatedMatch(make(new), new)
        except Usage:  # the same request, sent twice at once, may have been quicker
            before = self.found(book)
            if before is None:
                raise
            return before


def creation_request(request: AnyRequest, body: bytes) -> CreationRequest:
    """Return what a request asks for. Raises `Problem` 400 for an `Idempotency-Key` that is bad."""
    key = own_key(request)
    name = f"{request.url.path}\0{key}\0".encode()
    return CreationRequest(None if key is None else hashlib.sha256(name).digest(), body)


async def founded(
    request: AnyRequest, book: TheBook, limits: TheLimits, body: Struct, make: Making
) -> Response[bytes]:
    """Create what a request asks for, unless it did before, and answer it with its tokens.

    Raises what `make` raises, and `Problem` 409 for an `Idempotency-Key` of another request, 429
    where no more may be opened.
    """
    this = creation_request(request, msgspec.json.encode(body))
    before = await in_thread(lambda: this.found(book))
    with nullcontext() if before else limits.opening(request):
        opened = await in_thread(lambda: _opened(book, this.once(book, make)))
    headers = {"Location": f"/matches/{opened.match}", "Cache-Control": "no-store"}
    return answer(opened, 201, headers)


def tokens(made: MatchTokens, recorded: MatchRecord) -> responses.Tokens:
    """Return the tokens of a new match, of its host and of each seat."""
    return responses.Tokens(
        made.token(),
        {str(seat): made.token(capability_tokens.SEAT, seat) for seat in seats(recorded)},
    )


def _opened(book: TheBook, made: CreatedMatch) -> responses.Opened:
    """Return a new match as its host sees it, with its tokens."""
    host = Visit(made.recorded, Caller(capability_tokens.HOST))
    told = about(book, host, made.recorded, made.recorded.ply())
    standing: dict[str, Any] = msgspec.structs.asdict(told)
    return responses.Opened(**standing, tokens=tokens(made.founding, made.recorded))
