"""Other spellings of a move: case, white space, signs; never another move, never a guess."""

from __future__ import annotations

import sys
from random import Random
from typing import NamedTuple

import pytest

from domain.entry import move_text
from domain.entry.spellings import meant, spell, spell_all
from domain.games import BUILT_IN
from domain.match import Match
from replay.referee import dry_run
from replay.registry import find
from replay.sampling.moves import random_turn

SIGNS = (">", "-", "x", "@", "^", "=")
DISGUISES = {
    "capitals": str.upper,
    "small letters": str.lower,
    "spaces": lambda text: " ".join(text),
    "spaces around signs": lambda text: "".join(f" {c} " if c in SIGNS else c for c in text),
    "arrows": lambda text: text.replace(">", "->"),
    "typographic signs": lambda text: text.replace("-", "–").replace(">", "→").replace("x", "×"),
    "no signs": lambda text: "".join(c for c in text if c.isalnum()),
}


def start(slug: str) -> Match:
    return dry_run.start(find(slug), {}, None)


def after(slug: str, *moves: str) -> Match:
    match, refused = dry_run.judge(start(slug), moves)
    assert refused is None
    return match


@pytest.mark.parametrize(
    ("slug", "typed", "text"),
    [("poptrix", "m@C1", "M@c1"), ("poptrix", "M c1", "M@c1"), ("poptrix", " mc1 ", "M@c1"),
     ("poptrix", "1:Resign", "1:resign"), ("poptrix", "Ruled=+1", "ruled=+1"),
     ("blockade", "ROLL=4,5", "roll=4,5"), ("blockade", "Roll", "roll"),
     ("power-play", "A3 - B4", "a3-b4"), ("power-play", "a3–b4", "a3-b4"),
     ("power-play", "2:KO=3", "2:ko=3"), ("cube-pyramid", "L@a11", "l@A11"),
     ("pyramid-ball", "2:s=frX,m=..f,l=llf,PASS=2l,Dash=f,QUICK",
      "2:S=FRx,M=..F,L=LLF,pass=2L,dash=F,quick")],
)  # fmt: skip
def test_text_is_read_as_the_move_that_it_means(slug, typed, text):
    assert spell(start(slug).state, typed) == text


def test_each_text_is_read_after_those_before_it():
    typed = ["m C1", "s@C6", "c1->l@C3", "c6 > m c5"]
    assert spell_all(start("poptrix").state, typed) == ["M@c1", "S@c6", "c1>L@c3", "c6>M@c5"]


@pytest.mark.parametrize(
    "text", ["", "1:", "nonsense", "M@z9", "É@c1", "ſ@c1", "m@c1 m@c1", "x" * 999]
)
def test_text_without_meaning_stays_unchanged(text):
    assert spell(start("poptrix").state, text) == text


def test_two_possible_moves_are_named_and_none_is_read():
    state = after("power-play", "a3-b4").state
    legal = move_text.legal_texts(state.game, state)
    for text in ["".join(c for c in each if c.isalnum()) for each in legal]:
        found = meant(state, text)
        assert spell(state, text) in ({text} if len(found) > 1 else set(legal))


def test_illegal_move_is_respelled_and_refused_by_its_clause():
    match = after("poptrix", "M@c1", "S@c6", "c1>L@c3")
    assert spell(match.state, "C6 > s@C5") == "c6>S@c5"


def test_hidden_moves_are_no_meanings_for_others():
    state = start("pyramid-ball").state
    assert meant(state, "start ball") in ((), ("start=ball",))


class Figures(NamedTuple):
    """The spellings that were tried, that mean one legal move, and that were read."""

    tried: int = 0
    unambiguous: int = 0
    read: int = 0
    another: int = 0


def tally_disguised(slug: str, number: int) -> Figures:
    """Read disguised legal moves of random play until a number of spellings is tried.

    A spelling is unambiguous if it is no move text itself, and no other legal move has it.
    """
    rng, figures, match = Random(slug), Figures(), start(slug)
    while figures.tried < number:
        legal = move_text.legal_texts(match.game, match.state)
        for text in rng.sample(legal, min(len(legal), 4)):
            assert spell(match.state, text) == text
            for disguise in DISGUISES.values():
                if disguise(move_text.split(text).body):  # the end of a turn has no letters
                    figures = _counted(figures, match, text, disguise, legal)
        over = match.state.outcome is not None
        turn = None if over else random_turn(match.game, match.state.position, rng)
        match = start(slug) if turn is None else match.evolve(turn)
    return figures


def _counted(figures: Figures, match, text: str, disguise, legal) -> Figures:
    typed = disguised(disguise, text)
    alike = [each for each in legal if disguised(disguise, each) == typed]
    own = match.game.parse(move_text.split(typed).body) is not None
    single = len(alike) == 1 and (not own or typed == text)
    read = spell(match.state, typed)
    event, other = (move_text.read(match.game, match.state, each) for each in (text, read))
    return Figures(
        figures.tried + 1,
        figures.unambiguous + single,
        figures.read + (single and other == event),
        figures.another + (read != typed and other != event),
    )


def disguised(disguise, text: str) -> str:
    seat, body = move_text.split(text)
    return str(move_text.SplitText(seat, disguise(body)))


@pytest.mark.parametrize("slug", BUILT_IN)
def test_disguised_moves_are_read_as_themselves_or_not_at_all(slug):
    """`python -m tests.domain.entry.test_spellings GAME 100000` tries more, and prints figures."""
    figures = tally_disguised(slug, 2000)
    assert figures.another == 0, figures
    assert figures.read >= 0.99 * figures.unambiguous, figures


if __name__ == "__main__":
    print(tally_disguised(sys.argv[1], int(sys.argv[2])))
