"""The move texts of a record: each is a move or a match event, with a seat in front if required."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from domain.entry import stood
from domain.events import (
    DASH,
    Adjusted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Flagged,
    Forfeited,
    LineEvent,
    Moved,
    Noted,
    Resigned,
    Ruled,
    State,
    Stood,
    Unrecorded,
    needs_seat,
)
from domain.game import Game
from domain.position import Move, Violation, tag_of

OF_A_SEAT: Final[dict[str, Callable[[int], LineEvent]]] = {
    "resign": Resigned,
    "offer-draw": DrawOffered,
    "accept-draw": DrawAccepted,
    "decline-draw": DrawDeclined,
    "flag": Flagged,
    "forfeit": Forfeited,
}
"""Match events of a seat: `1:resign`."""

ADJUSTED: Final = "(adjusted)"
"""The text of an adjustment in lists. It is no move text: a record begins at its position."""

ONLY_MOVES: Final = Violation("form", "only a move or a dash can be entered as not sure")
RULING: Final = re.compile(r"ruled=(?:\+([1-9])|=|\*)")
WORD: Final = {event: word for word, event in OF_A_SEAT.items()}


class SplitText(NamedTuple):
    """A move text split into the seat, if any, and the body."""

    seat: int | None
    body: str

    def __str__(self) -> str:
        return f"{self.seat}:{self.body}" if self.seat else self.body


class UnsureText(SplitText):
    """A move text whose writer was not sure."""


def split(text: str) -> SplitText:
    """Split `2:ko=3` into seat and body.

    >>> split("2:ko=3"), split("ko=3")
    (SplitText(seat=2, body='ko=3'), SplitText(seat=None, body='ko=3'))
    """
    if text[1:2] == ":" and text[0] in "123456789":
        return SplitText(int(text[0]), text[2:])
    return SplitText(None, text)


def of_seat(text: SplitText, seat: int | None) -> SplitText | None:
    """Return a move text as a move of this seat, or `None` if the text names another seat.

    >>> of_seat(split("ko=3"), 2), of_seat(split("1:ko=3"), 2)
    (SplitText(seat=2, body='ko=3'), None)
    """
    if None is not seat != text.seat is not None:
        return None
    return text._replace(seat=text.seat or seat)


def read(
    game: Game[Any], state: State, text: SplitText | str, speaker: int | None = None
) -> LineEvent | Violation:
    """Return the event of a move text, or why it is invalid (`form`, `over`, `turn`).

    A text without a seat belongs to `speaker`, by default the only seat that must act. Whether the
    event is legal is for its `check` to decide.
    """
    parts = split(text) if isinstance(text, str) else text
    event = (
        _read_dash(state, parts.seat or speaker)
        if parts.body == DASH
        else _read(game, state, parts, speaker)
    )
    return as_unsure(event) if isinstance(parts, UnsureText) else event


def _read_dash(state: State, seat: int | None) -> Unrecorded:
    """Return a dash; the seat that a state implies is left out, as in its text."""
    return Unrecorded(None if seat == state.in_turn else seat)


def as_unsure(event: LineEvent | Violation) -> LineEvent | Violation:
    """Return a move or a dash as one whose writer was not sure; refuse any other event."""
    if isinstance(event, Moved | Noted | Unrecorded):
        return replace(event, unsure=True)
    return event if isinstance(event, Violation) else ONLY_MOVES


def _read(
    game: Game[Any], state: State, parts: SplitText, speaker: int | None
) -> LineEvent | Violation:
    seat, body = parts
    if body.startswith("ruled="):
        return _ruling(str(parts)) or game.malformed(str(parts))
    if body in OF_A_SEAT:
        return OF_A_SEAT[body](seat) if seat else _no_seat(body)
    irregular = stood.split(body)
    move = (
        stood_move(state, seat or speaker, irregular.move)
        if irregular
        else game.parse(body) or _read_script(state, body)
    )
    if move is None or isinstance(move, Violation):
        return move or game.malformed(str(parts))
    if seat is None:
        if move.names_seat:
            return _no_seat(body)
        if state.unjudged and not irregular:
            return Noted(speaker, game.write(move))
        seat = state.in_turn if speaker is None else speaker
        if seat is None:
            return needs_seat(state)
    if irregular:
        return stood.read(state, seat, irregular._replace(move=game.write(move)))
    if state.unjudged:
        return Noted(seat, game.write(move))
    # Most games write each move in a single way.
    same = type(move).normal is Move.normal
    return Moved(seat, move if same else move.normal(state.position))


def stood_move(state: State, seat: int | None, text: str) -> Move[Any] | Violation | None:
    """Return an illegal move from its move text, or as people write it.

    In another spelling, the text is for the seat in turn; out of turn, a move must be a move text.
    """
    if seat is None or any(awaited.seat == seat for awaited in state.position.awaiting()):
        return state.game.parse(text) or _read_script(state, text)
    return state.game.parse(text)


def _read_script(state: State, text: str) -> Move[Any] | Violation | None:
    """Return the move of a text without its seat that is not a move text, as people write it."""
    game = state.game
    found = game.script.read(state.position, text) if game.script and not state.unjudged else None
    if isinstance(found, Move):
        return game.parse(game.write(found))  # its move text need not be one that can be read
    return found if isinstance(found, Violation) else None


def write(game: Game[Any], event: LineEvent) -> str:
    """Write an event as a move text, with the seat only if the record requires it."""
    match event:
        case Moved():
            seat = f"{event.seat}:" if event.move.names_seat else ""
            return seat + game.write(event.move)
        case Noted():
            return str(SplitText(event.seat, event.text))
        case Unrecorded():
            return str(SplitText(event.seat, DASH))
        case Ruled():
            return {"won": f"ruled=+{event.winner}", "drawn": "ruled=="}.get(
                event.result, "ruled=*"
            )
        case Adjusted():
            return ADJUSTED
        case Stood():
            return f"{event.seat}:{stood.write(event.text, event.position)}"
        case _:
            return f"{event.seat}:{WORD[type(event)]}"


def script(game: Game[Any], state: State, event: LineEvent) -> str | None:
    """Write a legal move as people write it in a state, if that is not its move text."""
    if game.script is None or not isinstance(event, Moved) or state.unjudged:
        return None
    return game.script.write(state.position, event.move)


def as_stood(text: str, position: str | None = None) -> str:
    """Return the move text that records an accepted illegal move, and the position after it.

    >>> as_stood("c6>S@c5")
    'stood=c6>S@c5'
    """
    seat, body = split(text)
    return str(SplitText(seat, stood.write(body, position)))


def shown(text: str) -> str:
    """Return a move text for lists: `c6>S@c5 (stood)`, without seat and position.

    >>> shown(as_stood("c6>S@c5"))
    'c6>S@c5 (stood)'
    """
    irregular = stood.split(split(text).body)
    return f"{irregular.move} (stood)" if irregular else text


def legal_texts(game: Game[Any], state: State, withheld: Collection[int] = ()) -> list[str]:
    """List the legal moves as texts, sorted by code point.

    Of `withheld` seats only the kinds of moves are listed that reveal nothing.
    """
    if state.outcome is not None or state.unjudged:
        return []
    moves, open_ = game.legal_moves(state.position), state.position.unguarded
    listed = (each for each in moves if each[0] not in withheld or tag_of(type(each[1])) in open_)
    return sorted(write(game, Moved(seat, move)) for seat, move in listed)


def _ruling(text: str) -> Ruled | None:
    found = RULING.fullmatch(text)
    if found is None:
        return None
    if found[1]:
        return Ruled("won", int(found[1]))
    return Ruled("drawn" if text.endswith("==") else "abandoned")


def _no_seat(text: str) -> Violation:
    return Violation("form", f"{text!r} must name its seat, like 1:{text}")
