"""The moves of a match by the position they were made in, for the index of positions."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec

from domain.canonical import Canonical, canonical
from domain.entry import tokens
from domain.events import Moved, Stood
from domain.game import Game, Options
from domain.match import Match
from domain.position import Position
from domain.position_text import PositionError
from replay.store.protocol import IndexedStep, WrittenMove

KEY: Final = 16
"""Bytes of a key: enough that no two positions ever share one."""


def key_of(game: Game[Any], options: Options, seats: int, found: Canonical) -> bytes:
    """Return the key of a position in a game with these options and seats."""
    named = (game.ruleset, game.set_options(options), seats, found.text)
    return hashlib.sha256(msgspec.json.encode(named)).digest()[:KEY]


def find_canonical(game: Game[Any], position: Position) -> Canonical | None:
    """Return the canonical form of a position; `None` for a game without position texts."""
    try:
        return canonical(game, position)
    except PositionError:
        return None


def steps_of(match: Match, secrets: Collection[int], after: int = 0) -> Iterator[IndexedStep]:
    """Yield the moves of a line after a ply, each with the last position without sealed moves.

    `secrets` are the versions of the moves that only their seat may see; these are omitted. Nothing
    may be sealed at the ply `after`.
    """
    game, state, at = match.game, match.at(after), None
    for ply in match.line[after:]:
        if not state.position.sealed:
            at = find_canonical(game, state.position)
        state = ply.state
        if at is None or not isinstance(ply.event, Moved) or ply.version in secrets:
            continue
        key = key_of(game, match.options, match.seats, at)
        yield IndexedStep(ply.version, key, ply.event.seat, at.token(game, ply.event.move))


def written_moves(match: Match, secrets: Collection[int], after: int = 0) -> Iterator[WrittenMove]:
    """Yield the moves of a line after a ply as people write them, without the token of a secret."""
    state = match.at(after)
    for number, ply in enumerate(match.line[after:], after + 1):
        event, turn, state = ply.event, state.position.turn, ply.state
        if isinstance(event, Stood):
            yield WrittenMove(number, ply.version, turn, event.seat, event.token, event.clause)
        elif isinstance(event, Moved):
            token = None if ply.version in secrets else tokens.write(match.game, event)
            yield WrittenMove(number, ply.version, turn, event.seat, token)
