"""The story of a match: its largest lead, its longest turn and its turning points."""

from __future__ import annotations

from itertools import accumulate

import pytest

from domain.games.blockade import GAME as BLOCKADE
from domain.games.poptrix import GAME as POPTRIX
from domain.names import Names
from replay.book import Book
from replay.corrections.amendments import amend, plan_replacement
from replay.reading import timeline
from replay.reading.match_story import Lead, LongTurn, tell_story
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.store import temporary_store
from tests.browser.games import shortest, written

NAMES = Names({1: "Ann", 2: "Ben"})
GAMES = ("poptrix", "blockade", "power-play", "pyramid-ball", "cube-pyramid")


def played(game: str) -> MatchRecord:
    record = shortest(game)
    book = Book(temporary_store())
    match = book.create(
        NewMatch(record.game, options=record.game.set_options(record.match.options))
    )
    for token in written(record):
        match = play(book, match, [token])
    return match


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_has_a_score_and_colours(game):
    match = played(game)
    for ply in range(match.ply() + 1):
        trays = [tray for tray in timeline.point(match, ply).scene.trays if tray.seat]
        assert [tray.seat for tray in trays] == [1, 2]
        assert all(tray.score and tray.score.text and tray.score.words for tray in trays)
        assert all(tray.colours for tray in trays)


@pytest.mark.parametrize("game", GAMES)
def test_story_has_notable_plies_in_order(game):
    match = played(game)
    story = tell_story(match, NAMES)
    plies = [moment.ply for moment in story.moments]
    assert plies == sorted(set(plies))
    assert 0 < len({story.lead.ply, *plies}) == 1 + len(plies) <= 3
    assert all(moment.words for moment in story.moments)
    assert story.longest is None


def test_largest_lead_is_named_where_it_was_first():
    book = Book(temporary_store())
    match = play(
        book, book.create(NewMatch(POPTRIX)), ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4"]
    )
    assert tell_story(match, NAMES).lead == Lead(1, "1 pyramid", 1)
    assert tell_story(book.create(NewMatch(POPTRIX)), NAMES).lead is None


def test_time_of_a_turn_includes_all_its_events():
    seconds = iter(accumulate([0, 0, 5, 8, 9, 3, 4], initial=1))
    book = Book(temporary_store(), now=lambda: next(seconds) * 1000)
    match = book.create(NewMatch(BLOCKADE))
    for token in ("roll=3,5", ".", "roll=4,5", ".", "roll=1,1"):
        match = play(book, match, [token])
    times = [match.entry(ply.version).at // 1000 for ply in match.match.line]
    second = times[3] - times[1]
    assert tell_story(match, NAMES).longest == LongTurn(2, second * 1000, 4)


def test_late_correction_is_no_long_turn():
    clock = [0]
    book = Book(temporary_store(), now=lambda: clock[0])
    match = play(book, book.create(NewMatch(POPTRIX)), ["M@c1", "S@c6"])
    clock[0] = 3_600_000
    match = amend(book, plan_replacement(match, 2, "S@d6"))
    assert match.entry(match.match.line[1].version).at == clock[0]
    assert tell_story(match, NAMES).longest is None
