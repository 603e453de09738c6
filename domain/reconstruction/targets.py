"""Positions on the table that a line should reach.

Positions are compared as texts, field by field, ignoring the turn number. The seat in turn is
compared only if the person wrote it. `?` stands for an unknown field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from domain.events import State
from domain.game import Game
from domain.position import Position
from domain.position_text import PositionError

UNKNOWN: Final = "?"
Fields = tuple[str, ...]


class TargetError(ValueError):
    """A text is neither a position of the game nor a part of a position."""


class Target(Struct, frozen=True):
    """A position as a person wrote it; `wanted` has its fields for each possible seat in turn."""

    text: str
    wanted: frozenset[Fields]

    def matches(self, state: State) -> bool:
        """Return whether a state has this position."""
        return self.distance(state) == 0

    def distance(self, state: State) -> int:
        """Count the fields of a state's position that differ, at least."""
        fields = state.game.write_position(state.position).split(" ")
        return min(
            sum(part not in (UNKNOWN, field) for part, field in zip(one, fields, strict=False))
            + abs(len(one) - len(fields))
            for one in self.wanted
        )


def read_target(game: Game[Any], record: Position, text: str) -> Target:
    """Read a position that is compared with those of a match, of which `record` is one.

    Raises `TargetError` for an invalid text; a text with unknown fields is not checked.
    """
    try:
        return Target(text, _wanted(game, record, text))
    except PositionError as error:
        raise TargetError(f"this is not a position of {game.name}, {error}") from None


def _wanted(game: Game[Any], record: Position, text: str) -> frozenset[Fields]:
    example = game.write_position(record)
    if game.text is not None and game.text.key is not None:
        # A text in a format of its own has no unknown fields.
        whole = game.write_position(game.read_position(record, text))
        return frozenset({tuple(whole.split(" "))})
    count, fields = example.count(" ") + 1, text.split()
    if not count - 2 <= len(fields) <= count:
        raise TargetError(
            f"a position of {game.name} has {count} fields, like {example}; the last two,"
            f" seat and turn, may be left out, and {UNKNOWN} stands for an unknown field"
        )
    *board, seat, turn = (*fields, UNKNOWN, UNKNOWN)[:count]
    if UNKNOWN in board:
        return frozenset({(*board, seat, UNKNOWN)})
    targets, errors = set[Fields](), list[PositionError]()
    for completed in _completions(board, seat, turn, record):
        try:
            canonical = game.write_position(game.read_position(record, completed)).split(" ")
        except PositionError as error:
            errors.append(error)
        else:
            targets.add((*canonical[:-2], seat if seat == UNKNOWN else canonical[-2], UNKNOWN))
    if not targets:
        raise errors[0]
    return frozenset(targets)


def _completions(board: list[str], seat: str, turn: str, record: Position) -> Iterator[str]:
    """Complete a text with each possible seat and turn number."""
    seats = list(map(str, record.playing)) if seat == UNKNOWN else [seat]
    turns = list(map(str, range(record.turn, record.turn + 9))) if turn == UNKNOWN else [turn]
    return (" ".join((*board, name, number)) for name in seats for number in turns)
