"""Events that edit the line: take-backs by request or at once, and amendments."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.entry import move_text
from domain.entry.move_text import legal_texts
from domain.events import Adjusted
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.log_edits import (
    Amended,
    Amendment,
    SeedRevealed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    amendment,
)
from domain.match import LogEvent, Match, fold, open_match
from domain.position import Violation
from tests.case_table import cases
from tests.conformance.subjects import GAMES
from tests.token_play import add_token, play_texts

HIDDEN_BID = GAMES["hidden-bid"]
OPENING = "M@c1 S@c6 c1>L@c3 c6>M@c4 c3xc4"
"""Five plies of Poptrix; the last needs the two before it."""
PROGRAMS = "1:S=...,M=...,L=... 2:S=...,M=...,L=..."


def edit(match: Match, ply: int, token: str | None = None, *, how: str = "replaced") -> Amended:
    """Return an amendment with the right count; the rules must allow its event."""
    if token is None:
        amended = Amended(ply, "deleted")
    else:
        event = move_text.read(match.game, match.at(ply - 1), token)
        assert not isinstance(event, Violation), event
        amended = Amended(ply, how, event)
    return replace(amended, stood=amendment(match, amended).stood)


def log(match: Match, event: LogEvent) -> Match:
    """Return the match with a logged event, which must be possible."""
    assert match.check(event) is None
    return match.evolve(event)


def written(match: Match) -> str:
    """Return the texts of the line."""
    return " ".join(move_text.write(match.game, ply.event) for ply in match.line)


def why(match: Match, amended: Amended) -> Amendment:
    """Return which later events stood, fell and broke."""
    found = amendment(match, amended)
    assert found.fell
    return found


def test_takeback_cuts_line_and_extends_log():
    match = log(play_texts(POPTRIX, OPENING), TakenBack(2))
    assert (written(match), match.version) == ("M@c1 S@c6", 6)
    assert add_token(match, "c1>L@c3").line[-1].version == 7


@pytest.mark.parametrize("ply", [-1, 2, 3])
def test_takeback_needs_an_earlier_ply(ply):
    match = play_texts(POPTRIX, "M@c1 S@c6")
    assert match.check(TakenBack(ply)).clause == "turn"
    assert match.check(TakebackAsked(1, ply)).clause == "turn"


def test_takeback_request_is_granted_by_taking_back():
    asked = log(play_texts(POPTRIX, OPENING), TakebackAsked(1, 4))
    assert written(asked) == OPENING
    assert asked.asked == TakebackAsked(1, 4)
    granted = log(asked, TakenBack(4))
    assert (len(granted.line), granted.asked) == (4, None)


@pytest.mark.parametrize(
    "event", [TakebackDeclined(2), TakebackAsked(2, 0), TakenBack(1), Amended(1, "deleted")]
)
def test_request_lapses_when_line_is_edited(event: LogEvent):
    asked = log(play_texts(POPTRIX, "M@c1 S@c6"), TakebackAsked(1, 1))
    assert asked.evolve(event).asked is not asked.asked


def test_request_lapses_with_a_move():
    asked = log(play_texts(POPTRIX, "M@c1"), TakebackAsked(1, 0))
    assert add_token(asked, "S@c6").asked is None
    assert fold(asked, [play_texts(POPTRIX, "M@c1 S@c6").line[-1].event]).asked is None


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_seat_cannot_decline_its_own_takeback(seat):
    asked = log(play_texts(POPTRIX, "M@c1"), TakebackAsked(1, 0))
    assert asked.check(TakebackDeclined(seat)).clause == "turn"
    assert asked.check(TakebackDeclined(2)) is None


def test_takeback_answer_needs_request_and_seat():
    match = play_texts(POPTRIX, "M@c1")
    assert match.check(TakebackDeclined(2)).clause == "turn"
    assert match.check(TakebackAsked(3, 0)).clause == "turn"


@cases(
    "game line ply how token after versions",
    """
poptrix | M@c1 S@c6 c1>L@c3 | 2 | replaced | S@b6 | M@c1 S@b6 c1>L@c3 | 1 4 3
power-play | 1:offer-draw 2:resign | 2 | inserted | 3:accept-draw
  | 1:offer-draw 3:accept-draw 2:resign | 1 3 2
poptrix | M@c1 | 2 | inserted | S@c6 | M@c1 S@c6 | 1 2
poptrix | M@c1 1:offer-draw S@c6 c1>L@c3 | 2 | deleted | | M@c1 S@c6 c1>L@c3 | 1 3 4
# The match goes on without the event that ended it.
poptrix | M@c1 2:resign | 2 | replaced | S@c6 | M@c1 S@c6 | 1 3
# Programs that are revealed, whichever came first.
pyramid-ball | {still} | 1 | replaced | 1:S=F..,M=...,L=... | {first} | 3 2
pyramid-ball | {still} | 2 | replaced | 2:S=F..,M=...,L=... | {second} | 1 3
""".format(
        still=PROGRAMS,
        first=PROGRAMS.replace("1:S=...", "1:S=F.."),
        second=PROGRAMS.replace("2:S=...", "2:S=F.."),
    ),
)
def test_amendments(game, line, ply, how, token, after, versions):
    match = play_texts(GAMES[game], line, seats=3 if game == "power-play" else None)
    amended = log(match, edit(match, int(ply), token or None, how=how))
    assert written(amended) == after
    assert [str(one.version) for one in amended.line] == versions.split()
    assert amended.state == play_texts(GAMES[game], after, seats=match.seats).state


def test_first_broken_later_event_drops_the_rest():
    match = play_texts(POPTRIX, OPENING)
    amended = edit(match, 3, "c1>L@c2")
    found = why(match, amended)
    assert (found.stood, found.fell) == (1, 1)
    assert found.broken == match.line[4]
    assert found.violation.clause == "POP-4.0"
    assert "c1>L@a1" in legal_texts(POPTRIX, found.at)
    assert written(log(match, amended)) == "M@c1 S@c6 c1>L@c2 c6>M@c4"


@pytest.mark.parametrize(
    ("line", "ply", "token", "how", "broken"),
    [
        ("M@c1 S@c6", 1, "1:resign", "replaced", "S@c6"),
        ("1:offer-draw 2:accept-draw", 1, None, "deleted", "2:accept-draw"),
        ("1:offer-draw 2:decline-draw", 1, None, "deleted", "2:decline-draw"),
        ("1:offer-draw", 1, "2:offer-draw", "inserted", "1:offer-draw"),
        ("2:resign", 1, "2:resign", "inserted", "2:resign"),
        ("1:flag", 1, "ruled==", "inserted", "1:flag"),
        ("ruled=+1", 1, "ruled=*", "inserted", "ruled=+1"),
    ],
)
def test_every_kind_of_event_can_fall(line, ply, token, how, broken):
    match = play_texts(POPTRIX, line)
    amended = edit(match, ply, token, how=how)
    found = why(match, amended)
    assert move_text.write(POPTRIX, found.broken.event) == broken
    assert written(log(match, amended)) == (token or "")


def test_ruling_falls_when_its_winner_left():
    match = play_texts(POWER_PLAY, "1:offer-draw ruled=+2", seats=3)
    amended = edit(match, 1, "2:resign")
    assert why(match, amended).violation.clause == "turn"


def test_adjustment_survives_amendment_before_it():
    position = POPTRIX.write_position(play_texts(POPTRIX, "M@c1 S@c6").state.position)
    match = log(play_texts(POPTRIX, "M@c1"), Adjusted(position, "written later"))
    match = add_token(match, "c1>L@c3")
    amended = log(match, edit(match, 1, "M@a1"))
    assert amended.state == match.state
    assert written(log(match, edit(match, 2))) == "M@c1", "seat 2 is to move without it"


def test_adjustment_can_be_replaced():
    position = POPTRIX.write_position(play_texts(POPTRIX, "M@c1 S@c6").state.position)
    match = log(play_texts(POPTRIX, "M@c1"), Adjusted(position, "a slip"))
    assert written(log(match, edit(match, 2, "S@c6"))) == "M@c1 S@c6"


def test_illegal_amendment_is_refused_by_clause():
    match = play_texts(POPTRIX, "M@c1 S@c6 c1>L@c3")
    event = play_texts(POPTRIX, "M@a1 S@c6 a1>L@a3").line[2].event
    assert match.check(Amended(3, "replaced", event)).clause == "POP-3.1"


@pytest.mark.parametrize(
    ("amended", "clause"),
    [
        (Amended(0, "deleted"), "turn"),
        (Amended(4, "deleted"), "turn"),
        (Amended(5, "inserted"), "turn"),
        (Amended(1, "replaced"), "form"),
        (Amended(4, "inserted"), "form"),
        (Amended(1, "deleted", play_texts(POPTRIX, "M@a1").line[0].event), "form"),
        (Amended(3, "deleted", stood=1), "form"),
        (Amended(2, "replaced", play_texts(POPTRIX, "M@c1 S@b6").line[1].event, stood=0), "form"),
    ],
)
def test_impossible_amendment_is_refused(amended: Amended, clause: str):
    assert play_texts(POPTRIX, "M@c1 S@c6 c1>L@c3").check(amended).clause == clause


def test_amended_line_can_be_taken_back():
    match = play_texts(POPTRIX, "M@c1 S@c6 c1>L@c3")
    amended = log(match, edit(match, 2, "S@b6"))
    back = log(amended, TakenBack(1))
    assert (written(back), back.version) == ("M@c1", 5)
    assert written(add_token(back, "L@a6")) == "M@c1 L@a6"


def test_event_can_be_amended_twice():
    match = play_texts(POPTRIX, "M@c1 S@c6 c1>L@c3")
    amended = log(match, edit(match, 2, "S@b6"))
    again = log(amended, edit(amended, 2, "S@c6"))
    assert again.state == match.state
    assert [ply.version for ply in again.line] == [1, 5, 3]


def test_folded_log_equals_the_match():
    match = play_texts(POPTRIX, OPENING)
    amended = edit(match, 3, "c1>L@c2")
    events = [ply.event for ply in match.line]
    once = match.evolve(amended)
    assert fold(open_match(POPTRIX), [*events, amended, TakenBack(1)]) == once.evolve(TakenBack(1))


def test_sealed_move_prevents_amending():
    match = add_token(play_texts(PYRAMID_BALL, PROGRAMS), "2:S=...,M=...,L=...")
    program = match.line[0].event
    assert match.check(Amended(1, "replaced", program, stood=2)).clause == "sealed"
    assert match.check(Amended(3, "deleted")).clause == "sealed"


@cases(
    "line ply token counts broken clause after",
    """
# A secret move falls with its answer, and when it would stay sealed.
roll=4 1:bid=3 2:bid=2 roll=2 | 2 | | 0 2 | 4 | turn | roll=4
roll=4 1:bid=3 2:bid=2 | 2 | | 0 1 | 3 | turn | roll=4
# A pair falls as a whole, whichever of them breaks.
roll=4 1:bid=3 2:bid=0 roll=2 1:bid=7 2:bid=1 roll=1 | 2 | 1:bid=4 | 2 3 | 5 | BID-2.3
  | roll=4 1:bid=4 2:bid=0 roll=2
roll=4 2:bid=3 1:bid=0 roll=2 1:bid=1 2:bid=7 roll=1 | 2 | 2:bid=4 | 2 3 | 6 | BID-2.3
  | roll=4 2:bid=4 1:bid=0 roll=2
""",
)
def test_secret_moves_fall_together(line, ply, token, counts, broken, clause, after):
    match = play_texts(HIDDEN_BID, line)
    amended = edit(match, int(ply), token or None)
    found = why(match, amended)
    assert f"{found.stood} {found.fell}" == counts
    assert found.broken == match.line[int(broken) - 1]
    assert found.violation.clause == clause
    assert written(log(match, amended)) == after


def test_answer_to_secret_move_is_undeletable():
    match = play_texts(HIDDEN_BID, "roll=4 1:bid=3 2:bid=2 roll=2")
    assert match.check(edit(match, 3)).clause == "turn"


SEED = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("tokens", "seed", "clause", "words"),
    [
        (OPENING, SEED, "turn", "when the match has ended"),
        (OPENING + " 1:resign", SEED.upper(), "form", "64 hexadecimal digits"),
        (OPENING + " 1:resign", SEED + "\n", "form", "64 hexadecimal digits"),
        (OPENING + " 1:resign", SEED[1:], "form", "64 hexadecimal digits"),
    ],
)
def test_early_or_malformed_seed_reveal_is_refused(tokens, seed, clause, words):
    violation = play_texts(POPTRIX, tokens).check(SeedRevealed(seed))
    assert violation.clause == clause
    assert words in violation.message


def test_revealed_seed_is_kept_outside_the_line():
    match = play_texts(POPTRIX, OPENING + " 1:resign")
    reveal = SeedRevealed(SEED)
    assert match.check(reveal) is None
    after = match.evolve(reveal)
    assert (after.seed, after.version, after.line) == (SEED, match.version + 1, match.line)
    back = after.evolve(TakenBack(2))
    assert back.seed == SEED
    again = add_token(back, "1:resign").check(reveal)
    assert "already been revealed" in again.message
    assert fold(match, [reveal, TakenBack(2)]) == back


def round_inserted(match: Match, ply: int, *written: str) -> Match:
    """Return the match with forgotten events inserted before a ply, all at once."""
    for place, token in enumerate(written, ply):
        event = move_text.read(match.game, match.at(place - 1), token)
        amended = Amended(place, "inserted", event, more=place < ply + len(written) - 1)
        if not amended.more:
            amended = replace(amended, stood=amendment(match, amended).stood)
        match = log(match, amended)
    return match


def test_inserted_round_keeps_later_events():
    match = play_texts(POPTRIX, "M@c1 S@c6 c1>S@d1 c6>M@d6")
    whole = round_inserted(match, 3, "c1>L@b1", "c6>L@b6")
    assert written(whole) == "M@c1 S@c6 c1>L@b1 c6>L@b6 c1>S@d1 c6>M@d6"
    assert [ply.version for ply in whole.line] == [1, 2, 5, 6, 3, 4]
    assert whole.aside is None
    assert len(edit(match, 3, "c1>L@b1", how="inserted").tail(match)) == 2
    assert edit(match, 3, "c1>L@b1", how="inserted").stood == 0


def test_inserted_turn_has_both_programs():
    match = play_texts(PYRAMID_BALL, "1:S=F..,M=...,L=... 2:S=...,M=...,L=...")
    whole = round_inserted(match, 1, *PROGRAMS.split())
    assert written(whole) == f"{PROGRAMS} 1:S=F..,M=...,L=... 2:S=...,M=...,L=..."
    assert not whole.state.position.sealed


def test_unfinished_amendment_sets_later_events_aside():
    match = play_texts(POPTRIX, "M@c1 S@c6 c1>S@d1 c6>M@d6")
    event = move_text.read(POPTRIX, match.at(2), "c1>L@b1")
    waiting = log(match, Amended(3, "inserted", event, more=True))
    assert written(waiting) == "M@c1 S@c6 c1>L@b1"
    assert waiting.aside == match.line[2:]
    assert waiting.check(Amended(5, "deleted")).message == "amend a ply up to 4 first"
    assert waiting.check(Amended(7, "deleted")).clause == "turn"
    assert log(waiting, Amended(4, "deleted", stood=1)).line[-1].version == 4
    assert log(waiting, TakenBack(2)).aside is None
    assert add_token(waiting, "c6>L@b6").aside is None


def test_unfinished_amendment_counts_no_later_events():
    match = play_texts(POPTRIX, "M@c1 S@c6 c1>S@d1")
    event = match.line[1].event
    assert match.check(Amended(2, "replaced", event, 1, more=True)).clause == "form"
    assert match.check(Amended(2, "replaced", event, 1)) is None


@pytest.fixture(scope="module")
def finished_deal():
    """A deal of whist in which each seat has a suit and plays its lowest card first."""
    ranks = "23456789TJQKA"
    hands = " ".join(
        f"{seat}:hand=" + "".join(f"{rank}{suit}" for rank in ranks)
        for seat, suit in enumerate("CDSH", 1)
    )
    match = play_texts(GAMES["whist"], hands)
    while match.state.outcome is None:
        match = add_token(match, legal_texts(match.game, match.state)[0])
    return match


@cases(
    "ply token stood fell broken",
    """
5  | 1:5C | 12 | 39 | WHI-3.1
5  | 1:2C | 51 | 0  |
1  | -    | 3  | 52 | turn
56 | -    | 0  | 0  |
""",
)
def test_amendment_may_end_within_revealed_deal(finished_deal, ply, token, stood, fell, broken):
    amended = edit(finished_deal, int(ply), None if token == "-" else token)
    found = amendment(finished_deal, amended)
    assert (found.stood, found.fell) == (int(stood), int(fell))
    assert (found.violation.clause if found.violation else "") == broken
    assert len(log(finished_deal, amended).line) == int(ply) - (token == "-") + int(stood)


def test_recorded_amendment_that_dropped_hands_stays_valid(finished_deal):
    assert finished_deal.check(Amended(1, "deleted", stood=0)) is None
    assert "`stood` is 3 here" in finished_deal.check(Amended(1, "deleted", stood=2)).message


def test_amendment_within_unrevealed_deal_is_refused(finished_deal):
    running = finished_deal.evolve(TakenBack(30))
    refused = running.check(edit(running, 5, "1:5C"))
    assert refused.clause == "sealed"
