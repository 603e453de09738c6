"""Create a match or a fork once: a retry gets the original answer, with the same tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response
from msgspec import Struct, structs

from domain.events import STORED
from replay.access import capability_tokens, credentials
from replay.access.credentials import CreatedMatch, MatchTokens
from replay.errors import Usage
from replay.record.match_creation import MatchCredentials
from replay.record.match_record import MatchRecord
from replay.referee.scoresheet_pairs import SEATS
from service.api.presenters import about, answer
from service.app_state import AppState
from service.http.access import AnyRequest, Caller, MatchAccess, TheBook
from service.http.addresses import join_address, prefix
from service.http.idempotency import REUSED, once, request_name
from service.http.problems import Problem
from service.models import responses

HEADERS: Final = ("Idempotency-Key",)
"""The headers of a request that creates something."""

LATER: Final[dict[str, Any]] = {
    **{"tags": {}, "invite": False, "legal": "listed", "tries": None},
    **{"evening": None, "comments": "now", "scoresheets": "one"},
}
"""Fields that requests of an earlier version lack: at their defaults the request is the same."""

Making = Callable[[MatchCredentials], MatchRecord]
"""Creates a match with the given credentials. Raises `Refused` and `Usage`."""


class CreationRequest(NamedTuple):
    """The body of a creating request, and its idempotency key if it has one.

    `key` is the digest of the caller's own key, and `viewers` says whether a viewer is invited.
    """

    name: bytes | None
    body: bytes
    key: bytes | None = None
    viewers: bool = False

    def part(self, number: int) -> CreationRequest:
        """Return the request for a single item of a body with several items, by its index."""
        name = None if self.name is None else self.name + str(number).encode()
        return self._replace(name=name)

    @property
    def asked(self) -> bytes:
        """The part that a repetition must repeat exactly."""
        return self.body + (self.key or b"")

    def new_tokens(self, match: str | None = None) -> MatchTokens:
        """Return the id and the tokens of a new match, whose id may be given."""
        if self.name is None:
            new = credentials.draw(match)
        else:
            new = credentials.derive(self.name, self.asked, match)
        return structs.replace(new, key=self.key, viewers=self.viewers)

    def find(self, book: TheBook, match: str | None = None) -> CreatedMatch | None:
        """Return the match that an earlier request with the same key created.

        Raises `Problem` 409 if a different request created it.
        """
        if self.name is None:
            return None
        with refusing_reuse():
            return credentials.find_created(book, self.name, self.asked, match)

    def create(self, seats: int, make: Making) -> CreatedMatch:
        """Create a match with this number of seats now. Raises errors of `make`."""
        new = self.new_tokens()
        return CreatedMatch(make(new.credentials(seats)), new)


@contextmanager
def refusing_reuse() -> Iterator[None]:
    """Refuse an `Idempotency-Key` that belongs to another request. Raises `Problem` 409."""
    try:
        yield
    except Usage as error:
        wrong = f"this Idempotency-Key is used up: {error}"
        raise Problem(409, wrong, REUSED) from None


def creation_request(request: AnyRequest, body: bytes) -> CreationRequest:
    """Return the creating request. Raises `Problem` 400 for an invalid `Idempotency-Key`."""
    return CreationRequest(request_name(request), body)


async def create_match(
    request: AnyRequest,
    live: AppState,
    this: CreationRequest,
    seats: int,
    make: Making,
    *,
    invite: bool,
    scene: bool,
) -> Response[bytes]:
    """Create the requested match with this number of `seats` once; the answer has its tokens.

    With `invite` the answer has invitation links. Raises errors of `make`, `Problem` 409 if the
    `Idempotency-Key` belongs to a different request, and 429 if the limit of new matches is
    reached.
    """
    links = join_address(request) if invite else None  # may fail, and a failure creates nothing

    def tell(made: CreatedMatch) -> responses.OpenedMatch:
        return _opened(live.book, made, links, scene)

    def find() -> responses.OpenedMatch | None:
        created = this.find(live.book)
        return None if created is None else tell(created)

    async def create() -> responses.OpenedMatch:
        with live.limits.opening(request):
            return await asyncio.to_thread(lambda: tell(this.create(seats, make)))

    opened = await once(this.name, lambda: asyncio.to_thread(find), create)
    headers = {"Location": f"{prefix()}/matches/{opened.match}", "Cache-Control": "no-store"}
    return answer(opened, 201, headers)


async def create_scoresheets(
    request: AnyRequest,
    live: AppState,
    this: CreationRequest,
    make: Callable[[int, str, MatchCredentials], MatchRecord],
    *,
    invite: bool,
) -> Response[bytes]:
    """Create the two scoresheets of a request once; the answer has the tokens of both.

    `make` opens the scoresheet of a seat beside the other with an id. Raises as `create_match`.
    """
    links, book = join_address(request) if invite else None, live.book
    parts = {seat: this.part(seat) for seat in SEATS}

    def find() -> responses.OpenedMatch | None:
        there = [part.find(book) for part in parts.values()]
        return tell([each for each in there if each]) if all(there) else None

    def tell(made: Sequence[CreatedMatch]) -> responses.OpenedMatch:
        own = [
            each._replace(tokens=structs.replace(each.tokens, seat=seat))
            for seat, each in zip(SEATS, made, strict=True)
        ]
        told = [_opened(book, each, links, False) for each in own]
        both = (
            responses.OpenedScoresheet(seat, each.match, each.tokens, each.invitations)
            for seat, each in zip(SEATS, told, strict=True)
        )
        return structs.replace(told[0], scoresheets=tuple(both))

    def make_both() -> responses.OpenedMatch:
        new = [structs.replace(part.new_tokens(), seat=seat) for seat, part in parts.items()]
        made = [
            part.find(book)
            or CreatedMatch(make(seat, new[-seat].id, own.credentials(len(SEATS))), own)
            for (seat, part), own in zip(parts.items(), new, strict=True)
        ]
        return tell(made)

    async def create() -> responses.OpenedMatch:
        with live.limits.opening(request, len(SEATS)):
            return await asyncio.to_thread(make_both)

    opened = await once(this.name, lambda: asyncio.to_thread(find), create)
    headers = {"Location": f"{prefix()}/matches/{opened.match}", "Cache-Control": "no-store"}
    return answer(opened, 201, headers)


def opening_body(body: Struct) -> bytes:
    """Return the body of a request for comparison with a repetition of it."""
    fields = structs.asdict(body)
    return msgspec.json.encode(
        {
            STORED.get(name, name): value
            for name, value in fields.items()
            if LATER.get(name, fields) != value
        }
    )


def invitation(
    links: str, match: str, role: str, seat: int | None, token: str
) -> responses.Invitation:
    """Return an invitation: a token, and its link below the address of all links."""
    name, link = capability_tokens.token_name(token), f"{links}/{match}/{token}"
    return responses.Invitation(name, role, seat, token, link)


def tokens(made: MatchTokens, record: MatchRecord) -> responses.Tokens:
    """Return the tokens of a new match: the host's and each seat's."""
    return responses.Tokens(
        made.token(),
        {
            str(seat): made.token(capability_tokens.SEAT, seat)
            for seat in made.seats(record.match.seats)
        },
    )


def _opened(
    book: TheBook, made: CreatedMatch, links: str | None, scene: bool
) -> responses.OpenedMatch:
    """Return a new match as its host sees it, with its tokens; invite if there are links."""
    host = MatchAccess(made.record, Caller(capability_tokens.HOST))
    standing: dict[str, Any] = structs.asdict(
        about(book, host, made.record, made.record.ply(), scene=scene)
    )
    invitations = () if links is None else tuple(_invitations(book, made, links))
    return responses.OpenedMatch(
        **standing, tokens=tokens(made.tokens, made.record), invitations=invitations
    )


def _invitations(book: TheBook, made: CreatedMatch, links: str) -> Iterator[responses.Invitation]:
    """Yield an invitation for each seat of a new match, and for viewers if they have a token."""
    record = made.record
    for seat in made.tokens.seats(record.match.seats):
        token = made.tokens.token(capability_tokens.SEAT, seat)
        yield invitation(links, record.id, capability_tokens.SEAT, seat, token)
    token = made.tokens.token(capability_tokens.VIEWER)
    if book.store.key(record.stream.id, capability_tokens.digest(token)) is not None:
        yield invitation(links, record.id, capability_tokens.VIEWER, None, token)
