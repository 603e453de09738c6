"""Statistics are counted, and charged, once until the book changes."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from replay import registry
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.referee.opening import open_match
from replay.store import temporary_store
from service.http.kept_statistics import COST, KeptStatistics

POPTRIX = registry.find("poptrix")


class Charges:
    """Limits that count the charges."""

    def __init__(self) -> None:
        self.charged = 0

    def charge(self, request: Any, cost: int) -> None:
        self.charged += cost


def test_unchanged_statistics_are_charged_once():
    with closing(temporary_store()) as store:
        book, limits = Book(store), Charges()
        kept = KeptStatistics(book, limits)
        assert [kept.get(None, ["unlisted"]).games for _ in range(2)] == [[], []]
        assert limits.charged == COST
        open_match(book, POPTRIX, players={1: "Jet", 2: "Red"})
        [told] = kept.get(None, ["unlisted"]).games
        assert (told.matches, limits.charged) == (1, 2 * COST)
        for name in ("Jet", "JET", "jet"):
            assert kept.get(None, ["unlisted"], "poptrix", name).games == [told]
        assert kept.get(None, ["public"]).games == []
        assert limits.charged == 4 * COST


def test_own_statistics_are_cached_by_scope():
    with closing(temporary_store()) as store:
        book, limits = Book(store), Charges()
        match = open_match(book, POPTRIX, players={1: "Jet", 2: "Red"})
        kept = KeptStatistics(book, limits)
        own = ReadScope(frozenset(["public"]), frozenset([match.stream.id]))
        for scope, games in ((own, 1), (ReadScope(own.shown, frozenset([99])), 0), (own.own, 1)):
            assert len(kept.own(None, scope).games) == games
        assert limits.charged == 2 * COST
