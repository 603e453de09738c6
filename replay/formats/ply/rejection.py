"""How the reading of a record stops: an exception that carries the fault."""

from __future__ import annotations

from replay.formats.ply.lexer import LexemeKind, RecordLexeme
from replay.formats.ply.model import RecordFault

TOKENS = frozenset((LexemeKind.WORD, LexemeKind.OPEN, LexemeKind.CLOSE, LexemeKind.STRAY))


class Rejected(Exception):
    """The record being read cannot stand. `fault.record` is for the reader to fill in."""

    def __init__(self, fault: RecordFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def rejected(
    at: RecordLexeme,
    clause: str,
    message: str,
    *,
    token: str | None = None,
    seat: int | None = None,
    event: int | None = None,
) -> Rejected:
    """Return the fault at a lexeme; `token` is what it is quoted as, if not as it stands."""
    if token is None and at.kind in TOKENS and not at.problem:
        token = at.text
    return Rejected(RecordFault(0, event, at.line, at.column, token, seat, clause, message))
