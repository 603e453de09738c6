"""A game: one ruleset with its seats, options, moves and starting position."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, Union, get_args, get_type_hints

import msgspec
from msgspec import Struct

from domain.cards import CARD
from domain.controls import NO_CONTROLS, MoveControls
from domain.editor import NOT_BY_HAND, Editor
from domain.effects import Effect
from domain.names import UNNAMED, Names, cut, one_of
from domain.notation import Script, TextFormat
from domain.position import Awaited, Move, Outcome, P, Position, Secret, View, Violation
from domain.position_text import PositionError, TextCodec
from domain.scene import Scene
from domain.symmetry import Symmetry

MAX_SEATS: Final = 9
"""A move text names its seat by one digit."""
MAX_SHOWN: Final = 100
"""The most characters of a wrong text that its refusal repeats."""
MISTAKEN: Final = str.maketrans("lIOo", "1100")
"""Letters that look like digits."""
SLUG: Final = re.compile("[a-z0-9-]+")


class Kinds(dict[str, type[Move[Any]]]):
    """The kinds of moves of a game by tag. Raises `ValueError` for any other tag."""

    def __missing__(self, tag: str) -> type[Move[Any]]:
        """Raise `ValueError` with the tags of the game."""
        raise ValueError(f"{tag!r} is not the tag of a kind of move; use {one_of(self)}")


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; every field of a subclass is a `Literal` with a default."""


class OptionError(ValueError):
    """An option or a number of seats that the game does not have."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option

    @property
    def field(self) -> str:
        """The name of the invalid part: `options.` and the option, or `seats`."""
        return f"options.{self.option}" if self.option else "seats"


def _draw_nothing(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    return Scene(())


def _no_controls(state: Any, seat: int) -> MoveControls:
    return NO_CONTROLS


Concluded = Outcome | tuple[P, tuple[Effect, ...]] | None
"""When a seat leaves: the end of the game, or the next position and its effects, or `None`."""


def _by_teams(position: Position, seat: int, clause: str) -> None:
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
        key: Callable[[P], str] | None = None,
        editor: Editor = NOT_BY_HAND,
        symmetries: Callable[[P], Sequence[Symmetry]] = _no_symmetries,
        teams: Sequence[tuple[int, ...]] = (),
        concluded: Callable[[P, int, Literal["resigned", "flagged"]], Concluded[P]] = _by_teams,
        controls: Callable[[Any, int], MoveControls] = _no_controls,
        uneventful: str = "",
        tasks_by_name: Mapping[str, str] = MappingProxyType({}),
        script: Script | None = None,
        spellings: Callable[[P, str], Collection[str]] | None = None,
        formats: Sequence[TextFormat] = (),
        seeds: str = "seeds",
        rules: str = "",
        demo: str = "",
    ) -> None:
        if not SLUG.fullmatch(slug):
            raise ValueError(f"{slug!r} is not a valid slug; use small letters, digits and -")
        if not moves:
            raise ValueError(f"{name} has no moves; name its kinds of moves in `moves`")
        if not set(seats) <= set(range(1, MAX_SEATS + 1)):
            raise ValueError(f"{name} has seats {seats}; a game has 1 to {MAX_SEATS} seats")
        self.slug = slug
        self.name = name
        self.version = version
        self.seeds = seeds
        """The package whose folder `<slug>` has the text of the rules and a demonstration match."""
        self.rules = rules
        self.demo = demo
        """Rules and demonstration of a game of one file; empty if the package has the texts."""
        self.seats = seats
        self.options = options
        self.moves = tuple(moves)
        self.text = text
        """The text codec of positions, or `None`: then no position can be set."""
        self.key = key or (text and text.key)
        """Return a line that is the same for positions that count as one.

        By default it is the position text without the turn. Raises `PositionError` for a position
        that cannot be compared.
        """
        self.editor = editor
        """The editor for moving things of a position by hand."""
        self.symmetries = symmetries
        """The symmetries under which the rules are invariant, without the identity."""
        self.teams = tuple(teams)
        """The seats that win together; a seat in no team plays for itself."""
        self.concluded = concluded
        """End or continue the game after a seat resigned or ran out of time.

        `None` ends it: all seats of other teams win together. A position keeps the game going.
        """
        self.controls = controls
        """The controls of a seat that is awaited at a state, besides its legal moves."""
        self.uneventful = uneventful
        """The sentence for a move of several steps without any effect to report."""
        self.tasks_by_name = tasks_by_name
        """Task words for a player with a name, where they differ, by the words for a seat."""
        self.script = script
        """The way in which people write moves, if it is not the move text."""
        self.spellings = spellings
        """Return the texts of the legal moves that another spelling may mean in a position.

        A game needs it only for spellings that differ by more than case, white space and signs.
        """
        self.formats = tuple(formats)
        """The text formats of other programs for records of the game."""
        self._scene = scene
        self._start = start
        self._kinds = Kinds((str(move.__struct_config__.tag), move) for move in self.moves)
        self._notations = tuple((move, move.notation) for move in self.moves)
        self._decoder = msgspec.json.Decoder(Union[self.moves])  # noqa: UP007  # built at run time
        # Recorded matches repeat a small set of move texts.
        self._parsed = functools.lru_cache(maxsize=4096)(self._parse)

    def __repr__(self) -> str:
        return f"<Game {self.ruleset}>"

    @property
    def ruleset(self) -> str:
        """The permanent ruleset id of a match: `poptrix/1`."""
        return f"{self.slug}/{self.version}"

    @property
    def dice_count(self) -> int:
        """The largest number of dice that decide a move; 0 in a game without dice."""
        return max(move.dice_count for move in self.moves)

    @property
    def compares(self) -> bool:
        """Whether positions of different matches can be compared."""
        return bool(self.text or self.key)

    @property
    def lists_all(self) -> bool:
        """Whether `legal` lists every move, so that perft is meaningful."""
        return all(move.listed for move in self.moves)

    @functools.cached_property
    def pad(self) -> Literal["", "card", "number"]:
        """The pad that pages load for the game: for moves that are cards, or numbers of a sheet."""
        lone = (move.notation.parts for move in self.moves if len(move.notation.parts) == 1)
        if any(part.lexeme is CARD for (part,) in lone):
            return "card"
        return "number" if self.unlisted_tags else ""

    @functools.cached_property
    def has_secrets(self) -> bool:
        """Whether some moves are secret."""
        return any(issubclass(move, Secret) for move in self.moves)

    @property
    def unlisted_tags(self) -> tuple[str, ...]:
        """The tags of open moves that are too many to be listed, like the numbers of a sheet.

        Dice that are too many are no such moves: they are set one by one.
        """
        others = (move for move in self.moves if not (move.listed or move.dice_count))
        open_ = (move for move in others if not issubclass(move, Secret))
        return tuple(str(move.__struct_config__.tag) for move in open_)

    def start(self, options: Options | None = None, seats: int | None = None) -> P:
        """Set up the game. Raises `OptionError` for an invalid combination of seats and options."""
        seats = self.seats[0] if seats is None else seats
        self.check_seats(seats)
        return self._start(self.options() if options is None else options, seats)

    def check_seats(self, seats: int) -> None:
        """Raise `OptionError` for a number of seats that the game does not have."""
        if seats not in self.seats:
            raise OptionError(
                f"{self.name} is for {one_of(map(str, self.seats))} seats, not {seats}"
            )

    def check_start(self) -> None:
        """Set up the game and ask who is awaited. Raises `TypeError` and `ValueError`."""
        position = self.start()
        for name in ("turn", "awaiting", "outcome"):
            if getattr(type(position), name) is getattr(Position, name):
                raise TypeError(
                    f"{type(position).__name__} has no `{name}`; every position of a game needs one"
                )
        for tag in (tag for one in position.awaiting() for tag in one.moves):
            self._kinds[tag]

    def team(self, seat: int, playing: Sequence[int]) -> tuple[int, ...]:
        """Return the seats still playing that win together with a seat."""
        team = next((team for team in self.teams if seat in team), (seat,))
        return tuple(one for one in team if one in playing)

    def legal(self, position: P, seat: int) -> Iterator[Move[P]]:
        """Yield the legal moves of a seat that can be listed."""
        for awaited in position.awaiting():
            if awaited.seat == seat:
                yield from self._legal(position, awaited)

    def legal_moves(self, position: P) -> Iterator[tuple[int, Move[P]]]:
        """Yield the legal moves of all seats as `legal` does, each with its seat."""
        for awaited in position.awaiting():
            for move in self._legal(position, awaited):
                yield awaited.seat, move

    def _legal(self, position: P, awaited: Awaited) -> Iterator[Move[P]]:
        for tag in awaited.moves:
            yield from self._kinds[tag].legal(position, awaited.seat)

    def scene(self, view: View, effects: Sequence[Effect] = (), names: Names = UNNAMED) -> Scene:
        """Draw a view; the `effects` of the last move mark what changed."""
        return self._scene(view, effects, names)

    def write_position(self, position: P) -> str:
        """Write a position as text. Raises `PositionError` for a game without position texts."""
        return self._codec().write(position)

    def read_position(self, position: P, text: str) -> P:
        """Parse a position, in a game with the options and seats of `position`.

        Raises `PositionError` for an invalid text or position.
        """
        read: P = self._codec().read(position, text)
        return read

    def write_key(self, position: P) -> str:
        """Write a key, which is the same for positions that count as one.

        Raises `PositionError` for a position without one.
        """
        return self.key(position) if self.key else self.write_position(position).rpartition(" ")[0]

    def _codec(self) -> TextCodec:
        if self.text is None:
            raise PositionError("this game has no position texts", 1)
        return self.text

    def read_options(self, texts: dict[str, str]) -> Options:
        """Parse options given as text, `{"cool": "2"}`. Raises `OptionError`."""
        choices = self.choices()
        for name, text in texts.items():
            if name not in choices:
                known = f"its options are {', '.join(choices)}" if choices else "it has none"
                raise OptionError(f"{self.name} has no option {name!r}; {known}", name)
            if text not in map(str, choices[name]):
                raise OptionError(
                    f"option {name} of {self.name} is {one_of(map(str, choices[name]))},"
                    f" not {text!r}",
                    name,
                )
        return self.options(
            **{
                name: next(value for value in choices[name] if str(value) == text)
                for name, text in texts.items()
            }
        )

    def choices(self) -> dict[str, tuple[Any, ...]]:
        """Return the possible values of each option, in the order of declaration."""
        hints = get_type_hints(self.options)
        return {name: get_args(hints[name]) for name in self.options.__struct_fields__}

    def set_options(self, options: Options) -> dict[str, Any]:
        """Return the options that differ from their defaults, in the order of declaration."""
        default = self.options()
        return {
            name: getattr(options, name)
            for name in self.options.__struct_fields__
            if getattr(options, name) != getattr(default, name)
        }

    def parse(self, text: str) -> Move[P] | None:
        """Parse a move text without a seat; `None` if it is not in the game's notation."""
        return self._parsed(text)

    def _parse(self, text: str) -> Move[P] | None:
        for move, notation in self._notations:
            fields = notation.read(text)
            if fields is not None:
                return move(*fields)
        return None

    def write(self, move: Move[P]) -> str:
        """Write a move as a move text without a seat."""
        return move.notation.write(move)

    def decode(self, data: bytes | str) -> Move[P]:
        """Decode a move's JSON. Raises `msgspec.DecodeError`, with the path if there is one."""
        try:
            move: Move[P] = self._decoder.decode(data)
        except RecursionError:
            raise msgspec.DecodeError("JSON is nested too deeply") from None
        # msgspec does not require the tag if a union has only one class.
        if len(self.moves) == 1 and "type" not in msgspec.json.decode(data):
            raise msgspec.ValidationError("Object missing required field `type`")
        return move

    def malformed(self, text: str) -> Violation:
        """Refuse a text that is not in the notation of the game; show examples of its moves."""
        body = text.rpartition(":")[2]
        known = next(filter(None, (move.misread(body) for move in self.moves)), None)
        if known is not None:
            return known
        kinds = ", ".join(f"{move.example} ({move.what})" for move in self.moves)
        return Violation(
            "form",
            f"{cut(text, MAX_SHOWN)!r} is not a move of {self.name}; moves look like {kinds}"
            + self._mistaken(text),
        )

    def _mistaken(self, text: str) -> str:
        """Name a character of a text that looks like a different one."""
        if not text.isascii():
            strange = next(letter for letter in text if not letter.isascii())
            name = unicodedata.name(strange, "a character without a name")
            return f"; {strange!r} in it is U+{ord(strange):04X}, {name}"
        seat, colon, body = text.rpartition(":")
        fixed = body.translate(MISTAKEN) if len(body) <= MAX_SHOWN else body
        if fixed != body and self.parse(fixed) is not None:
            return f"; is it {seat}{colon}{fixed}, with a digit?"
        return ""
