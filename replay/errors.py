"""The hierarchy of errors.

PlybookError
├── Usage               the request is invalid: unknown game, option, match, address
│   ├── UnknownRuleset
│   ├── UnknownMatch
│   ├── AmbiguousMatch
│   ├── UnknownAddress
│   │   └── UnknownPly  the line of a match is shorter
│   ├── UnknownName
│   └── Conflict        it contradicts what is stored, like a name that is taken
│       └── KeyReused   another request had the same Idempotency-Key
├── Refused             an event breaks a rule; carries the `Violation`
├── Stale               the match has newer events than the expected version
├── Outdated            a write came after the epoch that an append relies on
├── Damaged             a stored record is corrupt
│   ├── DamagedMatch    the stored header, log or notes of a match are corrupt; carries its id
│   └── BadLine         a line of an archive is corrupt; carries its number
├── Diverged            the imported events of a match differ from those in the book
└── StoreError          the database file cannot be used (newer, locked, full, …)
    ├── NotABook        the path names something else: a folder, a file of another program
    └── FileChanged     it was replaced or removed while it was in use

Each has a `code`, a word for programs that stays the same; `docs/http.md` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from domain.match import Match
from domain.position import Violation

BY_CLAUSE: Final = {
    "form": "malformed-event",
    "turn": "out-of-turn",
    "over": "match-over",
    "sealed": "sealed",
    "hidden": "hidden",
    "dice": "roll-refused",
    "clock": "clock-refused",
}
"""The codes of refusals that cite no clause of a game's rules."""


def missing_extra(user: str, extra: str) -> str:
    """Say that a part of Plybook needs an extra, and how to install it.

    `--force` is for pipx, which leaves an installed program alone otherwise.
    """
    how = f"in the checkout, pipx install --force '.[{extra}]'"
    return f"{user} needs an extra that is not installed; {how} (or pip install '.[{extra}]')"


class PlybookError(Exception):
    """The base of all errors that are reported to a person in one message."""

    code: ClassVar[str] = "internal-error"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the fields, since `__init__` may take neither."""
        return _restore, (type(self), self.args, vars(self))


def _restore(kind: type[PlybookError], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


class Usage(PlybookError):
    """The request is invalid: something it names does not exist, or it makes no sense."""

    code = "invalid-request"


class InvalidField(Usage):
    """A field of what opens a match is invalid, such as `seats` or `options.first`."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


class UnknownRuleset(Usage):
    """No installed game has this ruleset; a match of it is kept, and cannot be refereed."""

    code = "missing-game"


class UnknownMatch(Usage):
    """No match has this id."""

    code = "unknown-match"


class AmbiguousMatch(Usage):
    """An abbreviated id fits several matches."""

    code = "unknown-match"


class UnknownAddress(Usage):
    """The match has no such ply or version."""

    code = "unknown-address"


class UnknownPly(UnknownAddress):
    """The line of a match ends before a ply; `last` is the last ply that it has."""

    def __init__(self, ply: int, match: str, last: int) -> None:
        super().__init__(f"ply {ply} is not in the line of {match}; use 0 to {last}")
        self.ply = ply
        self.match = match
        self.last = last


class UnknownName(Usage):
    """No account has this name, and no token this id."""

    code = "not-found"


class Conflict(Usage):
    """The request contradicts the stored data."""

    code = "conflict"


class KeyReused(Conflict):
    """An Idempotency-Key was already used for a different request."""

    code = "key-reused"


class Forbidden(Usage):
    """The caller may not do this to a match."""

    code = "forbidden"


class Refused(PlybookError):
    """A rule refuses an event; `violation` names the rule and says what would be right.

    `match` is the match that refused the event. `index` is the event's place, from 0, among the
    events sent together. `tries_left` is set if the match has counted the event as a try.
    """

    tries_left: int | None = None

    def __init__(
        self, violation: Violation, match: Match, seat: int | None = None, index: int = 0
    ) -> None:
        super().__init__(f"{violation.message} ({violation.clause})")
        self.violation = violation
        self.match = match
        self.seat = seat
        self.index = index

    @property
    def code(self) -> str:  # type: ignore[override]
        """The kind of refusal: a broken rule, a wrong turn, something sealed and so on."""
        return BY_CLAUSE.get(self.violation.clause, "rule-broken")


class Stale(PlybookError):
    """The match has newer events than the expected version. The append stored no event."""

    code = "stale-version"

    def __init__(self, expected: int, current: int) -> None:
        super().__init__(f"the match is at version {current}, not {expected}; look at it again")
        self.expected = expected
        self.current = current


class Outdated(PlybookError):
    """The store has changed since the epoch of an append, which stored no event."""


class AnotherHistory(Usage):
    """The book has no change with this number: it was restored, or is a different book."""

    def __init__(self, number: int) -> None:
        super().__init__(
            f"this book has no change {number}: it was restored, or is another book;"
            " leave out the number to start from the beginning"
        )


class Damaged(PlybookError):
    """A stored record does not verify."""


class DamagedMatch(Damaged):
    """The stored header, log or notes of a match are corrupt. `match` is its id.

    `what` may hold a sealed move: only whoever may read the database may see it. `place` is where a
    game failed on the log, as its code may be at fault instead.
    """

    code = "damaged-match"

    def __init__(self, match: str, what: str, place: str = "") -> None:
        super().__init__(f"{match} is damaged: {what}; `plybook verify {match}` says where")
        self.match = match
        self.what = what
        self.place = place


@contextmanager
def naming(match: str) -> Iterator[None]:
    """Name the match whose stored part was found `Damaged` within the block."""
    try:
        yield
    except (DamagedMatch, StoreError):
        raise
    except Damaged as error:
        raise DamagedMatch(match, str(error)) from None


class BadLine(Damaged):
    """A line of an archive is corrupt or unreadable. `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class Diverged(PlybookError):
    """Two copies of a match hold different events, so an import cannot merge them."""


class StoreError(PlybookError):
    """A database file that cannot be used.

    `reason` says why, for callers who may not learn the path of the file.
    """

    code = "store-unavailable"

    def __init__(self, message: str, reason: str = "run `plybook doctor` for details") -> None:
        super().__init__(message)
        self.reason = reason


class DamagedFile(StoreError, Damaged):
    """The file of a database is damaged, or its disk cannot be read."""


class NotABook(StoreError, Usage):
    """The path names something other than a database of Plybook."""


class NotAllowed(StoreError):
    """The database does not allow its user to do that."""

    code = "not-granted"


class FileChanged(StoreError):
    """The database file or its log was replaced or removed while it was in use."""

    code = "store-replaced"

    def __init__(self, message: str) -> None:
        super().__init__(message, "its file was replaced or removed; the server must be restarted")
