"""An erasure leaves nothing in the bytes of the database file and of its write-ahead log."""

from __future__ import annotations

import contextlib
import shutil
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from domain.games import built_in
from replay.access import capability_tokens
from replay.annotations.current import remarks
from replay.annotations.editing import annotate, edit, erase, retract
from replay.annotations.notation import Wording
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
from replay.tags.people import tag
from replay.upkeep.backup import back_up, restore
from replay.upkeep.purge import purge as purge_match
from tests.replay.store.internals import submit
from tests.replay.store.streams import events, new
from tests.replay.store.streams import match as new_match
from tests.verification import verify_all
from tests.waiting import eventually

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


def former_name(book: Book) -> None:
    """Let a player have another name, and erase it: the former one goes with it."""
    match = opened(book, MARK)
    tag(book, match, {"Seat1": "Jet"})
    derive(book)
    tag(book, match, {"Seat1": ""})


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
    "former name": former_name,
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


@contextlib.contextmanager
def uncleaned() -> Iterator[None]:
    """Let erasures wait for their cleanup; only the log is truncated."""
    with pytest.MonkeyPatch.context() as held:
        held.setattr(Cleaning, "_clean", lambda *_: None)
        yield


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a clean-up begin without a minute of rest."""
    monkeypatch.setattr(erasure, "REST", 0.0)


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


@pytest.mark.usefixtures("at_once")
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


@pytest.mark.usefixtures("at_once")
def test_erasures_by_another_process_are_noticed(store, path):
    stream = new_match(store, 1)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute(erasure.SCHEDULE)
        other.commit()
    store.append(stream.id, 1, events(1)).result()
    eventually(lambda: owed(path) == 0)


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
    tag(book, match, {"Seat1": ""})  # the answer is a success, though the log has to wait
    assert found(path)
    reader.close()
    eventually(lambda: not found(path))


def erase_tag(store: Store, stream: int) -> None:
    store.set_metadata(stream, {"Event": MARK}).result()
    store.set_metadata(stream, {"Event": None}).result()


def vacuums(store: Store) -> list[str]:
    """Return the list to which each `VACUUM` of a store is added."""
    seen: list[str] = []

    def trace(statement: str) -> None:
        if statement == "VACUUM":
            seen.append(statement)

    submit(store, lambda connection: connection.set_trace_callback(trace)).result()
    return seen


@pytest.mark.usefixtures("at_once")
def test_one_cleanup_serves_all_erasures_of_an_hour(store, path):
    seen, stream = vacuums(store), new_match(store).id
    erase_tag(store, stream)
    eventually(lambda: owed(path) == 0)
    cleaned = len(seen)  # one, or two if the look at the file kept its log from being truncated
    assert cleaned
    erase_tag(store, stream)
    erase_tag(store, stream)
    time.sleep(0.1)
    assert len(seen) == cleaned
    assert owed(path) == 2
    store.close()
    assert owed(path) == 0


def test_cleanup_waits_for_a_rest(store, path):
    seen, stream = vacuums(store), new_match(store).id
    erase_tag(store, stream)
    time.sleep(0.1)
    assert not seen
    assert owed(path) == 1


def test_waiting_write_stops_the_cleanup(path):
    with contextlib.closing(open_store(path)) as store:
        stream = new_match(store).id
        store.set_metadata(stream, {"Event": "x" * 2_000_000}).result()
        cleaning = Cleaning(path, Files(path))
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            cleaning.schedule(connection)
            cleaning.after_commit(connection)
            asked: list[None] = []
            with pytest.MonkeyPatch.context() as often:
                often.setattr(erasure, "CHECK_INTERVAL", 10)
                cleaning.rest(connection, lambda: asked.append(None) is None)
            assert asked
            assert cleaning.pending
            cleaning.rest(connection, lambda: False)
            assert not cleaning.pending


def test_full_disk_leaves_the_cleanup_due(store, path, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr(erasure, "has_room", lambda _: False)
        erase_tag(store, new_match(store).id)
        store.close()
    assert owed(path) == 1


def test_command_beside_a_server_leaves_the_cleanup_to_it(store, path):
    with contextlib.closing(open_store(path)) as other:
        erase_tag(other, new_match(other).id)
    assert owed(path) == 1
    new_match(store)
    store.close()
    assert owed(path) == 0


def test_compaction_cleans_up_beside_others(store, path):
    with contextlib.closing(open_store(path)) as other:
        erase_tag(other, new_match(other).id)
        since = other.erasure_due()
        assert abs(time.time() * 1000 - since) < 60_000
        assert other.compact() is None
    assert owed(path) == 0
    assert store.erasure_due() is None
