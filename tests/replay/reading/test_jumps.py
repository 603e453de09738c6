"""Jumps to the next or last turn, effect of a kind, or note."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.errors import UnknownAddress, Usage
from replay.reading.stops import jump, turns
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match

TURNS = ["roll=6,3 b1-b2 .", "roll=2,3 c2-e3 .", "roll=6,3 ."]
"""Three turns of Blockade, of 3, 3 and 2 events."""


@pytest.fixture
def record(book: Book) -> MatchRecord:
    return play(book, open_match(book, built_in("blockade")), " ".join(TURNS).split())


def test_turn_begins_where_the_previous_turn_ended(record):
    assert turns(record) == [0, 3, 6, 8]


@pytest.mark.parametrize(
    ("ply", "aim", "found"),
    [(0, "next-turn", 3), (2, "next-turn", 3), (3, "next-turn", 6), (4, "previous-turn", 3),
     (3, "previous-turn", 0), (None, "next-turn", 3), (None, "previous-turn", 6)],
)  # fmt: skip
def test_turn_is_found_from_anywhere(book, record, ply, aim, found):
    assert jump(book, record, ply, aim) == found


@pytest.mark.parametrize(
    ("ply", "aim", "kind", "found"),
    [(None, "next-effect", "landed", 2), (2, "next-effect", "land", 5),
     (8, "previous-effect", "Rolled", 7), (7, "previous-effect", "rolled", 4)],
)  # fmt: skip
def test_effect_is_found_by_its_first_letters(book, record, ply, aim, kind, found):
    assert jump(book, record, ply, aim, kind) == found


def test_jump_finds_a_note_at_the_start(book, record):
    for ply in (0, 5):
        annotate(book, record, ply, Wording(comment="look"))
    assert jump(book, record, 1, "next-note") == 5
    assert jump(book, record, 5, "previous-note") == 0


@pytest.mark.parametrize(
    ("ply", "aim", "kind"),
    [(8, "next-turn", ""), (0, "previous-turn", ""), (0, "next-note", ""),
     (5, "next-effect", "landed")],
)  # fmt: skip
def test_jump_without_result_names_its_beginning(book, record, ply, aim, kind):
    with pytest.raises(UnknownAddress, match=f"{record.id}@{ply}"):
        jump(book, record, ply, aim, kind)


@pytest.mark.parametrize(
    ("aim", "kind", "said"),
    [("next-turn", "landed", "need a kind"), ("next-effect", "", "need a kind"),
     ("up", "", "next-turn, previous-turn"), ("next-effect", "goal", "ended, landed, rolled")],
)  # fmt: skip
def test_refusal_of_unknown_jump_lists_the_known_ones(book, record, aim, kind, said):
    with pytest.raises(Usage, match=said):
        jump(book, record, 0, aim, kind)
