"""Track which secret moves are revealed and which stay hidden.

A later move reveals them, and so does a seat's leaving if the others then go on. A move that is
taken back before it is revealed stays hidden for ever, and so do the sealed moves of a seat that
leaves the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from domain.edits import Edit
from domain.events import Moved, Ply
from domain.match import LogEvent, Match, Stretch
from domain.position import Secret


def unrevealed_plies(line: Sequence[Ply]) -> dict[int, int]:
    """Return the secret moves that a line never reveals: plies, from 1, mapped to seats."""
    return _follow({}, enumerate(line, 1))


def hidden_versions(before: Match, secrets: frozenset[int], stretch: Stretch) -> frozenset[int]:
    """Return the versions of the moves that are hidden after a stretch of events.

    `secrets` are the versions that were hidden before it.
    """
    events, match = stretch
    if isinstance(events[0], Edit) or not (secrets or any(map(_is_secret, events))):
        return secrets
    pending = dict(_pending(before, secrets))
    run = match.line[-len(events) :]
    followed = _follow(pending, ((ply.version, ply) for ply in run))
    return (secrets - pending.keys()).union(followed)


def opened(sealed: Iterable[int], after: Match) -> bool:
    """Tell whether any of these seats no longer has a sealed move.

    The answer does not depend on the move: a secret that leaves the game unseen counts too.
    """
    return not set(sealed) <= set(after.state.position.sealed)


def sealing(line: Sequence[Ply], seat: int) -> Ply | None:
    """Return the last secret move of a seat in a line, or `None`."""
    return next((ply for ply in reversed(line) if is_secret_of(ply, seat)), None)


def is_secret_of(ply: Ply, seat: int) -> bool:
    """Tell whether a ply is a secret move of this seat, revealed or not."""
    event = ply.event
    return isinstance(event, Moved) and event.seat == seat and _is_secret(event)


def open_plies(line: Sequence[Ply], secrets: frozenset[int]) -> list[int]:
    """Return the plies whose events any reader may see, and that stay readable if re-entered.

    `secrets` are the versions of the hidden moves.
    """
    unrevealed = unrevealed_plies(line)
    return [
        number
        for number, ply in enumerate(line, 1)
        if ply.version not in secrets and number not in unrevealed
    ]


def _follow(pending: Mapping[int, int], numbered: Iterable[tuple[int, Ply]]) -> dict[int, int]:
    """Return the unrevealed moves after more plies: numbers mapped to seats, like `pending`."""
    waiting, buried = dict(pending), dict[int, int]()
    for number, ply in numbered:
        if isinstance(ply.event, Moved) and _is_secret(ply.event):
            waiting[number] = ply.event.seat
        sealed = ply.state.position.sealed
        resolved = {each: seat for each, seat in waiting.items() if seat not in sealed}
        waiting = {each: seat for each, seat in waiting.items() if each not in resolved}
        buried |= {each: seat for each, seat in resolved.items() if _is_buried(ply, seat)}
    return buried | waiting


def _is_buried(ply: Ply, seat: int) -> bool:
    """Tell whether a seat's sealed move left the game with its seat, unseen."""
    return not isinstance(ply.event, Moved) and seat not in ply.state.position.playing


def _pending(match: Match, secrets: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield the secrets that a move may still reveal, with their seats, the last first.

    A seat's secrets are pending if it has had a sealed move ever since.
    """
    seats = set(match.state.position.sealed)
    for ply in reversed(match.line):
        seats.intersection_update(ply.state.position.sealed)
        if not seats:
            return
        event = ply.event
        if isinstance(event, Moved) and event.seat in seats and ply.version in secrets:
            yield ply.version, event.seat


def _is_secret(event: LogEvent) -> bool:
    return isinstance(event, Moved) and isinstance(event.move, Secret)
