"""What can go wrong with records, as one hierarchy.

PlybookError
├── Usage               the request itself cannot be: unknown game, option, match, address
│   ├── UnknownMatch
│   ├── AmbiguousMatch
│   └── UnknownAddress
├── Refused             a rule is broken; carries the `Violation`
├── Stale               the match has moved on since the expected version
├── Damaged             what is stored is not what was written
│   └── BadLine         so is a line of an archive; carries its number
├── Diverged            the book tells another story of a match than what is to be imported
└── StoreError          the database file cannot be used (foreign, newer, locked, full …)
    └── FileChanged     it was replaced or removed while it was in use
"""

from __future__ import annotations

from domain.match import Match
from domain.position import Violation


class PlybookError(Exception):
    """Something a person can be told in one message."""


class Usage(PlybookError):
    """What was asked for does not exist or makes no sense."""


class UnknownMatch(Usage):
    """No match has this id."""


class AmbiguousMatch(Usage):
    """An abbreviated id fits several matches."""


class UnknownAddress(Usage):
    """The match has no such ply or version."""


class Refused(PlybookError):
    """A rule refuses an event. `violation` says which, and what would be right.

    `match` is the match it was refused in, `index` tells which of several events it was, from 0.
    """

    def __init__(
        self, violation: Violation, match: Match, seat: int | None = None, index: int = 0
    ) -> None:
        super().__init__(f"{violation.message} ({violation.clause})")
        self.violation = violation
        self.match = match
        self.seat = seat
        self.index = index


class Stale(PlybookError):
    """Others have written since the expected version. Nothing was stored."""

    def __init__(self, expected: int, current: int) -> None:
        super().__init__(f"the match is at version {current}, not {expected}; look at it again")
        self.expected = expected
        self.current = current


class Damaged(PlybookError):
    """A stored record does not verify."""


class BadLine(Damaged):
    """A line of an archive is not what was written, or none. `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class Diverged(PlybookError):
    """Two copies of a match have gone separate ways, and no import can bring them together."""


class StoreError(PlybookError):
    """A database file that cannot be used.

    `reason` says why to those who may not know where the file is.
    """

    def __init__(self, message: str, reason: str = "plybook doctor tells more") -> None:
        super().__init__(message)
        self.reason = reason


class FileChanged(StoreError):
    """The database file or its log was replaced or removed while it was in use."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "its file was replaced or removed; the server must be restarted")
