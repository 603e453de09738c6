"""The demonstration matches that come with the games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from replay import registry, rules_text
from replay.access import visibility
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.formats.ply.importer import import_record
from replay.formats.ply.model import RecordFault
from replay.formats.ply.reader import read_records
from replay.match_record import MatchRecord

DEMO: Final = "Demo"
"""The tag that marks demonstration matches."""


def demo_matches(book: Book) -> Iterator[MatchRecord]:
    """Yield a public, commented match of each game, imported if the book lacks it."""
    there = {
        recorded.game.slug: recorded for recorded in book.matches() if _is_demo(book, recorded)
    }
    for slug, game in registry.games().items():
        if slug in there:
            yield there[slug]
            continue
        try:
            text = rules_text.demo(game)
        except Usage:  # a plug-in need not have one
            continue
        record = next(iter(read_records(text)))
        if isinstance(record, RecordFault):
            raise Damaged(f"the demonstration match of {game.name}: {record.words()}")
        imported = import_record(book, record)
        facts = {DEMO: game.ruleset, **visibility.visibility_fact(visibility.PUBLIC)}
        book.store.set_facts(imported.stream.id, facts).result()
        yield imported


def _is_demo(book: Book, recorded: MatchRecord) -> bool:
    return DEMO in book.store.facts(recorded.stream.id)
