"""Power Play, clause by clause."""

from __future__ import annotations

import random
from functools import partial

import pytest

from domain.board import PIPS
from domain.entry import move_text
from domain.events import Moved, Resigned, State
from domain.game import OptionError
from domain.games.power_play import GAME
from domain.games.power_play.board import BOARD, CENTRE
from domain.games.power_play.effects import Captured, Hopped, KickedBack
from domain.games.power_play.pieces import BLACK, KINDS, PYRAMIDS, is_nest, is_power
from domain.games.power_play.position import Table
from domain.match import Match
from domain.position import Move
from domain.scene import Mark
from tests.case_table import cases, cases_of_words, compare, ending, listed, numbers, said
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_texts, refusal

CLAUSES = {
    "PWR-1.1": shown_by("set-up", "test_board_is_eight_by_eight", "test_two_to_four_seats"),
    "PWR-1.2": shown_by(
        "set-up",
        "test_seats_sit_clockwise",
        "test_play_goes_clockwise_from_first_seat",
        "test_first_seat_must_play",
    ),
    "PWR-1.3": shown_by("set-up", "test_black_larges_hold_the_centre"),
    "PWR-1.4": shown_by("set-up", "test_seats_sit_clockwise"),
    "PWR-1.5": shown_by("set-up", "test_seat_starts_with_five_nests"),
    "PWR-2.1": shown_by("effect", "test_landings", "test_moves"),
    "PWR-2.2": shown_by("effect", "test_moves"),
    "PWR-2.3": shown_by("effect", "test_moves"),
    "PWR-3.1": shown_by("refusal", "test_refusals"),
    "PWR-3.2": shown_by("effect", "test_skipped_turns"),
    "PWR-3.3": shown_by("refusal", "test_refusals"),
    "PWR-4.1": shown_by("refusal", "test_refusals", "test_moves"),
    "PWR-4.2": shown_by("refusal", "test_refusals", "test_landings"),
    "PWR-4.3": shown_by("refusal", "test_refusals", "test_landings", "test_moves"),
    "PWR-4.4": shown_by("effect", "test_landings", "test_moves"),
    "PWR-4.5": shown_by("effect", "test_landings", "test_moves"),
    "PWR-4.6": shown_by("effect", "test_jumps"),
    "PWR-4.7": shown_by("refusal", "test_refusals", "test_jumps"),
    "PWR-5.1": shown_by(
        "refusal", "test_refusals", "test_put_backs", "test_put_backs_go_clockwise"
    ),
    "PWR-5.2": shown_by("refusal", "test_refusals", "test_put_backs"),
    "PWR-5.3": shown_by("refusal", "test_refusals", "test_put_backs"),
    "PWR-5.4": shown_by(
        "unbreakable",
        "test_refusals",
        note="what it forbids breaks PWR-5.2 or PWR-5.3 already, and these come first",
    ),
    "PWR-5.5": shown_by("effect", "test_put_backs"),
    "PWR-6.1": shown_by("refusal", "test_refusals", "test_declarations"),
    "PWR-6.2": shown_by("outcome", "test_knockouts"),
    "PWR-6.3": shown_by("outcome", "test_knockouts"),
    "PWR-6.4": shown_by("effect", "test_departed_seat_leaves_no_piece", "test_resignations"),
    "PWR-7.1": shown_by("outcome", "test_last_seat_wins", "test_knockouts"),
}


def table(text: str) -> Match:
    """Open a match in a position: `"1LMS@a1 1[LM]@c3 seats=3 in=1,3 hands=1L,3S lost=0,9,18"`.

    Power pieces are in brackets, and `seat` is to move.
    """
    words = text.split()
    given = dict(word.split("=") for word in words if "=" in word)
    seats = int(given.get("seats", 2))
    board, held = bytearray(64), bytearray(20)
    for at in CENTRE:
        board[at] = BLACK
    for what, at in (word.split("@") for word in words if "@" in word):
        board[BOARD.index[at]] = code(what)
    for owner, size in filter(None, given.get("hands", "").split(",")):
        held[int(owner) * 4 + PIPS[size]] += 1
    lost = numbers(given.get("lost", "0" + ",0" * (seats - 1)))
    playing = numbers(given.get("in", "1,2,3,4"[: 2 * seats - 1]))
    seat, turn = int(given.get("seat", 1)), int(given.get("turn", 40))
    position = Table(bytes(board), bytes(held), lost, playing, seat, turn)
    return Match(GAME, GAME.options(), seats, State(GAME, position))


def code(piece: str) -> int:
    sizes = tuple(PIPS[size] for size in piece[1:].strip("[]"))
    return int(piece[0]) * 32 + KINDS.index(sizes, 8 if "[" in piece else 0)


def standing(match: Match) -> dict[str, str]:
    """Return the pieces on the board, as in `table`; a black is `B`."""
    found = {}
    for at, piece in enumerate(match.state.position.board):
        sizes = "".join(" SML"[pips] for pips in PYRAMIDS[piece])
        shown = f"{piece // 32}{f'[{sizes}]' if is_power(piece) else sizes}"
        if piece:
            found[BOARD.names[at]] = "B" if piece == BLACK else shown
    return found


def then(match: Match, text: str) -> Match:
    for token in text.split():
        match = add_token(match, token)
    return match


def played(position: str, text: str) -> Match:
    """Play moves from a position of `table`, or from the start."""
    return then(play_texts(GAME, "") if position == "start" else table(position), text)


def hand(match: Match, seat: int) -> str:
    held = match.state.position.hands[seat * 4 : seat * 4 + 4]
    return "".join(size * held[PIPS[size]] for size in "SML")


def legal(match: Match) -> set[str]:
    return set(move_text.legal_texts(GAME, match.state))


SEEN = {
    "seat": lambda match: match.state.in_turn,
    "turn": lambda match: match.state.position.turn,
    "in": lambda match: listed(match.state.position.playing),
    "lost": lambda match: listed(match.state.position.lost),
    "kicked": lambda match: listed(match.state.position.kicked),
    "jumper": lambda match: match.state.position.jumper,
    "moves": lambda match: ",".join(match.state.position.awaiting()[0].moves),
    "wins": lambda match: ending(match.state.outcome),
    "legal": lambda match: ",".join(sorted(legal(match))),
    "board": lambda match: ",".join(
        f"{piece}@{at}" for at, piece in sorted(standing(match).items()) if piece != "B"
    ),
    "all": lambda match: ",".join(said(*last_effects(match))),
}


def value(match: Match, name: str, expected: str) -> object:
    """Return the value of a name in the tables below."""
    if name in SEEN:
        return SEEN[name](match)
    if name in BOARD.index:
        return standing(match).get(name, "")
    if name.startswith("hand"):
        return hand(match, int(name[-1]))
    if name == "last":
        done = said(*last_effects(match))
        return ",".join(done[-1 - expected.count(",") :])
    found = legal(match) if name in ("may", "not") else set(said(*last_effects(match)))
    found |= {each.partition(":")[0] for each in found} if name == "no" else set()
    ask = all if name in ("may", "did") else lambda each: not any(each)
    return expected if ask(each in found for each in expected.split(",")) else sorted(found)


def check_play(position: str, play: str, expected: str) -> None:
    """Play from a position, and compare the result: `seat=2 turn=41 c3=1L hand2=S`.

    `legal` has all legal tokens, `may` some, `not` some illegal ones. `all` has the effects of the
    last event, `last` its last ones, `did` some, `no` names of others.
    """
    match = played(position, play)
    compare(expected, partial(value, match))


# PWR-1


def test_board_is_eight_by_eight():
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
    match = play_texts(GAME, "", seats=seats)
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
def test_play_goes_clockwise_from_first_seat(seats, first, order):
    match = play_texts(GAME, "", seats=seats, first=first)
    step = {"a1": "a3-b4", "a8": "a6-b5", "h8": "h6-g5", "h1": "h3-g4"}
    corners = {2: ["a1", "h8"], 3: ["a1", "a8", "h8"], 4: ["a1", "a8", "h8", "h1"]}[seats]
    seen = []
    for turn, seat in enumerate(order[:-1], 1):
        seen.append(match.state.in_turn)
        assert match.state.position.turn == turn
        match = add_token(match, step[corners[seat - 1]])
    assert [*seen, match.state.in_turn] == order


@pytest.mark.parametrize(("seats", "first"), [(2, 3), (2, 4), (3, 4)])
def test_first_seat_must_play(seats, first):
    with pytest.raises(OptionError, match=f"1 to {seats}"):
        GAME.start(GAME.options(first=first), seats)


def test_black_larges_hold_the_centre():
    board = GAME.start().board
    blacks = {BOARD.names[at] for at, piece in enumerate(board) if piece == BLACK}
    assert blacks == {"d4", "d5", "e4", "e5"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seat_starts_with_five_nests(seats):
    start = [piece[1:] for piece in standing(play_texts(GAME, "", seats=seats)).values()]
    assert (start.count("LMS"), len(start)) == (5 * seats, 5 * seats + len(CENTRE))
    assert is_nest(code("1LMS"))
    assert not is_nest(code("1[LMS]"))


@pytest.mark.parametrize(
    ("seats", "first"), [(s, f) for s in (2, 3, 4) for f in (1, 2, 3, 4) if f <= s]
)
def test_seat_has_fifteen_opening_moves(seats, first):
    moves = legal(play_texts(GAME, "", seats=seats, first=first))
    assert sorted("^" in move for move in moves) == [False] * 13 + [True] * 2


# Refusals

STRUCK = "1S@c1 1S@c2 2S@c3 lost=20,20"
FULL = "1S@h8 1S@g8 1S@f8 1S@h7"
"""Foreign pieces on four of seat 2's starting squares."""

HALF = "1L@c1 1S@c2 2[MS]@c3 2LS@h8 1S@g8 1S@f8 1S@h7 1S@h6"
LEFTOVER = f"1L@c1 1S@c2 2L@c3 2M@g5 1S@h6 {FULL}"
ROOM = "1L@c5 2L@a5 3S@a1 3S@b1 3S@c1 3S@a2 3S@a3 seats=3 hands=1L lost=0,0,18"
WALLS = "1L@g8 1L@h7 1L@g7 1L@f8 1L@h6"
TWO_OF_THREE = "1L@a1 2L@a8 seats=3 in=1,2"

REFUSALS = f"""
form | start | | a1 A3-B4 a3-b9 a3-i3 e2-e9 ^ .. X@a1 L@ ko=2 1:ko=0 1:ko=5 1:ko=12
turn | start | | 2:h6-g5 3:ko=1 ^a3 . L@a1 2:L@h8
PWR-3.1 | start | | e2-e3 h6-h6 h6-g5 d4-d3 d3^d5 h6^f4
turn | {WALLS} 2S@h8 1L@f6 1S@a1 | a1-a2 | 2:h8-g8
PWR-3.3 | start | | a3-a5 a3-a2 a3-a3 c1-d3
PWR-4.1 | start | | a3^a5 a3^b5 a1^a4 a3^a3
PWR-4.1 | 1S@c2 1S@c3 2S@h8 | | c2^c5 c2^c1 c2^e2 c2^d4
PWR-4.2 | 1[LLL]@d2 1S@d3 2S@h8 | | d2^d4
PWR-4.2 | 1[LLL]@d3 2S@h8 | | d3^d5
PWR-4.3 | start | | a1^c1
turn | start | b1^d1 | 1:.
turn | 1M@c1 1S@c2 2S@h8 | c1^c3 | c3^c1 c2-d2 c3-d3 L@a1 1:ko=2 2:ko=1 2:h8-g8
PWR-4.7 | 1M@c1 1S@c2 2S@h8 | c1^c3 ^c1 | .
PWR-5.1 | {STRUCK} 2L@h7 | c1^c3 . | M@h7 M@a1
PWR-5.2 | {STRUCK} 2L@h7 | c1^c3 . | S@h8 S@e1
PWR-5.2 | {STRUCK} 2L@h7 2LS@g8 | c1^c3 . | S@g8
PWR-5.2 | {STRUCK} 2L@h7 2[LL]@g8 | c1^c3 . | S@g8
PWR-5.2 | {STRUCK} 2L@h7 1L@g8 | c1^c3 . | S@g8
PWR-5.3 | {STRUCK} 2LS@h7 2[LM]@g8 | c1^c3 . | S@a1 S@h7 S@g8
PWR-5.3 | {STRUCK} 2LS@h7 1S@g8 | c1^c3 . | S@g8 S@e4
PWR-5.3 | {STRUCK} 2LS@h7 1L@g8 | c1^c3 . | S@g8
PWR-5.3 | {HALF} | c1^c3 . | S@h8
turn | {STRUCK} 2L@h7 | c1^c3 . | h7-h5 h7^h5 ^h5 . 2:ko=1 1:ko=2 1:c1-c2 1:S@a1
turn | {LEFTOVER} | c1^c3 . g5-f5 h6-h5 | 2:f5-f4 2:ko=1 1:ko=2 1:c2-c1
turn | {ROOM} | 2:ko=3 | 1:ko=2
PWR-6.1 | start | | 1:ko=1 1:ko=2 2:ko=1 1:ko=3
PWR-6.1 | {TWO_OF_THREE} lost=0,17,0 | | 1:ko=2
PWR-6.1 | {TWO_OF_THREE} lost=0,20,0 | | 2:ko=2
PWR-6.1 | {TWO_OF_THREE} lost=20,0,0 | | 1:ko=1
PWR-6.1 | {TWO_OF_THREE} lost=0,0,20 | | 1:ko=3 2:ko=4
PWR-6.1 | {TWO_OF_THREE} lost=0,0,90 turn=61 | | 1:ko=3
turn | {TWO_OF_THREE} lost=20,0,20 | | 3:ko=1 4:ko=1
over | 1L@a1 2L@h8 lost=0,18 | 1:ko=2 | a1-a2
"""
"""The clause, a position, the play there, and the move texts refused after it."""


@cases_of_words("clause position play token", REFUSALS)
def test_refusals(clause, position, play, token):
    assert refusal(played(position, play), token).clause == clause


def test_token_with_a_line_end_is_refused():
    assert refusal(play_texts(GAME, ""), "a3-b4\n").clause == "form"


def test_refusals_explain_what_is_required():
    match = play_texts(GAME, "")
    assert "a large, a medium and a small" in refusal(match, "a3-a2").message
    assert "a3 can step to a4, b3, b4, b2" in refusal(match, "a3-a5").message
    assert refusal(match, "e2-e3").squares == ("e2",)
    assert "seat 1 is to step or jump" in refusal(match, "L@a1").message


# Landings and hops

LANDINGS = """
Captured | 1M>2S 1L>2[SS] 1[LLS]>2LMS
KickedBack | 1S>2S 1L>2[MS] 1L>2MS 1L>2[SSS] 1[LMS]>2LMS 1[LL]>2LMS 1[LLL]>2[LLL] 1[MS]>2[SSS]
PWR-4.2 | 1S>2M 1L>2LS 1L>2[MM] 1[LM]>2LMS 1[LLM]>2[LLL]
PWR-4.3 | 1M>1S 1L>1M 1L>1[LM] 1M>1[LS] 1[LS]>1M 1[SS]>1[SS] 1S>1[SSS] 1[SSS]>1S
[LL] | 1L>1L
[LM] | 1M>1L
[LS] | 1S>1L
[SS] | 1S>1S
[LMS] | 1S>1[LM] 1[MS]>1L
[LMM] | 1M>1[LM]
[LSS] | 1S>1[LS]
[LLS] | 1[LS]>1L
"""
"""The effect, clause or new power piece of a mover that lands on a target."""


@cases_of_words("result pair", LANDINGS)
def test_landings(result, pair):
    mover, target = pair.split(">")
    match = table(f"{mover}@f2 2S@f3 {target}@f4 1S@h4 2L@b8 2L@b6")
    if result.startswith("PWR"):
        assert refusal(match, "f2^f4").clause == result
        assert "f2^f4" not in legal(match)
        return
    assert "f2^f4" in legal(match)
    match = add_token(match, "f2^f4")
    assert standing(match)["f4"] == ("1" + result if "[" in result else mover)
    if "[" not in result:
        effect = {"Captured": Captured, "KickedBack": KickedBack}[result]
        assert effect(2, PYRAMIDS[code(target)], "f4") in last_effects(match)
    assert "f2" not in standing(match)


@cases(
    "mover target made",
    """
L | LM | 1[LLM]
M | MS | 1[MMS]
S | LS | 1[LSS]
M | LS | 1[LMS]
L | MS | PWR-4.3
S | LMS | PWR-4.3
[MS] | LM | PWR-4.3
""",
)
def test_power_piece_forms_with_outermost_of_nest(mover, target, made):
    match = table(f"1{mover}@c3 2S@c2 1{target}@c1 2S@h8")
    if made.startswith("PWR"):
        assert refusal(match, "c3^c1").clause == made
    else:
        assert standing(add_token(match, "c3^c1"))["c1"] == made


WAYS = ["c6 c7 c8", "c6 d7 e8", "c6 d6 e6", "a8 b7 c6", "c6 c5 c4", "c6 b5 a4", "c6 b6 a6"]


@pytest.mark.parametrize("what", ["1S", "1LMS", "2[LLL]", "2LMS"])
@pytest.mark.parametrize("way", [*WAYS, "c6 b7 a8"])
def test_hops_go_over_any_piece(what, way):
    start, over, to = way.split()
    match = add_token(table(f"1M@{start} {what}@{over} 2S@h8"), f"{start}^{to}")
    assert standing(match)[over] == what
    assert Hopped(1, start, over, to) in last_effects(match)


# Play: the clause, a position, the play there, and its result


@cases(
    "clause position play expected",
    """
2.1 | 1[LLS]@g6 1S@g7 2LMS@g8 2S@a8 | g6^g8 | lost=0,6 a8=2S
2.2 | start | a3-b4 | a3=1MS b4=1L
2.2 | start | a3-b4 h6-g5 a3-a4 g5-g4 a3-b3 | a3= b3=1S a4=1M b4=1L
2.3 | 1[LM]@b1 2S@h8 | b1-b2 | board=1[LM]@b2,2S@h8
4.1 | 1M@c5 2S@h8 | c5^e3 | e3=1M d4=B
4.3 | 1S@c1 1S@c2 1L@c3 1S@c4 2S@h8 | c1^c3 | last=Powered:1:3+1:c3 seat=2 turn=41
4.4 | 1L@c1 1S@c2 2M@c3 2S@c4 2S@c5 2S@h8 lost=5,4 | c1^c3 ^c5 . | lost=5,7 hand2=
4.5 | 1L@c1 1S@c2 2[MS]@c3 2S@c4 2S@h8 | c1^c3 | hand2=SM lost=0,0
""",
)
def test_moves(clause, position, play, expected):
    check_play(position, play, expected)


BOTH = "1M@c1 1S@c2 2S@c3 1S@d3 2M@e3 2S@h8"


@cases(
    "clause position play expected",
    f"""
4.6 | start | b1^d1 | seat=2
4.6 | {BOTH} | c1^c3 | legal=.,^c1,^e3
4.6 | {BOTH} | c1^c3 ^e3 | legal=.,^c3,^c5 seat=1
4.6 | {BOTH} | c1^c3 ^e3 ^c5 . | seat=2 legal=M@h8
4.7 | 1M@c1 1S@c2 2S@h8 | c1^c3 ^c1 | legal=^c3 moves=hop
4.7 | 1M@c1 1S@c2 2S@h8 | c1^c3 ^c1 ^c3 . | seat=2
# A jump back to its start can end if it struck a piece.
4.7 | 1M@c1 1S@c2 2S@c3 2S@h8 | c1^c3 ^c1 . | seat=2
4.7 | 1S@c1 1S@c2 2S@c3 2M@h8 | c1^c3 ^c1 . | legal=S@h8
4.7 | 1M@c1 1S@c2 2S@c3 2S@h8 | c1^c3 ^c1 ^c3 ^c1 | may=.
""",
)
def test_jumps(clause, position, play, expected):
    check_play(position, play, expected)


@cases(
    "clause position play expected",
    f"""
5.1 | 1L@c1 1S@c2 2L@c3 1S@d3 2L@e3 2S@h8 | c1^c3 ^e3 . | hand2=LL
5.1 | 1L@c1 1S@c2 2L@c3 1S@d3 2L@e3 2S@h8 | c1^c3 ^e3 . L@h8 L@g8 | seat=2 turn=41
# A nest takes any size it lacks, on a starting square only.
5.2 | 1L@c1 1S@c2 2L@c3 2MS@h7 2S@h5 | c1^c3 . L@h7 | h7=2LMS all=Returned:2:3:h7
5.2 | 1M@c1 1S@c2 2M@c3 2LS@h7 2S@h5 | c1^c3 . M@h7 | h7=2LMS all=Returned:2:2:h7
5.2 | 1S@c1 1S@c2 2S@c3 2LM@h7 2S@h5 | c1^c3 . S@h7 | h7=2LMS all=Returned:2:1:h7
5.2 | 1L@c1 1S@c2 2L@c3 2S@h7 2S@h5 | c1^c3 . L@h7 | h7=2LS all=Returned:2:3:h7
5.2 | 1M@c1 1S@c2 2M@c3 2L@h7 2S@h5 | c1^c3 . M@h7 | h7=2LM all=Returned:2:2:h7
5.2 | 1S@c1 1S@c2 2S@c3 2M@h7 2S@h5 | c1^c3 . S@h7 | h7=2MS all=Returned:2:1:h7
5.2 | 1L@c1 1S@c2 2L@c3 2M@g7 2L@h7 | c1^c3 . | legal=L@f8,L@g8,L@h6,L@h8
# A size that fits nowhere waits, also until the seat's next turn.
5.3 | {HALF} | c1^c3 . | legal=M@h8
5.5 | {HALF} | c1^c3 . M@h8 | hand2=S seat=2 may=h8-g7
5.5 | 1L@c1 1S@c2 2L@c3 2L@a5 3L@h5 seats=3 hands=3S | c1^c3 . L@a8 | seat=2 may=a5-a4
5.5 | {LEFTOVER} | c1^c3 . | hand2=L seat=2 turn=41
5.5 | {LEFTOVER} | c1^c3 . g5-f5 h6-h5 | legal=L@h6 turn=43
5.5 | {LEFTOVER} | c1^c3 . g5-f5 h6-h5 L@h6 | seat=2 turn=43 may=f5-f4
# A declaration frees starting squares.
5.5 | {ROOM} | | may=c5-c6
5.5 | {ROOM} | 2:ko=3 | legal=L@a1,L@a2,L@a3,L@b1,L@c1
5.5 | {ROOM} | 2:ko=3 L@a1 | seat=1 turn=40
""",
)
def test_put_backs(clause, position, play, expected):
    check_play(position, play, expected)


def test_put_backs_go_clockwise():
    pieces = "3L@c1 1S@c2 2L@c3 2S@d3 1L@e3 2S@e2 4L@e1 4L@h1 2L@a8 1L@a1"
    match = played(f"{pieces} seats=4 seat=3 hands=2S", "c1^c3 ^e3 ^e1 .")
    order = []
    while match.state.position.due:
        order.append(match.state.in_turn)
        assert match.state.position.turn == 40
        match = add_token(match, min(legal(match)))
    assert order == [4, 1, 2, 2]
    assert (match.state.in_turn, match.state.position.turn) == (4, 41)


@cases(
    "clause position play expected",
    f"""
3.2 | {WALLS} 2S@h8 1L@f6 1S@a1 | a1-a2 | last=Skipped:2 seat=1 turn=41
3.2 | {WALLS} 2S@h8 1S@a5 1S@a1 | a1-a2 | legal=h8^f6
3.2 | 1S@h6 {FULL} 1S@a1 hands=2L | a1-a2 | last=Skipped:2 in=1,2
3.2 | {WALLS} 3S@h8 1L@f6 2S@a8 1L@b8 1L@a7 1L@b7 1L@c8 1L@a6 1L@c6 1S@a1 seats=3
   | a1-a2 | last=Skipped:2,Skipped:3 seat=1 turn=41
3.2 | {WALLS} 1L@f6 1L@e8 1S@a1 hands=2S | a1-a2 | legal=S@h8 turn=41
3.2 | {WALLS} 1L@f6 1L@e8 1S@a1 hands=2S | a1-a2 S@h8 | last=Skipped:2 seat=1 turn=41
""",
)
def test_skipped_turns(clause, position, play, expected):
    check_play(position, play, expected)


FOUR = "1L@a1 2L@a8 3L@h8 4L@h1 seats=4 lost=0,0,18,0"


@cases(
    "clause position play expected",
    f"""
6.1 | {FOUR} | | may=1:ko=3,2:ko=3,4:ko=3
6.1 | {FOUR} | 1:ko=3 | all=Declared:1:3,WentOut:3:declared:h8 in=1,2,4 seat=1 turn=40
6.1 | {FOUR} | 2:ko=3 | all=Declared:2:3,WentOut:3:declared:h8 in=1,2,4 seat=1 turn=40
6.1 | {FOUR} | 4:ko=3 | all=Declared:4:3,WentOut:3:declared:h8 in=1,2,4 seat=1 turn=40
6.1 | {FOUR} seat=3 | 1:ko=3 | seat=4 turn=41
6.1 | {TWO_OF_THREE} lost=0,0,90 turn=61 | | not=1:ko=3
6.1 | 1L@c1 1S@c2 2M@c3 2L@h8 lost=0,17 | c1^c3 . | lost=0,19 seat=2
6.1 | 3S@a1 3S@b1 3S@c1 3S@a2 3S@a3 2L@a8 1L@e1 seats=3 seat=3 hands=1M lost=0,0,18
   | 2:ko=3 | legal=M@a1,M@a2,M@a3,M@b1,M@c1 turn=41
""",
)
def test_declarations(clause, position, play, expected):
    check_play(position, play, expected)


def test_waiting_seats_may_declare():
    awaiting = play_texts(GAME, "", seats=4, first=3).state.position.awaiting()
    assert [(one.seat, one.must) for one in awaiting] == [
        (3, True),
        (1, False),
        (2, False),
        (4, False),
    ]
    assert {one.moves for one in awaiting[1:]} == {("declare",)}


LATE_NEST = "1S@f2 2L@f3 3S@f4 2S@f5 2S@f7 1[LM]@f8 4S@e6 2S@a8 4L@h1 seats=4"
LAST_SMALL = "1L@f1 1S@f2 2S@f3 1S@f4 3S@f5 3S@h8 seats=3"


@cases(
    "clause position play expected",
    f"""
6.2 | 1S@f6 2S@f7 1[LM]@f8 2L@a5 3L@g2 4S@h1 seats=4 | f6^f8
   | did=WentOut:3:nest:g2 in=1,2,4 board=2L@a5,2S@f7,1[LMS]@f8,4S@h1
6.2 | 1[MS]@f6 2S@f7 1L@f8 2L@a5 3L@g2 4S@h1 seats=4 | f6^f8
   | did=WentOut:3:nest:g2 in=1,2,4 board=2L@a5,2S@f7,1[LMS]@f8,4S@h1
# Other pieces and places knock out no seat.
6.2 | 1S@f6 2S@f7 1[LL]@f8 2L@h1 2L@h7 | f6^f8 | in=1,2
6.2 | 1S@f4 2S@f5 1[LM]@f6 2L@h1 2L@h7 | f4^f6 | in=1,2
6.2 | 1S@c3 2S@c2 1[LM]@c1 2L@h1 2L@h7 | c3^c1 | in=1,2
6.2 | 1S@c6 2S@c7 1[LM]@c8 2L@h1 2L@h7 | c6^c8 | in=1,2
6.2 | 1[LMS]@f6 2S@f7 1S@f5 2L@h1 2L@h7 | f6^f8 | in=1,2
6.2 | 1[LMS]@f7 2L@h1 2L@h7 | f7-f8 | in=1,2
6.2 | 1S@f6 2S@f7 1[LM]@f8 2L@a8 4L@h1 seats=4 in=1,2,4 | f6^f8 | in=1,2,4 no=WentOut
# The knockout comes before the put-backs.
6.2 | {LATE_NEST} | f2^f4 | hand3=S
6.2 | {LATE_NEST} | f2^f4 ^f6 ^f8 | did=WentOut:3:nest: hand3= seat=2 turn=41
6.3 | 1L@f1 1S@f2 2S@f3 2M@a1 1S@g5 lost=0,20 | f1^f3 | in=1,2
6.3 | 1L@f1 1S@f2 2S@f3 2M@h8 1S@g5 lost=0,20 | f1^f3 | in=1,2
6.3 | 1L@f1 1S@f2 2S@f3 2M@c3 1S@g5 lost=0,20 | f1^f3 | in=1,2
6.3 | {LAST_SMALL} | f1^f3 | did=WentOut:2:bare: seat=1 legal=.,^f1,^f5
6.3 | {LAST_SMALL} | f1^f3 ^f5 . | seat=3 turn=41
# Pyramids in hand, or kicked back in the same jump, keep a seat in.
6.3 | 1L@f1 1S@f2 2S@f3 1S@f4 hands=2S | f1^f3 | in=1,2
6.3 | 1L@f1 1S@f2 2L@f3 1S@f4 | f1^f3 | in=1,2
6.3 | 1L@f1 1S@f2 2L@f3 1S@f4 2S@f5 | f1^f3 ^f5 | in=1,2
7.1 | 1S@f6 2S@f7 1[LM]@f8 2L@h1 | f6^f8 | wins=1:PWR-7.1 board=1[LMS]@f8 turn=40
7.1 | 1L@d1 1S@e1 1S@f2 2S@f3 1S@f4 lost=0,8 | d1^f1 ^f3 | wins=1:PWR-7.1 jumper=None turn=40
7.1 | 1L@a1 2L@h8 lost=0,18 | 1:ko=2 | wins=1:PWR-7.1 last=Survived:1 legal=
7.1 | 1L@a1 2L@h8 lost=18,0 | 2:ko=1 | wins=2:PWR-7.1
""",
)
def test_knockouts(clause, position, play, expected):
    check_play(position, play, expected)


def test_departed_seat_leaves_no_piece():
    pieces = "1L@a1 2L@a8 3LMS@h8 3[LL]@c3 3S@e1 seats=3 hands=3S,3L lost=0,0,18"
    check_play(pieces, "2:ko=3", "board=1L@a1,2L@a8 hand3= lost=0,0,18")
    match = played(pieces, "2:ko=3")
    scene = GAME.scene(match.state.position, last_effects(match))
    assert not any(cell.ground == "start3" for cell in scene.panels[0].cells)
    assert {mark.at for mark in scene.marks} == {"h8", "c3", "e1"}


JUMP = "1L@c1 1S@c2 2L@c3 2S@d3 2S@a8 3S@h8 seats=3"
KICKS = "1L@c1 1S@c2 2L@c3 1S@d3 3L@e3 2L@a5 3L@h5 4L@e8 seats=4"
THREE = "1L@a1 2L@a8 3L@h8 seats=3"


@cases(
    "clause position play expected",
    f"""
6.4 | {THREE} | 2:resign | all=WentOut:2:left:a8 seat=1 turn=40
6.4 | {THREE} | 2:resign a1-a2 | seat=3
6.4 | {THREE} seat=2 | 2:resign | seat=3 turn=41
# Before, and during, the put-backs of leftovers.
6.4 | 1L@c5 2L@a5 3S@a1 seats=3 seat=3 hands=1L,2S | a1-b2 | may=L@a1
6.4 | 1L@c5 2L@a5 3S@a1 seats=3 seat=3 hands=1L,2S | a1-b2 1:resign | seat=2 turn=42 may=S@a8
6.4 | 1L@c5 2L@a5 3S@a1 4L@h1 seats=4 seat=3 hands=1L | a1-b2 h1-h2 2:resign
   | seat=1 turn=42 may=L@a1
# In a jump: the jumper, a seat kicked back, and a seat whose pieces were hopped over.
6.4 | {JUMP} | c1^c3 1:resign | jumper=None seat=2 turn=40
6.4 | {JUMP} | c1^c3 1:resign L@a8 | seat=2 turn=41 may=d3-d2
6.4 | {JUMP} | c1^c3 2:resign | seat=1 kicked= legal=.,^c1
6.4 | {JUMP} | c1^c3 2:resign . | seat=3 turn=41
6.4 | 1L@c1 2S@c2 2S@a8 3S@h8 seats=3 | c1^c3 2:resign | board=1L@c3,3S@h8 seat=3 turn=41
6.4 | 1L@c1 2S@c2 2S@a8 3S@h8 seats=3 | c1^c3 ^c1 2:resign | seat=3 turn=41
# During put-backs: the seat that puts back, the mover, and a seat without put-backs.
6.4 | {KICKS} | c1^c3 ^e3 . 2:resign | seat=3 turn=40
6.4 | {KICKS} | c1^c3 ^e3 . 2:resign L@h8 | seat=3 turn=41
6.4 | {KICKS} | c1^c3 ^e3 . 1:resign | seat=2 turn=40
6.4 | {KICKS} | c1^c3 ^e3 . 1:resign L@a8 L@h8 | seat=2 turn=41
6.4 | {KICKS} | c1^c3 ^e3 . 4:resign L@a8 L@h8 | seat=2 turn=41 in=1,2,3
6.4 | {KICKS} {FULL.replace("1S", "4S")} 4S@h6 | c1^c3 ^e3 . 4:resign L@a8 | seat=3 may=L@h8
""",
)
def test_resignations(clause, position, play, expected):
    check_play(position, play, expected)


def test_last_seat_wins():
    match = played("1L@a1 2L@h8 lost=0,18", "1:ko=2")
    assert match.state.position.awaiting() == ()
    assert list(GAME.legal(match.state.position, 1)) == []


# Pictures


def test_nests_and_power_pieces_look_different():
    match = table("1LMS@a1 1[LMS]@b1 1S@c1 2L@h8")
    cells = {cell.at: cell for cell in GAME.scene(match.state.position).panels[0].cells}
    assert [cells[at].arrangement for at in ("a1", "b1", "c1")] == ["nest", "bound", "stack"]
    assert [piece.size for piece in cells["a1"].pieces] == [3, 2, 1]
    assert (cells["a1"].ground, cells["h8"].ground, cells["e1"].ground) == ("start1", "start2", "")
    assert cells["d4"].pieces[0].colour == "black"


def test_trays_show_hands_losses_and_departures():
    match = table(f"{TWO_OF_THREE} hands=1L,1L lost=4,19,20")
    first, second, third = GAME.scene(match.state.position).trays
    assert [(supply.piece.size, supply.count) for supply in first.supplies] == [(3, 2)]
    assert first.lines == ("4 pips lost",)
    assert second.lines == ("19 pips lost", "may be declared knocked out")
    assert third.lines == ("20 pips lost", "out of the game")


def test_last_event_is_marked():
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
    match = play_texts(GAME, "", seats=seats, first=1 + seed % seats)
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
def test_random_match_keeps_pieces_and_order(seats, seed):
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
def test_legal_agrees_with_check(seats):
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
