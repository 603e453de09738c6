"""Addresses of positions as people write them: `M`, `M@17`, `M@17v39`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from replay.errors import Usage

ADDRESS: Final = re.compile(r"([0-9a-z]+)(?:@(\d{1,9})(?:v(\d{1,9}))?)?", re.IGNORECASE)


class Address(NamedTuple):
    """A match id (perhaps abbreviated), a ply of its line, and the version of that line.

    `None` as a ply means the head; `None` as a version means the current line.
    """

    match: str
    ply: int | None = None
    version: int | None = None

    def __str__(self) -> str:
        ply = "" if self.ply is None else f"@{self.ply}"
        return self.match + ply + ("" if self.version is None else f"v{self.version}")


def parse(text: str) -> Address:
    """Parse the address of a match, a ply and a version. Raises `Usage`."""
    found = ADDRESS.fullmatch(text)
    if found is None:
        raise Usage(f"{text!r} is not a match; use its id, like k7m2, k7m2@17 or k7m2@17v39")
    match, ply, version = found.groups()
    return Address(match.lower(), *(None if part is None else int(part) for part in (ply, version)))
