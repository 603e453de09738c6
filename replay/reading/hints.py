"""List the moves that can be entered, and complete the beginning of a move.

If the service rolls, `roll` replaces all rolls that the rules allow, until the seed is revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from domain.entry import completion, move_text, taps
from domain.entry.completion import Completion
from domain.entry.taps import Choice
from domain.events import HIDDEN, UNJUDGED, Moved, State
from domain.game import Game
from domain.match import Match
from domain.names import UNNAMED, Names
from domain.notation import Pick
from domain.position import Move, Violation
from replay.record import dice
from replay.record.match_record import Header, MatchRecord
from replay.referee.entering import pending

FIELD: Final = "roll"
"""The name of the field that is picked to request a roll."""


UNLISTED: Final = Violation(
    "hidden", "this match does not list legal moves, and judges only moves that are entered"
)


class SecretMoves(Struct, frozen=True):
    """The secret moves of a kind that a seat may seal: the tag of their JSON, and their notation.

    `notation` is a regular expression for move texts without their seat; rules may refuse some that
    it matches. `sample` are legal move texts: all if they are few, otherwise a selection spread
    evenly over all.
    """

    type: str
    """The tag that names the kind of object."""
    notation: str
    """A regular expression for texts without their seat."""
    sample: tuple[str, ...]
    """Legal moves as texts, spread evenly over all."""


def withheld(
    record: MatchRecord, viewer: int | None, match: Match | None = None
) -> tuple[int, ...]:
    """Return the seats whose legal moves a viewer may not know, by default at the last ply.

    Nobody knows those of a match that waits for a sealed move whose content is missing.
    """
    state = (match or record.match).state
    if _withholds_all(record):
        return tuple(each.seat for each in state.awaiting())
    return state.withheld(record.seeing(viewer))


def _withholds_all(record: MatchRecord) -> bool:
    return record.header.legal == "withheld" or any(pending(record))


def legal_texts(record: MatchRecord, match: Match, viewer: int | None = None) -> list[str]:
    """Return the move texts of all legal moves that a viewer may know, sorted.

    `match` is the match of the record, or a continuation of it.
    """
    if _withholds_all(record):
        return []
    state = match.state
    hidden = state.withheld(record.seeing(viewer))
    seats = [each.seat for each in state.awaiting() if each.seat not in hidden]
    return _enterable(record.header, match, move_text.legal_texts(match.game, state, hidden), seats)


def legal_choices(
    record: MatchRecord, seat: int, viewer: int | None = None, names: Names = UNNAMED
) -> list[Choice]:
    """Return the legal moves of a seat with the picks for each, in the order of `legal`.

    Only kinds that reveal nothing if the viewer may not know the others.
    """
    hidden = seat in withheld(record, viewer)
    kinds = record.state.position.unguarded if hidden else None
    if hidden and (_withholds_all(record) or not kinds):
        return []
    listed = taps.choices(record.game, record.state, seat, names, kinds)
    known = {choice.text: choice for choice in listed}
    return [
        known.get(text) or Choice(text, (Pick(FIELD, dice.ROLL),), _roll_label(record, seat))
        for text in _enterable(record.header, record.match, known, () if hidden else (seat,))
    ]


def seat_texts(record: MatchRecord, seat: int, viewer: int | None = None) -> tuple[str, ...]:
    """Return the move texts of `legal_choices`, sorted."""
    return tuple(sorted(choice.text for choice in legal_choices(record, seat, viewer)))


def begun_choices(
    record: MatchRecord, seat: int, picks: str, viewer: int | None = None, names: Names = UNNAMED
) -> tuple[Choice, ...]:
    """Return the moves that contain some picks, of kinds that are too large to list.

    Empty if the viewer may not know them.
    """
    hidden = seat in withheld(record, viewer)
    if hidden or record.state.unjudged or record.state.outcome:
        return ()
    return taps.begun_choices(record.game, record.state, seat, picks.split(","), names)


def sealable_moves(record: MatchRecord, seat: int, viewer: int | None) -> list[SecretMoves]:
    """Describe the secret moves that a seat may enter, without moves that the service rolls."""
    hidden = seat in withheld(record, viewer)
    found = secret_moves(record.state, seat, hidden)
    rolled = record.header.dice != "table" and dice.awaited(record.match, seat)
    tag = rolled.__struct_config__.tag if rolled else None
    return [each for each in found if each.type != tag]


def secret_moves(state: State, seat: int, hidden: bool = False) -> list[SecretMoves]:
    """Describe the secret moves for which a seat is awaited: they are too many to list.

    The samples are empty if the legal moves are `hidden`.
    """
    kinds = completion.unlisted_kinds(state.game, state, seat)
    return [
        SecretMoves(
            str(kind.__struct_config__.tag),
            kind.notation.pattern.pattern,
            () if hidden else tuple(dict.fromkeys(_sample(state, seat, kind))),
        )
        for kind in kinds
    ]


def _sample(state: State, seat: int, kind: type[Move[Any]]) -> Iterator[str]:
    """Yield legal move texts of a kind, first without optional parts, which are often illegal."""
    for unfinished in kind.notation.beginning(""):
        for tried in (unfinished.plain, unfinished):
            for move in completion.legal_moves(state, seat, kind, tried):
                yield move_text.write(state.game, Moved(seat, move))


def entry(
    record: MatchRecord, seat: int | None, prefix: str, viewer: int | None = None
) -> Completion:
    """Judge the beginning of a move text that a seat enters; `None` means any awaited seat.

    For a viewer who may not know the legal moves, only the notation decides.
    """
    if record.state.unjudged:
        return Completion("illegal", UNJUDGED)
    named, body = move_text.split(prefix)
    asking = _roll_request(record, named or seat)
    if asking is None or not (asking.startswith(body) or _is_roll_by_hand(record.game, body)):
        if _is_withheld(record, named or seat, viewer):
            return completion.by_notation(record.game, record.state, seat, prefix)
        return completion.entry(record.game, record.state, seat, prefix)
    return _judge_beginning(record.match, f"{named}:{asking}" if named else asking, prefix)


def picked(
    record: MatchRecord, seat: int | None, picks: str, viewer: int | None = None
) -> Completion:
    """Judge picks, in order and separated by commas, of a seat or of any awaited seat.

    A viewer who may not know the legal moves enters the move text instead.
    """
    if record.state.unjudged:
        return Completion("illegal", UNJUDGED)
    asking = _roll_request(record, seat)
    if asking is None:
        if _is_withheld(record, seat, viewer):
            unlisted = record.header.legal == "withheld"
            return Completion("illegal", UNLISTED if unlisted else HIDDEN)
        return taps.picked(record.game, record.state, seat, picks.split(","))
    return _judge_beginning(record.match, asking, picks)


def _is_withheld(record: MatchRecord, seat: int | None, viewer: int | None) -> bool:
    """Return whether one of the seats that may be meant is guarded from a viewer."""
    seats = completion.candidate_seats(record.state, seat)
    return any(one in withheld(record, viewer) for one in seats)


def _enterable(
    header: Header, match: Match, legal: Iterable[str], seats: Iterable[int]
) -> list[str]:
    """Replace all rolls by `roll` if the service rolls, even for seats whose rolls are unlisted."""
    if header.dice == "table":
        return list(legal)
    asking = {text: dice.asking(match.game, text) for text in legal}
    rolls = {roll for roll in asking.values() if roll is not None}
    kinds = ((seat, dice.awaited(match, seat)) for seat in seats)
    rolls |= {
        f"{seat}:{dice.ROLL}" if kind.names_seat else dice.ROLL
        for seat, kind in kinds
        if kind is not None and not kind.listed
    }
    others = (text for text, roll in asking.items() if roll is None)
    return sorted([*(rolls if match.seed is None else ()), *others])


def _roll_label(record: MatchRecord, seat: int) -> str:
    """Return the words of the button of a roll. An unlisted kind, like a dealt hand, is named."""
    kind = dice.awaited(record.match, seat)
    if kind is None or kind.listed:
        return "Roll the dice"
    what = next(each.what for each in record.state.awaiting() if each.seat == seat)
    return f"{what[0].upper()}{what[1:]}"


def _roll_request(record: MatchRecord, seat: int | None) -> str | None:
    """Return the move text of a roll that a seat, by default the seat in turn, must ask for."""
    seat = seat or record.state.in_turn
    if record.header.dice == "table" or seat is None:
        return None
    return dice.ROLL if dice.awaited(record.match, seat) else None


def _is_roll_by_hand(game: Game[Any], begun: str) -> bool:
    """Return whether a text is the beginning of a roll with values."""
    kinds = (kind for kind in game.moves if kind.chance)
    return any(next(kind.notation.beginning(begun), None) for kind in kinds)


def _judge_beginning(match: Match, roll: str, begun: str) -> Completion:
    """Judge the beginning of the text that requests a roll."""
    if not roll.startswith(begun):
        return Completion("illegal", dice.BY_HAND)
    if match.seed is not None:
        return Completion("illegal", dice.REVEALED)
    return (
        Completion("complete") if begun == roll else Completion("incomplete", continuations=(roll,))
    )
