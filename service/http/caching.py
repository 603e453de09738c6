"""How long an answer may be kept by browsers and by what lies between them and the service."""

from __future__ import annotations

from typing import Final

from replay.match_record import MatchRecord
from service.http.access import Visit

FOR_EVER: Final = "max-age=31536000, immutable"

ASK_AGAIN: Final = {"Cache-Control": "no-cache", "Vary": "Authorization, Cookie"}
"""The headers of an answer that depends on who asks, and changes."""

HOUR: Final = {"Cache-Control": "public, max-age=3600"}
"""The headers of an answer that changes only with the version of the software."""

NO_STORE: Final = {"Cache-Control": "no-store"}
"""The headers of an answer with a secret in it."""


def address_headers(visit: Visit, then: MatchRecord, ply: int) -> dict[str, str]:
    """Return the headers for what an address shows, which never changes.

    But each viewer sees another side of what is sealed; and what a token shows is for its bearer.
    """
    if then.match.at(ply).position.sealed:
        return ASK_AGAIN
    keeper = "public" if visit.caller.role is None else "private"
    return {"Cache-Control": f"{keeper}, {FOR_EVER}", "Vary": "Authorization, Cookie"}
