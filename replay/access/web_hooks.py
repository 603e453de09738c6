"""Web hooks of a match: register them, and schedule their deliveries.

Deliveries are at least once and in order. A failed delivery is retried with growing delays; after a
day of failures, or when the receiver is gone, the hook is dead until somebody revives it.
"""

from __future__ import annotations

import base64
import secrets
import threading
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from replay.book import Book
from replay.errors import Usage
from replay.match_record import MatchRecord
from replay.store.protocol import FormerSecret, Hook

MOST: Final = 10
"""The most hooks that a match may have."""

ADDING: Final = threading.Lock()
"""Guards counting the hooks of a match and adding one, so that the limit holds."""

SECOND: Final = 1000
"""A second in milliseconds."""

DAY: Final = 24 * 60 * 60 * SECOND
FIRST_WAIT: Final = 5 * SECOND
LONGEST_WAIT: Final = 60 * 60 * SECOND
JITTER: Final = 0.5
"""The largest share by which a wait is lengthened at random, so that retries spread out."""


WHSEC: Final = "whsec_"
"""The prefix of a secret of Standard Webhooks: base64 of the key follows."""

KEY: Final = 32
"""Length of a generated key in bytes."""

GRACE: Final = DAY
"""Milliseconds for which calls are also signed with a secret that was replaced."""

SECRETS: Final = 5
"""The most secrets that a call is signed with."""


def register(
    book: Book, recorded: MatchRecord, url: str, secret: str | None = None, name: str | None = None
) -> Hook:
    """Register a hook for events after the current version, and return it once it is stored.

    A missing secret or name is generated. Raises `Usage` if the name is taken, or if the match has
    as many hooks as it may have.
    """
    hook = Hook(
        name or secrets.token_hex(8),
        recorded.stream.id,
        url,
        secret or _new_secret(),
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
    """Revive a dead hook, reset its failures, and return it once that is stored."""
    now = book.now()
    book.store.revive_hook(hook.id, now).result()
    return replace(hook, failures=0, since=None, due=now, dead=False, claimed=0)


def rotate(book: Book, hook: Hook, rotation: str | None = None) -> Hook:
    """Give a hook a new secret, and return it once that is stored.

    For `GRACE` milliseconds its calls are also signed with the former secret. `rotation` names this
    rotation. Raises `Usage` if a call would have too many signatures, or if somebody else rotates
    the secret at the same time.
    """
    now = book.now()
    still = tuple(each for each in hook.former if each.until > now)
    if len(still) + 2 > SECRETS:
        raise Usage(f"a hook has at most {SECRETS} secrets within a day; come back later")
    former = FormerSecret(hook.secret, now + GRACE, hook.rotation)
    rotated = replace(hook, secret=_new_secret(), rotation=rotation, former=(former, *still))
    if not book.store.rotate_hook(rotated, hook.secret).result():
        raise Usage("somebody else has just rotated or removed this hook; look at it again")
    return rotated


def secrets_at(hook: Hook, now: int) -> list[str]:
    """Return the secrets that a call at this time is signed with, the newest first."""
    return [hook.secret, *(each.secret for each in hook.former if each.until > now)]


def delay(hook: Hook, now: int, claim: int) -> int:
    """Return the milliseconds until a hook with undelivered events may be called.

    A claim lasts `claim` milliseconds. A time further ahead than any wait or claim can be was noted
    before the clock was set back. It counts as past, or the hook would stop until the clock has
    caught up.
    """
    longest = backoff(hook.failures - 1, 1) if hook.failures else 0
    return max(_until(hook.due, now, longest), _until(hook.claimed, now, claim))


def _until(time: int, now: int, longest: int) -> int:
    return time - now if now < time <= now + longest else 0


def after_delivery(hook: Hook, version: int, answer: str, now: int) -> Hook:
    """Return a hook after all events up to a version were delivered."""
    return replace(
        hook, delivered=version, failures=0, since=None, due=now, answer=answer, tried=now
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
    """Return the wait after one more failure than `failures`, in milliseconds."""
    doubled = min(FIRST_WAIT << min(failures, 20), LONGEST_WAIT)
    return round(doubled * (1 + JITTER * chance))


def any_alive(hooks: Sequence[Hook]) -> bool:
    """Tell whether any hook is to be called for new events."""
    return any(not hook.dead for hook in hooks)


def _new_secret() -> str:
    return WHSEC + base64.b64encode(secrets.token_bytes(KEY)).decode()
