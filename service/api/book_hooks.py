"""WebHooks of the book: an operator registers addresses for news of all matches."""

from __future__ import annotations

import asyncio
from typing import Annotated, get_args

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from replay.access import web_hooks
from replay.store.feed_types import Hook
from service.api.hooks import (
    HookState,
    Pinged,
    Registering,
    TheHookDeliverer,
    add_hook,
    call_hook,
    check_registering,
    drop_hook,
    find_hook,
    hook_state,
    rotate_secret,
)
from service.api.presenters import answer
from service.http.access import (
    AnyRequest,
    TheBook,
    TheSettings,
)
from service.http.addresses import prefix
from service.http.book_reads import read_book, reads_book
from service.http.caching import NO_STORE
from service.http.limits import TheLimits
from service.http.rights import OfOperator, caller_in
from service.live.hook_news import NewsType
from service.openapi.operations import documented


class RegisteringForAll(Registering, frozen=True, forbid_unknown_fields=True):
    """An http or https address for news of all matches, and the types of news, all if empty.

    Example: {
        "url": "https://plybook.example/news",
        "secret": "a-secret-of-20-signs",
        "types": ["match.opened", "match.ended"]
    }
    """

    types: tuple[NewsType, ...] = ()
    """The types of news to send; empty for all types."""


class RegisteredForAll(HookState, frozen=True):
    """A hook of the book: everything up to the number `delivered` has arrived at its address.

    It gets news of `types`, or of all types if empty.
    """

    types: tuple[NewsType, ...]
    """The types of news sent to the hook; empty for all types."""
    delivered: Annotated[int, Meta(ge=0, description="All changes up to this number arrived.")]


class WithSecretForAll(RegisteredForAll, frozen=True):
    """A hook of the book with its new secret, which is shown only once."""

    secret: str
    """The key that signs each call, shown only once."""


class RegistryForAll(Struct, frozen=True):
    """The hooks of the book."""

    hooks: tuple[RegisteredForAll, ...]
    """The hooks of the book, with the state of their deliveries."""


@post(
    "/hooks",
    **documented(
        {201: WithSecretForAll},
        right=OfOperator("register a hook for all"),
        problems=(409,),
        headers=("Idempotency-Key",),
        sends=("Location",),
    ),
)
async def register_hook_for_all(
    request: AnyRequest,
    data: JSONBody[RegisteringForAll],
    book: TheBook,
    settings: TheSettings,
    hook_deliverer: TheHookDeliverer,
) -> Response[bytes]:
    """Register an address that the changes of all matches are posted to, as a spectator sees them.

    Each post is a `BookDelivery` about one match, at least once and in the order of the numbers;
    several changes of a match may come as one. `types` chooses the news. Everything else is as for
    a hook of a match.
    """
    caller = caller_in(request)
    check_registering(data, settings.hooks_anywhere)
    hook = await add_hook(request, book, None, data, caller)
    hook_deliverer.look()
    return answer(
        _with_secret_for_all(hook), 201, NO_STORE | {"Location": f"{prefix()}/hooks/{hook.id}"}
    )


@get("/hooks", **documented({200: RegistryForAll}, right=OfOperator("see the hooks")))
@reads_book
def list_hooks_for_all(book: TheBook) -> Response[bytes]:
    """List the hooks of the book."""
    there = tuple(_for_all(hook) for hook in web_hooks.list_hooks(book, None))
    return answer(RegistryForAll(there), headers=NO_STORE)


@get("/hooks/{hook:str}", **documented({200: RegisteredForAll}, right=OfOperator("see a hook")))
@reads_book
def show_hook_for_all(book: TheBook, hook: FromPath[str]) -> Response[bytes]:
    """Show the delivery state of a hook of the book."""
    return answer(_for_all(find_hook(book, None, hook)), headers=NO_STORE)


@post(
    "/hooks/{hook:str}/revive",
    **documented({200: RegisteredForAll}, right=OfOperator("revive a hook")),
)
async def revive_hook_for_all(
    book: TheBook, hook_deliverer: TheHookDeliverer, hook: FromPath[str]
) -> Response[bytes]:
    """Retry a hook of the book at once, even a dead one; it resumes where it stopped."""

    def revive() -> Hook:
        return web_hooks.revive(book, find_hook(book, None, hook))

    alive = await asyncio.to_thread(revive)
    hook_deliverer.look()
    return answer(_for_all(alive), headers=NO_STORE)


@post("/hooks/{hook:str}/ping", **documented({200: Pinged}, right=OfOperator("ping a hook")))
async def ping_hook_for_all(
    request: AnyRequest,
    book: TheBook,
    limits: TheLimits,
    hook_deliverer: TheHookDeliverer,
    hook: FromPath[str],
) -> Response[bytes]:
    """Post a signed `Ping` to a hook of the book at once, and return the result."""

    def find() -> Hook:
        return find_hook(book, None, hook)

    return await call_hook(request, limits, hook_deliverer, await read_book(book, find), None)


@post(
    "/hooks/{hook:str}/rotate",
    **documented(
        {200: WithSecretForAll},
        right=OfOperator("rotate the secret of a hook"),
        problems=(409,),
        headers=("Idempotency-Key",),
    ),
)
async def rotate_hook_for_all(
    request: AnyRequest, book: TheBook, hook: FromPath[str]
) -> Response[bytes]:
    """Give a hook of the book a new secret, as for a hook of a match."""
    caller = caller_in(request)
    rotated = await rotate_secret(request, book, None, hook, caller)
    return answer(_with_secret_for_all(rotated), headers=NO_STORE)


@delete(
    "/hooks/{hook:str}", **documented({200: RegisteredForAll}, right=OfOperator("remove a hook"))
)
async def remove_hook_for_all(
    book: TheBook, hook_deliverer: TheHookDeliverer, hook: FromPath[str]
) -> Response[bytes]:
    """Remove a hook of the book: nothing more is posted to it."""

    def remove() -> Hook:
        return drop_hook(book, None, hook)

    removed = await asyncio.to_thread(remove)
    hook_deliverer.look()
    return answer(_for_all(removed), headers=NO_STORE)


def _for_all(hook: Hook) -> RegisteredForAll:
    types = tuple(each for each in get_args(NewsType) if each in hook.types)
    return RegisteredForAll(**hook_state(hook), types=types, delivered=hook.delivered)


def _with_secret_for_all(hook: Hook) -> WithSecretForAll:
    return WithSecretForAll(**msgspec.structs.asdict(_for_all(hook)), secret=hook.secret)
