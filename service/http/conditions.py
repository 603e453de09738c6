"""`If-Match` on every write outside the log, checked in the transaction that writes (RFC 9110).

The present tag is found by a request for it, as the caller would make it. The write is done only if
the book has no later change of the match.
"""

from __future__ import annotations

import re
from typing import Any, Final

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from replay.store.sql.change_feed import last_change
from replay.store.writer_thread import CONDITION
from service.http.book_reads import read_book
from service.http.caching import TAG, Revalidation
from service.http.problems import Problem

CONDITIONED: Final = "plybook-conditioned"
"""The key of a route's `opt` that says whether this module checks the header `If-Match`."""
ONE: Final = r'(W/)?"[0-9a-f]+(\.[0-9a-f]+)?"'
LIST: Final = rf"{ONE}([ \t]*,[ \t]*{ONE})*"
"""The tags in an `If-Match`, written as in `ETag`. Any other value is not the present tag: 412."""
IF_MATCH: Final = b"if-match"
OF_THE_REQUEST: Final = frozenset((IF_MATCH, b"if-none-match", b"content-length", b"range"))
PASSING: Final = (429, 503)
"""Statuses of answers that do not depend on the tag."""
MAX_TRIES: Final = 5
"""How often a request is tried if others change its match meanwhile."""


class TagCondition:
    """The condition that a tag in `If-Match` is the present tag."""

    def __init__(self, match: str | None, number: int | None, tag: str, holds: bool) -> None:
        self.is_met = False
        self.outdated = False
        """Whether others changed the match after its tag was made."""
        self._match = match
        self._number = number
        self._tag = tag
        self._holds = holds

    def check(self, connection: Any) -> None:
        """Raise `Problem` 412 unless the tag of the condition is the present tag."""
        self.demand()
        if last_change(connection, self._match) != self._number:
            self.outdated = True
            wait = {"Retry-After": "1"}
            raise Problem(503, "others write here at the same time; try again", headers=wait)

    def demand(self) -> None:
        """Raise `Problem` 412 unless the tag was the present tag when the request came."""
        if not self._holds:
            wrong = f"no tag in If-Match is the present one, {self._tag or 'as there is none'}"
            headers = {"ETag": self._tag} if self._tag else None
            raise Problem(412, wrong, "precondition-failed", headers=headers)


def demand_condition() -> None:
    """Check `If-Match` before an action that writes nothing. Raises `Problem` 412."""
    condition = CONDITION.get()
    if isinstance(condition, TagCondition):
        condition.demand()


def conditional(app: ASGIApp) -> ASGIApp:
    """Return the application with the conditions that requests set by `If-Match`.

    Its answers to GET are revalidated.
    """

    async def handle(scope: Any, receive: Receive, send: Send) -> None:
        if scope["method"] == "GET":
            await app(scope, receive, Revalidation(scope, send).send)
            return
        lines = []
        for name, value in scope["headers"]:
            if name == IF_MATCH:
                lines.append(value)
        sent = b", ".join(lines).decode("latin-1").strip() if lines else "*"
        if sent == "*" or not scope["route_handler"].opt.get(CONDITIONED):
            await app(scope, receive, send)
            return
        for left in reversed(range(MAX_TRIES)):
            condition = await _present(scope, sent)
            if await _try(app, condition, scope, receive, send, last=not left):
                break

    return handle


async def _try(
    app: ASGIApp, condition: TagCondition, scope: Scope, receive: Receive, send: Send, *, last: bool
) -> bool:
    """Handle a request, and return whether it was answered: not if it has to be tried again."""

    async def answer(message: Message) -> None:
        if last or not condition.outdated:
            await send(message)

    reset = CONDITION.set(condition)
    try:
        await app(scope, receive, answer)
    finally:
        CONDITION.reset(reset)
    return not condition.outdated


async def _present(scope: Any, sent: str) -> TagCondition:
    """Return the condition of a request, by the tags as its caller would get them now."""
    book, match = scope["app"].state.book, scope["path_params"].get("match")
    of_match = f"/matches/{match}"
    path = scope["path"]
    number = await read_book(book, lambda: book.store.last_change(match))
    tag = await _tag_at(scope, path)
    whole = tag if path == of_match or match is None else await _tag_at(scope, of_match)
    versions = (each.partition(".")[0] for each in TAG.findall(whole))
    present = {*TAG.findall(tag or whole), *versions}
    given = TAG.findall(sent) if re.fullmatch(LIST, sent) else []
    return TagCondition(match, number, tag or whole, not present.isdisjoint(given))


async def _tag_at(scope: Any, path: str) -> str:
    """Return the tag that the caller's GET of a path would have; empty if it would have none."""
    found: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def note(message: Message) -> None:
        found.append(message)

    headers = [each for each in scope["headers"] if each[0] not in OF_THE_REQUEST]
    asked = {"method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    asking = scope | asked | {"headers": headers, "state": {}}
    await Litestar.__call__(scope["app"], asking, receive, note)
    if found[0]["status"] in PASSING:
        wrong = "the present tag cannot be looked up now; come back later"
        raise Problem(found[0]["status"], wrong, headers={"Retry-After": "5"})
    tag: bytes = dict(found[0]["headers"]).get(b"etag", b"")
    return tag.decode("latin-1")
