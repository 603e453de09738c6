"""Challenges: an account offers a match, to another or to all; accepting it opens the match.

A match that comes from a challenge has no host: its players agree on take-backs and draws.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.game import Game, OptionError
from replay import registry
from replay.access import accounts
from replay.access.capability_tokens import SEAT
from replay.access.credentials import derived_id
from replay.book import Book
from replay.errors import Conflict, InvalidOption, UnknownName, Usage
from replay.fields import DiceSource
from replay.record.clock import Clock
from replay.record.match_creation import MatchCredentials, NewMatch, new_match_id
from replay.record.match_record import MatchRecord
from replay.referee.opening import open_match
from replay.store.types import Account, Challenge

PLAYERS: Final = 2
LIFETIME: Final = 24 * 60 * 60 * 1000
"""Milliseconds after which a challenge expires, unless it says otherwise."""
MAX_LIFETIME: Final = 30 * LIFETIME


class Offer(Struct, frozen=True):
    """The match that is offered: a game with its options, a clock, and the seat of the challenger.

    Without a `seat` the players are seated at random.
    """

    game: str
    options: dict[str, str] = {}
    clock: Clock | None = None
    seat: int | None = None


OFFER: Final = msgspec.json.Decoder(Offer)


def challenge(
    book: Book, account: Account, opponent: str | None, offer: Offer, expires: int | None = None
) -> Challenge:
    """Store the offer of an account to another, or to all, until a time in milliseconds since 1970.

    Raises `Usage` for an offer that no match can be opened with and for a time in the past or too
    far away, `UnknownName`, and `Conflict` for a challenge to oneself or too many challenges.
    """
    game = _check(offer)
    if opponent is not None and accounts.find(book, opponent) == account:
        raise Conflict("an account cannot challenge itself; name another, or none to challenge all")
    now = book.now()
    expires = now + LIFETIME if expires is None else expires
    if not now < expires <= now + MAX_LIFETIME:
        raise Usage("a challenge must expire within the next 30 days")
    offered = msgspec.json.encode(msgspec.structs.replace(offer, game=game.slug))
    new = Challenge(new_match_id(), account.name, opponent, offered, now, expires)
    book.store.add_challenge(new, now).result()
    return new


def find(book: Book, account: Account, challenge: str) -> Challenge:
    """Return an open challenge that an account may see. Raises `UnknownName` for any other."""
    found = book.store.challenge(challenge)
    hidden = found and found.opponent is not None
    if (
        found is None
        or found.expires <= book.now()
        or (hidden and account.name not in (found.account, found.opponent))
    ):
        raise UnknownName(f"{challenge!r} is not an open challenge; use the id of an open one")
    return found


def accept(book: Book, account: Account, challenge: str) -> tuple[MatchRecord, int]:
    """Open the match of a challenge, and return it with the seat of the account that accepts.

    If several accept one, the first plays. Raises `UnknownName` for a challenge that is not open,
    and `Conflict` for the account's own.
    """
    found = find(book, account, challenge)
    if found.account == account.name:
        raise Conflict("only another account can accept your challenge")
    offer, challenger = OFFER.decode(found.offer), accounts.find(book, found.account)
    seat = offer.seat or 1 + secrets.randbelow(PLAYERS)
    other = PLAYERS + 1 - seat
    keys = ((challenger.digest, SEAT, seat), (account.digest, SEAT, other))
    # The id follows from the challenge, so that only one match can come from it.
    match = derived_id(b"challenge " + found.id.encode())
    game = registry.find(offer.game)
    try:
        if book.find_existing(match) is not None:
            raise Conflict("another account has accepted this challenge")
        record = open_match(
            book,
            game,
            players={seat: challenger.name, other: account.name},
            seats=PLAYERS,
            options=offer.options,
            dice=_dice(game),
            clock=offer.clock,
            credentials=MatchCredentials(match, keys),
        )
    finally:
        if book.find_existing(match) is not None:
            book.store.drop_challenge(found.id).result()
    return record, other


def withdraw(book: Book, account: Account, challenge: str) -> Challenge:
    """Delete a challenge of an account, or decline one to it.

    Raises `UnknownName` unless it is open, and `Conflict` if another account offers it to all.
    """
    found = find(book, account, challenge)
    if account.name not in (found.account, found.opponent):
        raise Conflict(f"only {found.account} can withdraw a challenge to all")
    book.store.drop_challenge(found.id).result()
    return found


def _check(offer: Offer) -> Game[Any]:
    """Return the game of an offer. Raises `Usage` unless a match of two can be opened with it."""
    game = registry.find(offer.game)
    if not 0 <= (offer.seat or 1) - 1 < PLAYERS:
        raise Usage(f"a challenge is for seats 1 and 2, not {offer.seat}; use one of these")
    try:
        chosen = game.set_options(game.read_options(offer.options))
    except OptionError as error:
        raise InvalidOption(str(error), error.option) from None
    NewMatch(game, chosen, PLAYERS, dice=_dice(game), clock=offer.clock).open()
    return game


def _dice(game: Game[Any]) -> DiceSource:
    """Return who rolls: the service, because the players have no table in common."""
    return "service" if any(move.chance for move in game.moves) else "table"
