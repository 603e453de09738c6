"""A file that grows: its match goes on, and another game of the same players stays another."""

from __future__ import annotations

from contextlib import closing
from io import BytesIO

import pytest

from domain.entry import move_text
from replay.book import Book
from replay.formats.import_bounds import UNBOUNDED
from replay.formats.ply.bulk_import import BulkImport
from replay.formats.ply.writer import export_record
from replay.store import open_store
from replay.tags.match_tags import tags
from replay.tags.people import tag
from tests.verification import verify_all

HEAD = '[Game "poptrix"]\n[Date "2026.11.28"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n[Event "Cup"]\n\n'
FOUR = "M@c1 S@c6 c1>L@c3 c6>M@c4"


@pytest.fixture
def book(tmp_path):
    with closing(open_store(tmp_path / "book.db")) as store:
        yield Book(store)


def imports(book, *movetexts, head=HEAD, **options):
    """Import one file with a record of each movetext."""
    text = "".join(f"{head}{each}\n\n" for each in movetexts)
    with BulkImport(book, UNBOUNDED, **options) as texts:
        results = [*texts.add("live.ply", BytesIO(text.encode())), *texts.finish()]
    assert not any(each.faults for each in results), results
    return results


def moves(book, match) -> str:
    record = book.open(match)
    return " ".join(move_text.write(record.game, ply.event) for ply in record.match.line)


STATES = [
    # before, after, whether one match goes on, and its moves then
    ("M@c1 S@c6 *", f"{FOUR} *", True, FOUR),
    ("M@c1 S@c6 *", f"{FOUR} ruled=+1 +1", True, f"{FOUR} ruled=+1"),
    (f"{FOUR} *", "M@c1 *", True, FOUR),
    (f"{FOUR} *", "M@c1 S@c6 c1>L@d1 c6>M@c4 *", True, None),
    (f"{FOUR} *", "M@c1 S@c6 c1>L@c3 c6>M@c5 c3>M@d3 *", True, None),
    (f"{FOUR} ruled=+1 +1", f"{FOUR} ruled=+2 +2", True, f"{FOUR} ruled=+2"),
    ("M@c1 *", "M@d1 S@c6 *", False, "M@c1"),
    (f"{FOUR} *", "M@c1 S@d6 c1>L@d1 *", False, FOUR),
    (f"{FOUR} ruled=+1 +1", f"{FOUR} c3xc4 *", False, f"{FOUR} ruled=+1"),
    (f"{FOUR} ruled=+1 +1", "M@c1 S@c6 *", False, f"{FOUR} ruled=+1"),
]


@pytest.mark.parametrize(("before", "after", "goes_on", "then"), STATES)
def test_state_of_a_file_follows_another(book, before, after, goes_on, then):
    (first,) = imports(book, before)
    old = book.open(first.match).log
    (second,) = imports(book, after)
    assert (second.match == first.match) is goes_on
    assert moves(book, first.match) == (then or after[:-2])
    assert book.open(first.match).log[: len(old)] == old
    assert all(verdict.ok for verdict in verify_all(book))
    versions = [match.match.version for match in book.matches()]
    imports(book, before)
    imports(book, after)
    assert [match.match.version for match in book.matches()] == versions


def test_corrected_move_is_told_with_its_place(book):
    imports(book, f"{FOUR} *")
    for state in ("M@c1 S@c6 c1>L@d1 c6>M@c4 *", "M@c1 *"):
        (told,) = imports(book, state)
        assert (told.warnings[0].line, told.warnings[0].record) == (1, 1)
        assert told.match in told.warnings[0].message


def test_comments_variations_and_tags_are_added_once(book):
    grown = "M@c1 {bold} (M@b1 {calm} (M@a1)) S@c6 $1 *"
    (first,) = imports(book, "M@c1 *")
    tag(book, book.open(first.match), {"Note": "ours"})
    for _ in range(2):
        imports(book, "M@c1 {bold} (M@b1 {calm} (M@a1)) S@c6 $1 (S@a6) *", head=HEAD)
        imports(book, grown, head=HEAD.replace("[Event", '[Board "3"]\n[Event'))
    text = " ".join(export_record(book, book.open(first.match)).split())
    assert text.count("{bold}") == text.count("{calm}") == text.count("M@a1") == 1
    assert text.count("(2. S@a6)") == text.count("$1") == 1
    found = {one.name: one.value for one in tags(book, book.open(first.match))}
    assert (found["Note"], found["Board"]) == ("ours", "3")


def test_tags_of_the_opening_may_change(book):
    head = HEAD.replace("[Event", '[ECO "A00"]\n[Event')
    (first,) = imports(book, "M@c1 *", head=head)
    (second,) = imports(book, "M@c1 S@c6 *", head=head.replace("A00", "B12"))
    assert first.match == second.match


def test_files_of_one_command_are_different_games(book):
    with BulkImport(book, UNBOUNDED) as bulk:
        found = [*bulk.add("1.ply", BytesIO(f"{HEAD}M@c1 *\n".encode()))]
        found += bulk.add("2.ply", BytesIO(f"{HEAD}M@c1 S@c6 *\n".encode()))
        found += bulk.finish()
    assert len({each.match for each in found}) == 2


def test_two_games_of_one_pairing_stay_two(book):
    both = imports(book, "M@c1 S@c6 *", "M@c1 S@c6 *")
    one, other = imports(book, "M@c1 S@c6 c1>L@c3 *", "M@c1 S@c6 *")
    assert len({both[0].match, one.match, other.match}) == 2
    assert {moves(book, one.match), moves(book, other.match)} == {
        "M@c1 S@c6 c1>L@c3",
        "M@c1 S@c6",
    }


@pytest.mark.parametrize(
    "head",
    [
        HEAD.replace("Red", "Ann"),
        HEAD.replace("Cup", "Open"),
        HEAD.replace("[Event", '[Round "2"]\n[Event'),
        HEAD.replace("28", "29"),
        HEAD.replace("[Event", '[Site "there"]\n[Event'),
        HEAD.replace("[Event", '[GameId "2"]\n[Event'),
        '[Game "poptrix"]\n\n',
    ],
)
def test_record_of_another_pairing_is_another_match(book, head):
    here = HEAD.replace("[Event", '[Site "here"]\n[GameId "1"]\n[ECO "A00"]\n[Event')
    (first,) = imports(book, "M@c1 *", head=here)
    (second,) = imports(book, "M@c1 S@c6 *", head=head)
    assert first.match != second.match
    (copy,) = imports(book, "M@c1 S@c6 *", again=True)
    assert copy.match not in (first.match, second.match)


def test_watched_file_may_correct_more(book):
    (first,) = imports(book, "M@c1 S@c6 ruled=+1 +1")
    followed = {1: first.match}
    assert imports(book, "M@c1 *", followed=followed)[0].match == first.match
    assert imports(book, f"{FOUR} *", followed=followed)[0].match == first.match
    assert moves(book, first.match) == FOUR
