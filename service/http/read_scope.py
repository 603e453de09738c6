"""The matches that lists, trees and searches may show a caller without naming them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.library.match_list import ReadScope
from service.http.access import AnyRequest, bearer_token, is_operator
from service.http.cookies import newest_tokens
from service.settings import Settings


def read_scope(request: AnyRequest, book: Book, settings: Settings) -> ReadScope:
    """Return the scope of a request: listed matches, and those its tokens open.

    An operator's token opens all.
    """
    if is_operator(request, book):
        return ReadScope(frozenset(get_args(visibility.Visibility)))
    return ReadScope(listed_visibilities(settings), frozenset(_borne(request, book)))


def listed_visibilities(settings: Settings) -> frozenset[visibility.Visibility]:
    """Return the visibilities that everybody may list."""
    return frozenset(("public", "unlisted")) if settings.lists_all else frozenset(("public",))


def _borne(request: AnyRequest, book: Book) -> Iterator[int]:
    """Yield the matches opened by a request's tokens: the header's, or those in cookies."""
    header = request.headers.get("authorization")
    if header is not None:
        opened = capability_tokens.matches_opened_by(book, [bearer_token(header)])
        yield from (stream.id for _, stream in opened)
        return
    sent = newest_tokens(request)
    opened = capability_tokens.matches_opened_by(book, (token for _, token in sent))
    yield from (stream.id for token, stream in opened if (stream.public_id, token) in sent)
