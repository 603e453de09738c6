"""The panes around the board: scores beside the moves, clocks in the head line."""

from __future__ import annotations

import pytest

from cli.screen import panes
from cli.screen.line import Line
from replay.book import Book
from replay.record.clock import Clock


def test_changed_scores_are_beside_the_moves(book, demo):
    line = Line(book, demo("blockade"))
    rows = panes.move_list(line, 0, 36).text.plain.splitlines()
    assert all(len(row) <= 36 for row in rows)
    scores = [row.split()[-1] for row in rows if len(row) == 36]
    assert scores == ["1:0", "1:1", "2:1", "2:2", "2:3", "3:3", "3:4", "3:5"]


def test_clock_of_the_player_in_turn_runs(book, opened):
    record = opened("poptrix", "M@c1", clock=Clock(total=600))
    later = Line(Book(book.store, now=lambda: 65_000), record)
    assert "Jet 1 ▲ 10:00" in panes.head(later, 1, 100).plain
    assert "Red 0 ▲ 8:55" in panes.head(later, 1, 100).plain
    assert "10:00" not in panes.head(later, 0, 100).plain


@pytest.mark.parametrize(
    ("control", "seconds", "shown"),
    [
        ("60:3x30", 5, "0:55 (+3×0:30)"),
        ("60:3x30", 70, "0:20 (3×0:30)"),
        ("60:3x30", 95, "0:25 (2×0:30)"),
        ("60:3x30", 155, "-0:05 (1×0:30)"),
        ("60+5d", 2, "1:00 (delay 0:03)"),
        ("60+5d", 8, "0:57 (delay 0:05)"),
        ("40/300:60", 8, "4:52 (40 to go)"),
    ],
)
def test_clock_shows_its_stage(book, opened, control, seconds, shown):
    record = opened("poptrix", "M@c1", clock=Clock(control=control))
    later = Line(Book(book.store, now=lambda: record.at + seconds * 1000), record)
    assert f"Red 0 ▲ {shown}" in panes.head(later, 1, 120).plain
