"""The seats that made the moves of a sheet, and the next seat, found only by the kinds of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from domain.events import LineEvent, Moved, Noted, Unrecorded
from domain.game import Game
from domain.position import Move


def movers(game: Game[Any], events: Iterable[LineEvent], seats: int) -> Iterator[int]:
    """Yield the seat of each event, and then the seat whose move is next.

    Seats take turns, as `Move.turn_part` says. No position is needed, so nothing here depends on
    whether a move is legal; where the rules give a player two turns, the record must name the seat.
    """
    seat, goes_on = 1, False
    for event in events:
        kind = _kind(game, event)
        part = kind.turn_part if kind else "aside"
        if isinstance(event, Unrecorded):  # one or more moves, all of the turn
            part = "whole"
        if goes_on and part in ("whole", "first"):
            # The turn before had ended without a closing move.
            seat = seat % seats + 1
        who = getattr(event, "seat", None) or seat
        yield who
        if part == "aside":
            continue
        goes_on = part in ("first", "more")
        seat = who if goes_on or part == "before" else who % seats + 1
    yield seat


def _kind(game: Game[Any], event: LineEvent) -> type[Move[Any]] | None:
    """Return the kind of move of an event; `None` for events that are no moves."""
    if isinstance(event, Noted):
        return type(move) if (move := game.parse(event.text)) else None
    return type(event.move) if isinstance(event, Moved) else None
