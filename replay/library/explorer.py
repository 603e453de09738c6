"""The moves played in a position, over all matches of a book, with their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.canonical import Canonical
from domain.entry.tokens import write
from domain.events import UNJUDGED, Moved, State
from domain.game import Game
from domain.match import Match
from domain.position import Move
from replay.book import Book
from replay.errors import Usage
from replay.record.match_summary import find_canonical, key_of
from replay.store.protocol import Fact, MoveCount, NotEqual


class SeenMove(Struct, frozen=True):
    """A move that was played: in how many lines, and the results of those matches.

    `won` counts wins by seat; `unfinished` includes abandoned matches. `variations` counts lines of
    analysis, which have no result.
    """

    token: str
    seat: int
    seen: int
    won: dict[int, int]
    drawn: int
    unfinished: int
    variations: int


class ExploredPosition(Struct, frozen=True):
    """A position as text, and the moves played in it, the most frequent first."""

    text: str
    moves: tuple[SeenMove, ...]


def explore(book: Book, match: Match, without: Fact | NotEqual | None = None) -> ExploredPosition:
    """Return the moves played in the position of a match, which need not be in the book.

    Matches that are not indexed, those with the fact `without`, and their variations, do not count.

    Transpositions count as one position, and so do images under the symmetries of the rules. While
    a move is sealed, the last position without sealed moves counts. Raises `Usage` for a game whose
    positions have no text.
    """
    if match.state.quiet:
        raise Usage(UNJUDGED.message)
    state = _last_unsealed(match)
    found = find_canonical(match.game, state.position)
    if found is None:
        raise Usage(f"the positions of {match.game.name} have no text, and cannot be compared")
    seen = book.store.move_counts(key_of(match.game, match.options, match.seats, found), without)
    moves: dict[tuple[int, str], list[MoveCount]] = {}
    for each in seen:
        moves.setdefault((each.seat, each.token), []).append(each)
    explored = [
        _seen_move(_token(match.game, found, seat, token), seat, match.seats, counts)
        for (seat, token), counts in moves.items()
    ]
    explored.sort(key=lambda one: (-one.seen, one.token))
    return ExploredPosition(match.game.write_position(state.position), tuple(explored))


def _last_unsealed(match: Match) -> State:
    """Return the last state of a line in which nothing was sealed."""
    points = (ply.state for ply in reversed(match.line))
    return next((state for state in points if not state.position.sealed), match.start)


def _seen_move(token: str, seat: int, seats: int, counts: Sequence[MoveCount]) -> SeenMove:
    def lines(kind: str, result: str | None = None) -> int:
        fitting = (each for each in counts if each.kind == kind)
        return sum(each.lines for each in fitting if result in (None, each.result))

    return SeenMove(
        token,
        seat,
        sum(each.lines for each in counts),
        {number: lines("match", f"+{number}") for number in range(1, seats + 1)},
        lines("match", "="),
        lines("match", "*"),
        lines("variation"),
    )


def _token(game: Game[Any], found: Canonical, seat: int, token: str) -> str:
    """Map a token of the canonical position back to the position as it was found."""
    move: Move[Any] | None = game.parse(token)
    if move is None:
        return token
    return min(write(game, Moved(seat, image.undo(move))) for image in found.ways)
