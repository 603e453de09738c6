"""Nested variations of a text record become forks, and are written back in place."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.position import Secret
from replay.book import Book
from replay.formats.ply.importer import import_record
from replay.formats.ply.writer import export_record
from replay.record.match_record import MatchRecord
from replay.registry import games
from replay.store import temporary_store
from tests.replay.formats.ply.texts import accepted
from tests.replay.random_records import random_book, random_text
from tests.verification import verify_all


def imported(book: Book, text: str) -> MatchRecord:
    return import_record(book, accepted(text))


@pytest.mark.parametrize("slug", games())
@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
@example(seed=441)  # in Pyramid Ball, two draw offers with an unrevealed move between them
def test_random_record_round_trips_byte_for_byte(slug, seed):
    text = random_text(games()[slug], seed)
    book = Book(temporary_store())
    exported = export_record(book, imported(book, text))
    assert export_record(book, imported(book, exported)) == exported
    if not any(issubclass(move, Secret) for move in games()[slug].moves):
        assert exported == text
    assert all(verdict.ok for verdict in verify_all(book))


@pytest.mark.parametrize("slug", games())
@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_exports_of_random_forks_are_read_back(slug, seed):
    book = Book(temporary_store())
    for match in random_book(book, games()[slug], seed):
        text = export_record(book, book.open(match))
        assert export_record(book, imported(book, text)) == text
    assert all(verdict.ok for verdict in verify_all(book))
