"""An erasure leaves nothing in the bytes of the database file and of its write-ahead log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from domain.games import built_in
from replay.access import capability_tokens
from replay.addresses import Address
from replay.annotations import Wording, annotate, edit, erase, remarks, retract
from replay.book import Book
from replay.branches.forks import fork, rename
from replay.errors import Usage
from replay.library import position_index, text_search
from replay.library.match_tags import tag
from replay.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import open_store
from replay.store.protocol import Store, Text
from replay.store.sqlite import cleaning
from replay.store.sqlite.sqlite_library import sqlite3
from replay.upkeep.purge import purge as purge_match
from replay.upkeep.verification import verify_all
from tests.replay.store.streams import match as new_match

MARK = "Zyxwvutqponmlk"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.db"


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
    play(book, fork(book, Address(match.id, 1), name=MARK), ["S@a6"])
    derive(book)
    purge_match(book, match.stream, variations=True)


def purge_beside_a_stranger(book: Book) -> None:
    match = opened(book)
    annotate(book, match, 1, Wording(f"said {MARK}"))
    capability_tokens.issue(book, fork(book, Address(match.id, 1)))
    derive(book)
    assert purge_match(book, match.stream).left


def name(book: Book) -> None:
    match = opened(book)
    derive(book)
    tag(book, match, {"Seat1": ""})


def another_name(book: Book) -> None:
    match = opened(book)
    derive(book)
    tag(book, match, {"Seat1": "Jet"})


def tagged(book: Book) -> None:
    match = opened(book, "Jet")
    tag(book, match, {"Event": MARK})
    derive(book)
    tag(book, match, {"Event": ""})


def fork_name(book: Book) -> None:
    made = fork(book, Address(opened(book, "Jet").id, 1), name=MARK)
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
    made = fork(book, Address(match.id, 2))
    edit(book, made, key, Wording(MARK))
    derive(book)
    with pytest.raises(Usage, match="erase it there"):
        erase(book, made, key)
    erase(book, match, key)


WAYS = [
    purge,
    purge_beside_a_stranger,
    name,
    another_name,
    tagged,
    fork_name,
    comment,
    edited_comment,
    retracted_comment,
    comment_reworded_in_a_fork,
]


def derive(book: Book) -> None:
    """Index everything, as a server does."""
    text_search.refresh(book)
    position_index.catch_up(book)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_erased_texts_leave_no_trace(store: Store, path: Path, way: Callable[[Book], None]) -> None:
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


def test_an_erased_comment_leaves_the_others_as_they_were(store: Store) -> None:
    book = Book(store)
    match, key = commented(book)
    annotate(book, match, 1, Wording("stays"), author="Teal")
    before = [each for each in remarks(book, match) if each.id != key]
    erase(book, match, key)
    assert remarks(book, match) == before
    annotate(book, match, 1, Wording("after"))
    assert len(remarks(book, match)) == 2


def test_copies_on_pages_that_were_split_go_too(store: Store, path: Path) -> None:
    random = Random(1)
    streams = [new_match(store, 2) for _ in range(40)]
    for number in range(150):
        facts = {f"Tag{random.randrange(4)}": f"{MARK}{number}" + "y" * random.randrange(300)}
        stream = random.choice(streams).id
        store.set_facts(stream, facts).result()
        texts = [Text("tag", *fact) for fact in store.facts(stream).items()]
        store.index(stream, texts, 0, store.facts(stream)).result()
    for stream in streams:
        store.set_facts(stream.id, dict.fromkeys(store.facts(stream.id))).result()
    store.close()
    assert found(path) == []


def test_a_reader_keeps_no_erasure_waiting_and_the_log_goes_after_it(
    store: Store, path: Path
) -> None:
    book = Book(store)
    match = opened(book)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM facts").fetchone()
    tag(book, match, {"Seat1": ""})  # the answer is a success, though the cleaning has to wait
    assert found(path)
    reader.close()
    for _ in range(200):
        if not found(path):
            return
        time.sleep(0.05)
    pytest.fail("the writer left it in the log")


def test_another_program_that_writes_keeps_no_write_waiting_behind_a_clean_up(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[int] = []
    monkeypatch.setattr(cleaning, "REWRITE", ("PRAGMA busy_timeout",))
    rewrite = cleaning.Cleaning._rewrite

    def watched(self: cleaning.Cleaning, connection: sqlite3.Connection) -> None:
        waited.append(connection.execute("PRAGMA busy_timeout").fetchone()[0])
        rewrite(self, connection)

    monkeypatch.setattr(cleaning.Cleaning, "_rewrite", watched)
    book = Book(store)
    tag(book, opened(book), {"Seat1": ""})
    for _ in range(200):
        if waited:
            break
        time.sleep(0.05)
    assert waited == [0]
