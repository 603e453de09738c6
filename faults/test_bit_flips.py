"""A bit of a database or an archive flips: count found, harmless and missed flips."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from domain.games import BUILT_IN, built_in
from faults.verification import complaints
from replay.book import Book
from replay.errors import BadLine
from replay.formats.archive.reader import verify_archive
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store import open_store, temporary_store
from replay.store.sqlite.driver import ERRORS, sqlite3
from replay.tags.people import tag
from tests.replay.formats.archive.families import archived, family

pytestmark = [pytest.mark.slow, pytest.mark.faults]

FOUND, HARMLESS, MISSED = "found", "harmless", "missed"
OUTSIDE: Final = "not found outside of the log"
"""Values that no hash covers as they may change: names, tags, tokens and derived data."""
RECORDED: Final = ("events", "sealed", "streams", "people", "people_texts", "people_heads")
"""The tables of the log. A stream's `trashed` does not belong to it."""
STREAM: Final = (
    "id, public_id, kind, header, subject, parent_id, fork_version, fork_ply, origin, head, "
    "head_hash"
)
Content = dict[str, list[tuple[Any, ...]]]


class Subject(NamedTuple):
    """An original file, and the check of a copy of it."""

    name: str
    whole: bytes
    judge: Callable[[bytes], str]


def test_no_flipped_bit_of_the_log_goes_unnoticed(tmp_path, budget, figures):
    rng, census, missed = Random(), Counter[str](), 0
    subjects = [database(tmp_path / "book.db", rng), *archives(rng)]
    for subject in subjects:
        assert subject.judge(subject.whole) == HARMLESS
    databases, others = subjects[:1], subjects[1:]
    while budget.left > 0:
        subject = rng.choice(rng.choice((databases, others)))
        place, bit = rng.randrange(len(subject.whole)), rng.randrange(8)
        flipped = bytearray(subject.whole)
        flipped[place] ^= 1 << bit
        verdict = subject.judge(bytes(flipped))
        census[f"{subject.name} {verdict}"] += 1
        if verdict.startswith(MISSED):
            missed += 1
            (tmp_path / f"missed {place} {bit}").write_bytes(flipped)
    figures("bit flips", flips=census.total(), missed=missed, **dict(sorted(census.items())))
    assert not missed


def database(path: Path, rng: Random) -> Subject:
    """Return a database with matches of every game and with everything that belongs to them."""
    with closing(open_store(path)) as store:
        book = Book(store)
        for slug in BUILT_IN:
            tag(book, family(book, built_in(slug), rng.randrange(1000)), {"Event": "An evening"})
        rolled = open_match(book, built_in("blockade"), dice="service")
        entering.play(book, rolled, ["roll"])
        sealed = open_match(book, built_in("pyramid-ball"))
        entering.play(book, sealed, ["1:S=FR.,M=..F,L=LLF"])
    written = read_content(path)

    def judge(flipped: bytes) -> str:
        for leftover in path.parent.glob(f"{path.name}-*"):
            leftover.unlink()
        path.write_bytes(flipped)
        if next(complaints(path), None):
            return FOUND
        return difference(written, read_content(path))

    return Subject("in databases", path.read_bytes(), judge)


def archives(rng: Random) -> Iterator[Subject]:
    """Yield an archive of each game."""
    book = Book(temporary_store())
    for slug in BUILT_IN:
        match = family(book, built_in(slug), rng.randrange(1000))
        archive = archived(book, match)
        yield Subject("in archives", archive, archive_judge(archive))


def archive_judge(archive: bytes) -> Callable[[bytes], str]:
    def judge(flipped: bytes) -> str:
        try:
            verify_archive(io.BytesIO(flipped))
        except BadLine:
            return FOUND
        same = [*map(json.loads, flipped.splitlines())] == [*map(json.loads, archive.splitlines())]
        return HARMLESS if same else MISSED

    return judge


def read_content(path: Path) -> Content:
    """Return the rows of a database, its schema, and whether its indexes fit."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        rows = {
            "schema": "SELECT name, sql FROM sqlite_schema",
            "indexes": "PRAGMA integrity_check",
        }
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        for (name,) in connection.execute(tables).fetchall():
            rows[name.decode()] = f'SELECT * FROM "{name.decode()}"'
        rows["streams"] = f"SELECT {STREAM} FROM streams"
        rows["trash"] = "SELECT id, trashed FROM streams"
        return {name: _rows(connection, query) for name, query in rows.items()}


def _rows(connection: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    try:
        return connection.execute(query).fetchall()
    except ERRORS as error:
        return [(str(error),)]


def difference(written: Content, found: Content) -> str:
    changed = {name for name in written.keys() | found.keys() if written[name] != found.get(name)}
    if not changed:
        return HARMLESS
    if changed & set(RECORDED):
        return f"{MISSED} in {min(changed & set(RECORDED))}"
    return f"{OUTSIDE} ({min(changed)})"
