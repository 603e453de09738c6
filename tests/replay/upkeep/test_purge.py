"""Purging removes a match with its variations, and keeps matches of others intact."""

from __future__ import annotations

import io

import pytest

from domain.games import built_in
from replay.access import capability_tokens, visibility
from replay.annotations.current import standing
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.fork_tree import family
from replay.branches.forks import fork
from replay.errors import UnknownMatch, Usage
from replay.formats.archive.importer import import_archive
from replay.formats.archive.reader import verify_archive
from replay.formats.archive.writer import write_archive
from replay.formats.export_formats import export
from replay.record.addresses import Address, parse
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.store import temporary_store
from replay.upkeep import purge
from tests.verification import verify_all


@pytest.fixture
def match(book: Book) -> MatchRecord:
    opened = open_match(book, built_in("poptrix"), players={1: "Zyxwvut", 2: "Red"})
    played = play(book, opened, ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4"])
    annotate(book, played, 1, Wording("Qponmlk"))
    return book.open(played.id)


def strangers(book: Book, match: MatchRecord) -> MatchRecord:
    """Fork a variation with its own token, and play in it."""
    made = fork(book, *book.at(Address(match.id, 2)))
    capability_tokens.issue(book, made)
    return play(book, made, ["c1>L@d1"])


def test_variations_are_purged_only_on_request(book, match):
    variation = play(book, fork(book, *book.at(Address(match.id, 2))), ["c1>L@d1"])
    inner = fork(book, *book.at(Address(variation.id, 3)))
    with pytest.raises(Usage, match=variation.id):
        purge.purge(book, match.stream)
    assert book.open(match.id) == match
    gone = purge.purge(book, match.stream, variations=True)
    assert gone == purge.Purged(match.id, (variation.id, inner.id), ())
    assert [*book.matches(), *book.matches(trashed=True)] == []


@pytest.mark.parametrize("kind", ["match", "variation"])
def test_purge_keeps_matches_of_others_intact(book, match, kind):
    if kind == "match":
        other = play(book, fork(book, *book.at(Address(match.id, 2)), "match"), ["c1>L@d1"])
    else:
        other = strangers(book, match)
    before = [ply.event for ply in other.match.line]
    assert purge.purge(book, match.stream).left == (other.id,)
    with pytest.raises(UnknownMatch):
        book.open(match.id)
    there = book.open(other.id)
    assert [ply.event for ply in there.match.line] == before
    assert [verdict.ok for verdict in verify_all(book)] == [True]
    assert len(book.store.read(match.stream.id)) == 2
    assert standing(book, there) == []
    assert [each.record.id for each in family(book, there)] == [other.id]
    played_on = play(book, there, ["c6>M@c4"])
    assert verify_match(book, played_on.stream).ok
    for form in ("ply", "html", "sheet", "archive"):
        content = export(book, parse(other.id), form)
        assert b"Qponmlk" not in content
        if kind == "variation":  # a playable match has its own names
            assert b"Zyxwvut" not in content


def test_strangers_fork_of_a_purged_variation_remains(book, match):
    variation = play(book, fork(book, *book.at(Address(match.id, 2))), ["c1>L@d1", "c6>M@c4"])
    other = strangers(book, book.open(variation.id))
    inner = play(book, fork(book, *book.at(Address(other.id, 3))), ["c6>L@c5"])
    gone = purge.purge(book, match.stream, variations=True)
    assert (gone.variations, gone.left) == ((variation.id,), (other.id,))
    assert {each.id for each in book.matches()} == {other.id, inner.id}
    assert all(verdict.ok for verdict in verify_all(book))
    assert [each.record.id for each in family(book, inner)] == [other.id, inner.id]


def test_remaining_variation_keeps_its_visibility(book, match):
    visibility.set_visibility(book, match, "private")
    other = strangers(book, match)
    purge.purge(book, match.stream)
    assert visibility.visibility_of(book, book.open(other.id)) == "private"
    assert "Seat1" not in book.facts(book.open(other.id))


def test_archive_of_a_remaining_fork_is_importable(book, match):
    other = strangers(book, match)
    purge.purge(book, match.stream)
    archive = write_archive(book, book.open(other.id))
    assert b"Zyxwvut" not in archive
    assert all(verdict.ok for verdict in verify_archive(io.BytesIO(archive)))
    elsewhere = Book(temporary_store())
    import_archive(elsewhere, io.BytesIO(archive))
    assert verify_match(elsewhere, elsewhere.open(other.id).stream).ok
