"""Time controls: their notation, and the account of a seat by examples and against a stopwatch."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from typing import NamedTuple

import chess.pgn
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.record.clock import SeatClock
from replay.record.time_control import (
    Stage,
    TimeAccount,
    begin,
    phases,
    read_control,
    settle,
    spend,
    until_flag,
)
from tests.paths import ROOT

# Notation


@pytest.mark.parametrize(
    ("text", "stages"),
    [
        ("300", (Stage(300_000),)),
        ("300+5", (Stage(300_000, bonus=5000),)),
        ("300+5d", (Stage(300_000, bonus=5000, mode="d"),)),
        ("300+5b", (Stage(300_000, bonus=5000, mode="b"),)),
        ("40/7200", (Stage(7_200_000, 40),)),
        ("40/5400+30:0+30", (Stage(5_400_000, 40, 30_000), Stage(0, bonus=30_000))),
        ("3600:5x30", (Stage(3_600_000), Stage(30_000, 1, periods=5))),
        ("1x25/600", (Stage(600_000, 25, periods=1),)),
    ],
)
def test_controls_are_read_as_text(text, stages):
    assert read_control(text) == stages


@pytest.mark.parametrize(
    "text", ["300", "300+5", "300+5d", "40/7200:20/3600:900+30", "40/7200:0+9"]
)
def test_python_chess_reads_the_same_controls(text):
    """python-chess reads the same stages, delay included."""
    told = chess.pgn.parse_time_control(text).parts
    own = read_control(text)
    assert [(part.time * 1000, part.moves) for part in told] == [
        (stage.time, stage.moves) for stage in own
    ]
    assert [(part.delay * 1000, part.increment * 1000) for part in told] == [
        (stage.delay, stage.bonus - stage.delay) for stage in own
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "use seconds like"),
        ("-", "use seconds like"),
        ("*180", "use seconds like"),
        ("300+", "use seconds like"),
        ("300+5x", "use seconds like"),
        ("0300", "use seconds like"),
        ("³00", "use seconds like"),
        ("1e3", "use seconds like"),
        ("0+5", "its first stage has no time"),
        ("300:300", "nothing may follow 300, which is for all moves"),
        ("5x30:300", r"byo-yomi \(5x30\) must come last"),
        ("40/300:5x30", "before byo-yomi must come a time for all moves, not 40/300"),
        ("300:5x30+5", "a period must have seconds and no bonus, not 5x30"),
        ("300:5x0", "a period must have seconds and no bonus, not 5x0"),
        ("2592001", "at most 2592000 seconds"),
        (":".join(["40/300"] * 10), "more than 9 stages"),
    ],
)
def test_invalid_control_is_refused_with_examples(text, why):
    with pytest.raises(ValueError, match=f"is not a valid clock.*{why}") as error:
        read_control(text)
    assert str(error.value).startswith(repr(text))
    assert "40/7200:3600 (stages)" in str(error.value)


# The account, by examples


class Shown(NamedTuple):
    """The display of a clock before a move: seconds, and its stage in words."""

    left: float
    words: str


def shown(control, account: TimeAccount) -> Shown:
    phase = next(phases(control, account, 0))
    return Shown(phase.left / 1000, phase.note)


EXAMPLES = {
    "USCF G/60 d5": ("3600+5d", [
        (3, 3600, "delay 0:05"), (5, 3600, "delay 0:05"), (5.5, 3599.5, "delay 0:05"),
        (65, 3539.5, "delay 0:05"),
    ]),
    "FIDE 90 minutes and 30 seconds": ("5400+30", [
        (20, 5410, ""), (90, 5350, ""), (30, 5350, ""),
    ]),
    "time saved goes to the next stage": ("2/100:2/50:30+10", [
        (60, 40, "1 to go"), (10, 80, "2 to go"), (40, 40, "1 to go"), (40, 30, ""), (30, 10, ""),
    ]),
    "the last stage of PGN repeats": ("2/100", [
        (30, 70, "1 to go"), (20, 150, "2 to go"), (1, 149, "1 to go"), (1, 248, "2 to go"),
    ]),
    "increments of a stage": ("2/60+5:30+2", [
        (10, 55, "1 to go"), (10, 80, ""), (10, 72, ""),
    ]),
    "Bronstein gives back what a move took": ("60+5b", [
        (3, 60, "back 0:05"), (5, 60, "back 0:05"), (8, 57, "back 0:05"), (0, 57, "back 0:05"),
    ]),
    "Japanese byo-yomi": ("60:5x30", [
        (50, 10, "+5×0:30"),  # main time
        (20, 30, "5×0:30"),       # ten seconds into the first period, which is renewed
        (29.999, 30, "5×0:30"),   # within the period
        (30, 30, "4×0:30"),       # it is over at its last second
        (75, 30, "2×0:30"),       # two periods are lost
        (31, 30, "1×0:30"),       # one is left
        (29, 30, "1×0:30"),       # and stays, move by move
        (32, -2, "1×0:30"),       # time is up
        (1, -3, "1×0:30"),        # and stays up
    ]),
    "periods lost in the move that leaves main time": ("10:3x10", [(35, 10, "1×0:10")]),
    "byo-yomi alone": ("2x10", [(9, 10, "2×0:10"), (11, 10, "1×0:10")]),
    "Canadian byo-yomi": ("60:1x3/90", [
        (70, 80, "1×1:30, 2 to go"), (30, 50, "1×1:30, 1 to go"), (49, 90, "1×1:30, 3 to go"),
        (91, -1, "1×1:30, 2 to go"),
    ]),
    "a lost period asks for its moves again": ("2x2/10", [
        (6, 4, "2×0:10, 1 to go"), (5, 9, "1×0:10, 1 to go"), (1, 10, "1×0:10, 2 to go"),
    ]),
    "delay before byo-yomi": ("10+5d:2x10", [
        (12, 3, "+2×0:10, delay 0:05"), (9, 10, "2×0:10"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "moves"), EXAMPLES.values(), ids=EXAMPLES)
def test_each_move_settles_the_account(text, moves):
    control = read_control(text)
    account, told = begin(control), []
    for thought, *_ in moves:
        account = settle(control, account, round(thought * 1000), moved=True)
        told.append((thought, *shown(control, account)))
    assert told == moves


@pytest.mark.parametrize(
    ("text", "up"),
    [("60", 60), ("60+5", 60), ("60+5d", 65), ("60+5b", 60), ("2/60:30", 60), ("60:5x30", 210),
     ("60+5d:5x30", 215), ("2x10", 20), ("60:1x3/90", 150)],
)  # fmt: skip
def test_time_of_the_first_move_until_the_flag(text, up):
    control = read_control(text)
    account = begin(control)
    assert until_flag(control, account, 0) == up * 1000
    assert until_flag(control, account, up * 1000 - 1) == 1
    assert until_flag(control, account, up * 1000) == 0
    assert until_flag(control, account, up * 1000 + 5) == -5


def test_delay_adds_no_time_after_the_flag():
    control = read_control("10+5d")
    over = settle(control, begin(control), 16_000, moved=True)
    assert until_flag(control, over, 0) == -1000


@pytest.mark.parametrize(
    ("text", "thought", "left", "words"),
    [
        ("60+5", 10, 50, ""),
        ("2/60:30", 10, 50, "2 to go"),
        ("60+5d", 10, 55, "delay 0:05"),
        ("60+5b", 10, 55, "back 0:05"),
        ("2x10", 8, 10, "2×0:10"),
        ("2x10", 12, 10, "1×0:10"),
        ("1x3/90", 10, 80, "1×1:30, 3 to go"),
    ],
)
def test_wait_without_a_move_is_charged_without_increment(text, thought, left, words):
    control = read_control(text)
    account = settle(control, begin(control), thought * 1000, moved=False)
    assert shown(control, account) == (left, words)


# Properties


class Stopwatch:
    """The same rules once more, second by second, as a person with a stopwatch applies them."""

    def __init__(self, text: str) -> None:
        self.stages = list(read_control(text))
        self.now = self.stages.pop(0)
        self.left, self.periods, self.made = self.now.time // 1000, self.now.periods, 0

    def move(self, seconds: int) -> None:
        charged = 0
        for second in range(seconds):
            if self.now.mode == "d" and second < self.now.bonus // 1000:
                continue
            self.left -= 1
            charged += 1
            if self.left == 0 and not self.now.periods and self.stages and self.stages[0].periods:
                self.now, self.made = self.stages.pop(0), 0
                self.left, self.periods = self.now.time // 1000, self.now.periods
            elif self.left == 0 and self.periods > 1:
                self.left, self.periods, self.made = self.now.time // 1000, self.periods - 1, 0
        self.made += 1
        if self.now.periods:
            if self.left > 0 and self.made == self.now.moves:
                self.left, self.made = self.now.time // 1000, 0
            return
        self.left += min(charged, self.now.bonus // 1000) if self.now.mode == "b" else 0
        self.left += self.now.bonus // 1000 if not self.now.mode else 0
        if self.made == self.now.moves:
            self.now, self.made = self.stages.pop(0) if self.stages else self.now, 0
            self.left += self.now.time // 1000


def counts(most: int, least: int = 1) -> st.SearchStrategy[int]:
    return st.integers(least, most)


bonuses = st.builds("+{}{}".format, counts(9), st.sampled_from(["", "d", "b"])) | st.just("")
timed = st.builds("{}/{}{}".format, counts(4), counts(40), bonuses)
endless = st.builds("{}{}".format, counts(40), bonuses)
byoyomi = st.builds("{}x{}".format, counts(4), counts(20)) | st.builds(
    "{}x{}/{}".format, counts(3), counts(4), counts(20)
)
last = timed | endless | st.builds("{}:{}".format, endless, byoyomi)
controls = byoyomi | st.builds(
    lambda first, end: ":".join([*first, end]), st.lists(timed, max_size=3), last
)
thoughts = st.lists(counts(60, 0), max_size=14)


@given(controls, thoughts)
def test_account_equals_that_of_a_stopwatch(text, seconds):
    control, watch = read_control(text), Stopwatch(text)
    account = begin(control)
    for thought in seconds:
        if thought * 1000 >= until_flag(control, account, 0):
            return
        account = settle(control, account, thought * 1000, moved=True)
        watch.move(thought)
        assert (account.left, account.periods) == (watch.left * 1000, watch.periods)


@given(controls, thoughts, counts(60_000, 0))
def test_time_grows_only_by_the_rules(text, seconds, part):
    control = read_control(text)
    account = begin(control)
    for thought in seconds:
        before, whole = account, thought * 1000
        within = spend(control, before, min(part, whole))
        assert until_flag(control, before, whole) <= until_flag(control, before, min(part, whole))
        assert within.periods <= before.periods or before.periods == 0
        account = settle(control, before, whole, moved=True)
        spent, stage = spend(control, before, whole), control[before.stage]
        if account.stage == spent.stage == before.stage and not stage.periods:
            added = stage.time if account.made == 0 else 0
            assert account.left <= before.left - max(0, whole - stage.delay) + stage.bonus + added
        elif control[account.stage].periods:
            assert account.left <= control[account.stage].time
            assert account.periods == spent.periods


@given(counts(60), counts(9), thoughts)
def test_bronstein_clock_equals_delay_clock_with_larger_total(total, bonus, seconds):
    """A Bronstein clock shows the delay as a part of its time, and flags at the same moment."""
    delay, bronstein = read_control(f"{total}+{bonus}d"), read_control(f"{total + bonus}+{bonus}b")
    one, other = begin(delay), begin(bronstein)
    for thought in seconds:
        assert other.left == one.left + bonus * 1000
        assert until_flag(delay, one, 0) == until_flag(bronstein, other, 0)
        if thought * 1000 >= until_flag(delay, one, 0):
            return
        one = settle(delay, one, thought * 1000, moved=True)
        other = settle(bronstein, other, thought * 1000, moved=True)


def seat_clock(text: str, seconds: list[int], thought: int, running: bool) -> SeatClock:
    """Return the clock after some moves, and a part of the next one."""
    control, account = read_control(text), after(text, seconds)
    ahead = tuple(phases(control, account, thought))
    return SeatClock(1, 0, ahead[0].left, running, ahead if running else ahead[:1])


def after(text: str, seconds: list[int]) -> TimeAccount:
    control = read_control(text)
    account = begin(control)
    for each in seconds:
        account = settle(control, account, each * 1000, moved=True)
    return account


@given(controls, thoughts, counts(60_000, 0), counts(200_000, 0))
def test_phases_show_the_account_at_any_time(text, seconds, thought, passed):
    found = seat_clock(text, seconds, thought, True).shown(passed)
    now = spend(read_control(text), after(text, seconds), thought + passed)
    assert (found.left, found.periods) == (now.left, now.periods)


# The page


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
SHOW = """
globalThis.document = { documentElement: { dataset: {} } };
const { shown } = await import("./match/clocks.js");
const { readFileSync } = await import("node:fs");
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([clock, passed]) => shown(clock, passed))));
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """Return a folder with the scripts of the pages, as modules for Node."""
    folder = tmp_path_factory.mktemp("scripts") / "js"
    shutil.copytree(ROOT / "service" / "static" / "js", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@needs_node
def test_page_clock_equals_the_python_clock(scripts):
    chance, cases = random.Random(21), []
    texts = ["60", "60+5", "60+5d", "60+9b", "3/60:30+5d", "40:5x30", "40+9d:3x9", "2x9", "1x3/40"]
    for _ in range(2000):
        seconds = [chance.randrange(40) for _ in range(chance.randrange(6))]
        clock = seat_clock(
            chance.choice(texts), seconds, chance.randrange(30_000), chance.random() < 0.8
        )
        cases.append((clock, chance.randrange(120_000)))
    cases.append((SeatClock(1, 0, None, True), 5))
    cases.append((SeatClock(1, 0, 4000, True), 5000))
    command = [
        "node",
        "--input-type=module",
        "-e",
        SHOW.replace('require("node:fs")', '(await import("node:fs"))'),
    ]
    ran = subprocess.run(
        command, cwd=scripts, input=msgspec.json.encode(cases), capture_output=True, check=True
    )
    expected = [clock.shown(passed) for clock, passed in cases]
    assert json.loads(ran.stdout) == [
        each and {"left": each.left, "note": each.note} for each in expected
    ]
