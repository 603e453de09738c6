"""The search finds the current texts of all matches, and no others."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.annotations.editing import annotate, edit, retract
from replay.annotations.notation import Wording
from replay.book import Book
from replay.corrections.takebacks import take_back
from replay.errors import Usage
from replay.library import indexes
from replay.library.text_search import find, rebuild
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.tags.people import tag


def opened(book: Book, **players: str) -> MatchRecord:
    names = {int(seat.removeprefix("seat")): name for seat, name in players.items()}
    return play(book, open_match(book, built_in("poptrix"), players=names), ["M@c1", "S@c6"])


def texts(book: Book, query: str) -> list[tuple[str, str]]:
    return [(each.match, each.text) for each in find(book, query)]


def test_comments_players_and_tags_are_found(book):
    record = opened(book, seat1="Grün", seat2="Red")
    (comment,) = annotate(book, record, 2, Wording("A Kick-back!"), author="Teal")
    tag(book, record, {"Event": "Kicking off"})
    found = {(each.kind, each.name, each.text): each for each in find(book, "kick")}
    assert found.keys() == {
        ("comment", comment.id, "A Kick-back!"),
        ("tag", "Event", "Kicking off"),
    }
    told = found["comment", comment.id, "A Kick-back!"]
    assert (told.match, told.ply, told.version, told.author) == (record.id, 2, 2, "Teal")
    (player,) = find(book, "grun")
    assert (player.kind, player.name, player.ply) == ("player", "Seat1", None)


def test_search_forgets_changed_and_deleted_texts(book):
    record = opened(book, seat1="Jet", seat2="Red")
    (comment,) = annotate(book, record, 2, Wording("the first words"))
    assert texts(book, "words") == [(record.id, "the first words")]
    edit(book, record, comment.id, Wording("other words"))
    assert texts(book, "words") == [(record.id, "other words")]
    retract(book, record, comment.id)
    assert texts(book, "words") == []
    tag(book, record, {"Seat1": "Teal"})
    assert texts(book, "jet") == []
    assert texts(book, "teal") == [(record.id, "Teal")]
    book.store.trash(record.stream.id).result()
    assert texts(book, "teal") == []
    book.store.purge(record.stream.id).result()
    assert texts(book, "red") == []


def test_shared_comments_are_found_once(book):
    record = opened(book)
    (comment,) = annotate(book, record, 1, Wording("shared words"))
    fork = book.fork(record, 2, "variation")
    annotate(book, fork, 2, Wording("own words"))
    assert texts(book, "words") == [(fork.id, "own words"), (record.id, "shared words")]
    edit(book, fork, comment.id, Wording("in other words"))
    found = {(each.match, each.text, each.ply) for each in find(book, "other")}
    assert found == {(fork.id, "in other words", 1)}


def test_comment_on_a_lost_event_has_no_ply(book):
    record = opened(book)
    annotate(book, record, 2, Wording("gone"))
    take_back(book, record, 1)
    (found,) = find(book, "gone")
    assert (found.version, found.ply) == (2, None)


def test_search_index_can_be_rebuilt(book):
    record = opened(book)
    annotate(book, record, 2, Wording("words"))
    before = texts(book, "words")
    book.store.index(record.stream.id, [], 99, book.store.metadata(record.stream.id)).result()
    assert texts(book, "words") == []
    rebuild(book)
    assert texts(book, "words") == before == [(record.id, "words")]


def test_search_has_a_limit(book):
    record = opened(book)
    for number in range(5):
        annotate(book, record, 2, Wording(f"words {number}"))
    assert [each.text for each in find(book, "words", 2)] == ["words 0", "words 1"]


def test_query_without_words_is_refused(book):
    with pytest.raises(Usage, match="no word"):
        find(book, "!? …")


def test_search_indexes_few_matches_at_a_time(book, monkeypatch):
    monkeypatch.setattr(indexes, "MOST", 2)
    for _ in range(3):
        opened(book, seat1="Jet")
    book.store.forget_texts().result()
    assert [len(texts(book, "Jet")) for _ in range(2)] == [2, 3]
    rebuild(book)
    assert book.store.texts_due() == []
