"""Power Play, clause by clause."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from domain.board import PIPS
from domain.effects import Skipped
from domain.entry import tokens
from domain.events import Moved, Resigned, State
from domain.game import OptionError
from domain.games.power_play import GAME
from domain.games.power_play.board import BOARD, CENTRE
from domain.games.power_play.effects import (
    Captured,
    Declared,
    Hopped,
    KickedBack,
    Powered,
    Returned,
    Survived,
    WentOut,
)
from domain.games.power_play.pieces import BLACK, KINDS, PYRAMIDS, is_nest, is_power
from domain.games.power_play.position import Table
from domain.match import Match
from domain.position import Move, Outcome
from domain.scene import Mark
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_tokens, refusal

CLAUSES = {
    "PWR-1.1": shown_by("set-up", "test_the_board_is_eight_by_eight", "test_two_to_four_seats"),
    "PWR-1.2": shown_by(
        "set-up",
        "test_seats_sit_clockwise",
        "test_play_goes_clockwise_from_the_first_seat",
        "test_the_first_seat_must_be_one_of_the_seats",
    ),
    "PWR-1.3": shown_by("set-up", "test_black_larges_hold_the_centre"),
    "PWR-1.4": shown_by("set-up", "test_seats_sit_clockwise"),
    "PWR-1.5": shown_by("set-up", "test_a_seat_starts_with_five_nests"),
    "PWR-2.1": shown_by("effect", "test_landings", "test_a_nest_is_captured_whole"),
    "PWR-2.2": shown_by("effect", "test_only_the_outermost_leaves_a_nest"),
    "PWR-2.3": shown_by("effect", "test_a_power_piece_moves_as_a_whole"),
    "PWR-3.1": shown_by("refusal", "test_refusals_at_the_start"),
    "PWR-3.2": shown_by("effect", "test_a_seat_without_a_legal_move_is_skipped_and_not_counted"),
    "PWR-3.3": shown_by("refusal", "test_refusals_at_the_start"),
    "PWR-4.1": shown_by("refusal", "test_refusals_at_the_start", "test_refused_hops"),
    "PWR-4.2": shown_by("refusal", "test_refused_hops", "test_landings"),
    "PWR-4.3": shown_by("refusal", "test_landings", "test_making_a_power_piece_ends_the_turn"),
    "PWR-4.4": shown_by("effect", "test_landings", "test_captured_pips_are_lost"),
    "PWR-4.5": shown_by("effect", "test_landings", "test_kicked_back_pyramids_go_to_the_hand"),
    "PWR-4.6": shown_by(
        "effect",
        "test_a_jump_ends_by_itself_when_no_hop_is_left",
        "test_a_jump_may_go_on_after_a_capture_and_a_kickback",
    ),
    "PWR-4.7": shown_by("refusal", "test_a_jump_that_changed_nothing_cannot_end"),
    "PWR-5.1": shown_by("refusal", "test_refused_put_backs", "test_put_backs_go_clockwise"),
    "PWR-5.2": shown_by("refusal", "test_refused_put_backs", "test_a_nest_takes_any_size_it_lacks"),
    "PWR-5.3": shown_by("refusal", "test_refused_put_backs"),
    "PWR-5.4": shown_by(
        "unbreakable",
        "test_refused_put_backs",
        note="what it forbids breaks PWR-5.2 or PWR-5.3 already, and these come first",
    ),
    "PWR-5.5": shown_by(
        "effect",
        "test_leftovers_stay_in_hand_and_come_before_the_next_own_move",
        "test_a_declaration_makes_room_for_leftovers",
    ),
    "PWR-6.1": shown_by(
        "refusal",
        "test_refused_declarations",
        "test_any_remaining_seat_may_declare_at_eighteen_lost",
        "test_declaring_the_seat_to_move_out_counts_its_turn",
    ),
    "PWR-6.2": shown_by("outcome", "test_a_nest_built_on_anothers_starting_square_knocks_out"),
    "PWR-6.3": shown_by("outcome", "test_a_seat_without_pyramids_is_out_at_once"),
    "PWR-6.4": shown_by(
        "effect",
        "test_a_seat_that_goes_out_leaves_nothing_behind",
        "test_resigning",
    ),
    "PWR-7.1": shown_by("outcome", "test_the_last_seat_in_wins"),
}


def table(
    pieces: str,
    *,
    seats: int = 2,
    seat: int = 1,
    lost: tuple[int, ...] | None = None,
    hands: str = "",
    playing: tuple[int, ...] | None = None,
) -> Match:
    """Open a match in a position: `"1LMS@a1 1[LM]@c3"`, power pieces in brackets; hands `"2L"`."""
    board = bytearray(64)
    for at in CENTRE:
        board[at] = BLACK
    for piece in pieces.split():
        what, at = piece.split("@")
        board[BOARD.index[at]] = code(what)
    held = bytearray(20)
    for owner, size in (hand for hand in hands.split()):
        held[int(owner) * 4 + PIPS[size]] += 1
    in_ = playing or tuple(range(1, seats + 1))
    position = Table(bytes(board), bytes(held), lost or (0,) * seats, in_, seat, 40)
    return Match(GAME, GAME.options(), seats, State(GAME, position))


def code(piece: str) -> int:
    sizes = tuple(PIPS[size] for size in piece[1:].strip("[]"))
    return int(piece[0]) * 32 + KINDS.index(sizes, 8 if "[" in piece else 0)


def standing(match: Match) -> dict[str, str]:
    """Return the pieces on the board, as in `table`, without the centre."""
    found = {}
    for at, piece in enumerate(match.state.position.board):
        if piece and piece != BLACK:
            sizes = "".join(" SML"[pips] for pips in PYRAMIDS[piece])
            found[BOARD.names[at]] = f"{piece // 32}{f'[{sizes}]' if is_power(piece) else sizes}"
    return found


def then(match: Match, text: str) -> Match:
    for token in text.split():
        match = add_token(match, token)
    return match


def hand(match: Match, seat: int) -> str:
    held = match.state.position.hands[seat * 4 : seat * 4 + 4]
    return "".join(size * held[PIPS[size]] for size in "SML")


def legal(match: Match) -> set[str]:
    return set(tokens.legal_tokens(GAME, match.state))


# PWR-1


def test_the_board_is_eight_by_eight():
    assert len(BOARD.names) == 64
    assert (BOARD.names[0], BOARD.names[-1]) == ("a1", "h8")


def test_two_to_four_seats():
    assert GAME.seats == (2, 3, 4)
    assert [GAME.start(None, seats).playing for seats in GAME.seats] == [
        (1, 2),
        (1, 2, 3),
        (1, 2, 3, 4),
    ]


CORNERS = {
    "a1": {"a1", "b1", "c1", "a2", "a3"},
    "a8": {"a8", "b8", "c8", "a7", "a6"},
    "h8": {"h8", "g8", "f8", "h7", "h6"},
    "h1": {"h1", "g1", "f1", "h2", "h3"},
}


@pytest.mark.parametrize(
    ("seats", "corners"),
    [(2, ["a1", "h8"]), (3, ["a1", "a8", "h8"]), (4, ["a1", "a8", "h8", "h1"])],
)
def test_seats_sit_clockwise(seats, corners):
    match = play_tokens(GAME, "", seats=seats)
    for seat, corner in enumerate(corners, 1):
        nests = {at for at, piece in standing(match).items() if piece[0] == str(seat)}
        assert nests == CORNERS[corner]
        starting = match.state.position.starting(seat)
        assert {BOARD.names[at] for at in starting} == CORNERS[corner]


@pytest.mark.parametrize(
    ("seats", "first", "order"),
    [
        (2, 1, [1, 2, 1]),
        (2, 2, [2, 1, 2]),
        (3, 2, [2, 3, 1, 2]),
        (4, 4, [4, 1, 2, 3, 4]),
        (4, 3, [3, 4, 1, 2, 3]),
    ],
)
def test_play_goes_clockwise_from_the_first_seat(seats, first, order):
    match = play_tokens(GAME, "", seats=seats, first=first)
    step = {"a1": "a3-b4", "a8": "a6-b5", "h8": "h6-g5", "h1": "h3-g4"}
    corners = {2: ["a1", "h8"], 3: ["a1", "a8", "h8"], 4: ["a1", "a8", "h8", "h1"]}[seats]
    seen = []
    for turn, seat in enumerate(order[:-1], 1):
        seen.append(match.state.in_turn)
        assert match.state.position.turn == turn
        match = add_token(match, step[corners[seat - 1]])
    assert [*seen, match.state.in_turn] == order


@pytest.mark.parametrize(("seats", "first"), [(2, 3), (2, 4), (3, 4)])
def test_the_first_seat_must_be_one_of_the_seats(seats, first):
    with pytest.raises(OptionError, match=f"1 to {seats}"):
        GAME.start(GAME.options(first=first), seats)


def test_black_larges_hold_the_centre():
    board = GAME.start().board
    blacks = {BOARD.names[at] for at, piece in enumerate(board) if piece == BLACK}
    assert blacks == {"d4", "d5", "e4", "e5"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_starts_with_five_nests(seats):
    start = standing(play_tokens(GAME, "", seats=seats))
    assert len(start) == 5 * seats
    assert {piece[1:] for piece in start.values()} == {"LMS"}
    assert is_nest(code("1LMS"))
    assert not is_nest(code("1[LMS]"))


@pytest.mark.parametrize(
    ("seats", "first"), [(s, f) for s in (2, 3, 4) for f in (1, 2, 3, 4) if f <= s]
)
def test_a_seat_has_fifteen_opening_moves(seats, first):
    moves = legal(play_tokens(GAME, "", seats=seats, first=first))
    assert sorted("^" in move for move in moves) == [False] * 13 + [True] * 2


# Refusals at the start, in any order of clauses


@pytest.mark.parametrize(
    ("token", "clause"),
    [
        ("a1", "form"),
        ("A3-B4", "form"),
        ("a3-b9", "form"),
        ("a3-i3", "form"),
        ("a3-b4\n", "form"),
        ("^", "form"),
        ("..", "form"),
        ("X@a1", "form"),
        ("L@", "form"),
        ("ko=2", "form"),
        ("1:ko=0", "form"),
        ("1:ko=5", "form"),
        ("1:ko=12", "form"),
        ("2:h6-g5", "turn"),
        ("3:ko=1", "turn"),
        ("^a3", "turn"),
        (".", "turn"),
        ("L@a1", "turn"),
        ("2:L@h8", "turn"),
        ("e2-e3", "PWR-3.1"),
        ("e2-e9", "form"),
        ("h6-h6", "PWR-3.1"),
        ("h6-g5", "PWR-3.1"),
        ("d4-d3", "PWR-3.1"),
        ("d3^d5", "PWR-3.1"),
        ("h6^f4", "PWR-3.1"),
        ("a3-a5", "PWR-3.3"),
        ("a3-a2", "PWR-3.3"),
        ("a3-a3", "PWR-3.3"),
        ("c1-d3", "PWR-3.3"),
        ("a3^a5", "PWR-4.1"),
        ("a3^b5", "PWR-4.1"),
        ("a1^a4", "PWR-4.1"),
        ("a3^a3", "PWR-4.1"),
        ("a1^c1", "PWR-4.3"),
        ("1:ko=1", "PWR-6.1"),
        ("1:ko=2", "PWR-6.1"),
        ("2:ko=1", "PWR-6.1"),
        ("1:ko=3", "PWR-6.1"),
    ],
)
def test_refusals_at_the_start(token, clause):
    assert refusal(play_tokens(GAME, ""), token).clause == clause


def test_refusals_say_what_would_be_right():
    match = play_tokens(GAME, "")
    assert "a large, a medium and a small" in refusal(match, "a3-a2").message
    assert "a3 can step to a4, b3, b4, b2" in refusal(match, "a3-a5").message
    assert refusal(match, "e2-e3").squares == ("e2",)
    assert "seat 1 is to step or jump" in refusal(match, "L@a1").message


# PWR-2 to PWR-4.5: effects of a landing


@pytest.mark.parametrize(
    ("mover", "target", "what"),
    [
        ("1S", "2S", KickedBack),
        ("1M", "2S", Captured),
        ("1S", "2M", "PWR-4.2"),
        ("1L", "2[MS]", KickedBack),
        ("1L", "2MS", KickedBack),
        ("1L", "2[SSS]", KickedBack),
        ("1L", "2[SS]", Captured),
        ("1L", "2LS", "PWR-4.2"),
        ("1L", "2[MM]", "PWR-4.2"),
        ("1[LM]", "2LMS", "PWR-4.2"),
        ("1[LMS]", "2LMS", KickedBack),
        ("1[LL]", "2LMS", KickedBack),
        ("1[LLS]", "2LMS", Captured),
        ("1[LLL]", "2[LLL]", KickedBack),
        ("1[LLM]", "2[LLL]", "PWR-4.2"),
        ("1[MS]", "2[SSS]", KickedBack),
        ("1S", "1S", "[SS]"),
        ("1S", "1L", "[LS]"),
        ("1M", "1L", "[LM]"),
        ("1L", "1L", "[LL]"),
        ("1M", "1S", "PWR-4.3"),
        ("1L", "1M", "PWR-4.3"),
        ("1S", "1[LM]", "[LMS]"),
        ("1M", "1[LM]", "[LMM]"),
        ("1L", "1[LM]", "PWR-4.3"),
        ("1M", "1[LS]", "PWR-4.3"),
        ("1S", "1[LS]", "[LSS]"),
        ("1[LS]", "1L", "[LLS]"),
        ("1[MS]", "1L", "[LMS]"),
        ("1[LS]", "1M", "PWR-4.3"),
        ("1[SS]", "1[SS]", "PWR-4.3"),
        ("1S", "1[SSS]", "PWR-4.3"),
        ("1[SSS]", "1S", "PWR-4.3"),
    ],
)
def test_landings(mover, target, what):
    match = table(f"{mover}@f2 2S@f3 {target}@f4 1S@h4 2L@b8 2L@b6")
    if isinstance(what, str) and what.startswith("PWR"):
        assert refusal(match, "f2^f4").clause == what
        assert "f2^f4" not in legal(match)
        return
    assert "f2^f4" in legal(match)
    match = add_token(match, "f2^f4")
    if isinstance(what, str):
        assert standing(match)["f4"] == "1" + what
    else:
        assert what(2, PYRAMIDS[code(target)], "f4") in last_effects(match)
        assert standing(match)["f4"] == mover
    assert "f2" not in standing(match)


@pytest.mark.parametrize(
    ("mover", "target", "made"),
    [
        ("L", "LM", "[LLM]"),
        ("M", "MS", "[MMS]"),
        ("S", "LS", "[LSS]"),
        ("M", "LS", "[LMS]"),
        ("L", "MS", ""),
        ("S", "LMS", ""),
        ("[MS]", "LM", ""),
    ],
)
def test_the_top_of_a_nest_is_its_outermost(mover, target, made):
    match = table(f"1{mover}@c3 2S@c2 1{target}@c1 2S@h8")
    if made:
        assert standing(add_token(match, "c3^c1"))["c1"] == "1" + made
    else:
        assert refusal(match, "c3^c1").clause == "PWR-4.3"


@pytest.mark.parametrize(
    ("before", "token", "clause"),
    [
        ("1S@c2 1S@c3", "c2^c5", "PWR-4.1"),
        ("1S@c2 1S@c3", "c2^c1", "PWR-4.1"),
        ("1S@c2 1S@c3", "c2^e2", "PWR-4.1"),
        ("1S@c2 1S@c3", "c2^d4", "PWR-4.1"),
        ("1[LLL]@d2 1S@d3", "d2^d4", "PWR-4.2"),
        ("1[LLL]@d3", "d3^d5", "PWR-4.2"),
    ],
)
def test_refused_hops(before, token, clause):
    match = table(f"{before} 2S@h8")
    assert refusal(match, token).clause == clause


WAYS = ["c6 c7 c8", "c6 d7 e8", "c6 d6 e6", "a8 b7 c6", "c6 c5 c4", "c6 b5 a4", "c6 b6 a6"]


@pytest.mark.parametrize("what", ["1S", "1LMS", "2[LLL]", "2LMS"])
@pytest.mark.parametrize("way", [*WAYS, "c6 b7 a8"])
def test_hops_go_over_any_piece_and_leave_it(what, way):
    start, over, to = way.split()
    match = add_token(table(f"1M@{start} {what}@{over} 2S@h8"), f"{start}^{to}")
    assert standing(match)[over] == what
    assert Hopped(1, start, over, to) in last_effects(match)


def test_a_hop_goes_over_a_black():
    match = add_token(table("1M@c5 2S@h8"), "c5^e3")
    assert standing(match)["e3"] == "1M"
    assert match.state.position.board[BOARD.index["d4"]] == BLACK


def test_only_the_outermost_leaves_a_nest():
    match = play_tokens(GAME, "a3-b4")
    assert (standing(match)["a3"], standing(match)["b4"]) == ("1MS", "1L")
    match = then(match, "h6-g5 a3-a4 g5-g4 a3-b3")
    assert [standing(match).get(at) for at in ("a3", "b3", "a4", "b4")] == [None, "1S", "1M", "1L"]


def test_a_power_piece_moves_as_a_whole():
    match = add_token(table("1[LM]@b1 2S@h8"), "b1-b2")
    assert standing(match) == {"b2": "1[LM]", "h8": "2S"}


def test_a_nest_is_captured_whole():
    match = add_token(table("1[LLS]@g6 1S@g7 2LMS@g8 2S@a8"), "g6^g8")
    assert match.state.position.lost == (0, 6)
    assert "2S" in standing(match).values()


def test_making_a_power_piece_ends_the_turn():
    match = add_token(table("1S@c1 1S@c2 1L@c3 1S@c4 2S@h8"), "c1^c3")
    assert last_effects(match)[-1] == Powered(1, (3, 1), "c3")
    assert match.state.in_turn == 2
    assert match.state.position.turn == 41


def test_captured_pips_are_lost():
    match = table("1L@c1 1S@c2 2M@c3 2S@c4 2S@c5 2S@h8", lost=(5, 4))
    match = then(match, "c1^c3 ^c5 .")
    assert match.state.position.lost == (5, 7)
    assert hand(match, 2) == ""


def test_kicked_back_pyramids_go_to_the_hand():
    match = add_token(table("1L@c1 1S@c2 2[MS]@c3 2S@c4 2S@h8"), "c1^c3")
    assert hand(match, 2) == "SM"
    assert match.state.position.lost == (0, 0)


# PWR-4.6, PWR-4.7: going on and ending


def test_a_jump_ends_by_itself_when_no_hop_is_left():
    match = add_token(play_tokens(GAME, ""), "b1^d1")
    assert match.state.in_turn == 2
    assert refusal(match, "1:.").clause == "turn"


def test_a_jump_may_go_on_after_a_capture_and_a_kickback():
    match = table("1M@c1 1S@c2 2S@c3 1S@d3 2M@e3 2S@h8")
    match = add_token(match, "c1^c3")
    assert legal(match) == {".", "^c1", "^e3"}
    match = add_token(match, "^e3")
    assert legal(match) == {".", "^c3", "^c5"}
    assert match.state.in_turn == 1
    match = then(match, "^c5 .")
    assert match.state.in_turn == 2
    assert legal(match) == {"M@h8"}


def test_only_the_jumping_piece_goes_on():
    match = add_token(table("1M@c1 1S@c2 2S@h8"), "c1^c3")
    for token in ("c3^c1", "c2-d2", "c3-d3", "L@a1", "1:ko=2", "2:ko=1", "2:h8-g8"):
        assert refusal(match, token).clause == "turn", token


def test_a_jump_that_changed_nothing_cannot_end():
    match = then(table("1M@c1 1S@c2 2S@h8"), "c1^c3 ^c1")
    assert refusal(match, ".").clause == "PWR-4.7"
    assert legal(match) == {"^c3"}
    assert match.state.position.awaiting()[0].moves == ("hop",)
    assert then(match, "^c3 .").state.in_turn == 2


def test_a_jump_back_to_its_start_can_end_if_it_struck_something():
    captured = then(table("1M@c1 1S@c2 2S@c3 2S@h8"), "c1^c3 ^c1 .")
    assert captured.state.in_turn == 2
    kicked = then(table("1S@c1 1S@c2 2S@c3 2M@h8"), "c1^c3 ^c1 .")
    assert legal(kicked) == {"S@h8"}


def test_pieces_struck_earlier_in_a_jump_count_to_its_end():
    match = then(table("1M@c1 1S@c2 2S@c3 2S@h8"), "c1^c3 ^c1 ^c3 ^c1")
    assert "." in legal(match)


# PWR-5: put-backs


@pytest.mark.parametrize(
    ("homes", "token", "clause"),
    [
        ("2L@h7", "M@h7", "PWR-5.1"),
        ("2L@h7", "M@a1", "PWR-5.1"),
        ("2L@h7", "S@h8", "PWR-5.2"),
        ("2L@h7", "S@e1", "PWR-5.2"),
        ("2L@h7 2LS@g8", "S@g8", "PWR-5.2"),
        ("2L@h7 2[LL]@g8", "S@g8", "PWR-5.2"),
        ("2L@h7 1L@g8", "S@g8", "PWR-5.2"),
        ("2LS@h7 2[LM]@g8", "S@a1", "PWR-5.3"),
        ("2LS@h7 2[LM]@g8", "S@h7", "PWR-5.3"),
        ("2LS@h7 2[LM]@g8", "S@g8", "PWR-5.3"),
        ("2LS@h7 1S@g8", "S@g8", "PWR-5.3"),
        ("2LS@h7 1S@g8", "S@e4", "PWR-5.3"),
        ("2LS@h7 1L@g8", "S@g8", "PWR-5.3"),
        ("2L@h7", "h7-h5", "turn"),
        ("2L@h7", "h7^h5", "turn"),
        ("2L@h7", "^h5", "turn"),
        ("2L@h7", ".", "turn"),
        ("2L@h7", "2:ko=1", "turn"),
        ("2L@h7", "1:ko=2", "turn"),
        ("2L@h7", "1:c1-c2", "turn"),
        ("2L@h7", "1:S@a1", "turn"),
    ],
)
def test_refused_put_backs(homes, token, clause):
    match = then(table(f"1S@c1 1S@c2 2S@c3 {homes}", lost=(20, 20)), "c1^c3 .")
    assert refusal(match, token).clause == clause


def test_a_size_that_fits_nowhere_is_refused_while_another_fits():
    homes = "2LS@h8 1S@g8 1S@f8 1S@h7 1S@h6"
    match = then(table(f"1L@c1 1S@c2 2[MS]@c3 {homes}"), "c1^c3 .")
    assert legal(match) == {"M@h8"}
    assert refusal(match, "S@h8").clause == "PWR-5.3"
    match = add_token(match, "M@h8")
    assert hand(match, 2) == "S"
    assert match.state.in_turn == 2
    assert "h8-g7" in legal(match)


@pytest.mark.parametrize(
    ("nest", "size", "made"),
    [
        ("2MS", "L", "2LMS"),
        ("2LS", "M", "2LMS"),
        ("2LM", "S", "2LMS"),
        ("2S", "L", "2LS"),
        ("2L", "M", "2LM"),
        ("2M", "S", "2MS"),
    ],
)
def test_a_nest_takes_any_size_it_lacks(nest, size, made):
    match = then(table(f"1{size}@c1 1S@c2 2{size}@c3 {nest}@h7 2S@h5"), f"c1^c3 . {size}@h7")
    assert standing(match)["h7"] == made
    assert last_effects(match)[0] == Returned(2, PIPS[size], "h7")


def test_a_nest_off_the_starting_squares_is_none():
    match = then(table("1L@c1 1S@c2 2L@c3 2M@g7 2L@h7"), "c1^c3 .")
    assert legal(match) == {"L@h8", "L@g8", "L@f8", "L@h6"}


def test_put_backs_go_clockwise():
    pieces = "3L@c1 1S@c2 2L@c3 2S@d3 1L@e3 2S@e2 4L@e1 4L@h1 2L@a8 1L@a1"
    match = then(table(pieces, seats=4, seat=3, hands="2S"), "c1^c3 ^e3 ^e1 .")
    order = []
    while match.state.position.due:
        order.append(match.state.in_turn)
        assert match.state.position.turn == 40
        match = add_token(match, sorted(legal(match))[0])
    assert order == [4, 1, 2, 2]
    assert (match.state.in_turn, match.state.position.turn) == (4, 41)


def test_a_seat_kicked_back_twice_puts_both_back_at_once():
    match = then(table("1L@c1 1S@c2 2L@c3 1S@d3 2L@e3 2S@h8"), "c1^c3 ^e3 .")
    assert hand(match, 2) == "LL"
    match = then(match, "L@h8 L@g8")
    assert (match.state.in_turn, match.state.position.turn) == (2, 41)


def test_a_seat_not_kicked_back_keeps_its_leftovers_until_its_turn():
    pieces = "1L@c1 1S@c2 2L@c3 2L@a5 3L@h5"
    match = then(table(pieces, seats=3, hands="3S"), "c1^c3 . L@a8")
    assert match.state.in_turn == 2
    assert "a5-a4" in legal(match)


FULL = "1S@h8 1S@g8 1S@f8 1S@h7"
"""Foreign pieces on four of seat 2's starting squares."""


def test_leftovers_stay_in_hand_and_come_before_the_next_own_move():
    match = table(f"1L@c1 1S@c2 2L@c3 2M@g5 1S@h6 {FULL}")
    match = then(match, "c1^c3 .")
    assert (hand(match, 2), match.state.in_turn) == ("L", 2)
    assert match.state.position.turn == 41
    match = then(match, "g5-f5 h6-h5")
    assert legal(match) == {"L@h6"}
    assert match.state.position.turn == 43
    for token in ("2:f5-f4", "2:ko=1", "1:ko=2", "1:c2-c1"):
        assert refusal(match, token).clause == "turn", token
    match = add_token(match, "L@h6")
    assert (match.state.in_turn, match.state.position.turn) == (2, 43)
    assert "f5-f4" in legal(match)


def test_a_declaration_makes_room_for_leftovers():
    pieces = "1L@c5 2L@a5 3S@a1 3S@b1 3S@c1 3S@a2 3S@a3"
    match = table(pieces, seats=3, hands="1L", lost=(0, 0, 18))
    assert "c5-c6" in legal(match)
    match = add_token(match, "2:ko=3")
    assert legal(match) == {"L@a1", "L@b1", "L@c1", "L@a2", "L@a3"}
    assert refusal(match, "1:ko=2").clause == "turn"
    match = add_token(match, "L@a1")
    assert (match.state.in_turn, match.state.position.turn) == (1, 40)


# PWR-3.2


WALLED = "2S@h8 1L@g8 1L@h7 1L@g7 1L@f8 1L@h6 1L@f6"


def test_a_seat_without_a_legal_move_is_skipped_and_not_counted():
    match = add_token(table(f"{WALLED} 1S@a1"), "a1-a2")
    assert last_effects(match)[-1] == Skipped(2)
    assert (match.state.in_turn, match.state.position.turn) == (1, 41)
    assert refusal(match, "2:h8-g8").clause == "turn"


def test_a_seat_that_can_only_hop_is_not_skipped():
    match = add_token(table(f"{WALLED.replace('1L@f6', '1S@a5')} 1S@a1"), "a1-a2")
    assert legal(match) == {"h8^f6"}


def test_a_seat_with_everything_in_hand_and_no_room_is_skipped():
    match = add_token(table(f"1S@h6 {FULL} 1S@a1", hands="2L"), "a1-a2")
    assert last_effects(match)[-1] == Skipped(2)
    assert match.state.position.playing == (1, 2)


def test_several_seats_in_a_row_can_be_skipped():
    walls = "3S@h8 1L@g8 1L@h7 1L@g7 1L@f8 1L@h6 1L@f6 2S@a8 1L@b8 1L@a7 1L@b7 1L@c8 1L@a6 1L@c6"
    match = add_token(table(f"{walls} 1S@a1", seats=3), "a1-a2")
    assert last_effects(match)[-2:] == (Skipped(2), Skipped(3))
    assert (match.state.in_turn, match.state.position.turn) == (1, 41)


def test_put_backs_before_a_skipped_turn_do_not_count_it():
    match = table(f"{WALLED.replace('2S@h8', '1L@e8')} 1S@a1", hands="2S")
    match = add_token(match, "a1-a2")
    assert legal(match) == {"S@h8"}
    assert match.state.position.turn == 41
    match = add_token(match, "S@h8")
    assert last_effects(match)[-1] == Skipped(2)
    assert (match.state.in_turn, match.state.position.turn) == (1, 41)


# PWR-6: knockouts


@pytest.mark.parametrize(
    ("token", "lost", "clause"),
    [
        ("1:ko=2", (0, 17, 0), "PWR-6.1"),
        ("2:ko=2", (0, 20, 0), "PWR-6.1"),
        ("1:ko=1", (20, 0, 0), "PWR-6.1"),
        ("1:ko=3", (0, 0, 20), "PWR-6.1"),
        ("2:ko=4", (0, 0, 20), "PWR-6.1"),
        ("3:ko=1", (20, 0, 20), "turn"),
        ("4:ko=1", (20, 0, 20), "turn"),
    ],
)
def test_refused_declarations(token, lost, clause):
    match = table("1L@a1 2L@a8", seats=3, playing=(1, 2), lost=lost)
    assert refusal(match, token).clause == clause


def test_a_seat_that_is_out_is_declared_out_at_no_turn():
    match = table("1L@a1 2L@a8", seats=3, playing=(1, 2), lost=(0, 0, 90))
    late = replace(match.start, position=replace(match.start.position, turn=61))
    assert refusal(replace(match, start=late), "1:ko=3").clause == "PWR-6.1"
    assert "1:ko=3" not in legal(replace(match, start=late))


@pytest.mark.parametrize("by", [1, 2, 4])
def test_any_remaining_seat_may_declare_at_eighteen_lost(by):
    match = table("1L@a1 2L@a8 3L@h8 4L@h1", seats=4, lost=(0, 0, 18, 0))
    assert f"{by}:ko=3" in legal(match)
    match = add_token(match, f"{by}:ko=3")
    assert last_effects(match) == (Declared(by, 3), WentOut(3, "declared", ("h8",)))
    assert match.state.position.playing == (1, 2, 4)
    assert (match.state.in_turn, match.state.position.turn) == (1, 40)


def test_others_are_awaited_to_declare_and_need_not():
    awaiting = play_tokens(GAME, "", seats=4, first=3).state.position.awaiting()
    assert [(one.seat, one.must) for one in awaiting] == [
        (3, True),
        (1, False),
        (2, False),
        (4, False),
    ]
    assert {one.moves for one in awaiting[1:]} == {("declare",)}


def test_a_seat_is_not_out_before_it_is_declared():
    match = table("1L@c1 1S@c2 2M@c3 2L@h8", lost=(0, 17))
    match = then(match, "c1^c3 .")
    assert match.state.position.lost == (0, 19)
    assert match.state.in_turn == 2


def test_declaring_the_seat_to_move_out_counts_its_turn():
    match = table("1L@a1 2L@a8 3L@h8 4L@h1", seats=4, seat=3, lost=(0, 0, 18, 0))
    match = add_token(match, "1:ko=3")
    assert (match.state.in_turn, match.state.position.turn) == (4, 41)


def test_declaring_the_seat_to_move_out_can_lead_to_leftovers_of_the_next():
    pieces = "3S@a1 3S@b1 3S@c1 3S@a2 3S@a3 2L@a8 1L@e1"
    match = add_token(table(pieces, seats=3, seat=3, hands="1M", lost=(0, 0, 18)), "2:ko=3")
    assert legal(match) == {"M@a1", "M@b1", "M@c1", "M@a2", "M@a3"}
    assert match.state.position.turn == 41


@pytest.mark.parametrize(("mover", "target"), [("S", "[LM]"), ("[MS]", "L")])
def test_a_nest_built_on_anothers_starting_square_knocks_out(mover, target):
    match = table(f"1{mover}@f6 2S@f7 1{target}@f8 2L@a5 3L@g2 4S@h1", seats=4)
    match = add_token(match, "f6^f8")
    assert WentOut(3, "nest", ("g2",)) in last_effects(match)
    assert match.state.position.playing == (1, 2, 4)
    assert standing(match) == {"f7": "2S", "f8": "1[LMS]", "a5": "2L", "h1": "4S"}


@pytest.mark.parametrize(
    ("pieces", "token"),
    [
        ("1S@f6 2S@f7 1[LL]@f8", "f6^f8"),
        ("1S@f4 2S@f5 1[LM]@f6", "f4^f6"),
        ("1S@c3 2S@c2 1[LM]@c1", "c3^c1"),
        ("1S@c6 2S@c7 1[LM]@c8", "c6^c8"),
        ("1[LMS]@f6 2S@f7 1S@f5", "f6^f8"),
        ("1[LMS]@f7", "f7-f8"),
    ],
)
def test_other_pieces_and_places_knock_nobody_out(pieces, token):
    match = add_token(table(f"{pieces} 2L@h1 2L@h7"), token)
    assert match.state.position.playing == (1, 2)


def test_a_nest_on_the_starting_square_of_a_seat_that_is_out_has_no_effect():
    pieces = "1S@f6 2S@f7 1[LM]@f8 2L@a8 4L@h1"
    match = add_token(table(pieces, seats=4, playing=(1, 2, 4)), "f6^f8")
    assert match.state.position.playing == (1, 2, 4)
    assert not any(isinstance(effect, WentOut) for effect in last_effects(match))


def test_a_knockout_by_a_nest_comes_before_the_put_backs():
    pieces = "1S@f2 2L@f3 3S@f4 2S@f5 2S@f7 1[LM]@f8 4S@e6 2S@a8 4L@h1"
    match = table(pieces, seats=4, seat=1)
    match = add_token(match, "f2^f4")
    assert hand(match, 3) == "S"
    match = then(match, "^f6 ^f8")
    assert WentOut(3, "nest") in last_effects(match)
    assert hand(match, 3) == ""
    assert (match.state.in_turn, match.state.position.turn) == (2, 41)


def test_a_nest_that_knocks_out_the_last_opponent_ends_the_game():
    match = add_token(table("1S@f6 2S@f7 1[LM]@f8 2L@h1"), "f6^f8")
    assert match.state.outcome == Outcome(1, "PWR-7.1")
    assert standing(match) == {"f8": "1[LMS]"}
    assert match.state.position.turn == 40


@pytest.mark.parametrize("last", ["a1", "h8", "c3"])
def test_a_seat_with_one_pyramid_left_is_still_in(last):
    match = table(f"1L@f1 1S@f2 2S@f3 2M@{last} 1S@g5", lost=(0, 20))
    assert add_token(match, "f1^f3").state.position.playing == (1, 2)


def test_a_seat_without_pyramids_is_out_at_once():
    match = table("1L@f1 1S@f2 2S@f3 1S@f4 3S@f5 3S@h8", seats=3)
    match = add_token(match, "f1^f3")
    assert WentOut(2, "bare") in last_effects(match)
    assert match.state.in_turn == 1
    assert legal(match) == {".", "^f1", "^f5"}
    match = then(match, "^f5 .")
    assert (match.state.in_turn, match.state.position.turn) == (3, 41)


def test_pyramids_in_hand_keep_a_seat_in():
    match = add_token(table("1L@f1 1S@f2 2S@f3 1S@f4", hands="2S"), "f1^f3")
    assert match.state.position.playing == (1, 2)
    match = add_token(table("1L@f1 1S@f2 2L@f3 1S@f4"), "f1^f3")
    assert match.state.position.playing == (1, 2)


def test_pyramids_kicked_back_in_the_same_jump_keep_a_seat_in():
    match = then(table("1L@f1 1S@f2 2L@f3 1S@f4 2S@f5"), "f1^f3 ^f5")
    assert match.state.position.playing == (1, 2)


def test_taking_the_last_pyramid_of_the_last_opponent_ends_the_jump():
    match = table("1L@d1 1S@e1 1S@f2 2S@f3 1S@f4", lost=(0, 8))
    match = then(match, "d1^f1 ^f3")
    assert match.state.outcome == Outcome(1, "PWR-7.1")
    assert match.state.position.jumper is None
    assert match.state.position.turn == 40


def test_a_seat_that_goes_out_leaves_nothing_behind():
    pieces = "1L@a1 2L@a8 3LMS@h8 3[LL]@c3 3S@e1"
    match = table(pieces, seats=3, hands="3S 3L", lost=(0, 0, 18))
    match = add_token(match, "2:ko=3")
    assert standing(match) == {"a1": "1L", "a8": "2L"}
    assert hand(match, 3) == ""
    assert match.state.position.lost == (0, 0, 18)
    scene = GAME.scene(match.state.position, last_effects(match))
    assert not any(cell.ground == "start3" for cell in scene.panels[0].cells)
    assert {mark.at for mark in scene.marks} == {"h8", "c3", "e1"}


# Resigning (PWR-6.4)


def test_resigning():
    match = add_token(table("1L@a1 2L@a8 3L@h8", seats=3), "2:resign")
    assert last_effects(match) == (WentOut(2, "left", ("a8",)),)
    assert (match.state.in_turn, match.state.position.turn) == (1, 40)
    assert add_token(match, "a1-a2").state.in_turn == 3


def test_resigning_on_turn_counts_the_turn():
    match = add_token(table("1L@a1 2L@a8 3L@h8", seats=3, seat=2), "2:resign")
    assert (match.state.in_turn, match.state.position.turn) == (3, 41)


def test_resigning_before_ones_own_leftovers_are_put_back():
    match = table("1L@c5 2L@a5 3S@a1", seats=3, seat=3, hands="1L 2S")
    match = add_token(match, "a1-b2")
    assert legal(match) >= {"L@a1"}
    match = add_token(match, "1:resign")
    assert (match.state.in_turn, match.state.position.turn) == (2, 42)
    assert legal(match) >= {"S@a8"}


def test_another_resigns_while_leftovers_are_put_back():
    match = table("1L@c5 2L@a5 3S@a1 4L@h1", seats=4, seat=3, hands="1L")
    match = then(match, "a1-b2 h1-h2")
    match = add_token(match, "2:resign")
    assert (match.state.in_turn, match.state.position.turn) == (1, 42)
    assert "L@a1" in legal(match)


JUMP = "1L@c1 1S@c2 2L@c3 2S@d3 2S@a8 3S@h8"


def test_resigning_in_ones_own_jump_still_lets_the_others_put_back():
    match = then(table(JUMP, seats=3), "c1^c3 1:resign")
    assert match.state.position.jumper is None
    assert (match.state.in_turn, match.state.position.turn) == (2, 40)
    match = add_token(match, "L@a8")
    assert (match.state.in_turn, match.state.position.turn) == (2, 41)
    assert legal(match) >= {"d3-d2"}


def test_a_seat_kicked_back_resigns_in_the_jump():
    match = then(table(JUMP, seats=3), "c1^c3 2:resign")
    assert match.state.in_turn == 1
    assert match.state.position.kicked == ()
    assert legal(match) == {".", "^c1"}
    match = add_token(match, ".")
    assert (match.state.in_turn, match.state.position.turn) == (3, 41)


def test_a_resignation_that_takes_the_last_hop_away_ends_the_jump():
    match = then(table("1L@c1 2S@c2 2S@a8 3S@h8", seats=3), "c1^c3 2:resign")
    assert standing(match) == {"c3": "1L", "h8": "3S"}
    assert (match.state.in_turn, match.state.position.turn) == (3, 41)


def test_a_resignation_can_end_a_jump_that_changed_nothing():
    match = then(table("1L@c1 2S@c2 2S@a8 3S@h8", seats=3), "c1^c3 ^c1 2:resign")
    assert (match.state.in_turn, match.state.position.turn) == (3, 41)


KICKS = "1L@c1 1S@c2 2L@c3 1S@d3 3L@e3 2L@a5 3L@h5 4L@e8"


def test_the_seat_putting_back_resigns():
    match = then(table(KICKS, seats=4), "c1^c3 ^e3 . 2:resign")
    assert (match.state.in_turn, match.state.position.turn) == (3, 40)
    match = add_token(match, "L@h8")
    assert (match.state.in_turn, match.state.position.turn) == (3, 41)


def test_the_mover_resigns_while_others_put_back():
    match = then(table(KICKS, seats=4), "c1^c3 ^e3 . 1:resign")
    assert (match.state.in_turn, match.state.position.turn) == (2, 40)
    match = then(match, "L@a8 L@h8")
    assert (match.state.in_turn, match.state.position.turn) == (2, 41)


def test_a_bystander_resigns_while_others_put_back():
    match = then(table(KICKS, seats=4), "c1^c3 ^e3 . 4:resign L@a8 L@h8")
    assert (match.state.in_turn, match.state.position.turn) == (2, 41)
    assert match.state.position.playing == (1, 2, 3)


def test_a_resignation_makes_room_for_put_backs_still_to_come():
    walls = "4S@h8 4S@g8 4S@f8 4S@h7 4S@h6"
    match = then(table(f"{KICKS} {walls}", seats=4), "c1^c3 ^e3 . 4:resign L@a8")
    assert match.state.in_turn == 3
    assert "L@h8" in legal(match)


def test_the_last_seat_in_wins():
    match = add_token(table("1L@a1 2L@h8", lost=(0, 18)), "1:ko=2")
    assert match.state.outcome == Outcome(1, "PWR-7.1")
    assert last_effects(match)[-1] == Survived(1)
    assert match.state.position.awaiting() == ()
    assert legal(match) == set()
    assert refusal(match, "a1-a2").clause == "over"
    assert list(GAME.legal(match.state.position, 1)) == []


def test_a_seat_can_win_on_anothers_turn():
    match = add_token(table("1L@a1 2L@h8", lost=(18, 0)), "2:ko=1")
    assert match.state.outcome == Outcome(2, "PWR-7.1")


# Pictures


def test_nests_and_power_pieces_are_drawn_apart():
    match = table("1LMS@a1 1[LMS]@b1 1S@c1 2L@h8")
    cells = {cell.at: cell for cell in GAME.scene(match.state.position).panels[0].cells}
    assert [cells[at].arrangement for at in ("a1", "b1", "c1")] == ["nest", "bound", "stack"]
    assert [piece.size for piece in cells["a1"].pieces] == [3, 2, 1]
    assert (cells["a1"].ground, cells["h8"].ground, cells["e1"].ground) == ("start1", "start2", "")
    assert cells["d4"].pieces[0].colour == "black"


def test_trays_show_hands_losses_and_who_is_out():
    match = table("1L@a1 2L@a8", seats=3, playing=(1, 2), hands="1L 1L", lost=(4, 19, 20))
    first, second, third = GAME.scene(match.state.position).trays
    assert [(supply.piece.size, supply.count) for supply in first.supplies] == [(3, 2)]
    assert first.lines == ("4 pips lost",)
    assert second.lines == ("19 pips lost", "may be declared knocked out")
    assert third.lines == ("20 pips lost", "out of the game")


def test_the_last_event_is_marked():
    match = add_token(table("1L@c1 1S@c2 2L@c3 2S@h6"), "c1^c3")
    scene = GAME.scene(match.state.position, last_effects(match))
    assert scene.marks == (Mark("c1", "from"), Mark("c3", "to"), Mark("c3", "removed"))
    assert [(arrow.start, arrow.end, arrow.seat) for arrow in scene.arrows] == [("c1", "c3", 1)]
    match = add_token(match, ".")
    due = {mark.at for mark in GAME.scene(match.state.position, last_effects(match)).marks}
    assert due == {"h6"}


# Any match


def playout(seats: int, seed: int, plies: int) -> list[Match]:
    """Play at random, preferring strikes and declarations, with an occasional resignation."""
    dice = random.Random(seed)
    match = play_tokens(GAME, "", seats=seats, first=1 + seed % seats)
    matches = [match]
    while match.state.outcome is None and len(matches) < plies:
        moves: list[tuple[int, Move[Table]]] = [
            (one.seat, move)
            for one in match.state.position.awaiting()
            for move in GAME.legal(match.state.position, one.seat)
        ]
        hops = [pair for pair in moves if pair[1].what != "step"]
        seat, move = dice.choice(hops if hops and dice.random() < 0.6 else moves)
        match = match.evolve(Moved(seat, move))
        if seats > 2 and dice.random() < 0.01 and match.state.outcome is None:
            match = match.evolve(Resigned(dice.choice(match.state.position.playing)))
        matches.append(match)
    return matches


def pips(position: Table, seat: int) -> int:
    on_board = sum(sum(PYRAMIDS[piece]) for piece in position.board if piece // 32 == seat)
    in_hand = sum(position.hands[seat * 4 + size] * size for size in (1, 2, 3))
    return on_board + in_hand + position.lost[seat - 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_match_keeps_its_pieces_and_its_order(seats, seed):
    before = 1
    for match in playout(seats, seed, 250):
        position = match.state.position
        assert {pips(position, seat) for seat in position.playing} == {30}
        assert all(pips(position, seat) == position.lost[seat - 1]
                   for seat in range(1, seats + 1) if seat not in position.playing)  # fmt: skip
        assert [position.board[at] for at in CENTRE] == [BLACK] * 4
        assert before <= position.turn <= before + 2
        before = position.turn
        for one in position.awaiting():
            moves = list(GAME.legal(position, one.seat))
            assert moves or not one.must
            assert {move.__struct_config__.tag for move in moves} <= set(one.moves)
            assert all(move.check(position, one.seat) is None for move in moves)
        assert bool(position.awaiting()) == (position.outcome() is None)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_legal_lists_all_that_check_accepts(seats):
    names = BOARD.names
    texts = [f"{a}-{b}" for a in names for b in names if a != b]
    texts += [text.replace("-", "^") for text in texts]
    texts += [f"^{a}" for a in names] + [f"{size}@{a}" for size in "SML" for a in names] + ["."]
    texts += [f"ko={seat}" for seat in (1, 2, 3, 4)]
    every = [move for move in map(GAME.parse, texts) if move is not None]
    assert len(every) == len(texts)
    for match in playout(seats, 7, 120)[::24]:
        position = match.state.position
        for one in position.awaiting():
            accepted = {move for move in every if move.check(position, one.seat) is None}
            assert accepted == set(GAME.legal(position, one.seat))
