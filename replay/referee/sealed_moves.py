"""What is revealed of secret moves, and what stays hidden.

A move reveals, and so does a seat that leaves the others to go on. What is taken back before it
is revealed stays hidden for ever, and so does what a seat had sealed when it left the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from domain.edits import Edit
from domain.events import Moved, Ply
from domain.match import Match, Stretch
from domain.position import Secret

if TYPE_CHECKING:
    from replay.match_record import MatchRecord


def unrevealed(line: Sequence[Ply]) -> dict[int, int]:
    """Return the secret moves that a line never reveals: their plies, from 1, with their seats."""
    return _follow({}, enumerate(line, 1))


def hidden_versions(before: Match, secrets: frozenset[int], stretch: Stretch) -> frozenset[int]:
    """Return the versions of the moves that are hidden after a stretch of events.

    `secrets` are those that were hidden in the match before it.
    """
    events, match = stretch
    plain = not secrets and not any(isinstance(e, Moved) and _is_secret(e) for e in events)
    if plain or isinstance(events[0], Edit):
        return secrets
    pending = dict(_pending(before, secrets))
    run = match.line[-len(events) :]
    followed = _follow(pending, ((ply.version, ply) for ply in run))
    return (secrets - pending.keys()).union(followed)


def opened(sealed: Iterable[int], after: Match) -> bool:
    """Tell whether what one of these seats had sealed is sealed no more.

    The answer does not depend on what was sealed: also a secret that leaves the game unseen counts.
    """
    return not set(sealed) <= set(after.state.position.sealed)


def sealing(line: Sequence[Ply], seat: int) -> Ply | None:
    """Return the last secret move of a seat in a line, or `None`."""
    return next((ply for ply in reversed(line) if is_secret_of(ply, seat)), None)


def is_secret_of(ply: Ply, seat: int) -> bool:
    """Tell whether a ply is a secret move of this seat, revealed or not."""
    event = ply.event
    return isinstance(event, Moved) and event.seat == seat and _is_secret(event)


def open_plies(recorded: MatchRecord) -> list[int]:
    """Number the plies of a line that anybody may read, and that entering it anew would reveal."""
    silent = unrevealed(recorded.match.line)
    return [
        number
        for number, ply in enumerate(recorded.match.line, 1)
        if ply.version not in recorded.secrets and number not in silent
    ]


def _follow(pending: Mapping[int, int], numbered: Iterable[tuple[int, Ply]]) -> dict[int, int]:
    """Return what is not revealed after more plies: numbers with seats, like those `pending`."""
    waiting, buried = dict(pending), dict[int, int]()
    for number, ply in numbered:
        if isinstance(ply.event, Moved) and _is_secret(ply.event):
            waiting[number] = ply.event.seat
        sealed = ply.state.position.sealed
        gone = {each: seat for each, seat in waiting.items() if seat not in sealed}
        waiting = {each: seat for each, seat in waiting.items() if each not in gone}
        buried |= {each: seat for each, seat in gone.items() if _is_buried(ply, seat)}
    return buried | waiting


def _is_buried(ply: Ply, seat: int) -> bool:
    """Tell whether what a seat had sealed until now went away with it, unseen."""
    return not isinstance(ply.event, Moved) and seat not in ply.state.position.playing


def _pending(match: Match, secrets: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield the secrets that a move may still reveal, with their seats, the last first.

    They are those of the line since which their seat has always had something sealed.
    """
    seats = set(match.state.position.sealed)
    for ply in reversed(match.line):
        seats.intersection_update(ply.state.position.sealed)
        if not seats:
            return
        event = ply.event
        if isinstance(event, Moved) and event.seat in seats and ply.version in secrets:
            yield ply.version, event.seat


def _is_secret(event: Moved) -> bool:
    return isinstance(event.move, Secret)
