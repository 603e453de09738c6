"""The curve shows the values of the evaluations."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.programs import evaluations
from replay.programs.evaluations import Effort, Evaluation
from replay.reading.curve import (
    CurvePoint,
    best_lines,
    compare,
    curve,
    read_value,
    swings,
    tries,
)
from replay.reading.stops import is_notable, stops
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.search.tree import Candidate, Findings


@pytest.mark.parametrize(
    ("values", "winners", "value"),
    [
        ((0.62, 0.38), None, 62),
        ((1.0, 0.0), None, 100),
        ((0.5, 0.5), (), 50),
        ((1.0, 0.0), (1,), 100),
        ((0.0, 1.0), (2,), 0),
        ((0.0, 1.0, 0.0, 1.0), (2, 4), 0),
        ((1.0, 0.0, 1.0, 0.0), (1, 3), 100),
    ],
)
def test_every_evaluation_has_its_value(book: Book, values, winners, value):
    record = open_match(book, built_in("poptrix"))
    found = Findings(1, 9, values, (Candidate(("M@c1",), 0.5, 9),), winners)
    evaluations.write(book, record, [Evaluation(0, found)])
    assert [(point.ply, point.value) for point in curve(book, record)] == [(0, value)]


@pytest.mark.parametrize("words", ["", "seat 1 is lost", "seat 2 99%", "by force", "wins by force"])
def test_other_comments_have_no_value(words):
    assert read_value(words) is None


def test_only_the_analysis_is_drawn(book: Book):
    record = play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6"])
    annotate(book, record, 1, Wording(comment="seat 1 9% after all"), author="Jet")
    assert curve(book, record) == ()
    evaluations.write(book, record, list(evaluations.evaluate(record, Effort(1.0, playouts=3))))
    assert [point.ply for point in curve(book, record)] == [0, 1, 2]


def test_largest_swings_are_found_in_order():
    values = [50, 52, 90, 70, 69, 20, 35, 36]
    points = [CurvePoint(ply, value, "") for ply, value in enumerate(values)]
    assert swings(points) == (2, 3, 5)
    assert swings(points[:2]) == swings([]) == ()


def test_only_evaluation_swings_are_highlights(book: Book):
    record = play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6"])
    even, lost = (Findings(1, 9, (value, 1 - value), ()) for value in (0.5, 0.1))
    found = (even, lost, lost)
    evaluations.write(book, record, [Evaluation(*each) for each in enumerate(found)])
    assert [is_notable(stop) for stop in stops(book, record)] == [False, True, False]


LINES = (Candidate(("M@c1", "S@c6"), 0.6, 9), Candidate(("S@a1",), 0.1, 9, (2,)))


@pytest.mark.parametrize(
    ("winners", "token", "words"),
    [
        (None, "M@c1", "The analysis prefers it, too: M@c1 S@c6 (60%)"),
        (None, "L@b1", "The analysis prefers M@c1 S@c6 (60%)"),
        (None, "S@a1", "The analysis prefers M@c1 S@c6 (60%); of this move it says S@a1 (seat 2"
            " wins by force)"),
        ((1,), "L@b1", "The analysis prefers M@c1 S@c6 (60%)"),
    ],
)  # fmt: skip
def test_guesses_are_compared_with_the_best_lines(book: Book, winners, token, words):
    record = open_match(book, built_in("poptrix"))
    found = Findings(1, 9, (0.6, 0.4), LINES, winners)
    evaluations.write(book, record, [Evaluation(0, found)])
    assert compare(best_lines(book, record, 0), token) == words
    assert compare(best_lines(book, record, 1), token) == ""


def test_reader_cannot_try_a_roll(book: Book):
    record = play(book, open_match(book, built_in("blockade")), ["roll=4,5", "1:resign"])
    assert tries(record, (1, 2)) == ()
    record = play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6"])
    assert tries(record, (1, 2)) == (1, 2)
