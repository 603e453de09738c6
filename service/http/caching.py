"""`Cache-Control` headers for browsers and proxies."""

from __future__ import annotations

from typing import Final

from replay.match_record import MatchRecord
from service.http.access import Visit

FOR_EVER: Final = "max-age=31536000, immutable"

ASK_AGAIN: Final = {"Cache-Control": "no-cache", "Vary": "Authorization, Cookie"}
"""Headers of an answer that depends on the caller and changes over time."""

HOUR: Final = {"Cache-Control": "public, max-age=3600"}
"""Headers of an answer that changes only with the software's version."""

NO_STORE: Final = {"Cache-Control": "no-store"}
"""Headers of an answer that contains a secret."""


def address_headers(visit: Visit, then: MatchRecord, ply: int) -> dict[str, str]:
    """Return the headers for a view at an address, which never changes.

    Sealed moves look different to each viewer, and views opened by a token are private.
    """
    if then.match.at(ply).position.sealed:
        return ASK_AGAIN
    keeper = "public" if visit.caller.role is None else "private"
    return {"Cache-Control": f"{keeper}, {FOR_EVER}", "Vary": "Authorization, Cookie"}
