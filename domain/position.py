"""States of play and the moves that lead from one to the next.

A `Position` never changes; a `Move` says with `check` whether it is by the rules and with
`evolve` what comes of it. Nothing here reads a clock, rolls a die or does I/O: what chance or a
person decided is in the move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from domain.effects import Effect
from domain.notation import Notation


class Violation(Struct, frozen=True):
    """Why something is refused.

    `clause` is `form` (not a token of the notation), `over` (the game has ended), `turn` (wrong
    seat, or nothing awaits this kind of event), `dice` or `clock` (who rolls, and whose time is
    up) or the id of a clause of the game's rules. `message` tells a player what is wrong and what
    would be right; `squares` names the places concerned.
    """

    clause: str
    message: str
    squares: tuple[str, ...] = ()


class Outcome(Struct, frozen=True):
    """How a match ended: the winner's seat, or `None` for a draw or an abandoned match.

    `clause` is the rule that ended it, or `resigned`, `agreed`, `ruled`, `flagged`.
    """

    winner: int | None
    clause: str
    abandoned: bool = False

    @property
    def result(self) -> str:
        """The terminator of a text record: `+1`, `=`, or `*` if the match was abandoned."""
        if self.winner is not None:
            return f"+{self.winner}"
        return "*" if self.abandoned else "="

    def told(self) -> dict[str, int | bool | str]:
        """Return it as scripts read it: `{"winner": 1, "clause": …}`, `{"draw": true, …}`."""
        if self.winner is not None:
            return {"winner": self.winner, "clause": self.clause}
        return {"abandoned" if self.abandoned else "draw": True, "clause": self.clause}


class Awaited(Struct, frozen=True):
    """A seat that must act now (or, with `must` false, may) and on what.

    `moves` are the tags of the moves it can make, `what` says the same to a person: "attack".
    """

    seat: int
    what: str
    moves: tuple[str, ...]
    must: bool = True


class View(Struct, frozen=True):
    """What one seat, or a spectator, may see of a position."""


class Position(View, frozen=True):
    """A state of play. A position with nothing hidden is its own view."""

    @property
    def turn(self) -> int:
        """The number of the turn that the next event belongs to, all seats counted, from 1."""
        raise NotImplementedError

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in the game."""
        return (1, 2)

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats whose secret moves are not yet revealed."""
        return ()

    def awaiting(self) -> tuple[Awaited, ...]:
        """Who must or may act; empty once the game is over."""
        raise NotImplementedError

    def outcome(self) -> Outcome | None:
        """How the game ended, or `None` while it goes on."""
        raise NotImplementedError

    def legal(self, seat: int) -> Iterator[Move[Any]]:
        """Every move `seat` can make now, leaving out those that cannot be listed (`Secret`)."""
        raise NotImplementedError

    def view(self, seat: int | None) -> View:
        """What `seat` may see, or with `None` a spectator."""
        return self

    def retire(self, seat: int) -> tuple[Position, tuple[Effect, ...]]:
        """Play on without `seat`, in a game of more than two."""
        raise NotImplementedError


P = TypeVar("P", bound=Position)


class Move(
    Struct,
    Generic[P],
    frozen=True,
    tag_field="type",
    tag=str.lower,
    rename={"from_": "from", "with_": "with"},
    forbid_unknown_fields=True,
):
    """One thing a seat does, as a token and as JSON, with its rule and its consequence.

    Class variables: `notation` (the token), `names_seat` (the record must name the seat),
    `chance` (dice decide it: then there is `rolled`), `what` (the kind of move in words),
    `example` (a token, for help and messages) and `patience`: the clause by which a match that
    keeps a clock refuses the move until the others have had their time for programming.
    """

    notation: ClassVar[Notation]
    what: ClassVar[str]
    example: ClassVar[str]
    names_seat: ClassVar[bool] = False
    chance: ClassVar[bool] = False
    patience: ClassVar[str | None] = None

    @classmethod
    def rolled(cls, die: Callable[[int], int]) -> Move[P]:
        """Return the move that dice decide; `die(6)` gives 1 to 6, each as likely."""
        raise NotImplementedError

    def check(self, position: P, seat: int) -> Violation | None:
        """Return the first clause this move breaks, or `None`. `seat` is awaited."""
        raise NotImplementedError

    def evolve(self, position: P, seat: int) -> tuple[P, tuple[Effect, ...]]:
        """Return the next position and what happened. Never fails on what passed `check`."""
        raise NotImplementedError


class Secret(Move[P], frozen=True):
    """A move that only its seat may see until the position no longer counts it as `sealed`."""

    names_seat: ClassVar[bool] = True
