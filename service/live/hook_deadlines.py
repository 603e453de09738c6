"""Deadlines of hook calls on a monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from replay.store.protocol import Hook
from service.live import hook_retries


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
            else now + hook_retries.delay(hook, time_of_day, self._claim) / hook_retries.SECOND
            for times, hook in there.items()
        }
        return {name: deadline - now for (name, _, _), deadline in self._known.items()}
