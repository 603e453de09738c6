"""A game: one ruleset with its seats, options, moves and start."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Union, get_args, get_type_hints

import msgspec
from msgspec import Struct

from domain.editor import NOT_BY_HAND, Editor
from domain.effects import Effect
from domain.names import UNNAMED, Names
from domain.position import Move, P, Position, Secret, View, Violation
from domain.position_text import PositionError, TextCodec
from domain.scene import Scene
from domain.symmetry import Symmetry


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """A game without options. Others subclass it; every field is a `Literal` with a default."""


class OptionError(ValueError):
    """An option or a number of seats that the game does not have."""


def _draw_nothing(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    return Scene(())


def _no_controls(state: Any, seat: int) -> None:
    return None


def _no_symmetries(position: Position) -> tuple[Symmetry, ...]:
    return ()


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
        scene: Callable[[Any, Sequence[Effect], Names], Scene] = _draw_nothing,
        text: TextCodec | None = None,
        editor: Editor = NOT_BY_HAND,
        symmetries: Callable[[P], Sequence[Symmetry]] = _no_symmetries,
        controls: Callable[[Any, int], Struct | None] = _no_controls,
        uneventful: str = "",
        tasks_by_name: Mapping[str, str] = MappingProxyType({}),
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
        self.text = text
        """How positions are written, or `None`: then none can be set."""
        self.editor = editor
        """How things of a position are moved by hand."""
        self.symmetries = symmetries
        """The ways to turn a position that leave the rules as they are, but for doing nothing."""
        self.controls = controls
        """What a page needs, beside the legal moves, for a state and a seat that is to enter."""
        self.uneventful = uneventful
        """What is said of a move of several steps when there is nothing to tell of any."""
        self.tasks_by_name = tasks_by_name
        """What a player called by name is to do, by what it is for a seat, where that differs."""
        self._scene = scene
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

    def scene(self, view: View, effects: Sequence[Effect] = (), names: Names = UNNAMED) -> Scene:
        """Draw what a viewer sees; `effects`, those of the move just made, mark what changed."""
        return self._scene(view, effects, names)

    def write_position(self, position: P) -> str:
        """Write a position as text. Raises `PositionError` if this game's have none."""
        return self._codec().write(position)

    def read_position(self, position: P, text: str) -> P:
        """Return the position of a text, in a game with the options and seats of `position`.

        Raises `PositionError` for a text that is no position, or one that cannot be.
        """
        read: P = self._codec().read(position, text)
        return read

    def _codec(self) -> TextCodec:
        if self.text is None:
            raise PositionError("positions of this game have no text", 1)
        return self.text

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
