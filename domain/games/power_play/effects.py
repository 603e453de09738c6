"""Effects in a game of Power Play."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

from domain.board import SIZE_WORD
from domain.effects import Effect
from domain.names import UNNAMED, Names

Sizes = tuple[int, ...]
"""The pips of each pyramid of a piece, largest first."""


def sizes_words(sizes: Sizes) -> str:
    """Name the pyramids of a piece: "a large", "a large, a medium and a small"."""
    *first, last = [f"a {SIZE_WORD[pips]}" for pips in sizes]
    return f"{', '.join(first)} and {last}" if first else last


class Stepped(Effect, frozen=True):
    """A piece stepped (PWR-3.3)."""

    seat: int
    from_: str
    to: str

    template: ClassVar[str] = "{seat} steps from {from_} to {to}"


class Hopped(Effect, frozen=True):
    """A piece hopped over the square `over` (PWR-4.1)."""

    seat: int
    from_: str
    over: str
    to: str

    template: ClassVar[str] = "{seat} hops from {from_} over {over} to {to}"


class _OfPyramids(Effect, frozen=True):
    """An effect on the pyramids of a piece."""

    seat: int
    sizes: Sizes
    at: str

    notable: ClassVar[bool] = True

    def terms(self, names: Names) -> dict[str, Any]:
        """Name the pyramids."""
        return super().terms(names) | {"sizes": sizes_words(self.sizes)}


class Captured(_OfPyramids, frozen=True):
    """A weaker piece of `seat` left the game, and its pips are lost (PWR-4.4)."""

    deed: ClassVar[str] = "take {sizes} of {seat} off the board"
    template: ClassVar[str] = "{seat} loses {sizes} on {at}"


class KickedBack(_OfPyramids, frozen=True):
    """An equally strong piece of `seat` went back to its owner's hand (PWR-4.5)."""

    deed: ClassVar[str] = "give {sizes} back to {seat}"
    template: ClassVar[str] = "{sizes} on {at} is kicked back to {seat}"


class Powered(_OfPyramids, frozen=True):
    """A power piece was made (PWR-4.3)."""

    template: ClassVar[str] = "{sizes} make a power piece of {strength} pips on {at}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Name the pyramids and add up their strength."""
        return super().terms(names) | {"strength": sum(self.sizes)}


class Returned(Effect, frozen=True):
    """A pyramid was put back from the hand (PWR-5)."""

    seat: int
    pips: int
    at: str

    template: ClassVar[str] = "{seat} puts back a {size} on {at}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Name the size of the pyramid that was put back."""
        return super().terms(names) | {"size": SIZE_WORD[self.pips]}


class Declared(Effect, frozen=True):
    """A seat declared another knocked out (PWR-6.1)."""

    seat: int
    target: int

    template: ClassVar[str] = "{seat} declares {target} knocked out"
    seats: ClassVar[tuple[str, ...]] = ("seat", "target")


How = Literal["declared", "nest", "bare", "left"]
"""Declared out (PWR-6.1), knocked out by a nest (PWR-6.2), no pyramid left (PWR-6.3), or left."""

WHY: Final[dict[How, str]] = {
    "declared": "{seat} is knocked out",
    "nest": "{seat} is knocked out by a nest on {its} starting square",
    "bare": "{seat} has no pyramid left and is out",
    "left": "{seat} leaves the game",
}


class WentOut(Effect, frozen=True):
    """A seat declared another seat knocked out (PWR-6.1)."""

    seat: int
    how: How
    squares: tuple[str, ...] = ()

    notable: ClassVar[bool] = True

    def task(self, names: Names = UNNAMED) -> str:
        """Clear the board of the seat's pyramids, if it has any there."""
        return f"take every pyramid of {names[self.seat]} off the board" if self.squares else ""

    def words(self, names: Names = UNNAMED) -> str:
        """Name the seat that went out and the reason."""
        return WHY[self.how].format_map(self.terms(names))


class Survived(Effect, frozen=True):
    """The last seat still in won (PWR-7.1)."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} is the last one in and wins"
