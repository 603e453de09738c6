"""The cache of matches is bounded by bytes, forgets the least recently used, and counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games import built_in
from replay.book import Book
from replay.record.match_cache import MatchCache
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee import entering

MOVES = ["M@c1", "S@c6", "c1>L@c3"]


@pytest.fixture
def matches(book: Book) -> list[MatchRecord]:
    """Three matches of three moves."""
    return [
        entering.play(book, book.create(NewMatch(built_in("poptrix"))), MOVES) for _ in range(3)
    ]


def filled(matches: list[MatchRecord], capacity: int = 0) -> MatchCache:
    cache = MatchCache(capacity)
    for match in matches:
        cache.put(match)
    return cache


def test_least_recently_used_match_makes_room(matches):
    left, *others = matches
    cache = filled([left, others[0]])
    cache.capacity = cache.bytes * 2 - 1
    assert cache.of(left.stream.id) is left
    cache.put(others[1])
    cache.capacity = cache.bytes - 1
    cache.put(replace(left, header=left.header))
    assert cache.of(others[0].stream.id) is None
    assert cache.named(others[0].id) is None
    assert cache.named(left.id) == left
    assert (len(cache), cache.evictions) == (2, 1)
    assert 0 < cache.bytes <= cache.capacity


def test_match_larger_than_the_cache_stays_until_next(matches):
    cache = filled(matches, capacity=1)
    assert len(cache) == 1
    assert cache.of(matches[-1].stream.id) is matches[-1]
    assert cache.evictions == 2


def test_cache_without_a_capacity_keeps_everything(matches):
    cache = filled(matches, capacity=0)
    assert [cache.of(match.stream.id) for match in matches] == matches
    assert cache.evictions == 0


def test_only_a_later_version_replaces_an_earlier_one(book):
    early = book.create(NewMatch(built_in("poptrix")))
    late = entering.play(book, early, MOVES)
    cache = filled([early])
    small = cache.bytes
    cache.put(late)
    grown = cache.bytes
    cache.put(early)
    assert cache.of(late.stream.id) is late
    assert (len(cache), cache.bytes) == (1, grown)
    assert grown > small


def test_empty_cache_counts_no_bytes(matches):
    cache = filled(matches)
    for match in matches:
        cache.drop(match)
        cache.drop(match)
    assert (len(cache), cache.bytes) == (0, 0)


def test_cache_hits_only_at_the_head_version(book):
    early = book.create(NewMatch(built_in("poptrix")))
    late = entering.play(book, early, MOVES)
    cache = filled([early])
    assert cache.current(late.stream) is None
    assert (cache.hits, cache.misses) == (0, 1)
    cache.put(late)
    assert cache.current(late.stream) is late
    assert (cache.hits, cache.misses) == (1, 1)


def test_match_restored_as_a_different_stream_is_found(matches):
    purged, again = matches[0], matches[1]
    restored = replace(again, stream=replace(again.stream, public_id=purged.id))
    cache = filled([purged, restored])
    cache.drop(purged)
    assert cache.named(purged.id) is restored
    cache.drop(restored)
    assert cache.named(purged.id) is None
