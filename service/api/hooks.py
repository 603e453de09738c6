"""WebHooks of a match: its host registers addresses for news of it."""

from __future__ import annotations

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from service.api.hook_owner import HookOwner, HookRegistration, HookState, PingResult
from service.api.presenters import answer
from service.http.access import ACCESS, AnyRequest, MatchAccess
from service.http.caching import NO_STORE
from service.http.rights import OfWriter
from service.models import responses
from service.openapi.operations import delete, get, post


class MatchHook(HookState, frozen=True):
    """A hook of a match: everything up to the version `delivered` has arrived at its address.

    The last `failures` calls have failed, the first of them at `since`; the next attempt is `due`,
    if anything is to be delivered. A `dead` hook is not called any more: it failed for a day, or
    was answered 410. `answer` describes the result of the last call, at `tried`. Until
    `former_until` calls are also signed with the secrets before the last rotation.
    """

    match: str
    delivered: responses.Version


class MatchHookWithSecret(MatchHook, frozen=True):
    """A hook with its new secret, which is shown only once."""

    secret: str
    """The key that signs each call, shown only once."""


class MatchHookList(Struct, frozen=True):
    """The hooks of a match."""

    match: str
    hooks: tuple[MatchHook, ...]
    """The hooks of the match, with the state of their deliveries."""


@post(
    "/matches/{match:str}/hooks",
    {201: MatchHookWithSecret},
    right=OfWriter("register a hook"),
    problems=(409,),
    headers=("Idempotency-Key",),
    sends=("Location",),
)
async def register_hook(request: AnyRequest, data: JSONBody[HookRegistration]) -> Response[bytes]:
    """Register an address that later events are posted to, as a spectator sees them.

    Each post is a `Delivery`, at least once and in order. `Plybook-Signature` is `sha256=` and the
    HMAC-SHA256 in hex, with the secret, of `Plybook-Timestamp`, a dot and the body. The headers of
    Standard Webhooks come with it; their key is the base64 after `whsec_`, or the characters of any
    other secret. A 2xx answer acknowledges the post, 410 ends the hook. 409 if the match has ten
    hooks already, and if the `Idempotency-Key` belongs to a different hook; a retry gets the hook's
    current state.
    """
    return await _owner(request).register(data)


@get("/matches/{match:str}/hooks", {200: MatchHookList}, right=OfWriter("see the hooks"))
async def list_hooks(request: AnyRequest, match: FromPath[str]) -> Response[bytes]:
    """List the hooks of a match."""
    return answer(MatchHookList(match, await _owner(request).all()), headers=NO_STORE)


@get("/matches/{match:str}/hooks/{hook:str}", {200: MatchHook}, right=OfWriter("see a hook"))
async def show_hook(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Show the delivery state of a hook."""
    return await _owner(request).show(hook)


@post(
    "/matches/{match:str}/hooks/{hook:str}/revive",
    {200: MatchHook},
    right=OfWriter("revive a hook"),
)
async def revive_hook(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Retry a hook at once, even a dead one; it resumes where it stopped."""
    return await _owner(request).revive(hook)


@post(
    "/matches/{match:str}/hooks/{hook:str}/ping", {200: PingResult}, right=OfWriter("ping a hook")
)
async def ping_hook(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Post a signed `Ping` to a hook at once and return the result; deliveries are unaffected."""
    return await _owner(request).ping(hook)


@post(
    "/matches/{match:str}/hooks/{hook:str}/rotate",
    {200: MatchHookWithSecret},
    right=OfWriter("rotate the secret of a hook"),
    problems=(409,),
    headers=("Idempotency-Key",),
)
async def rotate_hook(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Give a hook a new secret; for a day its calls are also signed with the former secret.

    `webhook-signature` then has a signature for each secret, `Plybook-Signature` only the new
    secret's. 409 if a call would have more than five signatures, and if the secret was rotated
    again since the request with this `Idempotency-Key`; until then a retry gets the same secret.
    """
    return await _owner(request).rotate(hook)


@delete("/matches/{match:str}/hooks/{hook:str}", {200: MatchHook}, right=OfWriter("remove a hook"))
async def remove_hook(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Remove a hook: no further news is posted to it."""
    return await _owner(request).remove(hook)


def _owner(request: AnyRequest) -> HookOwner:
    access: MatchAccess = request.scope[ACCESS]  # type: ignore[typeddict-item]
    return HookOwner(request, access.caller, access.record, MatchHook, MatchHookWithSecret)
