"""The demonstration matches that come with the games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from domain.game import Game
from replay import registry, rules_text
from replay.access import visibility
from replay.access.credentials import derived_id, draw
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.formats.ply.importer import imported
from replay.formats.ply.model import RecordFault
from replay.formats.ply.reader import read_records
from replay.record.match_record import MatchRecord

DEMO: Final = "Demo"
"""The tag that marks demonstration matches."""


def demo_matches(book: Book) -> Iterator[MatchRecord]:
    """Yield a public, commented match of each game, imported if the book lacks it.

    A match in the trash stays there.
    """
    there = {record.game.slug: record for record in book.matches() if _is_demo(book, record)}
    for slug, game in registry.games().items():
        record = there.get(slug) or _add(book, game)
        if record is not None:
            yield record


def _add(book: Book, game: Game[Any]) -> MatchRecord | None:
    """Import the demonstration match of a game, if any; another process may just have done so."""
    try:
        text = rules_text.demo(game)
    except Usage:  # a plug-in need not have a demonstration match
        return None
    record = next(iter(read_records(text)))
    if isinstance(record, RecordFault):
        raise Damaged(f"the demonstration match of {game.name}: {record.words()}")
    facts = {DEMO: game.ruleset, visibility.FACT: visibility.PUBLIC}
    match = derived_id(f"{DEMO} {game.slug}".encode())
    credentials = draw(match).credentials(record.match.seats)
    try:
        return imported(book, record, credentials, facts).record
    except Usage:  # the id is taken: the match is in the trash, or was added meanwhile
        there = book.find_existing(match)
        if there is None:
            raise
        return None if there.trashed else book.read(there)


def _is_demo(book: Book, record: MatchRecord) -> bool:
    return DEMO in book.store.metadata(record.stream.id)
