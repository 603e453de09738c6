"""How a clause of the rules shows, and where that is tested."""

from __future__ import annotations

from typing import Literal, NamedTuple

How = Literal["refusal", "effect", "set-up", "outcome", "unbreakable"]
"""`unbreakable`: no record can break it; the note says why."""


class Shown(NamedTuple):
    """One line of the table of clauses: how it shows, and the test functions that show it."""

    how: How
    tests: tuple[str, ...]
    note: str = ""


def shown(how: How, *tests: str, note: str = "") -> Shown:
    """Write a line of the table."""
    return Shown(how, tests, note)
