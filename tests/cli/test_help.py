"""The help of the command: groups, and summaries that fit a line of a terminal."""

from __future__ import annotations

import re

from cli.app import COMMANDS, GROUPS


def test_help_lists_every_command_with_whole_summary(plybook, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = plybook("--help").out
    summaries = dict(re.findall(r"^  ([a-z][a-z-]+) +([A-Z].*)$", told, re.MULTILINE))
    assert set(COMMANDS) == summaries.keys()
    assert all(summary.endswith(".") and "..." not in summary for summary in summaries.values())
    assert [title for title in GROUPS if f"\n{title}:\n" not in told] == []


def test_mistyped_command_gets_a_suggestion(plybook):
    ran = plybook("recrod")
    assert (ran.code, "record" in ran.err) == (2, True)
