"""Web hooks of a match or of the book: register and revive them, and rotate their secrets."""

from __future__ import annotations

import base64
import secrets
import threading
from typing import Final

from msgspec.structs import replace

from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.store.feed_types import FormerSecret, Hook

MAX_HOOKS: Final = 10
"""The most hooks that a match, or the book, may have."""

ADDING: Final = threading.Lock()
"""Held while hooks are counted and one is added, so that the limit holds."""

WHSEC: Final = "whsec_"
"""The prefix of a secret of Standard Webhooks: base64 of the key follows."""

KEY: Final = 32
"""Length of a generated key in bytes."""

FORMER_SECRET_TIMEOUT: Final = 24 * 60 * 60 * 1000
"""Milliseconds for which calls are also signed with a secret that was replaced."""

MAX_SECRETS: Final = 5
"""The most secrets that a call is signed with."""


def register(
    book: Book,
    record: MatchRecord | None,
    url: str,
    secret: str | None = None,
    name: str | None = None,
    *,
    types: tuple[str, ...] = (),
    site: str = "",
) -> Hook:
    """Register a hook for a match, or for the book, and return it once it is stored.

    A missing secret or name is generated. A hook of the book gets these `types` of changes, or all;
    `site` is the address of the service. Raises `Usage` if the name is taken, or if the limit of
    hooks is reached.
    """
    now = book.store.changes(None).cursor.number if record is None else record.match.version
    hook = Hook(
        name or secrets.token_hex(8),
        None if record is None else record.stream.id,
        url,
        secret or _new_secret(),
        book.now(),
        now,
        types=types,
        site=site,
        named=0 if record is None else book.store.people_head(record.stream.id).number,
    )
    with ADDING:
        if len(list_hooks(book, record)) >= MAX_HOOKS:
            whose = "the book" if record is None else "a match"
            raise Usage(f"{whose} can have at most {MAX_HOOKS} hooks; remove one first")
        book.store.add_hook(hook).result()
    return hook


def list_hooks(book: Book, record: MatchRecord | None) -> list[Hook]:
    """Return the hooks of a match, or of the book, oldest first."""
    if record is not None:
        return book.store.hooks(record.stream.id)
    return [hook for hook in book.store.hooks() if hook.stream is None]


def find_hook(book: Book, record: MatchRecord | None, name: str) -> Hook | None:
    """Return a hook of a match, or of the book, by its id."""
    return next((hook for hook in list_hooks(book, record) if hook.id == name), None)


def revive(book: Book, hook: Hook) -> Hook:
    """Revive a dead hook, reset its failures, and return it once that is stored."""
    now = book.now()
    book.store.revive_hook(hook.id, now).result()
    return replace(hook, failures=0, since=None, due=now, dead=False, claimed=0)


def rotate(book: Book, hook: Hook, rotation: str | None = None) -> Hook:
    """Give a hook a new secret, and return it once that is stored.

    Until `FORMER_SECRET_TIMEOUT` its calls are also signed with the former secret. `rotation` names
    this rotation. Raises `Usage` if a call would have too many signatures, or if the secret was
    rotated meanwhile.
    """
    now = book.now()
    still = tuple(each for each in hook.former if each.until > now)
    if len(still) + 2 > MAX_SECRETS:
        raise Usage(
            f"a hook can have at most {MAX_SECRETS} valid secrets; try again when one expires"
        )
    former = FormerSecret(hook.secret, now + FORMER_SECRET_TIMEOUT, hook.rotation)
    rotated = replace(hook, secret=_new_secret(), rotation=rotation, former=(former, *still))
    if not book.store.rotate_hook(rotated, hook.secret).result():
        raise Usage("this hook was rotated or removed meanwhile; read it again")
    return rotated


def secrets_at(hook: Hook, now: int) -> list[str]:
    """Return the secrets that a call at this time is signed with, the newest first."""
    return [hook.secret, *(each.secret for each in hook.former if each.until > now)]


def _new_secret() -> str:
    return WHSEC + base64.b64encode(secrets.token_bytes(KEY)).decode()
