"""What happens in Power Play, as facts."""

from __future__ import annotations

from typing import Final, Literal

from domain.effects import Effect
from domain.pyramids import SIZE_WORD

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

    def words(self) -> str:
        """Name both squares."""
        return f"seat {self.seat} steps from {self.from_} to {self.to}"


class Hopped(Effect, frozen=True):
    """A piece hopped over the square `over` (PWR-4.1)."""

    seat: int
    from_: str
    over: str
    to: str

    def words(self) -> str:
        """Name the three squares."""
        return f"seat {self.seat} hops from {self.from_} over {self.over} to {self.to}"


class Captured(Effect, frozen=True):
    """A weaker piece of `seat` left the game, and its pips are lost (PWR-4.4)."""

    seat: int
    sizes: Sizes
    at: str

    def words(self) -> str:
        """Name what is lost."""
        return f"seat {self.seat} loses {sizes_words(self.sizes)} on {self.at}"


class KickedBack(Effect, frozen=True):
    """An equally strong piece of `seat` went back to its owner's hand (PWR-4.5)."""

    seat: int
    sizes: Sizes
    at: str

    def words(self) -> str:
        """Name what goes back."""
        return f"{sizes_words(self.sizes)} on {self.at} is kicked back to seat {self.seat}"


class Powered(Effect, frozen=True):
    """A power piece was made (PWR-4.3)."""

    seat: int
    sizes: Sizes
    at: str

    def words(self) -> str:
        """Name its pyramids and its strength."""
        strength = sum(self.sizes)
        return f"{sizes_words(self.sizes)} make a power piece of {strength} pips on {self.at}"


class Returned(Effect, frozen=True):
    """A pyramid was put back from the hand (PWR-5)."""

    seat: int
    pips: int
    at: str

    def words(self) -> str:
        """Name the pyramid and its square."""
        return f"seat {self.seat} puts back a {SIZE_WORD[self.pips]} on {self.at}"


class Declared(Effect, frozen=True):
    """A seat declared another knocked out (PWR-6.1)."""

    seat: int
    target: int

    def words(self) -> str:
        """Name both seats."""
        return f"seat {self.seat} declares seat {self.target} knocked out"


How = Literal["declared", "nest", "bare", "left"]
"""By a declaration (PWR-6.1), by a nest (PWR-6.2), without a pyramid (PWR-6.3), by itself."""

WHY: Final[dict[How, str]] = {
    "declared": "is knocked out",
    "nest": "is knocked out by a nest on its starting square",
    "bare": "has no pyramid left and is out",
    "left": "leaves the game",
}


class WentOut(Effect, frozen=True):
    """A seat went out, and its pyramids left the board's `squares` (PWR-6.4)."""

    seat: int
    how: How
    squares: tuple[str, ...] = ()

    def words(self) -> str:
        """Tell who and why."""
        return f"seat {self.seat} {WHY[self.how]}"


class Survived(Effect, frozen=True):
    """The last seat still in won (PWR-7.1)."""

    seat: int

    def words(self) -> str:
        """Name the winner."""
        return f"seat {self.seat} is the last one in and wins"
