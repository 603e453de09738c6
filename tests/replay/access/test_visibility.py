"""An unreadable visibility closes the match."""

from __future__ import annotations

import pytest

from domain.games import built_in
from domain.match import open_match as begun
from replay.access import visibility
from replay.library import explorer, indexes
from replay.library.explorer import stats
from replay.referee.entering import play
from replay.referee.opening import open_match

POPTRIX = built_in("poptrix")
UNREADABLE = ["privatf", "Public", "", "publi\ufffd"]


@pytest.mark.parametrize("value", UNREADABLE)
def test_unreadable_visibility_is_private(value):
    assert visibility.read_visibility({visibility.FACT: value}) == "private"


@pytest.mark.parametrize(
    ("facts", "expected"), [({}, "unlisted"), ({visibility.FACT: "public"}, "public")]
)
def test_visibility_is_read_from_facts(facts, expected):
    assert visibility.read_visibility(facts) == expected


@pytest.mark.parametrize("value", UNREADABLE)
def test_unreadable_visibility_hides_a_match_from_counts(book, value):
    shown, closed = (play(book, open_match(book, POPTRIX), ["M@c1"]) for _ in range(2))
    book.store.set_metadata(shown.stream.id, {visibility.FACT: "public"}).result()
    book.store.set_metadata(closed.stream.id, {visibility.FACT: value}).result()
    indexes.catch_up_positions(book)
    found = explorer.explore(book, begun(POPTRIX), visibility.CLOSED)
    assert [move.seen for move in found.moves] == [1]
    assert [each.matches for each in stats(book, among=("unlisted", "public"))] == [1]
