"""Create a match or a fork once: a retry gets the original answer, with the same tokens."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response
from msgspec import Struct

from replay.access import capability_tokens, credentials
from replay.access.credentials import CreatedMatch, MatchTokens
from replay.errors import Usage
from replay.match_record import MatchRecord
from service.api.presenters import about, answer, seats
from service.http.access import AnyRequest, Caller, TheBook, Visit
from service.http.addresses import prefix
from service.http.idempotency import REUSED, once, secret_key
from service.http.limits import TheLimits
from service.http.problems import Problem
from service.models import responses

HEADERS: Final = ("Idempotency-Key",)
"""The headers of a request that creates something."""

Making = Callable[[MatchTokens], MatchRecord]
"""Creates a match with the given credentials. Raises `Refused` and `Usage`."""


class CreationRequest(NamedTuple):
    """The body of a creating request, and its idempotency key, if any."""

    name: bytes | None
    body: bytes

    def part(self, number: int) -> CreationRequest:
        """Return the request for one of several items of the body, by index."""
        name = None if self.name is None else self.name + str(number).encode()
        return CreationRequest(name, self.body)

    def new_tokens(self, match: str | None = None) -> MatchTokens:
        """Return the id and the tokens of a new match, whose id may be given."""
        if self.name is None:
            return credentials.draw(match)
        return credentials.derive(self.name, self.body, match)

    def find(self, book: TheBook, match: str | None = None) -> CreatedMatch | None:
        """Return the match created before.

        Raises `Problem` 409 if a different request created it.
        """
        if self.name is None:
            return None
        try:
            return credentials.find_created(book, self.name, self.body, match)
        except Usage as error:
            wrong = f"this Idempotency-Key is used up: {error}"
            raise Problem(409, wrong, REUSED) from None

    def create(self, make: Making) -> CreatedMatch:
        """Create a match now. Raises errors of `make`."""
        new = self.new_tokens()
        return CreatedMatch(make(new), new)


def creation_request(request: AnyRequest, body: bytes) -> CreationRequest:
    """Return the creating request. Raises `Problem` 400 for an invalid `Idempotency-Key`."""
    key = secret_key(request)
    path = request.scope["path"]  # without the prefix
    name = f"{path}\0{key}\0".encode()
    return CreationRequest(None if key is None else hashlib.sha256(name).digest(), body)


async def create_match(
    request: AnyRequest, book: TheBook, limits: TheLimits, body: Struct, make: Making
) -> Response[bytes]:
    """Create the requested match once, and answer it with its tokens.

    Raises errors of `make`, `Problem` 409 if the `Idempotency-Key` belongs to a different request,
    and 429 if the limit of new matches is reached.
    """
    this = creation_request(request, msgspec.json.encode(body))

    def find() -> responses.Opened | None:
        created = this.find(book)
        return None if created is None else _opened(book, created)

    async def create() -> responses.Opened:
        with limits.opening(request):
            return await asyncio.to_thread(lambda: _opened(book, this.create(make)))

    opened = await once(this.name, lambda: asyncio.to_thread(find), create)
    headers = {"Location": f"{prefix()}/matches/{opened.match}", "Cache-Control": "no-store"}
    return answer(opened, 201, headers)


def tokens(made: MatchTokens, recorded: MatchRecord) -> responses.Tokens:
    """Return the tokens of a new match: the host's and each seat's."""
    return responses.Tokens(
        made.token(),
        {str(seat): made.token(capability_tokens.SEAT, seat) for seat in seats(recorded)},
    )


def _opened(book: TheBook, made: CreatedMatch) -> responses.Opened:
    """Return a new match as its host sees it, with its tokens."""
    host = Visit(made.recorded, Caller(capability_tokens.HOST))
    standing: dict[str, Any] = msgspec.structs.asdict(
        about(book, host, made.recorded, made.recorded.ply())
    )
    return responses.Opened(**standing, tokens=tokens(made.founding, made.recorded))
