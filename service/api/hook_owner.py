"""Manage the hooks of an owner, which is a match or the book, for both kinds of routes."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, get_args

from litestar import Response
from msgspec import Meta, Struct

from replay.access import web_hooks
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.store.feed_types import Hook
from service.api.presenters import answer
from service.app_state import AppState
from service.http.access import AnyRequest, Caller
from service.http.addresses import absolute, prefix
from service.http.book_reads import read_book
from service.http.caching import NO_STORE
from service.http.conditions import demand_condition
from service.http.idempotency import REUSED, derive_id, once, retry_key
from service.http.problems import Problem
from service.http.safe_http import CALL_TIMEOUT, MAX_URL, CallRefused, check_url
from service.live.hook_headers import decoded_key
from service.live.hook_news import NewsType
from service.models import responses

ID: Final = 16
"""Length of a hook's id, in characters."""

PING: Final = 10
"""The cost of a test call, in requests: it makes the server call another address."""

VISIBLE: Final = re.compile(r"[\x21-\x7e]+")


class HookRegistration(Struct, frozen=True, forbid_unknown_fields=True):
    """An http or https address for news, and the signing secret, generated if omitted.

    Example: {"url": "https://plybook.example/news", "secret": "a-secret-of-20-signs"}
    """

    url: Annotated[str, Meta(min_length=8, max_length=MAX_URL)]
    """The address that is called."""
    secret: Annotated[str, Meta(min_length=16, max_length=200)] | None = None
    """The key that signs each call; generated if omitted."""


class HookState(Struct, frozen=True):
    """A hook and its deliveries. The last `failures` calls have failed, the first at `since`.

    The next attempt is `due`, if there is news to deliver. A `dead` hook is not called any more: it
    failed for a day, or was answered 410. `answer` describes the result of the last call, at
    `tried`. Until `former_until` calls are also signed with the secrets before the last rotation.
    """

    id: str
    """The hook's id."""
    url: str
    """The address that is called."""
    created: responses.Milliseconds
    failures: Annotated[int, Meta(ge=0)]
    """How many calls in a row have failed."""
    since: responses.Milliseconds | None
    """Milliseconds since 1970 when this began; null if it did not."""
    due: responses.Milliseconds
    dead: bool
    """Whether the hook has ended and is no longer called."""
    answer: str | None
    """The result of the last call: the status, or the reason why there was no answer."""
    tried: responses.Milliseconds | None
    """Milliseconds since 1970 of the last call."""
    former_until: responses.Milliseconds | None
    """The time until which calls are also signed with former secrets; null if the secret was never
    rotated."""


class PingResult(Struct, frozen=True):
    """The result of a test call: whether it was acknowledged, and the answer in words."""

    hook: str
    arrived: bool
    """Whether the answer was 2xx."""
    answer: str
    """The result of the last call: the status, or the reason why there was no answer."""


class HookOwner:
    """The owner of hooks that a request names: a match, or without a match the book.

    `shown` is the form in which its hooks are answered, `with_secret` the form after a hook got a
    new secret.
    """

    def __init__(
        self,
        request: AnyRequest,
        caller: Caller,
        record: MatchRecord | None,
        shown: type[HookState],
        with_secret: type[HookState],
    ) -> None:
        self._request = request
        self._caller = caller
        self._record = record
        self._match = None if record is None else record.id
        self._shown = shown
        self._with_secret = with_secret
        self._live: AppState = request.app.state.live
        self._book = self._live.book

    async def register(self, wanted: HookRegistration) -> Response[bytes]:
        """Register a hook, unless an earlier request with this `Idempotency-Key` did."""
        _check(wanted, self._live.settings.hooks_anywhere)
        name = self._derive("")
        new = partial(
            web_hooks.register,
            *(self._book, self._record, wanted.url, wanted.secret, name and name[:ID]),
            types=getattr(wanted, "types", ()),
            site=absolute(self._request, ""),
        )
        hook = await self._once(name, lambda: self._registered(wanted, str(name)[:ID]), new)
        self._live.hook_deliverer.look()
        match = "" if self._match is None else f"/matches/{self._match}"
        location = {"Location": f"{prefix()}{match}/hooks/{hook.id}"}
        return answer(self._describe(hook, self._with_secret), 201, NO_STORE | location)

    async def all(self) -> tuple[Any, ...]:
        """Return the hooks as they are answered."""
        found = await read_book(self._book, lambda: web_hooks.list_hooks(self._book, self._record))
        return tuple(self._describe(hook, self._shown) for hook in found)

    async def show(self, name: str) -> Response[bytes]:
        """Answer a hook."""
        return self._answer(await read_book(self._book, lambda: self._find(name)))

    async def revive(self, name: str) -> Response[bytes]:
        """Retry a hook at once."""
        return await self._change(name, partial(web_hooks.revive, self._book))

    async def remove(self, name: str) -> Response[bytes]:
        """Remove a hook, and answer it."""

        def drop(hook: Hook) -> Hook:
            self._book.store.drop_hook(hook.id).result()
            return hook

        return await self._change(name, drop)

    async def ping(self, name: str) -> Response[bytes]:
        """Call a hook as a test, and answer the result."""
        hook = await read_book(self._book, lambda: self._find(name))
        demand_condition()
        self._live.limits.charge(self._request, PING)
        done = await self._live.hook_deliverer.ping(hook, self._match)
        if done is None:
            wait = {"Retry-After": str(math.ceil(CALL_TIMEOUT))}
            raise Problem(503, "too many hooks are being called; come back later", headers=wait)
        return answer(PingResult(hook.id, done.arrived, done.told), headers=NO_STORE)

    async def rotate(self, name: str) -> Response[bytes]:
        """Give a hook a new secret, unless an earlier request with this key did."""
        rotation = self._derive("rotate ", f":{name}")
        found = await read_book(self._book, lambda: self._find(name))
        rotate = partial(web_hooks.rotate, self._book, found, rotation)
        hook = await self._once(rotation, lambda: self._rotated(name, rotation), rotate)
        return answer(self._describe(hook, self._with_secret), headers=NO_STORE)

    async def _change(self, name: str, change: Callable[[Hook], Hook]) -> Response[bytes]:
        changed = await asyncio.to_thread(lambda: change(self._find(name)))
        self._live.hook_deliverer.look()
        return self._answer(changed)

    def _derive(self, action: str, hook: str = "") -> str | None:
        """Return the id of an action under its `Idempotency-Key`; `None` without a key."""
        key = retry_key(self._request)
        if key is None:
            return None
        return derive_id(self._caller, f"{action}{self._match or ''}{hook}:{key}").hex()

    async def _once(
        self, name: str | None, find: Callable[[], Hook | None], make: Callable[[], Hook]
    ) -> Hook:
        try:
            return await once(
                name, partial(asyncio.to_thread, find), partial(asyncio.to_thread, make)
            )
        except Usage as error:
            raise Problem(409, str(error)) from None

    def _find(self, name: str) -> Hook:
        found = web_hooks.find_hook(self._book, self._record, name)
        if found is None:
            raise Problem(404, f"there is no hook {name!r}")
        return found

    def _registered(self, wanted: HookRegistration, name: str) -> Hook | None:
        """Return the hook with this id. Raises `Problem` 409 if it differs from the wanted one."""
        hook = web_hooks.find_hook(self._book, self._record, name)
        if hook is None:
            return None
        same = hook.url == wanted.url and hook.types == getattr(wanted, "types", ())
        if not same or wanted.secret not in (None, hook.secret):
            raise Problem(409, "this Idempotency-Key belongs to another hook already", REUSED)
        return hook

    def _rotated(self, name: str, rotation: str | None) -> Hook | None:
        """Return the hook if its secret is from this rotation. Raises `Problem` 409 if it was."""
        hook = self._find(name)
        if rotation in (each.rotation for each in hook.former):
            wrong = "the secret was rotated again since the request with this key"
            raise Problem(409, wrong, REUSED)
        return hook if hook.rotation == rotation else None

    def _answer(self, hook: Hook) -> Response[bytes]:
        return answer(self._describe(hook, self._shown), headers=NO_STORE)

    def _describe(self, hook: Hook, kind: type[HookState]) -> HookState:
        until = max((former.until for former in hook.former), default=None)
        types = tuple(each for each in get_args(NewsType) if each in hook.types)
        told: dict[str, Any] = {"match": self._match, "former_until": until, "types": types}
        names = kind.__struct_fields__
        return kind(**{name: told[name] if name in told else getattr(hook, name) for name in names})


def _check(wanted: HookRegistration, anywhere: bool) -> None:
    try:
        check_url(wanted.url, anywhere)
    except CallRefused as refusal:
        raise Problem(400, str(refusal), path="$.url") from None
    if wanted.secret is not None and not VISIBLE.fullmatch(wanted.secret):
        raise Problem(400, "a secret must be 16 to 200 visible ASCII characters", path="$.secret")
    if wanted.secret is not None and wanted.secret.startswith(web_hooks.WHSEC):
        try:
            decoded_key(wanted.secret)
        except ValueError as error:
            raise Problem(400, str(error), path="$.secret") from None
