"""Evenings have a link each, which is replaced in their matches too."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from replay.errors import Conflict
from replay.store.types import Evening
from tests.replay.store.streams import match

FIRST = Evening("a" * 12, b"1" * 32, "Tuesday", "2026-11-24", "unlisted", 1)
LATER = replace(FIRST, id="b" * 12, date="2026-12-01", created=2)


@pytest.fixture
def book(store):
    for evening in (FIRST, LATER):
        store.put_evening(evening).result()
    return store


def test_evenings_of_a_link_are_found_newest_first(book):
    assert book.evenings() == [FIRST, LATER]
    assert book.evenings(FIRST.digest) == [LATER, FIRST]
    assert (book.evening(LATER.id), book.evening("c" * 12)) == (LATER, None)


def test_link_has_one_evening_of_a_title_and_date(book):
    with pytest.raises(Conflict, match=FIRST.id):
        book.put_evening(replace(FIRST, id="c" * 12)).result()
    book.put_evening(replace(FIRST, shown="public")).result()
    assert [each.shown for each in book.evenings()] == ["public", "unlisted"]


def test_replaced_link_opens_the_matches(book):
    played, other = match(book), match(book)
    for stream, digest in ((played, FIRST.digest), (other, b"3" * 32)):
        book.add_key(stream.id, digest, "host", None).result()
    epoch = book.epoch()
    book.replace_link(FIRST.digest, b"2" * 32).result()
    assert book.epoch() != epoch
    assert book.evenings(b"2" * 32) == [replace(each, digest=b"2" * 32) for each in (LATER, FIRST)]
    assert book.key(played.id, b"2" * 32) == ("host", None)
    assert book.key(played.id, FIRST.digest) is None
    assert book.key(other.id, b"3" * 32) == ("host", None)
