"""An import above the limits is refused where the excess begins, however deeply nested."""

from __future__ import annotations

import io
from contextlib import closing

import pytest

from domain.games import built_in
from replay.book import Book
from replay.branches.forks import fork
from replay.errors import BadLine
from replay.formats.archive.reader import read_archive
from replay.formats.archive.writer import write_archive
from replay.formats.import_bounds import Bounds
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import read_records
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import temporary_store

HEAD = '[Game "poptrix"]\n\n'
BESIDE = HEAD + "M@c1 (M@b1) (M@d1) *\n\n"
DEEP = HEAD + "M@c1 (M@b1 (M@d1)) *\n\n"


def fault(text: str, **bounds: int) -> tuple[int, str, int, int]:
    last = list(read_records(text, Bounds(**bounds)))[-1]
    assert isinstance(last, RecordFault), last
    return last.record, last.clause, last.line, last.column


@pytest.mark.parametrize("text", [BESIDE, DEEP])
def test_import_up_to_the_limits_is_read(text):
    (record,) = read_records(text, Bounds(variations=2, depth=2, events=3))
    assert isinstance(record, Record)


def test_first_variation_or_event_beyond_is_named():
    assert fault(BESIDE, variations=1) == (1, "bound", 3, 13)
    assert fault(DEEP, depth=1) == (1, "bound", 3, 12)
    assert fault(BESIDE, events=2) == (1, "bound", 3, 14)


def test_limits_apply_to_all_records_of_a_text():
    assert fault(BESIDE * 3, variations=5) == (3, "bound", 11, 13)
    assert fault(HEAD + "M@c1 *\n\n" + HEAD + "M@c1 S@c6 *", events=2) == (2, "bound", 7, 6)


@pytest.mark.parametrize("bounds", [Bounds(), Bounds(depth=16), Bounds(variations=100)])
@pytest.mark.parametrize("text", ["(M@b1 " * 100_000, "(" * 100_000, ")" * 100_000])
def test_nesting_of_any_depth_is_refused_without_failing(text, bounds):
    (found,) = read_records(f"{HEAD}M@c1 {text}", bounds)
    assert isinstance(found, RecordFault)
    assert found.clause in ("syntax", "bound")


def archive() -> bytes:
    """An archive of a match with two forks, one of them forked again."""
    store = temporary_store()
    book = Book(store)
    match = play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6"])
    child = play(book, fork(book, *book.at(Address(match.id, 1))), ["S@a6"])
    play(book, fork(book, *book.at(Address(child.id, 1))), ["S@b6"])
    fork(book, *book.at(Address(match.id, 1)), "match")
    written = write_archive(book, match)
    store.close()
    return written


@pytest.mark.parametrize(
    ("bounds", "most"),
    [
        (Bounds(variations=2), "at most 2 variations"),
        (Bounds(depth=1), "at most 1 deep"),
        (Bounds(events=3), "at most 3 events"),
    ],
)
def test_archive_has_the_same_limits(bounds, most):
    with pytest.raises(BadLine, match=most):
        read_archive(io.BytesIO(archive()), bounds)
    with closing(read_archive(io.BytesIO(archive()), Bounds(3, 2, 4))) as read:
        assert len(read.matches) == 4
