"""Poptrix, clause by clause."""

from __future__ import annotations

import pytest

from domain.board import PIPS
from domain.games.poptrix import (
    BOARD,
    GAME,
    STASH,
    Attack,
    Capped,
    CapReturned,
    Removed,
    Skipped,
    Table,
)
from domain.position import Outcome
from tests.clause_table import shown_by
from tests.token_play import add_token, play_tokens, refusal

CLAUSES = {
    "POP-1.1": shown_by("set-up", "test_the_board_is_five_by_six"),
    "POP-1.2": shown_by("set-up", "test_a_seat_starts_with_fifteen_pyramids_and_a_cap"),
    "POP-1.3": shown_by("set-up", "test_seat_one_begins_and_turns_alternate"),
    "POP-1.4": shown_by("refusal", "test_refusals"),
    "POP-2.1": shown_by("refusal", "test_refusals"),
    "POP-2.2": shown_by("refusal", "test_refusals"),
    "POP-2.3": shown_by(
        "refusal", "test_refusals", "test_an_attack_that_will_lose_is_still_forced"
    ),
    "POP-2.4": shown_by("effect", "test_a_seat_that_can_do_nothing_is_skipped"),
    "POP-3.1": shown_by("refusal", "test_refusals"),
    "POP-3.2": shown_by("refusal", "test_refusals"),
    "POP-3.3": shown_by("refusal", "test_refusals"),
    "POP-3.4": shown_by(
        "unbreakable",
        "test_a_launch_passes_over_pyramids",
        note="it allows: whatever stands between, no launch is refused for it",
    ),
    "POP-4.0": shown_by("refusal", "test_refusals"),
    "POP-4.1": shown_by("effect", "test_the_survivor_of_an_attack_stands_where_the_rules_say"),
    "POP-4.2": shown_by("effect", "test_the_survivor_of_an_attack_stands_where_the_rules_say"),
    "POP-4.3": shown_by(
        "refusal", "test_refusals", "test_the_survivor_of_an_attack_stands_where_the_rules_say"
    ),
    "POP-5.1": shown_by("effect", "test_combat"),
    "POP-5.2": shown_by("effect", "test_combat"),
    "POP-5.3": shown_by("effect", "test_a_removed_pyramid_is_out_of_the_game"),
    "POP-5.4": shown_by("effect", "test_the_winner_gets_the_cap_attacker_or_defender"),
    "POP-5.5": shown_by("effect", "test_the_cap_of_a_removed_pyramid_goes_home"),
    "POP-5.6": shown_by("effect", "test_the_survivor_of_an_attack_stands_where_the_rules_say"),
    "POP-6.1": shown_by("outcome", "test_endings"),
    "POP-6.2": shown_by("outcome", "test_endings"),
    "POP-6.3": shown_by("outcome", "test_endings"),
    "POP-6.4": shown_by("outcome", "test_endings"),
}


def table(pieces: str, *, seat: int = 1, caps: str = "-- --", stash: bytes = STASH) -> Table:
    """Set up a position: `"1L@c3 2M@c4"`, with the caps' squares or `--`."""
    board = bytearray(30)
    for piece in pieces.split():
        board[BOARD.index[piece[3:]]] = int(piece[0]) * 4 + PIPS[piece[1]]
    first, second = (BOARD.index.get(cap, -1) for cap in caps.split())
    attacking = Table(bytes(board), stash, (first, second), seat, 9, True)
    forced = any(GAME.legal(attacking, seat))
    return Table(bytes(board), stash, (first, second), seat, 9, forced)


def pieces(position: Table) -> dict[str, tuple[int, int]]:
    return {
        BOARD.names[at]: (code >> 2, code & 3) for at, code in enumerate(position.board) if code
    }


def test_the_board_is_five_by_six():
    assert len(BOARD.names) == 30
    assert (BOARD.names[0], BOARD.names[-1]) == ("a1", "e6")


def test_a_seat_starts_with_fifteen_pyramids_and_a_cap():
    start = GAME.start()
    assert [start.stash[seat * 4 + pips] for seat in (1, 2) for pips in (1, 2, 3)] == [5] * 6
    assert start.caps == (-1, -1)


def test_seat_one_begins_and_turns_alternate():
    match = play_tokens(GAME, "")
    seats = []
    for token in ("M@c1", "S@c6", "c1>S@c3", "c6>M@a6"):
        seats.append(match.state.in_turn)
        match = add_token(match, token)
    assert seats == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("before", "token", "clause"),
    [
        ("", "c1", "form"),
        ("", "M@f1", "form"),
        ("", "M@c1\n", "form"),
        ("", "0:M@c1", "form"),
        ("", "2:M@c1", "turn"),
        ("", "9:M@c1", "turn"),
        ("", "c1>S@d2", "POP-1.4"),
        ("", "c1>S@c3", "POP-2.1"),
        ("", "c1xc2", "POP-2.1"),
        ("", "M@c2", "POP-2.1"),
        ("M@c1", "M@c1", "POP-2.1"),
        ("M@c1 S@c6", "M@c1", "POP-2.2"),
        ("M@c1 S@c6", "a1>S@a2", "POP-3.1"),
        ("M@c1 S@c6", "c6>M@c5", "POP-3.1"),
        ("M@c1 S@c6", "c1>M@c2", "POP-3.2"),
        ("M@c1 S@c6", "c1>S@c4", "POP-3.3"),
        ("M@c1 S@c6", "c1>S@c1", "POP-3.3"),
        ("M@c1 S@c6", "c1>S@b4", "POP-3.3"),
        ("M@c1 S@c6", "c1>S@e3", "POP-1.4"),
        ("M@c1 S@c6", "c1xc6", "POP-4.0"),
        ("M@c1 S@c6", "a1xa2", "POP-4.0"),
        ("M@c1 S@c6", "c1xd2", "POP-1.4"),
        ("M@c1 S@c6 c1>L@c3 c6>M@c4", "c3>S@b3", "POP-2.3"),
        ("M@c1 S@c6 c1>L@c3 c6>M@c4", "a1>M@a3", "POP-2.3"),
    ],
)
def test_refusals(before, token, clause):
    assert refusal(play_tokens(GAME, before), token).clause == clause


def test_a_large_needs_room_behind_its_target():
    match = play_tokens(GAME, "L@c1 L@c6 c1>S@a1 c6>M@c4 c1>M@c2 c4>L@c3")
    violation = refusal(match, "c1xc3")
    assert violation.clause == "POP-4.0"
    blocked = table("1L@c2 2M@c3 2S@c4 1M@a1 2M@a2")
    found = Attack("c2", "c3").check(blocked, 1)
    assert found is not None
    assert (found.clause, found.squares) == ("POP-4.3", ("c2", "c3"))
    edge = table("1L@c5 2M@c6 1M@a1 2M@a2")
    found = Attack("c5", "c6").check(edge, 1)
    assert found is not None
    assert found.clause == "POP-4.3"


def test_a_large_against_its_own_side_lacks_an_enemy_and_not_room():
    found = Attack("c5", "c6").check(table("1L@c5 1M@c6 1M@a1 2M@a2"), 1)
    assert found is not None
    assert (found.clause, found.squares) == ("POP-4.0", ("c6",))


def test_an_attack_that_will_lose_is_still_forced():
    match = play_tokens(GAME, "S@c1 L@c6 c1>M@c3 c6>M@c4 c3xc4 c6>M@c5")
    assert [move.what for move in GAME.legal(match.state.position, 1)] == ["attack"]


def test_a_launch_passes_over_pyramids():
    match = play_tokens(GAME, "M@c1 S@c6 c1>S@c2 c6>M@a6")
    assert pieces(add_token(match, "c1>L@c3").state.position)["c3"] == (1, 3)


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
        caps = f"{'c2' if attacker[1:] else '--'} {'c3' if defender[1:] else '--'}"
        position = table(f"1{attacker[0]}@c2 2{defender[0]}@c3 1S@a1 2S@a6", caps=caps)
        _, facts = Attack("c2", "c3").evolve(position, 1)
        removed = {fact.seat for fact in facts if isinstance(fact, Removed)}
        assert removed == {"A": {2}, "D": {1}, "T": {1, 2}}[verdict], (attacker, defender)


@pytest.mark.parametrize(
    ("attacker", "defender", "where"),
    [
        ("S", "S", {"c2": (1, 1)}),
        ("S", "L", {"c2": (2, 3)}),
        ("S", "M", {}),
        ("M", "S", {"c3": (1, 2)}),
        ("M", "L", {}),
        ("L", "S", {"c4": (1, 3)}),
    ],
)
def test_the_survivor_of_an_attack_stands_where_the_rules_say(attacker, defender, where):
    position = table(f"1{attacker}@c2 2{defender}@c3 1S@a1 2S@e6")
    after, _ = Attack("c2", "c3").evolve(position, 1)
    assert {at: piece for at, piece in pieces(after).items() if at[0] == "c"} == where


@pytest.mark.parametrize(
    ("attacker", "defender", "caps", "where"),
    [
        ("M", "L", "-- c3", {"c3": (2, 3)}),
        ("L", "L", "-- c3", {}),
        ("S", "L", "-- --", {"c2": (2, 3)}),
    ],
)
def test_a_defender_can_win_or_tie(attacker, defender, caps, where):
    position = table(f"1{attacker}@c2 2{defender}@c3 1S@a1 2S@e6", caps=caps)
    after, _ = Attack("c2", "c3").evolve(position, 1)
    assert {at: piece for at, piece in pieces(after).items() if at[0] == "c"} == where


def test_the_winner_gets_the_cap_attacker_or_defender():
    position = table("1M@c2 2S@c3 1S@a1 2S@e6", caps="a1 --")
    after, facts = Attack("c2", "c3").evolve(position, 1)
    assert Capped(1, "c3") in facts
    assert after.caps == (BOARD.index["c3"], -1)
    position = table("1S@c2 2L@c3 1S@a1 2S@e6")
    after, facts = Attack("c2", "c3").evolve(position, 1)
    assert Capped(2, "c2") in facts
    assert after.caps == (-1, BOARD.index["c2"])


def test_the_cap_of_a_removed_pyramid_goes_home():
    position = table("1L@c2 2S@c3 1S@a1 2S@e6", caps="-- c3")
    after, facts = Attack("c2", "c3").evolve(position, 1)
    assert CapReturned(2) in facts
    assert after.caps[1] == -1


def test_a_removed_pyramid_is_out_of_the_game():
    position = table("1L@c2 2S@c3 1S@a1 2S@e6")
    after, _ = Attack("c2", "c3").evolve(position, 1)
    assert after.stash == position.stash


def test_a_seat_that_can_do_nothing_is_skipped():
    stash = bytes((0, 0, 0, 0, 0, 5, 5, 5, 0, 0, 0, 0))
    position = table("1M@a1 2S@e6", stash=stash)
    after, facts = next(iter(GAME.legal(position, 1))).evolve(position, 1)
    assert facts[-1] == Skipped(2)
    assert (after.seat, after.turn) == (1, position.turn + 1)


BARE = bytes(12)


@pytest.mark.parametrize(
    ("position", "move", "outcome"),
    [
        (table("1L@c2 2S@c3"), "c2xc3", Outcome(1, "POP-6.1")),
        (table("1S@c2 2L@c3"), "c2xc3", Outcome(2, "POP-6.1")),
        (table("1S@c2 2M@c3"), "c2xc3", Outcome(None, "POP-6.2")),
        (table("1L@c2 2S@c3 1S@a1 2S@e6", stash=BARE), "c2xc3", Outcome(1, "POP-6.3")),
        (table("1L@c2 2S@c3 2L@a4 2S@e6 2S@a6", stash=BARE), "c2xc3", Outcome(2, "POP-6.3")),
        (table("1L@c2 2S@c3 2L@a6", stash=BARE), "c2xc3", Outcome(None, "POP-6.4")),
    ],
)
def test_endings(position, move, outcome):
    parsed = GAME.parse(move)
    assert parsed is not None
    after, _ = parsed.evolve(position, 1)
    assert after.outcome() == outcome
    assert after.awaiting() == ()
    assert list(GAME.legal(after, 1)) == list(GAME.legal(after, 2)) == []
