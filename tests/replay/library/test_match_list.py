"""Lists are read from summaries; the few that are due are derived on the way."""

from __future__ import annotations

import pytest

from replay import registry
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.library import match_list
from replay.library.match_list import ListFilter
from replay.record.match_creation import NewMatch
from replay.referee import entering
from replay.store.types import Derived
from tests.replay.test_book import Counting

POPTRIX = registry.find("poptrix")
ALL = ReadScope(frozenset(("public", "unlisted", "private")))


def listed(book: Book, wish: ListFilter = ListFilter(), limit: int = 9) -> list[str]:  # noqa: B008
    return [each.stream.public_id for each in match_list.page(book, wish, ALL, limit).matches]


def test_page_reads_no_log(book):
    matches = [entering.play(book, book.create(NewMatch(POPTRIX)), ["M@c1"]) for _ in range(3)]
    counting = Counting(book.store)
    assert listed(Book(counting)) == [each.id for each in reversed(matches)]
    assert not {"read", "append", "facts"} & set(counting.asked)


@pytest.mark.parametrize(
    ("wish", "fits"),
    [
        (ListFilter(), True),
        (ListFilter(game="poptrix", status="open", since=0), True),
        (ListFilter(game="blockade"), False),
        (ListFilter(status="ended"), False),
        (ListFilter(kind="variation"), False),
        (ListFilter(since=2**50), False),
    ],
)
def test_due_summary_is_derived_and_stored(book, wish, fits):
    match = book.create(NewMatch(POPTRIX))
    event = book.encode(POPTRIX, entering.judge(book, match, ["M@c1"]).events[0], "x")
    book.store.append(match.stream.id, 0, [event]).result()
    assert listed(book, wish) == ([match.id] if fits else [])
    book.store.probe().result()  # after the summary is stored
    assert book.store.summaries_due() == []


def test_page_derives_few_summaries_and_names_next_page(book, monkeypatch):
    monkeypatch.setattr(match_list, "READ", 2)
    matches = [book.create(NewMatch(POPTRIX)) for _ in range(5)]
    book.store.replace_derived({each.stream.id: Derived() for each in matches}).result()
    first = match_list.page(book, ListFilter(), ALL, 9)
    assert [each.stream.public_id for each in first.matches] == [each.id for each in matches[:2:-1]]
    book.store.probe().result()
    rest = match_list.page(book, ListFilter(), ALL, 9, first.next)
    assert [each.stream.public_id for each in rest.matches] == [matches[2].id, matches[1].id]
