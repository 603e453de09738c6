"""Blockade, clause by clause."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import combinations

import pytest

from domain.entry import move_text
from domain.game import OptionError
from domain.games.blockade import GAME
from domain.games.blockade.board import (
    BLACK,
    BLACKS,
    BOARD,
    COOL,
    MAX_COST,
    SQUARE,
    WARM,
    blockades,
    cost,
    members,
    reach,
    set_up,
)
from domain.games.blockade.effects import (
    Blockaded,
    Exhausted,
    Landed,
    Rolled,
    TowerBuilt,
    TowerLost,
)
from domain.games.blockade.moves import Roll
from domain.games.blockade.position import Table, points_left
from domain.match import Match
from domain.scene import Arrow, Mark, Piece
from tests.case_table import cases, cases_of_words, compare, ending, listed, numbers, said
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_from, play_texts, refusal

CLAUSES = {
    "BLK-1.1": shown_by("set-up", "test_board_is_five_by_five", "test_turns"),
    "BLK-1.2": shown_by("set-up", "test_larges_form_the_bottom_layer"),
    "BLK-1.3": shown_by("set-up", "test_smalls_and_mediums_start_on_the_larges"),
    "BLK-1.4": shown_by("set-up", "test_fifteen_blacks_start_off_the_board"),
    "BLK-1.5": shown_by("set-up", "test_seat_one_begins_and_turns_alternate"),
    "BLK-2.1": shown_by("effect", "test_turns", "test_refusals"),
    "BLK-2.2": shown_by("effect", "test_points_left"),
    "BLK-2.3": shown_by("refusal", "test_refusals", "test_points_left", "test_turns"),
    "BLK-2.4": shown_by("effect", "test_turns"),
    "BLK-2.5": shown_by("effect", "test_turns", "test_refusals"),
    "BLK-3.1": shown_by("refusal", "test_refusals"),
    "BLK-3.2": shown_by(
        "unbreakable",
        "test_legs",
        note="a leg names squares, so it cannot ask for anything but the top one",
    ),
    "BLK-3.3": shown_by("set-up", "test_price_of_a_leg", "test_legs"),
    "BLK-3.4": shown_by(
        "effect", "test_legs", "test_refusals", "test_blockades_leave_every_square_reachable"
    ),
    "BLK-3.5": shown_by("refusal", "test_refusals", "test_price_of_a_leg"),
    "BLK-3.6": shown_by("effect", "test_legs", "test_refusals"),
    "BLK-4.1": shown_by("effect", "test_landing"),
    "BLK-4.2": shown_by("refusal", "test_refusals", "test_landing"),
    "BLK-4.3": shown_by("refusal", "test_landing"),
    "BLK-4.4": shown_by("refusal", "test_refusals", "test_landing"),
    "BLK-5.1": shown_by("effect", "test_towers"),
    "BLK-5.2": shown_by("effect", "test_towers", "test_refusals"),
    "BLK-5.3": shown_by("effect", "test_towers"),
    "BLK-6.1": shown_by("outcome", "test_endings"),
}

LETTERS = "cbgry"
START = {"dice": "6,6", "spent": "0,0", "seat": "1", "cool": "1", "supply": listed(tuple(BLACKS))}


def table(text: str) -> Table:
    """Set up a position: the larges, and on them `"b5:bMbSkL c3:rM dice=4,2 spent=1,0"`.

    k is a black of the stack's colour; `dice=-` is before the roll; `seat` is to move.
    """
    words = text.split()
    given = START | dict(word.split("=") for word in words if "=" in word)
    stacks = [stack[:1] for stack in set_up()]
    for name, pieces in (word.split(":") for word in words if ":" in word):
        at = BOARD.index[name]
        for letter, size in zip(pieces[::2], pieces[1::2], strict=True):
            colour = stacks[at][0] >> 2 if letter == "k" else LETTERS.index(letter)
            black = BLACK if letter == "k" else 0
            stacks[at] += bytes((black + colour * 4 + "_SML".index(size),))
    seat, cool = int(given["seat"]), int(given["cool"])
    walls = blockades(tuple(stacks), WARM if seat == cool else COOL)
    dice = None if given["dice"] == "-" else numbers(given["dice"])
    supply = bytes(numbers(given["supply"]))
    return Table(tuple(stacks), supply, cool, seat, 7, walls, dice, numbers(given["spent"]))


def played(position: str, play: str) -> Match:
    """Play moves from a position of `table`, or from `start`, where `cool=2` is an option."""
    if position.startswith("start"):
        return play_texts(GAME, play, cool=int(position[-1]) if "cool" in position else 1)
    return play_from(GAME, table(position), play)


def stack(position: Table, name: str) -> str:
    """Return a stack as in `table`, with its large; a black of another colour would be `K`."""
    codes = position.stacks[BOARD.index[name]]
    blacks = {True: "k", False: "K"}
    return "".join(
        (blacks[code >> 2 == (BLACK + codes[0]) >> 2] if code & BLACK else LETTERS[code >> 2])
        + "_SML"[code & 3]
        for code in codes
    )


def walled(squares: int) -> str:
    return listed(tuple(BOARD.names[at] for at in members(squares)))


def value(match: Match, name: str, expected: str) -> object:
    """Return the value of a name in the tables below."""
    position, effects = match.state.position, last_effects(match) if match.line else ()
    if name in BOARD.index:
        return stack(position, name)
    if name in ("all", "rest"):
        return ",".join(said(*effects[name == "rest" :]))
    if name == "last":
        return said(effects[-1])[0]
    if name in ("seat", "turn", "dice"):
        return getattr(position, name)
    if name == "wins":
        return ending(position.outcome())
    return SEEN[name](position)


SEEN = {
    "spent": lambda position: listed(position.spent),
    "left": lambda position: listed(position.left()),
    "supply": lambda position: listed(tuple(position.supply)),
    "walls": lambda position: walled(position.walls),
    "cool_walls": lambda position: walled(blockades(position.stacks, COOL)),
    "awaits": lambda position: listed(position.awaiting()),
    "legal": lambda position: ",".join(
        sorted(GAME.write(move) for seat in (1, 2) for move in GAME.legal(position, seat))
    ),
    "towers": lambda position: sum(
        bool(cell.note) for cell in GAME.scene(position).panels[0].cells
    ),
    "written": lambda position: "/".join(GAME.write_position(position).split()[2:4]),
}


def check_play(position: str, play: str, expected: str) -> None:
    """Play from a position, and compare the result: `seat=2 walls=c5 c5=bLbMbSkL`.

    `all` has the effects of the last event, `rest` those after the first, `last` the last.
    """
    compare(expected, partial(value, played(position, play)))


# The board and the set-up


def test_board_is_five_by_five():
    assert (BOARD.files, BOARD.ranks) == (tuple("abcde"), tuple("12345"))
    assert len(GAME.start().stacks) == 25


def test_larges_form_the_bottom_layer():
    squares = {"c": [], "b": [], "g": [], "r": [], "y": []}
    for name, stack in zip(BOARD.names, GAME.start().stacks, strict=True):
        assert stack[0] & 3 == 3
        squares[LETTERS[stack[0] >> 2]].append(name)
    assert {letter: " ".join(names) for letter, names in squares.items()} == {
        "c": "a1 e1 c3 a5 e5",
        "b": "d3 d4 b5 c5 d5",
        "g": "b1 c1 d1 b2 b3",
        "r": "a2 a3 a4 b4 c4",
        "y": "c2 d2 e2 e3 e4",
    }


def test_smalls_and_mediums_start_on_the_larges():
    stacks = dict(zip(BOARD.names, GAME.start().stacks, strict=True))
    mediums = {"a5": 2, "e5": 3, "a1": 4, "e1": 1}
    for name, stack in stacks.items():
        if name in mediums:
            assert stack[1:] == bytes((mediums[name] * 4 + 2,)) * 5
        elif name == "c3":
            assert len(stack) == 1
        else:
            assert stack[1:] == bytes((stack[0] - 2,))
    assert sum(map(len, stacks.values())) == 65


def test_fifteen_blacks_start_off_the_board():
    assert tuple(GAME.start().supply) == (0, 5, 5, 5)


def test_each_colour_has_31_legs_at_the_start():
    position = played("start", "roll=6,6").state.position
    kinds: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
    for move in GAME.legal(position, 1):
        if move.what == "leg":
            start, end = (position.stacks[BOARD.index[at]] for at in (move.from_, move.to))
            sizes = "_SML"[start[-1] & 3] + "_SML"[end[-1] & 3]
            kinds[start[-1] >> 2][sizes] += 1
    assert kinds == {colour: {"SS": 20, "SL": 5, "SM": 5, "ML": 1} for colour in (1, 2)}


def test_game_has_two_seats():
    with pytest.raises(OptionError, match="for 2 seats"):
        GAME.start(seats=3)


# Refusals

NONE_LEFT = "supply=0,0,0,0"
FOUR = "c5:bMbSkL d5:bMbSkL d4:bMbSkL d3:bMbSkL"
"""Four blue towers."""

REFUSALS = f"""
form | start | | roll=0,5@ roll=7,5@ roll=4@
form | start | roll=6,6 | a1-f3@ a0-a3@ ..@
turn | start | | b5-c5 . c3-c3 2:roll=4,5
turn | start | roll=4,5 | roll=4,5 2:. 2:a2-a3
turn | start | roll=4,5 b5-c5 | roll=1,1
turn | start | roll=4,5 . | . a2-a3
turn | start | roll=1,4 d5-d4 b2-d1 b1-d1 | 1:. .
BLK-2.3 | start | roll=1,6 | b5-d3@b5,d3 b5-d1@b5,d1
BLK-2.3 | start | roll=1,6 b5-c5 | d5-c5@d5,c5
BLK-2.3 | start | roll=2,3 b5-d3 b1-b2 | c5-d4
BLK-2.3 | start | roll=2,3 b5-d3 c5-d4 | b1-b2
# The price comes before the landing, and after the same square.
BLK-2.3 | b5:bS dice=1,6 | | b5-b3
BLK-3.5 | b5:bS dice=1,6 spent=1,0 | | b5-b5
BLK-3.1 | start | roll=6,6 | a2-a3@a2 c3-c4@c3 c3-c3@c3
BLK-3.1 | start | roll=1,6 b5-c5 | b5-c5@b5
BLK-3.1 | a2:rS e5:rM d5:bMbSkL b3:gS d3:bS | | a2-b1 b2-b1 b5-b1 c3-b1 e5-b1 d5-b1 d4-b1
BLK-3.1 | c5:bMbSkLbS b5:bS | c5-d5 | c5-d5
BLK-2.3 | a5:gS b4:rMrSkL dice=4,2 | | a5-c3
BLK-3.5 | start | roll=6,6 | b5-b5@b5
BLK-3.5 | start | roll=1,6 b5-c5 | d5-d5@d5
BLK-4.2 | start | roll=6,6 | e1-d3@d3
BLK-4.4 | start | roll=6,6 | b5-a5@a5 b5-b3@b3 b5-a4@a4
BLK-4.4 | start | roll=3,3 b1-b2 b5-c5 | c5-a4@a4
BLK-4.4 | b5:bS a4:rS c5:bM dice=6,1 | | b5-b4
over | {FOUR} b5:bM a5:bS | a5-b5 | 1:. 1:roll=1,1 1:a5-b5
"""
"""The clause, a position, the play there, and the refused move texts, some with squares."""


@cases_of_words("clause position play case", REFUSALS)
def test_refusals(clause, position, play, case):
    token, at, squares = case.partition("@")
    violation = refusal(played(position, play), token)
    assert violation.clause == clause
    if at:
        assert listed(violation.squares) == squares


def test_token_with_a_line_end_is_refused():
    assert refusal(played("start", "roll=6,6"), "b5-c5\n").clause == "form"


@cases(
    "position play token words",
    f"""
start | | b5-c5 | seat 1 rolls first, like roll=4,5
start | roll=4,5 | roll=1,2 | has rolled 4,5
start | roll=1,6 | a2-a3 | the top of a2 is a red small; seat 1 can move blue and green mediums and
start | roll=1,6 | c3-b3 | the top of c3 is a clear large; seat 1 can move
start | roll=1,6 | b5-b5 | a leg cannot end on b5, where it began; from b5 it can go to c5
start | roll=1,6 | b5-d3 | the way from b5 to d3 costs 2, but blue has 1 left; from b5 it can go to
start | roll=1,6 | b5-b4 | the blue small on b5 cannot land on b4: the top there is a red small;
start | roll=1,6 | a5-a4 | the green medium on a5 cannot land on a4: the top there is a red small;
start | roll=6,1 | a5-b5 | no leg can begin on a5 now
start | roll=2,3 b5-d3 c5-d4 | b1-b2 | green has 0 left
a5:gS b4:rMrSkL dice=4,2 | | a5-c3 | the way from a5 to c3 around the blockades costs 3, but green
a5:gS b4:rMrSkL dice=4,2 | | a5-d1 | from a5 to d1 costs
b5:bM c5:bMbSkM | | b5-c5 | the top there is a black medium, no larger than a medium;
b5:bS b3:gMgSkL | | b5-b3 | the top there is a black large on a green tower;
{FOUR} b5:bM a5:bS | a5-b5 | 1:. | the game has ended: seat 1 won (BLK-6.1)
""",
)
def test_refusal_explains_what_is_required(position, play, token, words):
    assert words in refusal(played(position, play), token).message


# Turns


def test_seat_one_begins_and_turns_alternate():
    match = play_texts(GAME, "")
    seats = []
    for token in ("roll=1,1", ".", "roll=1,1", ".", "roll=1,1"):
        seats.append((match.state.in_turn, match.state.position.turn))
        match = add_token(match, token)
    assert seats == [(1, 1), (1, 1), (2, 2), (2, 2), (1, 3)]


@cases(
    "clause position play expected",
    """
2.1 | start | roll=4,5 | all=Rolled:1:blue+green:4+5
2.1 | start cool=2 | roll=4,5 | all=Rolled:1:red+yellow:4+5
2.1 | start | roll=4,5 . roll=1,2 | all=Rolled:2:red+yellow:1+2
2.1 | start cool=2 | roll=4,5 . roll=1,2 | all=Rolled:2:blue+green:1+2
# Each die is for its own colour.
2.1 | b5:bS b3:gS dice=1,5 |
   | legal=.,b3-a1,b3-a5,b3-b1,b3-b2,b3-c1,b3-c3,b3-d1,b3-e1,b3-e5,b5-a5,b5-c5
2.1 | b3:gS dice=5,1 | | legal=.,b3-b2,b3-c3
2.3 | start | roll=2,3 | left=5,5
2.3 | start | roll=2,3 b5-d3 | all=Landed:1:blue:S:b5:d3:2
# Legs come in any order, and points stay in their turn.
2.4 | start | roll=4,4 b5-c5 b1-c1 d4-d5 c5-b5 c1-b1 | seat=1 spent=3,2 b1=gLgS
2.4 | start | roll=6,6 . roll=6,6 . roll=1,4 | left=1,4
2.5 | start | roll=6,6 . | all=Ended:1 seat=2
# A turn ends by itself after a leg, and after the roll.
2.5 | start | roll=1,4 d5-d4 b2-d1 | seat=1
2.5 | start | roll=1,4 d5-d4 b2-d1 b1-d1 | last=Exhausted:1 seat=2 turn=2 dice=None
2.5 | b5:bS dice=2,1 spent=0,1 | b5-d5 | last=Exhausted:1
2.5 | a3:bM dice=- | roll=1,6 | all=Rolled:1:blue+green:1+6,Exhausted:1 seat=2 turn=8 dice=None
2.5 | a3:bM dice=- | roll=4,6 | all=Rolled:1:blue+green:4+6
""",
)
def test_turns(clause, position, play, expected):
    check_play(position, play, expected)


@cases_of_words(
    "dice case",
    """
1,3 | 0,0>4,4
2,3 | 0,3>2,2 0,4>0,1 1,0>4,3 1,1>1,2 2,0>3,3 2,3>0,0 3,0>2,0 5,0>0,0
3,1 | 0,1>3,3 0,2>0,2
3,3 | 0,0>6,6
3,4 | 0,0>3,4
4,3 | 0,0>4,3
4,5 | 0,0>4,5 3,0>1,5 4,2>0,3
""",
)
def test_points_left(dice, case):
    spent, left = case.split(">")
    assert points_left(numbers(dice), numbers(spent)) == numbers(left)


def test_position_awaits_a_roll_then_legs():
    match = play_texts(GAME, "")
    [awaited] = match.state.position.awaiting()
    assert (awaited.what, awaited.moves) == ("roll the dice", ("roll",))
    assert len(list(GAME.legal(match.state.position, 1))) == 36
    match = add_token(match, "roll=4,5")
    [awaited] = match.state.position.awaiting()
    assert awaited.moves == ("move", "end")
    assert list(GAME.legal(match.state.position, 2)) == []


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (Rolled(2, ("red", "yellow"), (1, 2)), "seat 2 rolls 1 for red and 2 for yellow"),
        (Landed(1, "blue", "S", "b5", "d3", 2), "the blue small goes from b5 to d3 for 2 points"),
        (Landed(1, "blue", "M", "e1", "d2", 1), "the blue medium goes from e1 to d2 for 1 point"),
        (Exhausted(1), "no move left for seat 1: its turn ends by itself"),
        (TowerBuilt(1, "blue", "c5", 1), "a blue tower on c5: 1 tower stands in blue"),
        (TowerBuilt(1, "blue", "c5", 3), "a blue tower on c5: 3 towers stand in blue"),
        (TowerLost(1, "blue", "c5"), "the blue tower on c5 no longer counts"),
        (Blockaded(2, "a2", "M"), "a medium black goes on it: a2 is a blockade of seat 2"),
    ],
)
def test_effect_words(effect, words):
    assert effect.words() == words


# Legs and landings


@cases_of_words(
    "blockaded leg",
    """
| a1-b2=1 c3-c4=1 c3-d2=1 a1-e5=4 a1-b5=4 e1-c2=2
b1 | a1-c1=2
b2 | a1-c3=3 a1-b2=1
c3 | a1-c3=2
b1 b2 | a1-c1=4
b1 b2 b3 | a2-c2=4
b3 c3 d3 | c4-c1=4
""",
)
def test_price_of_a_leg(blockaded, leg):
    squares = sum(SQUARE[BOARD.index[name]] for name in blockaded.split())
    start, end = (BOARD.index[name] for name in leg[:5].split("-"))
    assert cost(squares, start, end) == int(leg[6:])
    assert cost(squares & ~SQUARE[end], start, end) == int(leg[6:])


def steps(blocked: frozenset[int], start: int) -> dict[int, int]:
    """Walk the board breadth first, as a second implementation of `reach`."""
    found, edge = {start: 0}, [start]
    while edge:
        at = edge.pop(0)
        if at in blocked and at != start:
            continue
        for other in BOARD.squares:
            if other not in found and max(map(abs, BOARD.offset(at, other))) == 1:
                found[other] = found[at] + 1
                edge.append(other)
    return found


def test_blockades_leave_every_square_reachable():
    longest = 0
    for colours in (COOL, WARM):
        own = [at for at, stack in enumerate(set_up()) if stack[0] >> 2 in colours]
        for count in (1, 2, 8, 10):
            for blocked in list(combinations(own, count))[::3]:
                squares = sum(SQUARE[at] for at in blocked)
                for start in set(BOARD.squares) - set(blocked):
                    within = reach(squares, start)
                    assert len(list(members(within[-1]))) == 24
                    if count in (2, 8):
                        expected = steps(frozenset(blocked), start)
                        last = max(expected.values())
                        longest = max(longest, last)
                        for points in range(1, last + 1):
                            new = within[points] & ~within[points - 1]
                            assert set(members(new)) == {
                                at for at, far in expected.items() if far == points
                            }
    assert longest <= MAX_COST


@cases(
    "clause position play expected",
    """
3.2 | a5:gMgMgS b1:gS | a5-b1 | a5=cLgMgM b1=gLgSgS
3.3 | start | roll=4,4 b5-d3 | all=Landed:1:blue:S:b5:d3:2
# A blockade of the opponent, and no other stack, makes a leg longer.
3.4 | a5:gS b4:rMrSkL dice=1,4 | a5-c3 | all=Landed:1:green:S:a5:c3:3
3.4 | a5:gS b4:rMrSrS dice=4,2 | a5-c3 | all=Landed:1:green:S:a5:c3:2,Exhausted:1
3.4 | a5:gS b4:rMrS dice=1,4 | a5-c3 | all=Landed:1:green:S:a5:c3:2
3.4 | a5:gS b4:rM dice=1,4 | a5-c3 | all=Landed:1:green:S:a5:c3:2
3.4 | a5:rS b4:rMrSkL dice=4,1 seat=2 | a5-c3 | all=Landed:2:red:S:a5:c3:2
3.6 | b5:bS a4:rS c5:bM dice=6,1 | b5-c3 | seat=1
""",
)
def test_legs(clause, position, play, expected):
    check_play(position, play, expected)


LANDINGS = """
legal | bS>c3: bM>c3: bS>c5: bM>c5: bS>c3:bM bM>c3:bM bS>c3:bMbS bS>c5:bMbS
legal | bS>c5:bMbSkL bM>c5:bMbSkL bS>c5:bMbSkM bS>c5:bMbSkLbS
BLK-4.2 | bM>c3:bMbS bM>c5:bMbSkLbS
BLK-4.3 | bM>c5:bMbSkM bS>c5:bMbSkS bM>c5:bMbSkS bS>b3:gMgSkL bS>b4:rMrSkL
BLK-4.4 | bS>c3:bMgS bS>c3:gM bS>b4: bS>b3: bS>b4:rMrSkLrM
"""
"""The clause that refuses a mover on a target."""


@cases_of_words("verdict pair", LANDINGS)
def test_landing(verdict, pair):
    mover, target = pair.split(">")
    match = played(f"b5:{mover} {target} e1:gM", "")
    leg = f"b5-{target[:2]}"
    if verdict == "legal":
        add_token(match, leg)
    else:
        assert refusal(match, leg).clause == verdict
    assert (leg in move_text.legal_texts(GAME, match.state)) == (verdict == "legal")


# Towers and the end


@cases(
    "clause position play expected",
    f"""
# A tower gets the largest black.
5.1 | b5:bS c5:bM d4:bS | b5-c5 | rest=TowerBuilt:1:blue:c5:1,Blockaded:1:c5:L
   c5=bLbMbSkL supply=0,5,5,4 seat=1 spent=1,0
5.1 | b5:bS c5:bM d4:bS supply=0,5,2,0 | b5-c5 | rest=TowerBuilt:1:blue:c5:1,Blockaded:1:c5:M
   c5=bLbMbSkM supply=0,5,1,0 seat=1 spent=1,0
5.1 | b5:bS c5:bM d4:bS supply=0,1,0,0 | b5-c5 | rest=TowerBuilt:1:blue:c5:1,Blockaded:1:c5:S
   c5=bLbMbSkS supply=0,0,0,0 seat=1 spent=1,0
# Other stacks are no towers.
5.1 | b5:bS d4:bS | b5-c5 | rest= supply=0,5,5,5
5.1 | b5:bS c5:bS d4:bS | b5-c5 | rest= supply=0,5,5,5
5.1 | b5:bS c5:bMbM d4:bS | b5-c5 | rest= supply=0,5,5,5
5.1 | b5:bS c3:bM d4:bS | b5-c3 | rest= supply=0,5,5,5
5.1 | b5:bS c5:bMbSkL d4:bS | b5-c5 | rest= supply=0,5,5,5
5.1 | b5:bS c5:bMbSkLbM d4:bS | b5-c5 | rest= supply=0,5,5,5
5.1 | a5:bM d4:bS | a5-b5 | rest=
# A blockade stays one, and blocks the opponent only.
5.2 | d5:bS c5:bM b5:bS e5:rM a4:rS | d5-c5 | walls=
5.2 | d5:bS c5:bM b5:bS e5:rM a4:rS | d5-c5 . roll=5,1 | seat=2 walls=c5
5.2 | d5:bS c5:bM b5:bS e5:rM a4:rS | d5-c5 . roll=5,1 . | walls=
5.2 | c5:bMbSkL b5:bS a2:rS e5:rM | b5-c5 . | walls=c5
5.2 | c5:bMbSkLbS b5:bS | c5-d5 | cool_walls=c5
# A tower without a black blocks nothing, can be lost, and can count again.
5.3 | b5:bS c5:bM a5:gM d4:bS {NONE_LEFT} | b5-c5 | rest=TowerBuilt:1:blue:c5:1
5.3 | b5:bS c5:bM a5:gM d4:bS {NONE_LEFT} | b5-c5 . | walls= towers=1
5.3 | c5:bMbS d5:bM {NONE_LEFT} | c5-b5 | rest=TowerLost:1:blue:c5
5.3 | c5:bMbS d5:bM {NONE_LEFT} | c5-d5 | rest=TowerLost:1:blue:c5,TowerBuilt:1:blue:d5:1
5.3 | c5:bMbS b5:bS d4:bS {NONE_LEFT} | b5-c5 | rest=TowerLost:1:blue:c5
5.3 | c5:bMbS b5:bS d4:bS {NONE_LEFT} | b5-c5 c5-d5 | rest=TowerBuilt:1:blue:c5:1
""",
)
def test_towers(clause, position, play, expected):
    check_play(position, play, expected)


@cases(
    "clause position play expected",
    f"""
6.1 | {FOUR} b5:bM a5:bS d1:gS b1:gS dice=4,4 | a5-b5 | wins=1:BLK-6.1 awaits= legal=
   rest=TowerBuilt:1:blue:b5:5,Blockaded:1:b5:L written=4,4/1,0
# Five towers of two colours do not win.
6.1 | {FOUR} b3:gM b1:gS dice=4,4 | b1-b3 | wins=None towers=5
6.1 | {FOUR} b5:bM a5:bS {NONE_LEFT} | a5-b5 | wins=1:BLK-6.1
6.1 | c5:bMbSkL d5:bMbSkL d4:bMbSkL d3:bMbSbS b5:bM {NONE_LEFT} | d3-b5 | wins=1:BLK-6.1
# A tower that a leg leaves does not count.
6.1 | c5:bMbSkL d5:bMbSkL d4:bMbSkL d3:bMbS b5:bM c3:bS {NONE_LEFT} dice=6,1 | d3-b5 | wins=None
6.1 | c5:bMbSkL d5:bMbSkL d4:bMbSkL d3:bMbS b5:bM c3:bS {NONE_LEFT} dice=6,1 | c3-b5
   | wins=1:BLK-6.1
6.1 | c2:yMySkL d2:yMySkL e2:yMySkL e3:yMySkL e4:yM e5:yS seat=2 | e5-e4 | wins=2:BLK-6.1
""",
)
def test_endings(clause, position, play, expected):
    check_play(position, play, expected)


# Invariants and pictures


def pyramids(position: Table) -> Counter[int]:
    on_board = Counter(
        code & (BLACK | 3) if code & BLACK else code for stack in position.stacks for code in stack
    )
    for size in (1, 2, 3):
        on_board[BLACK + size] += position.supply[size]
    return on_board


@pytest.mark.parametrize("cool", [1, 2])
def test_random_match_keeps_pyramids_and_legal_moves(cool):
    chance = random.Random(cool)
    position = GAME.start(GAME.options(cool=cool))
    everything = pyramids(position)
    for ply in range(1500):
        if position.outcome() is not None:
            position = GAME.start(GAME.options(cool=cool))
        seat = position.seat
        moves = list(GAME.legal(position, seat))
        if ply % 50 == 0 and position.dice:
            every = [GAME.parse(f"{a}-{b}") for a in BOARD.names for b in BOARD.names]
            allowed = [move for move in every if move.check(position, seat) is None]
            assert set(allowed) == {move for move in moves if move.what == "leg"}
        if position.dice:
            assert len(moves) > 1
        position, _ = chance.choice(moves[1:] if len(moves) > 1 else moves).evolve(position, seat)
        assert pyramids(position) == everything
        enemy = position.colours(3 - position.seat)
        assert position.walls == blockades(position.stacks, enemy)
        assert all(points >= 0 for points in position.left())


def test_picture_shows_stacks_towers_and_blockades():
    position = table("c5:bMbSkLbS a2:rMrSkM b3:gMgS e5:rM dice=-")
    [grid] = GAME.scene(position).panels
    cells = {cell.at: cell for cell in grid.cells}
    assert grid.stacks
    assert cells["c5"].pieces == (
        Piece("pyramid", "blue", 3),
        Piece("pyramid", "blue", 2),
        Piece("pyramid", "blue", 1),
        Piece("pyramid", "black", 3),
        Piece("pyramid", "blue", 1),
    )
    assert (cells["c5"].column, cells["c5"].row) == (2, 4)
    assert {at: (cell.ground, cell.note) for at, cell in cells.items() if cell.note} == {
        "c5": ("blockade1", "tower"),
        "a2": ("blockade2", "tower"),
        "b3": ("", "tower"),
    }
    assert {cell.ground for at, cell in cells.items() if not cell.note} == {""}
    turned = {cell.at: cell for cell in GAME.scene(table("c5:bMbSkL cool=2")).panels[0].cells}
    assert turned["c5"].ground == "blockade2"


def test_trays_show_blacks_dice_points_and_towers():
    position = table("c5:bMbSkL b5:bS dice=4,2 spent=1,0 supply=0,5,4,3")
    first, second, black = GAME.scene(position).trays
    assert first.lines == (
        "blue: towers 1 of 5, rolled 4, points left 3",
        "green: towers 0 of 5, rolled 2, points left 2",
    )
    assert second.lines == ("red: towers 0 of 5", "yellow: towers 0 of 5")
    assert (first.seat, second.seat, black.seat) == (1, 2, 0)
    assert [(supply.piece, supply.count) for supply in black.supplies] == [
        (Piece("pyramid", "black", size), count) for size, count in ((1, 5), (2, 4), (3, 3))
    ]


def test_picture_marks_the_last_leg():
    match = played(f"c5:bMbS b3:gS {NONE_LEFT}", "c5-b5")
    drawn = GAME.scene(match.state.position, last_effects(match))
    assert drawn.arrows == (Arrow("c5", "b5", seat=1),)
    assert drawn.marks == (Mark("c5", "from"), Mark("b5", "to"), Mark("c5", "removed"))


def test_thrown_dice_keep_their_order():
    falling = iter([2, 5])
    assert Roll.roll(GAME.start(), lambda sides: next(falling) if sides == 6 else 0) == Roll((2, 5))
