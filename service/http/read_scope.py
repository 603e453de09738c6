"""The matches that a caller may see in lists, trees and searches."""

from __future__ import annotations

from typing import get_args

from replay.access import capability_tokens, visibility
from replay.access.visibility import ReadScope
from replay.book import Book
from service.http.access import AnyRequest, bearer_token, is_operator
from service.http.cookies import newest_tokens
from service.settings import Settings


def read_scope(request: AnyRequest, book: Book, settings: Settings) -> ReadScope:
    """Return the scope of a request: listed matches, and those its tokens open.

    An operator's token opens all.
    """
    if is_operator(request, book):
        return ReadScope(frozenset(get_args(visibility.Visibility)))
    shown = listed_visibilities(settings)
    header = request.headers.get("authorization")
    if header is not None:
        return ReadScope(shown, key=capability_tokens.digest(bearer_token(header)))
    opened = capability_tokens.opened_among(book, newest_tokens(request))
    return ReadScope(shown, frozenset(stream.id for stream in opened))


def listed_visibilities(settings: Settings) -> frozenset[visibility.Visibility]:
    """Return the visibilities that everybody may list."""
    return frozenset(("public", "unlisted")) if settings.lists_all else frozenset(("public",))
