"""The names of seats in sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

SEAT: Final = re.compile(r"\b[Ss]eat ([1-9])\b")


class Names(Struct, frozen=True):
    """The names of players by seat. A seat without a name is called "seat 1"."""

    players: Mapping[int, str] = MappingProxyType({})

    def __getitem__(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.players.get(seat) or f"seat {seat}"

    def its(self, seat: int) -> str:
        """Return the possessive pronoun of a seat: "their" with a name, else "its"."""
        return "their" if self.players.get(seat) else "its"

    def put_into(self, words: str) -> str:
        """Replace the seats in a sentence about seats by their names."""
        return SEAT.sub(lambda seat: self.players.get(int(seat[1])) or seat[0], words)

    def title(self, seat: int) -> str:
        """Return the name of a seat at the beginning of a line."""
        return self.players.get(seat) or f"Seat {seat}"


UNNAMED: Final = Names()
"""Names for a match without players' names."""
