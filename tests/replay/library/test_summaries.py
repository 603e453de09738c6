"""Summaries and the position index follow every change of a match."""

from __future__ import annotations

import io
import shutil
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from domain.games import BUILT_IN
from plybook.testing.subjects import random_event
from replay import registry
from replay.book import Book
from replay.errors import PlybookError
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.library import indexes
from replay.match_batches import all_streams
from replay.record.match_creation import NewMatch
from replay.record.match_summary import STANDING, describe_standing, summary_of
from replay.referee import entering
from replay.store import temporary_store
from replay.store.types import SummaryFilter
from replay.upkeep.reindex import compare
from tests.paths import ROOT
from tests.replay.random_records import random_book, random_text

POPTRIX = registry.find("poptrix")


def assert_derived(book: Book) -> None:
    """Check that what is derived from the matches agrees with their logs."""
    assert not any(each.differ or each.errors for each in compare(book))


def assert_right(book: Book) -> None:
    """Check that no summary is due and that each one equals its match."""
    assert book.store.summaries_due() == []
    assert_derived(book)
    for each in book.store.listed(SummaryFilter()):
        assert each.summary == summary_of(book.read(each.stream))


@pytest.mark.parametrize("slug", BUILT_IN)
@pytest.mark.parametrize("seed", range(3))
def test_every_write_carries_the_summary(book, slug, seed):
    random_book(book, registry.find(slug), seed)
    assert_right(book)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_grown_match_is_indexed_like_a_new_one(book, slug):
    game = registry.find(slug)
    for seed in range(4):
        random_book(book, game, seed, deeds=10)
        indexes.catch_up_positions(book)
        for stream in [*all_streams(book)]:
            _play_on(book, stream.public_id)
        indexes.catch_up_positions(book)
    assert_derived(book)
    assert book.store.positions_due() == []


def _play_on(book: Book, match: str) -> None:
    """Enter a random event, unless the match is over or the event is refused."""
    record = book.open(match)
    if record.state.outcome is None:
        event = random_event(record.game, record.state, Random(record.match.version))
        with suppress(PlybookError):
            entering.play(book, record, [event])


@pytest.mark.parametrize("slug", BUILT_IN)
def test_imported_record_is_summarised_at_once_and_indexed_later(book, slug):
    game = registry.find(slug)
    for seed in range(4):
        for record in read_records(random_text(game, seed)):
            import_record(book, record)
    assert_right(book)
    imported = book.store.count_positions_due()
    assert imported == len(list(book.store.matches()))
    indexes.catch_up_positions(book)
    assert book.store.count_positions_due() == 0
    assert_derived(book)


def test_imported_match_equals_the_stored_one(book):
    for record in read_records(random_text(POPTRIX, 3)):
        made = import_record(book, record)
        assert made == Book(book.store).read(made.stream)


def test_imported_archive_is_summarised_and_indexed(book):
    with closing(temporary_store()) as store:
        source = Book(store)
        record = source.open(random_book(source, POPTRIX, 5)[0])
        import_archive(book, io.BytesIO(write_archive(source, record)))
        indexes.catch_up_positions(book)
        _play_on(source, record.id)
        again = import_archive(book, io.BytesIO(write_archive(source, source.open(record.id))))
    assert any(each.events for each in again)
    assert_right(book)
    indexes.catch_up_positions(book)
    assert_derived(book)


def test_summary_has_the_words_of_the_match(book):
    for seed in range(6):
        for slug in BUILT_IN:
            random_book(book, registry.find(slug), seed, deeds=6)
    for each in book.store.listed(SummaryFilter()):
        record = book.read(each.stream)
        standing = STANDING.decode(each.summary.standing)
        if record.match.asked is None:
            assert standing.words() == describe_standing(record.state)
        assert standing.turn == record.state.position.turn


def test_unreadable_match_stays_due_without_stopping_others(book):
    broken, match = book.create(NewMatch(POPTRIX)), book.create(NewMatch(POPTRIX))
    rotten = book.encode(POPTRIX, entering.judge(book, match, ["M@c1"]).events[0], "x")
    rotten = type(rotten)(rotten.id, "moved", "x", 0, b"{}")
    book.store.append(broken.stream.id, 0, [rotten]).result()
    book.store.append(match.stream.id, 0, []).result()
    indexes.catch_up_summaries(book)
    assert [each.id for each in book.store.summaries_due()] == [broken.stream.id]
    listed = {each.stream.id: each.summary for each in book.store.listed(SummaryFilter())}
    assert listed[broken.stream.id] is None
    assert listed[match.stream.id] == summary_of(match)


def test_every_match_of_an_older_book_is_due(opened, tmp_path):
    path = Path(shutil.copy(ROOT / "fixtures/first-edition/book.db", tmp_path / "book.db"))
    store = opened(path)
    book = Book(store)
    assert store.summaries_due() == sorted(all_streams(book), key=lambda each: each.id)
    indexes.catch_up_summaries(book)
    assert_right(book)
    indexes.catch_up_positions(book)
    assert_derived(book)
