"""The seats of a sheet's moves, found by the kinds of moves in demonstration matches."""

from __future__ import annotations

import pytest

from domain.entry.movers import movers
from domain.events import LineEvent, Noted, Unrecorded
from domain.games.blockade import GAME as BLOCKADE
from domain.games.cube_pyramid import GAME as CUBE_PYRAMID
from domain.games.poptrix import GAME as POPTRIX
from replay import registry, rules_text
from replay.formats.ply.reader import read_records


@pytest.mark.parametrize(
    ("game", "unknowable"), [("poptrix", 1), ("blockade", 0), ("power-play", 1), ("free-board", 0)]
)
def test_movers_are_found_in_demonstration_matches(demonstrated, game, unknowable):
    match = demonstrated(game)
    played = [ply.event for ply in match.line]
    noted = [Noted(None, match.game.write(event.move)) for event in played]
    found = zip(movers(match.game, noted, match.seats), played, strict=False)
    assert sum(seat != event.seat for seat, event in found) == unknowable


@pytest.fixture
def demonstrated():
    def read(slug: str):
        [record] = read_records(rules_text.demo(registry.games()[slug]))
        return record.match

    return read


def after(game, *events: LineEvent) -> list[int]:
    return list(movers(game, events, 2))


def test_named_seat_decides_whose_turn_comes_next():
    bonus = (Noted(None, "l@A11"), Noted(1, "d@A12"))
    assert after(CUBE_PYRAMID, *bonus) == [1, 1, 2]


def test_roll_begins_turn_of_next_seat():
    turn = (Noted(None, "roll=4,5"), Noted(None, "a1-c3"))
    assert after(BLOCKADE, *turn) == [1, 1, 1]
    assert after(BLOCKADE, *turn, Noted(None, ".")) == [1, 1, 1, 2]
    assert after(BLOCKADE, *turn, Noted(None, "roll=1,2")) == [1, 1, 2, 2]


def test_sheet_without_moves_awaits_first_seat():
    assert after(POPTRIX) == [1]


def test_a_dash_is_a_turn_of_its_seat():
    assert after(POPTRIX, Noted(None, "M@c1"), Unrecorded(None), Noted(None, "S@c1")) == [
        1,
        2,
        1,
        2,
    ]
