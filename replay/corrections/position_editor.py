"""Show a position by hand, thing by thing, until it can be what an adjustment sets.

Nothing is kept between the steps: an arrangement follows from the match, or a text, and the list
of what was moved since. `correcting.adjust` records its text in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.editor import Misplaced, Spot
from domain.events import State
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
    while it cannot be a position: then `why` says so. `turns` are the seats that the turn can be
    given to, `changed` the spots that differ from the record.
    """

    position: Position
    spots: tuple[Spot, ...]
    text: str
    state: State | None
    why: str
    turns: tuple[int, ...]
    changed: tuple[str, ...]
    differs: bool
    """Whether the text is another than that of the position on record."""

    @property
    def scene(self) -> Scene:
        """The picture of it, with what was changed pointed out."""
        return replace(self.position.scene(), marks=tuple(self._marks()))

    def _marks(self) -> Iterator[Mark]:
        for spot in self.spots:
            if spot.at in self.changed and not spot.words:
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
    record = recorded.state.position
    if record.sealed:
        raise Refused(SEALED, recorded.match)
    if len(shifts) > MOST_SHIFTS:
        raise Usage(f"at most {MOST_SHIFTS} things are moved by hand at once; save, then go on")
    shown = _shifted(record if base is None else _set_up(record, base), shifts)
    return _arrangement(record, shown if seat is None else _turned(shown, seat), shown)


def _set_up(record: Position, text: str) -> Position:
    try:
        return record.set_up(text)
    except PositionError as error:
        raise Usage(f"this is no position, {error}") from None


def _shifted(position: Position, shifts: Sequence[Shift]) -> Position:
    for number, shift in enumerate(shifts, 1):
        try:
            position = position.rearranged(shift.what, shift.start, shift.end)
        except Misplaced as error:
            raise Mislaid(number, shift, str(error)) from None
    return position


def _turned(position: Position, seat: int) -> Position:
    try:
        return position.turned_to(seat)
    except Misplaced as error:
        raise Usage(str(error)) from None


def _arrangement(record: Position, shown: Position, unturned: Position) -> Arrangement:
    """Judge what is shown; `unturned` is the same before the turn was given to a seat."""
    state, why = _judged(shown)
    position = shown if state is None else state.position
    spots, lay = position.spots(), {spot.at: spot.things for spot in record.spots()}
    return Arrangement(
        position,
        spots,
        position_as_text(position),
        state,
        why,
        tuple(_turns(unturned)),
        tuple(spot.at for spot in spots if spot.things != lay.get(spot.at, ())),
        position_as_text(position) != position_as_text(record),
    )


def _judged(shown: Position) -> tuple[State | None, str]:
    """Return the point that an adjustment would lead to, or why it cannot be a position."""
    try:
        read = shown.set_up(position_as_text(shown))
    except PositionError as error:
        return None, str(error).removeprefix(f"column {error.column}: ")
    return State(read, read.outcome()), ""


def _turns(position: Position) -> Iterator[int]:
    """Yield the seats that a turn can be given to, unless that changes nothing for any of them."""
    given = {}
    for seat in position.playing:
        try:
            given[seat] = position.turned_to(seat).text()
        except Misplaced:
            continue
    if set(given.values()) - {position.text()}:
        yield from given
