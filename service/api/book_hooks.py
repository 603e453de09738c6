"""WebHooks of the book: an operator registers addresses for news of all matches."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from service.api.hook_owner import HookOwner, HookRegistration, HookState, PingResult
from service.api.presenters import answer
from service.http.access import AnyRequest
from service.http.caching import NO_STORE
from service.http.rights import OfOperator, caller_in
from service.live.hook_news import NewsType
from service.openapi.operations import delete, get, post


class BookHookRegistration(HookRegistration, frozen=True, forbid_unknown_fields=True):
    """An http or https address for news of all matches, and the types of news, all if empty.

    Example: {
        "url": "https://plybook.example/news",
        "secret": "a-secret-of-20-signs",
        "types": ["match.opened", "match.ended"]
    }
    """

    types: tuple[NewsType, ...] = ()
    """The types of news to send; empty for all types."""


class BookHook(HookState, frozen=True):
    """A hook of the book: everything up to the number `delivered` has arrived at its address.

    The hook gets news of `types`, or of all types if `types` is empty.
    """

    types: tuple[NewsType, ...]
    """The types of news sent to the hook; empty for all types."""
    delivered: Annotated[int, Meta(ge=0, description="All changes up to this number arrived.")]


class BookHookWithSecret(BookHook, frozen=True):
    """A hook of the book with its new secret, which is shown only once."""

    secret: str
    """The key that signs each call, shown only once."""


class BookHookList(Struct, frozen=True):
    """The hooks of the book."""

    hooks: tuple[BookHook, ...]
    """The hooks of the book, with the state of their deliveries."""


@post(
    "/hooks",
    {201: BookHookWithSecret},
    right=OfOperator("register a hook for all"),
    problems=(409,),
    headers=("Idempotency-Key",),
    sends=("Location",),
)
async def register_hook_for_all(
    request: AnyRequest, data: JSONBody[BookHookRegistration]
) -> Response[bytes]:
    """Register an address that the changes of all matches are posted to, as a spectator sees them.

    Each post is a `BookDelivery` about one match, at least once and in the order of the numbers;
    several changes of a match may come as one. `types` chooses the news. Other rules are as for a
    hook of a match.
    """
    return await _owner(request).register(data)


@get("/hooks", {200: BookHookList}, right=OfOperator("see the hooks"))
async def list_hooks_for_all(request: AnyRequest) -> Response[bytes]:
    """List the hooks of the book."""
    return answer(BookHookList(await _owner(request).all()), headers=NO_STORE)


@get("/hooks/{hook:str}", {200: BookHook}, right=OfOperator("see a hook"))
async def show_hook_for_all(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Show the delivery state of a hook of the book."""
    return await _owner(request).show(hook)


@post("/hooks/{hook:str}/revive", {200: BookHook}, right=OfOperator("revive a hook"))
async def revive_hook_for_all(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Retry a hook of the book at once, even a dead one; it resumes where it stopped."""
    return await _owner(request).revive(hook)


@post("/hooks/{hook:str}/ping", {200: PingResult}, right=OfOperator("ping a hook"))
async def ping_hook_for_all(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Post a signed `Ping` to a hook of the book at once, and return the result."""
    return await _owner(request).ping(hook)


@post(
    "/hooks/{hook:str}/rotate",
    {200: BookHookWithSecret},
    right=OfOperator("rotate the secret of a hook"),
    problems=(409,),
    headers=("Idempotency-Key",),
)
async def rotate_hook_for_all(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Give a hook of the book a new secret, as for a hook of a match."""
    return await _owner(request).rotate(hook)


@delete("/hooks/{hook:str}", {200: BookHook}, right=OfOperator("remove a hook"))
async def remove_hook_for_all(request: AnyRequest, hook: FromPath[str]) -> Response[bytes]:
    """Remove a hook of the book: nothing more is posted to it."""
    return await _owner(request).remove(hook)


def _owner(request: AnyRequest) -> HookOwner:
    return HookOwner(request, caller_in(request), None, BookHook, BookHookWithSecret)
