"""Verifying a match compares its stored columns with its header."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from domain.games import built_in
from replay import match_batches, processes
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.errors import Damaged
from replay.record.addresses import Address
from replay.referee import entering
from replay.referee.opening import open_match
from replay.referee.verification import Verified
from replay.store import open_store
from tests.replay.store.tampering import run_unguarded
from tests.verification import verify_all


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A match (stream 1), its annotations (stream 2) and its fork (stream 3)."""
    made = tmp_path / "book.db"
    with closing(open_store(made)) as store:
        book = Book(store)
        match = open_match(book, built_in("poptrix"))
        match = entering.play(book, match, ["M@c1", "S@c6"])
        annotate(book, match, 1, Wording(comment="far from home"), author="Jet")
        fork(book, *book.at(Address(match.id, 1)), "match")
    assert all(verdict.ok for verdict in verify(made))
    return made


def verify(database: Path) -> list[Verified]:
    with closing(open_store(database)) as store:
        return list(verify_all(Book(store)))


def damage(database: Path, stream: int, column: str, value: int) -> None:
    run_unguarded(database, f"UPDATE streams SET {column} = {value} WHERE id = {stream}")


@pytest.mark.parametrize(
    ("stream", "column", "value", "told"),
    [
        (1, "fork_version", 0, "it is stored at another fork than its header names"),
        (1, "fork_ply", 0, "it is stored at another fork than its header names"),
        (3, "fork_ply", 0, "it is stored at another fork than its header names"),
        (2, "fork_version", 0, "the annotations are stored as a fork"),
        (2, "fork_ply", 1, "the annotations are stored as a fork"),
    ],
)
def test_stream_stored_as_a_different_fork_is_found(database, stream, column, value, told):
    damage(database, stream, column, value)
    faults = [verdict.fault for verdict in verify(database) if not verdict.ok]
    assert len(faults) == 1
    assert told in faults[0]


def test_several_processes_find_the_same_in_order(database, monkeypatch):
    with closing(open_store(database)) as store:
        book = Book(store)
        for _ in range(7):
            entering.play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6"])
    damage(database, 3, "fork_ply", 0)
    alone = verify(database)
    assert [verdict.ok for verdict in alone].count(False) == 1
    monkeypatch.setattr(match_batches, "MANY", 0)
    monkeypatch.setattr(match_batches, "BATCH", 3)
    monkeypatch.setattr(processes, "processors", lambda: 2)
    assert verify(database) == alone


def test_annotations_under_another_id_are_found(database):
    run_unguarded(database, "UPDATE streams SET public_id = 'zzzz' WHERE id = 2")
    (fault,) = [verdict.fault for verdict in verify(database) if not verdict.ok]
    assert fault == "the annotations belong to another match"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE events SET version = 77 WHERE version = 1", "it lacks version 1"),
        (
            "UPDATE sealed SET payload = (SELECT payload FROM sealed ORDER BY event DESC LIMIT 1)",
            "the content of its sealed version 1 does not match its commitment",
        ),
        (
            "UPDATE sealed SET event = 3 WHERE event = 1",
            "the content of its sealed version 3 does not match its commitment",
        ),
    ],
)
def test_damaged_log_cannot_be_read(tmp_path, change, told):
    made = tmp_path / "book.db"
    with closing(open_store(made)) as store:
        book = Book(store)
        match = open_match(book, built_in("pyramid-ball"))
        entering.play(book, match, ["1:S=FR.,M=..F,L=LLF", "2:S=LFF,M=RFF,L=RFB", "1:resign"])
    run_unguarded(made, change)
    with closing(open_store(made)) as store, pytest.raises(Damaged, match=told):
        Book(store).open(match.id)
