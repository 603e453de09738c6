"""A challenge in answers and in the stream of an account."""

from __future__ import annotations

from msgspec import Struct

from replay.record.clock import Clock
from replay.referee.challenges import OFFER
from replay.store.types import Challenge
from service.models import responses


class OpenChallenge(Struct, frozen=True):
    """An open challenge of an account, to another or to all.

    `seat` is that of the challenger; without one the players are seated at random.
    """

    challenge: str
    account: str
    opponent: str | None
    game: str
    options: dict[str, str]
    clock: Clock | None
    seat: responses.Seat | None
    created: int
    expires: int


def describe_challenge(found: Challenge) -> OpenChallenge:
    """Return a stored challenge with what it offers."""
    offer = OFFER.decode(found.offer)
    return OpenChallenge(
        found.id,
        found.account,
        found.opponent,
        offer.game,
        offer.options,
        offer.clock,
        offer.seat,
        found.created,
        found.expires,
    )
