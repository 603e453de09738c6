"""Tags of a match: setting, replacing and erasing, as in its text record."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from threading import Barrier

import pytest

from domain.games import built_in
from replay.book import OTHER_TAGS, Book
from replay.errors import Usage
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import export_record
from replay.library.text_search import refresh
from replay.record.match_record import MatchRecord
from replay.referee.opening import open_match
from replay.store import open_store
from replay.store.sqlite.driver import sqlite3
from replay.tags.match_tags import tags
from replay.tags.people import tag
from replay.upkeep.doctor import checkup


@pytest.fixture
def record(book: Book) -> MatchRecord:
    return open_match(book, built_in("poptrix"), players={1: "Jet", 2: "Red"})


def told(book: Book, record: MatchRecord) -> dict[str, str]:
    return dict(tags(book, record))


def test_tags_are_set_changed_and_erased(book, record):
    tag(book, record, {"Event": "Second evening", "Round": "3", "Site": "Home", "Seat1": "Jets"})
    tag(book, record, {"Round": "", "Event": 'The "third" \\ evening', "Date": "", "Seat2": ""})
    tag(book, record, {"Nothing": ""})
    expected = {"Seat1": "Jets", "Seat2": "?", "Site": "Home", "Event": 'The "third" \\ evening'}
    assert told(book, record) == expected
    text = export_record(book, record)
    assert '[Event "The \\"third\\" \\\\ evening"]' in text
    again = import_record(book, next(read_records(text)))
    assert export_record(book, again) == text
    assert told(book, again) == expected


def test_simultaneous_tags_are_all_kept(tmp_path):
    path, lines = tmp_path / "book.db", ("Event", "Round", "Annotator")
    with ExitStack() as opened:
        books = [Book(opened.enter_context(closing(open_store(path)))) for _ in lines]
        record, pool = open_match(books[0], built_in("poptrix")), ThreadPoolExecutor(len(lines))
        opened.enter_context(pool)
        for value in map(str, range(20)):
            together = Barrier(len(lines))

            def set_tag(book: Book, name: str, value: str = value, at: Barrier = together) -> None:
                at.wait()
                tag(book, record, {name: value})

            list(pool.map(set_tag, books, lines))
            assert told(books[0], record).items() >= dict.fromkeys(lines, value).items()


def test_repeated_and_custom_tags_keep_their_order(book):
    text = (
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Result "*"]\n'
        '[Event "one"]\n[Note "a"]\n[Event "two"]\n[Note "b"]\n\n*\n\n'
    )
    record = import_record(book, next(read_records(text)))
    assert export_record(book, record) == text
    tag(book, record, {"Event": "three"})
    pairs = [tuple(each) for each in tags(book, record)]
    assert pairs == [("Event", "three"), ("Note", "a"), ("Note", "b")]
    tag(book, record, {"Event": "", "Note": ""})
    assert tags(book, record) == []


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("", "x", "not a valid name of a tag"),
        ("2nd", "x", "not a valid name of a tag"),
        ("Two words", "x", "not a valid name of a tag"),
        ("Émile", "x", "not a valid name of a tag"),
        ("x" * 51, "x", "not a valid name of a tag"),
        ("Event\n", "x", "not a valid name of a tag"),
        ("Game", "blockade", "cannot be changed"),
        ("Result", "", "cannot be changed"),
        ("Date", "foo", "'foo' is not a valid date; use a date like 2026.11.23"),
        ("Date", "2026-11-23", "not a valid date"),
        ("Date", "2026.13.01", "not a valid date"),
        ("Date", "????.02.30", "not a valid date"),
        ("Date", "26.1.1", "not a valid date"),
        ("Seat3", "Teal", "seat 3 is not in this match"),
        ("Seat0", "Teal", "seat 0 is not in this match"),
        ("Seat11", "Teal", "seat 11 is not in this match"),
        ("Seat1", "x" * 101, "at most 100"),
        ("Event", "x" * 1001, "at most 1000"),
        ("Event", "two\nlines", "control character U.000A"),
        ("Event", "\x1b[2J", "control character U.001B"),
        ("Event", "\udc80", "control character U.DC80"),
    ],
)
def test_invalid_tags_are_refused_together(book, record, name, value, why):
    before = tags(book, record)
    with pytest.raises(Usage, match=why):
        tag(book, record, {"Site": "Home", name: value})
    assert tags(book, record) == before


@pytest.mark.parametrize("damaged", ['_["Event","Home"]]', "{}", '[["Event"]]', '[["Event",3]]'])
def test_damaged_tags_count_as_missing(book, record, damaged):
    tag(book, record, {"Event": "Home"})
    book.store.set_metadata(record.stream.id, {OTHER_TAGS: damaged}).result()
    assert "Event" not in told(book, record)
    assert export_record(book, record)
    tag(book, record, {"Event": "Away"})
    assert told(book, record)["Event"] == "Away"


def test_checkup_reports_damaged_tags(tmp_path):
    database = tmp_path / "book.db"
    with closing(open_store(database)) as store:
        book = Book(store)
        tag(book, open_match(book, built_in("poptrix")), {"Event": "Home"})
        refresh(book)
    with closing(sqlite3.connect(database)) as connection, connection:
        damaged = ("_", OTHER_TAGS)
        assert connection.execute("UPDATE facts SET value = ? WHERE name = ?", damaged).rowcount
    assert "search" in {found.check for found in checkup(database) if found.verdict != "ok"}


@pytest.mark.parametrize(
    "value", ["2026.11.23", "2026.11.??", "2026.??.??", "????.??.??", "????.02.29", "2024.02.29"]
)
def test_date_may_have_unknown_parts(book, record, value):
    tag(book, record, {"Date": value})
    assert told(book, record)["Date"] == value
    assert next(read_records(export_record(book, record))).tag("Date") == value


def test_stored_date_of_any_form_stays_readable(book, record):
    book.store.set_metadata(record.stream.id, {"Date": "spring"}).result()
    assert told(book, record)["Date"] == "spring"
    assert '[Date "spring"]' in export_record(book, record)
    tag(book, record, {"Event": "Evening"})
    assert told(book, record)["Date"] == "spring"
