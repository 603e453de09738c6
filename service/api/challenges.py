"""Challenges: an account offers a match to another account or to all, who accept or decline."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, Router, delete, get, post
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from replay.referee import challenges
from replay.referee.challenges import Offer
from replay.store.types import Challenge
from service.api.presenters import answer
from service.http.access import AnyRequest, TheBook, account_of
from service.http.book_reads import in_thread, read_book
from service.http.caching import NO_STORE
from service.http.limits import TheLimits
from service.http.problems import blaming
from service.models import responses
from service.models.requests import Challenging, read
from service.models.responses import OpenChallenge, describe_challenge
from service.openapi.operations import documented

CHALLENGING: Final = msgspec.json.Decoder(Challenging)

Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="How many at most.")]


class ChallengeList(Struct, frozen=True):
    """Open challenges, the newest first."""

    challenges: tuple[OpenChallenge, ...]


class AcceptedChallenge(Struct, frozen=True):
    """The match that was opened, and the seat of the account that accepted."""

    match: str
    seat: responses.Seat


@post(
    "/challenges",
    **documented({201: OpenChallenge}, body=Challenging, auth="account", problems=(404, 409)),
)
async def challenge(request: AnyRequest, book: TheBook) -> Response[bytes]:
    """Offer a two-player match to an account, or to all, for a day unless `expires` says otherwise.

    404 for an unknown account, 409 for the account's own name, and if the account has too many
    challenges.
    """
    bearer = await read_book(book, partial(account_of, request, book, "challenge"))
    body = await read(request, CHALLENGING)
    options = {name: str(value) for name, value in body.options.items()}
    offer = Offer(body.game, options, body.clock, body.seat)

    def store() -> Challenge:
        with blaming("$"):
            return challenges.challenge(book, bearer.account, body.to, offer, body.expires)

    return answer(describe_challenge(await asyncio.to_thread(store)), 201, NO_STORE)


@get("/challenges", **documented({200: ChallengeList}, auth="account"))
@in_thread
def list_challenges(request: AnyRequest, book: TheBook, limit: Limit = 100) -> Response[bytes]:
    """List the open challenges to the account or to all, and its own."""
    name = account_of(request, book).account.name
    found = book.store.challenges_for(name, book.now(), limit)
    return answer(ChallengeList(tuple(map(describe_challenge, found))), headers=NO_STORE)


@post(
    "/challenges/{challenge:str}/accept",
    **documented({200: AcceptedChallenge}, auth="account", problems=(404, 409)),
)
async def accept_challenge(
    request: AnyRequest, book: TheBook, limits: TheLimits, challenge: FromPath[str]
) -> Response[bytes]:
    """Open the match of a challenge, with both accounts seated. 409 if it is already accepted."""
    bearer = await read_book(book, partial(account_of, request, book, "accept a challenge"))
    with limits.opening(request):
        record, seat = await asyncio.to_thread(challenges.accept, book, bearer.account, challenge)
    return answer(AcceptedChallenge(record.id, seat), headers=NO_STORE)


@delete(
    "/challenges/{challenge:str}",
    **documented({200: OpenChallenge}, auth="account", problems=(404, 409)),
)
@in_thread
def withdraw_challenge(
    request: AnyRequest, book: TheBook, challenge: FromPath[str]
) -> Response[bytes]:
    """Decline a challenge to the account, or withdraw one that it made."""
    bearer = account_of(request, book, "decline a challenge")
    gone = challenges.withdraw(book, bearer.account, challenge)
    return answer(describe_challenge(gone), headers=NO_STORE)


ROUTER: Final = Router(
    "/",
    route_handlers=[challenge, list_challenges, accept_challenge, withdraw_challenge],
)
