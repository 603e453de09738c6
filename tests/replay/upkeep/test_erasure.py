"""An erasure leaves nothing in the bytes of the database file and of its write-ahead log."""

from __future__ import annotations

import contextlib
import shutil
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.games import built_in
from replay.access import capability_tokens
from replay.annotations import Wording, annotate, edit, erase, remarks, retract
from replay.book import Book
from replay.branches.forks import fork, rename
from replay.errors import Usage
from replay.library import indexes, text_search
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import open_store
from replay.store.sql.store import Store
from replay.store.sqlite import erasure
from replay.store.sqlite.driver import sqlite3
from replay.store.sqlite.erasure import Cleaning
from replay.store.sqlite.replaced_files import Files
from replay.store.types import Text
from replay.tags.match_tags import tag
from replay.upkeep.backup import back_up, restore
from replay.upkeep.purge import purge as purge_match
from tests.replay.store.internals import submit
from tests.replay.store.streams import events, new
from tests.replay.store.streams import match as new_match
from tests.verification import verify_all

MARK = "Zyxwvutqponmlk"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = open_store(path)
    yield opened
    opened.close()


def found(path: Path) -> list[str]:
    """Return the files that still contain the mark, as written or folded for search."""
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    return [file.name for file in files if MARK.lower().encode() in file.read_bytes().lower()]


def opened(book: Book, name: str = MARK) -> MatchRecord:
    match = open_match(book, built_in("poptrix"), players={1: name})
    return play(book, match, ["M@c1", "S@c6", "c1>L@c3"])


def commented(book: Book) -> tuple[MatchRecord, str]:
    match = opened(book, "Jet")
    return match, annotate(book, match, 1, Wording(MARK))[0].id


def purge(book: Book) -> None:
    match = opened(book)
    annotate(book, match, 2, Wording(f"said {MARK}"))
    play(book, fork(book, *book.at(Address(match.id, 1)), name=MARK), ["S@a6"])
    derive(book)
    purge_match(book, match.stream, variations=True)


def purge_beside_a_stranger(book: Book) -> None:
    match = opened(book)
    annotate(book, match, 1, Wording(f"said {MARK}"))
    capability_tokens.issue(book, fork(book, *book.at(Address(match.id, 1))))
    derive(book)
    assert purge_match(book, match.stream).left


def retag(name: str, value: str, player: str = "Jet") -> Callable[[Book], None]:
    """Return a function that sets a tag to the mark, and then to another value."""

    def retagged(book: Book) -> None:
        match = opened(book, player)
        tag(book, match, {name: MARK})
        derive(book)
        tag(book, match, {name: value})

    return retagged


def fork_name(book: Book) -> None:
    made = fork(book, *book.at(Address(opened(book, "Jet").id, 1)), name=MARK)
    derive(book)
    rename(book, made, "")


def comment(book: Book) -> None:
    match, key = commented(book)
    derive(book)
    erase(book, match, key)


def edited_comment(book: Book) -> None:
    match, key = commented(book)
    edit(book, match, key, Wording("milder"))
    derive(book)
    erase(book, match, key)


def retracted_comment(book: Book) -> None:
    match, key = commented(book)
    retract(book, match, key)
    erase(book, match, key)


def comment_reworded_in_a_fork(book: Book) -> None:
    match = opened(book, "Jet")
    key = annotate(book, match, 1, Wording("mild"))[0].id
    made = fork(book, *book.at(Address(match.id, 2)))
    edit(book, made, key, Wording(MARK))
    derive(book)
    with pytest.raises(Usage, match="erase it there"):
        erase(book, made, key)
    erase(book, match, key)


WAYS = {
    "purge": purge,
    "purge with a fork of a stranger": purge_beside_a_stranger,
    "name": retag("Seat1", "", MARK),
    "another name": retag("Seat1", "Jet", MARK),
    "tag": retag("Event", ""),
    "name of a fork": fork_name,
    "comment": comment,
    "edited comment": edited_comment,
    "retracted comment": retracted_comment,
    "comment edited in a fork": comment_reworded_in_a_fork,
}


def with_copies(path: Path) -> Store:
    """Open a book with copies of erased words between rows, as SQLite leaves some when it splits.

    Which pages keep copies depends on SQLite's version, so the copies are written by hand.
    """
    with contextlib.closing(open_store(path)) as store:
        for number in range(60):
            event = f"kept{number}" + "y" * 900
            stream = store.create(new(), metadata={"Event": event}).result()
            store.index(stream.id, [Text("tag", "Event", event)], 0, {"Event": event}).result()
    write_into_gaps(path)
    store = open_store(path)
    store.set_metadata(stream.id, {"Event": None}).result()
    return store


def write_into_gaps(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for begin in range(4096, len(data), 4096):
        kind, _, cells, end = struct.unpack_from(">BHHH", data, begin)
        if kind in (10, 13) and end - 2 * cells > 100:  # leaves of indexes and tables
            data[begin + end - 30 : begin + end - 30 + len(MARK)] = MARK.encode()
    path.write_bytes(data)


def write_facts_again(connection: sqlite3.Connection) -> None:
    """Swap the case of each fact: the value keeps its length, so it needs no gap."""
    connection.execute(
        "UPDATE facts SET value = CASE value WHEN lower(value) THEN upper(value) "
        "ELSE lower(value) END"
    )


def copied(path: Path) -> Path:
    """Copy a database and its log in their present state, as a killed program leaves them."""
    killed = path.with_name("killed.db")
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{path}{suffix}", f"{killed}{suffix}")
    return killed


def owed(path: Path) -> int:
    """Return the number of erasures that are still to be cleaned up after."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT count(*) FROM erasures").fetchone()[0]


def complaints(path: Path) -> list[str]:
    """Return what SQLite says about the pages of a file."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("PRAGMA integrity_check")]


def eventually(happens: Callable[[], bool]) -> None:
    for _ in range(400):
        if happens():
            return
        time.sleep(0.05)
    pytest.fail("it did not happen")


@contextlib.contextmanager
def uncleaned() -> Iterator[None]:
    """Let erasures wait for their cleanup."""
    with pytest.MonkeyPatch.context() as held:
        held.setattr(Cleaning, "step", lambda *_: None)
        yield


def derive(book: Book) -> None:
    """Index everything, as a server does."""
    text_search.refresh(book)
    indexes.catch_up_positions(book)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_erased_texts_leave_no_trace(store, path, way):
    book = Book(store)
    kept = opened(book, "Blue")
    way(book)
    assert found(path) == []  # while the store is open
    derive(book)
    assert list(text_search.find(book, MARK)) == []
    assert all(verdict.ok for verdict in verify_all(book))
    assert book.open(kept.id).match == kept.match
    store.close()
    assert found(path) == []


def test_erased_comment_leaves_the_others_unchanged(store):
    book = Book(store)
    match, key = commented(book)
    annotate(book, match, 1, Wording("stays"), author="Teal")
    before = [each for each in remarks(book, match) if each.id != key]
    erase(book, match, key)
    assert remarks(book, match) == before
    annotate(book, match, 1, Wording("after"))
    assert len(remarks(book, match)) == 2


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_erasure_is_due_until_its_cleanup(store, path, way):
    with uncleaned():
        way(Book(store))
        killed = copied(path)
    store.close()
    assert owed(path) == 0
    assert owed(killed) > 0
    open_store(killed).close()
    assert owed(killed) == 0


def test_copies_on_split_pages_are_overwritten(store, path):
    random = Random(1)
    streams = [new_match(store, 2) for _ in range(40)]
    for number in range(150):
        facts = {f"Tag{random.randrange(4)}": f"{MARK}{number}" + "y" * random.randrange(300)}
        stream = random.choice(streams).id
        store.set_metadata(stream, facts).result()
        texts = [Text("tag", *fact) for fact in store.metadata(stream).items()]
        store.index(stream, texts, 0, store.metadata(stream)).result()
    for stream in streams:
        store.set_metadata(stream.id, dict.fromkeys(store.metadata(stream.id))).result()
    store.close()
    assert found(path) == []
    assert complaints(path) == ["ok"]


def test_reopening_erases_copies_left_by_a_kill(path):
    with uncleaned():
        store = with_copies(path)
        killed = copied(path)
        assert found(killed) == [killed.name]
    store.close()
    reopened = open_store(killed)  # without a write
    eventually(lambda: not found(killed))
    reopened.close()
    assert found(killed) == []
    assert complaints(killed) == ["ok"]


def test_older_search_index_keeps_no_erased_words(store, path):
    older = "INSERT INTO texts_fts (texts_fts, rank) VALUES ('secure-delete', 0)"
    submit(store, lambda connection: connection.execute(older)).result()
    texts = [Text("tag", "Event", MARK)]
    streams = [store.create(new(), metadata={"Event": MARK}).result().id for _ in range(3)]
    for stream in streams:
        store.index(stream, texts, 0, {"Event": MARK}).result()
    for stream in streams:
        store.set_metadata(stream, {"Event": None}).result()
    store.close()
    assert found(path) == []


def test_cleanup_looks_at_few_pages_a_step(path, monkeypatch):
    looked: list[int] = []
    scan = erasure.Pages.scan

    def watched(self: erasure.Pages, first: int) -> tuple[int, list[int]]:
        following, numbers = scan(self, first)
        looked.append(following - first)
        return following, numbers

    monkeypatch.setattr(erasure, "SCAN_PAGES", 8)
    monkeypatch.setattr(erasure.Pages, "scan", watched)
    with_copies(path).close()
    assert max(looked) == 8
    assert sum(looked) >= path.stat().st_size // 4096 - 1
    assert found(path) == []


def test_own_cache_restores_no_erased_text(path):
    with uncleaned():
        store = with_copies(path)
        submit(store, write_facts_again).result()  # it has the pages in its cache now
    eventually(lambda: owed(path) == 0)
    submit(store, write_facts_again).result()
    store.close()
    assert found(path) == []


def test_cache_of_another_process_restores_no_erased_text(path, monkeypatch):
    overwrite = erasure.Pages.overwrite

    def read_before(self: erasure.Pages, numbers: list[int]) -> None:
        other.execute("SELECT stream, max(value) FROM facts GROUP BY stream").fetchall()
        overwrite(self, numbers)

    monkeypatch.setattr(erasure.Pages, "overwrite", read_before)
    # After all pages were overwritten and before the clean-up ends:
    monkeypatch.setattr(erasure.Pages, "sync", lambda _: write_facts_again(other))
    with uncleaned():
        store = with_copies(path)
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    eventually(lambda: owed(path) == 0)
    other.close()
    store.close()
    assert found(path) == []
    assert complaints(path) == ["ok"]


def test_erasures_by_another_process_are_noticed(store, path):
    stream = new_match(store, 1)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute(erasure.SCHEDULE)
        other.commit()
    store.append(stream.id, 1, events(1)).result()
    eventually(lambda: owed(path) == 0)


def test_cleanup_leaves_most_time_to_the_writer(store, path, monkeypatch):
    monkeypatch.setattr(Cleaning, "_clean", lambda *_: iter(lambda: time.sleep(0.05) or 0, 1))
    clean_up = Cleaning(path, Files(path))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        clean_up.schedule(connection)
        clean_up.step(connection)
        assert clean_up.wait > 20 * 0.05


def test_quick_erasures_share_a_cleanup(store, monkeypatch):
    begun: list[None] = []
    clean = Cleaning._clean

    def watched(self: Cleaning, connection: sqlite3.Connection) -> Iterator[float]:
        begun.append(None)
        yield 10.0  # seconds to leave the writer alone
        yield from clean(self, connection)

    monkeypatch.setattr(Cleaning, "_clean", watched)
    stream = new_match(store).id
    for _ in range(20):
        store.set_metadata(stream, {"Event": MARK}).result()
        store.set_metadata(stream, {"Event": None}).result()
    store.close()
    assert len(begun) == 1


def test_backup_has_no_bytes_of_an_erasure(path):
    with uncleaned():
        store = with_copies(path)
        assert found(path)
        backup = path.with_name("backup.db")
        back_up(path, backup)
        assert found(backup) == []
        assert complaints(backup) == ["ok"]
    store.close()


def test_restored_book_is_cleaned_up(path):
    with uncleaned():
        store = with_copies(path)
        killed = copied(path)  # by another program than Plybook
    store.close()
    restored = path.with_name("restored.db")
    restore(restored, killed)
    open_store(restored).close()
    assert found(restored) == []


def test_reader_delays_only_the_cleanup(store, path):
    book = Book(store)
    match = opened(book)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM facts").fetchone()
    tag(book, match, {"Seat1": ""})  # the answer is a success, though the cleaning has to wait
    assert found(path)
    reader.close()
    eventually(lambda: not found(path))


def test_cleanup_waits_for_no_other_writer(path, monkeypatch):
    waited: list[int] = []
    overwrite = Cleaning._overwrite

    def watched(self: Cleaning, connection: sqlite3.Connection, *found: Any) -> bool:
        waited.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
        return overwrite(self, connection, *found)

    monkeypatch.setattr(Cleaning, "_overwrite", watched)
    store = with_copies(path)
    eventually(lambda: bool(waited))
    store.close()
    assert waited[0] == 0


def test_file_with_pointer_maps_is_not_overwritten(tmp_path):
    path = tmp_path / "maps.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA auto_vacuum = FULL; CREATE TABLE t (x)")
    with closing(erasure.Pages(path)) as pages:
        assert pages.count() == 0
