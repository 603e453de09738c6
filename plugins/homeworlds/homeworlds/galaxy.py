"""The state of play: systems, the bank, the playing seats, and the rest of a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import astuple, replace

from plybook.game import Awaited, Options, Outcome, Position

# fmt: off
Pyramid = Literal["r1", "r2", "r3", "y1", "y2", "y3", "g1", "g2", "g3", "b1", "b2", "b3"]
# fmt: on
PYRAMIDS: tuple[Pyramid, ...] = get_args(Pyramid)
order = dict(zip(PYRAMIDS, range(12), strict=True)).__getitem__
"""The place of a kind of piece in the order of writing."""
COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
ACTS = ("build", "trade", "move", "discover", "capture", "sacrifice", "catastrophe", "pass", "end")


class HomeworldsOptions(Options, frozen=True):
    """HOM-2.3, HOM-6.4, HOM-7.4."""

    ship: Literal["large", "any"] = "large"
    midturn: Literal["yes", "no"] = "yes"
    target: Literal["last", "left"] = "last"


class System(Struct, frozen=True):
    """Stars, and ships with their owners (HOM-1.3). A lost homeworld has no stars."""

    number: int
    stars: tuple[str, ...]
    ships: tuple[tuple[int, str], ...] = ()

    def own(self, seat: int) -> list[str]:
        """Return the ships of a seat."""
        return [ship for owner, ship in self.ships if owner == seat]

    def pieces(self) -> tuple[str, ...]:
        """Return stars and ships."""
        return (*self.stars, *(ship for _, ship in self.ships))

    def add(self, seat: int, ship: str) -> System:
        """Return the system with one ship more."""
        ships = sorted((*self.ships, (seat, ship)), key=lambda one: (one[0], order(one[1])))
        return replace(self, ships=tuple(ships))

    def remove(self, seat: int, ship: str) -> System:
        """Return the system with one ship less."""
        place = self.ships.index((seat, ship))
        return replace(self, ships=self.ships[:place] + self.ships[place + 1 :])


class Galaxy(Position, frozen=True, eq=False):
    """`seat` has `actions` left: 1 before it acts, or those of a sacrifice in the colour `power`.

    `winner` is `None` before the end and 0 after a draw; `seat` and `actions` are 0 then. Positions
    that differ only in the number of the turn are equal.
    """

    options: HomeworldsOptions
    seats: int
    playing: tuple[int, ...]
    next: int
    systems: tuple[System, ...] = ()
    seat: int = 1
    actions: int = 1
    power: str = ""
    winner: int | None = None
    turn: int = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Galaxy) and astuple(self)[:-1] == astuple(other)[:-1]

    def __hash__(self) -> int:
        return hash(astuple(self)[:-1])

    @property
    def acted(self) -> bool:
        """Whether the seat has acted, or sacrificed, in this turn."""
        return not self.actions or bool(self.power)

    @property
    def homeless(self) -> list[int]:
        """The seats that have not made a homeworld yet."""
        return [seat for seat in self.playing if seat not in {one.number for one in self.systems}]

    def system(self, number: int) -> System | None:
        """Return the system with a number, or `None` if it has no stars."""
        return next((one for one in self.systems if one.number == number and one.stars), None)

    def bank(self) -> Counter[str]:
        """Count the pieces in the bank (HOM-1.1)."""
        used = Counter(piece for system in self.systems for piece in system.pieces())
        return Counter({kind: self.seats + 1 - used[kind] for kind in PYRAMIDS})

    def crises(self) -> Iterator[tuple[str, int]]:
        """Yield the colour and the number of each overpopulated system (HOM-6.1)."""
        for system in self.systems:
            counts = Counter(piece[0] for piece in system.pieces())
            yield from ((colour, system.number) for colour in COLOURS if counts[colour] >= 4)

    def put(self, *systems: System) -> Galaxy:
        """Return the galaxy with new or changed systems."""
        known = {one.number: one for one in (*self.systems, *systems)}
        return replace(self, systems=tuple(known[number] for number in sorted(known)))

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the seat in turn (HOM-2)."""
        if self.winner is not None:
            return ()
        if self.seat in self.homeless:
            return (Awaited(self.seat, "make a homeworld", ("home",)),)
        what = f"act in {COLOURS[self.power]}" if self.power else "act"
        return (Awaited(self.seat, what if self.actions else "end the turn", ACTS),)

    def outcome(self) -> Outcome | None:
        """HOM-7.2, HOM-7.4."""
        if self.winner is None:
            return None
        clause = "HOM-7.2" if len(self.playing) < 2 else "HOM-7.4"
        return Outcome(clause, (self.winner,) if self.winner else ())
