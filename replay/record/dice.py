"""Dice that the service rolls; once the seed is revealed, every reader can recompute them.

A match commits to a secret seed when it is opened. A roll follows from the seed, the match id, the
seat it falls to and its ordinal among the seat's rolls in the line. So a take-back neither changes
the next roll of a seat, nor gives it to another. In older matches (`dice/1`) the seat is no part.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from domain.entry import move_text
from domain.events import LineEvent, Moved, Ply, Stood, Unrecorded, awaited_words
from domain.game import Game
from domain.log_edits import Amended, SeedRevealed
from domain.match import LogEvent, Match
from domain.names import Player, Sentence
from domain.position import Move, Violation
from replay.record.match_record import Header
from replay.store.hash_chain import framed

HELD: Final = "seed"
"""The name of the private value that holds the seed of a match."""
SEED_BYTES: Final = 32
MAX_SIDES: Final = 2**32
ROLL: Final = "roll"
"""The text that asks for a roll."""

BY_HAND: Final = Violation("dice", "the service rolls the dice of this match; enter roll")
KEPT: Final = Violation(
    "dice", "a roll by the service cannot be amended; take it back, or adjust the position"
)
REVEALED: Final = Violation(
    "dice", "the match had ended and its seed is revealed, so its dice are closed; fork to play on"
)
NO_DASH: Final = Violation(
    "dice", "the service rolls the dice of this match, so every move must be recorded"
)
NOT_HERE: Final = Violation(
    "dice", "the seed of these dice is not in this book, so they cannot be rolled; fork to play on"
)
NOT_BY_HAND: Final = Violation("dice", "the seed is revealed by the service when the match ends")


class RollRequest(Struct, frozen=True):
    """A requested roll, by default for the seat in turn."""

    seat: int | None = None


def new_seed() -> bytes:
    """Draw a seed for the dice of a match."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed: SHA-256 over a framed label and the seed, in hex."""
    return hashlib.sha256(framed(b"plybook dice/1", seed)).hexdigest()


def die(seed: bytes, match: str, ordinal: int, seat: int | None = None) -> Callable[[int], int]:
    """Return the dice of one roll of a match: each call of `die(6)` gives the next number, 1 to 6.

    Each number is the first byte, or for more than 256 sides the first eight bytes, of an
    HMAC-SHA256 keyed with the seed over match id, seat (not in `dice/1`), ordinal of the roll (from
    1) and a counter (from 0; the numbers in 8 bytes), each framed. A number beyond the last whole
    multiple of the sides is skipped, so that every side is equally likely. A die has 1 to
    `MAX_SIDES` sides.
    """
    counter = itertools.count()
    numbered = [each.to_bytes(8, "big") for each in (seat, ordinal) if each is not None]

    def cast(sides: int) -> int:
        if not 1 <= sides <= MAX_SIDES:
            raise ValueError(f"a die must have 1 to {MAX_SIDES} sides, not {sides}")
        size = 1 if sides <= 256 else 8
        numbers = 256**size
        while True:
            parts = match.encode(), *numbered, next(counter).to_bytes(8, "big")
            number = int.from_bytes(hmac.digest(seed, framed(*parts), "sha256")[:size], "big")
            if number < numbers - numbers % sides:
                return number % sides + 1

    return cast


def is_rolled(event: LogEvent | None) -> bool:
    """Return whether dice decided an event."""
    return isinstance(event, Moved) and event.move.chance


def next_roll(seed: bytes, header: Header, line: Sequence[Ply], seat: int) -> Callable[[int], int]:
    """Return the dice of the next roll of a seat after a line."""
    rolls = [ply.event for ply in line if isinstance(ply.event, Moved) and ply.event.move.chance]
    if header.derivation == 1:
        return die(seed, header.id, 1 + len(rolls))
    return die(seed, header.id, 1 + sum(roll.seat == seat for roll in rolls), seat)


def asked(game: Game[Any], entry: object) -> RollRequest | None:
    """Return the roll that a move text or an entry requests, or `None`."""
    if not isinstance(entry, move_text.SplitText):
        return entry if isinstance(entry, RollRequest) else None
    if entry.body != ROLL or game.parse(ROLL) is not None:
        return None
    return RollRequest(entry.seat) if any(kind.chance for kind in game.moves) else None


def asking(game: Game[Any], text: str) -> str | None:
    """Return the move text that requests a roll, given one with the rolled values, or `None`."""
    seat, body = move_text.split(text)
    move = game.parse(body)
    if move is None or not move.chance:
        return None
    return f"{seat}:{ROLL}" if seat else ROLL


def roll(
    header: Header, match: Match, seat: int | None, seed: Callable[[], bytes | None]
) -> Moved | Violation:
    """Roll for a seat, or return why that is impossible. `seed` fetches the seed if there is one.

    In a match with dice at the table the request is refused.
    """
    example = next((kind.example for kind in match.game.moves if kind.chance), None)
    if example is None:
        return Violation("form", f"{match.game.name} is played without dice")
    if header.dice == "table":
        return Violation("form", f"the dice are rolled at the table: enter them, like {example}")
    seat = seat or match.state.in_turn
    kind = None if seat is None else awaited(match, seat)
    if seat is None or kind is None:
        over = match.state.outcome is not None
        return Violation("over" if over else "turn", _nothing(match, seat))
    if match.seed is not None:
        return REVEALED
    secret = seed()
    return NOT_HERE if secret is None else rolled(secret, header, match, seat, kind)


def awaited(match: Match, seat: int) -> type[Move[Any]] | None:
    """Return the kind of roll that a seat must make next, or `None`."""
    if match.state.outcome is not None:
        return None
    awaiting = match.state.position.awaiting()
    tags = {tag for one in awaiting if one.seat == seat for tag in one.moves}
    kinds = (kind for kind in match.game.moves if kind.chance)
    return next((kind for kind in kinds if kind.__struct_config__.tag in tags), None)


def rolled(seed: bytes, header: Header, match: Match, seat: int, kind: type[Move[Any]]) -> Moved:
    """Return the next roll of a seat, as the seed determines it."""
    return Moved(seat, kind.roll(match.state.position, next_roll(seed, header, match.line, seat)))


def _nothing(match: Match, seat: int | None) -> Sentence:
    whose = "" if seat is None else Sentence(" by {seat}", seat=Player(seat))
    return Sentence(
        "this is not the time for a roll{whose}: {awaited}",
        whose=whose,
        awaited=partial(awaited_words, match.state),
    )


def by_hand(header: Header, event: LogEvent) -> Violation | None:
    """Refuse values entered by hand if the service rolls, and any seed from a client."""
    if isinstance(event, SeedRevealed):
        return NOT_BY_HAND
    return BY_HAND if header.dice == "service" and is_rolled(event) else None


def check(header: Header, match: Match, event: LogEvent) -> Violation | None:
    """Refuse rolls after the seed is revealed, and amendments of rolls, if the service rolls.

    An amendment may not change the ordinal of a later roll, and an illegal roll cannot be accepted.
    """
    if header.dice == "table":
        return None
    said = event.event if isinstance(event, Amended) else event
    if isinstance(said, Unrecorded):
        return NO_DASH
    if isinstance(said, Stood) and asking(match.game, said.text):
        return BY_HAND
    if match.seed is not None and is_rolled(event):
        return REVEALED
    if not isinstance(event, Amended):
        return None
    if is_rolled(event.event):
        return KEPT
    removed: LineEvent | None = None
    if event.how != "inserted":
        removed = event.full_line(match)[event.ply - 1].event
    later = event.tail(match)[: None if event.more else event.stood]
    if is_rolled(removed) and any(is_rolled(ply.event) for ply in later):
        return Violation(
            "dice", "without this roll later ones would change; take the line back to it"
        )
    return None
