"""Cube Pyramid, clause by clause."""

from __future__ import annotations

import random

import msgspec
import pytest

from domain.effects import Skipped
from domain.events import Moved
from domain.games.cube_pyramid import GAME
from domain.games.cube_pyramid.board import ALL, FACES, GROUND, NAMES, SUPPORTS, cells, names
from domain.games.cube_pyramid.effects import BonusDue, BonusLapsed, FaceOwned, Placed
from domain.games.cube_pyramid.moves import Place
from domain.games.cube_pyramid.position import START, Table
from domain.match import open_match
from domain.position import Outcome
from domain.scene import Grid, Mark, Pile
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_tokens, refusal

CLAUSES = {
    "CUB-1.1": shown_by("set-up", "test_each_seat_starts_with_thirteen_and_five"),
    "CUB-1.2": shown_by("refusal", "test_refusals", "test_the_pyramid_has_five_layers"),
    "CUB-1.3": shown_by(
        "set-up", "test_a_cell_rests_on_three", "test_a_cube_opens_the_cells_beside_and_above_it"
    ),
    "CUB-1.4": shown_by("set-up", "test_the_faces"),
    "CUB-2.1": shown_by("set-up", "test_light_begins_and_turns_alternate"),
    "CUB-2.2": shown_by("refusal", "test_refusals", "test_a_cube_comes_from_the_own_supply"),
    "CUB-2.3": shown_by(
        "refusal", "test_refusals", "test_a_cube_opens_the_cells_beside_and_above_it"
    ),
    "CUB-2.4": shown_by(
        "unbreakable",
        "test_cubes_stay_where_they_are",
        note="the one move puts a cube down; nothing takes one up",
    ),
    "CUB-2.5": shown_by(
        "effect",
        "test_a_seat_without_cubes_is_skipped",
        "test_one_cube_of_either_colour_keeps_a_seat_in_the_turn",
    ),
    "CUB-3.1": shown_by("refusal", "test_refusals", "test_a_bonus_comes_from_the_opponent"),
    "CUB-3.2": shown_by("effect", "test_every_space_due_is_filled_in_any_order"),
    "CUB-3.3": shown_by("effect", "test_a_bonus_cube_can_open_more"),
    "CUB-3.4": shown_by("effect", "test_the_colour_of_a_bonus_is_free", note="enforced as CUB-3.1"),
    "CUB-3.5": shown_by(
        "effect",
        "test_no_bonus_from_an_empty_supply",
        "test_a_run_of_bonuses_ends_with_the_opponents_last_cube",
    ),
    "CUB-3.6": shown_by("effect", "test_a_space_over_mixed_colours_is_ordinary"),
    "CUB-4.1": shown_by("outcome", "test_the_game_ends_with_the_last_cell"),
    "CUB-4.2": shown_by("outcome", "test_two_faces_win", "test_a_face_goes_to_the_majority"),
}


def table(
    light: str = "", dark: str = "", *, supply: tuple[int, ...] = (13, 5, 5, 13), seat: int = 1
) -> Table:
    """Set up a position by the names of its cells; every filled cell must have its supports."""
    filled = cells(light.split()) | cells(dark.split())
    open_ = sum(
        cells([name])
        for name in NAMES
        if not SUPPORTS[name] & ~filled and not cells([name]) & filled
    )
    return Table(cells(light.split()), cells(dark.split()), open_, 0, supply, seat, 20)


def after(position: Table, *tokens: str) -> tuple[Table, tuple[object, ...]]:
    """Return the position after legal tokens, and the effects of the last."""
    facts: tuple[object, ...] = ()
    for token in tokens:
        move = GAME.parse(token)
        assert move is not None
        assert move.check(position, position.seat) is None, token
        position, facts = move.evolve(position, position.seat)
    return position, facts


def test_each_seat_starts_with_thirteen_and_five():
    assert GAME.start().supply == (13, 5, 5, 13)


def test_the_pyramid_has_five_layers():
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
def test_a_cell_rests_on_three(cell, supports):
    assert SUPPORTS[cell] == cells(supports.split())


def test_the_faces():
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
    match = play_tokens(GAME, "")
    seen = []
    for token in ("l@A11", "l@A51", "d@A15"):
        seen.append((match.state.in_turn, match.state.position.turn))
        match = add_token(match, token)
    assert seen == [(1, 1), (2, 2), (1, 3)]


NO_LIGHT = {"supply": (0, 5, 5, 13)}
BEFORE_B11 = table("A11 A21", "A22", supply=(10, 4, 5, 13))
DUE = after(BEFORE_B11, "l@A12")[0]
"""Seat 1 has just opened B11 over light."""


@pytest.mark.parametrize(
    ("position", "token", "clause", "squares"),
    [
        (START, "l@A55", "CUB-1.2", ("A55",)),
        (START, "l@E12", "CUB-1.2", ("E12",)),
        (START, "d@B51", "CUB-1.2", ("B51",)),
        (table(**NO_LIGHT), "l@A55", "CUB-1.2", ("A55",)),
        (DUE, "l@D33", "CUB-1.2", ("D33",)),
        (table(**NO_LIGHT), "l@A11", "CUB-2.2", ("A11",)),
        (table(supply=(13, 5, 5, 0), seat=2), "d@A11", "CUB-2.2", ("A11",)),
        (table(**NO_LIGHT), "l@B11", "CUB-2.2", ("B11",)),
        (START, "l@B11", "CUB-2.3", ("B11",)),
        (START, "d@E11", "CUB-2.3", ("E11",)),
        (table("A11"), "d@A11", "CUB-2.3", ("A11",)),
        (table("A11 A21"), "l@B11", "CUB-2.3", ("B11",)),
        (table("A11 A21 B11", "A12"), "l@B11", "CUB-2.3", ("B11",)),
        (DUE, "l@A11", "CUB-2.3", ("A11",)),
        (DUE, "l@C11", "CUB-2.3", ("C11",)),
        (DUE, "l@A13", "CUB-3.1", ("A13", "B11")),
        (msgspec.structs.replace(DUE, supply=(10, 4, 0, 13)), "l@B11", "CUB-3.1", ("B11",)),
        (msgspec.structs.replace(DUE, supply=(10, 4, 0, 13)), "l@A11", "CUB-2.3", ("A11",)),
        (msgspec.structs.replace(DUE, supply=(10, 4, 5, 0)), "d@B11", "CUB-3.1", ("B11",)),
        # A due bonus comes first, so the own supply is not asked for.
        (msgspec.structs.replace(DUE, supply=(0, 0, 5, 13)), "l@A13", "CUB-3.1", ("A13", "B11")),
    ],
)
def test_refusals(position, token, clause, squares):
    violation = GAME.parse(token).check(position, position.seat)
    assert violation is not None
    assert (violation.clause, violation.squares) == (clause, squares)


@pytest.mark.parametrize(
    ("before", "token", "clause"),
    [
        ("", "x@A11", "form"),
        ("", "L@A11", "form"),
        ("", "l@F11", "form"),
        ("", "l@A16", "form"),
        ("", "l@A01", "form"),
        ("", "l@A11 ", "form"),
        ("", "2:l@A11", "turn"),
        ("", "3:l@A11", "turn"),
        ("l@A11 l@A12 l@A21", "2:l@A13", "turn"),
    ],
)
def test_unreadable_and_untimely_tokens_are_refused(before, token, clause):
    assert refusal(play_tokens(GAME, before), token).clause == clause


@pytest.mark.parametrize(
    ("position", "token", "words"),
    [
        (table(**NO_LIGHT), "l@A11", "seat 1 has no light cube left to take, only dark ones"),
        (table("A11 A21"), "l@B11", "B11 is not open yet: A12 below it must be filled first"),
        (table("A11"), "d@A11", "A11 is filled, and a placed cube never moves"),
        (DUE, "l@A13", "seat 1 first fills B11, opened over one colour"),
    ],
)
def test_a_refusal_says_what_would_be_right(position, token, words):
    assert GAME.parse(token).check(position, position.seat).message == words


def test_a_cube_comes_from_the_own_supply():
    match = play_tokens(GAME, "d@A11 l@A51")
    assert match.state.position.supply == (13, 4, 4, 13)
    assert last_effects(match) == (Placed(2, "light", "A51", 2),)


@pytest.mark.parametrize(
    ("light", "dark", "token", "opened"),
    [
        ("A11 A21", "", "d@A12", "B11"),
        ("A11", "A12", "l@A21", "B11"),
        ("A11 A22", "A12 A13 A31", "l@A21", "B11 B12 B21"),
        ("A11 A12", "", "l@A15", ""),
    ],
)
def test_a_cube_opens_the_cells_beside_and_above_it(light, dark, token, opened):
    before = table(light, dark)
    position, _ = after(before, token)
    placed = cells([token[2:]])
    assert position.open == before.open & ~placed | cells(opened.split())


def test_cubes_stay_where_they_are():
    for position, following in zip(*_random_line(3), strict=True):
        assert following.light & position.light == position.light
        assert following.dark & position.dark == position.dark
        assert not following.light & following.dark


def test_a_seat_without_cubes_is_skipped():
    position, facts = after(table("A11", supply=(9, 0, 0, 0)), "l@A33")
    assert facts[-1] == Skipped(2)
    assert (position.seat, position.turn) == (1, 21)
    position, facts = after(table("A11", supply=(1, 0, 3, 0)), "l@A33")
    assert (position.seat, facts[1:]) == (2, ())
    position, facts = after(position, "l@A51")
    assert (position.seat, facts[1:]) == (2, (Skipped(1),))


@pytest.mark.parametrize("left", [(0, 1), (1, 0)])
def test_one_cube_of_either_colour_keeps_a_seat_in_the_turn(left):
    position, _ = after(table("A11", supply=(4, 0, *left)), "l@A33")
    assert position.seat == 2
    position, _ = after(table("A11", supply=(*left, 4, 0), seat=2), "l@A33")
    assert position.seat == 1


def test_a_bonus_comes_from_the_opponent():
    assert DUE.awaiting()[0].what == "place a bonus cube"
    assert (DUE.seat, DUE.turn, DUE.supply) == (1, 20, (9, 4, 5, 13))
    assert {GAME.token(move) for move in GAME.legal(DUE, 1)} == {"l@B11", "d@B11"}
    assert list(GAME.legal(DUE, 2)) == []
    position, facts = after(DUE, "d@B11")
    assert facts == (Placed(1, "dark", "B11", 2),)
    assert position.supply == (9, 4, 5, 12)
    assert (position.seat, position.turn) == (2, 21)


@pytest.mark.parametrize(("cube", "colour"), [("l", "A12 A21"), ("d", "A12 A21")])
def test_the_colour_below_and_who_placed_it_do_not_matter(cube, colour):
    cubes = {"l": {"light": colour}, "d": {"dark": colour}}[cube]
    for seat in (1, 2):
        position, facts = after(table(**cubes, seat=seat), f"{cube}@A11")
        assert facts[-1] == BonusDue(seat, ("B11",))
        assert position.seat == seat


def test_the_colour_of_a_bonus_is_free():
    few = msgspec.structs.replace(DUE, supply=(10, 4, 0, 13))
    assert [GAME.token(move) for move in GAME.legal(few, 1)] == ["d@B11"]


TWO_DUE = "A11 A31 A22 A12"


def test_every_space_due_is_filled_in_any_order():
    position, facts = after(table(TWO_DUE), "l@A21")
    assert facts[-1] == BonusDue(1, ("B11", "B21"))
    for first, second in (("B11", "B21"), ("B21", "B11")):
        halfway, facts = after(position, f"d@{first}")
        assert facts[-1] == BonusDue(1, (second,))
        assert (halfway.seat, halfway.turn) == (1, position.turn)
        done, _ = after(halfway, f"l@{second}")
        assert (done.seat, done.turn, done.due) == (2, position.turn + 1, 0)


def test_a_bonus_cube_can_open_more():
    position, _ = after(table("A12 A13 A21 A22 A31 B12 B21"), "l@A11", "l@B11")
    assert position.due == cells(["C11"])
    position, _ = after(position, "d@C11")
    assert (position.seat, position.due) == (2, 0)


def test_a_bonus_that_opens_more_names_all_that_is_due():
    position, _ = after(table("A11 A12 A22 A23 A31 A32 A41 B22 B31"), "l@A21")
    assert position.due == cells(["B11", "B21"])
    position, facts = after(position, "l@B21")
    assert facts[-1] == BonusDue(1, ("B11", "C21"))


def test_no_bonus_from_an_empty_supply():
    position, facts = after(table("A11 A12", supply=(9, 2, 0, 0)), "l@A21")
    assert facts[1:] == (BonusLapsed(("B11",)), Skipped(2))
    assert position.due == 0
    assert position.open & cells(["B11"])
    assert position.awaiting()[0].what == "place a cube"
    assert position.turn == 21


def test_a_run_of_bonuses_ends_with_the_opponents_last_cube():
    position, _ = after(table(TWO_DUE, supply=(5, 2, 1, 0)), "l@A21")
    assert position.due == cells(["B11", "B21"])
    position, facts = after(position, "l@B21")
    assert facts[1:] == (BonusLapsed(("B11",)), Skipped(2))
    assert position.due == 0
    assert position.open & cells(["B11"])
    position, facts = after(position, "d@B11")
    assert facts[0] == Placed(1, "dark", "B11", 1)


def test_the_last_own_cube_may_bring_a_bonus():
    position, facts = after(table("A11 A12", supply=(1, 0, 0, 4)), "l@A21")
    assert facts[-1] == BonusDue(1, ("B11",))
    position, _ = after(position, "d@B11")
    assert position.seat == 2


def test_a_space_over_mixed_colours_is_ordinary():
    position, facts = after(table("A11", "A12"), "l@A21")
    assert len(facts) == 1
    assert (position.seat, position.due) == (2, 0)
    assert position.open & cells(["B11"])


def full(dark: int, supply: tuple[int, ...] = (1, 0, 1, 0)) -> Table:
    """A pyramid complete but for the apex; these cells hold dark cubes."""
    apex = cells(["E11"])
    dark &= ~apex
    return Table(ALL & ~dark & ~apex, dark, apex, 0, supply, 1, 34)


def test_the_game_ends_with_the_last_cell():
    position = full(0)
    assert position.outcome() is None
    assert position.awaiting() != ()
    position, facts = after(position, "l@E11")
    assert position.outcome() == Outcome(1, "CUB-4.2")
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
    position, facts = after(full(dark), "l@E11")
    assert [fact.seat for fact in facts if isinstance(fact, FaceOwned)] == owners
    assert position.outcome() == Outcome(2 if owners.count(2) > 1 else 1, "CUB-4.2")


@pytest.mark.parametrize(("number", "owner"), [(7, 1), (8, 2)])
def test_a_face_goes_to_the_majority(number, owner):
    inner = [name for name in names(FACES[0]) if name != "E11"]
    _, facts = after(full(cells(inner[:number])), "l@E11")
    face = next(fact for fact in facts if isinstance(fact, FaceOwned))
    assert (face.seat, face.light, face.dark) == (owner, 15 - number, number)


def _random_line(seed: int) -> tuple[list[Table], list[Table]]:
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
def test_no_cube_is_lost(seed):
    positions, following = _random_line(seed)
    for number, position in enumerate([*positions, following[-1]]):
        on_the_board = (position.light | position.dark).bit_count()
        assert on_the_board == number
        assert on_the_board + sum(position.supply) == 36
        assert position.light.bit_count() + position.supply[0] + position.supply[2] == 18
    assert len(following) == 35
    assert sum(following[-1].supply) == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_open_cells_follow_from_the_filled_ones(seed):
    for position in _random_line(seed)[0]:
        assert (
            position.open
            == table(" ".join(names(position.light)), " ".join(names(position.dark))).open
        )
        assert position.due & ~position.open == 0


def test_the_start_has_thirty_moves():
    assert START.open == GROUND
    assert sum(1 for _ in GAME.legal(START, 1)) == 30


def test_the_picture_shows_the_pile_and_what_its_layers_hide():
    position, facts = after(BEFORE_B11, "l@A12")
    scene = GAME.scene(position, facts)
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


def test_effects_speak():
    position, facts = after(BEFORE_B11, "l@A12")
    assert [fact.words() for fact in facts] == [
        "seat 1 puts a light cube into A12",
        "seat 1 must fill B11, opened over one colour",
    ]
    _, facts = after(position, "d@B11")
    assert facts[0].words() == "seat 1 puts a dark cube from the supply of seat 2 into B11"
    assert BonusLapsed(("B11",)).words() == "no bonus for B11: the opponent has no cube left"
    assert FaceOwned(3, 2, 7, 8).words() == "face 3 goes to seat 2, light 7, dark 8"


def test_a_cell_outside_the_pyramid_reads_as_json_and_breaks_its_clause():
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
def test_json_is_read_strictly(text):
    with pytest.raises(msgspec.DecodeError):
        GAME.decode(text)
