"""The strip of players above a board: names, scores in the terms of the game, and colours."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from domain.events import State
from domain.names import Names
from domain.scene import Scene, Tray
from replay.access import capability_tokens
from replay.record.match_record import MatchRecord
from replay.tags.names import seats
from service.http.access import Caller

NOBODY = Tray("")


class ShownPlayer(Struct, frozen=True):
    """A player in the strip.

    `score_words` is the `score` for screen readers. `colours` are the colours of the pieces if they
    differ from the seat's. `may_name` is whether the caller may name the player, and `is_caller`
    whether the caller is the player.
    """

    seat: int
    name: str
    score: str
    score_words: str
    colours: tuple[str, ...]
    is_awaited: bool
    may_name: bool
    is_caller: bool


class PlayerStrip(Struct, frozen=True):
    """The players of a match at a ply; `far` are the seats at the upper edge of the board."""

    players: tuple[ShownPlayer, ...]
    far: tuple[int, ...]


def player_strip(
    record: MatchRecord, state: State, scene: Scene, names: Names, caller: Caller, *, named: bool
) -> PlayerStrip:
    """Return the player strip at a state of a match.

    With `named` the caller may write the names that they have a right to change.
    """
    trays = {tray.seat: tray for tray in scene.trays if tray.seat}
    awaited = awaited_seats(state)
    may_name = _nameable(record, caller) if named else ()
    players = tuple(
        _player(trays.get(seat, NOBODY), seat, names.title(seat), awaited, may_name, caller)
        for seat in seats(record)
    )
    return PlayerStrip(players, tuple(seat for seat, tray in trays.items() if tray.far))


def awaited_seats(state: State) -> tuple[int, ...]:
    """Return the seats that a player strip marks: those that must act."""
    awaited = state.awaiting()
    return tuple(dict.fromkeys(one.seat for one in awaited if one.must))


def _nameable(record: MatchRecord, caller: Caller) -> Iterable[int]:
    """Return the seats the caller may name; a variation shares the names of its match."""
    if record.header.kind == "variation" or not caller.may_write:
        return ()
    return seats(record) if caller.role == capability_tokens.HOST else (caller.seat or 0,)


def _player(
    tray: Tray,
    seat: int,
    name: str,
    awaited: tuple[int, ...],
    may_name: Iterable[int],
    caller: Caller,
) -> ShownPlayer:
    return ShownPlayer(
        seat,
        name,
        tray.score.text if tray.score else "",
        tray.score.words if tray.score else "",
        tray.own_colours,
        seat in awaited,
        seat in may_name,
        caller.role == capability_tokens.SEAT and caller.seat == seat,
    )
