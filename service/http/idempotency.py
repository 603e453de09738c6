"""Idempotency keys: repeating a request under its key returns the original answer."""

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

REUSED: Final = "key-reused"
"""The code of the problem that a key was already used for a different request."""

MIN_SECRET: Final = 20
"""Minimum length of a key that must not be guessed; a UUID has 36 characters."""


async def once(
    key: object, find: Callable[[], Awaitable[T | None]], make: Callable[[], Awaitable[T]]
) -> T:
    """Return the result stored under a key, or create it; without a key, always create it.

    If `make` fails, a concurrent request with the same key may have succeeded, so `find` is called
    again. `find` raises `Problem` 409 if the key belongs to a different request. Errors of both
    functions propagate.
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
    """Return the request's `Idempotency-Key`, if any. Raises `Problem` 400."""
    key = request.headers.get("idempotency-key")
    if key is not None and not KEY.fullmatch(key):
        wrong = "an Idempotency-Key must be 1 to 200 visible ASCII characters"
        raise Problem(400, wrong, path="Idempotency-Key")
    return key


def secret_key(request: AnyRequest) -> str | None:
    """Return the `Idempotency-Key` of a request whose answer contains tokens, or `None`.

    A retry's answer contains the tokens too, so the key must be hard to guess. Raises `Problem`
    400.
    """
    key = retry_key(request)
    if key is not None and len(key) < MIN_SECRET:
        wrong = f"use a random Idempotency-Key of {MIN_SECRET} to 200 characters here"
        raise Problem(400, wrong, path="Idempotency-Key")
    return key


def request_name(request: AnyRequest) -> bytes | None:
    """Return a digest of a request's path and key if its answer contains tokens, or `None`.

    Raises `Problem` 400 for an invalid `Idempotency-Key`.
    """
    key = secret_key(request)
    path = request.scope["path"]  # without the prefix
    return None if key is None else hashlib.sha256(f"{path}\0{key}\0".encode()).digest()


def derive_id(caller: Caller, name: str) -> bytes:
    """Derive an id from a caller's key: a retry derives the same id."""
    return hashlib.sha256(f"{caller.actor}\0{name}".encode()).digest()[:16]
