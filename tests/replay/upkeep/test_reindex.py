"""A check-up compares derived data with the events, and reindex rebuilds it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.library import indexes, text_search
from replay.library.text_search import find
from replay.record.addresses import parse
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.registry import find as find_game
from replay.store import open_store
from replay.store.sqlite.driver import sqlite3
from replay.upkeep.doctor import checkup
from replay.upkeep.reindex import reindex
from tests.replay.store.streams import match
from tests.replay.store.tampering import run_unguarded, tampered

SEARCHED = "calm"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book with a match, its fork and a trashed match, all indexed."""
    path = tmp_path / "book.db"
    with closing(open_store(path)) as store:
        book = Book(store)
        game = find_game("poptrix")
        played = play(book, open_match(book, game, players={1: "Jet"}), ["M@c1", "S@c6", "c1>L@c3"])
        annotate(book, played, 2, Wording("a calm start"), author="Jet")
        play(book, fork(book, *book.at(parse(f"{played.id}@2"))), ["c1>L@d1"])
        store.trash(open_match(book, game).stream.id).result()
        indexes.catch_up_positions(book)
        text_search.refresh(book)
    return path


def amiss(path: Path) -> dict[str, str]:
    """Return the findings of a check-up that are not `ok`, with their advice."""
    found = {each.check: each for each in checkup(path) if each.verdict != "ok"}
    for each in found.values():
        assert "plybook reindex" in each.advice, each
    return {check: each.verdict for check, each in found.items()}


def contents(path: Path) -> dict[str, list[tuple]]:
    """Return the derived tables with the texts' row numbers."""
    connection = sqlite3.connect(path)
    queries = {
        "counted": "SELECT * FROM counted ORDER BY stream",
        "tallies": "SELECT * FROM tallies",
        "segments": "SELECT * FROM segments ORDER BY stream, lo",
        "summaries": "SELECT * FROM summaries ORDER BY stream",
        "summaries due": "SELECT * FROM summaries_due ORDER BY stream",
        "indexed": "SELECT * FROM indexed ORDER BY stream",
        "steps": "SELECT * FROM steps ORDER BY stream, version",
        "texts": "SELECT stream, kind, name, text, words FROM texts ORDER BY stream, id",
        "searchable": "SELECT * FROM searchable ORDER BY stream",
    }
    found = {name: connection.execute(query).fetchall() for name, query in queries.items()}
    connection.close()
    return found


WRONG: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "segments missing": (("DELETE FROM segments WHERE stream = 3",), {"segments": "fault"}),
    "segments changed": (("UPDATE segments SET src = 1, hi = 3",), {"segments": "fault"}),
    "segments of nothing": (
        ("PRAGMA foreign_keys = OFF", "INSERT INTO segments VALUES (1, -5, -4, 1)"),
        {"segments": "fault"},
    ),
    "a move": (("UPDATE steps SET token = 'S@a1' WHERE version = 1",), {"positions": "warning"}),
    "a position": (("UPDATE steps SET key = x'00'",), {"positions": "warning"}),
    "moves missing": (("DELETE FROM steps",), {"positions": "warning"}),
    "a result": (("UPDATE summaries SET result = '+2'",), {"summaries": "warning"}),
    "summaries missing": (("DELETE FROM summaries",), {"summaries": "warning"}),
    "an old summary": (("UPDATE summaries SET head = 1",), {"summaries": "warning"}),
    "a summary of the future": (("UPDATE summaries SET head = 99",), {"summaries": "warning"}),
    "a tally": (("UPDATE tallies SET times = times + 1",), {"tallies": "warning"}),
    "a match as it counts": (("UPDATE counted SET counts = '[]'",), {"tallies": "warning"}),
    "a text": (("UPDATE texts SET text = 'Calm'",), {"search": "warning"}),
    "texts missing": (("DELETE FROM texts",), {"search": "warning"}),
    "words of a text": (
        ("UPDATE texts SET words = 'storm' WHERE kind = 'comment'",),
        {"words": "warning"},
    ),
    "words of the search": (
        ("INSERT INTO texts_fts (texts_fts) VALUES ('delete-all')",),
        {"words": "warning"},
    ),
    "an index": (
        (
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = sql || ' WHERE 0' WHERE name = 'forks'",
            "PRAGMA writable_schema = RESET",
            "REINDEX forks",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, ' WHERE 0', '') WHERE name = 'forks'",
            "PRAGMA writable_schema = RESET",
        ),
        {"pages": "fault"},
    ),
}


def test_derived_data_passes_the_checkup(path):
    assert amiss(path) == {}


@pytest.mark.parametrize(("statements", "verdicts"), WRONG.values(), ids=WRONG)
def test_wrong_derived_data_is_found_and_rebuilt(path, statements, verdicts):
    before = contents(path)
    tampered(path, *statements)
    assert amiss(path).items() >= verdicts.items()
    with closing(open_store(path)) as store:
        made = reindex(Book(store))
        assert len(list(find(Book(store), SEARCHED))) == 1
    assert (made.matches, made.moves, made.unread) == (3, 6, ())
    assert amiss(path) == {}
    assert contents(path) == before


def test_head_before_the_last_event_is_a_fault(path):
    run_unguarded(path, "UPDATE streams SET head = head - 1 WHERE id = 1")
    (found,) = [each for each in checkup(path) if each.check == "heads"]
    assert (found.verdict, "backup" in found.advice) == ("fault", True)


def test_outdated_derived_data_is_not_reported_as_wrong(path):
    with closing(open_store(path)) as store:
        book = Book(store)
        (played,) = [each for each in book.matches() if not each.header.fork]
        play(book, played, ["c6>M@c4"])
        annotate(book, played, 1, Wording("hm"), author="Jet")
    assert amiss(path) == {}


def test_unreadable_match_is_left_out_and_named(path):
    with closing(open_store(path)) as store:
        stranger = match(store, 1)
        made = reindex(Book(store))
    assert (made.matches, made.unread) == (3, (stranger.public_id,))
    assert amiss(path) == {}


def test_reindex_allows_moves_and_purges_meanwhile(path, monkeypatch):
    monkeypatch.setattr("replay.upkeep.reindex.TOGETHER", 1)
    written: list[int] = []
    with closing(open_store(path)) as store:
        book = Book(store)
        (played,) = [each for each in book.matches() if not each.header.fork]

        def meanwhile(matches: int) -> None:
            if not written:  # the fork alone
                play(book, played, ["c6>M@c4"])
                (trashed,) = store.matches(trashed=True)
                store.purge(trashed.id).result()
            written.append(matches)

        assert reindex(book, meanwhile).matches == 3
        assert written == [1, 1, 1]
        assert [each.id for each in store.positions_due()] == [played.stream.id]
        indexes.catch_up_positions(book)
    assert amiss(path) == {}


def test_failure_leaves_the_old_derived_data(path, monkeypatch):
    before = contents(path)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("replay.store.sql.search_index.replace", fail)
    with closing(open_store(path)) as store, pytest.raises(ZeroDivisionError):
        reindex(Book(store))
    assert contents(path) == before
