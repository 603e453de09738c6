"""Blockade, clause by clause."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from domain.events import Moved, State
from domain.game import OptionError
from domain.games.blockade import GAME
from domain.games.blockade.board import (
    BLACK,
    BLACKS,
    BOARD,
    COOL,
    LONGEST,
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
    Ended,
    Exhausted,
    Landed,
    Rolled,
    TowerBuilt,
    TowerLost,
)
from domain.games.blockade.moves import Roll
from domain.games.blockade.position import Table, points_left
from domain.position import Outcome
from domain.scene import Arrow, Mark, Piece
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_tokens, refusal

CLAUSES = {
    "BLK-1.1": shown_by(
        "set-up", "test_the_grid", "test_the_option_cool_names_the_seat_of_the_dice"
    ),
    "BLK-1.2": shown_by("set-up", "test_the_bottom_layer"),
    "BLK-1.3": shown_by("set-up", "test_smalls_and_mediums_at_the_start"),
    "BLK-1.4": shown_by("set-up", "test_fifteen_blacks_lie_beside_the_board"),
    "BLK-1.5": shown_by("set-up", "test_seat_one_begins_and_turns_alternate"),
    "BLK-2.1": shown_by("effect", "test_the_option_cool_names_the_seat_of_the_dice", "test_timing"),
    "BLK-2.2": shown_by("effect", "test_points_left"),
    "BLK-2.3": shown_by("refusal", "test_refusals", "test_points_left", "test_adding_the_dice"),
    "BLK-2.4": shown_by("effect", "test_legs_in_any_order", "test_points_do_not_carry_over"),
    "BLK-2.5": shown_by(
        "effect",
        "test_a_turn_ends_by_itself_after_a_leg",
        "test_a_turn_ends_by_itself_after_the_roll",
        "test_a_turn_ends_when_said",
        "test_timing",
    ),
    "BLK-3.1": shown_by("refusal", "test_refusals", "test_immovable_pieces_are_refused"),
    "BLK-3.2": shown_by(
        "unbreakable",
        "test_only_the_top_pyramid_goes",
        note="a leg names squares, so it cannot ask for anything but the top one",
    ),
    "BLK-3.3": shown_by("set-up", "test_the_price_of_a_leg"),
    "BLK-3.4": shown_by(
        "effect",
        "test_a_passed_tower_makes_a_leg_longer_or_illegal",
        "test_every_square_can_be_reached_whatever_is_blockaded",
    ),
    "BLK-3.5": shown_by("refusal", "test_refusals", "test_the_price_of_a_leg"),
    "BLK-3.6": shown_by("effect", "test_a_pyramid_cannot_hover"),
    "BLK-4.1": shown_by("effect", "test_landing"),
    "BLK-4.2": shown_by("refusal", "test_refusals", "test_landing"),
    "BLK-4.3": shown_by("refusal", "test_landing"),
    "BLK-4.4": shown_by("refusal", "test_refusals", "test_landing"),
    "BLK-5.1": shown_by(
        "effect", "test_a_tower_gets_the_largest_black", "test_other_stacks_are_no_towers"
    ),
    "BLK-5.2": shown_by("effect", "test_a_blockade_stays_one"),
    "BLK-5.3": shown_by(
        "effect",
        "test_a_tower_without_a_black_counts_but_blocks_nothing",
        "test_a_tower_without_a_black_can_be_lost",
        "test_a_covered_tower_without_a_black_counts_again_when_uncovered",
    ),
    "BLK-6.1": shown_by(
        "outcome",
        "test_five_towers_of_one_colour_win_at_once",
        "test_five_towers_of_two_colours_do_not_win",
        "test_the_fifth_tower_may_lack_its_black",
    ),
}

LETTERS = "cbgry"
TOWER = {letter: "".join(letter + size for size in "MS") for letter in LETTERS}
"""The piece on a large that makes it a tower."""

COLOUR_OF = {
    name: LETTERS[stack[0] >> 2] for name, stack in zip(BOARD.names, set_up(), strict=True)
}


def table(
    squares: str = "",
    *,
    dice: tuple[int, int] | None = (6, 6),
    spent: tuple[int, int] = (0, 0),
    seat: int = 1,
    cool: int = 1,
    supply: bytes = BLACKS,
) -> Table:
    """Set up a position: the larges, and on them `"b5:bMbSkL c3:rM"`; k is black."""
    stacks = [stack[:1] for stack in set_up()]
    for name, pieces in (square.split(":") for square in squares.split()):
        at = BOARD.index[name]
        for letter, size in zip(pieces[::2], pieces[1::2], strict=True):
            colour = stacks[at][0] >> 2 if letter == "k" else LETTERS.index(letter)
            stacks[at] += bytes(
                ((BLACK if letter == "k" else 0) + colour * 4 + "_SML".index(size),)
            )
    enemy = WARM if seat == cool else COOL
    walls = blockades(tuple(stacks), enemy)
    return Table(tuple(stacks), supply, cool, seat, 7, walls, dice, spent)


def tower(name: str, black: str = "kL") -> str:
    return f"{name}:{TOWER[COLOUR_OF[name]]}{black}"


def after(position: Table, *tokens: str) -> Table:
    for token in tokens:
        move = GAME.parse(token)
        assert move is not None
        assert move.check(position, position.seat) is None, token
        position, _ = move.evolve(position, position.seat)
    return position


def facts(position: Table, token: str):
    move = GAME.parse(token)
    assert move is not None
    assert move.check(position, position.seat) is None, token
    return move.evolve(position, position.seat)[1]


def why(position: Table, token: str):
    move = GAME.parse(token)
    assert move is not None
    return move.check(position, position.seat)


def clause(position: Table, token: str) -> str | None:
    violation = why(position, token)
    return violation and violation.clause


def legs(position: Table) -> set[str]:
    return {GAME.token(move) for move in GAME.legal(position, position.seat)} - {"."}


# The board and the set-up


def test_the_grid():
    assert (BOARD.files, BOARD.ranks) == (tuple("abcde"), tuple("12345"))
    assert len(GAME.start().stacks) == 25


def test_the_bottom_layer():
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


def test_smalls_and_mediums_at_the_start():
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


def test_fifteen_blacks_lie_beside_the_board():
    assert tuple(GAME.start().supply) == (0, 5, 5, 5)


def test_each_colour_has_31_legs_at_the_start():
    position = after(GAME.start(), "roll=6,6")
    kinds: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
    for move in GAME.legal(position, 1):
        if move.what == "leg":
            start, end = (position.stacks[BOARD.index[at]] for at in (move.from_, move.to))
            sizes = "_SML"[start[-1] & 3] + "_SML"[end[-1] & 3]
            kinds[start[-1] >> 2][sizes] += 1
    assert kinds == {colour: {"SS": 20, "SL": 5, "SM": 5, "ML": 1} for colour in (1, 2)}


def test_a_game_has_two_seats():
    with pytest.raises(OptionError, match="for 2 seats"):
        GAME.start(seats=3)


# The turn


def test_seat_one_begins_and_turns_alternate():
    match = play_tokens(GAME, "")
    seats = []
    for token in ("roll=1,1", ".", "roll=1,1", ".", "roll=1,1"):
        seats.append((match.state.in_turn, match.state.position.turn))
        match = add_token(match, token)
    assert seats == [(1, 1), (1, 1), (2, 2), (2, 2), (1, 3)]


@pytest.mark.parametrize(
    ("cool", "first", "second"),
    [(1, ("blue", "green"), ("red", "yellow")), (2, ("red", "yellow"), ("blue", "green"))],
)
def test_the_option_cool_names_the_seat_of_the_dice(cool, first, second):
    match = play_tokens(GAME, "roll=4,5", cool=cool)
    assert last_effects(match) == (Rolled(1, first, (4, 5)),)
    match = play_tokens(GAME, "roll=4,5 . roll=1,2", cool=cool)
    assert last_effects(match) == (Rolled(2, second, (1, 2)),)
    words = last_effects(match)[0].words()
    assert words == f"seat 2 rolls 1 for {second[0]} and 2 for {second[1]}"


def test_each_die_is_its_own_colours():
    position = table("b5:bS b3:gS", dice=(1, 5))
    assert legs(position) == {"b5-a5", "b5-c5", *(f"b3-{at}" for at in GREEN_ENDS)}
    turned = table("b5:bS b3:gS", dice=(5, 1))
    assert {leg for leg in legs(turned) if leg[:2] == "b3"} == {"b3-b2", "b3-c3"}


GREEN_ENDS = ["a1", "b1", "c1", "d1", "e1", "b2", "c3", "a5", "e5"]


@pytest.mark.parametrize(
    ("dice", "spent", "left"),
    [
        ((4, 5), (0, 0), (4, 5)),
        ((4, 5), (3, 0), (1, 5)),
        ((4, 5), (4, 2), (0, 3)),
        ((3, 4), (0, 0), (3, 4)),
        ((4, 3), (0, 0), (4, 3)),
        ((3, 3), (0, 0), (6, 6)),
        ((1, 3), (0, 0), (4, 4)),
        ((2, 3), (1, 0), (4, 3)),
        ((2, 3), (2, 0), (3, 3)),
        ((2, 3), (3, 0), (2, 0)),
        ((2, 3), (5, 0), (0, 0)),
        ((2, 3), (0, 3), (2, 2)),
        ((2, 3), (0, 4), (0, 1)),
        ((2, 3), (1, 1), (1, 2)),
        ((2, 3), (2, 3), (0, 0)),
        ((3, 1), (0, 1), (3, 3)),
        ((3, 1), (0, 2), (0, 2)),
    ],
)
def test_points_left(dice, spent, left):
    assert points_left(dice, spent) == left


def test_adding_the_dice():
    match = play_tokens(GAME, "roll=2,3")
    assert match.state.position.left() == (5, 5)
    once = add_token(match, "b5-d3")
    assert last_effects(once)[0].cost == 2
    both = add_token(once, "b1-b2")
    assert refusal(both, "c5-d4").clause == "BLK-2.3"
    beyond = add_token(once, "c5-d4")
    violation = refusal(beyond, "b1-b2")
    assert violation.clause == "BLK-2.3"
    assert "green has 0 left" in violation.message


def test_legs_in_any_order():
    match = play_tokens(GAME, "roll=4,4 b5-c5 b1-c1 d4-d5 c5-b5 c1-b1")
    position = match.state.position
    assert (position.seat, position.spent) == (1, (3, 2))
    assert position.stacks[BOARD.index["b1"]] == GAME.start().stacks[BOARD.index["b1"]]


def test_points_do_not_carry_over():
    match = play_tokens(GAME, "roll=6,6 . roll=6,6 . roll=1,4")
    assert match.state.position.left() == (1, 4)


def test_a_turn_ends_when_said():
    match = play_tokens(GAME, "roll=6,6 .")
    assert last_effects(match) == (Ended(1),)
    assert match.state.in_turn == 2


def test_a_turn_ends_by_itself_after_a_leg():
    match = play_tokens(GAME, "roll=1,4 d5-d4 b2-d1")
    assert match.state.in_turn == 1
    match = add_token(match, "b1-d1")
    assert last_effects(match)[-1] == Exhausted(1)
    assert last_effects(match)[-1].words() == "no move left for seat 1: its turn ends by itself"
    assert (match.state.in_turn, match.state.position.turn) == (2, 2)
    assert match.state.position.dice is None
    assert refusal(match, "1:.").clause == "turn"
    assert refusal(match, ".").clause == "turn"


def test_a_turn_with_points_but_no_landing_ends_by_itself():
    position = table("b5:bS", dice=(2, 1), spent=(0, 1))
    found = facts(position, "b5-d5")
    assert found[-1] == Exhausted(1)


def test_a_turn_ends_by_itself_after_the_roll():
    stuck = table("a3:bM", dice=None)
    assert facts(stuck, "roll=1,6") == (Rolled(1, ("blue", "green"), (1, 6)), Exhausted(1))
    passed = after(stuck, "roll=1,6")
    assert (passed.seat, passed.turn, passed.dice) == (2, stuck.turn + 1, None)
    assert len(facts(stuck, "roll=4,6")) == 1


@pytest.mark.parametrize(
    ("before", "token"),
    [
        ("", "b5-c5"),
        ("", "."),
        ("", "c3-c3"),
        ("", "2:roll=4,5"),
        ("roll=4,5", "roll=4,5"),
        ("roll=4,5 b5-c5", "roll=1,1"),
        ("roll=4,5", "2:."),
        ("roll=4,5", "2:a2-a3"),
        ("roll=4,5 .", "."),
        ("roll=4,5 .", "a2-a3"),
    ],
)
def test_timing(before, token):
    assert refusal(play_tokens(GAME, before), token).clause == "turn"


def test_the_position_says_which_move_it_awaits():
    match = play_tokens(GAME, "")
    assert refusal(match, "b5-c5").message == "seat 1 rolls first, like roll=4,5"
    [awaited] = match.state.position.awaiting()
    assert (awaited.what, awaited.moves) == ("roll the dice", ("roll",))
    assert len(list(GAME.legal(match.state.position, 1))) == 36
    match = add_token(match, "roll=4,5")
    assert "has rolled 4,5" in refusal(match, "roll=1,2").message
    [awaited] = match.state.position.awaiting()
    assert awaited.moves == ("move", "end")
    assert list(GAME.legal(match.state.position, 2)) == []


# Legs


@pytest.mark.parametrize(
    ("before", "token", "clause", "squares"),
    [
        ("", "roll=0,5", "form", ()),
        ("", "roll=7,5", "form", ()),
        ("", "roll=4", "form", ()),
        ("roll=6,6", "a1-f3", "form", ()),
        ("roll=6,6", "a0-a3", "form", ()),
        ("roll=6,6", "..", "form", ()),
        ("roll=6,6", "b5-c5\n", "form", ()),
        ("roll=6,6", "a2-a3", "BLK-3.1", ("a2",)),
        ("roll=6,6", "c3-c4", "BLK-3.1", ("c3",)),
        ("roll=6,6", "c3-c3", "BLK-3.1", ("c3",)),
        ("roll=6,6", "b5-b5", "BLK-3.5", ("b5",)),
        ("roll=6,6", "b5-a5", "BLK-4.4", ("a5",)),
        ("roll=6,6", "b5-b3", "BLK-4.4", ("b3",)),
        ("roll=6,6", "b5-a4", "BLK-4.4", ("a4",)),
        ("roll=6,6", "e1-d3", "BLK-4.2", ("d3",)),
        ("roll=1,6", "b5-d3", "BLK-2.3", ("b5", "d3")),
        ("roll=1,6", "b5-d1", "BLK-2.3", ("b5", "d1")),
        ("roll=1,6 b5-c5", "d5-d5", "BLK-3.5", ("d5",)),
        ("roll=1,6 b5-c5", "d5-c5", "BLK-2.3", ("d5", "c5")),
        ("roll=1,6 b5-c5", "b5-c5", "BLK-3.1", ("b5",)),
        ("roll=3,3 b1-b2 b5-c5", "c5-a4", "BLK-4.4", ("a4",)),
    ],
)
def test_refusals(before, token, clause, squares):
    violation = refusal(play_tokens(GAME, before), token)
    assert (violation.clause, violation.squares) == (clause, squares)


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("a2-a3", "the top of a2 is a red small; seat 1 moves blue and green mediums and smalls"),
        ("c3-b3", "the top of c3 is a clear large; seat 1 moves"),
        ("b5-b5", "a leg ends on another square than b5; from b5 it can go to c5"),
        ("b5-d3", "from b5 to d3 costs 2, and blue has 1 left; from b5 it can go to c5"),
        ("b5-b4", "the blue small on b5 cannot land on b4: the top there is a red small; from b5"),
        ("a5-a4", "the green medium on a5 cannot land on a4: the top there is a red small; from"),
    ],
)
def test_a_refusal_says_what_would_be_right(token, words):
    match = play_tokens(GAME, "roll=1,6")
    assert refusal(match, token).message.startswith(words)


def test_a_refusal_says_if_nothing_would_be_right():
    match = play_tokens(GAME, "roll=6,1")
    assert refusal(match, "a5-b5").message.endswith("nothing can go from a5 now")


@pytest.mark.parametrize("name", ["a2", "b2", "b5", "c3", "e5", "d5", "d4"])
def test_immovable_pieces_are_refused(name):
    position = table("a2:rS e5:rM d5:bMbSkL b3:gS d3:bS")
    assert clause(position, f"{name}-b1") == "BLK-3.1"


def test_only_the_top_pyramid_goes():
    position = after(table("a5:gMgMgS b1:gS"), "a5-b1")
    assert position.stacks[BOARD.index["a5"]][-2:] == bytes((10, 10))
    assert position.stacks[BOARD.index["b1"]] == bytes((11, 9, 9))


def test_the_effect_of_a_leg():
    found = facts(after(GAME.start(), "roll=4,4"), "b5-d3")
    assert found == (Landed(1, "blue", "S", "b5", "d3", 2),)
    assert found[0].words() == "the blue small goes from b5 to d3 for 2 points"
    assert Landed(1, "blue", "M", "e1", "d2", 1).words().endswith("for 1 point")


def walls(*names: str) -> int:
    return sum(SQUARE[BOARD.index[name]] for name in names)


@pytest.mark.parametrize(
    ("start", "end", "blockaded", "price"),
    [
        ("a1", "b2", "", 1),
        ("c3", "c4", "", 1),
        ("c3", "d2", "", 1),
        ("a1", "e5", "", 4),
        ("a1", "b5", "", 4),
        ("e1", "c2", "", 2),
        ("a1", "c3", "b2", 3),
        ("a1", "c1", "b1", 2),
        ("a1", "c1", "b1 b2", 4),
        ("a1", "b2", "b2", 1),
        ("a1", "c3", "c3", 2),
        ("a2", "c2", "b1 b2 b3", 4),
        ("c4", "c1", "b3 c3 d3", 4),
    ],
)
def test_the_price_of_a_leg(start, end, blockaded, price):
    squares = walls(*blockaded.split())
    assert cost(squares, BOARD.index[start], BOARD.index[end]) == price
    assert cost(squares & ~walls(end), BOARD.index[start], BOARD.index[end]) == price


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


def test_every_square_can_be_reached_whatever_is_blockaded():
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
    assert longest <= LONGEST


def test_a_passed_tower_makes_a_leg_longer_or_illegal():
    enemy = table(f"a5:gS {tower('b4')}", dice=(4, 2))
    assert clause(enemy, "a5-c3") == "BLK-2.3"
    assert clause(table("a5:gS b4:rMrSrS", dice=(4, 2)), "a5-c3") is None
    found = table(f"a5:gS {tower('b4')}", dice=(1, 4))
    assert facts(found, "a5-c3")[0].cost == 3
    for passed in ("b4:rMrS", "b4:rM"):
        assert facts(table(f"a5:gS {passed}", dice=(1, 4)), "a5-c3")[0].cost == 2
    own = table(f"a5:rS {tower('b4')}", dice=(4, 1), seat=2)
    assert facts(own, "a5-c3")[0].cost == 2


def test_a_detour_is_named_in_the_refusal():
    position = table(f"a5:gS {tower('b4')}", dice=(4, 2))
    violation = why(position, "a5-c3")
    assert violation is not None
    assert violation.message.startswith("from a5 to c3 around the blockades costs 3, and green has")
    assert "around" not in why(position, "a5-d1").message


def test_a_pyramid_cannot_hover():
    position = table("b5:bS a4:rS c5:bM", dice=(6, 1))
    assert clause(position, "b5-b4") == "BLK-4.4"
    assert clause(position, "b5-c3") is None


def test_price_comes_before_landing_and_after_the_same_square():
    position = table("b5:bS", dice=(1, 6))
    assert clause(position, "b5-b3") == "BLK-2.3"
    assert clause(table("b5:bS", dice=(1, 6), spent=(1, 0)), "b5-b5") == "BLK-3.5"


# Landing


@pytest.mark.parametrize(
    ("mover", "target", "verdict"),
    [
        ("bS", "c3:", None),
        ("bM", "c3:", None),
        ("bS", "c5:", None),
        ("bM", "c5:", None),
        ("bS", "c3:bM", None),
        ("bM", "c3:bM", None),
        ("bS", "c3:bMbS", None),
        ("bM", "c3:bMbS", "BLK-4.2"),
        ("bS", "c3:bMgS", "BLK-4.4"),
        ("bS", "c3:gM", "BLK-4.4"),
        ("bS", "b4:", "BLK-4.4"),
        ("bS", "b3:", "BLK-4.4"),
        ("bS", "c5:bMbSkL", None),
        ("bM", "c5:bMbSkL", None),
        ("bS", "c5:bMbSkM", None),
        ("bM", "c5:bMbSkM", "BLK-4.3"),
        ("bS", "c5:bMbSkS", "BLK-4.3"),
        ("bM", "c5:bMbSkS", "BLK-4.3"),
        ("bS", "c5:bMbSkLbS", None),
        ("bM", "c5:bMbSkLbS", "BLK-4.2"),
        ("bS", "b3:gMgSkL", "BLK-4.3"),
        ("bS", "b4:rMrSkL", "BLK-4.3"),
        ("bS", "b4:rMrSkLrM", "BLK-4.4"),
        ("bS", "c5:bMbS", None),
    ],
)
def test_landing(mover, target, verdict):
    position = table(f"b5:{mover} {target} e1:gM")
    name = target[:2]
    assert clause(position, f"b5-{name}") == verdict
    assert (f"b5-{name}" in legs(position)) == (verdict is None)


@pytest.mark.parametrize(
    ("mover", "target", "words"),
    [
        ("bM", "c5:bMbSkM", "the top there is a black medium, no larger than a medium;"),
        ("bS", "b3:gMgSkL", "the top there is a black large on a green tower;"),
    ],
)
def test_a_refused_move_onto_a_black_says_why(mover, target, words):
    violation = why(table(f"b5:{mover} {target}"), f"b5-{target[:2]}")
    assert violation is not None
    assert words in violation.message


# Towers and blockades


@pytest.mark.parametrize(
    ("supply", "black", "left"),
    [
        (BLACKS, 3, (0, 5, 5, 4)),
        (bytes((0, 5, 2, 0)), 2, (0, 5, 1, 0)),
        (bytes((0, 1, 0, 0)), 1, (0, 0, 0, 0)),
    ],
)
def test_a_tower_gets_the_largest_black(supply, black, left):
    position = table("b5:bS c5:bM d4:bS", supply=supply)
    found = facts(position, "b5-c5")
    assert found[1:] == (TowerBuilt(1, "blue", "c5", 1), Blockaded(1, "c5", "_SML"[black]))
    built = after(position, "b5-c5")
    assert built.stacks[BOARD.index["c5"]] == bytes((7, 6, 5, BLACK + 4 + black))
    assert tuple(built.supply) == left
    assert (built.seat, built.spent) == (1, (1, 0))


def test_the_words_of_a_tower():
    assert TowerBuilt(1, "blue", "c5", 1).words() == ("a blue tower on c5: 1 tower stands in blue")
    assert TowerBuilt(1, "blue", "c5", 3).words().endswith("3 towers stand in blue")
    assert Blockaded(2, "a2", "M").words() == (
        "a medium black goes on it: a2 is a blockade of seat 2"
    )


@pytest.mark.parametrize("target", ["c5:", "c5:bS", "c5:bMbM", "c3:bM", "c5:bMbSkL", "c5:bMbSkLbM"])
def test_other_stacks_are_no_towers(target):
    position = table(f"b5:bS {target} d4:bS")
    found = facts(position, f"b5-{target[:2]}")
    assert len(found) == 1
    assert after(position, f"b5-{target[:2]}").supply == BLACKS


def test_only_a_small_completes_a_tower():
    assert len(facts(table("a5:bM b5: d4:bS"), "a5-b5")) == 1


def test_a_blockade_blocks_the_opponent_only():
    position = table("d5:bS c5:bM b5:bS e5:rM a4:rS")
    built = after(position, "d5-c5")
    assert built.walls == 0
    passed = after(built, ".", "roll=5,1")
    assert (passed.seat, passed.walls) == (2, walls("c5"))
    assert after(passed, ".").walls == 0


def test_a_blockade_stays_one():
    position = after(table(f"{tower('c5')} b5:bS a2:rS e5:rM"), "b5-c5", ".")
    assert position.walls == walls("c5")
    again = after(table(f"{tower('c5')}bS b5:bS"), "c5-d5")
    assert blockades(again.stacks, COOL) == walls("c5")
    assert clause(again, "c5-d5") == "BLK-3.1"


NONE_LEFT = bytes(4)


def test_a_tower_without_a_black_counts_but_blocks_nothing():
    position = table("b5:bS c5:bM a5:gM d4:bS", supply=NONE_LEFT)
    assert facts(position, "b5-c5")[1:] == (TowerBuilt(1, "blue", "c5", 1),)
    built = after(position, "b5-c5", ".")
    assert built.walls == 0
    [cell] = [cell for cell in GAME.scene(built).panels[0].cells if cell.at == "c5"]
    assert (cell.ground, cell.note) == ("", "tower")


def test_a_tower_without_a_black_can_be_lost():
    position = table("c5:bMbS d5:bM", supply=NONE_LEFT)
    found = facts(position, "c5-b5")
    assert found[1] == TowerLost(1, "blue", "c5")
    assert found[1].words() == "the blue tower on c5 counts no longer"
    swapped = facts(position, "c5-d5")
    assert swapped[1:] == (TowerLost(1, "blue", "c5"), TowerBuilt(1, "blue", "d5", 1))


def test_a_covered_tower_without_a_black_counts_again_when_uncovered():
    position = table("c5:bMbS b5:bS d4:bS", supply=NONE_LEFT)
    assert facts(position, "b5-c5")[1:] == (TowerLost(1, "blue", "c5"),)
    covered = after(position, "b5-c5")
    assert facts(covered, "c5-d5")[1:] == (TowerBuilt(1, "blue", "c5", 1),)


# The end


FOUR = " ".join(tower(name) for name in ("c5", "d5", "d4", "d3"))


def test_five_towers_of_one_colour_win_at_once():
    position = table(f"{FOUR} b5:bM a5:bS d1:gS b1:gS", dice=(4, 4))
    found = facts(position, "a5-b5")
    assert found[1:] == (TowerBuilt(1, "blue", "b5", 5), Blockaded(1, "b5", "L"))
    won = after(position, "a5-b5")
    assert won.outcome() == Outcome(1, "BLK-6.1")
    assert won.awaiting() == ()
    assert list(GAME.legal(won, 1)) == list(GAME.legal(won, 2)) == []


def test_the_last_leg_spends_its_points_too():
    won = after(table(f"{FOUR} b5:bM a5:bS d1:gS b1:gS", dice=(4, 4)), "a5-b5")
    assert GAME.write_position(won).split()[2:4] == ["4,4", "1,0"]


def test_five_towers_of_two_colours_do_not_win():
    position = table(f"{FOUR} b3:gM b1:gS", dice=(4, 4))
    built = after(position, "b1-b3")
    assert built.outcome() is None
    assert len([cell for cell in GAME.scene(built).panels[0].cells if cell.note]) == 5


def test_the_fifth_tower_may_lack_its_black():
    position = table(f"{FOUR} b5:bM a5:bS", supply=NONE_LEFT)
    assert after(position, "a5-b5").outcome() == Outcome(1, "BLK-6.1")


def test_a_fifth_tower_can_complete_while_another_is_uncovered():
    three = " ".join(tower(name) for name in ("c5", "d5", "d4"))
    position = table(f"{three} d3:bMbSbS b5:bM", supply=NONE_LEFT)
    assert after(position, "d3-b5").outcome() == Outcome(1, "BLK-6.1")


def test_the_tower_that_is_left_does_not_count_for_the_one_that_is_built():
    position = table(
        "c5:bMbSkL d5:bMbSkL d4:bMbSkL d3:bMbS b5:bM c3:bS", supply=NONE_LEFT, dice=(6, 1)
    )
    assert after(position, "d3-b5").outcome() is None
    assert after(position, "c3-b5").outcome() == Outcome(1, "BLK-6.1")


def test_the_second_seat_wins_with_its_colours():
    four = " ".join(tower(name) for name in ("c2", "d2", "e2", "e3"))
    position = table(f"{four} e4:yM e5:yS", seat=2)
    assert after(position, "e5-e4").outcome() == Outcome(2, "BLK-6.1")


def test_an_ended_match_accepts_no_event():
    won = after(table(f"{FOUR} b5:bM a5:bS"), "a5-b5")
    for token in (".", "roll=1,1", "a5-b5"):
        violation = Moved(1, GAME.parse(token)).check(State(GAME, won, won.outcome()))
        assert (violation.clause, violation.message) == (
            "over",
            "the game has ended: seat 1 won (BLK-6.1)",
        )


# Invariants and pictures


def pyramids(position: Table) -> Counter[int]:
    on_board = Counter(
        code & (BLACK | 3) if code & BLACK else code for stack in position.stacks for code in stack
    )
    for size in (1, 2, 3):
        on_board[BLACK + size] += position.supply[size]
    return on_board


@pytest.mark.parametrize("cool", [1, 2])
def test_pyramids_are_never_lost_and_check_agrees_with_legal(cool):
    chance = random.Random(cool)
    position = GAME.start(GAME.options(cool=cool))
    everything = pyramids(position)
    for ply in range(1500):
        if position.outcome() is not None:
            position = GAME.start(GAME.options(cool=cool))
        seat = position.seat
        moves = list(GAME.legal(position, seat))
        if ply % 50 == 0 and position.dice:
            tokens = {f"{a}-{b}" for a in BOARD.names for b in BOARD.names}
            assert legs(position) == {token for token in tokens if clause(position, token) is None}
        if position.dice:
            assert len(moves) > 1
        position, _ = chance.choice(moves[1:] if len(moves) > 1 else moves).evolve(position, seat)
        assert pyramids(position) == everything
        enemy = position.colours(3 - position.seat)
        assert position.walls == blockades(position.stacks, enemy)
        assert all(points >= 0 for points in position.left())


def test_the_picture_shows_stacks_towers_and_blockades():
    position = table(f"{tower('c5')}bS {tower('a2', 'kM')} b3:gMgS e5:rM", dice=None)
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
    turned = {cell.at: cell for cell in GAME.scene(table(tower("c5"), cool=2)).panels[0].cells}
    assert turned["c5"].ground == "blockade2"


def test_the_trays_show_blacks_dice_points_and_towers():
    position = table(f"{tower('c5')} b5:bS", dice=(4, 2), spent=(1, 0), supply=bytes((0, 5, 4, 3)))
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


def test_the_picture_marks_the_last_leg():
    position = table("c5:bMbS b3:gS", supply=NONE_LEFT)
    found = facts(position, "c5-b5")
    drawn = GAME.scene(after(position, "c5-b5"), found)
    assert drawn.arrows == (Arrow("c5", "b5", seat=1),)
    assert drawn.marks == (Mark("c5", "from"), Mark("b5", "to"), Mark("c5", "removed"))


def test_dice_thrown_for_a_seat_are_named_in_the_order_they_fall():
    falling = iter([2, 5])
    assert Roll.rolled(lambda sides: next(falling) if sides == 6 else 0) == Roll((2, 5))
