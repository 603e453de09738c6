"""Positions moved by hand, game by game: the result of each shift, and impossible ones."""

from __future__ import annotations

from typing import Any

import pytest

from domain.editor import Location, Misplaced
from domain.game import Game
from domain.games.blockade import GAME as BLOCKADE
from domain.games.cube_pyramid import GAME as CUBE_PYRAMID
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.position import Outcome, Position
from domain.position_text import PositionError
from domain.scene import Piece
from tests.case_table import cases
from tests.token_play import play_texts

STARTS = {
    "poptrix": POPTRIX.start(),
    "cubes": CUBE_PYRAMID.start(),
    "basic": PYRAMID_BALL.start(),
    "advanced": PYRAMID_BALL.start(PYRAMID_BALL.options(length="advanced")),
    "blockade": BLOCKADE.start(),
    "power": POWER_PLAY.start(),
    "power3": POWER_PLAY.start(seats=3),
}

GAME_OF: dict[type, Game[Any]] = {
    type(game.start()): game for game in (POPTRIX, CUBE_PYRAMID, PYRAMID_BALL, BLOCKADE, POWER_PLAY)
}


def read(position: Position, text: str) -> Any:
    return GAME_OF[type(position)].read_position(position, text)


def set_up(game: str, text: str) -> Any:
    return read(STARTS[game], text)


def written(position: Position) -> str:
    return GAME_OF[type(position)].write_position(position)


def locations(position: Position) -> tuple[Location, ...]:
    return GAME_OF[type(position)].editor.locations(position)


def move(position: Position, what: str, start: str, end: str) -> Any:
    return GAME_OF[type(position)].editor.move(position, what, start, end)


def give_turn(position: Position, seat: int) -> Any:
    return GAME_OF[type(position)].editor.give_turn(position, seat)


def spot(position: Position, at: str) -> Location:
    return next(spot for spot in locations(position) if spot.at == at)


def said(position: Position, at: str) -> dict[str, int]:
    """Return the names of the things of a spot, and their numbers."""
    return {thing.words(): thing.count for thing in spot(position, at).things}


def shifted(position: Position, *shifts: str) -> Position:
    """Return the position after shifts written like "S stash1 c3"."""
    for what, start, end in map(str.split, shifts):
        position = move(position, what, start, end)
    return position


# Poptrix

FEW = "2s2/5/5/5/5/2L2 5S5M4L 4s5m5l 2 12"
CAPPED = "2s2/5/5/5/5/2L^2 5S5M4L 4s5m5l 2 12"
POPTRIX_START = written(STARTS["poptrix"])
PLACED_ONE = "5/5/5/5/5/2M2 5S4M5L 5s5m5l 2 2"
PLACED_TWO = "2s2/5/5/5/5/2M2 5S4M5L 4s5m5l 1 3"

POPTRIX_MOVED = [
    ("a pyramid on the board", FEW, "L", "c1", "a3", "2s2/5/5/L4/5/5 5S5M4L 4s5m5l 2 12"),
    ("one from the stash", FEW, "S", "stash1", "a1", "2s2/5/5/5/5/S1L2 4S5M4L 4s5m5l 2 12"),
    ("one into its stash", FEW, "s", "c6", "stash2", "5/5/5/5/5/2L2 5S5M4L 5s5m5l 2 12"),
    ("one out of the game", FEW, "s", "c6", "out", "5/5/5/5/5/2L2 5S5M4L 4s5m5l 2 12"),
    ("one back into the game", FEW.replace("4s", "3s"), "s", "out", "e6",
     FEW.replace("2s2", "2s1s").replace("4s", "3s")),
    ("a cap goes with its pyramid", CAPPED, "L", "c1", "a3", "2s2/5/5/L^4/5/5 5S5M4L 4s5m5l 2 12"),
    ("a cap stays when its pyramid is out", CAPPED, "L", "c1", "out",
     "2s2/5/5/5/5/5 5S5M4L 4s5m5l 2 12"),
    ("a cap out of the stash", FEW, "^1", "stash1", "c1", CAPPED),
    ("a cap into the stash", CAPPED, "^1", "c1", "stash1", FEW),
    ("a pyramid laid down where it was", CAPPED, "L", "c1", "c1", CAPPED),
    ("the first placement makes it turn 2", POPTRIX_START, "M", "stash1", "c1", PLACED_ONE),
    ("the second makes it turn 3", PLACED_ONE, "s", "stash2", "c6", PLACED_TWO),
    ("the second taken back", PLACED_TWO, "s", "c6", "stash2", PLACED_ONE),
    ("the first taken back", PLACED_ONE, "M", "c1", "stash1", POPTRIX_START),
    ("later a full stash changes no turn", FEW, "L", "c1", "stash1",
     "2s2/5/5/5/5/5 5S5M5L 4s5m5l 2 12"),
]  # fmt: skip

POPTRIX_REFUSED = [
    ("a square that is taken", FEW, "L", "c1", "c6", "c6 is taken"),
    ("the stash of another", FEW, "L", "c1", "stash2", "a square, in its own stash, or out"),
    ("no place at all", FEW, "L", "c1", "stash3", "a square, in its own stash, or out"),
    ("a cap on a pyramid of another", CAPPED, "^1", "c1", "c6", "on a pyramid of its own"),
    ("a cap on nothing", CAPPED, "^1", "c1", "c3", "on a pyramid of its own, or into its stash"),
    ("a cap out of the game", CAPPED, "^1", "c1", "out", "or into its stash"),
    ("what is not there", FEW, "M", "c1", "c2", "'M' is not on c1"),
    ("what no stash has", FEW, "^1", "stash2", "c1", "'^1' is not in the stash of seat 2"),
    ("from no place", FEW, "M", "z9", "c2", "'z9' is not a place"),
]

# Cube Pyramid

CUBES_START = written(STARTS["cubes"])
DUE = "ll3/l3/3/2/1 4/3/2/1 3/2/1 2/1 1 10l5d 5l13d B11 1 5"
LAST_CUBE = "ll3/l3/3/2/1 4/3/2/1 3/2/1 2/1 1 15l17d 0l1d B11 1 5"

CUBES_MOVED = [
    ("a cube from a supply", CUBES_START, "l", "supply1", "A11",
     "l4/4/3/2/1 4/3/2/1 3/2/1 2/1 1 12l5d 5l13d - 1 1"),
    ("a cube from space to space", "l4/4/3/2/1 4/3/2/1 3/2/1 2/1 1 12l5d 5l13d - 2 2",
     "l", "A11", "A21", "5/l3/3/2/1 4/3/2/1 3/2/1 2/1 1 12l5d 5l13d - 2 2"),
    ("a cube from supply to supply", CUBES_START, "d", "supply2", "supply1",
     "5/4/3/2/1 4/3/2/1 3/2/1 2/1 1 13l6d 5l12d - 1 1"),
    ("a cube into a supply", DUE, "l", "A12", "supply2",
     "l4/l3/3/2/1 4/3/2/1 3/2/1 2/1 1 10l5d 6l13d - 1 5"),
    ("a cube that nothing carries yet", CUBES_START, "l", "supply1", "B11",
     "5/4/3/2/1 l3/3/2/1 3/2/1 2/1 1 12l5d 5l13d - 1 1"),
    ("a bonus is due until its space is filled", DUE, "d", "supply2", "B11",
     "ll3/l3/3/2/1 d3/3/2/1 3/2/1 2/1 1 10l5d 5l12d - 1 5"),
    ("a bonus stays due", DUE, "d", "supply2", "A51",
     "ll3/l3/3/2/d 4/3/2/1 3/2/1 2/1 1 10l5d 5l12d B11 1 5"),
    ("no bonus without a cube to take", LAST_CUBE, "d", "supply2", "A51",
     "ll3/l3/3/2/d 4/3/2/1 3/2/1 2/1 1 15l17d 0l0d - 1 5"),
    ("a cube laid down where it was", DUE, "d", "supply2", "supply2", DUE),
]  # fmt: skip

CUBES_REFUSED = [
    ("a space that is filled", DUE, "d", "supply1", "A11", "A11 is filled: first take away"),
    ("no place at all", DUE, "d", "supply1", "A55", "in the pyramid or in a supply, and 'A55'"),
    ("a cube that is not there", DUE, "d", "A11", "A51", "'d' is not on A11"),
    ("a cube that a supply lacks", LAST_CUBE, "l", "supply2", "A51",
     "'l' is not in the supply of seat 2"),
]  # fmt: skip

# Pyramid Ball

PIECES = "7/7/1l3s1/3m3/3M3/1L3S1/7/7"
REST = "- 0/0 -/- -/- - 1"
BALL_START = f"program {PIECES} 1 1M 1 {REST}"
LOOSE = f"program {PIECES} 1 c8 1 1 1/0 -/- -/- - 5"
UNDER = f"program 2M4/{PIECES[2:].replace('3M3', '7')} 1 c8 1 1 1/0 -/- -/- - 5"
GOAL = (
    "place 2M4/7/1l3s1/3m3/7/1L3S1/7/7 1 - 1 1 2/0 -/SL -/S 1M row3+ 1S,2L"
    " S=FR.,M=..F,L=LLF,pass=3M S=...,M=...,L=...,dash=F 2 9"
)
AFTER_GOAL = "program 2M4/7/1l3s1/3m3/7/1L3S1/7/7 1 {} 1 2/0 -/SL -/S - 9"

BASIC_MOVED = [
    ("a pyramid", BALL_START, "S", "f3", "e4",
     f"program 7/7/1l3s1/3m3/3MS2/1L5/7/7 1 1M 1 {REST}"),
    ("a pyramid with the ball", BALL_START, "M", "d4", "d8",
     f"program 3M3/7/1l3s1/3m3/7/1L3S1/7/7 1 1M 1 {REST}"),
    ("the ball to one of its side", BALL_START, "ball", "d4", "b3",
     f"program {PIECES} 1 1L 1 {REST}"),
    ("the ball to the other side, now the offence", BALL_START, "ball", "d4", "f6",
     f"program {PIECES} 1 2S 2 {REST}"),
    ("the ball laid down where it was", BALL_START, "ball", "d4", "d4", BALL_START),
]  # fmt: skip

ADVANCED_MOVED = [
    ("the ball laid on an empty square", BALL_START, "ball", "d4", "a1",
     f"program {PIECES} 1 a1 1 {REST}"),
    ("the ball picked up", LOOSE, "ball", "c8", "d4",
     f"program {PIECES} 1 1M 1 1 1/0 -/- -/- - 5"),
    ("a defender comes upon the ball and has it", LOOSE, "m", "d5", "c8",
     f"program 2m4/{PIECES[2:].replace('3m3', '7')} 1 2M 2 1 1/0 -/- -/- - 5"),
    ("the offence comes upon the ball and has it not", LOOSE, "M", "d4", "c8", UNDER),
    ("the offence leaves a ball where it is", UNDER, "M", "c8", "d4", LOOSE),
    ("the ball given to who stands on it", UNDER, "ball", "c8", "c8",
     UNDER.replace("1 c8 1", "1 1M 1")),
    ("a goal still waits for the ball", GOAL, "m", "d5", "e5", GOAL.replace("3m3", "4m2")),
    ("the scorer moves along its row", GOAL, "M", "c8", "d8", GOAL.replace("2M4", "3M3")),
    ("the ball of a goal laid down ends that turn", GOAL, "ball", "c8", "b8",
     AFTER_GOAL.format("b8 1")),
    ("the ball of a goal given to the other side", GOAL, "ball", "c8", "d5",
     AFTER_GOAL.format("2M 2")),
    ("the ball of a goal stays with the scorer", GOAL, "ball", "c8", "c8", GOAL),
]  # fmt: skip

BASIC_REFUSED = [
    ("a square that is taken", BALL_START, "S", "f3", "d5", "d5 is taken"),
    ("off the board", BALL_START, "S", "f3", "out", "stay on the board (BAL-1.1)"),
    ("the ball off the board", BALL_START, "ball", "d4", "out", "'out' is not a square"),
    ("a loose ball", BALL_START, "ball", "d4", "a1", "a1 has no pyramid to carry it"),
    ("a ball that is not there", BALL_START, "ball", "f3", "d4", "'ball' is not on f3"),
]

# Blockade

SMALLS = "b,b,b,RRRRR/r,r,r,b,y/r,g,1,b,y/r,g,y,y,y/YYYYY,g,g,g,"
BLOCKADE_START = f"GGGGG,{SMALLS}BBBBB 5S5M5L - - 1 1"
ROLLED = f"GGGGG,B{SMALLS}BBBB 5S5M5L 6,3 1,0 1 3"
"""A blue tower on b5, no black on it."""
BLOCKED = f"GGGGG,Bbl,{SMALLS[2:]}BBBB 5S5M4L 6,3 1,0 1 3"
ABOVE = f"GGGGG,Bblb,1,{SMALLS[4:]}BBBB 5S5M4L 6,3 1,0 1 3"
UNDERNEATH = f"GGGGGg,{SMALLS[:-2]}1,BBBBB 5S5M5L - - 1 3"

BLOCKADE_MOVED = [
    ("the top of a stack", BLOCKADE_START, "G", "a5", "c3",
     BLOCKADE_START.replace("GGGGG", "GGGG").replace("g,1,b", "g,G,b")),
    ("what lies further down, from under the rest", UNDERNEATH, "G", "a5", "c3",
     UNDERNEATH.replace("GGGGGg", "GGGGg").replace("g,1,b", "g,G,b")),
    ("onto what the rules forbid", BLOCKADE_START, "b", "b5", "a4",
     BLOCKADE_START.replace("b,b,b", "1,b,b").replace("/r,r", "/rb,r")),
    ("a tower gets no black by itself, and the dice stay",
     f"GGGGG,B,{SMALLS[2:]}BBBBb 5S5M5L 6,3 1,0 1 3", "b", "e1", "b5", ROLLED),
    ("a black onto a tower", ROLLED, "l", "blacks", "b5", BLOCKED),
    ("a black straight onto a tower, under what is there",
     ABOVE.replace("Bblb", "Bbb").replace("4L", "5L"), "l", "blacks", "b5", ABOVE),
    ("a black from under what stands on it", ABOVE, "l", "b5", "blacks",
     ABOVE.replace("Bblb", "Bbb").replace("4L", "5L")),
    ("what stands on a black", ABOVE, "b", "b5", "c5", BLOCKED),
    ("onto a blockade", BLOCKED, "b", "c5", "b5", ABOVE),
    ("laid down where it was it lies on top", UNDERNEATH, "G", "a5", "a5",
     UNDERNEATH.replace("GGGGGg", "GGGGgG")),
]  # fmt: skip

BLOCKADE_REFUSED = [
    ("a tower under its black", BLOCKED, "b", "b5", "c3", "(BLK-5.2): first take the black away"),
    ("a black where no tower is", ROLLED, "s", "blacks", "c5", "c5 has no tower"),
    ("a black on the bare clear", ROLLED, "s", "blacks", "c3", "c3 has no tower"),
    ("a second black", BLOCKED, "s", "blacks", "b5", "a tower has only one (BLK-5.1)"),
    ("a coloured pyramid off the board", ROLLED, "G", "a5", "blacks", "(BLK-1.3)"),
    ("no place at all", ROLLED, "G", "a5", "f1", "a coloured pyramid cannot lie on 'f1'"),
    ("a black to no place at all", BLOCKED, "l", "b5", "f1", "a black cannot lie on 'f1'"),
    ("a colour that is not there", ROLLED, "R", "a5", "c3", "'R' is not on a5"),
    ("a large of the bottom layer", ROLLED, "L", "b5", "c3", "'L' is not on b5"),
    ("a black of another size", BLOCKED, "s", "b5", "blacks", "'s' is not on b5"),
]  # fmt: skip

# Power Play


def low(rows: str, rest: str, high: str = "7,2S") -> str:
    """Seat 2 has a small on h8, or the given row 8; seat 1 has rows 3 to 1."""
    return f"{high}/8/8/3,B,B,3/3,B,B,3/{rows} {rest}"


NEST = low("8/8/1LMS,7", "-/- 24/29 - - 1 9")
TWO = low("8/8/1LM,1S,6", "-/- 24/29 - - 1 9")
POWER = low("8/8/1L+M,1S,6", "-/- 24/29 - - 1 9")
LARGES = low("8/8/1L,1L,6", "-/- 24/29 - - 1 9")
JUMP = low("8/1,1S,1L,5/8", "-/- 26/29 a3^c2 - 1 9")
THREE = low("8/8/1L,7", "-/-/- 27/29/29 - - 1 9", high="3S,6,2S")
KICKED = low("8/8/1L,7", "-/0S1M0L 27/27 - 2 1 9")

POWER_MOVED = [
    ("a nest as a whole", NEST, "1LMS", "a1", "c3",
     low("2,1LMS,5/8/8", "-/- 24/29 - - 1 9")),
    ("a pyramid out of a nest", NEST, "1M", "a1", "c3",
     low("2,1M,5/8/1LS,7", "-/- 24/29 - - 1 9")),
    ("a pyramid into a nest", TWO, "1S", "b1", "a1", NEST),
    ("a nest over a pyramid", TWO, "1LM", "a1", "b1", NEST.replace("1LMS,7", "1,1LMS,6")),
    ("a nest taken bound", TWO, "1L+M", "a1", "a1", POWER),
    ("a power piece taken loose", POWER, "1LM", "a1", "c1",
     low("8/8/1,1S,1LM,5", "-/- 24/29 - - 1 9")),
    ("what joins a power piece is bound", POWER, "1S", "b1", "a1",
     low("8/8/1L+M+S,7", "-/- 24/29 - - 1 9")),
    ("a power piece joins and stays bound", POWER, "1L+M", "a1", "b1",
     low("8/8/1,1L+M+S,6", "-/- 24/29 - - 1 9")),
    ("alike sizes are bound", LARGES, "1L", "a1", "b1",
     low("8/8/1,1L+L,6", "-/- 24/29 - - 1 9")),
    ("a pyramid out of a power piece of three leaves one of two",
     low("8/8/1L+M+S,7", "-/- 24/29 - - 1 9"), "1M", "a1", "h1",
     low("8/8/1L+S,6,1M", "-/- 24/29 - - 1 9")),
    ("a pyramid out of a power piece of two leaves a single",
     POWER, "1L", "a1", "h1", low("8/8/1M,1S,5,1L", "-/- 24/29 - - 1 9")),
    ("a piece into its hand", NEST, "1LMS", "a1", "hand1",
     low("8/8/8", "1S1M1L/- 24/29 - - 1 9")),
    ("a pyramid out of its hand", KICKED, "2M", "hand2", "h8",
     low("8/8/1L,7", "-/- 27/27 - - 1 9", high="7,2MS")),
    ("a piece captured is lost", TWO, "1LM", "a1", "out", low("8/8/1,1S,6", "-/- 29/29 - - 1 9")),
    ("a pyramid back from out of the game", TWO, "2L", "out", "h1",
     low("8/8/1LM,1S,5,2L", "-/- 24/26 - - 1 9")),
    ("a seat without pyramids is out", TWO, "2S", "h8", "out",
     low("8/8/1LM,1S,6", "-/out 24/30 - - 1 9", high="8")),
    ("a seat that was out has a pyramid again",
     low("8/8/1L,7", "-/out 27/18 - - 1 9", high="8"), "2S", "out", "h8",
     low("8/8/1L,7", "-/- 27/29 - - 1 9")),
    ("a jump goes on when another piece is moved", JUMP, "2S", "h8", "g8",
     JUMP.replace("7,2S", "6,2S,1")),
    ("a jump is over when its piece is moved", JUMP, "1L", "c2", "c3",
     low("2,1L,5/1,1S,6/8", "-/- 26/29 - - 1 9")),
    ("a jump is over when its start is taken", JUMP, "2S", "h8", "a3",
     low("2S,7/1,1S,1L,5/8", "-/- 26/29 - - 1 9", high="8")),
    ("put-backs are still due", KICKED, "1L", "a1", "a2", KICKED.replace("8/1L,7", "1L,7/8")),
    ("no put-back is due from an empty hand", KICKED, "2M", "hand2", "out",
     low("8/8/1L,7", "-/- 27/29 - - 1 9")),
    ("a piece laid down where it was", NEST, "1LMS", "a1", "a1", NEST),
]  # fmt: skip

POWER_REFUSED = [
    ("a piece of another", TWO, "1S", "b1", "h8", "h8 is taken"),
    ("a black", TWO, "1S", "b1", "d4", "d4 has a black for the whole game (PWR-1.3)"),
    ("a black moved", TWO, "B", "d4", "d3", "the whole game (PWR-1.3)"),
    ("more than three pyramids", low("8/8/1LMS,1S,6", "-/- 23/29 - - 1 9"), "1S", "b1", "a1",
     "at most 3 pyramids (PWR-2.1)"),
    ("the hand of another", TWO, "1S", "b1", "hand2", "in the hand of seat 1, or out"),
    ("a hand of nobody", TWO, "1S", "b1", "hand3", "in the hand of seat 1, or out"),
    ("no place at all", TWO, "1S", "b1", "z9", "must lie on a square"),
    ("a piece that is not there", TWO, "1L", "b1", "c1", "'1L' is not on b1"),
    ("the last pyramid of all", low("8/8/1S,7", "-/out 29/30 - - 1 9", high="8"),
     "1S", "a1", "out", "at least one seat must stay in the game"),
]  # fmt: skip

MOVED = {
    "poptrix": POPTRIX_MOVED,
    "cubes": CUBES_MOVED,
    "basic": BASIC_MOVED,
    "advanced": BASIC_MOVED + ADVANCED_MOVED,
    "blockade": BLOCKADE_MOVED,
    "power": POWER_MOVED,
}
REFUSED = {
    "poptrix": POPTRIX_REFUSED,
    "cubes": CUBES_REFUSED,
    "basic": BASIC_REFUSED,
    "blockade": BLOCKADE_REFUSED,
    "power": POWER_REFUSED,
}


def each(table: dict[str, list[tuple[str, ...]]]) -> list[Any]:
    return [
        pytest.param(game, *row, id=f"{game}: {shows}")
        for game, listed in table.items()
        for shows, *row in listed
    ]


@pytest.mark.parametrize(("game", "before", "what", "start", "end", "after"), each(MOVED))
def test_moved_thing_changes_the_position(game, before, what, start, end, after):
    assert written(move(set_up(game, before), what, start, end)) == after


@pytest.mark.parametrize(("game", "before", "what", "start", "end", "reason"), each(REFUSED))
def test_impossible_edit_gives_the_reason(game, before, what, start, end, reason):
    with pytest.raises(Misplaced) as refused:
        move(set_up(game, before), what, start, end)
    assert reason in str(refused.value)


TURNED = {
    "poptrix: the seat to move": (FEW, 1, FEW.replace("2 12", "1 12")),
    "cubes: no bonus is due": (DUE, 2, DUE.replace("B11 1", "- 2")),
    "cubes: nor of the seat itself": (DUE, 1, DUE.replace("B11 1", "- 1")),
    "basic: both program": (BALL_START, 2, BALL_START),
    "advanced: a loose ball stays": (LOOSE, 2, LOOSE),
    "advanced: a goal is over, the scorer has the ball": (GOAL, 1, AFTER_GOAL.format("1M 1")),
    "blockade: the dice are rolled anew": (ROLLED, 1, ROLLED.replace("6,3 1,0", "- -")),
    "blockade: by the other seat": (ROLLED, 2, ROLLED.replace("6,3 1,0 1", "- - 2")),
    "power: a jump is over": (JUMP, 2, JUMP.replace("a3^c2 - 1", "- - 2")),
    "power: put-backs wait for their turn": (KICKED, 1, KICKED.replace("- 2 1", "- - 1")),
}


@pytest.mark.parametrize("shows", TURNED)
def test_giving_the_turn_clears_pending_moves(shows):
    before, seat, after = TURNED[shows]
    position = set_up(shows.split(":")[0], before)
    assert written(give_turn(position, seat)) == after


def test_turn_needs_a_playing_seat():
    out = low("8/8/1L,7", "-/-/out 27/29/18 - - 1 9")
    with pytest.raises(Misplaced, match="seat 3 is not in the game"):
        give_turn(set_up("power3", out), 3)
    for start in STARTS.values():
        with pytest.raises(Misplaced, match="seat 4 is not in the game"):
            give_turn(start, 4)


@pytest.mark.parametrize(
    ("game", "text", "shifts", "reason"),
    [
        ("cubes", CUBES_START, ("l supply1 B11",), "the cube on B11 has no support"),
        ("cubes", DUE.replace("B11", "-"), ("d supply2 B11", "l A12 A51"), "has no support on A12"),
        ("advanced", GOAL, ("M c8 c7",), "a scorer of seat 1 must be in row 8"),
        ("power3", THREE, ("1L a1 out",), "the seat to move must be 2 or 3, not '1'"),
    ],
)
def test_impossible_position_is_reported_when_read(game, text, shifts, reason):
    position = shifted(set_up(game, text), *shifts)
    with pytest.raises(PositionError, match=reason):
        read(position, written(position))


def test_last_seat_with_pyramids_has_won():
    # PWR-6.3, PWR-7.1
    position = shifted(set_up("power3", THREE), "1L a1 out", "3S a8 out")
    assert read(position, written(position)).outcome() == Outcome("PWR-7.1", (2,))


def test_edit_reopens_a_finished_game():
    won = set_up("poptrix", "5/5/5/5/5/2L2 5S5M4L 4s5m5l 2 12")
    assert won.outcome() == Outcome("POP-6.1", (1,))
    back = move(won, "s", "out", "c6")
    assert back.outcome() is None
    assert read(back, written(back)).outcome() is None


# Things and their places


@cases(
    "game text at things",
    f"""
poptrix | {CAPPED} | stash2
  | 4 small of seat 2; 5 medium of seat 2; 5 large of seat 2; 1 cap of seat 2
poptrix | {CAPPED} | c1 | 1 large of seat 1, with its cap; 1 cap of seat 1
poptrix | {FEW.replace("5S5M4L", "3S5M4L")} | out | 2 small of seat 1
cubes | {DUE} | A11 | 1 light cube
cubes | {DUE} | supply1 | 10 light cube; 5 dark cube
cubes | {DUE} | E11 |
advanced | {BALL_START} | d4 | 1 medium of seat 1, with the ball; 1 the ball
advanced | {BALL_START} | b6 | 1 large of seat 2
advanced | {LOOSE} | c8 | 1 the ball
advanced | {UNDER} | c8 | 1 medium of seat 1; 1 the ball
advanced | {GOAL} | c8 | 1 medium of seat 1, with the ball; 1 the ball
blockade | {UNDERNEATH} | a5 | 1 green small; 5 green medium
blockade | {UNDERNEATH} | c3 |
blockade | {BLOCKED} | blacks | 4 black large; 5 black medium; 5 black small
power | {NEST} | a1 | 1 large, medium and small of seat 1, nested; 1 large of seat 1;
  1 medium of seat 1; 1 small of seat 1;
  1 large, medium and small of seat 1, bound as a power piece
power | {KICKED} | hand2 | 1 medium of seat 2
""",
)
def test_location_lists_its_things(game, text, at, things):
    found = said(set_up(game, text), at)
    assert [f"{count} {words}" for words, count in found.items()] == [
        each for each in map(str.strip, things.split(";")) if each
    ]


@cases(
    "game text at names",
    f"""
cubes | {LAST_CUBE} | supply2 | d
blockade | {BLOCKED} | b5 | l
blockade | {ABOVE} | b5 | b l
power | {POWER} | a1 | 1L+M 1L 1M 1LM
power | {POWER} | b1 | 1S
power | {KICKED} | d4 |
""",
)
def test_location_names_its_movable_things(game, text, at, names):
    assert [thing.what for thing in spot(set_up(game, text), at).things] == names.split()


@cases(
    "game text at words",
    f"""
poptrix | {CAPPED} | stash2 | in the stash of seat 2
poptrix | {CAPPED} | out | out of the game
cubes | {DUE} | supply1 | in the supply of seat 1
blockade | {BLOCKED} | blacks | in the supply of blacks
power | {KICKED} | hand2 | in the hand of seat 2
""",
)
def test_location_words(game, text, at, words):
    assert spot(set_up(game, text), at).words() == words


def test_things_have_pictures():
    capped, stacked = set_up("poptrix", CAPPED), set_up("blockade", UNDERNEATH)
    assert spot(capped, "c1").things[0].piece == Piece("pyramid", "seat1", 3, ("cap",))
    assert spot(stacked, "a5").things[0].piece == Piece("pyramid", "green", 1)


def test_editor_lists_spaces_and_supplies_of_pyramid():
    cubes = locations(set_up("cubes", DUE))
    assert [spot.at for spot in cubes][:2] == ["A11", "A12"]
    assert len(cubes) == 37


def test_pyramid_ball_has_locations_only_on_board():
    assert not any(spot.beside for spot in locations(STARTS["basic"]))


def test_editor_waits_for_choice_of_sides():
    picking = play_texts(PYRAMID_BALL, "", opening="selection").state.position
    assert locations(picking) == ()
    with pytest.raises(Misplaced, match="after the winner has chosen"):
        move(picking, "ball", "d4", "b3")


def test_editor_waits_for_sealed_moves():
    sealed = play_texts(PYRAMID_BALL, "1:S=FFF,M=...,L=...").state.position
    assert locations(sealed) == ()
    with pytest.raises(Misplaced, match="after the sealed moves are revealed"):
        move(sealed, "S", "f3", "f4")
    with pytest.raises(Misplaced, match="after the sealed moves are revealed"):
        give_turn(sealed, 1)


def test_edited_blockade_walls_off_the_opponent():
    # BLK-3.4
    blocked = move(set_up("blockade", ROLLED), "l", "blacks", "b5")
    assert blocked.walls == 0
    assert give_turn(blocked, 2) == read(blocked, written(give_turn(blocked, 2)))
    assert give_turn(blocked, 2).walls != 0


def test_equal_pyramids_are_counted_without_nest():
    larges = move(set_up("power", LARGES), "1L", "a1", "b1")
    assert said(larges, "b1") == {
        "large and large of seat 1, bound as a power piece": 1,
        "large of seat 1": 2,
    }


def test_captured_pyramids_are_counted_as_out():
    assert said(set_up("power", KICKED), "out")["medium of seat 2"] == 4


def test_each_seat_has_a_hand():
    hands = [spot.at for spot in locations(STARTS["power3"]) if spot.at.startswith("hand")]
    assert hands == ["hand1", "hand2", "hand3"]
