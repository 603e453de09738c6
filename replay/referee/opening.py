"""Open a match to be recorded."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from types import MappingProxyType
from typing import Any

from domain.game import Game, OptionError
from replay.access import visibility
from replay.access.visibility import Visibility
from replay.book import Book
from replay.errors import InvalidField, Usage
from replay.fields import CommentsShown, DiceSource, LegalMoves
from replay.record.clock import Clock
from replay.record.match_creation import MatchCredentials, NewMatch
from replay.record.match_record import MatchRecord
from replay.referee import evenings
from replay.store.types import Evening
from replay.tags import match_tags, names


def open_match(
    book: Book,
    game: Game[Any],
    *,
    players: Mapping[int, str] | None = None,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    dice: DiceSource = "table",
    clock: Clock | None = None,
    unjudged: bool = False,
    legal: LegalMoves = "listed",
    tries: int | None = None,
    comments: CommentsShown = "now",
    shown: Visibility = visibility.UNLISTED,
    tags: Mapping[str, str] = MappingProxyType({}),
    more: Mapping[str, str] = MappingProxyType({}),
    evening: Evening | None = None,
    credentials: MatchCredentials | None = None,
) -> MatchRecord:
    """Open a match and return it at version 0.

    `players` maps seats to names. Without `seats`, there are as many seats as the highest seat with
    a name, and at least as many as the game needs. If `dice` is "service", the service rolls and
    commits to a seed. `clock` sets time limits, `unjudged` does not judge the moves. `legal` moves
    may be withheld, and after so many refused `tries` in a turn a seat forfeits. The scorekeeper's
    `comments` may be held until the `end`. `shown` is the visibility, `credentials` the id and the
    tokens, `tags` are set last, and `more` is other metadata. A match of an `evening` gets the next
    table; the credentials need the key of its link. Raises `Usage` for seats, options and tags that
    the game does not have.
    """
    players = players or {}
    count = seat_count(game, seats, players)
    try:
        game.check_seats(count)
        chosen = game.set_options(game.read_options(dict(options or {})))
    except OptionError as error:
        raise InvalidField(str(error), error.field) from None
    for seat, name in players.items():
        check_player(game, seat, name, count)
    for tag, value in tags.items():
        match_tags.check_tag(count, tag, value)
    facts = {"Date": today(book)}
    # A text record has as many players as its seat tags name.
    named = range(1, count + 1) if players or count > game.seats[0] else ()
    facts |= {f"Seat{seat}": players.get(seat, "?") for seat in named}
    if shown != visibility.UNLISTED:
        facts[visibility.FACT] = shown
    with evenings.PLACING if evening else nullcontext():
        if evening is not None:
            tags = evenings.place(book, evening, players, tags)
            more = {**more, evenings.OF: evening.id}
        return book.create(
            NewMatch(
                game,
                chosen,
                count,
                dice=dice,
                clock=clock,
                unjudged=unjudged,
                legal=legal,
                tries=tries,
                comments=comments,
                metadata=match_tags.with_tags(facts, tags) | dict(more),
                credentials=credentials,
            )
        )


def seat_count(game: Game[Any], seats: int | None, players: Mapping[int, str]) -> int:
    """Return how many seats a match is opened for."""
    return max([game.seats[0], *players]) if seats is None else seats


def today(book: Book) -> str:
    """Return today's date in the form of a text record's tag."""
    date = datetime.fromtimestamp(book.now() / 1000).astimezone()
    return f"{date:%Y.%m.%d}"


def check_player(game: Game[Any], seat: int, name: str, count: int) -> None:
    """Raise `Usage` for a seat that the match does not have, or an invalid name."""
    if not 1 <= seat <= count:
        wrong = f"{seat} is not a seat of this match; {game.name} is opened for {count} seats"
        raise InvalidField(wrong, f"players.{seat}")
    try:
        names.check_player(f"the name of seat {seat}", name)
    except Usage as error:
        raise InvalidField(str(error), f"players.{seat}") from None
