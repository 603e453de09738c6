"""Positions, and the moves that lead from one to the next.

A `Position` is immutable and knows no moves. A class of `Move` lists the `legal` ones of its kind;
`check` refuses illegal ones, `evolve` returns the next position and the effects. This module
reads no clock, rolls no die and does no I/O: the results of chance and of decisions are part of the
move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct

from domain.effects import Effect
from domain.names import UNNAMED, Names, worded
from domain.notation import Notation, Pick


class Violation(Struct, frozen=True):
    """The reason why an event is refused.

    `clause` is `form` (not a move text of the notation), `over` (the game has ended), `turn` (wrong
    seat, or no event of this kind is awaited), `sealed` (not before the sealed moves are revealed),
    `hidden` (only its seat may know why), `dice` or `clock` (who rolls, and whose time is up) or
    the id of a clause of the game's rules. `message` names the fault and a legal alternative to a
    player; a message about seats is a `Sentence`. `squares` names the places concerned.
    """

    clause: str
    message: str
    squares: tuple[str, ...] = ()

    def words(self, names: Names = UNNAMED) -> str:
        """Return the message of the violation, with names."""
        return worded(self.message, names)


OutcomeValue = int | bool | str | tuple[int | tuple[int, ...], ...]
Ranks = tuple[tuple[int, ...], ...]


class Outcome(Struct, frozen=True):
    """The result of a match; no seat won a draw or an abandoned match.

    `clause` is the deciding rule, or `resigned`, `forfeited`, `agreed`, `ruled`, `flagged`.
    `scores` are the points of seats 1, 2 … in a game that counts them, otherwise empty. `ranks` are
    all seats from best to worst, equal ones together, where more is known than who won; they begin
    with the winners.
    """

    clause: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    abandoned: bool = False
    ranks: Ranks = ()

    @property
    def result(self) -> str:
        """The terminator of a text record: `+1`, `+1,3`, `=`, or `*` if it was abandoned."""
        if self.winners:
            return f"+{','.join(map(str, self.winners))}"
        return "*" if self.abandoned else "="

    def place(self, seat: int) -> int | None:
        """Return the place of a seat, 1 for the best, or `None`; equal seats share one."""
        better = 0
        for seats in self.ranks:
            if seat in seats:
                return better + 1
            better += len(seats)
        return None

    def to_dict(self) -> dict[str, OutcomeValue]:
        """Return JSON data for scripts: `{"winner": 1, "clause": …}`, `{"draw": true, …}`.

        Several winners are `winners`; `scores` and `ranks` are there if the game has any.
        """
        told: dict[str, OutcomeValue] = {**self._ending(), "clause": self.clause}
        told |= {"scores": self.scores} if self.scores else {}
        return told | {"ranks": self.ranks} if self.ranks else told

    def _ending(self) -> dict[str, OutcomeValue]:
        match self.winners:
            case ():
                return {"abandoned" if self.abandoned else "draw": True}
            case (winner,):
                return {"winner": winner}
            case winners:
                return {"winners": winners}


def rank(scores: Sequence[int], *, low: bool = False, last: Collection[int] = ()) -> Ranks:
    """Return the ranks by the points of seats 1, 2 …; none if there are just winners and others.

    With `low` the fewest points are best. The seats in `last` are behind all others.

    >>> rank([20, 30, 10]), rank([20, 30, 10], low=True), rank([20, 30])
    (((2,), (1,), (3,)), ((3,), (1,), (2,)), ())
    """
    seats = [seat for seat in range(1, len(scores) + 1) if seat not in last]
    values = sorted({scores[seat - 1] for seat in seats}, reverse=not low)
    ranks = [tuple(seat for seat in seats if scores[seat - 1] == value) for value in values]
    ranks += [tuple(sorted(last))] if last else []
    return tuple(ranks) if len(ranks) > 2 else ()


def winners_of(result: str) -> tuple[int, ...]:
    """Return the seats that won, read from the terminator of a text record, like `+1,3`.

    >>> winners_of("+1,3"), winners_of("=")
    ((1, 3), ())
    """
    return tuple(map(int, result[1:].split(","))) if result.startswith("+") else ()


class Awaited(Struct, frozen=True):
    """A seat that must act now, or (with `must` false) may.

    `moves` are the tags of its possible moves; `what` describes them to a person: "attack".
    """

    seat: int
    what: str
    """The seat's task, in the words of the game."""
    moves: tuple[str, ...]
    """The kinds of moves that the seat can make."""
    must: bool = True
    """Whether the seat must act; otherwise it may."""


class View(Struct, frozen=True):
    """The part of a position that a seat, or a spectator, may see."""


class Position(View, frozen=True):
    """A state of play. A position without secrets is its own view."""

    @property
    def turn(self) -> int:
        """The number of the current turn, all seats counted, from 1."""
        raise NotImplementedError

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in the game."""
        return (1, 2)

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats with unrevealed secret moves."""
        return ()

    @property
    def guarded(self) -> tuple[int, ...]:
        """The seats whose legal moves would reveal a secret, such as a hand of cards.

        Only the player of such a seat sees its legal moves, and the clauses of its refusals.
        """
        return ()

    @property
    def unguarded(self) -> tuple[str, ...]:
        """The tags of kinds of moves that reveal nothing although their seat is guarded.

        Their legal moves are listed for everybody, like the bids of a seat with a hidden hand.
        """
        return ()

    def awaiting(self) -> tuple[Awaited, ...]:
        """Return the seats that must or may act; none after the end of the game."""
        raise NotImplementedError

    def outcome(self) -> Outcome | None:
        """Return the outcome, or `None` before the end."""
        raise NotImplementedError

    def view(self, seat: int | None) -> View:
        """Return the view of `seat`, or of a spectator (`None`)."""
        return self


P = TypeVar("P", bound=Position)
TurnPart = Literal["whole", "first", "more", "last", "before", "aside"]


class Move(
    Struct,
    Generic[P],
    frozen=True,
    tag_field="type",
    tag=str.lower,
    rename={"from_": "from", "with_": "with"},
    forbid_unknown_fields=True,
):
    """A move of a game, with its notation, its rule and its effects.

    Class variables: `notation` (its text), `names_seat` (the record must name the seat), `chance`
    (dice decide it; the move then has `roll`), `listed` (`legal` lists all moves of the kind),
    `dice_count` (the most six-sided dice whose faces, with commas, are its only field, or 0),
    `what` (the kind of move in words), `example` (a text, for help and messages), `patience` (the
    clause by which a match with a clock refuses the move until the other seats have had their time
    for programming) and `turn_part`: the usual part of such a move in the turn of its seat, for
    sheets that nothing judges. `before` comes before the turn, `aside` in the turn of any seat.
    """

    notation: ClassVar[Notation]
    what: ClassVar[str]
    example: ClassVar[str]
    names_seat: ClassVar[bool] = False
    chance: ClassVar[bool] = False
    listed: ClassVar[bool] = True
    dice_count: ClassVar[int] = 0
    patience: ClassVar[str | None] = None
    turn_part: ClassVar[TurnPart] = "whole"

    @classmethod
    def legal(cls, position: P, seat: int) -> Iterator[Move[P]]:
        """Yield the legal moves of this kind. `seat` is awaited for one."""
        raise NotImplementedError

    @classmethod
    def roll(cls, position: P, die: Callable[[int], int]) -> Move[P]:
        """Return the move that dice decide; `die(6)` returns 1 to 6, equally likely."""
        raise NotImplementedError

    @classmethod
    def dice_at(cls, position: P) -> int:
        """Return how many dice are rolled in a position, if not always `dice_count`."""
        return cls.dice_count

    @classmethod
    def misread(cls, text: str) -> Violation | None:
        """Return why a text outside the notation is no move of this kind, if the kind knows."""
        return None

    def check(self, position: P, seat: int) -> Violation | None:
        """Return the first clause that the move violates, or `None`. `seat` is awaited."""
        raise NotImplementedError

    def evolve(self, position: P, seat: int) -> tuple[P, tuple[Effect, ...]]:
        """Return the position after the move, and the effects.

        Never fails on a move that passed `check`.
        """
        raise NotImplementedError

    def picks(self, position: P) -> tuple[Pick, ...]:
        """Return the taps that enter the move, legal or not; by default its fields, in order."""
        return ()

    def normal(self, position: P) -> Move[P]:
        """Return the move as records write it, if the notation can write it in several ways."""
        return self

    def label(self, names: Names = UNNAMED) -> str:
        """Return the words of a button for the move; empty for one that is picked by its fields."""
        return ""

    def label_at(self, position: P, names: Names = UNNAMED) -> str:
        """Return the words of a button for the move in a position, if not always `label`."""
        return self.label(names)

    def offered(self, position: P) -> bool:
        """Return whether taps offer a move of an unlisted kind; as a text every move is read."""
        return True


def tag_of(kind: type[Move[Any] | Effect]) -> str:
    """Return the tag of a kind of move or effect in JSON."""
    return str(kind.__struct_config__.tag)


class Secret(Move[P], frozen=True):
    """A move that only its seat may see while the position lists the seat as `sealed`.

    A kind of move that takes a dealt hand, with a field for each card, can help a search to guess
    hidden hands by `pack` and `shown_by`. The parts that all seats see must then not depend on the
    hands.
    """

    names_seat: ClassVar[bool] = True
    listed: ClassVar[bool] = False

    @classmethod
    def legal(cls, position: P, seat: int) -> Iterator[Move[P]]:
        """Yield nothing, as most secrets are too many to be listed."""
        return iter(())

    @classmethod
    def pack(cls, position: P) -> Sequence[Any]:
        """Return the cards outside the hands of a position; empty for games without dealt hands."""
        return ()

    @classmethod
    def shown_by(
        cls, position: P, seat: int, move: Move[P]
    ) -> tuple[Collection[Any], Collection[Any]]:
        """Return which cards, as an open move shows, its seat held before it, and which not."""
        return (), ()
