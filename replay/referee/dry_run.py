"""Judge move texts from a position, without a recorded match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from domain.entry import move_text
from domain.events import Ply, State
from domain.game import Game, OptionError
from domain.match import Match, open_match
from domain.position_text import PositionError
from replay.errors import InvalidField, Refused, Usage
from replay.fields import EventText, Seat, Typed
from replay.referee import entering


class DryRun(NamedTuple):
    """The match after the legal moves, and the refusal of the first illegal move, if any."""

    match: Match
    refused: Refused | None


def start(
    game: Game[Any],
    options: Mapping[str, str],
    seats: int | None,
    position: str | None = None,
) -> Match:
    """Return a match that is not stored, at its start or at the text of a position.

    Raises `Usage` for options and seats that the game does not have, and for an invalid position
    text.
    """
    try:
        return open_match(game, game.read_options(dict(options)), seats, position)
    except OptionError as error:
        raise InvalidField(str(error), error.field) from None
    except PositionError as error:
        raise Usage(str(error)) from None


def judge(match: Match, texts: Sequence[str]) -> DryRun:
    """Judge moves from a position until one is refused."""
    try:
        return DryRun(entering.judge_texts(match, texts), None)
    except Refused as refused:
        return DryRun(refused.match, refused)


class Judgement(Struct, frozen=True):
    """The verdict on an event that was not stored: its text, and its consequences.

    `effects` are null if they would reveal sealed moves of others.
    """

    text: EventText | None
    seat: Seat | None
    words: str
    """The consequences of the event in words."""
    effects: tuple[Typed, ...] | None
    """The consequences of the event, as the game defines them."""


def judgement(game: Game[Any], ply: Ply, *, effects: bool = True) -> Judgement:
    """Return the verdict on a judged event, with its consequences if these are asked for."""
    return Judgement(
        move_text.write(game, ply.event),
        getattr(ply.event, "seat", None),
        "; ".join(effect.words() for effect in ply.effects) if effects else "",
        ply.effects if effects else None,
    )


def position_text(state: State) -> str | None:
    """Return a position as text; `None` in games without such texts, and while it is unjudged."""
    known = state.game.text is not None and not state.unjudged
    return state.game.write_position(state.position) if known else None
