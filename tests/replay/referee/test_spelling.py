"""Tokens whose letters have another case."""

from __future__ import annotations

import pytest

from domain.games import BUILT_IN
from replay.referee.referee import respell
from replay.registry import find


@pytest.mark.parametrize(
    ("slug", "typed", "meant"),
    [("poptrix", "s@c5", "S@c5"), ("poptrix", "C1>l@C3", "c1>L@c3"), ("poptrix", "c3Xc4", "c3xc4"),
     ("poptrix", "1:Resign", "1:resign"), ("poptrix", "Ruled=+1", "ruled=+1"),
     ("blockade", "ROLL=4,5", "roll=4,5"), ("blockade", "Roll", "roll"),
     ("power-play", "l@A1", "L@a1"), ("power-play", "2:KO=3", "2:ko=3"),
     ("cube-pyramid", "L@a11", "l@A11"), ("pyramid-ball", "start=Ball", "start=ball"),
     ("pyramid-ball", "2:s=frX,m=..f,l=llf,PASS=2l,Dash=f,QUICK",
      "2:S=FRx,M=..F,L=LLF,pass=2L,dash=F,quick")],
)  # fmt: skip
def test_case_is_ignored(slug, typed, meant):
    assert respell(find(slug), typed) == meant


@pytest.mark.parametrize("text", ["", "1:", "nonsense", "M@z9", "É@c1", "ſ@c1", "m@c1 m@c1"])
def test_unknown_text_stays_unchanged(text):
    assert respell(find("poptrix"), text) == text


@pytest.mark.parametrize("slug", BUILT_IN)
def test_tokens_stay_unchanged(slug):
    game = find(slug)
    for move in game.moves:
        assert respell(game, move.example) == move.example
        assert respell(game, move.example.swapcase()) == move.example
