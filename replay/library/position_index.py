"""The lines of all matches brought up to date, for looking across them.

What is derived is kept in the store, and made anew where a log has grown; nothing of it happens
when an event is entered.
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
"""Bytes of a key: enough that no two positions of all the matches in the world share one."""


def catch_up(book: Book) -> None:
    """Bring what is known of the lines up to date. Matches that cannot be read are left out."""
    for write in list(index_matches(book)):
        with contextlib.suppress(UnknownMatch):  # it was purged meanwhile
            write.result()


def index_matches(book: Book) -> Iterator[Future[None]]:
    """Bring it up to date match by match, and give each write that was begun."""
    for stream in book.store.unindexed_matches():
        try:
            recorded = book.read(stream)
        except (Damaged, Usage):
            continue
        known = index_of(recorded)
        yield book.store.index_match(stream.id, known.head, known.line, known.steps)


def rebuild(book: Book) -> None:
    """Forget what was derived, and derive it anew."""
    book.store.forget_index().result()
    catch_up(book)


def index_of(recorded: MatchRecord) -> IndexedMatch:
    """Return the line of a match and its moves as they stand."""
    return IndexedMatch(recorded.match.version, line_of(recorded), list(_steps(recorded)))


def line_of(recorded: MatchRecord) -> IndexedLine:
    """Return the line of a match in short."""
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
    """Return what a position shares with its images; `None` in a game without texts for them."""
    try:
        return canonical(game, position)
    except PositionError:
        return None


def _steps(recorded: MatchRecord) -> Iterator[IndexedStep]:
    """Yield the moves of a line, each from the last position in which nothing was sealed."""
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
