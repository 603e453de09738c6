"""The clock: charged time, flags and fouls, and their verification."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.entry.move_text import read
from domain.events import Flagged, Moved
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.log_edits import TakebackAsked
from domain.position import Outcome
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections import adjustments
from replay.corrections.amendments import amend, plan_insertion, plan_replacement
from replay.corrections.takebacks import take_back
from replay.errors import Damaged, Refused, Usage
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.reading import hints, timeline
from replay.record.addresses import Address
from replay.record.clock import MAX_SECONDS, Clock, SeatClock, read_clock
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.verification import Verified, verify_match
from replay.store import temporary_store

PROGRAM = "S=...,M=...,L=..."
BLITZ = Clock(total=60, increment=5)
START = 1_700_000_000_000


class Table:
    """A match with a clock: `at` is in seconds since the opening."""

    def __init__(self, game, clock: Clock | None, **options) -> None:
        self.at = 0.0
        self.book = Book(temporary_store(), now=lambda: START + round(self.at * 1000))
        self.match = open_match(self.book, game, clock=clock, **options)

    def enter(self, at: float, *entries: entering.Entry) -> MatchRecord:
        self.at = at
        self.match = play(self.book, self.match, entries)
        return self.match

    def play(self, *batches: tuple[Any, ...]) -> Table:
        """Enter batches, each at its time."""
        for batch in batches:
            self.enter(*batch)
        return self

    def refusal(self, at: float, *entries: entering.Entry) -> tuple[str, str]:
        self.at = at
        with pytest.raises(Refused) as refused:
            play(self.book, self.match, entries)
        return refused.value.violation.clause, refused.value.violation.message

    def take_back(self, at: float, ply: int) -> None:
        self.at = at
        self.match = take_back(self.book, self.match, ply)

    def seats(self) -> list[tuple[float, float | None, bool]]:
        found = timeline.clocks(self.match)
        return [
            (one.used / 1000, None if one.left is None else one.left / 1000, one.running)
            for one in found.seats
        ]

    def verdict(self) -> Verified:
        return verify_match(self.book, self.book.store.stream(self.match.stream.id))


def poptrix(clock: Clock | None = BLITZ) -> Table:
    return Table(POPTRIX, clock)


# Settings


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("total=600,increment=5", Clock(total=600, increment=5)),
        ("move=30", Clock(move=30)),
        ("move=30,total=600", Clock(move=30, total=600)),
        ("programming=45", Clock(programming=45)),
        ("40/7200:3600", Clock(control="40/7200:3600")),
        ("control=300+5d", Clock(control="300+5d")),
        ("3600:5x30,programming=45", Clock(control="3600:5x30", programming=45)),
    ],
)
def test_settings_are_read_as_text(text, clock):
    assert read_clock(text) == clock


@pytest.mark.parametrize(
    "text", ["", "total", "total=", "total=x", "total=-1", "total=1.5", "total=²", "bogus=1",
             "total=1,total=2", "total=1,", "total=1 ,move=2", "300,300", "300:300"],
)  # fmt: skip
def test_invalid_clock_setting_is_refused(text):
    with pytest.raises(Usage):
        read_clock(text)


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (Clock(total=0), "total must be a number of seconds from 1"),
        (Clock(move=-5), "move must be a number"),
        (Clock(total=MAX_SECONDS + 1), "total must be a number"),
        (Clock(total=60, increment=-1), "increment must be a number"),
        (Clock(move=60, programming=0), "programming must be a number"),
        (Clock(move=60, increment=5), "added to a total"),
        (Clock(total=60, control="300"), "the clock 300 has every limit; leave out move and total"),
        (Clock(move=60, control="300"), "the clock 300 has every limit; leave out move and total"),
        (Clock(increment=5, control="300"), "added to a total"),
        (Clock(), "needs a time per move or in total"),
        (Clock(programming=30), "needs a time per move or in total"),
    ],
)
def test_senseless_clock_opens_no_match(clock, words):
    book = Book(temporary_store())
    with pytest.raises(Usage, match=words):
        open_match(book, POPTRIX, clock=clock)
    assert list(book.matches()) == []


def test_programming_clock_has_no_flag():
    table = Table(PYRAMID_BALL, Clock()).play((0, f"1:{PROGRAM}"))
    table.at = 1000
    clause, message = table.refusal(1000, "1:flag")
    assert clause == "clock"
    assert "has no flag" in message


def test_invalid_clock_in_the_header_is_damage():
    table = poptrix()
    assert table.match.header.clock == BLITZ
    header = msgspec.json.decode(table.match.stream.header)
    assert header["clock"] == {"total": 60, "increment": 5}
    for clock in ({"x": 1}, {"control": "300:300"}):
        stream = replace(table.match.stream, header=msgspec.json.encode(header | {"clock": clock}))
        with pytest.raises(Damaged, match="clock"):
            Book(temporary_store()).read(stream)


# Charged time


def test_clock_charges_no_time_before_the_first_event():
    table = poptrix()
    assert timeline.clocks(table.match).since is None
    assert table.seats() == [(0, 60, False), (0, 60, False)]
    table.enter(500, "M@c1")
    assert table.seats() == [(0, 65, False), (0, 60, True)]
    assert timeline.clocks(table.match).since == START + 500_000


def test_time_runs_for_the_awaited_seat_with_increment():
    table = poptrix().play((0, "M@c1"), (7, "S@c6"), (10, "c1>L@c3"))
    assert table.seats() == [(3, 67, False), (7, 58, True)]
    assert [entry.used for entry in timeline.entries(table.match)] == [0, 7000, 3000]


def test_time_runs_through_draw_offers():
    table = poptrix().play((0, "M@c1"), (4, "1:offer-draw"), (6, "2:decline-draw"), (9, "S@c6"))
    assert table.seats() == [(0, 65, True), (9, 56, False)]
    assert [entry.used for entry in timeline.entries(table.match)] == [0, 0, 6000, 9000]


def test_both_seats_are_charged_while_both_must_act():
    table = Table(PYRAMID_BALL, Clock(total=100)).play(
        (0, f"1:{PROGRAM}", f"2:{PROGRAM}"), (10, f"1:{PROGRAM}")
    )
    assert table.seats() == [(10, 90, False), (10, 90, True)]
    table.enter(30, f"2:{PROGRAM}")
    assert table.seats() == [(10, 90, True), (30, 70, True)]
    assert [entry.used for entry in timeline.entries(table.match)] == [0, 0, 10_000, 30_000]


def test_time_stops_once_the_match_is_over():
    table = poptrix().play((0, "M@c1"), (5, "1:resign"))
    assert table.seats() == [(0, 65, False), (5, 55, False)]
    table.take_back(50, 1)
    assert table.seats() == [(0, 65, False), (5, 55, True)]


def test_time_of_moves_taken_back_stays_spent():
    table = poptrix().play((0, "M@c1"), (20, "S@c6"))
    table.take_back(30, 1)
    assert table.seats() == [(10, 55, False), (20, 45, True)]
    table.enter(32, "S@c6")
    assert table.seats() == [(10, 55, True), (22, 48, False)]
    assert [entry.used for entry in timeline.entries(table.match)] == [0, 2000]


def test_backward_clock_charges_no_time_twice():
    table = poptrix().play((100, "M@c1"), (90, "S@c6"))
    assert table.match.log[-1].at == table.match.log[0].at, "time never goes back"
    table.enter(104, "c1>L@c3")
    assert table.seats() == [(4, 66, False), (0, 65, True)]


def test_match_without_a_clock_has_no_times():
    table = poptrix(None).play((0, "M@c1"))
    assert timeline.clocks(table.match) is None
    assert [entry.used for entry in timeline.entries(table.match)] == [None]


def test_earlier_version_has_its_own_clocks():
    table = poptrix().play((0, "M@c1"))
    then = table.enter(7, "S@c6")
    now = table.enter(10, "c1>L@c3")
    assert timeline.clocks(now.at_version(2)) == timeline.clocks(then)
    assert timeline.clocks(then).seats[1] == SeatClock(2, 7000, 58_000, False)


waits = st.lists(st.integers(0, 90_000), max_size=12)


@settings(max_examples=40)
@given(waits, st.booleans())
def test_folding_event_by_event_equals_folding_at_once(waits, again):
    table, now = poptrix(), 0.0
    for wait in waits:
        now += wait / 1000
        length = len(table.match.match.line)
        if again and length > 2:
            table.take_back(now, length - 2)
        else:
            table.enter(now, hints.legal_texts(table.match, table.match.match)[0])
    fresh = Book(table.book.store).open(table.match.id)
    assert fresh.times == table.match.times
    for one in timeline.clocks(fresh).seats:
        moves = sum(isinstance(each, Moved) and each.seat == one.seat for each in fresh.events)
        assert one.left == (BLITZ.total + BLITZ.increment * moves) * 1000 - one.used
    charged = sum(one.used for one in timeline.clocks(fresh).seats)
    assert charged == (fresh.log[-1].at - fresh.log[0].at if fresh.log else 0)
    assert table.verdict().ok


# Flags


@pytest.mark.parametrize(
    ("clock", "up"),
    [
        (Clock(total=60), 60),
        (Clock(total=60, increment=9), 60),
        (Clock(move=20), 20),
        (Clock(move=20, total=60), 20),
        (Clock(move=20, total=7), 7),
    ],
)
def test_flag_needs_an_opponent_out_of_time(clock, up):
    table = poptrix(clock).play((100, "M@c1"))
    clause, message = table.refusal(100 + up - 0.001, "1:flag")
    assert clause == "clock"
    assert "seat 2 is not up: it has 1 second left" in message
    assert f"{up} seconds left" in table.refusal(100, "1:flag")[1]
    over = table.enter(100 + up, "1:flag")
    assert over.state.outcome == Outcome("flagged", (1,))
    assert table.verdict().ok


def test_no_seat_is_late_before_the_clock_starts():
    assert poptrix().refusal(10_000, "2:flag")[0] == "clock"


def test_waiting_seat_cannot_be_flagged():
    table = poptrix(Clock(move=10)).play((0, "M@c1"))
    assert "10 seconds left" in table.refusal(50, "2:flag")[1]


def test_exceeded_total_can_be_claimed_later():
    table = poptrix(Clock(total=10)).play((0, "M@c1"), (11, "S@c6"))
    assert table.seats()[1] == (11, -1, False)
    assert table.enter(11, "1:flag").state.outcome.winners == (1,)


def test_each_move_has_its_own_time():
    table = poptrix(Clock(move=10)).play((0, "M@c1"), (9, "S@c6"), (18, "c1>L@c3"))
    assert table.refusal(27, "1:flag")[0] == "clock"
    assert table.enter(28, "1:flag").state.outcome


def test_takeback_request_gives_no_more_time():
    table = poptrix(Clock(move=10)).play((0, "M@c1"), (9, TakebackAsked(2, 0)))
    assert table.enter(10, "1:flag").state.outcome


def test_flag_among_three_seats_removes_the_awaited_one():
    table = Table(POWER_PLAY, Clock(move=10), seats=3)
    late = table.match.state.in_turn
    others = [seat for seat in (1, 2, 3) if seat != late]
    table.enter(0, f"{others[0]}:offer-draw")
    assert table.refusal(9, f"{others[1]}:flag")[0] == "clock"
    assert late not in table.enter(10, f"{others[1]}:flag").state.position.playing
    assert table.verdict().ok


def test_flag_without_a_clock_is_accepted():
    table = poptrix(None).play((0, "M@c1"))
    assert table.enter(0, "1:flag").state.outcome.clause == "flagged"
    assert table.verdict().ok


def test_amendment_cannot_insert_a_flag():
    table = poptrix().play((0, "M@c1", "S@c6"))
    table.at = 1000
    for correction in (plan_insertion, plan_replacement):
        with pytest.raises(Refused, match="rule instead") as refused:
            correction(table.match, 2, "1:flag")
        assert refused.value.violation.clause == "clock"
    table.match = amend(table.book, plan_replacement(table.match, 2, "S@d6"))
    assert [entry.used for entry in timeline.entries(table.match)] == [0, None]
    assert table.verdict().ok


# Delay and byo-yomi


BYO_YOMI = Clock(control="10:3x5")


def shown(table: Table) -> list[str]:
    return [
        f"{one.shown(0).left / 1000:g} {one.shown(0).note}"
        for one in timeline.clocks(table.match).seats
    ]


def test_byo_yomi_is_judged_by_recorded_times():
    table = poptrix(BYO_YOMI).play((0, "M@c1"), (12, "S@c6"), (12, "c1>L@c3"))
    assert shown(table) == ["10 +3×0:05", "5 3×0:05"]
    assert table.refusal(26.999, "1:flag") == (
        "clock",
        "the time of seat 2 is not up: it has 1 second left",
    )
    table.enter(19, "c6>M@c4")
    assert shown(table)[1] == "5 2×0:05"
    table.enter(19, hints.legal_texts(table.match, table.match.match)[0])
    assert "1 second left" in table.refusal(28.999, "1:flag")[1]
    assert table.enter(29, "1:flag").state.outcome.clause == "flagged"
    assert table.verdict().ok


def test_running_clock_lists_its_coming_phases():
    clock = timeline.clocks(poptrix(BYO_YOMI).enter(0, "M@c1")).seats[1]
    assert msgspec.to_builtins(clock.ahead) == (
        {"after": 0, "left": 10_000, "words": "+3×0:05"},
        {"after": 10_000, "left": 5000, "periods": 3, "words": "3×0:05"},
        {"after": 15_000, "left": 5000, "periods": 2, "words": "2×0:05"},
        {"after": 20_000, "left": 5000, "periods": 1, "words": "1×0:05"},
    )


def test_clock_without_stages_has_no_phases():
    clocks = timeline.clocks(poptrix().enter(0, "M@c1"))
    assert [msgspec.to_builtins(one) for one in clocks.seats] == [
        {"seat": 1, "used": 0, "left": 65_000, "running": False},
        {"seat": 2, "used": 0, "left": 60_000, "running": True},
    ]


def test_takeback_restarts_the_delay():
    table = poptrix(Clock(control="10+5d")).play((0, "M@c1"), (8, "S@c6"))
    table.take_back(20, 1)
    assert shown(table) == ["3 delay 0:05", "7 delay 0:05"]
    assert "12 seconds left" in table.refusal(20, "1:flag")[1]
    assert table.enter(32, "1:flag").state.outcome
    assert table.verdict().ok


def test_moves_taken_back_stay_counted_in_a_stage():
    table = poptrix(Clock(control="2/60:30")).play((0, "M@c1"), (10, "S@c6"))
    table.take_back(15, 1)
    assert shown(table) == ["55 1 to go", "50 1 to go"]
    table.enter(20, "S@c6")
    assert shown(table)[1] == "75 "


def test_adjustment_renews_a_period():
    table = poptrix(Clock(control="2x10")).play((0, "M@c1"))
    table.at = 9
    position = adjustments.write_position_at(table.match, 1)
    table.match = adjustments.adjust(table.book, table.match, position, "the cat")
    assert shown(table)[1] == "10 2×0:10"
    assert table.refusal(28, "1:flag")[0] == "clock"
    assert table.enter(29, "1:flag").state.outcome


def test_amendment_changes_no_clock():
    table = poptrix(BYO_YOMI).play((0, "M@c1"), (12, "S@c6"), (13, "c1>L@c3"))
    before = shown(table)
    table.at = 13
    table.match = amend(table.book, plan_replacement(table.match, 3, "c1>L@c2"))
    assert shown(table) == before
    assert table.verdict().ok


controls = st.sampled_from(["60+5d", "60+9b", "3/60:2/30+5:30", "20:3x10", "2x30", "40:1x3/60"])


@settings(max_examples=40)
@given(controls, waits, st.booleans())
def test_clock_folded_at_once_equals_event_by_event(control, waits, again):
    table, now = poptrix(Clock(control=control)), 0.0
    for wait in waits:
        now += wait / 1000
        length = len(table.match.match.line)
        if again and length > 2:
            table.take_back(now, length - 2)
        else:
            table.enter(now, hints.legal_texts(table.match, table.match.match)[0])
    fresh = Book(table.book.store).open(table.match.id)
    assert fresh.times == table.match.times
    assert timeline.clocks(fresh) == timeline.clocks(table.match)
    assert table.verdict().ok


# Fouls (BAL-3.4)


def ball(clock: Clock | None = Clock()) -> Table:  # noqa: B008
    return Table(PYRAMID_BALL, clock).play(
        (0, f"1:{PROGRAM}", f"2:{PROGRAM}"), (20, f"1:{PROGRAM}")
    )


@pytest.mark.parametrize(("clock", "opens"), [(Clock(), 61), (Clock(programming=30, move=300), 31)])
def test_foul_is_refused_before_the_programming_time_ends(clock, opens):
    table = ball(clock)
    clause, message = table.refusal(opens - 0.001, "1:foul")
    assert clause == "BAL-3.4"
    assert "seat 2 has time to program its pyramids" in message
    assert "in 1 second" in message
    assert table.enter(opens, "1:foul").state.position.turn == 3
    assert table.verdict().ok


def test_foul_without_a_clock_is_accepted():
    assert ball(None).enter(20, "1:foul").state.position.turn == 3


def test_foul_opens_programming_again():
    table = ball()
    table.enter(61, "1:foul")
    table.enter(61, f"1:{PROGRAM}")
    assert table.refusal(121, "1:foul")[0] == "BAL-3.4"
    assert table.enter(122, "1:foul").state.position.turn == 4


def test_takeback_opens_programming_again():
    table = ball()
    table.enter(30, f"2:{PROGRAM}")
    table.take_back(500, 3)
    assert table.refusal(501, "1:foul")[0] == "BAL-3.4"
    assert table.enter(561, "1:foul").state.position.turn == 3
    assert table.verdict().ok


def test_first_programming_opens_with_the_first_event():
    table = Table(PYRAMID_BALL, Clock()).play((1000, f"1:{PROGRAM}"))
    assert table.refusal(1060, "1:foul")[0] == "BAL-3.4"
    assert table.enter(1061, "1:foul").state.position.turn == 2


def test_special_move_adds_no_programming_time():
    table = Table(PYRAMID_BALL, Clock(move=300), options={"length": "advanced"})
    scored = "program 7/7/1l3s1/3m3/3M3/1L3S1/7/7 1 1M 1 - 1/0 -/- -/- - 2"
    table.match = adjustments.adjust(table.book, table.match, scored, "seat 1 had scored")
    table.enter(1, f"1:{PROGRAM}")
    table.enter(50, "2:take=S")
    assert table.refusal(60.999, "1:foul")[0] == "BAL-3.4"
    assert table.enter(61, "1:foul").state.position.turn == 3
    assert table.verdict().ok


# Forks, archives, verifying


def test_clock_of_a_fork_starts_with_its_events():
    table = poptrix().play((0, "M@c1"), (30, "S@c6"))
    table.at = 1000
    table.match = fork(table.book, *table.book.at(Address(table.match.id, 2)), "match")
    assert table.match.header.clock == BLITZ
    assert table.seats() == [(0, 60, False), (0, 60, False)]
    assert table.refusal(5000, "2:flag")[0] == "clock"
    table.enter(5000, "c1>L@c3")
    table.enter(5010, "c6>M@c4")
    assert table.seats() == [(0, 65, True), (10, 55, False)]
    used = [entry.used for entry in timeline.entries(table.match)]
    assert used == [None, None, 0, 10_000]
    assert table.verdict().ok


def test_variation_has_no_clock():
    table = poptrix().play((0, "M@c1"))
    table.match = fork(table.book, *table.book.at(Address(table.match.id, 1)))
    assert table.match.header.clock is None
    assert table.enter(0, "1:flag").state.outcome


def test_fork_of_a_flagged_match_verifies():
    table = Table(POWER_PLAY, Clock(move=10), seats=3)
    others = [seat for seat in (1, 2, 3) if seat != table.match.state.in_turn]
    table.enter(0, f"{others[0]}:offer-draw")
    table.enter(10, f"{others[0]}:flag")
    table.match = fork(table.book, *table.book.at(Address(table.match.id, 2)), "match")
    assert table.verdict().ok


@pytest.mark.parametrize("clock", [BLITZ, Clock(control="10:5x10")])
def test_archive_carries_the_clock(clock):
    table = poptrix(clock).play((0, "M@c1"), (60, "1:flag"))
    other = Book(temporary_store())
    import_archive(other, io.BytesIO(write_archive(table.book, table.match)))
    copy = other.open(table.match.id)
    assert copy.header == table.match.header
    assert timeline.clocks(copy) == timeline.clocks(table.match)


@pytest.mark.parametrize(("seconds", "ok"), [(59, False), (60, True)])
def test_flag_is_verified_by_the_recorded_times(seconds, ok):
    table = poptrix().play((0, "M@c1"))
    event = table.book.encode(POPTRIX, Flagged(1), "x", at=START + seconds * 1000)
    table.book.store.append(table.match.stream.id, 1, [event]).result()
    found = table.verdict()
    assert (found.ok, found.version) == (ok, None if ok else 2)
    assert ok or "is not up: it has 1 second left (clock)" in found.fault


@pytest.mark.parametrize(("seconds", "ok"), [(60, False), (61, True)])
def test_foul_is_verified_by_the_recorded_times(seconds, ok):
    table = ball()
    foul = read(PYRAMID_BALL, table.match.state, "1:foul")
    event = table.book.encode(PYRAMID_BALL, foul, "x", at=START + seconds * 1000)
    table.book.store.append(table.match.stream.id, table.match.match.version, [event]).result()
    found = table.verdict()
    assert (found.ok, found.version) == (ok, None if ok else 4)
    assert ok or "(BAL-3.4)" in found.fault


def test_events_of_a_batch_have_one_time():
    table = poptrix()
    moments = iter(range(100))
    book = Book(table.book.store, now=lambda: START + next(moments))
    match = play(book, book.open(table.match.id), ["M@c1", "S@c6", "c1>L@c3"])
    assert len({stored.at for stored in match.log}) == 1


def test_adjustment_restarts_the_move_of_the_awaited_seat():
    table = poptrix(Clock(move=10)).play((0, "M@c1"))
    table.at = 9
    position = adjustments.write_position_at(table.match, 1)
    table.match = adjustments.adjust(table.book, table.match, position, "the cat")
    assert table.refusal(18, "1:flag")[0] == "clock"
    assert table.enter(19, "1:flag").state.outcome
