"""The state of a replay: what each key changes, and which keys do something."""

from __future__ import annotations

import pytest

from cli.screen import keys
from cli.screen.line import Line
from cli.screen.playback import LAST, Playback, act, does_something, find, to_ply
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording

MOVES = "M@c1 S@c6 c1>L@c3 c6>M@c4 c3xc4"


@pytest.fixture
def start(book, opened) -> Playback:
    record = opened("poptrix", MOVES)
    annotate(book, record, 2, Wording("Far from home"))
    annotate(book, record, 4, Wording("Too near"))
    return Playback(Line(book, record))


@pytest.mark.parametrize(
    ("ply", "actions", "after"),
    [(0, ["forward"], 1), (1, ["back"], 0), (0, ["back"], 0), (5, ["forward"], 5),
     (0, ["end"], 5), (5, ["home"], 0), (1, ["next_turn"], 2), (3, ["previous_turn"], 2),
     (0, ["next_comment"], 2), (2, ["next_comment"], 4), (4, ["next_comment"], 2)],
)  # fmt: skip
def test_actions_go_to_a_ply_and_pause_playback(start, ply, actions, after):
    now = act(to_ply(start, ply), "pause")
    now = to_ply(now, ply)
    for action in actions:
        now = act(now, action)
    assert now.ply == after
    assert now.running is (ply == after)


def test_playing_ends_at_the_last_picture(start):
    now = act(start, "pause")
    for ply in range(1, 6):
        assert now.running
        now = now.tick()
        assert now.ply == ply
    assert not now.running
    assert (act(now, "pause").ply, act(now, "pause").running) == (0, True)


def test_speed_has_bounds(start):
    fast = slow = start
    for _ in range(20):
        fast, slow = act(fast, "faster"), act(slow, "slower")
    assert (fast.speed, slow.speed) == (64.0, 0.125)
    assert not does_something(fast, "faster")
    assert does_something(fast, "slower")


@pytest.mark.parametrize(
    ("words", "ply"), [("far FROM", 2), ("c3xc4", 5), ("places a small", 2), ("nowhere", 3)]
)
def test_search_reads_moves_sentences_and_comments(start, words, ply):
    assert find(to_ply(start, 3), words).ply == ply


def test_turns_are_stepped_through_row_by_row(book, demo):
    record = demo("pyramid-ball")
    line = Line(book, record)
    ply = next(ply for ply in range(line.last) if len(line.frames(ply)) == 4)
    now = to_ply(Playback(line), ply - 1)
    steps = []
    for _ in range(5):
        now = act(now, "forward")
        steps.append((now.ply - ply, now.step))
    assert steps[:4] == [(0, 0), (0, 1), (0, 2), (0, LAST)]
    for expected in [(0, LAST), (0, 2), (0, 1), (0, 0), (-1, LAST)]:
        now = act(now, "back")
        while now.ply > ply:
            now = act(now, "back")
        assert (now.ply - ply, now.step) == expected


def test_foot_lists_keys_that_do_something(start):
    at_start = keys.foot(start, frozenset(), 120).plain
    assert "←→ step" in at_start
    assert "v variation" not in at_start
    assert "v variation" in keys.foot(start, frozenset({"vary"}), 120).plain
    empty = Playback(Line(start.line.book, start.line.record, 0))
    assert keys.foot(empty, frozenset(), 120).plain.split("  ") == [
        " +- speed",
        "? help",
        "q quit",
        "",
    ]


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_foot_keeps_help_and_quit(start, columns):
    line = keys.foot(start, frozenset(keys.OTHERS), columns)
    assert line.plain.endswith("? help  q quit  ")
    assert line.cell_len <= columns
