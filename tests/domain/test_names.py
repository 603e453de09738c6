"""Sentences name the seats: by player if known, else by number."""

from __future__ import annotations

import pickle

import pytest

from domain.events import Moved, awaited_words, outcome_words
from domain.games import built_in
from domain.games.blockade.effects import Ended
from domain.games.poptrix.effects import Capped, CapReturned, Fought
from domain.games.poptrix.moves import Place
from domain.games.power_play.effects import Declared, WentOut
from domain.games.pyramid_ball.effects import Failed, PicksRevealed
from domain.match import open_match
from domain.names import UNNAMED, Names, Player, Sentence
from domain.position import Outcome

BOTH = Names({1: "Jet", 2: "Red"})
JET = Names({1: "Jet"})


@pytest.mark.parametrize(
    ("effect", "unnamed", "named"),
    [
        (Capped(1, "c4"), "the cap of seat 1 goes to c4", "the cap of Jet goes to c4"),
        (
            CapReturned(1),
            "the cap of seat 1 goes back to its stash",
            "the cap of Jet goes back to their stash",
        ),
        (Fought(1, "c3", "c4", "c4", 4, 2), "c3 attacks c4, 4 against 2", None),
        (Ended(1), "seat 1 ends its turn", "Jet ends their turn"),
        (Declared(1, 2), "seat 1 declares seat 2 knocked out", "Jet declares Red knocked out"),
        (WentOut(2, "left"), "seat 2 leaves the game", "Red leaves the game"),
        (
            PicksRevealed(("S", "M"), 2),
            "seat 1 picked a small, seat 2 a medium; seat 2 wins",
            "Jet picked a small, Red a medium; Red wins",
        ),
        (
            Failed(1, "M", "d4", None, "BAL-6.1"),
            "the medium of seat 1 on d4 cannot move: the board ends there (BAL-6.1)",
            "the medium of Jet on d4 cannot move: the board ends there (BAL-6.1)",
        ),
    ],
)
def test_an_effect_calls_players_by_their_names(effect, unnamed, named):
    assert effect.words() == effect.words(UNNAMED) == unnamed
    assert effect.words(BOTH) == (named or unnamed)


def test_template_like_name_is_written_literally():
    assert Ended(1).words(Names({1: "{its}"})) == "{its} ends their turn"


def test_braces_in_values_are_not_replaced():
    said = Sentence("{seat} wrote {text} in {its} turn", seat=Player(1), text="{seat.__class__}")
    assert said == "seat 1 wrote {seat.__class__} in its turn"
    assert said.words(Names({1: "{text}"})) == "{text} wrote {seat.__class__} in their turn"


def test_sentences_within_a_sentence_have_the_same_names():
    there = Sentence("c3 has a large of {seat}", seat=Player(2))
    why = Sentence("{there}; {seat} attacks", there=there, seat=Player(1))
    assert why.words(JET) == "c3 has a large of seat 2; Jet attacks"
    assert pickle.loads(pickle.dumps(why)).words(BOTH) == "c3 has a large of Red; Jet attacks"


def test_a_refusal_names_the_players():
    match = open_match(built_in("poptrix"))
    refused = Moved(2, Place("S", "c6")).check(match.state)
    awaited = "{} is to place a pyramid on the home row"
    assert refused.message == f"it is not for seat 2 to move: {awaited.format('seat 1')}"
    assert refused.words(BOTH) == f"it is not for Red to move: {awaited.format('Jet')}"


def test_a_seat_without_a_name_keeps_its_number():
    assert Declared(1, 2).words(JET) == "Jet declares seat 2 knocked out"


@pytest.mark.parametrize(
    ("slug", "names", "words"),
    [
        ("poptrix", UNNAMED, "seat 1 is to place a pyramid on the home row"),
        ("poptrix", BOTH, "Jet is to place a pyramid on the home row"),
        (
            "pyramid-ball",
            UNNAMED,
            "seat 1 is to program its pyramids and seat 2 is to program its pyramids",
        ),
        ("pyramid-ball", BOTH, "Jet and Red are to program their pyramids"),
        (
            "pyramid-ball",
            JET,
            "Jet is to program their pyramids and seat 2 is to program its pyramids",
        ),
    ],
)
def test_the_awaited_player_is_named(slug, names, words):
    assert awaited_words(open_match(built_in(slug)).state, names) == words


def test_outcome_lists_ranks_in_order():
    ranks = ((2,), (1, 3))
    assert outcome_words(Outcome("X-1", (2,), ranks=ranks), BOTH).startswith(
        "Red won, then Jet and"
    )
    told = Outcome("X-1", (2,), (5, 9, 5), ranks=(*ranks, (4,))).to_dict()
    assert told == {
        "winner": 2, "clause": "X-1", "scores": (5, 9, 5), "ranks": ((2,), (1, 3), (4,)),
    }  # fmt: skip
    assert "ranks" not in Outcome("X-1", (2,)).to_dict()


def test_the_winner_is_named():
    won = Outcome("POP-6.1", (2,))
    assert outcome_words(won) == "seat 2 won (POP-6.1)"
    assert outcome_words(won, BOTH) == "Red won (POP-6.1)"
