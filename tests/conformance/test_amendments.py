"""Run the amendment tests on every registered game."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random

from plybook.testing.amendments import *
from plybook.testing.amendments import FEW, amend_at_random, open_match
from replay.book import Book
from replay.record.match_creation import NewMatch
from replay.store import open_store
from tests.conformance.subjects import SUBJECTS


def test_random_amendments_change_the_record(tmp_path: Path):
    subject = next(one for one in SUBJECTS if one.game.slug == "pyramid-ball")
    match, rng = open_match(subject), Random(0)
    with closing(open_store(tmp_path / "book.db")) as store:
        book = Book(store)
        events = [(ply.event, "scorekeeper") for ply in match.line]
        record = book.create(NewMatch(subject.game, events=events))
        for _ in range(FEW):
            record = amend_at_random(book, record, rng)
    assert record.match.version > len(match.line)
