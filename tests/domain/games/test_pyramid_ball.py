"""Pyramid Ball, clause by clause."""

from __future__ import annotations

import itertools
import random
from functools import partial

import msgspec
import pytest

from domain.board import OFF
from domain.effects import Effect
from domain.games.pyramid_ball import GAME, Play
from domain.games.pyramid_ball.board import BOARD, NOBODY, PYRAMIDS, SEAT, line
from domain.games.pyramid_ball.conflicts import OPEN, ClosedRow, settle
from domain.games.pyramid_ball.effects import (
    BallPlaced,
    Closed,
    Failed,
    Fouled,
    Goal,
    PicksRevealed,
    Pushed,
    Recovered,
    Revealed,
    Sealed,
    Seated,
    Snapshot,
    Stepped,
    Tackled,
    Taken,
)
from domain.games.pyramid_ball.moves import Program
from domain.games.pyramid_ball.orders import Pass
from domain.games.pyramid_ball.table import Table
from domain.match import Match
from tests.case_table import cases, cases_of_words, compare, ending, listed, numbers, said
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_from, play_texts, refusal

CLAUSES = {
    "BAL-1.1": shown_by("set-up", "test_board_is_seven_by_eight", "test_refusals"),
    "BAL-1.2": shown_by("set-up", "test_pyramids_and_ball_start_in_their_places"),
    "BAL-1.3": shown_by("effect", "test_scoring"),
    "BAL-1.4": shown_by("effect", "test_tackles"),
    "BAL-1.5": shown_by("outcome", "test_scoring"),
    "BAL-2.1": shown_by("set-up", "test_opening_is_decided_or_selected"),
    "BAL-2.2": shown_by("effect", "test_sizes_beat_each_other_in_ring"),
    "BAL-2.3": shown_by("effect", "test_winner_takes_the_ball_or_defends"),
    "BAL-3.1": shown_by("effect", "test_programs"),
    "BAL-3.2": shown_by("refusal", "test_refusals"),
    "BAL-3.3": shown_by("effect", "test_program_is_secret_until_both_seal"),
    "BAL-3.4": shown_by(
        "effect",
        "test_seat_that_programs_late_does_not_move",
        "test_refusals",
        note="no match keeps a clock yet, so the 61 seconds are not asked for",
    ),
    "BAL-4.1": shown_by("effect", "test_programs"),
    "BAL-4.2": shown_by("outcome", "test_scoring"),
    "BAL-4.3": shown_by("effect", "test_programs"),
    "BAL-5.1": shown_by("effect", "test_passes"),
    "BAL-5.2": shown_by("effect", "test_lines_of_passes", "test_passes"),
    "BAL-5.3": shown_by("effect", "test_passes"),
    "BAL-5.4": shown_by("effect", "test_passes"),
    **{f"BAL-6.{part}": shown_by("effect", "test_conflicts") for part in range(1, 13)},
    "BAL-7.1": shown_by("effect", "test_tackles"),
    "BAL-8.1": shown_by("effect", "test_scoring"),
    "BAL-8.2": shown_by("effect", "test_tackles", "test_passes"),
    "BAL-9.1": shown_by("outcome", "test_scoring"),
    "BAL-10.1": shown_by("refusal", "test_ball_squares_after_a_goal", "test_loose_balls"),
    "BAL-10.2": shown_by("effect", "test_loose_balls"),
    "BAL-10.3": shown_by("effect", "test_loose_balls"),
    "BAL-10.4": shown_by("effect", "test_loose_balls", "test_conflicts"),
    "BAL-10.5": shown_by("effect", "test_tackles"),
    "BAL-11.1": shown_by(
        "refusal",
        "test_refusals",
        "test_special_moves",
        "test_seat_with_points_may_take_special_moves",
    ),
    "BAL-11.2": shown_by("refusal", "test_refusals", "test_special_moves"),
    "BAL-11.3": shown_by("effect", "test_special_moves"),
    "BAL-11.4": shown_by("refusal", "test_special_moves", "test_special_moves_need_a_right"),
    "BAL-11.5": shown_by("refusal", "test_special_moves", "test_special_moves_need_a_right"),
}

STILL = "S=...,M=...,L=..."
PARKED = ("a1", "c1", "e1", "g1", "b1", "d1", "f1")
"""The places of pyramids that a case does not mention: out of the way, in row 1."""

COMMAND = {
    1: {"N": "F", "S": "B", "W": "L", "E": "R", "": "."},
    2: {"N": "B", "S": "F", "W": "R", "E": "L", "": "."},
}
"""The command for a direction on the board, for seat 1 at row 1 and seat 2 at row 8."""


def stand(text: str) -> Play:
    """Set up an advanced game: `"1M@d4* 2M@d5 scores=0,1 taken=S,"`; the ball is with `*`, else 1L.

    `closed` is the seat that scored in row 8; with `loose` the ball is there.
    """
    words = text.split()
    given = dict(word.split("=") for word in words if "=" in word)
    pieces = [word for word in words if "@" in word]
    where = {piece[:2]: piece[3:5] for piece in pieces}
    free = iter(at for at in PARKED if at not in where.values())
    ball = next((piece[:2] for piece in pieces if piece.endswith("*")), "1L")
    carrier = NOBODY if "loose" in given else PYRAMIDS.index(ball)
    first, second = given.get("taken", ",").split(",")
    return Play(
        Table(
            advanced=given.get("game") != "basic",
            stage="program",
            low=int(given.get("low", 1)),
            squares=tuple(BOARD.index[where.get(name) or next(free)] for name in PYRAMIDS),
            carrier=carrier,
            loose=BOARD.index[given["loose"]] if "loose" in given else OFF,
            offence=1 if carrier == NOBODY else SEAT[carrier],
            closed=ClosedRow(1, 7) if "closed" in given else OPEN,
            scores=numbers(given.get("scores", "0,0")),
            taken=(first, second),
        )
    )


def headed(text: str) -> str:
    """Return the programs of the headings in `"1M@d4N* 2M@d5S"`, for `played`."""
    heads = {piece[:2]: piece[5:].rstrip("*") for piece in text.split() if "@" in piece}
    return "/".join(
        ",".join(f"{size}={COMMAND[seat][heads.get(f'{seat}{size}', '')]}.." for size in "SML")
        for seat in (1, 2)
    )


def program(text: str) -> str:
    """Complete `"M=F..,pass=2S"` with pyramids that do not move."""
    given = dict.fromkeys("SML", "...") | {
        part[0]: part[2:] for part in text.split(",") if part[:2] in ("S=", "M=", "L=")
    }
    extra = [part for part in text.split(",") if part and part[:2] not in ("S=", "M=", "L=")]
    return ",".join([*(f"{size}={given[size]}" for size in "SML"), *extra])


def steps(play: str) -> list[str]:
    """Return the move texts of `"M=F../S=.F. 2:ball=e8"`: two programs and a move text."""
    found = []
    for step in play.split():
        both = enumerate(step.split("/"), 1)
        found += [f"{seat}:{program(text)}" for seat, text in both] if "/" in step else [step]
    return found


def played(position: str, play: str) -> Match:
    """Play `steps` from a position of `stand`, or from the start; `row` follows the headings."""
    tokens = " ".join(steps(headed(position) if play == "row" else play))
    if position.startswith("start"):
        options = dict(word.split("=") for word in position.split()[1:])
        return play_texts(GAME, tokens, **{"length": "advanced"} | options)
    return play_from(GAME, stand(position), tokens)


def squares(position: Play, *names: str) -> str:
    """Return the places of pyramids: `"1M@d4 2M@d5"`."""
    where = dict(zip(PYRAMIDS, position.table.squares, strict=True))
    return " ".join(f"{name}@{BOARD.names[where[name]]}" for name in names)


def only(facts: tuple[Effect, ...], *kinds: type[Effect]) -> list[Effect]:
    """Return the effects of some kinds."""
    return [fact for fact in facts if isinstance(fact, kinds)]


def holder(position: Play) -> str | None:
    carrier = position.table.carrier
    return None if carrier == NOBODY else PYRAMIDS[carrier]


def seen(position: Play) -> dict[str, object]:
    table, outcome = position.table, position.outcome()
    return {
        "ball": holder(position),
        "loose": BOARD.names[table.loose] if table.loose != OFF else None,
        "wins": ending(outcome),
        "awaits": ",".join(f"{one.seat}:{listed(one.moves, '+')}" for one in position.awaiting()),
        "sealed": listed(position.sealed),
        "legal": ",".join(
            GAME.write(move) for seat in (1, 2) for move in GAME.legal(position, seat)
        ),
        "closed": listed(table.closed, ":"),
        "scores": listed(table.scores),
        "used": listed(table.used),
        "taken": listed(table.taken),
        "holder": table.holder,
    }


def value(match: Match, name: str, expected: str) -> object:
    """Return the value of a name in the tables below."""
    position, effects = match.state.position, last_effects(match)
    if name in PYRAMIDS:
        return squares(position, name)[3:]
    if name in ("stage", "turn", "offence"):
        return getattr(position.table, name)
    if name == "rows":
        return ",".join(fact.row.replace(" ", "") for fact in only(effects, Snapshot))
    if name == "halted":
        return listed(only(effects, Snapshot)[-1].halted)
    if name in ("all", "first"):
        return ",".join(said(*effects[: 1 if name == "first" else None]))
    if name[0].isupper():
        found = [each for each in said(*effects) if each.split(":")[0] in name.split("+")]
        return ",".join(each if "+" in name else each.partition(":")[2] for each in found)
    return seen(position)[name]


def check_play(position: str, play: str, expected: str) -> None:
    """Play from a position, and compare the result: `1M=d5 ball=2S scores=0,1 Goal=1:M:d8`.

    `Goal+Point` has the effects of several kinds in the last event, in their order; `all` has all
    of them, and `rows` the rows that it played.
    """
    compare(expected, partial(value, played(position, play)))


# The set-up and the opening


def test_board_is_seven_by_eight():
    assert (BOARD.names[0], BOARD.names[-1], len(BOARD.names)) == ("a1", "g8", 56)


def test_pyramids_and_ball_start_in_their_places():
    start = GAME.start()
    assert squares(start, *PYRAMIDS) == "1S@f3 1M@d4 1L@b3 2S@f6 2M@d5 2L@b6"
    assert holder(start) == "1M"


def test_opening_is_decided_or_selected():
    decided, selected = GAME.start(), GAME.start(GAME.options(opening="selection"))
    assert [one.what for one in decided.awaiting()] == ["program its pyramids"] * 2
    assert [one.moves for one in selected.awaiting()] == [("pick",)] * 2
    assert (decided.table.low, decided.table.holder) == (1, 1)


@pytest.mark.parametrize("first", "SML")
@pytest.mark.parametrize("second", "SML")
def test_sizes_beat_each_other_in_ring(first, second):
    match = play_texts(GAME, f"1:pick={first} 2:pick={second}", opening="selection")
    winner = {"MS": 1, "LM": 1, "SL": 1, "SM": 2, "ML": 2, "LS": 2}.get(first + second)
    assert last_effects(match) == (Sealed(2), PicksRevealed((first, second), winner))
    awaited = match.state.position.awaiting()
    assert [one.seat for one in awaited] == ([winner] if winner else [1, 2])
    again = play_texts(GAME, f"2:pick={second} 1:pick={first}", opening="selection")
    assert again.state == match.state


@pytest.mark.parametrize(("choice", "low"), [("2:start=ball", 2), ("2:start=defend", 1)])
def test_winner_takes_the_ball_or_defends(choice, low):
    match = play_texts(GAME, f"1:pick=S 2:pick=M {choice}", opening="selection")
    position = match.state.position
    assert last_effects(match) == (Seated(low),)
    assert holder(position) == f"{low}M"
    assert squares(position, f"{low}S", f"{low}M", f"{low}L") == f"{low}S@f3 {low}M@d4 {low}L@b3"
    other = 3 - low
    assert squares(position, f"{other}S", f"{other}L") == f"{other}S@f6 {other}L@b6"
    assert position.turn == 1
    assert position.table.offence == low
    programmed = add_token(
        add_token(match, "1:S=...,M=...,L=F.."), "2:S=...,M=...,L=F.."
    ).state.position
    assert squares(programmed, f"{low}L", f"{other}L") == f"{low}L@b4 {other}L@b5"


def test_program_is_secret_until_both_seal():
    one = add_token(play_texts(GAME, ""), "1:S=FFF,M=LLL,L=RRR,pass=2S")
    two = add_token(play_texts(GAME, ""), "1:S=BBB,M=...,L=.x.")
    assert last_effects(one) == last_effects(two) == (Sealed(1),)
    first, second = one.state.position, two.state.position
    assert first.sealed == second.sealed == (1,)
    for seat in (2, None):
        assert first.view(seat) == second.view(seat)
        assert GAME.scene(first.view(seat)) == GAME.scene(second.view(seat))
    assert GAME.scene(first) == GAME.scene(second)
    assert first.awaiting() == second.awaiting()
    assert list(GAME.legal(first, 2)) == list(GAME.legal(second, 2))
    assert first.view(1) != second.view(1)
    assert "S=FFF,M=LLL,L=RRR,pass=2S" in str(GAME.scene(first.view(1)))
    for token in ("2:foul", "1:ball=d8", f"1:{STILL}", f"2:{STILL},blitz", "2:take=S"):
        assert refusal(one, token) == refusal(two, token)
    opened = add_token(one, f"2:{STILL}")
    assert opened.state.position.sealed == ()
    assert last_effects(opened)[:3] == (
        Sealed(2),
        Revealed(1, "FFF", "LLL", "RRR", Pass(2, "S")),
        Revealed(2, "...", "...", "..."),
    )


def test_pick_is_secret_until_both_seal():
    one, two = (play_texts(GAME, f"2:pick={size}", opening="selection") for size in "SM")
    assert last_effects(one) == last_effects(two) == (Sealed(2),)
    for seat in (1, None):
        assert GAME.scene(one.state.position.view(seat)) == GAME.scene(
            two.state.position.view(seat)
        )
    assert one.state.position.view(2) != two.state.position.view(2)
    assert refusal(one, "2:pick=M") == refusal(two, "2:pick=M")


def test_sealing_order_does_not_matter():
    programs = ("1:S=FRF,M=RF.,L=FF.,pass=3S", "2:S=FFL,M=LFF,L=FRR")
    one, two = (
        play_texts(GAME, " ".join(tokens), length="advanced")
        for tokens in (programs, programs[::-1])
    )
    assert one.state == two.state
    assert last_effects(one)[1:] == last_effects(two)[1:]


def test_seat_that_programs_late_does_not_move():
    match = play_texts(GAME, "2:S=F..,M=LF.,L=F..", length="advanced")
    awaited = {one.seat: (one.moves, one.must) for one in match.state.position.awaiting()}
    assert awaited == {1: (("program",), True), 2: (("foul",), False)}
    assert [GAME.write(move) for move in GAME.legal(match.state.position, 2)] == ["foul"]
    match = add_token(match, "2:foul")
    assert last_effects(match)[:2] == (Fouled(1), Revealed(2, "F..", "LF.", "F.."))
    assert squares(match.state.position, *PYRAMIDS) == "1S@f3 1M@d4 1L@b3 2S@f5 2M@e4 2L@b5"
    assert match.state.position.turn == 2
    assert match.state.position.sealed == ()


# Refusals

GOAL = "1M@d7* 1S@d4 2M@e6"

REFUSALS = f"""
form | start | | 1:S=...,M=...,L=.., 1:S=...,M=... 1:M=...,S=...,L=... foul {STILL}
form | start | | 1:{STILL},pass=4L 1:{STILL},pass=2 1:{STILL},blitz,quick
form | start | | 1:{STILL},dash=F,pass=2L 1:{STILL},quick,quick 1:ball=h1 1:ball=a9 1:start=offence
turn | start | | 3:{STILL} 1:foul 1:ball=d8 1:pick=S 1:start=ball
turn | start | 1:{STILL} | 1:{STILL} 1:take=S 2:foul
turn | start | 1:{STILL} 1:foul | 1:foul
turn | start | / | 2:foul
over | start length=basic | M=F../M=F.. | 1:{STILL}
# A selection awaits picks, then a choice.
turn | start opening=selection | | 1:{STILL} 1:foul 1:start=ball 1:take=S
turn | start opening=selection | 1:pick=S | 1:pick=M 1:foul
turn | start opening=selection | 1:pick=S 2:pick=S | 1:start=ball
turn | start opening=selection | 1:pick=S 2:pick=M | 1:start=ball 2:pick=S 2:{STILL}
turn | start opening=selection | 1:pick=S 2:pick=M 2:start=ball | 2:start=ball
turn | {GOAL} | S=FFF,M=FB./M=BBF | 2:take=S 2:{STILL} 2:foul
BAL-3.2 | start | | 1:{STILL},pass=1S 1:{STILL},pass=1S,dash=F
BAL-11.1 | start | | 1:take=S 1:{STILL},dash=. 1:{STILL},quick 1:{STILL},pass=1S,quick
BAL-11.1 | start | | 1:{STILL},blitz
BAL-11.1 | start | 1:{STILL} | 2:take=S
BAL-11.1 | start | /M=F.. | 2:take=S 1:{STILL},dash=F
BAL-11.1 | start | /M=F.. 1:take=S | 1:take=S 1:take=M 1:{STILL},blitz
BAL-11.1 | 1M@d4 scores=2,0 taken=,M | | 2:take=M
BAL-11.1 | 1S@d4 scores=0,1 taken=S, | dash=./ | 1:{STILL},dash=F,blitz 1:take=S
BAL-11.2 | 1S@d4 scores=0,1 taken=S, | dash=./ | 1:{STILL},dash=F
BAL-3.2 | 1S@d4 scores=0,1 taken=S, | dash=./ | 1:{STILL},pass=1L,dash=F
"""
"""The clause, a position, the play there, and the move texts refused after it."""


@cases_of_words("clause position play token", REFUSALS)
def test_refusals(clause, position, play, token):
    assert refusal(played(position, play), token).clause == clause


def test_token_with_a_line_end_is_refused():
    assert refusal(played("start", ""), f"1:{STILL}\n").clause == "form"


# Programs, passes and conflicts


@cases(
    "clause position play expected",
    """
# Commands are as the player sees them.
3.1 | 1M@d3 2M@d6 | M=F../M=F.. | 1M=d4 2M=d5
3.1 | 1M@d3 2M@d6 | M=B../M=B.. | 1M=d2 2M=d7
3.1 | 1M@d3 2M@d6 | M=L../M=L.. | 1M=c3 2M=e6
3.1 | 1M@d3 2M@d6 | M=R../M=R.. | 1M=e3 2M=c6
3.1 | 1M@d3 2M@d6 | M=.../M=... | 1M=d3 2M=d6
3.1 | 1M@d3 2M@d6 | M=x../M=x.. | 1M=d3 2M=d6
# Rows are played in order, each with its pass first.
4.1 | 1M@d3* 1S@f3 2M@d6 | S=FFL,M=F.R,pass=2S/M=FLB | rows=row1,row2,row3
   Stepped+Completed=Stepped:1:S:f3:f4,Stepped:1:M:d3:d4,Stepped:2:M:d6:d5,Completed:1:d4:f4,Stepped:1:S:f4:f5,Stepped:2:M:d5:e5,Stepped:1:S:f5:e5,Stepped:1:M:d4:e4,Stepped:2:M:e5:e6
# The small failed at the edge in row 1 and does not move in row 3.
4.3 | 1S@a4 1M@d4 2M@c4 | S=L.R,M=.FF/M=L.R,pass=2S | 1S=a4 1M=e6 2M=c4
   Failed=1:S:a4:None:BAL-6.1
4.3 | 1M@d4 2M@c4 | M=.F./M=L.F | 1M=e5 2M=d3 Failed= halted=
4.3 | 1S@a4 scores=0,1 taken=S, | S=L..,dash=F/ | 1S=a4
""",
)
def test_programs(clause, position, play, expected):
    check_play(position, play, expected)


def test_snapshot_ends_every_row():
    facts = last_effects(played("1M@d4* 2M@a4", "M=FFF/M=.R."))
    assert only(facts, Snapshot)[1] == Snapshot(
        "row 2", ("a1", "d6", "c1", "e1", "a4", "g1"), "d6", "1M", ("2M",)
    )


@cases(
    "start end entered",
    """
a1 | b2 |
a1 | d2 | b1 c2
d2 | a1 | c2 b1
a1 | a4 | a2 a3
d4 | g4 | e4 f4
a1 | d4 | b2 c3
a1 | b3 | a2 b2
b5 | a1 | b4 b3 a3 a2
a1 | c4 | a2 b2 b3 c3
c4 | a1 | c3 b3 b2 a2
d4 | e4 |
""",
)
def test_lines_of_passes(start, end, entered):
    found = line(BOARD.index[start], BOARD.index[end])
    assert [BOARD.names[at] for at in found] == entered.split()


def test_line_enters_squares_containing_its_points():
    # 840 steps: no inner crossing of two grid lines falls between two neighbouring points.
    rng = random.Random(5)
    for _ in range(60):
        start, end = rng.sample(range(56), 2)
        columns, rows = BOARD.offset(start, end)
        inside = []
        for step in range(1, 840):
            # Twice 840 times the distance from the outer corner of square a1.
            x = 840 + 1680 * (start % 7) + 2 * step * columns
            y = 840 + 1680 * (start // 7) + 2 * step * rows
            if x % 1680 and y % 1680:
                square = y // 1680 * 7 + x // 1680
                if square not in (start, end) and square not in inside:
                    inside.append(square)
        assert line(start, end) == tuple(inside)


@cases(
    "clause position play expected",
    """
# A pass is thrown in its row only, by a carrier that does not move in it.
5.1 | 1M@d4* 1S@f4 | M=.F.,pass=2S/ | Unthrown=1:moves Completed= ball=1M
5.1 | 1M@d4* 1S@f4 | pass=2M/ | Unthrown=1:itself ball=1M
5.1 | 1M@d4* 1S@f4 | /pass=2S | Unthrown=2:ball ball=1M
5.1 | 1M@d4* 1S@f4 | M=.x.,pass=2S/ | Completed=1:d4:f4 ball=1S
5.1 | 1M@d4* 1S@f4 | S=.F.,pass=2S/ | Completed=1:d4:f4 ball=1S
5.1 | 1M@d4* 1S@f4 | M=L..,pass=3S/ | Completed=1:c4:f4 ball=1S
5.1 | 1M@a4* 1S@f4 | M=LR.,pass=2S/ | Completed=1:a4:f4 ball=1S
5.1 | 1M@d4* 2M@d6 2S@f5 | /M=FF.,pass=2S | Unthrown=2:ball
5.1 | 1M@d4* 2M@d6 2S@f5 | /M=FF.,pass=3S | Tackled=2:M:d4 Completed=2:d4:f5 ball=2S
# The first defender on the line intercepts.
5.2 | 1M@a4* 1S@b5 2M@a5 2S@b4 | pass=2S/ | ball=1S scores=0,0 Intercepted=
5.2 | 1M@a4* 1S@d5 2M@c4 2S@b5 | pass=2S/ | ball=1S scores=0,0 Intercepted=
5.3 | 1M@a4* 1S@d5 2M@c5 | pass=2S/ | ball=2M Point=2:0+1 Turnover=2 Completed=
5.3 | 1M@a4* 1S@d5 2M@b4 | pass=2S/ | ball=2M Point=2:0+1 Turnover=2 Completed=
5.3 | 1M@a4* 1S@d5 2M@c5 2L@b4 | pass=2S/ | ball=2L Point=2:0+1 Turnover=2 Completed=
5.3 | 1M@d5* 1S@a4 2M@c5 2L@b4 | pass=2S/ | ball=2M scores=0,1 Turnover=2 Completed=
5.3 | 1M@a4* 1S@d4 1L@c4 | pass=2S/ | ball=1S scores=0,0 Intercepted=
5.3 | 1M@a4* 1S@d4 2M@e4 | pass=2S/ | ball=1S scores=0,0 Intercepted=
# Positions are those before the moves of the row: a step into the line is too late.
5.3 | 1M@a4* 1S@d4 2M@b5 | pass=2S/M=.F. | ball=1S
5.3 | 1M@a4* 1S@d4 2M@b5 | pass=2S/M=F.. | ball=2M
# After a goal by a pass the moves of its row wait for the ball.
5.3 | 1M@d4* 1S@f8 | L=.F.,pass=2S/ | Goal+Point=Goal:1:S:f8,Point:1:1+0 stage=place
   Stepped= 1L=a1 rows=row1,row2
5.3 | 1M@b4* 1S@b1 low=2 | pass=2S/ | Goal=1:S:b1
# Roles change before the moves of an interception; the interceptor throws nothing in its row.
5.4 | 1M@a4* 1L@g4 1S@d3 2M@d4 | S=.F.,pass=2L/ | Intercepted=1:a4:g4:d4 Tackled=1:S:d4
   1S=d4 2M=d5 scores=1,1
5.4 | 1M@a4* 1L@g4 2M@d4 2S@d6 | pass=2L/pass=2S | ball=2M Unthrown=2:ball
8.2 | 1M@a1* 1S@g1 2M@d1 1L@f3 2S@f5 2L@f6 | pass=2S/ | Intercepted=1:a1:g1:d1 Goal= scores=0,1
""",
)
def test_passes(clause, position, play, expected):
    check_play(position, play, expected)


CONFLICTS = """
# Worked examples of the rules.
1M@d4N* 2M@d5S | 1M@d3 2M@d4 | 1M:6.5
1M@a4* 2M@b4W | 1M@a4 2M@b4 | 2M:6.9
1M@d4 1S@d3 2M@c4E 2S@d2N | 1M@e4 1S@d3 2M@d4 2S@d2 | 2S:6.9
1S@c4 1M@d4 1L@d3 2M@b4E 2S@d2N | 1S@c4 1M@d4 1L@d3 2M@b4 2S@d2 | 2S:6.10 2M:6.10
2M@c4E 2S@e4W 1M@d3N | 2M@c4 2S@e4 1M@d3 | 1M:6.3 2S:6.2 2M:6.2
1M@d4N 2M@d5E 1S@e5S 2S@e4W | 1M@d5 2M@e5 1S@e4 2S@d4 |
# BAL-6.1
1M@a4W | 1M@a4 | 1M:6.1
1M@d8N | 1M@d8 | 1M:6.1
2M@g4E | 2M@g4 | 2M:6.1
2M@f2S 2S@f3S | 2M@f1 2S@f2 |
1M@a4W 1S@b4W | 1M@a4 1S@b4 | 1S:6.6 1M:6.1
1M@g4E 1S@a5W | 1M@g4 1S@a5 | 1S:6.1 1M:6.1
# BAL-6.2
2M@c4E 2S@e4W | 2M@c4 2S@e4 | 2S:6.2 2M:6.2
2M@c4E 2S@e4W 2L@d5S | 2M@c4 2S@e4 2L@d5 | 2S:6.2 2M:6.2 2L:6.2
2M@c4E 2S@e4W 1M@d4 | 2M@c4 2S@e4 1M@d4 | 2S:6.2 2M:6.2
# BAL-6.3
1M@c4E 2S@e4W | 1M@c4 2S@d4 | 1M:6.3
1M@c4E 1S@d5S 2S@e4W | 1M@c4 1S@d5 2S@d4 | 1S:6.3 1M:6.3
1M@c4E 2S@e4W 2M@d4 | 1M@c4 2S@e4 2M@d4 | 1M:6.3 2S:6.7
# BAL-6.4
1M@c4E 1S@e4W | 1M@c4 1S@e4 | 1S:6.4 1M:6.4
1M@c4E 1S@e4W 1L@d3N | 1M@c4 1S@e4 1L@d3 | 1S:6.4 1M:6.4 1L:6.4
# BAL-6.5
1M@c4E 1S@d4W | 1M@c4 1S@d4 | 1S:6.5 1M:6.5
2M@c4E 2S@d4W | 2M@c4 2S@d4 | 2S:6.5 2M:6.5
1M@a4E 2M@b4W | 1M@a4 2M@b4 | 1M:6.5 2M:6.9
2M@c4E 2S@d4W 2L@d5S | 2M@c4 2S@d4 2L@d5 | 2S:6.5 2M:6.2 2L:6.2
1M@c4E 2M@d4W 1S@d5S | 1M@b4 2M@c4 1S@d5 | 1S:6.4 1M:6.4
# BAL-6.6
1M@c4E 1S@d4 | 1M@c4 1S@d4 | 1M:6.6
1M@c4E 2S@d4 | 1M@c4 2S@d4 | 1M:6.6
1M@c4E 1S@d4E 1L@e4E 2M@f4 | 1M@c4 1S@d4 1L@e4 2M@f4 | 1S:6.6 1M:6.6 1L:6.6
1M@c4E 2M@d4E 2S@e4 | 1M@c4 2M@d4 2S@e4 | 1M:6.6 2M:6.7
# BAL-6.7
2M@c4E 2S@d4 | 2M@c4 2S@d4 | 2M:6.7
2L@b4E 2M@c4E 2S@d4 | 2L@b4 2M@c4 2S@d4 | 2M:6.7 2L:6.7
# BAL-6.8
1M@d4 2M@c4E | 1M@e4 2M@d4 |
1M@d4 1S@e4 2M@c4E | 1M@e4 1S@f4 2M@d4 |
1M@d4 1S@e4 1L@f4 2M@c4E | 1M@e4 1S@f4 1L@g4 2M@d4 |
1M@d4 1S@e4N 2M@c4E | 1M@e4 1S@e5 2M@d4 |
1M@d4 2S@e4N 2M@c4E | 1M@e4 2S@e5 2M@d4 |
1M@d4N 1S@d5 2M@c4E | 1M@e4 1S@d5 2M@d4 | 1M:6.6
1S@d4E 1M@e4 2M@c4E | 1S@e4 1M@f4 2M@d4 | 1S:6.6
1M@d4 1S@b4E 2M@c4E | 1M@e4 1S@c4 2M@d4 |
1M@d4 1S@d6 2M@c4E 2S@d7S | 1M@e4 1S@d5 2M@d4 2S@d6 |
# BAL-6.9
1M@g4 2M@f4E | 1M@g4 2M@f4 | 2M:6.9
1M@f4 1S@g4 2M@e4E | 1M@f4 1S@g4 2M@e4 | 2M:6.9
1M@d4 2M@c4E 2S@e4 | 1M@d4 2M@c4 2S@e4 | 2M:6.9
1M@d4 1S@e4 2M@c4E 2S@f4 | 1M@d4 1S@e4 2M@c4 2S@f4 | 2M:6.9
1M@d4 2M@c4E 2S@e5S | 1M@d4 2M@c4 2S@e4 | 2M:6.9
1M@d4 2M@c4E 2S@e5S 2L@e3N | 1M@d4 2M@c4 2S@e5 2L@e3 | 2S:6.2 2M:6.9 2L:6.2
1M@d4 1S@e4 2M@c4E 2S@e5S | 1M@d4 1S@e3 2M@c4 2S@e4 | 2M:6.9
1M@d4 2M@c4E 2S@e4N 1S@e5 | 1M@e4 2M@d4 2S@e5 1S@e6 |
1M@d4 2M@c4E 2S@e4E 2L@f4 | 1M@d4 2M@c4 2S@e4 2L@f4 | 2S:6.7 2M:6.9
1M@d4N 1S@d5N 1L@d6 2M@c4E 2S@e4 | 1M@d4 1S@d5 1L@d6 2M@c4 2S@e4 | 1S:6.6 1M:6.6 2M:6.9
# BAL-6.10
1M@d4 1S@e5 2M@c4E 2S@e6S | 1M@d4 1S@e5 2M@c4 2S@e6 | 2S:6.10 2M:6.10
1M@d4 1S@f4 2M@c4E 2S@g4W | 1M@d4 1S@f4 2M@c4 2S@g4 | 2S:6.10 2M:6.10
1M@d4 1S@e4 2M@c4E 2S@f4W | 1M@d4 1S@e4 2M@c4 2S@f4 | 2S:6.9 2M:6.9
1M@d4 1S@e5 1L@f4 2M@c4E 2S@e6S 2L@g4W | | 2S:6.10 2M:6.10 2L:6.10
1M@b4 1S@f4 2M@a4E 2S@g4W | 1M@c4 1S@e4 2M@b4 2S@f4 |
1M@d4 1S@f4 1L@e5S 2M@c4E 2S@g4W | 1L@e4 | 2S:6.10 2M:6.10
1M@d4 1S@e4 1L@f5 2M@c4E 2S@f6S | 1M@d4 1S@e4 1L@f5 2M@c4 2S@f6 | 2S:6.10 2M:6.10
# BAL-6.11
1M@d4 2M@c4E 1S@e5S | 1M@e4 2M@d4 1S@e5 | 1S:6.11
1M@d4 2M@c4E 1S@e5S 1L@e6S | 1M@e4 2M@d4 1S@e5 1L@e6 | 1S:6.11 1L:6.6
1M@d4 2M@c4E 1S@e5S 2S@f5W | 1M@e4 2M@d4 1S@d5 2S@e5 | 1S:6.11
1M@d4 2M@c4E 1S@e5S 2S@e6S | 1M@d4 2M@c4 1S@e5 2S@e6 | 1S:6.11 2S:6.10 2M:6.10
1M@d4 1S@e4 2M@c4E 1L@f5S | 1M@e4 1S@f4 2M@d4 1L@f5 | 1L:6.11
# BAL-6.12
1M@c4E 1S@d4E | 1M@d4 1S@e4 |
2M@c4E 2S@d4E | 2M@d4 2S@e4 |
1M@c4E 2M@d4E | 1M@d4 2M@e4 |
1M@d4E 2M@c4E | 1M@e4 2M@d4 |
1M@c4N 1S@c5E 1L@d5S 2M@d4W | 1M@c5 1S@d5 1L@d4 2M@c4 |
# BAL-10.4, and no square that the other side shuts a pyramid out of
1M@d7N closed=1 loose=a8 | 1M@d7 | 1M:6.1
1M@d8E closed=1 loose=a8 | 1M@d8 | 1M:6.1
1M@d8S closed=1 loose=a8 | 1M@d7 |
2M@d7N closed=1 loose=a8 | 2M@d8 |
1M@d2S closed=1 loose=a8 | 1M@d1 |
1M@d7N 2M@c8E closed=1 loose=a8 | 1M@d7 2M@d8 | 1M:6.1
1M@d7N 2M@c8E 2S@a8* closed=1 | 1M@d7 2M@d8 | 1M:6.1
1M@d7N 1S@e7N closed=1 loose=a8 | 1M@d7 1S@e7 | 1S:6.1 1M:6.1
1M@d8W 2M@c8E closed=1 loose=a8 | 1M@e8 2M@d8 | 1M:6.1
1M@d7 2M@d6N closed=1 loose=a8 | 1M@d7 2M@d6 | 2M:6.9
1M@d6 1S@d7 2M@d5N closed=1 loose=a8 | 1M@d6 1S@d7 2M@d5 | 2M:6.9
1M@d8 2M@c8E closed=1 loose=a8 | 1M@e8 2M@d8 |
1M@d8 1S@e8 2M@c8E closed=1 loose=a8 | 1M@e8 1S@f8 2M@d8 |
1M@d6 2M@d5N closed=1 loose=a8 | 1M@d7 2M@d6 |
1M@d7 2M@c7E closed=1 loose=a8 | 1M@e7 2M@d7 |
1M@d2 2M@d3S closed=1 loose=a8 | 1M@d1 2M@d2 |
"""
"""Places and headings, the places after the row, and the failures by their part of BAL-6."""


@cases("position end failures", CONFLICTS)
def test_conflicts(position, end, failures):
    match = played(position, "row")
    named = [piece[:2] for piece in end.split()]
    others = [name for name in PYRAMIDS if name not in named]
    after = match.state.position
    assert squares(after, *named) == end
    assert squares(after, *others) == squares(stand(position), *others)
    failed = only(last_effects(match), Failed)
    assert {f"{one.seat}{one.size}:{one.clause[4:]}" for one in failed} == set(failures.split())


def test_failure_before_a_push_is_reported_once():
    check_play(
        "1S@d4E 1M@e4 2M@c4E",
        "row",
        "Stepped+Pushed+Failed="
        "Failed:1:S:d4:e4:BAL-6.6,Pushed:1:M:e4:f4,Pushed:1:S:d4:e4,Stepped:2:M:c4:d4",
    )


def test_failure_names_its_obstacle():
    facts = last_effects(played("1M@d7N 1S@a4W closed=1 loose=a8", "row"))
    assert [fact.words() for fact in only(facts, Failed)] == [
        "the small of seat 1 on a4 cannot move: the board ends there (BAL-6.1)",
        "the medium of seat 1 on d7 cannot move to d8: the row is closed to it (BAL-6.1)",
    ]


@cases(
    "clause position play expected",
    """
1.4 | 1M@d4* 2M@d5S | row | Turnover=2 offence=2 holder=2
7.1 | 1M@d4* 2M@d5S | row | Tackled=2:M:d4 ball=2M scores=0,1
   Pushed+Stepped+Tackled+Point+Turnover=Pushed:1:M:d4:d3,Stepped:2:M:d5:d4,Tackled:2:M:d4,Point:2:0+1,Turnover:2
7.1 | 1M@d4N* 2M@d5S | row | Tackled=2:M:d4 ball=2M scores=0,1
7.1 | 1M@d4* 1S@d3 2M@d5S | row | Tackled=2:M:d4 ball=2M scores=0,1
7.1 | 1M@d4* 1S@d5 2M@d6S | row | Tackled= ball=1M scores=0,0
7.1 | 1M@d4E* 2M@d5S | row | Tackled= ball=1M scores=0,0
7.1 | 1M@a4* 2M@b4W | row | Tackled= ball=1M scores=0,0
7.1 | 1M@d4 1S@f4* 2M@d5S | row | Tackled= ball=1S scores=0,0
7.1 | 1M@d4* 2M@d5S 2S@d3 | row | Tackled= ball=1M scores=0,0
# Row 1 is where seat 2 scores; its medium tackles there, along the row.
8.2 | 1M@d1* 2M@c1E 1L@f3 1S@f4 2S@f5 | row | Tackled=2:M:d1 Goal= Point=2:0+1 ball=2M
# Tackled in row 1; in row 2 seat 1 defends and tackles back.
10.5 | 1M@d4* 1S@e5 2M@d5 | S=.L./M=F.B | scores=0,1 1S=d5 2M=d4
10.5 | 1M@d4* 1S@c4 2M@d5 | S=.R./M=F.. | Tackled=2:M:d4,1:S:d4 scores=1,1 1S=d4 2M=e4
""",
)
def test_tackles(clause, position, play, expected):
    check_play(position, play, expected)


# Goals and the ball after them

SCORING = "1M@d7* 1S@a4 1L@b4 2S@c5 2M@e5 2L@g5"
LONG = "1M@d6* 1S@a4 1L@b4 2S@c5 2M@e5 2L@g5"


@cases(
    "clause position play expected",
    f"""
1.3 | {SCORING} | M=F../ | Goal=1:M:d8
1.3 | 1M@d2* 1S@a4 1L@b4 2S@c5 2M@e5 2L@g5 low=2 | M=F../ | Goal=1:M:d1
4.2 | {LONG} game=basic | S=FFF,M=FFF,L=FFF/S=FFF,M=FFF,L=FFF | wins=1:BAL-9.1 rows=row1,row2
   1S=a6 1M=d8 Closed+Turnover=
4.2 | 1M@d4* 1S@d6 2M@d5 2S@b5 game=basic | S=.F.,pass=2S/S=.F. | wins=2:BAL-9.1 ball=2M
   Stepped+Turnover=
8.1 | 1M@d7N* | row | Goal=1:M:d8 scores=1,0
8.1 | 1M@c7* 1S@c6 2M@c5N | row | Goal=1:M:c8 scores=1,0
8.1 | 1M@d7* 1S@e7N | row | Goal= scores=0,0
8.1 | 1M@d8E* | row | Goal= scores=0,0
8.1 | 1M@d6N* | row | Goal= scores=0,0
8.1 | 1M@d2S* | row | Goal= scores=0,0
8.1 | 2M@d2S* | row | Goal=2:M:d1 scores=0,1
8.1 | 2M@d7N* | row | Goal= scores=0,0
9.1 | {SCORING} game=basic | M=F../ | wins=1:BAL-9.1 awaits=
9.1 | {SCORING} scores=4,5 | M=F../ | wins=None
9.1 | {SCORING} scores=5,5 | M=F../ | wins=1:BAL-9.1 scores=6,5 Closed= legal=
""",
)
def test_scoring(clause, position, play, expected):
    check_play(position, play, expected)


@cases(
    "pieces right",
    """
1M@d7* | c8 e8
1M@a7* | b8
1M@g7* | f8
1M@d7* 1S@c8 | b8 e8
1M@d7* 2S@c8 2L@b8 1S@a8 | e8
1M@d7* 2S@c8 2L@b8 1S@e8 | a8 f8
1M@f7* 2S@g8 2L@e8 | d8
1M@b7* 2S@a8 2L@g7 | c8
""",
)
def test_ball_squares_after_a_goal(pieces, right):
    match = played(pieces, "M=F../")
    position = match.state.position
    assert [(one.seat, one.moves) for one in position.awaiting()] == [(2, ("ball",))]
    assert [move.at for move in GAME.legal(position, 2)] == right.split()
    assert list(GAME.legal(position, 1)) == []
    for name in BOARD.names:
        if name in right.split():
            add_token(match, f"2:ball={name}")
        else:
            assert refusal(match, f"2:ball={name}").clause == "BAL-10.1"


RECOVERED = "M=F../ 2:ball=e8 /M=B.."


@cases(
    "clause position play expected",
    f"""
# The turn waits for the ball, with its halted pyramids.
10.1 | {GOAL} | S=FFF,M=FB./M=BBF | ball=None turn=1 sealed= 1S=d5 1M=d8 2M=e7
10.1 | {GOAL} | S=FFF,M=FB./M=BBF 2:ball=e8 | first=BallPlaced:2:e8 rows=row2,row3
   Recovered=2:M:e8 1S=d6 1M=d7 2M=e7 turn=2 stage=program ball=2M
10.1 | 1M@d7* 1S@a4 | S=LFF,M=F../ 2:ball=c8 | 1S=a4 halted=1S
10.1 | 1M@d5* 1S@a4 | M=FFF/ | turn=1 stage=place
10.1 | 1M@d5* 1S@a4 | M=FFF/ 2:ball=c8 | all=BallPlaced:2:c8 turn=2 stage=program loose=c8
10.1 | 1M@d4* 1S@f8 2M@g7 | S=.B.,pass=2S/M=.B. | legal=ball=e8,ball=g8
10.1 | 1M@d4* 1S@f8 2M@g7 | S=.B.,pass=2S/M=.B. 2:ball=g8 | 1S=f7 2M=g8 rows=row2,row3
   Unthrown= ball=2M
# Seat 2 recovers at once, reaches its row by a pass and scores too.
10.1 | 1M@d7* 2M@e7 2S@g1 1S@a4 1L@a5 2L@a6 | M=F../M=.B.,pass=3S 2:ball=e8 | stage=place
   Recovered+Reopened+Goal=Recovered:2:M:e8,Reopened:1:8,Goal:2:S:g1
   scores=1,1 closed=2:0 awaits=1:ball
10.1 | 1M@d7* 2M@e7 2S@g1 1S@a4 1L@a5 2L@a6 | M=F../M=.B.,pass=3S 2:ball=e8 1:ball=f1 | turn=2
# The scoring side does not pick the ball up, even when pushed onto it.
10.2 | 1M@c8 2M@b8E closed=1 loose=d8 | row | 1M=d8 2M=c8 ball=None offence=1 Recovered=
10.3 | 2M@d7N closed=1 loose=d8 | row | Recovered=2:M:d8 Turnover=2 Point= ball=2M offence=2
   scores=0,0 loose=None
10.3 | 2M@c8E 1M@d8 closed=1 loose=d8 | row | ball=2M
10.3 | 2M@d7N 2S@c8E closed=1 loose=d8 | row | ball=None
10.3 | 1M@d4 closed=1 loose=d8 | pass=2S/pass=2S | Unthrown=1:ball,2:ball ball=None
# The goal row is closed until the ball has left it; a pass opens it before the moves of its row.
10.4 | 1M@d7* 2M@e7 1S@c7 2S@g5 | M=F../ | closed=1:7 stage=place
10.4 | 1M@d7* 2M@e7 1S@c7 2S@g5 | {RECOVERED} | Recovered=2:M:e8 Reopened= closed=1:7
10.4 | 1M@d7* 2M@e7 1S@c7 2S@g5 | {RECOVERED} S=F../M=.R. | closed=1:7
   Failed=1:S:c7:c8:BAL-6.1,2:M:e8:d8:BAL-6.6
10.4 | 1M@d7* 2M@e7 1S@c7 2S@g5 | {RECOVERED} S=.F./M=F.. | Reopened=1:8 Failed= 1S=c8
10.4 | 1M@d7* 2M@e7 1S@c7 2S@g5 | {RECOVERED} S=F../M=F.. | 1S=c7 closed=0:-1
10.4 | 1M@d7* 2M@e7 1S@c7 2S@g5 | {RECOVERED} S=.F./pass=2S | 1S=c8
   Reopened+Completed+Stepped=Reopened:1:8,Completed:2:e8:g5,Stepped:1:S:c7:c8
10.4 | 2M@e8* 2S@a8 1M@c8 1S@d7 closed=1 | S=.F./pass=2S | closed=0:-1 1S=d8 Goal=
   Reopened+Intercepted=Reopened:1:8,Intercepted:2:e8:a8:c8
""",
)
def test_loose_balls(clause, position, play, expected):
    check_play(position, play, expected)


# Special moves

ALL = "scores=3,3 taken=SML,SML"


def test_seat_with_points_may_take_special_moves():
    match = played("start", "/M=F..")
    assert match.state.position.table.scores == (0, 1)
    assert [one.moves for one in match.state.position.awaiting()] == [
        ("program", "take"),
        ("program",),
    ]
    assert "take it first" in refusal(match, f"1:{STILL},dash=F").message
    check_play("start", "/M=F..", "legal=take=S,take=M,take=L")
    match = add_token(match, "1:take=S")
    assert last_effects(match) == (Taken(1, "S"),)
    assert match.state.position.turn == 2
    assert list(GAME.legal(match.state.position, 1)) == []
    add_token(match, f"1:{STILL},dash=F")


@cases(
    "position seat token clause",
    """
1M@d4* | 1 | quick |
1S@d4* | 1 | quick | BAL-11.4
1M@d4* | 2 | quick | BAL-11.4
1M@d4* | 1 | blitz | BAL-11.5
1S@d4* | 1 | blitz | BAL-11.5
1M@d4* | 2 | blitz |
2M@d4* | 1 | blitz |
2M@d4* | 2 | quick |
1M@d4* | 1 | quick,blitz | BAL-11.5
1M@d4* | 2 | quick,blitz | BAL-11.4
1M@d4* | 1 | dash=x |
1M@d4* | 2 | dash=F |
1M@d4 closed=1 loose=a8 | 1 | blitz |
1M@d4 closed=1 loose=a8 | 2 | blitz |
1M@d4 closed=1 loose=a8 | 1 | quick | BAL-11.4
1M@d4 closed=1 loose=a8 | 2 | quick | BAL-11.4
""",
)
def test_special_moves_need_a_right(position, seat, token, clause):
    move = GAME.parse(f"{STILL},{token}")
    found = move.check(stand(f"{position} {ALL}"), int(seat))
    assert (found.clause if found else "") == clause


@cases(
    "clause position play expected",
    f"""
# A special move may be taken later, and while the other seat has sealed.
11.1 | start | /M=F.. / 2:{STILL} 1:take=L | sealed=2 taken=L,
11.1 | 1M@d4 scores=0,3 taken=SML, | / | legal=
11.1 | 1M@d4 scores=2,0 taken=,M | / | legal=take=S,take=L
11.2 | 1S@d4 scores=0,1 taken=S, | dash=./ | used=S,
11.2 | 1S@d4 scores=1,1 taken=S,S | 1:{STILL},dash=F 1:foul | used=S, 1S=d5
   Revealed=1:...:...:...:None:F:False:False
# Dashes are a fourth row.
11.3 | 1S@d4 2S@d7 {ALL} | S=F..,dash=F/dash=F | 1S=d5 2S=d6 rows=row1,row2,row3,dashrow
11.3 | 1S@d4 {ALL} | S=FRF,dash=F/ | 1S=e7
11.3 | 1S@d4 2S@d6 {ALL} | dash=F/dash=F | 1S=d4 2S=d5 Failed=1:S:d4:d5:BAL-6.3
11.3 | 1S@d7* 2M@e7 {ALL} | dash=F/ | Goal=1:S:d8
11.3 | 1S@d7* 2M@e7 {ALL} | dash=F/ 2:ball=c8 | all=BallPlaced:2:c8 turn=2
11.4 | 1M@d4* 1S@f4 {ALL} | S=F..,pass=1S,quick/ | Completed=1:d4:f4 ball=1S used=M,
11.4 | 1M@d4* 1S@f4 {ALL} | M=F..,pass=1S,quick/ | Unthrown=1:moves ball=1M used=M,
11.4 | 1M@d4* 1S@f4 {ALL} | pass=3S,quick/ | Completed=1:d4:f4 used=M,
11.4 | 1M@d4* 1S@f4 {ALL} | pass=1M,quick/ | Unthrown=1:itself ball=1M
11.5 | 1M@d4* 2L@a8 {ALL} | M=FF./L=FFL,blitz | 2L=b6 1M=d6
   rows=row1,firstblitzrow,secondblitzrow,row2,row3
11.5 | 1M@d4* 2L@a8 {ALL} | /L=RFF,blitz | 2L=a8
11.5 | 1L@d3 2L@d6 closed=1 loose=g8 {ALL} | L=FFF,blitz/L=.F.,blitz | 1L=d4 2L=d5
   Failed=1:L:d4:d5:BAL-6.3
11.5 | 1M@d4* 2L@d5 2S@g5 {ALL} | /L=FLL,pass=2S,blitz | ball=2S
   Tackled+Completed=Tackled:2:L:d4,Completed:2:f4:g5
11 | 1M@d4* 1S@f4 {ALL} | S=F..,pass=1S,dash=F,quick/dash=F,blitz | used=SM,SL 1S=f6
   rows=row1,firstblitzrow,secondblitzrow,row2,row3,dashrow
""",
)
def test_special_moves(clause, position, play, expected):
    check_play(position, play, expected)


def test_only_the_blitzing_pyramid_moves_in_blitz_rows():
    facts = last_effects(played(f"1M@d4* 2L@a8 {ALL}", "M=FF./L=FFL,blitz"))
    # The large does not move in rows 2 and 3.
    assert [(one.squares[1], one.squares[5]) for one in only(facts, Snapshot)] == [
        ("d5", "a7"),
        ("d5", "a6"),
        ("d5", "b6"),
        ("d6", "b6"),
        ("d6", "b6"),
    ]


def test_turns_are_numbered_by_programming():
    match = play_texts(
        GAME, "1:pick=S 2:pick=S 1:pick=S 2:pick=M", opening="selection", length="advanced"
    )
    assert match.state.position.turn == 1
    match = add_token(match, "2:start=defend")
    assert match.state.position.turn == 1
    match = add_token(match, f"1:{STILL}")
    assert match.state.position.turn == 1
    match = add_token(match, f"2:{STILL}")
    assert match.state.position.turn == 2


def test_json_programs_leave_out_absent_parts():
    for token, data in (
        (STILL, '{"type":"program","S":"...","M":"...","L":"..."}'),
        (
            "S=FR.,M=..F,L=LLx,pass=2L,dash=x,quick,blitz",
            '{"type":"program","S":"FR.","M":"..F","L":"LLx","pass":{"row":2,"to":"L"},'
            '"dash":"x","quick":true,"blitz":true}',
        ),
        ("start=ball", '{"type":"start","with":"ball"}'),
        ("foul", '{"type":"foul"}'),
        ("ball=c8", '{"type":"ball","at":"c8"}'),
        ("take=S", '{"type":"take","size":"S"}'),
        ("pick=M", '{"type":"pick","size":"M"}'),
    ):
        move = GAME.parse(token)
        assert msgspec.json.encode(move).decode() == data
        assert GAME.decode(data) == move
        assert GAME.write(move) == token


@pytest.mark.parametrize(
    "data",
    [
        '{"type":"program","S":"FR.","M":"..F"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FF"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFf"}',
        '{"type":"program","S":"FR.\\n","M":"..F","L":"FFF"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","pass":{"row":4,"to":"L"}}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","pass":{"row":2,"to":"L","by":"S"}}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","pass_":{"row":2,"to":"L"}}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","dash":"FF"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","quick":1}',
        '{"type":"ball","at":"h1"}',
        '{"type":"pick","size":"XL"}',
        '{"type":"start","with":"luck"}',
        '{"type":"foul","seat":1}',
    ],
)
def test_malformed_json_is_refused(data):
    with pytest.raises(msgspec.ValidationError):
        GAME.decode(data)


# Pictures and random matches


def test_turn_is_drawn_row_by_row():
    match = played("1M@d4* 1S@f3 2M@c4 2S@a6", "S=F..,pass=3S/S=R..,M=L..")
    scene = GAME.scene(match.state.position, last_effects(match))
    assert [frame.caption.split(":")[0] for frame in scene.frames] == ["row 1", "row 2", "row 3"]
    arrows = {(one.kind, one.start, one.end) for one in scene.frames[0].arrows}
    # The small on a6 fails at the edge: its arrow leads nowhere.
    assert arrows == {
        ("push", "d4", "e4"),
        ("move", "c4", "d4"),
        ("move", "f3", "f4"),
        ("failed", "a6", "a6"),
    }
    assert "program S F.., M ..., L ..., pass in row 3 to S" in scene.trays[0].lines
    assert {(one.start, one.end) for one in scene.arrows} == {
        ("d4", "e4"),
        ("c4", "d4"),
        ("f3", "f4"),
    }
    failed = played("1M@d4* 2M@a4 2S@b4", "/M=L..")
    frames = GAME.scene(failed.state.position, last_effects(failed)).frames
    assert [(one.kind, one.start, one.end) for one in frames[0].arrows] == [("failed", "a4", "b4")]
    halted = [
        cell.at
        for cell in frames[2].panels[0].cells
        for piece in cell.pieces
        if "halted" in piece.badges
    ]
    assert halted == ["a4"]


def test_ball_is_drawn_carried_or_loose():
    start = GAME.start()

    def balls(scene):
        return [
            (cell.at, piece.shape)
            for cell in scene.panels[0].cells
            for piece in cell.pieces
            if piece.shape == "ball" or "ball" in piece.badges
        ]

    assert balls(GAME.scene(start)) == [("d4", "pyramid")]
    match = played("1M@d7* 2M@e7 1S@c7", "M=F../ 2:ball=e8")
    scene = GAME.scene(match.state.position, last_effects(match))
    assert balls(scene) == balls(scene.frames[0]) == [("e8", "ball")]
    grounds = {cell.at: cell.ground for cell in GAME.scene(start).panels[0].cells}
    assert (grounds["a1"], grounds["a8"], grounds["a4"]) == ("goal1", "goal2", "")


def test_settled_row_leaves_pyramids_on_different_squares():
    rng = random.Random(7)
    patch = [BOARD.index[a + b] for a in "cdef" for b in "1238"]
    for _ in range(3000):
        before = rng.sample(patch, 6)
        steps = [rng.choice([(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]) for _ in before]
        tried = [BOARD.step(at, step) for at, step in zip(before, steps, strict=True)]
        closed = ClosedRow(rng.choice((0, 0, 1, 2)), 7)
        offence = rng.choice((1, 2))
        places = enumerate(zip(before, tried, strict=True))
        tries = {one: to for one, (at, to) in places if to != at}
        moved, failed, pushes = settle(before, tries, offence, closed)
        pushed = {one: to for push in pushes.values() for one, to in push}
        after = [(moved | pushed).get(one, at) for one, at in enumerate(before)]
        assert len(set(after)) == 6
        assert min(after) >= 0
        for one, (at, to) in enumerate(zip(before, tried, strict=True)):
            if one in pushed:
                assert SEAT[one] == offence
                assert at == to or one in failed
            else:
                assert after[one] == (at if one in failed else to)
        assert not set(pushes) & set(failed)


def test_random_matches_keep_invariants():
    rng = random.Random(11)
    finished = 0
    for _ in range(10):
        position = GAME.start(GAME.options(length="advanced"))
        for _ in range(2000):
            awaited = position.awaiting()
            if not awaited:
                break
            position, _ = _anything(rng, position, rng.choice(awaited).seat)
            table = position.table
            assert len(set(table.squares)) == 6
            assert (table.carrier == NOBODY) == (table.loose >= 0 or table.stage == "place")
            assert table.closed.seat in (
                0,
                table.offence if table.carrier == NOBODY else 3 - table.holder,
            )
            assert all(
                len(t) <= 3 and set(u) <= set(t)
                for t, u in zip(table.taken, table.used, strict=True)
            )
            assert (max(table.scores) == 6) == (position.outcome() is not None)
        finished += position.outcome() is not None
    assert finished > 6


def _anything(rng: random.Random, position: Play, seat: int) -> tuple[Play, tuple[Effect, ...]]:
    listed = list(GAME.legal(position, seat))
    if listed and (position.table.stage != "program" or rng.random() < 0.3):
        move = rng.choice(listed)
    elif position.secrets[seat - 1] is None:
        commands = ("".join(rng.choices("FBLRFBLR.", k=3)) for _ in range(3))
        to = rng.choice([None, Pass(2, rng.choice("SML")), Pass(3, rng.choice("SML"))])
        move = Program(*commands, to)
        extra = Program(move.S, move.M, move.L, to, "F", True, True)
        if extra.check(position, seat) is None:
            move = extra
    else:
        return position, ()
    assert move.check(position, seat) is None
    return move.evolve(position, seat)


def test_effects_have_words():
    rng = random.Random(3)
    said = set()
    for _ in range(6):
        position = GAME.start(GAME.options(length="advanced"))
        for seat in itertools.islice(itertools.cycle((1, 2)), 300):
            if any(one.seat == seat for one in position.awaiting()):
                position, facts = _anything(rng, position, seat)
                said |= {type(fact) for fact in facts if fact.words()}
    assert {
        Stepped,
        Pushed,
        Failed,
        Goal,
        BallPlaced,
        Recovered,
        Fouled,
        Tackled,
        Closed,
    } <= said
