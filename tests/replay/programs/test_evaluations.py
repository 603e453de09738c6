"""Evaluations of the positions of a match, and their comments."""

from __future__ import annotations

import pytest

from domain.games import built_in
from replay import registry
from replay.annotations.current import standing
from replay.book import Book
from replay.corrections import adjustments
from replay.errors import Usage
from replay.programs import evaluations
from replay.programs.evaluations import Effort, Evaluation, evaluate, questions
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.search.tree import Candidate, Findings

FEW = Effort(1.0, playouts=5)
SEALED = ("1:S=FFF,M=...,L=...", "1:S=...,M=LLL,L=...")
OTHER = "2:S=...,M=...,L=..."


@pytest.fixture
def record(book: Book) -> MatchRecord:
    return play(book, open_match(book, built_in("poptrix")), ["M@c1", "S@c6", "c1>L@c3"])


def sealed(book: Book, *tokens: str) -> MatchRecord:
    return play(book, open_match(book, built_in("pyramid-ball")), tokens)


def test_each_position_is_evaluated_by_ply(record):
    found = list(evaluate(record, FEW))
    assert [each.ply for each in found] == [0, 1, 2, 3]
    assert all(each.found.playouts == 5 and len(each.found.values) == 2 for each in found)


def test_same_seed_gives_the_same_evaluations(record):
    assert list(evaluate(record, FEW)) == list(evaluate(record, FEW))


def test_several_processes_give_the_same_evaluations(record, monkeypatch):
    alone = list(evaluate(record, FEW))
    monkeypatch.setattr(evaluations, "WORTH_PROCESSES", 0.0)
    assert list(evaluate(record, FEW)) == alone


def test_ended_position_is_left_out(book, record):
    ended = play(book, record, ["1:resign"])
    assert [each.ply for each in questions(ended)] == [0, 1, 2, 3]


@pytest.mark.parametrize("more", [(), (OTHER,)])
def test_sealed_moves_are_not_seen(book, more):
    one, other = (sealed(book, secret, *more) for secret in SEALED)
    assert questions(one)[:2] == questions(other)[:2]
    assert questions(one)[1].lines[1:] == ("sealed 1",)


def test_revealed_moves_are_seen(book):
    one, other = (sealed(book, secret, OTHER) for secret in SEALED)
    assert questions(one)[2] != questions(other)[2]
    assert questions(one)[2].lines[1:] == (f"play {SEALED[0]}", f"play {OTHER}")


def test_engine_learns_of_adjusted_positions(book, record):
    text = "5/5/5/5/5/2M2 5S4M5L 5s5m5l 2 2"
    after = adjustments.adjust(book, record, text, "the cat")
    assert questions(after)[-1].lines[-1] == f"set {text}"
    assert list(evaluate(after, FEW))[-1].found.seat == 2


def test_matches_are_evaluated_from_where_they_begin(book):
    text = "2s2/5/2l2/2S2/5/2M2 4S4M5L 4s5m4l 1 5"
    record = book.create(NewMatch(built_in("poptrix"), position=text))
    assert questions(record)[0].lines == ("new poptrix/1 seats=2", f"set {text}")
    assert next(iter(evaluate(record, FEW))).found.candidates[0].texts[0] == "c3xc4"


def test_comments_are_replaced_and_events_stay(book, record):
    for seed in (1, 2):
        found = list(evaluate(record, Effort(1.0, playouts=5, seed=seed)))
        evaluations.write(book, record, found)
    notes = standing(book, record)
    assert [note.said.text for note in notes] == [each.words() for each in found]
    assert {note.author for note in notes} == {"analysis"}
    assert book.open(record.id).match.version == record.match.version
    evaluations.write(book, record, found)
    assert standing(book, record) == notes


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "no position was found that fits the view"),
        (Findings(1, 9, (0.625, 0.375), (Candidate(("a", "b"), 0.7, 5), Candidate(("c",), 0.5, 4))),
         "seat 1 62%, seat 2 38% after 9 playouts; best: a b (70%); c (50%)"),
        (Findings(1, 9, (1.0, 0.0), (Candidate(("a",), 1.0, 5, (1,)),), (1,)),
         "seat 1 wins by force: a"),
        (Findings(1, 9, (0.6, 0.4), (Candidate(("a",), 0.0, 5, (2,)),)),
         "seat 1 60%, seat 2 40% after 9 playouts; best: a (seat 2 wins by force)"),
        (Findings(1, 9, (1.0,) * 4, (Candidate(("a",), 1.0, 5, (1, 3)),), (1, 3)),
         "seat 1 and seat 3 win by force: a"),
        (Findings(1, 9, (0.5, 0.5), (Candidate(("a",), 0.5, 5, ()),), ()),
         "a draw by force: a"),
    ],
)  # fmt: skip
def test_evaluations_have_words(found, words):
    assert Evaluation(3, found).words() == words


def test_matches_without_positions_to_search_are_refused(book, record, monkeypatch):
    with pytest.raises(Usage, match="cannot be listed, so it cannot be searched"):
        questions(open_match(book, registry.find("score-sheet")))
    with pytest.raises(Usage, match="not judged"):
        questions(open_match(book, built_in("poptrix"), unjudged=True))
    monkeypatch.setattr(evaluations, "MAX_PLIES", 2)
    with pytest.raises(Usage, match="at most 2 are analysed"):
        questions(record)


def test_time_is_divided_among_positions_and_processors(monkeypatch):
    monkeypatch.setattr(evaluations, "processors", lambda: 2)
    assert evaluations.share(60, 40) == 3.0
    assert evaluations.share(1, 10) == 0.1
    assert evaluations.share(60, 0) == 120
