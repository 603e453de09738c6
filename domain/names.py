"""What seats are called in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct


class Names(Struct, frozen=True):
    """The names of players by seat. A seat without one is called "seat 1"."""

    players: Mapping[int, str] = MappingProxyType({})

    def __getitem__(self, seat: int) -> str:
        """Return what a seat is called."""
        return self.players.get(seat) or f"seat {seat}"

    def its(self, seat: int) -> str:
        """Return the possessive for what a seat has: people have theirs."""
        return "their" if self.players.get(seat) else "its"

    def title(self, seat: int) -> str:
        """Return what a seat is called at the beginning of a line."""
        return self.players.get(seat) or f"Seat {seat}"


UNNAMED: Final = Names()
"""Seats are called by their numbers."""
