"""Idempotency keys: a request that is repeated under its key is answered as the first time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from replay.errors import PlybookError
from service.http.access import AnyRequest, Caller
from service.http.problems import Problem

T = TypeVar("T")

KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")

SHORTEST_SECRET: Final = 20
"""The least characters of a key that must not be guessed; a UUID has 36."""


async def once(
    key: object, find: Callable[[], Awaitable[T | None]], make: Callable[[], Awaitable[T]]
) -> T:
    """Return what was made under a key before, or make it now; without a key, just make it.

    If making fails, the same request may have been quicker, so it is looked for once more.
    `find` raises `Problem` 409 if the key was used for something else. Raises as both do.
    """
    if not key:
        return await make()
    before = await find()
    if before is not None:
        return before
    try:
        return await make()
    except (PlybookError, Problem):
        before = await find()
        if before is None:
            raise
        return before


def retry_key(request: AnyRequest) -> str | None:
    """Return the `Idempotency-Key` of a request, if it has one. Raises `Problem` 400."""
    key = request.headers.get("idempotency-key")
    if key is not None and not KEY.fullmatch(key):
        wrong = "an Idempotency-Key is 1 to 200 visible ASCII characters"
        raise Problem(400, wrong, path="Idempotency-Key")
    return key


def secret_key(request: AnyRequest) -> str | None:
    """Return the `Idempotency-Key` of a request that is answered with tokens, if it has one.

    The answer to a retry holds the tokens too, so nobody may guess the key. Raises `Problem` 400.
    """
    key = retry_key(request)
    if key is not None and len(key) < SHORTEST_SECRET:
        wrong = (
            f"here an Idempotency-Key has {SHORTEST_SECRET} to 200 characters that nobody guesses"
        )
        raise Problem(400, wrong, path="Idempotency-Key")
    return key


def derive_id(caller: Caller, name: str) -> bytes:
    """Return the id of what a caller makes under a name: a retry derives the same id."""
    return hashlib.sha256(f"{caller.actor}\0{name}".encode()).digest()[:16]
