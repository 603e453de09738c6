"""Which matches a request may be told of that it does not name: in lists, trees and searches."""

from __future__ import annotations

from collections.abc import Iterator

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.library.match_list import ReadScope
from service.http.access import COOKIE, AnyRequest, tokens_in
from service.settings import Settings


def read_scope(request: AnyRequest, book: Book, settings: Settings) -> ReadScope:
    """Return what a request may be told of: what is public, and what its tokens open."""
    return ReadScope(listed_visibilities(settings), frozenset(_borne(request, book)))


def listed_visibilities(settings: Settings) -> frozenset[visibility.Visibility]:
    """Return which matches everybody may be told of."""
    return frozenset(("public", "unlisted")) if settings.lists_all else frozenset(("public",))


def _borne(request: AnyRequest, book: Book) -> Iterator[int]:
    """Yield the matches that the tokens of a request open: one sent, or those of a page."""
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        opened = (
            capability_tokens.matches_opened_by(book, token.strip())
            if scheme.lower() == "bearer"
            else []
        )
        yield from (stream.id for stream in opened)
        return
    for name, cookie in request.cookies.items():
        if name.startswith(COOKIE):
            match = name.removeprefix(COOKIE)
            found = (
                stream
                for token in tokens_in(cookie)
                for stream in capability_tokens.matches_opened_by(book, token)
            )
            yield from (stream.id for stream in found if stream.public_id == match)
