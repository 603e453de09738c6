"""WebHooks of a match: where its news is sent, and what comes of trying.

Deliveries come at least once and in order. One that fails is tried again, later each time; after
a day of failing a hook is dead until somebody revives it.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from replay.book import Book
from replay.errors import Usage
from replay.match_record import MatchRecord
from replay.store.protocol import Hook

MOST: Final = 10
"""Hooks of one match."""

ADDING: Final = threading.Lock()
"""Held from counting the hooks of a match to adding one, so that no two count the same."""

SECOND: Final = 1000
"""Milliseconds."""

DAY: Final = 24 * 60 * 60 * SECOND
FIRST_WAIT: Final = 5 * SECOND
LONGEST_WAIT: Final = 60 * 60 * SECOND
JITTER: Final = 0.5
"""A wait is longer by up to this share of it, so that not all come back at one moment."""


def register(
    book: Book, recorded: MatchRecord, url: str, secret: str | None = None, name: str | None = None
) -> Hook:
    """Let news from now on be sent to an address, and return the hook once it is stored.

    Without a secret one is made, and without a name, which no other hook may have. Raises `Usage`
    where there is one of this name, or as many as a match may have.
    """
    hook = Hook(
        name or secrets.token_hex(8),
        recorded.stream.id,
        url,
        secret or secrets.token_urlsafe(32),
        book.now(),
        recorded.match.version,
    )
    with ADDING:
        if len(list_hooks(book, recorded)) >= MOST:
            raise Usage(f"a match has at most {MOST} hooks; take one away first")
        book.store.add_hook(hook).result()
    return hook


def list_hooks(book: Book, recorded: MatchRecord) -> list[Hook]:
    """Return the hooks of a match, oldest first."""
    return book.store.hooks(recorded.stream.id)


def find_hook(book: Book, recorded: MatchRecord, name: str) -> Hook | None:
    """Return a hook of a match by its id."""
    return next((hook for hook in list_hooks(book, recorded) if hook.id == name), None)


def revive(book: Book, hook: Hook) -> Hook:
    """Try a hook again from now on, as if it had never failed; returns it once that is stored."""
    now = book.now()
    book.store.revive_hook(hook.id, now).result()
    return replace(hook, failures=0, since=None, due=now, dead=False, claimed=0)


def delay(hook: Hook, now: int, claim: int) -> int:
    """Return the milliseconds until a hook that is behind may be called; a claim lasts `claim`.

    A time further ahead than a wait or a claim can last was noted before the clock went back: it
    counts as past, or the hook would stop until the clock has caught up.
    """
    longest = backoff(hook.failures - 1, 1) if hook.failures else 0
    return max(_until(hook.due, now, longest), _until(hook.claimed, now, claim))


def _until(time: int, now: int, longest: int) -> int:
    return time - now if now < time <= now + longest else 0


def after_delivery(hook: Hook, version: int, answer: str, now: int) -> Hook:
    """Return a hook after everything up to a version has arrived."""
    return replace(
        hook, delivered=version, failures=0, since=None, due=now, answer=answer, tried=now
    )


def after_failure(hook: Hook, answer: str, now: int, chance: float) -> Hook:
    """Return a hook after a try that failed; `chance`, 0 to 1, draws when the next one is."""
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


def backoff(failures: int, chance: float) -> int:
    """Return how long to wait after so many failures before this one, in milliseconds."""
    doubled = min(FIRST_WAIT << min(failures, 20), LONGEST_WAIT)
    return round(doubled * (1 + JITTER * chance))


def any_alive(hooks: Sequence[Hook]) -> bool:
    """Tell whether any hook is to be called when something happens."""
    return any(not hook.dead for hook in hooks)
