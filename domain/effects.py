"""What follows from a move: typed facts that feed the log, the pictures and the words."""

from __future__ import annotations

from msgspec import Struct


class Effect(Struct, frozen=True, tag_field="type", tag=str.lower):
    """A fact that followed from a move. Public by construction: no effect holds a secret."""

    def words(self) -> str:
        """Say it to a person, as a clause without capital or full stop."""
        raise NotImplementedError


class Skipped(Effect, frozen=True):
    """A seat that could do nothing was passed over by the referee."""

    seat: int

    def words(self) -> str:
        """Name the seat passed over."""
        return f"seat {self.seat} can do nothing and is skipped"
