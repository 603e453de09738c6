"""WebHooks of a match: its host registers addresses for news of it."""

from __future__ import annotations

import asyncio
import math
import re
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from replay.access import web_hooks
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.store.feed_types import Hook
from service.api.presenters import answer
from service.http.access import (
    AnyRequest,
    Caller,
    MatchAccess,
    TheBook,
    TheMatchAccess,
    TheSettings,
)
from service.http.addresses import absolute, prefix
from service.http.book_reads import read_book, reads_book
from service.http.caching import NO_STORE
from service.http.conditions import demand_condition
from service.http.idempotency import REUSED, derive_id, once, retry_key
from service.http.limits import Limits, TheLimits
from service.http.problems import Problem
from service.http.rights import OfWriter
from service.http.safe_http import CALL_TIMEOUT, MAX_URL, CallRefused, check_url
from service.live.hook_deliveries import HookDeliverer
from service.live.hook_headers import decoded_key
from service.models import responses
from service.openapi.operations import documented

ID: Final = 16
"""Length of a hook's id, in characters."""

PING: Final = 10
"""The cost of a test call, in requests: it makes the server call another address."""

VISIBLE: Final = re.compile(r"[\x21-\x7e]+")

TheHookDeliverer = NamedDependency[HookDeliverer]
"""The deliverer of the service."""


class Registering(Struct, frozen=True, forbid_unknown_fields=True):
    """An http or https address for news, and the signing secret, generated if omitted.

    Example: {"url": "https://plybook.example/news", "secret": "a-secret-of-20-signs"}
    """

    url: Annotated[str, Meta(min_length=8, max_length=MAX_URL)]
    """The address that is called."""
    secret: Annotated[str, Meta(min_length=16, max_length=200)] | None = None
    """The key that signs each call; generated if omitted."""


class HookState(Struct, frozen=True):
    """A hook and its deliveries. The last `failures` calls have failed, the first at `since`.

    The next attempt is `due`, if anything is to be delivered. A `dead` hook is not called any more:
    it failed for a day, or was answered 410. `answer` describes the result of the last call, at
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
    """The result of the last call: the status, or what prevented an answer."""
    tried: responses.Milliseconds | None
    """Milliseconds since 1970 of the last call."""
    former_until: responses.Milliseconds | None
    """The time until which calls are also signed with former secrets; null if the secret was never
    rotated."""


class Registered(HookState, frozen=True):
    """A hook of a match: everything up to the version `delivered` has arrived at its address.

    The last `failures` calls have failed, the first of them at `since`; the next attempt is `due`,
    if anything is to be delivered. A `dead` hook is not called any more: it failed for a day, or
    was answered 410. `answer` describes the result of the last call, at `tried`. Until
    `former_until` calls are also signed with the secrets before the last rotation.
    """

    match: str
    delivered: responses.Version


class WithSecret(Registered, frozen=True):
    """A hook with its new secret, which is shown only once."""

    secret: str
    """The key that signs each call, shown only once."""


class Pinged(Struct, frozen=True):
    """The result of a test call: whether it was acknowledged, and the answer in words."""

    hook: str
    arrived: bool
    """Whether the answer was 2xx."""
    answer: str
    """The result of the last call: the status, or what prevented an answer."""


class Registry(Struct, frozen=True):
    """The hooks of a match."""

    match: str
    hooks: tuple[Registered, ...]
    """The hooks of the match, with the state of their deliveries."""


@post(
    "/matches/{match:str}/hooks",
    **documented(
        {201: WithSecret},
        right=OfWriter("register a hook"),
        problems=(409,),
        headers=("Idempotency-Key",),
        sends=("Location",),
    ),
)
async def register_hook(
    request: AnyRequest,
    data: JSONBody[Registering],
    book: TheBook,
    settings: TheSettings,
    visit: TheMatchAccess,
    hook_deliverer: TheHookDeliverer,
) -> Response[bytes]:
    """Register an address that later events are posted to, as a spectator sees them.

    Each post is a `Delivery`, at least once and in order. `Plybook-Signature` is `sha256=` and the
    HMAC-SHA256 in hex, with the secret, of `Plybook-Timestamp`, a dot and the body. The headers of
    Standard Webhooks come with it; their key is the base64 after `whsec_`, or the characters of any
    other secret. A 2xx answer acknowledges the post, 410 ends the hook. 409 if the match has ten
    hooks already, and if the `Idempotency-Key` belongs to a different hook; a retry gets the hook's
    current state.
    """
    caller = visit.caller
    check_registering(data, settings.hooks_anywhere)
    hook = await add_hook(request, book, visit.record, data, caller)
    hook_deliverer.look()
    headers = {"Location": f"{prefix()}/matches/{visit.record.id}/hooks/{hook.id}"}
    return answer(_with_secret(visit, hook), 201, NO_STORE | headers)


@get("/matches/{match:str}/hooks", **documented({200: Registry}, right=OfWriter("see the hooks")))
@reads_book
def list_hooks(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """List the hooks of a match."""
    told = (_hook_answer(visit, hook) for hook in web_hooks.list_hooks(book, visit.record))
    return answer(Registry(visit.record.id, tuple(told)), headers=NO_STORE)


@get(
    "/matches/{match:str}/hooks/{hook:str}",
    **documented({200: Registered}, right=OfWriter("see a hook")),
)
@reads_book
def show_hook(book: TheBook, visit: TheMatchAccess, hook: FromPath[str]) -> Response[bytes]:
    """Show the delivery state of a hook."""
    return answer(_hook_answer(visit, find_hook(book, visit.record, hook)), headers=NO_STORE)


@post(
    "/matches/{match:str}/hooks/{hook:str}/revive",
    **documented({200: Registered}, right=OfWriter("revive a hook")),
)
async def revive_hook(
    book: TheBook, visit: TheMatchAccess, hook_deliverer: TheHookDeliverer, hook: FromPath[str]
) -> Response[bytes]:
    """Retry a hook at once, even a dead one; it resumes where it stopped."""
    alive = await asyncio.to_thread(
        lambda: web_hooks.revive(book, find_hook(book, visit.record, hook))
    )
    hook_deliverer.look()
    return answer(_hook_answer(visit, alive), headers=NO_STORE)


@post(
    "/matches/{match:str}/hooks/{hook:str}/ping",
    **documented({200: Pinged}, right=OfWriter("ping a hook")),
)
async def ping_hook(
    request: AnyRequest,
    book: TheBook,
    visit: TheMatchAccess,
    limits: TheLimits,
    hook_deliverer: TheHookDeliverer,
    hook: FromPath[str],
) -> Response[bytes]:
    """Post a signed `Ping` to a hook at once and return the result; deliveries are unaffected."""
    found = await read_book(book, lambda: find_hook(book, visit.record, hook))
    return await call_hook(request, limits, hook_deliverer, found, visit.record.id)


@post(
    "/matches/{match:str}/hooks/{hook:str}/rotate",
    **documented(
        {200: WithSecret},
        right=OfWriter("rotate the secret of a hook"),
        problems=(409,),
        headers=("Idempotency-Key",),
    ),
)
async def rotate_hook(
    request: AnyRequest, book: TheBook, visit: TheMatchAccess, hook: FromPath[str]
) -> Response[bytes]:
    """Give a hook a new secret; for a day its calls are also signed with the former one.

    `webhook-signature` then has a signature for each secret, `Plybook-Signature` only the new
    secret's. 409 if a call would have more than five signatures, and if the secret was rotated
    again since the request with this `Idempotency-Key`; until then a retry gets the same secret.
    """
    caller = visit.caller
    rotated = await rotate_secret(request, book, visit.record, hook, caller)
    return answer(_with_secret(visit, rotated), headers=NO_STORE)


@delete(
    "/matches/{match:str}/hooks/{hook:str}",
    **documented({200: Registered}, right=OfWriter("remove a hook")),
)
async def remove_hook(
    book: TheBook, visit: TheMatchAccess, hook_deliverer: TheHookDeliverer, hook: FromPath[str]
) -> Response[bytes]:
    """Remove a hook: nothing more is posted to it."""
    removed = await asyncio.to_thread(lambda: drop_hook(book, visit.record, hook))
    hook_deliverer.look()
    return answer(_hook_answer(visit, removed), headers=NO_STORE)


async def add_hook(
    request: AnyRequest,
    book: TheBook,
    owner: MatchRecord | None,
    wanted: Registering,
    caller: Caller,
) -> Hook:
    """Register a hook of a match or of the book, unless an earlier request did."""
    key = retry_key(request)
    name = derive_id(caller, f"{owner.id if owner else ''}:{key}").hex()[:ID] if key else None
    types = getattr(wanted, "types", ())
    new = partial(web_hooks.register, types=types, site=absolute(request, ""))
    try:
        return await once(
            name,
            partial(asyncio.to_thread, _find_registered, book, owner, wanted, name or ""),
            partial(asyncio.to_thread, new, book, owner, wanted.url, wanted.secret, name),
        )
    except Usage as error:
        raise Problem(409, str(error)) from None


async def call_hook(
    request: AnyRequest,
    limits: Limits,
    hook_deliverer: HookDeliverer,
    hook: Hook,
    match: str | None,
) -> Response[bytes]:
    demand_condition()
    limits.charge(request, PING)
    done = await hook_deliverer.ping(hook, match)
    if done is None:
        wait = {"Retry-After": str(math.ceil(CALL_TIMEOUT))}
        raise Problem(503, "too many hooks are being called; come back later", headers=wait)
    return answer(Pinged(hook.id, done.arrived, done.told), headers=NO_STORE)


async def rotate_secret(
    request: AnyRequest, book: TheBook, owner: MatchRecord | None, hook: str, caller: Caller
) -> Hook:
    key = retry_key(request)
    whose = owner.id if owner else ""
    name = derive_id(caller, f"rotate {whose}:{hook}:{key}").hex() if key else None
    found = await read_book(book, lambda: find_hook(book, owner, hook))
    try:
        return await once(
            name,
            partial(asyncio.to_thread, _find_rotated, book, owner, hook, name or ""),
            partial(asyncio.to_thread, web_hooks.rotate, book, found, name),
        )
    except Usage as error:
        raise Problem(409, str(error)) from None


def _find_registered(
    book: TheBook, owner: MatchRecord | None, wanted: Registering, name: str
) -> Hook | None:
    """Return the hook with this id. Raises `Problem` 409 if it differs from the requested one."""
    hook = web_hooks.find_hook(book, owner, name)
    if hook is None:
        return None
    same = hook.url == wanted.url and hook.types == getattr(wanted, "types", ())
    if not same or wanted.secret not in (None, hook.secret):
        raise Problem(409, "this Idempotency-Key belongs to another hook already", REUSED)
    return hook


def _find_rotated(
    book: TheBook, owner: MatchRecord | None, name: str, rotation: str
) -> Hook | None:
    """Return the hook if its secret is from this rotation. Raises `Problem` 409 if it was."""
    hook = find_hook(book, owner, name)
    if rotation in (each.rotation for each in hook.former):
        wrong = "the secret was rotated again since the request with this key"
        raise Problem(409, wrong, REUSED)
    return hook if hook.rotation == rotation else None


def check_registering(registering: Registering, anywhere: bool) -> None:
    try:
        check_url(registering.url, anywhere)
    except CallRefused as refusal:
        raise Problem(400, str(refusal), path="$.url") from None
    if registering.secret is not None and not VISIBLE.fullmatch(registering.secret):
        raise Problem(400, "a secret must be 16 to 200 visible ASCII characters", path="$.secret")
    if (registering.secret or "").startswith(web_hooks.WHSEC):
        _check_key(registering.secret or "")


def _check_key(secret: str) -> None:
    try:
        decoded_key(secret)
    except ValueError as error:
        raise Problem(400, str(error), path="$.secret") from None


def find_hook(book: TheBook, owner: MatchRecord | None, name: str) -> Hook:
    found = web_hooks.find_hook(book, owner, name)
    if found is None:
        raise Problem(404, f"there is no hook {name!r}")
    return found


def drop_hook(book: TheBook, owner: MatchRecord | None, name: str) -> Hook:
    found = find_hook(book, owner, name)
    book.store.drop_hook(found.id).result()
    return found


def hook_state(hook: Hook) -> dict[str, Any]:
    """Return the fields that every answer about a hook has."""
    names = HookState.__struct_fields__
    until = max((former.until for former in hook.former), default=None)
    return {name: until if name == "former_until" else getattr(hook, name) for name in names}


def _hook_answer(visit: MatchAccess, hook: Hook) -> Registered:
    return Registered(**hook_state(hook), match=visit.record.id, delivered=hook.delivered)


def _with_secret(visit: MatchAccess, hook: Hook) -> WithSecret:
    return WithSecret(**msgspec.structs.asdict(_hook_answer(visit, hook)), secret=hook.secret)
