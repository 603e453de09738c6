"""Other spellings of a move: case, white space, signs; never another move, never a guess."""

from __future__ import annotations

import doctest
from random import Random

import pytest

from domain.entry import spellings, tokens
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
    legal = tokens.legal_tokens(state.game, state)
    for text in ["".join(c for c in each if c.isalnum()) for each in legal]:
        found = meant(state, text)
        assert spell(state, text) in ({text} if len(found) > 1 else set(legal))


def test_illegal_move_is_respelled_and_refused_by_its_clause():
    match = after("poptrix", "M@c1", "S@c6", "c1>L@c3")
    assert spell(match.state, "C6 > s@C5") == "c6>S@c5"


def test_hidden_moves_are_no_meanings_for_others():
    state = start("pyramid-ball").state
    assert meant(state, "start ball") in ((), ("start=ball",))


@pytest.mark.parametrize("slug", BUILT_IN)
def test_disguised_moves_are_read_as_themselves_or_not_at_all(slug):
    """Of 2,000 spellings a game; each state is one of random play."""
    rng, read, tried = Random(slug), 0, 0
    match = start(slug)
    while tried < 2000:
        legal = tokens.legal_tokens(match.game, match.state)
        for text in rng.sample(legal, min(len(legal), 4)):
            for disguise in DISGUISES.values():
                seat, body = tokens.split(text)
                typed = str(tokens.Token(seat, disguise(body)))
                found = meant(match.state, typed)
                assert spell(match.state, text) == text
                if found:  # another move only if the disguise is itself well formed
                    assert text in found or typed in found or len(found) > 1, (text, typed, found)
                tried += 1
                read += found == (text,)
        if match.state.outcome is None:
            match = match.evolve(random_turn(match.game, match.state.position, rng))
        else:
            match = start(slug)
        tried += not legal
    assert read > 0.9 * tried or slug in ("blockade", "power-play", "pyramid-ball"), (read, tried)


def test_documented_examples_are_right():
    assert doctest.testmod(spellings).failed == 0
