"""Adjust the position of a match to the one on the table; write positions as text."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from domain.events import UNJUDGED, Adjusted
from domain.game import Game
from domain.position import Position
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.referee.entering import SCOREKEEPER, judge, play

LONGEST_REASON: Final = 500
"""The longest reason of an adjustment, in characters."""


def adjust(
    book: Book, record: MatchRecord, position: str, reason: str, *, actor: str = SCOREKEEPER
) -> MatchRecord:
    """Set the position to the one on the table, whatever the rules say, even after the end.

    Raises as `adjustment` does, or `Stale`.
    """
    event = adjustment(book, record, position, reason)
    return play(book, record, [event], actor=actor)


def adjustment(book: Book, record: MatchRecord, position: str, reason: str) -> Adjusted:
    """Return the event that sets a position, with the position's canonical text.

    Raises `Usage` without a reason, and `Refused` while a move is sealed and for a text that is no
    position (its message names the column).
    """
    if not reason.strip() or not reason.isprintable() or len(reason) > LONGEST_REASON:
        raise Usage(
            f"say why the position is set, in one line of at most {LONGEST_REASON} characters"
        )
    event = Adjusted(position, reason.strip())
    judge(book, record, [event])
    game, before = record.game, record.state.position
    canonical = game.write_position(game.read_position(before, position))
    return replace(event, position=canonical)


def write_position_at(record: MatchRecord, ply: int) -> str:
    """Return the position after a ply as text.

    Raises `Usage` while a move is sealed, and for a game whose positions have no text.
    """
    state = record.match.at(ply)
    if state.quiet:
        raise Usage(UNJUDGED.message)
    position = state.position
    if position.sealed:
        raise Usage("something is sealed at this ply; a text of the position would tell it")
    return write_position(record.game, position)


def write_position(game: Game[Any], position: Position) -> str:
    """Return the text of a position. Raises `Usage` for a game without position texts."""
    if game.text is None:
        raise Usage("positions of this game have no text")
    return game.write_position(position)
