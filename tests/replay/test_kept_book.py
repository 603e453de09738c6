"""Matches whose game is not installed: read, exported, verified and imported as they are."""

from __future__ import annotations

import io
from contextlib import closing

import msgspec
import pytest

from replay import registry
from replay.book import Book
from replay.errors import Damaged, UnknownRuleset
from replay.formats.archive.importer import import_archive
from replay.formats.archive.reader import verify_archive
from replay.formats.archive.writer import write_archive
from replay.formats.export_formats import export
from replay.kept_book import KeptBook, is_kept, needs
from replay.library.indexes import catch_up_positions, with_summaries
from replay.reading import timeline
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import temporary_store
from replay.store.types import SummaryFilter
from replay.upkeep.reindex import reindex
from tests.replay.formats.archive.families import archived, family, forged, unmarked
from tests.verification import verify_all

GAMES = ("poptrix", "power-play", "blockade", "cube-pyramid", "pyramid-ball", "score-sheet")
OPEN = [slug for slug in GAMES if slug != "pyramid-ball"]


@pytest.fixture
def without(monkeypatch):
    """A function that takes a game away, and one that brings it back."""
    find = registry.find

    def take(slug: str) -> None:
        def missing(name: str):
            if name.partition("/")[0] == slug:
                raise UnknownRuleset(f"the game {slug!r} is not installed")
            return find(name)

        monkeypatch.setattr(registry, "find", missing)

    take.back = lambda: monkeypatch.setattr(registry, "find", find)
    return take


@pytest.fixture
def other():
    with closing(temporary_store()) as store:
        yield Book(store)


def test_reindex_keeps_what_only_the_game_derives(book, without):
    record = family(book, registry.find("poptrix"), 1)
    reindex(book)
    stored = book.store.summary(record.stream.id), book.store.indexed_match(record.stream.id)
    without("poptrix")
    reindex(book)
    again = book.store.summary(record.stream.id), book.store.indexed_match(record.stream.id)
    assert again == stored
    assert None not in stored


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_kept_match_is_read_as_stored(book, without, slug, seed):
    record = family(book, registry.find(slug), seed)
    catch_up_positions(book)
    entries = list(timeline.entries(record))
    without(slug)
    kept = KeptBook(Book(book.store)).open(record.id)
    assert is_kept(kept)
    assert needs(kept).endswith(f"the ruleset {slug}/1")
    for one, other in zip(timeline.entries(kept), entries, strict=True):
        assert (one.version, one.seat, one.type, one.hash) == (
            other.version, other.seat, other.type, other.hash,
        )  # fmt: skip
        if other.type == "moved" and other.version not in record.secrets and slug != "pyramid-ball":
            assert one.text == other.text
    list(timeline.log(kept))
    timeline.point(kept, kept.ply())


def test_kept_match_ends_as_it_was_judged(book, without):
    opened = open_match(book, registry.find("score-sheet"), seats=2, options={"rounds": "1"})
    record = play(book, opened, ["1:3", "2:5"])
    catch_up_positions(book)
    without("score-sheet")
    text = export(KeptBook(Book(book.store)), Address(record.id, None, None), "ply").decode()
    assert '[Result "+2"]' in text
    assert text.endswith(" +2\n\n")


@pytest.mark.parametrize("slug", OPEN)
def test_archive_and_record_need_no_game(book, other, without, slug):
    record = family(book, registry.find(slug), 3)
    catch_up_positions(book)
    archive, text = archived(book, record), export(book, Address(record.id, None, None), "ply")
    without(slug)
    kept = KeptBook(Book(book.store))
    assert write_archive(kept, kept.open(record.id)) == archive
    if slug == "poptrix":
        assert export(kept, Address(record.id, None, None), "ply") == text
    assert all(one.ok and "not refereed" in one.note for one in verify_archive(io.BytesIO(archive)))
    imported = import_archive(other, io.BytesIO(archive))
    assert all(one.new and "not refereed: needs" in one.note for one in imported)
    wanted = SummaryFilter(kind="match")
    listed = list(with_summaries(other, other.store.listed(wanted), wanted))
    assert record.id in {one.stream.public_id for one in listed}
    without.back()
    assert all(one.ok and one.note is None for one in verify_all(other))
    assert unmarked(archived(other, other.open(record.id))) == archive


def test_text_record_is_refused_without_indexed_moves(book, other, without):
    record = family(book, registry.find("poptrix"), 1)
    archive = archived(book, record)
    without("poptrix")
    import_archive(other, io.BytesIO(archive))
    kept = KeptBook(other)
    words = [one.text for one in timeline.entries(kept.open(record.id)) if one.type == "moved"]
    assert words[0].startswith("place,size=")
    with pytest.raises(UnknownRuleset, match="an archive has all of it"):
        export(kept, Address(record.id, None, None), "ply")
    with pytest.raises(UnknownRuleset, match="there are ply and archive"):
        export(kept, Address(record.id, None, None), "html")


def test_sealed_moves_stay_sealed(book, without):
    record = family(book, registry.find("pyramid-ball"), 1)
    catch_up_positions(book)
    assert any(stored.sealed for stored in record.log)
    without("pyramid-ball")
    kept = KeptBook(Book(book.store)).open(record.id)
    assert not any(stored.sealed for stored in kept.log)
    secrets = [stored.sealed[16:] for stored in record.log if stored.sealed]
    told = msgspec.json.encode([*timeline.entries(kept), *timeline.log(kept)])
    assert not any(secret in told for secret in secrets)
    with pytest.raises(UnknownRuleset, match="which of its sealed moves are revealed"):
        write_archive(KeptBook(Book(book.store)), kept)


def test_kept_match_accepts_no_entry(book, without):
    record = family(book, registry.find("poptrix"), 1)
    without("poptrix")
    with pytest.raises(UnknownRuleset):
        Book(book.store).open(record.id)


def test_forged_event_of_missing_game_is_refused(book, other, without):
    lines = archived(book, family(book, registry.find("poptrix"), 1)).splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"move":{' in line)
    lines[at] = lines[at].replace(b'"seat":', b'"chair":')
    without("poptrix")
    with pytest.raises(Damaged, match="cannot be read"):
        import_archive(other, io.BytesIO(forged(lines)))
    assert not list(other.store.matches())
