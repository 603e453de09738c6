"""Cube Pyramid, clause by clause."""

from __future__ import annotations

import random
from functools import partial

import msgspec
import pytest

from domain.events import Moved
from domain.games.cube_pyramid import GAME
from domain.games.cube_pyramid.board import ALL, FACES, GROUND, NAMES, SUPPORTS, cells, names
from domain.games.cube_pyramid.effects import BonusLapsed, FaceOwned
from domain.games.cube_pyramid.moves import Place
from domain.games.cube_pyramid.position import START, Table
from domain.match import Match, open_match
from domain.names import Names
from domain.position import Outcome
from domain.scene import Grid, Mark, Pile
from tests.case_table import cases, cases_of_words, compare, listed, numbers, said
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_from, play_texts, refusal

CLAUSES = {
    "CUB-1.1": shown_by("set-up", "test_each_seat_starts_with_thirteen_and_five"),
    "CUB-1.2": shown_by("refusal", "test_refusals", "test_pyramid_has_five_layers"),
    "CUB-1.3": shown_by(
        "set-up", "test_cell_rests_on_three", "test_cube_opens_cells_beside_and_above"
    ),
    "CUB-1.4": shown_by("set-up", "test_faces"),
    "CUB-2.1": shown_by("set-up", "test_light_begins_and_turns_alternate"),
    "CUB-2.2": shown_by("refusal", "test_refusals", "test_turns"),
    "CUB-2.3": shown_by("refusal", "test_refusals", "test_cube_opens_cells_beside_and_above"),
    "CUB-2.4": shown_by(
        "unbreakable",
        "test_cubes_never_move",
        note="the one move puts a cube down; nothing takes one up",
    ),
    "CUB-2.5": shown_by("effect", "test_turns"),
    "CUB-3.1": shown_by("refusal", "test_refusals", "test_bonuses"),
    "CUB-3.2": shown_by("effect", "test_bonuses"),
    "CUB-3.3": shown_by("effect", "test_bonuses"),
    "CUB-3.4": shown_by("effect", "test_bonuses", note="enforced as CUB-3.1"),
    "CUB-3.5": shown_by("effect", "test_bonuses"),
    "CUB-3.6": shown_by("effect", "test_bonuses"),
    "CUB-4.1": shown_by("outcome", "test_last_cell_ends_the_game"),
    "CUB-4.2": shown_by("outcome", "test_two_faces_win", "test_majority_owns_a_face"),
}


def table(text: str) -> Table:
    """Set up a position: `"A11 A21 - A22 supply=10,4,5,13 seat=2"`, the light cells, the dark.

    Each filled cell must have its supports.
    """
    words = text.split()
    given = dict(word.split("=") for word in words if "=" in word)
    first, _, second = " ".join(word for word in words if "=" not in word).partition("-")
    light, dark = cells(first.split()), cells(second.split())
    filled = light | dark
    open_ = sum(
        cells([name])
        for name in NAMES
        if not SUPPORTS[name] & ~filled and not cells([name]) & filled
    )
    supply = numbers(given.get("supply", "13,5,5,13"))
    return Table(light, dark, open_, 0, supply, int(given.get("seat", 1)), 20)


def played(position: str, play: str) -> Match:
    """Play moves from a position of `table`, or from the start."""
    return play_from(GAME, START if position == "start" else table(position), play)


def value(match: Match, name: str, expected: str) -> object:
    """Return the value of a name in the tables below."""
    position, effects = match.state.position, said(*last_effects(match))
    if name in ("seat", "turn"):
        return getattr(position, name)
    found = sorted(GAME.write(move) for seat in (1, 2) for move in GAME.legal(position, seat))
    return {
        "supply": listed(position.supply),
        "due": listed(names(position.due)),
        "what": position.awaiting()[0].what.replace(" ", "_"),
        "legal": ",".join(found),
        "may": expected if expected in found else found,
        "all": ",".join(effects),
        "first": effects[0],
        "rest": ",".join(effects[1:]),
        "last": effects[-1],
    }[name]


def check_play(position: str, play: str, expected: str) -> None:
    """Play from a position, and compare the result: `seat=2 due=B11,B21 supply=9,4,5,12`.

    `all` has the effects of the last event, `rest` those after the `first`.
    """
    compare(expected, partial(value, played(position, play)))


def test_each_seat_starts_with_thirteen_and_five():
    assert GAME.start().supply == (13, 5, 5, 13)


def test_pyramid_has_five_layers():
    assert [sum(name[0] == layer for name in NAMES) for layer in "ABCDE"] == [15, 10, 6, 3, 1]
    assert {"A11", "A51", "A15", "B41", "D12", "E11"} < set(NAMES)
    assert not {"A52", "B51", "B33", "C14", "D22", "E12", "E21"} & set(NAMES)


@pytest.mark.parametrize(
    ("cell", "supports"),
    [
        ("B11", "A11 A21 A12"),
        ("B32", "A32 A42 A33"),
        ("C13", "B13 B23 B14"),
        ("E11", "D11 D21 D12"),
    ],
)
def test_cell_rests_on_three(cell, supports):
    assert SUPPORTS[cell] == cells(supports.split())


def test_faces():
    assert names(FACES[0]) == tuple(name for name in NAMES if name[1] == "1")
    assert names(FACES[1]) == tuple(name for name in NAMES if name[2] == "1")
    assert names(FACES[2]) == (
        *("A15", "A24", "A33", "A42", "A51", "B14", "B23", "B32", "B41"),
        *("C13", "C22", "C31", "D12", "D21", "E11"),
    )
    hidden = ALL & ~(FACES[0] | FACES[1] | FACES[2])
    assert names(hidden) == ("A22", "A23", "A32", "B22")
    assert names(FACES[0] & FACES[1] & FACES[2]) == ("E11",)


def test_light_begins_and_turns_alternate():
    match = play_texts(GAME, "")
    seen = []
    for token in ("l@A11", "l@A51", "d@A15"):
        seen.append((match.state.in_turn, match.state.position.turn))
        match = add_token(match, token)
    assert seen == [(1, 1), (2, 2), (1, 3)]


BEFORE_B11 = "A11 A21 - A22 supply=10,4,5,13"
"""A light cube on A12 opens B11 over light."""

REFUSALS = f"""
form | start | | x@A11 L@A11 l@F11 l@A16 l@A01
turn | start | | 2:l@A11 3:l@A11
turn | start | l@A11 l@A12 l@A21 | 2:l@A13
CUB-1.2 | start | | l@A55=A55 l@E12=E12 d@B51=B51
CUB-1.2 | supply=0,5,5,13 | | l@A55=A55
CUB-1.2 | {BEFORE_B11} | l@A12 | l@D33=D33
CUB-2.2 | supply=0,5,5,13 | | l@A11=A11 l@B11=B11
CUB-2.2 | supply=13,5,5,0 seat=2 | | d@A11=A11
CUB-2.3 | start | | l@B11=B11 d@E11=E11
CUB-2.3 | A11 | | d@A11=A11
CUB-2.3 | A11 A21 | | l@B11=B11
CUB-2.3 | A11 A21 B11 - A12 | | l@B11=B11
CUB-2.3 | {BEFORE_B11} | l@A12 | l@A11=A11 l@C11=C11
CUB-2.3 | A11 A21 - A22 supply=11,4,0,13 | l@A12 | l@A11=A11
CUB-3.1 | {BEFORE_B11} | l@A12 | l@A13=A13,B11
CUB-3.1 | A11 A21 - A22 supply=11,4,0,13 | l@A12 | l@B11=B11
CUB-3.1 | A11 A21 - A22 supply=11,4,5,0 | l@A12 | d@B11=B11
# A due bonus comes first, so the own supply does not matter.
CUB-3.1 | A11 A21 - A22 supply=1,0,5,13 | l@A12 | l@A13=A13,B11
"""
"""The clause, a position, the play there, and the refused move texts, some with cells."""


@cases_of_words("clause position play case", REFUSALS)
def test_refusals(clause, position, play, case):
    token, given, squares = case.partition("=")
    violation = refusal(played(position, play), token)
    assert violation.clause == clause
    if given:
        assert listed(violation.squares) == squares


def test_token_with_a_space_is_refused():
    assert refusal(play_texts(GAME, ""), "l@A11 ").clause == "form"


@cases(
    "position play token words",
    f"""
supply=0,5,5,13 | | l@A11 | seat 1 has no light cube left to take, only dark ones
A11 A21 | | l@B11 | B11 is not open yet: A12 below it must be filled first
A11 | | d@A11 | A11 is filled, and a placed cube never moves
{BEFORE_B11} | l@A12 | l@A13 | seat 1 must first fill B11: the cubes below have one colour
""",
)
def test_refusal_explains_what_is_required(position, play, token, words):
    assert refusal(played(position, play), token).message == words


@cases(
    "position token opened",
    """
A11 A21 | d@A12 | B11
A11 - A12 | l@A21 | B11
A11 A22 - A12 A13 A31 | l@A21 | B11 B12 B21
A11 A12 | l@A15 |
""",
)
def test_cube_opens_cells_beside_and_above(position, token, opened):
    before, after = table(position), played(position, token).state.position
    assert after.open == before.open & ~cells([token[2:]]) | cells(opened.split())


def test_cubes_never_move():
    for position, following in zip(*random_line(3), strict=True):
        assert following.light & position.light == position.light
        assert following.dark & position.dark == position.dark
        assert not following.light & following.dark


@cases(
    "clause position play expected",
    """
2.2 | start | d@A11 l@A51 | supply=13,4,4,13 all=Placed:2:light:A51:2
# A seat without cubes is skipped; one cube of either colour keeps a seat in the turn.
2.5 | A11 supply=9,0,0,0 | l@A33 | last=Skipped:2 seat=1 turn=21
2.5 | A11 supply=1,0,3,0 | l@A33 | seat=2 rest=
2.5 | A11 supply=1,0,3,0 | l@A33 l@A51 | seat=2 rest=Skipped:1
2.5 | A11 supply=4,0,0,1 | l@A33 | seat=2
2.5 | A11 supply=4,0,1,0 | l@A33 | seat=2
2.5 | A11 supply=0,1,4,0 seat=2 | l@A33 | seat=1
2.5 | A11 supply=1,0,4,0 seat=2 | l@A33 | seat=1
""",
)
def test_turns(clause, position, play, expected):
    check_play(position, play, expected)


TWO_DUE = "A11 A31 A22 A12"
THREE_DUE = "A11 A12 A22 A23 A31 A32 A41 B22 B31"


@cases(
    "clause position play expected",
    f"""
# A bonus comes from the opponent, whoever placed the cubes below and in either colour.
3.1 | {BEFORE_B11} | l@A12 | what=place_a_bonus_cube seat=1 turn=20 supply=9,4,5,13
   legal=d@B11,l@B11
3.1 | {BEFORE_B11} | l@A12 d@B11 | all=Placed:1:dark:B11:2 supply=9,4,5,12 seat=2 turn=21
3.1 | A12 A21 | l@A11 | last=BonusDue:1:B11 seat=1
3.1 | A12 A21 seat=2 | l@A11 | last=BonusDue:2:B11 seat=2
3.1 | - A12 A21 | d@A11 | last=BonusDue:1:B11 seat=1
3.1 | - A12 A21 seat=2 | d@A11 | last=BonusDue:2:B11 seat=2
3.1 | A11 A12 supply=1,0,0,4 | l@A21 | last=BonusDue:1:B11
3.1 | A11 A12 supply=1,0,0,4 | l@A21 d@B11 | seat=2
# Every space due is filled, in any order.
3.2 | {TWO_DUE} | l@A21 | last=BonusDue:1:B11+B21
3.2 | {TWO_DUE} | l@A21 d@B11 | last=BonusDue:1:B21 seat=1 turn=20
3.2 | {TWO_DUE} | l@A21 d@B11 l@B21 | seat=2 turn=21 due=
3.2 | {TWO_DUE} | l@A21 d@B21 | last=BonusDue:1:B11 seat=1 turn=20
3.2 | {TWO_DUE} | l@A21 d@B21 l@B11 | seat=2 turn=21 due=
# A bonus cube can open more, and all that is due is named.
3.3 | A12 A13 A21 A22 A31 B12 B21 | l@A11 l@B11 | due=C11
3.3 | A12 A13 A21 A22 A31 B12 B21 | l@A11 l@B11 d@C11 | seat=2 due=
3.3 | {THREE_DUE} | l@A21 | due=B11,B21
3.3 | {THREE_DUE} | l@A21 l@B21 | last=BonusDue:1:B11+C21
3.4 | A11 A21 - A22 supply=11,4,0,13 | l@A12 | legal=d@B11
# An empty supply gives no bonus, and a run of bonuses ends with the last cube.
3.5 | A11 A12 supply=9,2,0,0 | l@A21 | rest=BonusLapsed:B11,Skipped:2 due= turn=21
   what=place_a_cube may=l@B11
3.5 | {TWO_DUE} supply=5,2,1,0 | l@A21 | due=B11,B21
3.5 | {TWO_DUE} supply=5,2,1,0 | l@A21 l@B21 | rest=BonusLapsed:B11,Skipped:2 due= may=d@B11
3.5 | {TWO_DUE} supply=5,2,1,0 | l@A21 l@B21 d@B11 | first=Placed:1:dark:B11:1
3.6 | A11 - A12 | l@A21 | rest= seat=2 due= may=l@B11
""",
)
def test_bonuses(clause, position, play, expected):
    check_play(position, play, expected)


def full(dark: int) -> Table:
    """Return a pyramid that lacks its apex; these cells hold dark cubes."""
    apex = cells(["E11"])
    dark &= ~apex
    return Table(ALL & ~dark & ~apex, dark, apex, 0, (1, 0, 1, 0), 1, 34)


def test_last_cell_ends_the_game():
    position = full(0)
    assert position.outcome() is None
    assert position.awaiting() != ()
    match = play_from(GAME, position, "l@E11")
    position, facts = match.state.position, last_effects(match)
    assert position.outcome() == Outcome("CUB-4.2", (1,))
    assert position.awaiting() == ()
    assert [*GAME.legal(position, 1), *GAME.legal(position, 2)] == []
    assert [fact.face for fact in facts if isinstance(fact, FaceOwned)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("dark", "owners"),
    [
        (0, [1, 1, 1]),
        (FACES[0], [2, 1, 1]),
        (FACES[1], [1, 2, 1]),
        ((FACES[0] | FACES[1]) & ~FACES[2], [2, 2, 1]),
        ((FACES[1] | FACES[2]) & ~FACES[0], [1, 2, 2]),
        (ALL, [2, 2, 2]),
    ],
)
def test_two_faces_win(dark, owners):
    match = play_from(GAME, full(dark), "l@E11")
    assert [one.seat for one in last_effects(match) if isinstance(one, FaceOwned)] == owners
    assert match.state.outcome == Outcome("CUB-4.2", (2 if owners.count(2) > 1 else 1,))


@pytest.mark.parametrize(("number", "owner"), [(7, 1), (8, 2)])
def test_majority_owns_a_face(number, owner):
    inner = [name for name in names(FACES[0]) if name != "E11"]
    match = play_from(GAME, full(cells(inner[:number])), "l@E11")
    face = next(one for one in last_effects(match) if isinstance(one, FaceOwned))
    assert (face.seat, face.light, face.dark) == (owner, 15 - number, number)


def random_line(seed: int) -> tuple[list[Table], list[Table]]:
    """Return pairs of successive positions of a random match."""
    rng, match = random.Random(seed), open_match(GAME)
    line = [match.state.position]
    while match.state.outcome is None:
        seat = match.state.in_turn
        move = rng.choice(list(GAME.legal(match.state.position, seat)))
        match = match.evolve(Moved(seat, move))
        line.append(match.state.position)
    return line[:-1], line[1:]


@pytest.mark.parametrize("seed", range(20))
def test_random_match_keeps_all_cubes(seed):
    positions, following = random_line(seed)
    for number, position in enumerate([*positions, following[-1]]):
        on_the_board = (position.light | position.dark).bit_count()
        assert on_the_board == number
        assert on_the_board + sum(position.supply) == 36
        assert position.light.bit_count() + position.supply[0] + position.supply[2] == 18
    assert len(following) == 35
    assert sum(following[-1].supply) == 1


@pytest.mark.parametrize("seed", range(20))
def test_open_cells_follow_from_filled_ones(seed):
    for position in random_line(seed)[0]:
        filled = f"{' '.join(names(position.light))} - {' '.join(names(position.dark))}"
        assert position.open == table(filled).open
        assert position.due & ~position.open == 0


def test_start_has_thirty_moves():
    assert START.open == GROUND
    assert sum(1 for _ in GAME.legal(START, 1)) == 30


def test_picture_shows_pile_and_layers():
    match = played(BEFORE_B11, "l@A12")
    scene = GAME.scene(match.state.position, last_effects(match))
    pile, *layers = scene.panels
    assert isinstance(pile, Pile)
    blocks = {block.at: (block.colour, block.open) for block in pile.blocks}
    assert (blocks["A11"], blocks["A22"]) == (("light", False), ("dark", False))
    assert (blocks["B11"], "C11" in blocks) == ((None, True), False)
    assert all(isinstance(layer, Grid) for layer in layers)
    assert [len(layer.cells) for layer in layers] == [15, 10, 6, 3, 1]
    cell = {cell.at: cell for layer in layers for cell in layer.cells}
    assert [cell[at].ground for at in ("A11", "A13", "B11", "C11")] == ["", "open", "due", "closed"]
    assert (cell["A21"].column, cell["A21"].row) == (0, 1)
    assert cell["A22"].pieces[0].colour == "dark"
    assert scene.marks == (Mark("A12", "to"), Mark("B11", "due"))
    supplies = [[supply.count for supply in tray.supplies] for tray in scene.trays]
    assert supplies == [[9, 4], [5, 13], []]
    assert scene.trays[2].lines[0] == "face 1: light 2, dark 0"


def test_effect_words():
    match = played(BEFORE_B11, "l@A12")
    assert [fact.words() for fact in last_effects(match)] == [
        "seat 1 puts a light cube into A12",
        "seat 1 must fill B11: the cubes below have one colour",
    ]
    assert (
        last_effects(add_token(match, "d@B11"))[0].words()
        == "seat 1 puts a dark cube from the supply of seat 2 into B11"
    )
    assert BonusLapsed(("B11",)).words() == "no bonus for B11: the opponent has no cube left"
    assert FaceOwned(3, 2, 7, 8).words() == "face 3 goes to seat 2, light 7, dark 8"


def test_cell_outside_pyramid_breaks_its_clause():
    move = GAME.decode(b'{"type":"place","cube":"light","at":"A55"}')
    assert move == Place("light", "A55")
    assert move.check(START, 1).clause == "CUB-1.2"


@pytest.mark.parametrize(
    "text",
    [
        b'{"cube":"light","at":"A11"}',
        b'{"type":"place","cube":"light","at":"A16"}',
        b'{"type":"place","cube":"l","at":"A11"}',
        b'{"type":"place","cube":"light","at":"A11","seat":1}',
        b'{"type":"put","cube":"light","at":"A11"}',
        b"[]",
    ],
)
def test_malformed_json_is_refused(text):
    with pytest.raises(msgspec.DecodeError):
        GAME.decode(text)


def test_tray_names_its_colour_once():
    trays = GAME.scene(GAME.start(), names=Names({1: "Light", 2: "Red"})).trays
    assert [tray.title for tray in trays[:2]] == ["Light", "Red (Dark)"]
