"""The hooks that lack news and the times of their calls: deadlines, and retries after failures.

Deliveries are at least once and in order. A failed delivery is retried with growing delays; after a
day of failures, or when the receiver is gone, the hook is dead until its owner revives it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from msgspec.structs import replace

from replay.store.feed_types import Hook
from replay.store.sql.store import Store


class Deadlines:
    """The moments at which hooks may be called, on a monotonic clock.

    The store records times of day, and the system clock may be set during the wait. So each time is
    converted into a deadline once, when it is first seen.
    """

    def __init__(self, claim: int, now: Callable[[], float] = time.monotonic) -> None:
        """Start empty; a claim lasts `claim` milliseconds, and `now` counts seconds."""
        self._claim = claim
        self._now = now
        self._known: dict[tuple[str, int, int], float] = {}

    def left(self, behind: Iterable[Hook], time_of_day: int) -> dict[str, float]:
        """Return the seconds until each pending hook may be called, by hook id."""
        now = self._now()
        there = {(hook.id, hook.due, hook.claimed): hook for hook in behind}
        self._known = {
            times: self._known[times]
            if times in self._known
            else now + delay(hook, time_of_day, self._claim) / SECOND
            for times, hook in there.items()
        }
        return {name: deadline - now for (name, _, _), deadline in self._known.items()}


SECOND: Final = 1000
"""A second in milliseconds."""

DAY: Final = 24 * 60 * 60 * SECOND
"""The time after which a hook that fails again and again is dead."""

FIRST_WAIT: Final = 5 * SECOND
LONGEST_WAIT: Final = 60 * 60 * SECOND
JITTER: Final = 0.5
"""The largest share by which a wait is lengthened at random, so that retries spread out."""


def delay(hook: Hook, now: int, claim: int) -> int:
    """Return the milliseconds until a hook with undelivered events may be called.

    A claim lasts `claim` milliseconds. If a time lies further ahead than any wait or claim can
    last, the clock was set back after the time was noted. The time counts as past, or the hook
    would stop until the clock has caught up.
    """
    longest = backoff(hook.failures - 1, 1) if hook.failures else 0
    return max(_until(hook.due, now, longest), _until(hook.claimed, now, claim))


def _until(time: int, now: int, longest: int) -> int:
    return time - now if now < time <= now + longest else 0


def after_delivery(hook: Hook, reached: int, named: int, answer: str, now: int) -> Hook:
    """Return a hook after all news up to a version, or a number, was delivered.

    `named` is the number of the last change of who sits where.
    """
    return replace(
        hook,
        delivered=reached,
        named=named,
        failures=0,
        since=None,
        due=now,
        answer=answer,
        tried=now,
    )


def after_failure(hook: Hook, answer: str, now: int, chance: float) -> Hook:
    """Return a hook after a failed delivery; `chance`, 0 to 1, jitters the next attempt."""
    since = now if hook.since is None else hook.since
    return replace(
        hook,
        failures=hook.failures + 1,
        since=since,
        due=now + backoff(hook.failures, chance),
        dead=now - since >= DAY,
        answer=answer,
        tried=now,
    )


def after_gone(hook: Hook, answer: str, now: int) -> Hook:
    """Return a hook whose receiver wants no more calls: it is dead at once."""
    return replace(after_failure(hook, answer, now, 0), dead=True)


def backoff(failures: int, chance: float) -> int:
    """Return the wait until a hook is called again after a further failure, in milliseconds."""
    doubled = min(FIRST_WAIT << min(failures, 20), LONGEST_WAIT)
    return round(doubled * (1 + JITTER * chance))


class PendingHooks:
    """The hooks of a store that lack news, for the one task that calls them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Hook] = {}

    def read(self, changed: Collection[int] | None) -> list[Hook]:
        """Read the hooks of these matches and of the book again, or all hooks; return all.

        The first due comes first.
        """
        found = {hook.id: hook for hook in self._store.hooks_due(changed)}
        if changed is not None:
            found |= {
                name: hook
                for name, hook in self._known.items()
                if hook.stream is not None and hook.stream not in changed
            }
        self._known = found
        return sorted(found.values(), key=lambda hook: (hook.due, hook.id))
