"""Recorded matches to write as files: long ones of each game, and one with secrets."""

from __future__ import annotations

import functools
from typing import Any

from domain.games import BUILT_IN, built_in
from domain.match import Match
from plybook.testing.subjects import random_match
from replay.book import Book
from replay.formats.html.player_page import write_page
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.store import temporary_store
from replay.tags.names import SCOREKEEPER

LONG = 200
"""The number of events of a long match. Poptrix and Cube Pyramid end earlier."""

SEEDS: dict[str, tuple[int, dict[str, Any]]] = {
    "poptrix": (11, {}),
    "pyramid-ball": (1, {"length": "advanced"}),
    "cube-pyramid": (56, {}),
}
"""Seeds and options of the longest of some random matches."""

GAMES = tuple(BUILT_IN)


@functools.cache
def long_match(slug: str) -> Match:
    """Return a random match of a game with `LONG` events, or with all that it has."""
    game = built_in(slug)
    seed, options = SEEDS.get(slug, (0, {}))
    return random_match(game, seed, options=game.options(**options), limit=LONG)


def record(book: Book, match: Match, plies: int | None = None, **facts: str) -> MatchRecord:
    """Store the line of a match, or its first plies."""
    return book.create(
        NewMatch(
            match.game,
            options=match.game.set_options(match.options),
            seats=match.seats,
            metadata=facts,
            events=[(ply.event, SCOREKEEPER) for ply in match.line[:plies]],
        )
    )


@functools.cache
def long_page(slug: str) -> str:
    book = Book(temporary_store())
    recorded = record(book, long_match(slug))
    page = write_page(book, recorded, len(recorded.match.line))
    book.store.close()
    return page
