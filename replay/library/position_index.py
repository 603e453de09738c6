"""Keep the index of lines and positions up to date, for queries over all matches.

The index is derived data. A match is indexed again when its log has grown; entering an event never
updates the index.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, Final

import msgspec

from domain.canonical import Canonical, canonical
from domain.events import Moved
from domain.game import Game, Options
from domain.position import Position
from domain.position_text import PositionError
from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.match_record import MatchRecord
from replay.store.protocol import IndexedLine, IndexedMatch, IndexedStep

KEY: Final = 16
"""Bytes of a key: enough that no two positions ever share one."""


def catch_up(book: Book) -> None:
    """Index all matches whose logs have grown. Unreadable matches are omitted."""
    for write in list(index_matches(book)):
        with contextlib.suppress(UnknownMatch):  # it was purged meanwhile
            write.result()


def index_matches(book: Book) -> Iterator[Future[None]]:
    """Index match by match, and yield the future of each write."""
    for stream in book.store.unindexed_matches():
        try:
            recorded = book.read(stream)
        except (Damaged, Usage):
            continue
        known = index_of(recorded)
        yield book.store.index_match(stream.id, known.head, known.line, known.steps)


def rebuild(book: Book) -> None:
    """Drop the index and build it again."""
    book.store.forget_index().result()
    catch_up(book)


def index_of(recorded: MatchRecord) -> IndexedMatch:
    """Return the index entry of a match: its line and its moves."""
    return IndexedMatch(recorded.match.version, line_of(recorded), list(_steps(recorded)))


def line_of(recorded: MatchRecord) -> IndexedLine:
    """Return the summary of a match's line."""
    line, outcome = recorded.match.line, recorded.state.outcome
    return IndexedLine(
        recorded.header.rules,
        recorded.header.kind,
        len(line),
        recorded.match.at(len(line) - 1).position.turn if line else 0,
        outcome.result if outcome else "*",
        outcome.clause if outcome else "",
    )


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


def _steps(recorded: MatchRecord) -> Iterator[IndexedStep]:
    """Yield the moves of a line, each with the last position without sealed moves."""
    match = recorded.match
    state, at = match.start, find_canonical(match.game, match.start.position)
    for ply in match.line:
        if not state.position.sealed:
            at = find_canonical(match.game, state.position)
        state = ply.state
        if at is None or not isinstance(ply.event, Moved) or ply.version in recorded.secrets:
            continue
        key = key_of(match.game, match.options, match.seats, at)
        token = at.token(match.game, ply.event.move)
        yield IndexedStep(ply.version, key, ply.event.seat, token)
