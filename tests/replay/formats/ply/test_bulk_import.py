"""Many records in one pass: by one process or several, indexed, and skipped when known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from domain.games import built_in
from replay import processes
from replay.annotations import editing
from replay.annotations.current import remarks
from replay.book import Book
from replay.formats import text_formats
from replay.formats.import_bounds import UNBOUNDED, Bounds
from replay.formats.ply import bulk_import
from replay.formats.ply.bulk_import import BulkImport, ImportResult
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import export_record, write_record
from replay.library.indexes import catch_up_positions
from replay.store import open_store, temporary_store
from replay.tags.people import tag
from replay.upkeep.reindex import compare
from tests.replay.random_records import random_text
from tests.verification import verify_all

COMMENTED = "".join(
    path.read_text(encoding="utf-8") for path in sorted(Path("fixtures").glob("*/commented.ply"))
)
GAME = '[Game "poptrix"]\n\n'
BAD = GAME + "1. Z@z9 *\n\n"


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with closing(open_store(tmp_path / "book.db")) as store:
        yield Book(store)


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two processes referee, whatever the size of the text."""
    monkeypatch.setattr(processes, "processors", lambda: 2)
    monkeypatch.setattr(bulk_import, "MANY", 0)
    monkeypatch.setattr(text_formats, "SIZE", 1000)


def imports(
    book: Book, *texts: str, bounds: Bounds = UNBOUNDED, again: bool = False
) -> list[ImportResult]:
    with BulkImport(book, bounds, again=again) as bulk:
        found = [
            result
            for number, text in enumerate(texts, 1)
            for result in bulk.add(f"{number}.ply", BytesIO(text.encode()))
        ]
        return found + list(bulk.finish())


def test_several_processes_import_records_of_every_game(book, apart):
    results = imports(book, COMMENTED)
    records = [each for each in read_records(COMMENTED) if isinstance(each, Record)]
    assert [each.record for each in results] == list(range(1, len(records) + 1))
    for result, record in zip(results, records, strict=True):
        if not result.left_out:
            assert export_record(book, book.open(result.match)) == write_record(record)
    assert all(verdict.ok for verdict in verify_all(book))
    store = book.store
    assert store.summaries_due() == store.texts_due() == []
    catch_up_positions(book)
    assert not any(each.differ or each.errors for each in compare(book))


def test_several_processes_report_faults_and_files_in_order(book, apart):
    text = BAD + COMMENTED + BAD
    alone = imports(Book(temporary_store()), text, "", BAD)
    results = imports(book, text, "", BAD)
    assert [(each.file, each.record, each.faults) for each in results] == [
        (each.file, each.record, each.faults) for each in alone
    ]
    serial = [each for each in read_records(text) if isinstance(each, RecordFault)]
    assert [each.faults[0] for each in results if each.faults][: len(serial)] == serial
    assert [each.faults[0].message[:24] for each in results[-2:]] == [
        "the text has no record; ", serial[0].message[:24],
    ]  # fmt: skip


@pytest.mark.parametrize("bounds", [Bounds(events=100), Bounds(variations=7), Bounds(depth=1)])
def test_limits_of_a_text_are_exact_across_chunks(book, apart, bounds):
    text = "".join(random_text(built_in("poptrix"), seed) for seed in range(12))
    results = imports(book, text, text, bounds=bounds)
    serial = list(read_records(text, bounds))
    faults = [each if isinstance(each, RecordFault) else None for each in serial]
    assert any(faults)
    assert [each.faults[0] if each.faults else None for each in results] == faults * 2


def test_record_is_recognised_by_its_content(book):
    record = '[Game "poptrix"]\n[Site "Home"]\n\n1. M@c1 {first} *\n\n'
    spaced = '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Site "Home"]\n\n1.   M@c1 { first }\n*\n'
    other = record.replace("first", "better")
    first, twin, different = imports(book, record + record + other)
    assert (twin.match, twin.known, different.known) == (first.match, True, False)
    (later,) = imports(book, spaced)
    assert (later.match, later.known) == (first.match, True)
    assert not any(each.known for each in imports(book, record + record, again=True))
    assert len(list(book.store.matches())) == 4


def test_trashed_record_is_recognised_but_purged_is_not(book):
    (made,) = imports(book, GAME + "1. M@c1 *\n")
    stream = book.store.find(made.match)
    book.store.trash(stream.id).result()
    assert imports(book, GAME + "1. M@c1 *\n")[0].known
    book.store.purge(stream.id).result()
    assert not imports(book, GAME + "1. M@c1 *\n")[0].known


def test_erased_text_cannot_be_guessed_by_the_digest(book):
    named = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n1. M@c1 (1. M@b1 {mine}) {yours} *\n'
    for erase in (
        lambda match: tag(book, match, {"Seat1": ""}),
        lambda match: editing.erase(book, match, remarks(book, match)[0].id),
        lambda match: editing.erase(
            book,
            variation := book.read(book.store.forks(match.stream.id)[0]),
            remarks(book, variation)[-1].id,
        ),
    ):
        (made,) = imports(book, named)
        assert not made.known
        erase(book.open(made.match))
        facts = book.store.metadata(book.store.find(made.match).id)
        assert not any("imported" in name for name in facts)
    (made,) = imports(book, named)
    tag(book, book.open(made.match), {"Site": "Home"})  # this erases no text
    assert imports(book, named)[0].known


def test_interrupted_import_continues_where_it_stopped(book, apart):
    text = Path("fixtures/poptrix/games.ply").read_text(encoding="utf-8")

    def lines() -> Iterator[bytes]:
        yield from BytesIO(text.encode()[:15_000])
        raise KeyboardInterrupt

    def interrupted() -> None:
        with BulkImport(book, UNBOUNDED) as bulk:
            for result in bulk.add("games.ply", lines()):
                assert result.match in {stream.public_id for stream in book.store.matches()}

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    book.store.probe().result()  # after earlier writes
    first = {stream.public_id for stream in book.store.matches()}
    assert 0 < len(first) < 60
    results = imports(book, text)
    assert {each.match for each in results if each.known} == first
    assert len(results) == len({each.match for each in results}) == 60
    assert len(list(book.store.matches())) == 60
