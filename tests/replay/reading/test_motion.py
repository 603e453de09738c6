"""Motions: a jump is drawn and described whole, from its first hop to the next turn."""

from __future__ import annotations

from typing import Any

from domain.game import Game
from domain.games.blockade import GAME as BLOCKADE
from domain.games.power_play import GAME as POWER_PLAY
from domain.scene import Mark
from replay.book import Book
from replay.reading.timeline import motion, motion_point
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play

JUMP = (
    "a2-b2 f8-g7 a3-b4 g7-f6 b4-c3 f6-e7 a1^c3 e7-d6 a3^a1 d6-c6 c3-c4 c6-b6 a1^c3 ^c5 ^e3 . b6-b5"
)


def record(book: Book, game: Game[Any], tokens: str) -> MatchRecord:
    return play(book, book.create(NewMatch(game)), tokens.split())


def _arrows(match: MatchRecord, ply: int) -> list[tuple[str, str]]:
    return [(one.start, one.end) for one in motion_point(match, ply).scene.arrows]


def test_whole_jump_is_drawn_until_next_turn(book):
    match = record(book, POWER_PLAY, JUMP)
    way = [("a1", "c3"), ("c3", "c5"), ("c5", "e3")]
    assert [_arrows(match, ply) for ply in range(13, 17)] == [way[:1], way[:2], way, way]
    assert motion_point(match, 16).scene.marks == (Mark("a1", "from"), Mark("e3", "to"))
    assert _arrows(match, 17) == [("b6", "b5")]


def test_motion_excludes_legs_of_other_pieces(book):
    match = record(book, BLOCKADE, "roll=4,5 b2-c3 a5-b2 b3-b2")
    assert [len(motion(match, ply)) for ply in range(5)] == [0, 1, 1, 1, 1]


def test_offer_after_a_move_adds_no_motion(book):
    match = record(book, POWER_PLAY, "a2-b2 1:offer-draw")
    assert len(motion(match, 2)) == 1
