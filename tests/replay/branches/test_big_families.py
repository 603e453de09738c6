"""Families of many or deeply nested forks can be listed, written, read and purged."""

from __future__ import annotations

import io

import pytest

from domain.games import built_in
from replay.access import visibility
from replay.book import Book
from replay.branches.analysis import MAX_DEPTH, MAX_PLIES, line_tree
from replay.branches.fork_tree import family
from replay.branches.forks import fork
from replay.errors import Usage
from replay.formats.archive import writer
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.formats.html.player_page import write_page
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import export_record, left_out
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import temporary_store
from replay.store.sql.store import Store
from replay.upkeep import purge
from tests.replay.formats.archive.families import unmarked
from tests.replay.test_book import Counting

DEEP = 260
WIDE = 800


@pytest.fixture
def counting(store: Store) -> Counting:
    return Counting(store)


@pytest.fixture
def book(counting: Counting) -> Book:
    return Book(counting)


def deep(book: Book, forks: int = DEEP) -> MatchRecord:
    """A match, its fork, the fork of that, and so on."""
    root = play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6"])
    last = root
    for _ in range(forks):
        last = play(book, fork(book, *book.at(Address(last.id, 1))), ["S@a6"])
    return book.open(root.id)


def wide(book: Book, forks: int = WIDE) -> MatchRecord:
    """A match with many variations of its second ply."""
    text = f'[Game "poptrix"]\n\nM@c1 S@c6 {"(S@a6) " * forks} *\n'
    (record,) = read_records(text)
    return import_record(book, record)


@pytest.mark.parametrize("make", [deep, wide])
def test_rereading_a_family_costs_no_queries_per_fork(book, counting, make):
    asked = []
    for forks in (100, 200):
        match = make(book, forks)
        assert len(list(family(book, match))) == forks + 1
        counting.asked.clear()
        assert len(list(family(book, match))) == forks + 1
        asked.append(counting.asked[:])
    assert asked[0] == asked[1]
    assert "family" in asked[0]


def test_analysed_match_of_deep_variations_is_queried_once(book, counting):
    asked = []
    for forks in (100, 200):
        members = [each.record for each in family(book, deep(book, forks))]
        counting.asked.clear()
        assert {visibility.analysed_match(book, each.stream).id for each in members} == {
            members[0].stream.id
        }
        asked.append(len(counting.asked))
    assert asked[1] < 2.2 * asked[0]


def test_deep_family_lists_its_depths(book):
    match = deep(book)
    members = list(family(book, match))
    assert [each.depth for each in members] == list(range(DEEP + 1))


@pytest.mark.parametrize("make", [deep, pytest.param(wide, marks=pytest.mark.slow)])
def test_big_family_is_restored_from_an_archive(book, make):
    match = make(book)
    archive = write_archive(book, match)
    elsewhere = Book(temporary_store())
    imported = import_archive(elsewhere, io.BytesIO(archive))
    assert len(imported) == len(list(family(book, match)))
    assert unmarked(write_archive(elsewhere, elsewhere.open(match.id))) == archive


def test_family_beyond_the_archive_limit_is_refused(book, monkeypatch):
    monkeypatch.setattr(writer, "MAX_LINE", 2000)
    with pytest.raises(Usage, match=r"21 in all.* at most 2000"):
        write_archive(book, wide(book, 20))


def test_page_counts_variations_beyond_the_depth_limit(book):
    match = deep(book)
    main = line_tree(book, match)
    assert len(list(main.walk())) == MAX_DEPTH + 1
    page = write_page(book, match, 0)
    assert f"Variations left out: {DEEP - MAX_DEPTH}." in page


def test_page_counts_variations_beyond_the_number_limit(book, monkeypatch):
    monkeypatch.setattr("replay.branches.analysis.MAX_PLIES", 30)
    main = line_tree(book, wide(book, 40))
    assert (len(main.variations), main.left_out) == (30, 10)
    assert "Variations left out: 10." in main.note()
    assert MAX_PLIES > 1000


def test_page_within_the_limits_leaves_nothing_out(book):
    main = line_tree(book, wide(book, 40))
    assert (len(main.variations), main.left_out, main.note()) == (40, 0, "")


def test_text_record_names_variations_beyond_its_depth(book):
    match = deep(book)
    text = export_record(book, match)
    assert text.count("(") == 200
    (record,) = read_records(text)
    assert export_record(book, import_record(book, record)) == text
    assert {each.why for each in left_out(book, match)} == {
        "variations nest at most 200 deep",
        "the line ends before the ply where it leaves",
    }


@pytest.mark.parametrize("make", [deep, wide])
def test_big_family_is_purged_at_once(book, make):
    match = make(book)
    gone = purge.purge(book, match.stream, variations=True)
    assert len(gone.variations) in (DEEP, WIDE)
    assert list(book.matches()) == []
