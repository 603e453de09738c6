"""What can be entered in a match, and how the beginning of a move goes on.

Where the service rolls, `roll` stands for all the rolls that the rules of the game list: it alone
can be entered, and no more once the seed is revealed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from domain.entry import completion, taps, tokens
from domain.entry.completion import Entry
from domain.entry.taps import Choice
from domain.game import Game
from domain.match import Match
from replay.match_record import Header, MatchRecord
from replay.referee import dice

FIELD: Final = "roll"
"""The name of the one thing that is picked to ask for a roll."""


def legal_tokens(header: Header, match: Match) -> list[str]:
    """List every legal move as a token, sorted."""
    return _enterable(header, match, tokens.legal_tokens(match.game, match.state))


def legal_choices(recorded: MatchRecord, seat: int) -> list[Choice]:
    """Return the legal moves of a seat with what is picked for each, sorted by token."""
    listed = taps.choices(recorded.game, recorded.state, seat)
    known = {choice.token: choice for choice in listed}
    return [
        known.get(token) or Choice(token, ((FIELD, dice.ROLL),))
        for token in _enterable(recorded.header, recorded.match, known)
    ]


def entry(recorded: MatchRecord, seat: int | None, prefix: str) -> Entry:
    """Judge the beginning of a token that `seat` enters, or with `None` any seat awaited."""
    named, body = tokens.split(prefix)
    asking = _asking(recorded, named or seat)
    if asking is None or not (asking.startswith(body) or _by_hand(recorded.game, body)):
        return completion.entry(recorded.game, recorded.state, seat, prefix)
    return _begun(recorded.match, f"{named}:{asking}" if named else asking, prefix)


def picked(recorded: MatchRecord, seat: int | None, picks: str) -> Entry:
    """Judge what was picked for a move, in order, with commas, of `seat` or any seat awaited."""
    asking = _asking(recorded, seat)
    if asking is None:
        return taps.picked(recorded.game, recorded.state, seat, picks.split(","))
    return _begun(recorded.match, asking, picks)


def _enterable(header: Header, match: Match, legal: Iterable[str]) -> list[str]:
    """Put `roll` in place of all rolls where the service rolls."""
    if header.dice == "table":
        return list(legal)
    asking = {token: dice.asking(match.game, token) for token in legal}
    rolls = {roll for roll in asking.values() if roll is not None and match.seed is None}
    return sorted([*rolls, *(token for token, roll in asking.items() if roll is None)])


def _asking(recorded: MatchRecord, seat: int | None) -> str | None:
    """Return the token of what a seat, by default the one in turn, is to enter: a roll, if so."""
    seat = seat or recorded.state.in_turn
    if recorded.header.dice == "table" or seat is None:
        return None
    return dice.ROLL if dice.awaited(recorded.match, seat) else None


def _by_hand(game: Game[Any], begun: str) -> bool:
    """Tell whether a roll could be written so."""
    kinds = (kind for kind in game.moves if kind.chance)
    return any(next(kind.notation.beginning(begun), None) for kind in kinds)


def _begun(match: Match, roll: str, begun: str) -> Entry:
    """Judge the beginning of the token that asks for a roll."""
    if not roll.startswith(begun):
        return Entry("illegal", dice.BY_HAND)
    if match.seed is not None:
        return Entry("illegal", dice.REVEALED)
    return Entry("complete") if begun == roll else Entry("incomplete", continuations=(roll,))
