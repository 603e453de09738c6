"""Track which secret moves are revealed and which stay hidden.

A later move reveals them, and so does a seat that leaves, if the others then continue. A move that
is taken back before it is revealed stays hidden for ever, and so do the sealed moves of a seat that
leaves the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.events import Moved, Ply, State
from domain.log_edits import Edit
from domain.match import AppliedEvents, Match, follow_secrets, is_secret, unrevealed_plies


def hidden_versions(
    before: Match, secrets: frozenset[int], stretch: AppliedEvents
) -> frozenset[int]:
    """Return the versions of the moves that are hidden after a stretch of events.

    `secrets` are the versions that were hidden before it.
    """
    events, match = stretch
    if isinstance(events[0], Edit) or not (secrets or any(map(is_secret, events))):
        return secrets
    pending = dict(_pending(before, secrets))
    run = match.line[-len(events) :]
    followed = follow_secrets(pending, ((ply.version, ply) for ply in run))
    return (secrets - pending.keys()).union(followed)


def opened(sealed: Iterable[int], after: Match) -> bool:
    """Return whether any of these seats no longer has a sealed move.

    The answer does not depend on the move: a secret that leaves the game unseen counts too.
    """
    return not set(sealed) <= set(after.state.position.sealed)


def sealing(line: Sequence[Ply], seat: int) -> Ply | None:
    """Return the last secret move of a seat in a line, or `None`."""
    return next((ply for ply in reversed(line) if is_secret_of(ply, seat)), None)


def is_secret_of(ply: Ply, seat: int) -> bool:
    """Return whether a ply is a secret move of this seat, revealed or not."""
    return is_secret(ply.event) and ply.event.seat == seat


def open_plies(match: Match, secrets: frozenset[int]) -> list[int]:
    """Return the plies that any reader may see, and that are legal without the hidden moves.

    `secrets` are the versions of the hidden moves.
    """
    unrevealed, found = unrevealed_plies(match.line), list[int]()
    without: State | None = None  # the state without the hidden moves, from the first of them on
    for number, ply in enumerate(match.line, 1):
        if ply.version in secrets or number in unrevealed:
            without = without or match.at(number - 1)
        elif without is None:
            found.append(number)
        elif ply.event.check(without) is None:
            without, _ = ply.event.evolve(without)
            found.append(number)
    return found


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
