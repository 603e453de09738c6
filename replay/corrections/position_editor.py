"""Show a position by hand, thing by thing, until it can be what an adjustment sets.

Nothing is kept between the steps: an arrangement follows from the match, or a text, and the list
of what was moved since. `correcting.adjust` records its text in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.editor import Location, Misplaced
from domain.events import State
from domain.game import Game
from domain.position import Position, Violation
from domain.position_text import PositionError
from domain.scene import Mark, Scene
from replay.corrections.corrections import position_as_text
from replay.errors import Refused, Usage
from replay.match_record import MatchRecord

MOST_SHIFTS: Final = 200
"""How many things are moved by hand before the position has to be set up as a text."""

SEALED: Final = Violation("turn", "wait until what is sealed is revealed")


class Shift(Struct, frozen=True):
    """What a hand took from a spot and laid on another, each by its name."""

    what: str
    start: str
    end: str


class Mislaid(Usage):
    """A shift that cannot be: `number` counts from 1, `reason` tells a player why."""

    def __init__(self, number: int, shift: Shift, reason: str) -> None:
        super().__init__(
            f"shift {number}, {shift.what} from {shift.start} to {shift.end}: {reason}"
        )
        self.number = number
        self.reason = reason


class Arrangement(Struct, frozen=True):
    """A position as it is shown so far.

    `text` is how it is written; `state` the point that an adjustment to it leads to, or `None`
    while it cannot be a position: then `fault` says why. `turns` are the seats that the turn can be
    given to, `changed` the spots that differ from the record.
    """

    game: Game[Any]
    position: Position
    locations: tuple[Location, ...]
    text: str
    state: State | None
    fault: PositionError | None
    turns: tuple[int, ...]
    changed: tuple[str, ...]
    differs: bool
    """Whether the text is another than that of the position on record."""

    @property
    def why(self) -> str:
        """Why it cannot be a position; empty if it can."""
        return self.fault.words() if self.fault else ""

    @property
    def scene(self) -> Scene:
        """The picture of it, with what was changed pointed out."""
        return replace(self.game.scene(self.position.view(None)), marks=tuple(self._marks()))

    def _marks(self) -> Iterator[Mark]:
        for spot in self.locations:
            if spot.at in self.changed and not spot.beside:
                yield Mark(spot.at, "to" if spot.things else "from")


def arranged(
    recorded: MatchRecord,
    shifts: Sequence[Shift] = (),
    seat: int | None = None,
    base: str | None = None,
) -> Arrangement:
    """Return what comes of shifts upon the position at the head, or upon that of a text.

    With a `seat` a turn of that seat begins. Raises `Refused` while something is sealed, `Mislaid`,
    and `Usage` for a base that is no position, a seat that cannot have the turn, and a game whose
    positions have no text.
    """
    game, record = recorded.game, recorded.state.position
    if record.sealed:
        raise Refused(SEALED, recorded.match)
    if len(shifts) > MOST_SHIFTS:
        raise Usage(f"at most {MOST_SHIFTS} things are moved by hand at once; save, then go on")
    shown = _shifted(game, record if base is None else _set_up(game, record, base), shifts)
    return _arrangement(game, record, shown if seat is None else _turned(game, shown, seat), shown)


def _set_up(game: Game[Any], record: Position, text: str) -> Position:
    try:
        read: Position = game.read_position(record, text)
    except PositionError as error:
        raise Usage(f"this is no position, {error}") from None
    return read


def _shifted(game: Game[Any], position: Position, shifts: Sequence[Shift]) -> Position:
    for number, shift in enumerate(shifts, 1):
        try:
            position = game.editor.move(position, shift.what, shift.start, shift.end)
        except Misplaced as error:
            raise Mislaid(number, shift, str(error)) from None
    return position


def _turned(game: Game[Any], position: Position, seat: int) -> Position:
    try:
        turned: Position = game.editor.give_turn(position, seat)
    except Misplaced as error:
        raise Usage(str(error)) from None
    return turned


def _arrangement(
    game: Game[Any], record: Position, shown: Position, unturned: Position
) -> Arrangement:
    """Judge what is shown; `unturned` is the same before the turn was given to a seat."""
    state, fault = _judged(game, shown)
    position = shown if state is None else state.position
    locations = game.editor.locations(position)
    lay = {one.at: one.things for one in game.editor.locations(record)}
    return Arrangement(
        game,
        position,
        locations,
        position_as_text(game, position),
        state,
        fault,
        tuple(_turns(game, unturned)),
        tuple(one.at for one in locations if one.things != lay.get(one.at, ())),
        position_as_text(game, position) != position_as_text(game, record),
    )


def _judged(game: Game[Any], shown: Position) -> tuple[State | None, PositionError | None]:
    """Return the point that an adjustment would lead to, or why it cannot be a position."""
    try:
        read = game.read_position(shown, position_as_text(game, shown))
    except PositionError as error:
        return None, error
    return State(game, read, read.outcome()), None


def _turns(game: Game[Any], position: Position) -> Iterator[int]:
    """Yield the seats that a turn can be given to, unless that changes nothing for any of them."""
    given = {}
    for seat in position.playing:
        try:
            given[seat] = game.write_position(game.editor.give_turn(position, seat))
        except Misplaced:
            continue
    if set(given.values()) - {game.write_position(position)}:
        yield from given
