"""A book folds only new events, and never shows outdated ones."""

from __future__ import annotations

import itertools
import operator
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain.games import built_in
from domain.log_edits import TakenBack
from replay.book import MAX_UNQUEUED, Book
from replay.corrections.takebacks import take_back
from replay.errors import UnknownMatch
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.store.sql.store import Store
from tests.replay.random_records import random_book
from tests.waiting import PATIENCE

MOVES = ["M@c1", "S@c6", "c1>L@c3"]


class Counting:
    """A store that counts its queries."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if callable(found):
            self.asked.append(name)
        return found


@pytest.fixture
def counting(store: Store) -> Counting:
    return Counting(store)


@pytest.fixture
def book(counting: Counting) -> Book:
    return Book(counting)


@pytest.fixture
def match(book: Book) -> MatchRecord:
    return entering.play(book, book.create(NewMatch(built_in("poptrix"))), MOVES)


def fresh(store: Store, match: str) -> MatchRecord:
    return Book(store).open(match)


def test_unchanged_match_is_not_read_again(book, match, counting, store):
    once = book.open(match.id)
    Book(store).create(NewMatch(built_in("poptrix")))
    counting.asked.clear()
    assert book.open(match.id) is once
    assert counting.asked == ["stream"]


WRITES: dict[str, Callable[[Book, MatchRecord], object]] = {
    "a move": lambda book, match: entering.play(book, match, ["c6>M@c4"]),
    "taken back": lambda book, match: take_back(book, match, 1),
    "trashed": lambda book, match: book.store.trash(match.stream.id).result(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_events_of_other_processes_are_seen_at_once(book, match, store, write):
    before = book.open(match.id)
    other = Book(store)
    write(other, other.open(match.id))
    assert book.open(match.id) != before
    assert book.open(match.id) == fresh(store, match.id)


def test_match_purged_by_another_process_is_gone(book, match, store):
    book.open(match.id)
    store.purge(match.stream.id).result()
    with pytest.raises(UnknownMatch):
        book.open(match.id)
    assert list(book.matches()) == []


def test_another_process_that_writes_is_followed(opened, tmp_path):
    here, there = opened(tmp_path / "book.db"), opened(tmp_path / "book.db")
    book, other = Book(here), Book(there)
    match = book.create(NewMatch(built_in("poptrix")))
    for move in MOVES:
        entering.play(other, other.open(match.id), [move])
        assert book.open(match.id) == other.open(match.id) == fresh(here, match.id)


def test_appended_events_are_not_read_from_the_store(book, match, counting, store):
    judged = entering.judge(book, match, ["c6>M@c4"])
    appended = entering.append(book, match, judged).result()
    counting.asked.clear()
    after = book.publish(match, judged.stretches, appended)
    assert counting.asked == []
    assert after == fresh(store, match.id)
    assert book.open(match.id) == after


def test_appended_match_hides_sealed_moves(book, store):
    match = book.create(NewMatch(built_in("pyramid-ball"), options={"length": "advanced"}))
    after = entering.play(book, match, ["2:S=R.R,M=FL.,L=F.F"])
    assert after.secrets == {1}
    assert after == fresh(store, match.id)
    revealed = entering.play(book, after, ["1:S=FFR,M=.FF,L=.LR"])
    assert revealed.secrets == frozenset()
    assert revealed == fresh(store, match.id)


def test_publishing_omits_later_events_by_other_writers(book, match, store):
    judged = entering.judge(book, match, ["c6>M@c4"])
    appended = entering.append(book, match, judged).result()
    other = Book(store)
    entering.play(other, other.open(match.id), ["1:resign"])
    after = book.publish(match, judged.stretches, appended)
    assert after.match.version == match.match.version + 1
    assert book.open(match.id).match.version == match.match.version + 2


def test_repeated_append_gives_the_first_match(book, match):
    judged, ids = entering.judge(book, match, ["c6>M@c4"]), [bytes(16)]
    first = entering.append(book, match, judged, ids=ids).result()
    once = book.publish(match, judged.stretches, first)
    entering.play(book, once, ["1:resign"])
    again = entering.append(book, match, judged, ids=ids).result()
    assert again.repeated
    assert book.publish(match, judged.stretches, again).match == once.match


def test_appending_nothing_keeps_a_match_unchanged(book, match):
    assert book.publish(match, [], book.append(match, [], match.match).result()) == match


def test_book_caches_the_most_recently_used_matches(book, counting):
    left, watched = (book.create(NewMatch(built_in("poptrix"))) for _ in range(2))
    book.cache.capacity = book.cache.bytes
    book.open(watched.id)
    book.create(NewMatch(built_in("poptrix")))
    for match, asked in ((watched, ["stream"]), (left, ["find"])):
        counting.asked.clear()
        assert book.open(match.id) == match
        assert counting.asked == asked


def test_match_read_in_pages_equals_whole_read(store, monkeypatch):
    for slug, seed in itertools.product(("poptrix", "pyramid-ball"), range(5)):
        ids = random_book(Book(store), built_in(slug), seed)
        once = [fresh(store, match) for match in ids]
        for page in (1, 2, 3):
            monkeypatch.setattr("replay.book.PAGE", page)
            assert [fresh(store, match) for match in ids] == once
        monkeypatch.undo()


def test_two_threads_fold_a_long_match_once(store):
    events = [(TakenBack(0), "scorekeeper")] * (MAX_UNQUEUED + 1)
    match = Book(store).create(NewMatch(built_in("poptrix"), events=events))
    reading, going_on = threading.Event(), threading.Event()
    counting = Counting(store)

    class Waiting(Counting):
        def read(self, *slice_: int) -> object:
            reading.set()
            assert going_on.wait(PATIENCE)
            return counting.read(*slice_)

    book = Book(Waiting(store))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(book.read, match.stream)
        assert reading.wait(PATIENCE)
        second = pool.submit(book.read, match.stream)
        going_on.set()
        assert first.result(PATIENCE) == second.result(PATIENCE) == match
    assert counting.asked == ["read"]


def test_read_with_outdated_stream_has_appended_event(book, match, counting):
    after = entering.play(book, match, ["c6>M@c4"])
    counting.asked.clear()
    assert book.read(match.stream) is after
    assert counting.asked == []


def test_fork_shares_the_folded_log_of_its_parent(book, match):
    parent = entering.play(book, match, ["c6>M@c4"])
    variation = entering.play(book, book.fork(parent, 3, "variation"), ["c6>M@b6"])
    book.cache.drop(variation)
    again = book.open(variation.id)
    assert again == fresh(book.store, variation.id)
    assert all(map(operator.is_, again.log[:3], parent.log[:3]))
    assert all(map(operator.is_, again.match.line[:3], parent.match.line[:3]))


def test_forks_do_not_depend_on_cached_parents(store):
    for slug, seed in itertools.product(("poptrix", "pyramid-ball"), range(10)):
        ids = random_book(Book(store), built_in(slug), seed)
        book = Book(store)
        for match in (*ids, *reversed(ids)):
            record = book.open(match)
            assert record == fresh(store, match)
            book.cache.drop(record)
            book.cache.put(record.at_version(record.match.version // 2))
