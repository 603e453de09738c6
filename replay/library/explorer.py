"""What was played in a position, over all matches of a book, and how those matches ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.canonical import Canonical
from domain.entry.tokens import write
from domain.events import Moved, State
from domain.game import Game
from domain.match import Match
from domain.position import Move
from replay.book import Book
from replay.errors import Usage
from replay.library.position_index import catch_up, find_canonical, key_of
from replay.store.protocol import Fact, MoveCount, Unlike


class SeenMove(Struct, frozen=True):
    """A move seen: in how many lines, and how the matches that were played ended.

    `won` counts by seat, `unfinished` also what was abandoned. `variations` are lines of analysis:
    they end nowhere.
    """

    token: str
    seat: int
    seen: int
    won: dict[int, int]
    drawn: int
    unfinished: int
    variations: int


class ExploredPosition(Struct, frozen=True):
    """A position as text, and the moves seen in it, the most frequent first."""

    text: str
    moves: tuple[SeenMove, ...]


def explore(book: Book, match: Match, without: Fact | Unlike | None = None) -> ExploredPosition:
    """Return what was played in the position of a match, which need not be of the book.

    Matches that have the fact `without` do not count, nor do variations of them.

    Equal positions count as one however they came about, and so do images under the symmetries
    of the rules. While something is sealed the position before counts. Raises `Usage` for a game
    that has no text for its positions.
    """
    state = _open(match)
    found = find_canonical(match.game, state.position)
    if found is None:
        raise Usage(f"the positions of {match.game.name} have no text, and cannot be compared")
    catch_up(book)
    seen = book.store.move_counts(key_of(match.game, match.options, match.seats, found), without)
    moves: dict[tuple[int, str], list[MoveCount]] = {}
    for each in seen:
        moves.setdefault((each.seat, each.token), []).append(each)
    explored = [
        _explored(_token(match.game, found, seat, token), seat, match.seats, counts)
        for (seat, token), counts in moves.items()
    ]
    explored.sort(key=lambda one: (-one.seen, one.token))
    return ExploredPosition(match.game.write_position(state.position), tuple(explored))


def _open(match: Match) -> State:
    """Return the last point of a line at which nothing was sealed."""
    points = (ply.state for ply in reversed(match.line))
    return next((state for state in points if not state.position.sealed), match.start)


def _explored(token: str, seat: int, seats: int, counts: Sequence[MoveCount]) -> SeenMove:
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
    """Return a token as it is here: stored was that of the image that all images share."""
    move: Move[Any] | None = game.parse(token)
    if move is None:
        return token
    return min(write(game, Moved(seat, way.undo(move))) for way in found.ways)
