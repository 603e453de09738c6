"""Plybook's own verdict on a database: `verify` and `doctor`, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from replay.book import Book
from replay.errors import PlybookError
from replay.store import Location, open_store
from replay.upkeep.doctor import checkup
from tests.verification import verify_all


def complaints(database: Location) -> Iterator[str]:
    """Yield the complaints of `doctor` and `verify`."""
    for finding in checkup(database):
        if finding.verdict == "fault":
            yield f"doctor: {finding.check}: {finding.message}"
    try:
        with closing(open_store(database)) as store:
            for verdict in verify_all(Book(store)):
                if not verdict.ok:
                    yield f"verify: {verdict.match} {verdict.words()}"
    except PlybookError as error:
        yield f"verify: {error}"
