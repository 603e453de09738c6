"""Free boards, clause by clause."""

from __future__ import annotations

import pytest

from domain.entry.taps import begun_choices
from domain.events import Resigned
from domain.game import OptionError
from domain.games.free_board import GAME
from domain.games.free_board.position import places
from domain.match import Match, open_match
from domain.scene import Grid, Row
from tests.case_table import cases, ending, said
from tests.token_play import add_token, last_effects, refusal


def played(options: str, moves: str) -> Match:
    """Play moves on a board with options like `size=5 pieces=chess`."""
    given = dict(word.split("=") for word in options.split())
    match = open_match(GAME, GAME.read_options(given))
    for token in moves.split():
        match = add_token(match, token)
    return match


def pieces_of(match: Match) -> str:
    """Write the pieces by place, like `a1=w b2=bS+wL`."""
    layout = match.state.position
    pairs = zip(places(layout.size), layout.stacks, strict=True)
    return " ".join(f"{at}={'+'.join(stack)}" for at, stack in pairs if stack)


@cases(
    "moves pieces",
    """
w@a1                          | a1=w
w@a1 b@c3 a1-b2               | b2=w c3=b
w@a1 b@c3 a1-c3               | c3=w
w@a1 b@c3 a1+c3               | c3=b+w
w@a1 b@c3 a1+c3 c3-b1         | b1=b+w
w@a1 b@c3 a1+c3 xc3           | c3=b
w@a1 /a1                      | a1=b
w@a1 b@c3 a1+c3 /c3 pass      | c3=b+b
""",
)
def test_moves(moves, pieces):
    assert pieces_of(played("size=3", moves)) == pieces


@cases(
    "options moves token clause",
    """
size=3                | w@a1 | w@d1  | FRB-1.1
size=3                | w@a1 | a1-a4 | FRB-1.1
size=3                | w@a1 | wK@b1 | FRB-1.2
size=3 pieces=chess   | wK@a1 | wM@b1 | FRB-1.2
size=3                | w@a1 | b@a1  | FRB-2.1
size=3                | w@a1 | b1-b2 | FRB-2.2
size=3                | w@a1 | xb2   | FRB-2.2
size=3                | w@a1 | /b2   | FRB-2.2
size=3                | w@a1 | a1-a1 | FRB-2.3
size=3                | w@a1 | a1+b2 | FRB-2.2
size=3 pieces=letters | A@a1 | /a1   | FRB-2.6
size=3                | w@a1 | 1:pass | turn
size=3                | w@a1 | end=3 | form
size=3                | end=1 | w@a1 | over
""",
)
def test_refusals(options, moves, token, clause):
    assert refusal(played(options, moves), token).clause == clause


@cases(
    "options moves token clause",
    """
turns=many | w@a1 w@b1 a1-a2    | 2:b@c3 | turn
turns=many | w@a1 w@b1 pass     | 1:b@c3 | turn
turns=one  | w@a1               | 1:b@c3 | turn
""",
)
def test_turn_ends_with_move_or_pass(options, moves, token, clause):
    assert refusal(played(options, moves), token).clause == clause


@cases("token outcome", "end=1 | 1:FRB-3.1\nend=2 | 2:FRB-3.1\nend=draw | None:FRB-3.1")
def test_ends(token, outcome):
    assert ending(played("", token).state.outcome) == outcome


def test_resignation_ends_a_free_match():
    match = played("", "w@a1").evolve(Resigned(1))
    assert ending(match.state.outcome) == "2:resigned"


def test_effects_report_taken_pieces():
    match = played("size=3", "w@a1 b@c3 a1-c3")
    assert said(*last_effects(match)) == ["Shifted:1:a1:c3", "Removed:c3:b"]
    assert [each.words() for each in last_effects(played("pieces=chess", "bN@a5"))] == [
        "seat 1 puts the dark knight on a5"
    ]
    (seat, other) = GAME.scene(match.state.position.view(None)).trays
    assert seat.colours + other.colours == ("light", "dark")


@pytest.mark.parametrize(
    ("options", "count", "some"),
    [
        ("pieces=chess start=usual", 32, "e1=wK"),
        ("pieces=draughts start=usual", 24, "a1=wM"),
        ("pieces=draughts start=usual size=10", 40, "b2=wM"),
    ],
)
def test_usual_start(options, count, some):
    pieces = pieces_of(played(options, "")).split()
    assert (len(pieces), some in pieces) == (count, True)


@pytest.mark.parametrize(
    "options",
    ["start=usual", "pieces=chess start=usual size=9", "pieces=chess start=usual board=hexes"],
)
def test_start_needs_a_matching_board(options):
    with pytest.raises(OptionError, match="start=usual needs board=squares"):
        played(options, "")


def test_picture_has_board_and_pieces_to_place():
    match = played("board=points size=9 pieces=pyramids", "wL@e5")
    board, bank = GAME.scene(match.state.position.view(None), last_effects(match)).panels
    assert isinstance(board, Grid)
    assert isinstance(bank, Row)
    assert (board.lines, len(board.cells)) == ("points", 81)
    assert [piece.at for piece in bank.pieces] == ["wS", "wM", "wL", "bS", "bM", "bL"]


def test_begun_moves_contain_the_picks():
    state = played("size=3", "w@a1 b@c3").state
    tokens = [choice.text for choice in begun_choices(GAME, state, 1, ["a1"])]
    assert tokens[:3] == ["/a1", "a1+c3", "a1-a2"]
    assert len(tokens) == 11
    assert [one.text for one in begun_choices(GAME, state, 1, ["w", "b2"])] == ["w@b2"]
    assert begun_choices(GAME, state, 1, ["b2", "b3"]) == ()
