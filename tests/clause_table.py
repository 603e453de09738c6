"""The table of a game's clauses: how each shows, and the tests that show it."""

from __future__ import annotations

from typing import Literal, NamedTuple

How = Literal["refusal", "effect", "set-up", "outcome", "unbreakable"]
"""An `unbreakable` clause cannot be broken by any record; its note says why."""


class ClauseTests(NamedTuple):
    """A line of the table: how the clause shows, and the names of the test functions."""

    how: How
    tests: tuple[str, ...]
    note: str = ""


def shown_by(how: How, *tests: str, note: str = "") -> ClauseTests:
    """Return a line of the table."""
    return ClauseTests(how, tests, note)
