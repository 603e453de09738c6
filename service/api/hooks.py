"""WebHooks: the host registers an address that receives the match's news."""

from __future__ import annotations

import asyncio
import math
import re
from typing import Annotated, Final

import msgspec
from litestar import Response, Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Meta, Struct

from replay.access import web_hooks
from replay.errors import Usage
from replay.store.protocol import Hook
from service.api.presenters import answer
from service.http.access import AnyRequest, TheBook, TheSettings, TheVisit, Visit
from service.http.addresses import prefix
from service.http.book_reads import in_thread, read_book, reads_book
from service.http.caching import NO_STORE
from service.http.idempotency import REUSED, derive_id, find_or_make, retry_key
from service.http.limits import TheLimits
from service.http.problems import Problem
from service.live.hook_deliveries import HookDeliverer
from service.live.hook_signatures import decoded_key
from service.live.safe_http import LONGEST_URL, WHOLE, CallRefused, check_url
from service.models import responses
from service.models.operations import documented
from service.models.requests import read

ID: Final = 16
"""Length of a hook's id, in characters."""

PING: Final = 10
"""The cost of a test call, in requests: it makes the server call somebody else."""

VISIBLE: Final = re.compile(r"[\x21-\x7e]+")

TheHookDeliverer = NamedDependency[HookDeliverer]
"""The deliverer of the service."""


class Registering(Struct, frozen=True, forbid_unknown_fields=True):
    """An http or https address for news, and the signing secret, generated if omitted."""

    url: Annotated[str, Meta(min_length=8, max_length=LONGEST_URL)]
    secret: Annotated[str, Meta(min_length=16, max_length=200)] | None = None


class Registered(Struct, frozen=True):
    """A hook: everything up to the version `delivered` has arrived at its address.

    The last `failures` calls have failed, the first of them at `since`; the next attempt is `due`,
    if anything is to be delivered. A `dead` hook is not called any more: it failed for a day, or
    was answered 410. `answer` describes the result of the last call, at `tried`. Until
    `former_until` calls are also signed with the secrets before the last rotation.
    """

    id: str
    match: str
    url: str
    created: responses.Milliseconds
    delivered: Annotated[int, Meta(ge=0, description="All events up to this version arrived.")]
    failures: Annotated[int, Meta(ge=0)]
    since: responses.Milliseconds | None
    due: responses.Milliseconds
    dead: bool
    answer: str | None
    tried: responses.Milliseconds | None
    former_until: responses.Milliseconds | None


class WithSecret(Registered, frozen=True):
    """A hook with its new secret, which is shown only once."""

    secret: str


class Pinged(Struct, frozen=True):
    """The result of a test call: whether it was acknowledged, and the answer in words."""

    hook: str
    arrived: bool
    answer: str


class Registry(Struct, frozen=True):
    """The hooks of a match."""

    match: str
    hooks: tuple[Registered, ...]


REGISTERING: Final = msgspec.json.Decoder(Registering)


@post(
    "/matches/{match:str}/hooks",
    **documented(
        {201: WithSecret},
        body=Registering,
        auth="host",
        problems=(409,),
        headers=("Idempotency-Key",),
        sends=("Location",),
    ),
)
async def register_hook(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    visit: TheVisit,
    hook_deliverer: TheHookDeliverer,
) -> Response[bytes]:
    """Register an address that later events are posted to, as a spectator sees them.

    Each post is a `Delivery`, at least once and in order. `Plybook-Signature` is `sha256=` and the
    HMAC-SHA256 in hex, with the secret, of `Plybook-Timestamp`, a dot and the body. The headers of
    Standard Webhooks come with it; their key is what `whsec_` precedes in base64, or the characters
    of another secret. A 2xx answer acknowledges the post, 410 ends the hook. 409 if the match has
    ten hooks already, and if the `Idempotency-Key` belongs to a different hook; a retry gets the
    hook's current state.
    """
    caller = visit.host("register a hook")
    key = retry_key(request)
    registering = await read(request, REGISTERING)
    _check(registering, settings.hooks_anywhere)
    name = derive_id(caller, f"{visit.recorded.id}:{key}").hex()[:ID] if key else None
    try:
        hook = await asyncio.to_thread(
            lambda: find_or_make(
                name,
                lambda: _find_registered(book, visit, registering, name or ""),
                lambda: web_hooks.register(
                    book, visit.recorded, registering.url, registering.secret, name
                ),
            )
        )
    except Usage as error:
        raise Problem(409, str(error)) from None
    hook_deliverer.look()
    headers = {"Location": f"{prefix()}/matches/{visit.recorded.id}/hooks/{hook.id}"}
    return answer(_with_secret(visit, hook), 201, NO_STORE | headers)


@get("/matches/{match:str}/hooks", **documented({200: Registry}, auth="host"))
@reads_book
def list_hooks(book: TheBook, visit: TheVisit) -> Response[bytes]:
    """List the hooks of a match."""
    visit.host("see the hooks")
    told = (_hook_answer(visit, hook) for hook in web_hooks.list_hooks(book, visit.recorded))
    return answer(Registry(visit.recorded.id, tuple(told)), headers=NO_STORE)


@get("/matches/{match:str}/hooks/{hook:str}", **documented({200: Registered}, auth="host"))
@reads_book
def show_hook(book: TheBook, visit: TheVisit, hook: FromPath[str]) -> Response[bytes]:
    """Show the delivery state of a hook."""
    visit.host("see a hook")
    return answer(_hook_answer(visit, _find(book, visit, hook)), headers=NO_STORE)


@post("/matches/{match:str}/hooks/{hook:str}/revive", **documented({200: Registered}, auth="host"))
async def revive_hook(
    book: TheBook, visit: TheVisit, hook_deliverer: TheHookDeliverer, hook: FromPath[str]
) -> Response[bytes]:
    """Retry a hook at once, also a dead one; it resumes where it stopped."""
    visit.host("revive a hook")
    alive = await asyncio.to_thread(lambda: web_hooks.revive(book, _find(book, visit, hook)))
    hook_deliverer.look()
    return answer(_hook_answer(visit, alive), headers=NO_STORE)


@post("/matches/{match:str}/hooks/{hook:str}/ping", **documented({200: Pinged}, auth="host"))
async def ping_hook(
    request: AnyRequest,
    book: TheBook,
    visit: TheVisit,
    limits: TheLimits,
    hook_deliverer: TheHookDeliverer,
    hook: FromPath[str],
) -> Response[bytes]:
    """Post a signed `Ping` to a hook at once and answer the result; deliveries are unaffected."""
    visit.host("ping a hook")
    found = await read_book(book, lambda: _find(book, visit, hook))
    limits.charge(request, PING)
    done = await hook_deliverer.ping(found, visit.recorded.id)
    if done is None:
        wait = {"Retry-After": str(math.ceil(WHOLE))}
        raise Problem(503, "too many hooks are being called; come back later", headers=wait)
    return answer(Pinged(found.id, done.arrived, done.told), headers=NO_STORE)


@post(
    "/matches/{match:str}/hooks/{hook:str}/rotate",
    **documented({200: WithSecret}, auth="host", problems=(409,), headers=("Idempotency-Key",)),
)
@in_thread
def rotate_hook(
    request: AnyRequest, book: TheBook, visit: TheVisit, hook: FromPath[str]
) -> Response[bytes]:
    """Give a hook a new secret; for a day its calls are also signed with the former one.

    `webhook-signature` then has a signature for each secret, `Plybook-Signature` only that of the
    new one. 409 if a call would have more than five signatures, and if the secret was rotated again
    since the request with this `Idempotency-Key`; until then a retry gets the same secret.
    """
    caller = visit.host("rotate the secret of a hook")
    key = retry_key(request)
    found = _find(book, visit, hook)
    name = derive_id(caller, f"rotate {visit.recorded.id}:{hook}:{key}").hex() if key else None
    try:
        rotated = find_or_make(
            name,
            lambda: _find_rotated(book, visit, hook, name or ""),
            lambda: web_hooks.rotate(book, found, name),
        )
    except Usage as error:
        raise Problem(409, str(error)) from None
    return answer(_with_secret(visit, rotated), headers=NO_STORE)


@delete("/matches/{match:str}/hooks/{hook:str}", **documented({200: Registered}, auth="host"))
async def remove_hook(
    book: TheBook, visit: TheVisit, hook_deliverer: TheHookDeliverer, hook: FromPath[str]
) -> Response[bytes]:
    """Remove a hook: nothing more is posted to it."""
    visit.host("remove a hook")
    removed = await asyncio.to_thread(lambda: _remove(book, visit, hook))
    hook_deliverer.look()
    return answer(_hook_answer(visit, removed), headers=NO_STORE)


def _find_registered(book: TheBook, visit: Visit, wanted: Registering, name: str) -> Hook | None:
    """Return the hook with this id. Raises `Problem` 409 if it differs from the requested one."""
    hook = web_hooks.find_hook(book, visit.recorded, name)
    if hook and (hook.url != wanted.url or wanted.secret not in (None, hook.secret)):
        raise Problem(409, "this Idempotency-Key belongs to another hook already", REUSED)
    return hook


def _find_rotated(book: TheBook, visit: Visit, name: str, rotation: str) -> Hook | None:
    """Return the hook if its secret is from this rotation. Raises `Problem` 409 if it was."""
    hook = _find(book, visit, name)
    if rotation in (each.rotation for each in hook.former):
        wrong = "the secret was rotated again since the request with this key"
        raise Problem(409, wrong, REUSED)
    return hook if hook.rotation == rotation else None


def _check(registering: Registering, anywhere: bool) -> None:
    try:
        check_url(registering.url, anywhere)
    except CallRefused as refusal:
        raise Problem(400, str(refusal), path="$.url") from None
    if registering.secret is not None and not VISIBLE.fullmatch(registering.secret):
        raise Problem(400, "a secret is 16 to 200 visible ASCII characters", path="$.secret")
    if (registering.secret or "").startswith(web_hooks.WHSEC):
        _check_key(registering.secret or "")


def _check_key(secret: str) -> None:
    try:
        decoded_key(secret)
    except ValueError as error:
        raise Problem(400, str(error), path="$.secret") from None


def _find(book: TheBook, visit: Visit, name: str) -> Hook:
    found = web_hooks.find_hook(book, visit.recorded, name)
    if found is None:
        raise Problem(404, f"there is no hook {name!r}")
    return found


def _remove(book: TheBook, visit: Visit, name: str) -> Hook:
    found = _find(book, visit, name)
    book.store.drop_hook(found.id).result()
    return found


def _hook_answer(visit: Visit, hook: Hook) -> Registered:
    return Registered(
        hook.id,
        visit.recorded.id,
        hook.url,
        hook.created,
        hook.delivered,
        hook.failures,
        hook.since,
        hook.due,
        hook.dead,
        hook.answer,
        hook.tried,
        max((former.until for former in hook.former), default=None),
    )


def _with_secret(visit: Visit, hook: Hook) -> WithSecret:
    return WithSecret(**msgspec.structs.asdict(_hook_answer(visit, hook)), secret=hook.secret)


ROUTER: Final = Router(
    "/",
    route_handlers=[
        register_hook,
        list_hooks,
        show_hook,
        revive_hook,
        ping_hook,
        rotate_hook,
        remove_hook,
    ],
)
