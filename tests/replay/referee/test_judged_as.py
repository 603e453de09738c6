"""A match of a free board, judged by the rules of a real game."""

from __future__ import annotations

import pytest

from domain.games.free_board import GAME
from domain.match import Match, open_match
from replay import registry
from replay.errors import Usage
from replay.referee.judged_as import judge_as
from tests.case_table import cases
from tests.token_play import add_token, play_texts


def board(moves: str, options: str = "size=6 pieces=pyramids turns=many") -> Match:
    """Play tokens on a free board with options."""
    match = open_match(GAME, GAME.read_options(dict(one.split("=") for one in options.split())))
    for token in moves.split():
        match = add_token(match, token)
    return match


@cases(
    "moves tokens",
    """
wM@c1 pass bL@c6                       | M@c1 L@c6
wM@c1 bL@c6 wL@c3 bM@c5                | M@c1 L@c6 c1>L@c3 c6>M@c5
wM@c1 bL@c6 wL@c3 bM@c4 c3-c5 xc4      | M@c1 L@c6 c1>L@c3 c6>M@c4 c3xc4
wM@c1 bL@c6 wL@c3 bM@c4 xc4 c3-c5      | M@c1 L@c6 c1>L@c3 c6>M@c4 c3xc4
wS@a3 xa3 wM@c1                        | M@c1
wM@c1 bL@c6 end=1                      | M@c1 L@c6
""",
)
def test_free_board_has_the_legal_moves_of_poptrix(moves, tokens):
    verdict = judge_as(board(moves), registry.find("poptrix"))
    assert (" ".join(verdict.moves), verdict.broken) == (tokens, None)


@cases(
    "moves ply token clause",
    """
wM@c2                            | 1 | wM@c2 | POP-2.1
wM@c1 pass pass bM@c5            | 4 | bM@c5 | POP-2.1
wM@c1 bL@c6 wM@c3                | 3 | wM@c3 | POP-3.2
wM@c1 bL@c6 wL@d4                | 3 | wL@d4 | POP-3.3
wM@c1 bL@c6 wL@c3 bM@c4 wS@c2    | 5 | wS@c2 | POP-2.3
wM@c1 bL@c6 wL@c3 bM@c4 c3-c5    | 5 | c3-c5 | POP-2.3
wM@c1 bL@c6 xc1                  | 3 | xc1   | form
""",
)
def test_first_broken_clause_is_cited(moves, ply, token, clause):
    broken = judge_as(board(moves), registry.find("poptrix")).broken
    assert (str(broken.ply), broken.text, broken.clause) == (ply, token, clause)
    assert clause == "form" or broken.words


@pytest.mark.parametrize(
    ("match", "game", "fault"),
    [
        (
            board("wM@c1", "size=6 pieces=pyramids"),
            "pyramid-ball",
            "no secrets or dice, unlike Pyramid Ball",
        ),
        (board("wM@c1", "size=6 pieces=pyramids"), "score-sheet", "cannot list its moves"),
        (board("a2-a3", "pieces=chess start=usual"), "poptrix", "never shows the start of Poptrix"),
        (play_texts(registry.find("poptrix"), "M@c1"), "poptrix", "give a match of a free board"),
    ],
)
def test_unjudgeable_match_is_refused(match, game, fault):
    with pytest.raises(Usage, match=fault):
        judge_as(match, registry.find(game))
