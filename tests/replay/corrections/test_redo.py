"""Redo enters the events that take-backs removed, in every game, until another entry."""

from __future__ import annotations

import pytest

from domain.games.blockade import GAME as BLOCKADE
from domain.games.free_board import GAME as FREE_BOARD
from domain.games.poptrix import GAME as POPTRIX
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.amendments import amend, plan_deletion, plan_replacement
from replay.corrections.takebacks import ask_takeback, may_redo, plan_redo, redo, take_back
from replay.errors import Refused
from replay.record.addresses import Address
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from tests.browser.games import shortest, written

OPENING = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4")


def events(record: MatchRecord) -> list[object]:
    return [ply.event for ply in record.match.line]


def redo_all(book: Book, record: MatchRecord) -> MatchRecord:
    while may_redo(record, None):
        record = redo(book, record)
    return record


def test_several_takebacks_are_redone_event_by_event(book):
    match = play(book, book.create(NewMatch(POPTRIX)), OPENING)
    back = take_back(book, take_back(book, match, 4), 1)
    for plies in (2, 3, 4, 5):
        back = redo(book, back)
        assert events(back) == events(match)[:plies]
    with pytest.raises(Refused, match="nothing was taken back"):
        redo(book, back)


def test_undo_and_redo_in_turn_lose_nothing(book):
    match = play(book, book.create(NewMatch(POPTRIX)), OPENING)
    after = redo(book, take_back(book, match, 2))
    after = take_back(book, after, 2)
    assert events(redo_all(book, after)) == events(match)


def test_same_move_by_hand_counts_as_redo(book):
    after = take_back(book, play(book, book.create(NewMatch(POPTRIX)), OPENING), 2)
    after = play(book, after, [OPENING[2]])
    assert events(redo(book, after))[3:] == [after.match.undone[1]]


@pytest.mark.parametrize("how", ["another move", "an amendment", "a fork"])
def test_any_other_entry_ends_the_redo(book, how):
    match = play(book, book.create(NewMatch(POPTRIX)), OPENING)
    back = take_back(book, match, 2)
    if how == "another move":
        after = play(book, back, ["c1>L@c2"])
    elif how == "an amendment":
        after = amend(book, plan_replacement(back, 1, "L@c1"))
    else:
        after = fork(book, *book.at(Address(back.id, 2)), "match")
    assert not may_redo(after, None)


def test_takeback_request_keeps_the_redo(book):
    back = take_back(book, play(book, book.create(NewMatch(POPTRIX)), OPENING), 4)
    assert events(redo(book, ask_takeback(book, back, 1, 2)))[4:] == [back.match.to_redo]


def test_redone_service_roll_shows_the_same_dice(book):
    match = play(book, book.create(NewMatch(BLOCKADE, dice="service")), ["roll"])
    assert events(redo(book, take_back(book, match, 0))) == events(match)


def test_redo_survives_reading_the_log(book):
    back = take_back(book, play(book, book.create(NewMatch(POPTRIX)), OPENING), 3)
    back = redo(book, back)
    fresh = Book(book.store).open(back.id)
    assert fresh.match.to_redo == back.match.to_redo is not None
    assert events(redo_all(book, fresh))[4:] == [back.match.to_redo]


SEALED = "1:S=FFF,M=...,L=..."


@pytest.mark.parametrize("guess", [SEALED, "1:S=RRR,M=...,L=..."])
def test_redo_reveals_no_sealed_move(book, guess):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), [SEALED, "2:offer-draw"])
    back = take_back(book, match, 0)
    assert not may_redo(back, None)
    guessed = play(book, back, [guess])
    with pytest.raises(Refused, match="or the move was never revealed"):
        redo(book, guessed)


def test_move_before_a_sealed_move_is_redone(book):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), ["2:offer-draw", SEALED])
    back = redo(book, take_back(book, match, 0))
    assert events(back) == events(match)[:1]
    assert not may_redo(back, None)
    assert not may_redo(back, 1), "its seat seals a move anew"


def test_revealed_move_is_redone_step_by_step(book):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), [SEALED])
    match = play(book, match, ["2:S=...,M=...,L=..."])
    back = take_back(book, take_back(book, match, 1), 0)
    assert events(redo_all(book, back)) == events(match)


def test_seat_redoes_only_what_it_may_enter(book):
    match = play(book, book.create(NewMatch(POPTRIX)), [*OPENING[:3], "stood=c6>S@c5"])
    back = take_back(book, match, 2)
    assert plan_redo(back, 1) == match.match.line[2].event
    with pytest.raises(Refused, match="only the event's seat, or the host"):
        plan_redo(back, 2)
    stood = redo(book, back)
    with pytest.raises(Refused, match="only the host may record an accepted illegal move"):
        plan_redo(stood, 2)
    assert not may_redo(stood, 2)
    assert events(redo(book, stood)) == events(match)


@pytest.mark.parametrize(
    "game", ["poptrix", "blockade", "power-play", "pyramid-ball", "cube-pyramid"]
)
def test_whole_game_is_taken_back_and_redone(book, game):
    record = shortest(game)
    options = record.game.set_options(record.match.options)
    match = book.create(NewMatch(record.game, options=options))
    for token in written(record):
        match = play(book, match, [token])
    after = redo_all(book, take_back(book, match, 0))
    assert events(after) == events(match)
    assert after.state.outcome == match.state.outcome


FORGOTTEN = ("w@a1", "b@b2", "w@c3", "b@d4", "w@e5")


def fallen(book: Book) -> MatchRecord:
    """Return a match whose moves fell, since its first never happened."""
    match = play(book, book.create(NewMatch(FREE_BOARD)), FORGOTTEN)
    return amend(book, plan_deletion(match, 1))


def test_fallen_moves_are_entered_again_where_they_fit(book):
    after = fallen(book)
    assert events(after) == []
    assert written(redo_all(book, after)) == ["1:w@c3", "2:b@d4", "1:w@e5"]


def test_new_move_replaces_the_fallen_one(book):
    after = play(book, fallen(book), ["w@h8"])
    # It stands for b@b2, which is not its seat's.
    assert written(redo(book, after)) == ["1:w@h8", "2:b@d4"]
    assert written(redo(book, fallen(book))) == ["1:w@c3"]


def test_fallen_moves_survive_a_takeback_and_a_reading(book):
    after = redo(book, redo(book, fallen(book)))
    back = Book(book.store).open(take_back(book, after, 1).id)
    assert written(redo_all(book, back)) == ["1:w@c3", "2:b@d4", "1:w@e5"]


def test_last_fallen_move_ends_the_redo(book):
    with pytest.raises(Refused, match="fell with a correction"):
        redo(book, redo_all(book, fallen(book)))


def test_fallen_secret_moves_cannot_be_redone(book):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), [SEALED])
    match = play(book, match, ["2:S=...,M=...,L=..."])
    after = amend(book, plan_deletion(match, 1))
    assert events(after) == []
    assert not may_redo(after, None)
