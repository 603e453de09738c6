"""Archives carry the changes of who played: an import continues them and keeps erasures."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import suppress

import pytest

from domain.games import built_in
from replay.book import Book
from replay.errors import BadLine, Diverged, Usage
from replay.formats.archive.importer import import_archive
from replay.formats.archive.reader import verify_archive
from replay.formats.archive.writer import write_archive
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.store import temporary_store
from replay.store.types import KeptPeople
from replay.tags.people import name_players, swap_players
from tests.replay.formats.archive.families import archived, forged, former, imported


@pytest.fixture
def books() -> Iterator[tuple[Book, Book]]:
    stores = temporary_store(), temporary_store()
    yield Book(stores[0]), Book(stores[1])
    for store in stores:
        store.close()


@pytest.fixture
def match(books: tuple[Book, Book]) -> MatchRecord:
    """A match in both books, with a former name in the first."""
    book, other = books
    record = open_match(book, built_in("poptrix"), players={1: "Ana", 2: "Bob"})
    imported(other, archived(book, record))
    name_players(book, record, {1: "Anna"}, reason="a slip")
    return record


def people(book: Book, record: MatchRecord) -> KeptPeople:
    stream = book.open(record.id).stream
    verdict = verify_match(book, stream)
    assert verdict.ok, verdict.fault
    return book.store.people(stream.id)


def public(book: Book, record: MatchRecord) -> bytes:
    """Return the archive for who is not the host."""
    return write_archive(book, book.open(record.id), retracted=lambda _: False)


def texts(kept: KeptPeople) -> set[str]:
    return {each.text for each in kept.texts if each.salt}


def test_archive_brings_the_chain_along_and_goes_on_with_it(books, match):
    book, other = books
    (told,) = imported(other, archived(book, match))
    assert (told.new, told.events, told.people) == (False, 0, 1)
    assert "changes of who played: 1" in told.words()
    assert people(other, match) == people(book, match)
    (again,) = imported(other, archived(book, match))
    assert again.words() == "already in the book; nothing is new"
    swap_players(other, match, (1, 2))
    (back,) = imported(book, archived(other, match))
    assert back.people == 1
    assert people(book, match) == people(other, match)
    assert people(book, match).names == {1: "Bob", 2: "Anna"}


def test_archive_with_a_shorter_chain_changes_nothing(books, match):
    book, other = books
    before = people(book, match)
    (told,) = imported(book, archived(other, match))
    assert told.words() == "already in the book; nothing is new"
    assert people(book, match) == before


def test_name_from_a_clock_that_is_ahead_is_marked(books):
    book, other = books
    record = open_match(book, built_in("poptrix"), players={1: "Ana"})
    at = book.now()
    book.now = lambda: at + 60_000
    name_players(book, record, {1: "Anna"})
    (told,) = imported(other, archived(book, record))
    assert told.note == "some of its times are still to come"


def test_diverged_chains_are_refused_and_nothing_is_stored(books, match):
    book, other = books
    name_players(other, match, {1: "Anne"})
    entering.play(book, book.open(match.id), ["M@c1"])
    before = people(other, match)
    with pytest.raises(Diverged, match=f"{match.id} has diverged.*who played, from number 3"):
        imported(other, archived(book, match))
    assert people(other, match) == before
    assert other.open(match.id).match.version == 0


def test_former_archive_is_read_as_before(books):
    book, other = books
    record = open_match(book, built_in("poptrix"), players={1: "Ana"})
    (verdict,) = verify_archive(io.BytesIO(former(archived(book, record))))
    assert "who played is not in the record before the next change" in verdict.note
    imported(other, former(archived(book, record)))
    assert people(other, record) == KeptPeople(names={1: "Ana"}, events=[], texts=[])
    name_players(other, other.open(record.id), {1: "Anna"})
    assert people(other, record).names == {1: "Anna"}


def test_newer_archive_erases_and_older_one_does_not_bring_back(books, match):
    book, other = books
    older = archived(book, match)
    name_players(book, match, {1: ""})
    imported(other, older)
    imported(other, archived(book, match))
    for each in books:
        assert texts(people(each, match)) == {"Bob"}
        (told,) = imported(each, older)
        assert "was erased in this book, and stays so" in told.warnings[0].message
        assert texts(people(each, match)) == {"Bob"}
        assert people(each, match).names == {2: "Bob"}


def test_former_names_and_reasons_are_for_the_host(books, match):
    book, other = books
    content = public(book, match)
    assert b"Anna" in content
    assert b'"Ana"' not in content
    assert b"a slip" not in content
    (verdict,) = verify_archive(io.BytesIO(content))
    assert verdict.note == "2 former names and reasons not here"
    imported(other, content)
    whole = people(other, match)
    assert texts(whole) == {"Ana", "Bob", "Anna"}, "the book had the first name"
    imported(other, archived(book, match))
    assert people(other, match) == people(book, match)


def test_copy_under_a_new_id_has_a_chain_of_its_own(books, match):
    book, _ = books
    (told,) = import_archive(book, io.BytesIO(archived(book, match)), again=True)
    kept = people(book, book.open(told.match))
    assert kept.names == {1: "Anna", 2: "Bob"}
    assert "Ana" not in texts(kept)


def test_name_after_the_end_needs_a_reason_in_an_archive_too(books, match):
    book, other = books
    over = entering.play(book, book.open(match.id), ["1:resign"])
    imported(other, archived(book, match))
    name_players(book, over, {1: "Eve"}, reason="x")
    lines = archived(book, match).splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"text":"Eve"' in line)
    line = json.loads(lines[place])
    del line["reason"], line["texts"]["reason"]
    lines[place] = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    before = people(other, match)
    with pytest.raises(Usage, match="change 4 of who played came after the end"):
        imported(other, forged(lines))
    assert people(other, match) == before


FORGERIES = {
    "the text of another": lambda line: line | {"texts": {"name": {"salt": "00", "text": "Eve"}}},
    "a text without a digest": lambda line: line | {"texts": line["texts"] | {"x": None}},
    "a seat that there cannot be": lambda line: line | {"seat": 10},
    "an unknown event": lambda line: line | {"event": "hummed"},
    "a time when calendars end": lambda line: line | {"at": 10**15},
    "an author of two lines": lambda line: line | {"author": "a\nb"},
    "a version before all": lambda line: line | {"after_version": -1},
    "capitals": lambda line: line | {"name": line["name"].upper()},
    "another number": lambda line: line | {"number": 7},
}


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_line_is_refused(books, match, what):
    lines = archived(books[0], match).splitlines(keepends=True)
    assert b'"line":"person"' in lines[3]
    line = FORGERIES[what](json.loads(lines[3]))
    lines[3] = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    content = b"".join(lines)
    with suppress(ValueError):  # not even a forger can hash it
        content = forged(lines)
    with pytest.raises(BadLine, match="line 4"):
        verify_archive(io.BytesIO(content))


def test_name_that_the_chain_does_not_tell_is_refused(books, match):
    lines = archived(books[0], match).splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"Bob"', b'"Eve"')
    with pytest.raises(BadLine, match="line 2: the names of the players are not those"):
        verify_archive(io.BytesIO(forged(lines)))
