"""Adjust the position of a match to the table, step by step or as text.

The editor has no state between requests: an arrangement follows from the match, or a position text,
and the list of shifts. `adjust` records the final text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.editor import Location, Misplaced
from domain.events import SEALED, UNJUDGED, Adjusted, State
from domain.game import Game
from domain.position import Position
from domain.position_text import PositionError
from domain.scene import Mark, Scene
from replay.book import Book
from replay.errors import Conflict, Refused, Usage
from replay.record.match_record import MatchRecord
from replay.referee.entering import judge, play
from replay.tags.names import SCOREKEEPER
from replay.texts import check_text

MAX_REASON: Final = 500
"""The longest reason of an adjustment, in characters."""


def adjust(
    book: Book, record: MatchRecord, position: str, reason: str, *, actor: str = SCOREKEEPER
) -> MatchRecord:
    """Record the position on the table, even against the rules and after the end.

    Raises as `adjustment` does, or `Stale`.
    """
    event = adjustment(book, record, position, reason)
    return play(book, record, [event], actor=actor)


def adjustment(book: Book, record: MatchRecord, position: str, reason: str) -> Adjusted:
    """Return the event that sets a position, with the position's canonical text.

    Raises `Usage` without a reason, and `Refused` while a move is sealed and for an invalid
    position text (the message names the column).
    """
    if not reason.strip():
        raise Usage(f"an adjustment needs a reason: one line of at most {MAX_REASON} characters")
    check_text("the reason", reason, MAX_REASON)
    event = Adjusted(position, reason.strip())
    judge(book, record, [event])
    game, before = record.game, record.state.position
    canonical = game.write_position(game.read_position(before, position))
    return replace(event, position=canonical)


def write_position_at(record: MatchRecord, ply: int) -> str:
    """Return the position after a ply as text.

    Raises `Usage` while a move is sealed, and for a game whose positions have no text.
    """
    state = record.match.at(ply)
    if state.unjudged:
        raise Usage(UNJUDGED.message)
    position = state.position
    if position.sealed:
        raise Usage("a sealed move is pending at this ply; use an earlier ply")
    return write_position(record.game, position)


def write_position(game: Game[Any], position: Position) -> str:
    """Return the text of a position. Raises `Usage` for a game without position texts."""
    if game.text is None:
        raise Conflict(f"{game.name} has no position texts")
    return game.write_position(position)


MAX_PIECE_MOVES: Final = 200
"""The most shifts by hand; beyond them the position must be set up as a text."""


class PieceMove(Struct, frozen=True):
    """A thing moved from one spot to another spot, with the names of all three."""

    what: str
    start: str
    end: str


class ImpossibleEdit(Usage):
    """An impossible shift: `number` counts from 1, `reason` explains it to a player."""

    def __init__(self, number: int, shift: PieceMove, reason: str) -> None:
        super().__init__(
            f"shift {number}, {shift.what} from {shift.start} to {shift.end}: {reason}"
        )
        self.number = number
        self.reason = reason


class Arrangement(Struct, frozen=True):
    """The edited position.

    `text` is its text. `state` is the state after an adjustment to it, or `None` if the position is
    invalid: then `fault` says why. `turns` are the seats that the turn can be given to, `changed`
    the spots that differ from the record.
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
    """Whether the text differs from that of the recorded position."""

    @property
    def why(self) -> str:
        """Why the position is invalid; empty if it is valid."""
        return self.fault.words() if self.fault else ""

    @property
    def scene(self) -> Scene:
        """The scene of the position, with the changed spots marked."""
        return replace(self.game.scene(self.position.view(None)), marks=tuple(self._marks()))

    def _marks(self) -> Iterator[Mark]:
        for spot in self.locations:
            if spot.at in self.changed and not spot.beside:
                yield Mark(spot.at, "to" if spot.things else "from")


def arrange(
    recorded: MatchRecord,
    shifts: Sequence[PieceMove] = (),
    seat: int | None = None,
    base: str | None = None,
) -> Arrangement:
    """Apply shifts to the position at the head, or to a position given as text.

    With a `seat`, a turn of that seat begins. Raises `Refused` while a move is sealed,
    `ImpossibleEdit` for an impossible shift, and `Usage` for an invalid base, a seat that cannot
    have the turn, and a game whose positions have no text.
    """
    game, record = recorded.game, recorded.state.position
    if recorded.state.unjudged:
        raise Refused(UNJUDGED, recorded.match)
    if record.sealed:
        raise Refused(SEALED, recorded.match)
    if len(shifts) > MAX_PIECE_MOVES:
        raise Usage(f"an adjustment has at most {MAX_PIECE_MOVES} shifts; save it first")
    edited = _apply_shifts(game, record if base is None else _read_base(game, record, base), shifts)
    return _arrangement(
        game, record, edited if seat is None else _give_turn(game, edited, seat), edited
    )


def _read_base(game: Game[Any], record: Position, text: str) -> Position:
    try:
        position: Position = game.read_position(record, text)
    except PositionError as error:
        raise Usage(f"this is not a position, {error}") from None
    return position


def _apply_shifts(game: Game[Any], position: Position, shifts: Sequence[PieceMove]) -> Position:
    for number, shift in enumerate(shifts, 1):
        try:
            position = game.editor.move(position, shift.what, shift.start, shift.end)
        except Misplaced as error:
            raise ImpossibleEdit(number, shift, error.message) from None
    return position


def _give_turn(game: Game[Any], position: Position, seat: int) -> Position:
    try:
        changed: Position = game.editor.give_turn(position, seat)
    except Misplaced as error:
        raise Usage(str(error)) from None
    return changed


def _arrangement(
    game: Game[Any], record: Position, edited: Position, unturned: Position
) -> Arrangement:
    """Judge the edited position; `unturned` is the position before the turn was changed."""
    state, fault = _judge(game, edited)
    position = edited if state is None else state.position
    locations = game.editor.locations(position)
    recorded = {location.at: location.things for location in game.editor.locations(record)}
    return Arrangement(
        game,
        position,
        locations,
        write_position(game, position),
        state,
        fault,
        tuple(_turns(game, unturned)),
        tuple(
            location.at
            for location in locations
            if location.things != recorded.get(location.at, ())
        ),
        write_position(game, position) != write_position(game, record),
    )


def _judge(game: Game[Any], edited: Position) -> tuple[State | None, PositionError | None]:
    """Return the state after an adjustment to a position, or why it is invalid."""
    try:
        read = game.read_position(edited, write_position(game, edited))
    except PositionError as error:
        return None, error
    return State(game, read, read.outcome()), None


def _turns(game: Game[Any], position: Position) -> Iterator[int]:
    """Yield the seats that can get the turn, unless that changes nothing."""
    texts = {}
    for seat in position.playing:
        try:
            texts[seat] = game.write_position(game.editor.give_turn(position, seat))
        except Misplaced:
            continue
    if set(texts.values()) - {game.write_position(position)}:
        yield from texts
