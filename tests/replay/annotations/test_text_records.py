"""Annotations in text records: exports are read back, and imports are written back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games import built_in
from replay.annotations.current import by_ply, standing
from replay.annotations.editing import annotate, edit, retract
from replay.annotations.events import Arrowed, Bookmarked, Circled, Commented, Labelled
from replay.annotations.notation import Wording, as_note, read_marks, write_marks
from replay.formats.ply.importer import import_record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import export_record
from replay.referee.opening import open_match
from replay.texts import tidy
from tests.replay.formats.ply.texts import poptrix, rejected

MOVES = "1. M@c1 2. S@c6"


def imported(book, text):
    (record,) = read_records(f'[Game "poptrix"]\n\n{text} *\n')
    return import_record(book, record)


def said(book, record):
    return [each.said for each in standing(book, record)]


def test_annotations_round_trip_through_a_record(book, record):
    everything = Wording("opens", ("!?", "$140"), ("a1-c3", "c3-d4"), ("d4", "e5"), ("d4=A",))
    for ply in (0, 3, 4):
        annotate(book, record, ply, everything if ply else Wording("start", circles=("c1",)))
    (first, *_) = annotate(book, record, 1, Wording("will be edited", circles=("a1",)))
    edit(book, record, first.id, Wording("edited"))
    retract(book, record, annotate(book, record, 2, Wording("gone"))[0].id)
    text = export_record(book, record)
    again = import_record(book, next(read_records(text)))
    assert export_record(book, again) == text
    assert sorted(map(repr, said(book, again))) == sorted(map(repr, said(book, record)))
    imported, exported = by_ply(book, again), by_ply(book, record)
    assert imported.keys() == exported.keys()
    assert all(as_note(imported[ply]) == as_note(exported[ply]) for ply in exported)


def test_bookmark_round_trips_through_a_record(book, record):
    annotate(book, record, 2, Wording(circles=("c1",), bookmark=True))
    text = export_record(book, record)
    assert "{[%csl Gc1][%bookmark]}" in text
    again = import_record(book, next(read_records(text)))
    assert said(book, again) == [Circled(2, "c1"), Bookmarked(2)]
    assert export_record(book, again) == text


def test_marks_are_written_like_those_of_lichess(book, record):
    annotate(book, record, 4, Wording("a1 first", (), ("a1-c3",), ("d4", "e5"), ("d4=A",)))
    text = " ".join(export_record(book, record).split())
    assert "{a1 first} {[%csl Gd4,Ge5][%cal Ga1c3][%label d4=A]} *" in text


@pytest.mark.parametrize(
    "comment",
    [
        "[%csl Gd4] here", "[%csl Rd4]", "[%csl Gd4,]", "[%csl Gd4] [%cal Ga1c3]",
        "[%cal Ga1c3][%csl Gd4]", "[%clk 0:01:00]", "[%csl ]", "[%label d4]", "[%bookmark] later",
        "[%bookmark][%csl Gd4]", "d4",
    ],
)  # fmt: skip
def test_comment_with_more_than_marks_stays_text(book, comment):
    record = imported(book, f"{MOVES} {{{comment}}}")
    assert said(book, record) == [Commented(2, comment)]
    assert f"{{{comment}}}" in export_record(book, record)


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("[%csl Gz9]", "'z9' is not a place on this board"),
        ("[%csl Gd4][%cal Ga1z9]", "'z9' is not a place on this board"),
        ("[%cal Ga1a1]", "'a1-a1' is not a valid arrow; use two different places"),
        ("[%label d4=much]", "a label must be 1 to 3 letters or digits"),
    ],
)
def test_impossible_mark_is_refused_in_a_record(comment, words):
    for text in (
        f"{{{comment}}}\n*",
        f"1. M@c1\n{{{comment}}} *",
        f"1. M@c1\n(1. S@c1 {{{comment}}}) *",
    ):
        fault = rejected(poptrix(text))
        assert (fault.clause, words in fault.message) == ("syntax", True)
        at = poptrix(text).splitlines()[fault.line - 1][fault.column - 1 :]
        assert at.startswith(f"{{{comment}}}")


def test_marks_before_a_comment_keep_their_place(book):
    text = f"{MOVES} {{[%csl Gd4]}} {{and so on}} {{[%csl Ge5]}}"
    record = imported(book, text)
    assert said(book, record)[-1] == Circled(2, "e5")
    assert f"{text} *" in export_record(book, record)


places = st.from_regex(r"[A-Za-z]{0,2}[0-9]{1,2}", fullmatch=True) | st.sampled_from(["c-3", "x"])
labels = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=3)
marks = st.lists(
    st.one_of(
        st.builds(Circled, st.just(7), places),
        st.builds(Arrowed, st.just(7), places, places),
        st.builds(Labelled, st.just(7), places, labels),
        st.just(Bookmarked(7)),
    ),
    max_size=6,
)


@given(marks)
def test_written_marks_are_read_as_the_same_marks(given_marks):
    comment = write_marks(given_marks)
    again = read_marks(comment, 7)
    assert set(again) <= set(given_marks)
    assert write_marks(again) == comment == tidy(comment)
    unusual = {"c-3", "x"}
    for mark in given_marks:
        if isinstance(mark, Circled) and mark.at not in unusual:
            assert mark in again


@given(st.text("[]%cslab G123=,d4omrk", max_size=40))
def test_marks_in_comments_are_canonical(text):
    found = read_marks(text, 7)
    assert not found or write_marks(found) == text


def test_places_of_every_game_can_be_written(book):
    from domain.games import BUILT_IN

    for slug in BUILT_IN:
        record = open_match(book, built_in(slug))
        there = sorted(record.game.scene(record.state.position.view(None), ()).places)
        assert there
        for one, other in pairwise(there):
            drawn = [Circled(0, one), Arrowed(0, one, other), Labelled(0, one, "A")]
            assert list(read_marks(write_marks(drawn), 0)) == drawn
