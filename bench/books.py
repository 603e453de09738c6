"""Books and records of random matches, reproduced by their numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from domain.games import BUILT_IN, built_in
from domain.match import Match
from plybook import open_book, plain_record, write_record
from plybook.testing.subjects import random_match
from replay.book import Book
from replay.record.match_creation import NewMatch
from replay.store import Location

PLIES: Final = 150
"""The length at which a random match is given up; on average they have about 80 plies."""
DISTINCT: Final = 500
"""A grown book repeats so many matches."""
TOGETHER: Final = 64
"""Threads that create matches: the writer commits waiting ones as one group."""


def matches(count: int, plies: int = PLIES) -> Iterator[Match]:
    """Yield random matches of all games in turn."""
    for number, slug in zip(range(count), itertools.cycle(BUILT_IN)):
        yield random_match(built_in(slug), number, limit=plies)


def long_match(plies: int) -> Match:
    found = (random_match(built_in("power-play"), n, limit=plies) for n in itertools.count())
    return next(match for match in found if len(match.line) == plies)


def write_records(file: Path, count: int) -> int:
    """Write distinct matches as text records; return the number of their events."""
    events = 0
    with file.open("w") as text:
        for number, match in enumerate(matches(count)):
            text.write(write_record(plain_record(match, players(number))))
            events += len(match.line)
    return events


def grow(file: Location, count: int, plies: int = PLIES) -> list[str]:
    """Make a book of matches, and return their ids.

    The events are trusted, so no referee judges them again. They take the way of all appends: the
    writer chains their hashes, and SQLite's triggers guard them.
    """
    several = itertools.cycle(list(matches(min(count, DISTINCT), plies)))
    numbered = enumerate(itertools.islice(several, count))
    ids: list[str] = []
    with open_book(file) as book, ThreadPoolExecutor(TOGETHER) as pool:
        while group := list(itertools.islice(numbered, 1000)):
            ids += pool.map(lambda each: store(book, each[1], each[0]), group)
    return ids


def store(book: Book, match: Match, number: int = 0) -> str:
    """Store a match without judging it again, and return its id."""
    options = match.game.set_options(match.options)
    events = [(ply.event, "bench") for ply in match.line]
    made = book.create(
        NewMatch(
            match.game, options=options, seats=match.seats, metadata=players(number), events=events
        )
    )
    return made.id


def players(number: int) -> dict[str, str]:
    """Return the tags of a match: a date, and two of forty names."""
    date = f"20{number % 25:02}.{number % 12 + 1:02}.{number % 28 + 1:02}"
    return {"Date": date, "Seat1": f"Player {number % 40}", "Seat2": f"Player {number % 39}"}
