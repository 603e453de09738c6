"""The rights to use a route: guards of Litestar, and the only place that checks a caller's right.

A guard runs before the body is read, so a stranger learns nothing about faults of the body. A guard
passes its findings on to the route. A route without a right does not mount. The dependency `visit`
decides who may read a match, so a route that takes it needs no guard.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal

from litestar.exceptions import ImproperlyConfiguredException
from litestar.plugins import ReceiveRoutePlugin
from litestar.routes import BaseRoute, HTTPRoute

from replay.access import capability_tokens
from replay.access.operators import OPERATOR
from replay.book import Book
from replay.referee import evenings
from replay.store.types import Evening
from service.http.access import (
    ACCESS,
    AnyRequest,
    MatchAccess,
    account_of,
    book_of,
    find_evening,
    is_operator,
    operator_of,
    visit,
)
from service.http.book_reads import read_book
from service.http.idempotency import request_name

Auth = Literal[
    "none",
    "anybody",
    "reader",
    "writer",
    "host",
    "host or operator",
    "operator",
    "account",
    "link",
    "link or operator",
]
"""The callers who may use an operation. With `anybody` a token is optional; `none` takes no
token."""

WITH_TOKEN: Final = (
    *("writer", "host", "host or operator", "operator", "account", "link", "link or operator"),
)
"""The callers who always need a token."""

VISIT: Final = "visit"
"""The dependency that checks whether a caller may read a match."""


class Right:
    """A right that no guard checks: of everybody, of readers, or with further conditions.

    `who` are the callers who have it, for the schema.
    """

    def __init__(self, who: Auth) -> None:
        self.who = who

    async def __call__(self, request: Any, handler: object) -> None:
        """Let a request through. Raises `Problem` for callers without the right."""


class OfWriter(Right):
    """The right of seats and hosts to write about a match; `what` only its host may do."""

    def __init__(self, what: str | None = None) -> None:
        super().__init__("writer" if what is None else "host")
        self._what = what

    async def __call__(self, request: Any, handler: object) -> None:
        """Look up the match and the caller. Raises `Problem` 401, 403 and 404."""
        request.scope.pop(ACCESS, None)  # a conditional write that is tried again looks again
        access = await visit(request, request.path_params["match"])
        self.check(access)
        request.scope[ACCESS] = access

    def check(self, access: MatchAccess) -> None:
        """Raise `Problem` 401 and 403 for a caller without the right."""
        _ = access.writer() if self._what is None else access.host(self._what)


class ToErase(OfWriter):
    """The right of writers to write and of operators to erase; the handler distinguishes them."""

    def check(self, access: MatchAccess) -> None:
        """Raise `Problem` 401 and 403 for a caller without the right."""
        if access.caller.role != OPERATOR:
            access.writer()


class ToLog(OfWriter):
    """The right to append to the log of a match.

    *Hot*: the caller may be remembered, which saves a move the search for its match and its token
    (183 calls in all, `bench calls`). The append checks whether that is still true.
    """

    async def __call__(self, request: Any, handler: object) -> None:
        """Recall the match and the caller, or look them up. Raises `Problem`."""
        access = request.app.state.live.visits.recall(request, request.path_params["match"])
        if access is None:
            access = await self.look_up(request)
        elif self._what is not None:
            access.host(self._what)
        request.scope[ACCESS] = access
        request.scope[RIGHT] = self

    async def look_up(self, request: AnyRequest) -> MatchAccess:
        """Look up the match and the caller, and remember them. Raises `Problem`."""
        match = request.path_params["match"]
        access: MatchAccess = await request.app.state.live.visits.look_up(request, match)
        self.check(access)
        return access


class OfBearer(Right):
    """A right of the bearers of a token that `find` knows, to do `what`."""

    def __init__(self, who: Auth, find: Callable[..., Any], what: str | None) -> None:
        super().__init__(who)
        self._find = find
        self._what = what

    async def __call__(self, request: Any, handler: object) -> None:
        """Check the token. Raises `Problem` 401 and 403."""
        book = book_of(request)
        request.scope[CALLER] = await read_book(
            book, partial(self._find, request, book, self._what)
        )


class OfOperator(OfBearer):
    """The right of the server's operators to do something."""

    def __init__(self, what: str) -> None:
        super().__init__("operator", operator_of, what)


class OfAccount(OfBearer):
    """The right of an account; to do `what`, its token must allow play."""

    def __init__(self, what: str | None = None) -> None:
        super().__init__("account", account_of, what)


class OfLink(OfBearer):
    """The right to do something for holders of the link of the evening in the path."""

    def __init__(self, what: str) -> None:
        super().__init__("link", find_evening, what)


class ToRename(OfBearer):
    """The right to rename an evening, for holders of its link and for operators."""

    def __init__(self) -> None:
        super().__init__("link or operator", _renamed_by, "rename it")


class ToReplaceLink(OfBearer):
    """The right to replace the link of an evening, and to repeat that under the same key."""

    def __init__(self) -> None:
        super().__init__("link", _replaced_by, "replace its link")


def _renamed_by(request: AnyRequest, book: Book, what: str) -> Evening:
    if is_operator(request, book):
        return evenings.find_evening(book, request.path_params["evening"])
    return find_evening(request, book, what)


def _replaced_by(request: AnyRequest, book: Book, what: str) -> Evening:
    """Return the evening for its link, also for the former one if this request has replaced it."""
    evening = evenings.find_evening(book, request.path_params["evening"])
    name = request_name(request)
    made = None if name is None else capability_tokens.digest(evenings.new_token(name))
    return evening if evening.digest == made else find_evening(request, book, what)


NONE: Final = Right("none")
"""Everybody, and a token changes nothing."""
ANYBODY: Final = Right("anybody")
"""Everybody; the answer depends on the token."""
READER: Final = Right("reader")
"""A caller who may read the match; the dependency `visit` checks this."""
HOST_OR_OPERATOR: Final = Right("host or operator")
"""The host, or an operator, whose match may be unreadable or in the trash: the handler checks."""
WRITER: Final = OfWriter()
TO_ERASE: Final = ToErase()
TO_LOG: Final = ToLog()
OF_ACCOUNT: Final = OfAccount()

RIGHT: Final = "plybook.right"
CALLER: Final = "plybook.caller"
"""The keys of a request's scope for the right to the log, and for the bearer of a token."""


def caller_in(request: AnyRequest) -> Any:
    """Return the operator, the account or the evening that a guard found."""
    return request.scope[CALLER]  # type: ignore[typeddict-item]


class RightsPlugin(ReceiveRoutePlugin):
    """Refuses to mount a route without a right."""

    def receive_route(self, route: BaseRoute) -> None:
        """Check the handlers of a new route. Raises `ImproperlyConfiguredException`."""
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            rights = [guard for guard in handler.resolve_guards() if isinstance(guard, Right)]
            if "OPTIONS" in handler.http_methods or VISIT in handler.parsed_fn_signature.parameters:
                continue
            if not rights:
                raise ImproperlyConfiguredException(
                    f"{handler} has no right: give it one of service.http.rights, or take `visit`"
                )
