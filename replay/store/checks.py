"""The check-up of a database: its findings, and the checks that all databases have.

A finding has the name of the check, a verdict, and advice. Each database has more checks of its
own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

from msgspec import Struct

from replay.store.sql import position_index, tallies, upkeep
from replay.store.sql.dialect import Connection

MAX_NAMED: Final = 3
"""The number of matches, or other things, that a finding names individually."""
REINDEX: Final = "`plybook reindex` makes it again from the events"


class Finding(Struct, frozen=True, rename={"message": "told"}):
    """The result of one check.

    A `fault` endangers records or prevents reading them; a `warning` may lead to a fault. `advice`
    is an instruction, and is empty if all is well. JSON keeps the first edition's name of the
    message.
    """

    check: str
    verdict: Literal["ok", "warning", "fault"]
    message: str
    advice: str = ""


def ok(check: str, message: str) -> Finding:
    """Return a finding of a check without any complaint."""
    return Finding(check, "ok", message)


def warning(check: str, message: str, advice: str) -> Finding:
    """Return a finding of a check that may lead to a fault."""
    return Finding(check, "warning", message, advice)


def fault(check: str, message: str, advice: str) -> Finding:
    """Return a finding of a check that endangers records."""
    return Finding(check, "fault", message, advice)


def check_schema(version: int, known: int) -> Finding:
    """Compare the number of migrations with the number that this Plybook knows."""
    message = f"schema {version}; this Plybook knows {known}"
    if version > known:
        return fault("schema", message, "use the newer Plybook that wrote it")
    if version < known:
        return warning("schema", message, "back it up; the next command brings it up to date")
    return ok("schema", f"schema {version}")


def check_heads(connection: Connection, advice: str) -> Finding:
    """Compare the head of every match with its last event."""
    wrong = upkeep.wrong_heads(connection)
    if not wrong:
        return ok("heads", "the head of every match is its last event")
    return fault("heads", f"the head is not the last event of {name_some(wrong)}", advice)


def check_segments(connection: Connection) -> Finding:
    """Compare the segments of forks with the events that they share."""
    wrong = upkeep.wrong_segments(connection)
    if not wrong:
        return ok("segments", "every fork reads the events that it shares")
    named = name_some([str(number) for number in wrong])
    message = f"stream {named} reads the wrong events"
    return fault("segments", message, REINDEX)


def check_tallies(connection: Connection) -> Finding:
    """Compare the tallies of the statistics, and of the explorer, with the matches."""
    if tallies.are_right(connection) and position_index.are_counts_right(connection):
        return ok("tallies", "the statistics and the explorer agree with every match")
    return warning("tallies", "the statistics or the explorer count the matches wrongly", REINDEX)


def name_some(names: Collection[str]) -> str:
    """Return the first few names, and the number of the others."""
    more = len(names) - MAX_NAMED
    return ", ".join(list(names)[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
