"""Poptrix, clause by clause."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.board import PIPS
from domain.effects import Skipped
from domain.games.poptrix import GAME
from domain.games.poptrix.board import BOARD, STASH
from domain.games.poptrix.effects import Removed
from domain.games.poptrix.position import Table
from domain.match import Match
from tests.case_table import cases, cases_of_words, ending, listed, said
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_from, play_texts, refusal

CLAUSES = {
    "POP-1.1": shown_by("set-up", "test_board_is_five_by_six"),
    "POP-1.2": shown_by("set-up", "test_seat_starts_with_fifteen_pyramids_and_cap"),
    "POP-1.3": shown_by("set-up", "test_seat_one_begins_and_turns_alternate"),
    "POP-1.4": shown_by("refusal", "test_refusals"),
    "POP-2.1": shown_by("refusal", "test_refusals"),
    "POP-2.2": shown_by("refusal", "test_refusals"),
    "POP-2.3": shown_by("refusal", "test_refusals", "test_losing_attack_is_still_forced"),
    "POP-2.4": shown_by("effect", "test_blocked_seat_is_skipped"),
    "POP-3.1": shown_by("refusal", "test_refusals"),
    "POP-3.2": shown_by("refusal", "test_refusals"),
    "POP-3.3": shown_by("refusal", "test_refusals"),
    "POP-3.4": shown_by(
        "unbreakable",
        "test_launch_passes_over_pyramids",
        note="it allows: whatever stands between, no launch is refused for it",
    ),
    "POP-4.0": shown_by("refusal", "test_refusals"),
    "POP-4.1": shown_by("effect", "test_fights"),
    "POP-4.2": shown_by("effect", "test_fights"),
    "POP-4.3": shown_by("refusal", "test_refusals", "test_fights"),
    "POP-5.1": shown_by("effect", "test_combat"),
    "POP-5.2": shown_by("effect", "test_combat"),
    "POP-5.3": shown_by("effect", "test_fights"),
    "POP-5.4": shown_by("effect", "test_fights"),
    "POP-5.5": shown_by("effect", "test_fights"),
    "POP-5.6": shown_by("effect", "test_fights"),
    "POP-6.1": shown_by("outcome", "test_endings"),
    "POP-6.2": shown_by("outcome", "test_endings"),
    "POP-6.3": shown_by("outcome", "test_endings"),
    "POP-6.4": shown_by("outcome", "test_endings"),
}


def table(text: str) -> Table:
    """Set up a position: `"1L@c3 2M@c4 caps=c3,--"`; with `stash=2` only seat 2 has a stash."""
    words = text.split()
    given = dict(word.split("=") for word in words if "=" in word)
    board = bytearray(30)
    for piece, at in (word.split("@") for word in words if "@" in word):
        board[BOARD.index[at]] = int(piece[0]) * 4 + PIPS[piece[1]]
    first, second = (BOARD.index.get(cap, -1) for cap in given.get("caps", "--,--").split(","))
    stash = {"all": STASH, "none": bytes(12), "2": bytes(5) + b"\5\5\5" + bytes(4)}
    position = Table(bytes(board), stash[given.get("stash", "all")], (first, second), 1, 9, True)
    return replace(position, forced=any(GAME.legal(position, 1)))


def played(position: str, play: str) -> Match:
    """Play moves from a position of `table`, or from the start."""
    return play_from(GAME, GAME.start() if position == "start" else table(position), play)


def pieces(position: Table) -> dict[str, str]:
    return {
        BOARD.names[at]: f"{code >> 2}{'_SML'[code & 3]}"
        for at, code in enumerate(position.board)
        if code
    }


def test_board_is_five_by_six():
    assert len(BOARD.names) == 30
    assert (BOARD.names[0], BOARD.names[-1]) == ("a1", "e6")


def test_seat_starts_with_fifteen_pyramids_and_cap():
    start = GAME.start()
    assert [start.stash[seat * 4 + pips] for seat in (1, 2) for pips in (1, 2, 3)] == [5] * 6
    assert start.caps == (-1, -1)


def test_seat_one_begins_and_turns_alternate():
    match = play_texts(GAME, "")
    seats = []
    for token in ("M@c1", "S@c6", "c1>S@c3", "c6>M@a6"):
        seats.append(match.state.in_turn)
        match = add_token(match, token)
    assert seats == [1, 2, 1, 2]


REFUSALS = """
form | start | | c1 M@f1 0:M@c1
turn | start | | 2:M@c1 9:M@c1
POP-1.4 | start | | c1>S@d2
POP-1.4 | start | M@c1 S@c6 | c1>S@e3 c1xd2
POP-2.1 | start | | c1>S@c3 c1xc2 M@c2
POP-2.1 | start | M@c1 | M@c1
POP-2.2 | start | M@c1 S@c6 | M@c1
POP-2.3 | start | M@c1 S@c6 c1>L@c3 c6>M@c4 | c3>S@b3 a1>M@a3
POP-3.1 | start | M@c1 S@c6 | a1>S@a2 c6>M@c5
POP-3.2 | start | M@c1 S@c6 | c1>M@c2
POP-3.3 | start | M@c1 S@c6 | c1>S@c4 c1>S@c1 c1>S@b4
POP-4.0 | start | M@c1 S@c6 | c1xc6 a1xa2
POP-4.0 | start | L@c1 L@c6 c1>S@a1 c6>M@c4 c1>M@c2 c4>L@c3 | c1xc3
# A large needs room behind an enemy; against its own side it lacks an enemy.
POP-4.0 | 1L@c5 1M@c6 1M@a1 2M@a2 | | c5xc6=c6
POP-4.3 | 1L@c2 2M@c3 2S@c4 1M@a1 2M@a2 | | c2xc3=c2,c3
POP-4.3 | 1L@c5 2M@c6 1M@a1 2M@a2 | | c5xc6
"""
"""The clause, a position, the play there, and the refused move texts, some with squares."""


@cases_of_words("clause position play case", REFUSALS)
def test_refusals(clause, position, play, case):
    token, given, squares = case.partition("=")
    violation = refusal(played(position, play), token)
    assert violation.clause == clause
    if given:
        assert listed(violation.squares) == squares


def test_token_with_a_line_end_is_refused():
    assert refusal(play_texts(GAME, ""), "M@c1\n").clause == "form"


def test_losing_attack_is_still_forced():
    match = play_texts(GAME, "S@c1 L@c6 c1>M@c3 c6>M@c4 c3xc4 c6>M@c5")
    assert [move.what for move in GAME.legal(match.state.position, 1)] == ["attack"]


def test_launch_passes_over_pyramids():
    match = play_texts(GAME, "M@c1 S@c6 c1>S@c2 c6>M@a6")
    assert pieces(add_token(match, "c1>L@c3").state.position)["c3"] == "1L"


STRENGTH = """
S     A   T   T   D   D   D
S^    A   A   A   T   T   D
M     A   A   A   T   T   D
M^    A   A   A   A   A   T
L     A   A   A   A   A   T
L^    A   A   A   A   A   A
"""
KINDS = ("S", "S^", "M", "M^", "L", "L^")


@pytest.mark.parametrize("row", STRENGTH.split("\n")[1:-1], ids=lambda row: row.split()[0])
def test_combat(row):
    attacker, *verdicts = row.split()
    for defender, verdict in zip(KINDS, verdicts, strict=True):
        caps = f"{'c2' if attacker[1:] else '--'},{'c3' if defender[1:] else '--'}"
        match = played(f"1{attacker[0]}@c2 2{defender[0]}@c3 1S@a1 2S@a6 caps={caps}", "c2xc3")
        removed = {fact.seat for fact in last_effects(match) if isinstance(fact, Removed)}
        assert removed == {"A": {2}, "D": {1}, "T": {1, 2}}[verdict], (attacker, defender)


@cases(
    "clause position standing caps effects",
    """
# A small stays, a medium takes the square, a large lands behind it; the winner gets the cap.
4.1 | 1S@c2 2S@c3 | 1S@c2 | c2 -- | Removed:2:S:c3 Capped:1:c2
4.1 | 1S@c2 2L@c3 | 2L@c2 | -- c2 | Removed:1:S:c2 Capped:2:c2
4.1 | 1S@c2 2M@c3 | | -- -- | Removed:1:S:c2 Removed:2:M:c3
4.2 | 1M@c2 2S@c3 | 1M@c3 | c3 -- | Removed:2:S:c3 Capped:1:c3
4.2 | 1M@c2 2L@c3 | | -- -- | Removed:1:M:c2 Removed:2:L:c3
4.3 | 1L@c2 2S@c3 | 1L@c4 | c4 -- | Removed:2:S:c3 Capped:1:c4
5.4 | 1M@c2 2S@c3 caps=a1,-- | 1M@c3 | c3 -- | Removed:2:S:c3 Capped:1:c3
# A defender wins or ties with its cap; the cap of a removed pyramid goes home.
5.5 | 1L@c2 2S@c3 caps=--,c3 | 1L@c4 | c4 -- | Removed:2:S:c3 CapReturned:2
5.5 | 1L@c2 2L@c3 caps=--,c3 | | -- -- | Removed:1:L:c2 Removed:2:L:c3 CapReturned:2
5.6 | 1M@c2 2L@c3 caps=--,c3 | 2L@c3 | -- c3 | Removed:1:M:c2
""",
)
def test_fights(clause, position, standing, caps, effects):
    before = table(f"{position} 1S@a1 2S@e6")
    match = played(f"{position} 1S@a1 2S@e6", "c2xc3")
    after = match.state.position
    fought = [f"{piece}@{at}" for at, piece in pieces(after).items() if at[0] == "c"]
    assert " ".join(fought) == standing
    assert [BOARD.names[at] if at >= 0 else "--" for at in after.caps] == caps.split()
    assert set(effects.split()) <= set(said(*last_effects(match)))
    assert after.stash == before.stash


def test_blocked_seat_is_skipped():
    position = table("1M@a1 2S@e6 stash=2")
    after, facts = next(iter(GAME.legal(position, 1))).evolve(position, 1)
    assert facts[-1] == Skipped(2)
    assert (after.seat, after.turn) == (1, position.turn + 1)


@cases(
    "clause position outcome",
    """
POP-6.1 | 1L@c2 2S@c3 | 1
POP-6.1 | 1S@c2 2L@c3 | 2
POP-6.2 | 1S@c2 2M@c3 | None
POP-6.3 | 1L@c2 2S@c3 1S@a1 2S@e6 stash=none | 1
POP-6.3 | 1L@c2 2S@c3 2L@a4 2S@e6 2S@a6 stash=none | 2
POP-6.4 | 1L@c2 2S@c3 2L@a6 stash=none | None
""",
)
def test_endings(clause, position, outcome):
    after = played(position, "c2xc3").state.position
    assert ending(after.outcome()) == f"{outcome}:{clause}"
    assert after.awaiting() == ()
    assert list(GAME.legal(after, 1)) == list(GAME.legal(after, 2)) == []
