"""What a game is: positions, moves on them, what they cause, and who is awaited.

A game is pure. A `Position` never changes; a `Move` says with `check` whether it is by the
rules and with `evolve` what comes of it. Nothing here reads a clock, rolls a die or does I/O:
what chance or a person decided is in the move.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    TypeVar,
    Union,
    get_args,
    get_type_hints,
)

import msgspec
from msgspec import Struct

from domain.notation import Notation
from domain.rearranging import Misplaced, Spot
from domain.scene import Scene

if TYPE_CHECKING:
    from domain.symmetry import Symmetry


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


class PositionError(ValueError):
    """A text that is no position of the game. `column` counts from 1 to where it goes wrong."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"column {column}: {message}")
        self.column = column


class Awaited(Struct, frozen=True):
    """A seat that must act now (or, with `must` false, may) and on what.

    `moves` are the tags of the moves it can make, `what` says the same to a person: "attack".
    """

    seat: int
    what: str
    moves: tuple[str, ...]
    must: bool = True


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


class View(Struct, frozen=True):
    """What one seat, or a spectator, may see of a position."""

    def scene(self, effects: Sequence[Effect] = ()) -> Scene:
        """Draw it as data; `effects`, those of the move just made, mark what changed."""
        raise NotImplementedError


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

    def text(self) -> str:
        """Write the position as one readable line that `set_up` reads back to an equal one.

        ASCII without double quotes or backslashes, fields with one space between them. The last
        field is the number of the turn, the one before it the seat that has it, or `-` for all.
        What is sealed is left out: of such a position the text gives the public part.
        """
        raise NotImplementedError

    def set_up(self, text: str) -> Position:
        """Return the position of a text, in a game with the options and seats of this one.

        Raises `PositionError` for what is no text of a position, or one that cannot be.
        """
        raise PositionError("positions of this game have no text", 1)

    def spots(self) -> tuple[Spot, ...]:
        """Where things lie that a hand could move, the places of the board first.

        Empty where positions cannot be shown by hand; then a text has to do.
        """
        return ()

    def rearranged(self, what: str, start: str, end: str) -> Position:
        """Return the position after a hand took a thing from a spot and laid it on another.

        By no rules, and with nobody having moved. Raises `Misplaced` if it is not there, or
        cannot lie there. The position may be one that cannot be, on the way to one that can.
        """
        raise Misplaced("in this game nothing can be moved by hand")

    def turned_to(self, seat: int) -> Position:
        """Return the position with a turn of `seat` to begin, nothing of another pending.

        Raises `Misplaced` for a seat that is not in the game.
        """
        raise Misplaced("in this game turns cannot be given by hand")

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to turn the game that leave its rules as they are, but for doing nothing."""
        return ()

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


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """A game without options. Others subclass it; every field is a `Literal` with a default."""


class OptionError(ValueError):
    """An option or a number of seats that the game does not have."""


class Game(Generic[P]):
    """One ruleset of one game: a value, not a class (`poptrix/2` would be another)."""

    def __init__(
        self,
        slug: str,
        name: str,
        *,
        version: int = 1,
        seats: tuple[int, ...] = (2,),
        options: type[Options] = Options,
        moves: Sequence[type[Move[P]]],
        start: Callable[[Any, int], P],
        seeds: str = "seeds",
    ) -> None:
        self.slug = slug
        self.name = name
        self.version = version
        self.seeds = seeds
        """The package whose folder `<slug>` holds the words of the rules and a demo match."""
        self.seats = seats
        self.options = options
        self.moves = tuple(moves)
        self._start = start
        self._tokens = tuple((move, move.notation) for move in self.moves)
        self._decoder = msgspec.json.Decoder(Union[self.moves])  # noqa: UP007  # built at run time
        # Recorded matches repeat a small stock of tokens.
        self._parsed = functools.lru_cache(maxsize=4096)(self._parse)

    def __repr__(self) -> str:
        return f"<Game {self.ruleset}>"

    @property
    def ruleset(self) -> str:
        """The id that a match is opened with for ever: `poptrix/1`."""
        return f"{self.slug}/{self.version}"

    @property
    def lists_all(self) -> bool:
        """Whether `Position.legal` lists every move, so that perft makes sense."""
        return not any(issubclass(move, Secret) for move in self.moves)

    def start(self, options: Options | None = None, seats: int | None = None) -> P:
        """Set the game up. Raises `OptionError` for seats or options that do not go together."""
        seats = self.seats[0] if seats is None else seats
        if seats not in self.seats:
            raise OptionError(
                f"{self.name} is for {_one_of(map(str, self.seats))} seats, not {seats}"
            )
        return self._start(self.options() if options is None else options, seats)

    def read_options(self, texts: dict[str, str]) -> Options:
        """Return the options given as text, `{"cool": "2"}`. Raises `OptionError`."""
        choices = self.choices()
        for name, text in texts.items():
            if name not in choices:
                known = f"its options are {', '.join(choices)}" if choices else "it has none"
                raise OptionError(f"{self.name} has no option {name!r}; {known}")
            if text not in map(str, choices[name]):
                raise OptionError(
                    f"option {name} of {self.name} is {_one_of(map(str, choices[name]))},"
                    f" not {text!r}"
                )
        return self.options(
            **{
                name: next(value for value in choices[name] if str(value) == text)
                for name, text in texts.items()
            }
        )

    def choices(self) -> dict[str, tuple[Any, ...]]:
        """Return the values each option can have, in the order of the game's table."""
        hints = get_type_hints(self.options)
        return {name: get_args(hints[name]) for name in self.options.__struct_fields__}

    def set_options(self, options: Options) -> dict[str, Any]:
        """Return the options that differ from their defaults, in the order of the table."""
        default = self.options()
        return {
            name: getattr(options, name)
            for name in self.options.__struct_fields__
            if getattr(options, name) != getattr(default, name)
        }

    def parse(self, token: str) -> Move[P] | None:
        """Read a token without its seat; `None` if it is none of this game's."""
        return self._parsed(token)

    def _parse(self, token: str) -> Move[P] | None:
        for move, notation in self._tokens:
            fields = notation.read(token)
            if fields is not None:
                return move(*fields)
        return None

    def token(self, move: Move[P]) -> str:
        """Write a move as a token, without its seat."""
        return move.notation.write(move)

    def decode(self, data: bytes | str) -> Move[P]:
        """Read a move's JSON. Raises `msgspec.DecodeError`, with the path where there is one."""
        try:
            move: Move[P] = self._decoder.decode(data)
        except RecursionError:
            raise msgspec.DecodeError("JSON is nested too deeply") from None
        # msgspec takes the only class of a union for granted when the tag is missing.
        if len(self.moves) == 1 and "type" not in msgspec.json.decode(data):
            raise msgspec.ValidationError("Object missing required field `type`")
        return move

    def malformed(self, token: str) -> Violation:
        """Refuse a text that is no token, and show what tokens look like."""
        kinds = ", ".join(f"{move.example} ({move.what})" for move in self.moves)
        return Violation("form", f"{token!r} is not a move of {self.name}; moves look like {kinds}")


def _one_of(names: Iterator[str] | map[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
