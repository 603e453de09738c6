"""An archive restores its matches, in another book or in the same."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest

from replay import registry
from replay.annotations.current import standing
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.takebacks import take_back
from replay.errors import BadLine, Damaged, Diverged, Refused, Usage
from replay.formats.archive.reader import verify_archive
from replay.reading.brought_in import FACT
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store import temporary_store
from replay.store.types import NewStream
from tests.conformance.door import opened
from tests.conformance.subjects import GAMES, SITE
from tests.replay.formats.archive.families import archived, family, imported, story, unmarked
from tests.verification import verify_all

PROGRAMS = ("1:S=FRB,M=L.F,L=LFF,pass=2L", "2:S=LFF,M=RFF,L=RFB")


@pytest.fixture(autouse=True)
def sixth_game() -> Iterator[None]:
    with opened(SITE):
        yield


@pytest.fixture
def books() -> Iterator[tuple[Book, Book]]:
    stores = temporary_store(), temporary_store()
    yield Book(stores[0]), Book(stores[1])
    for store in stores:
        store.close()


def poptrix(book: Book, *tokens: str) -> MatchRecord:
    return entering.play(book, open_match(book, registry.find("poptrix")), tokens)


def ball(book: Book, *tokens: str) -> MatchRecord:
    return entering.play(book, open_match(book, registry.find("pyramid-ball")), tokens)


def lines(archive: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in archive.splitlines()]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_family_is_imported_equal_and_only_once(books, game, seed):
    book, other = books
    record = family(book, game, seed)
    archive = archived(book, record)
    assert all(verdict.ok for verdict in verify_archive(io.BytesIO(archive)))
    first = imported(other, archive)
    assert len(first) == 3
    assert all(each.new for each in first)
    assert story(other) == story(book)
    assert all(verdict.ok for verdict in verify_all(other))
    assert unmarked(archived(other, record)) == archive
    for there in books:
        again = imported(there, archive)
        assert not any(each.new or each.events or each.notes for each in again)
    assert story(other) == story(book)


def test_archive_begins_with_format_and_ends_with_counts(books):
    told = lines(archived(books[0], poptrix(books[0], "M@c1", "S@c6")))
    assert told[0] == {"format": "plybook archive", "version": 1}
    assert [line.get("line") for line in told[1:]] == ["match", "facts", "event", "event", "end"]
    assert told[-1]["lines"] == len(told)
    assert told[-1]["heads"][0]["version"] == 2


def test_same_state_gives_the_same_archive(books):
    record = family(books[0], GAMES["poptrix"], 5)
    assert archived(books[0], record) == archived(books[0], record)


def test_archived_fork_has_ancestors_but_no_siblings(books):
    book, other = books
    parent = poptrix(book, "M@c1", "S@c6", "c1>L@c3")
    first, second = (fork(book, *book.at(Address(parent.id, 2))) for _ in range(2))
    imported(other, archived(book, first))
    assert {each.id for each in other.matches()} == {parent.id, first.id}
    assert len(imported(other, archived(book, second))) == 2
    assert story(other) == story(book)


def test_archive_omits_trashed_forks_unless_they_have_forks(books):
    book, other = books
    parent = poptrix(book, "M@c1", "S@c6")
    thrown, needed = (fork(book, *book.at(Address(parent.id, 1))) for _ in range(2))
    below = fork(book, *book.at(Address(needed.id, 1)))
    for each in (thrown, needed):
        book.store.trash(each.stream.id).result()
    brought = {each.match for each in imported(other, archived(book, parent))}
    assert brought == {parent.id, needed.id, below.id}


def test_damaged_match_is_not_archived(books):
    book, _ = books
    record = poptrix(book, "M@c1")
    again = book.encode(record.game, record.match.line[0].event, "x")
    book.store.append(record.stream.id, 1, [again]).result()
    with pytest.raises(Damaged, match=r"is damaged: version 2"):
        archived(book, record)


# An archive with a later state of an existing match


def test_longer_state_appends_events_forks_and_annotations(books):
    book, other = books
    record = poptrix(book, "M@c1", "S@c6")
    shorter = archived(book, record)
    imported(other, shorter)
    record = take_back(book, entering.play(book, record, ["c1>L@c3", "c6>M@c4"]), 3)
    annotate(book, record, 3, Wording(comment="so far"))
    forked = fork(book, *book.at(Address(record.id, 3)))
    entering.play(book, forked, ["c6>L@c5"])
    told = imported(other, archived(book, record))
    assert [(each.new, each.events, each.notes) for each in told] == [(False, 3, 1), (True, 1, 0)]
    assert story(other) == story(book)
    assert not any(each.events for each in imported(other, shorter)), "a shorter one is known"
    assert story(other) == story(book)


def test_diverged_match_is_refused_and_nothing_is_stored(books):
    book, other = books
    record = poptrix(book, "M@c1")
    imported(other, archived(book, record))
    entering.play(other, other.open(record.id), ["L@c6"])
    fork(book, *book.at(Address(entering.play(book, record, ["S@c6", "c1>L@c3"]).id, 2)))
    before = story(other)
    with pytest.raises(Diverged, match=f"{record.id}.* version 2"):
        imported(other, archived(book, record))
    assert story(other) == before


def test_different_match_with_the_same_id_is_refused(books):
    book, other = books
    record = poptrix(book, "M@c1")
    header = record.stream.header.replace(b'"created":', b'"created":1')
    other.store.create(NewStream(record.id, header)).result()
    with pytest.raises(Diverged, match="a different header"):
        imported(other, archived(book, record))


def test_annotations_of_both_sides_are_merged(books):
    book, other = books
    record = poptrix(book, "M@c1")
    annotate(book, record, 1, Wording(comment="common"))
    imported(other, archived(book, record))
    annotate(book, record, 1, Wording(comment="here"))
    copy = other.open(record.id)
    annotate(other, copy, 1, Wording(comment="there"))
    assert imported(other, archived(book, record))[0].notes == 1
    assert imported(book, archived(other, copy))[0].notes == 1
    for each in books:
        said = {one.said.text for one in standing(each, each.open(record.id))}
        assert said == {"common", "here", "there"}
        assert all(verdict.ok for verdict in verify_all(each))


def test_repeated_import_keeps_names_changed_meanwhile(books):
    book, other = books
    record = poptrix(book, "M@c1")
    archive = archived(book, record)
    imported(other, archive)
    there = other.open(record.id).stream.id
    other.store.set_metadata(there, {"Date": None, "Seat1": "Jet"}).result()
    imported(other, archive)
    found = other.store.metadata(there)
    assert {name: found[name] for name in found if name != FACT} == {"Seat1": "Jet"}


# Secrets


def test_archive_verifies_without_the_sealed_moves(books):
    record = ball(books[0], PROGRAMS[0])
    archive = archived(books[0], record)
    assert b"FRB" not in archive
    assert b"revealed" not in archive
    assert verify_archive(io.BytesIO(archive))[0].ok


def test_sealed_match_is_importable_after_the_reveal(books):
    book, other = books
    record = ball(book)
    imported(other, archived(book, record))
    sealed = entering.play(book, record, PROGRAMS[:1])
    with pytest.raises(Usage, match="line 4: this move is still sealed"):
        imported(other, archived(book, sealed))
    assert other.open(record.id).match.version == 0
    assert imported(book, archived(book, sealed))[0].events == 0, "who has it needs nothing"
    revealed = entering.play(book, sealed, PROGRAMS[1:])
    assert imported(other, archived(book, revealed))[0].events == 2
    assert story(other) == story(book)


def test_unrevealed_move_taken_back_stays_sealed_elsewhere(books):
    book, other = books
    record = entering.play(book, take_back(book, ball(book, PROGRAMS[0]), 0), PROGRAMS)
    archive = archived(book, record)
    assert archive.count(b'"revealed"') == 2
    assert archive.count(b'"commitment"') == 3
    imported(other, archive)
    copy = other.open(record.id)
    assert copy.secrets == record.secrets == {1}
    assert story(other) == story(book)
    assert entering.play(other, copy, ["1:resign"]).state.outcome


def test_missing_sealed_move_prevents_further_play(books):
    book, other = books
    record = entering.play(book, ball(book, PROGRAMS[0]), ["2:resign"])
    imported(other, archived(book, record))
    copy = take_back(other, other.open(record.id), 1)
    with pytest.raises(Refused, match="the sealed move of seat 1 is not in this book"):
        entering.play(other, copy, PROGRAMS[1:])
    assert entering.play(other, take_back(other, copy, 0), PROGRAMS).state.position.turn == 2


def test_book_without_revealed_moves_names_the_remedy(books):
    book, other = books
    record = entering.play(book, ball(book, PROGRAMS[0]), ["2:resign"])
    imported(other, archived(book, record))
    record = entering.play(book, take_back(book, record, 1), PROGRAMS[1:])
    archive = archived(book, record)
    before = story(other)
    with pytest.raises(Diverged, match="--purge"):
        imported(other, archive)
    assert story(other) == before
    other.store.purge(other.open(record.id).stream.id).result()
    imported(other, archive)
    assert story(other) == story(book)


def test_revealed_move_cannot_be_left_out(books):
    archive = archived(books[0], ball(books[0], *PROGRAMS))
    kept = [json.loads(line) for line in archive.splitlines()]
    del kept[3]["revealed"]
    forged = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in kept)
    with pytest.raises(BadLine, match="line 4: the move sealed here was revealed later"):
        verify_archive(io.BytesIO(forged))
