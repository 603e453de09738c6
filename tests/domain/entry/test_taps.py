"""Entering moves by taps, in all games."""

from __future__ import annotations

import pytest

from domain.entry.move_text import write
from domain.entry.taps import Choice, Picked, choices, picked
from domain.events import Moved
from domain.game import Game
from domain.games import built_in
from domain.games.pyramid_ball.moves import Foul, Program, Start
from domain.games.pyramid_ball.orders import Pass
from domain.notation import Lexeme, Pick, template
from domain.position import Awaited, Move, Position, Violation
from tests.case_table import cases_of_words
from tests.domain.entry.test_completion import (
    ADVANCED,
    BALL,
    BEATEN,
    BLOCKADE,
    CUBES,
    OPENED,
    PICKS,
    POPTRIX,
    POWER,
    SEALED,
)
from tests.domain.games.test_power_play import table, then
from tests.token_play import play_texts, refusal

FOUGHT = OPENED + " c1>L@c3 c6>M@c4"


@pytest.mark.parametrize(
    ("game", "options", "before", "picks", "token"),
    [
        (POPTRIX, {}, "", "M c1", "M@c1"),
        (POPTRIX, {}, "", "c1 M", "M@c1"),
        (POPTRIX, {}, OPENED, "c1 S c3", "c1>S@c3"),
        (POPTRIX, {}, OPENED, "c1 c3 S", "c1>S@c3"),
        (POPTRIX, {}, OPENED, "S c1 c3", "c1>S@c3"),
        (POPTRIX, {}, FOUGHT, "c3 c4", "c3xc4"),
        (BLOCKADE, {}, "", "4,5", "roll=4,5"),
        (BLOCKADE, {}, "roll=1,6", "b5 c5", "b5-c5"),
        (BLOCKADE, {}, "roll=1,6", ".", "."),
        (POWER, {}, "", "a3 b4", "a3-b4"),
        (CUBES, {}, "", "d A11", "d@A11"),
        (CUBES, {}, "", "A11 d", "d@A11"),
        (BALL, PICKS, "1:pick=S", "M", "2:pick=M"),
        (BALL, PICKS, "1:pick=S 2:pick=M", "ball", "2:start=ball"),
    ],
)
def test_picks_form_a_move_in_any_order(game, options, before, picks, token):
    found = picked(game, play_texts(game, before, **options).state, None, picks.split())
    assert (found.verdict, found.violation, found.texts) == ("complete", None, (token,))
    assert write(game, found.event) == token


@pytest.mark.parametrize(
    ("game", "before", "picks", "continuations", "tokens"),
    [
        (POPTRIX, OPENED, "", "L S c1", 12),
        (POPTRIX, OPENED, "c1", "L S a1 b1 c2 c3 d1 e1", 12),
        (POPTRIX, OPENED, "c1 c3", "L S", 2),
        (POPTRIX, OPENED, "c1 S", "a1 b1 c2 c3 d1 e1", 6),
        (POPTRIX, FOUGHT, "", "c3", 1),
        (BLOCKADE, "roll=1,6", "b5", "c5", 1),
        (POWER, "", "a3", "a4 b2 b3 b4", 4),
        (CUBES, "", "A11", "d l", 2),
    ],
)
def test_picks_list_the_next_picks(game, before, picks, continuations, tokens):
    found = picked(game, play_texts(game, before).state, None, picks.split())
    assert (found.verdict, found.violation, found.event) == ("incomplete", None, None)
    assert " ".join(found.continuations) == continuations
    assert len(found.texts) == tokens


DEAD_ENDS = """
poptrix | | c2~POP-2.1 M+c6~POP-2.1
poptrix | M@c1 S@c6 | c6~POP-3.1 d4~POP-3.1 M~POP-3.2 c1+M~POP-3.2 c1+a3~POP-1.4 c1+c6~POP-3.3
poptrix | M@c1 S@c6 | c1+e6~POP-3.3 c3+c1~POP-3.1 c1+c3+S+S~form z9~form
poptrix | M@c1 S@c6 c1>L@c3 c6>M@c4 | c1~POP-2.3 c3+b3~POP-2.3
poptrix | M@c1 S@c6 1:resign | c1~over ~over
blockade | | b5~turn
blockade | roll=6,6 | 4,5~turn a2~BLK-3.1 b5+b5~BLK-3.5 b5+a5~BLK-4.4
blockade | roll=1,6 | b5+d3~BLK-2.3
power-play | | h8~PWR-3.1 e2~PWR-3.1 L~turn
cube-pyramid | | E11~CUB-2.3 z~form
cube-pyramid | l@A11 | A11~CUB-2.3
pyramid-ball | | ball~turn S~BAL-11.1
"""
"""A game, its play, and picks with the clause that refuses them; Pyramid Ball is advanced."""


@cases_of_words("slug before case", DEAD_ENDS)
def test_dead_end_cites_its_clause(slug, before, case):
    picks, clause = case.split("~")
    game, options = built_in(slug), ADVANCED if slug == "pyramid-ball" else {}
    found = picked(
        game, play_texts(game, before, **options).state, None, picks.replace("+", " ").split()
    )
    assert found == Picked("illegal", found.violation)
    assert found.violation.clause == clause


def test_whole_pick_gets_the_referees_refusal():
    match = play_texts(BLOCKADE, "roll=1,6")
    assert picked(BLOCKADE, match.state, 1, ["b5", "d3"]).violation == refusal(match, "b5-d3")
    launched = play_texts(POPTRIX, OPENED)
    assert picked(POPTRIX, launched.state, 1, ["c1", "M", "c2"]).violation == refusal(
        launched, "c1>M@c2"
    )


@pytest.mark.parametrize(
    ("before", "picks", "clause"),
    [
        ("c1^c3", "a1", "PWR-4.1"),
        ("c1^c3", "c1 c2", "turn"),
        ("c1^c3 ^c1", ".", "PWR-4.7"),
        ("c1^c3 .", "M h7", "PWR-5.1"),
        ("c1^c3 .", "e1", "PWR-5.2"),
        ("c1^c3 .", "c1 c2", "turn"),
    ],
)
def test_pick_refusal_prefers_the_awaited_move(before, picks, clause):
    struck = "2S@c3 2L@h7" if "." in before else "2S@h8"
    match = then(table(f"1S@c1 1S@c2 {struck}"), before)
    found = picked(POWER, match.state, None, picks.split())
    assert (found.verdict, found.violation.clause) == ("illegal", clause)


def test_program_is_picked_pyramid_by_pyramid():
    state = play_texts(BALL, "").state
    begun = picked(BALL, state, 1, ["FFF", "L.."])
    assert (begun.verdict, begun.texts) == ("incomplete", ())
    assert "..." in begun.continuations
    whole = picked(BALL, state, 1, ["FFF", "L..", ".B."])
    assert whole.verdict == "complete"
    assert whole.event == Moved(1, Program("FFF", "L..", ".B."))
    assert set(whole.continuations) == {f",pass={row}{size}" for row in "23" for size in "SML"}
    thrown = picked(BALL, state, 1, ["FFF", ",pass=2L", "L..", ".B."])
    assert thrown.event == Moved(1, Program("FFF", "L..", ".B.", Pass(2, "L")))


def test_fieldless_move_is_picked_by_its_token():
    state = play_texts(BALL, SEALED).state
    assert picked(BALL, state, 1, []).continuations == ("foul",)
    assert picked(BALL, state, 1, ["foul"]).event == Moved(1, Foul())


def test_choices_name_fields_as_in_json():
    rolled = play_texts(BLOCKADE, "roll=1,6").state
    found = {choice.text: choice for choice in choices(BLOCKADE, rolled, None)}
    assert found["."] == Choice(".", (), "End the turn")
    assert found["a5-c3"] == Choice("a5-c3", (Pick("from", "a5"), Pick("to", "c3")))
    state = play_texts(BALL, "1:pick=S 2:pick=M", **PICKS).state
    assert [choice.fields for choice in choices(BALL, state, 2)] == [
        (Pick("with", "ball"),),
        (Pick("with", "defend"),),
    ]
    assert picked(BALL, state, 2, ["ball"]).event == Moved(2, Start("ball"))


def test_choices_are_in_the_order_of_the_game():
    rolled = play_texts(BLOCKADE, "roll=1,6").state
    listed = [BLOCKADE.write(move) for move in BLOCKADE.legal(rolled.position, 1)]
    assert listed != sorted(listed)
    assert [choice.text for choice in choices(BLOCKADE, rolled, 1)] == listed


def test_waiting_seat_has_no_choices():
    assert choices(POPTRIX, play_texts(POPTRIX, OPENED).state, 2) == ()
    assert choices(POPTRIX, play_texts(POPTRIX, BEATEN).state, None) == ()


class Men(Position, frozen=True):
    """Two places for one man each."""

    at: str = ""
    turn: int = 1

    def outcome(self):
        return None

    def awaiting(self):
        return (Awaited(1, "go", ("shift" if self.at else "put",)),)


class Put(Move[Men], frozen=True):
    """A man is put on a place."""

    at: str
    notation = template("{at}", at=Lexeme("a1|b1"))
    what, example = "put", "a1"

    @classmethod
    def legal(cls, position, seat):
        return () if position.at else (cls("a1"),)

    def check(self, position, seat):
        return Violation("MEN-1", "put it on a1") if position.at or self.at != "a1" else None

    def evolve(self, position, seat):
        return Men(self.at), ()

    def picks(self, position):
        return (Pick("at", self.at),)


class Shift(Put, frozen=True):
    """The man is moved to the other place."""

    start: str
    notation = template("{at}-{start}", at=Lexeme("a1|b1"), start=Lexeme("a1|b1"))

    @classmethod
    def legal(cls, position, seat):
        return ()

    def check(self, position, seat):
        return Violation("MEN-2", "the man has to stay")

    def picks(self, position):
        return (Pick("at", self.at), Pick("at", self.start))


@pytest.mark.parametrize(
    ("before", "picks", "clause"),
    [("", "b1", "MEN-1"), ("a1", "a1", "MEN-2"), ("a1", "a1 b1", "MEN-2"), ("", "b1 a1", "MEN-1")],
)
def test_refusal_of_a_tap_concerns_awaited_moves(before, picks, clause):
    game = Game("men", "Men", moves=(Shift, Put), start=lambda options, seats: Men())
    found = picked(game, play_texts(game, before).state, 1, picks.split())
    assert found.violation.clause == clause
