"""The exception that stops the parsing of a record and carries its fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from replay.errors import Usage
from replay.formats.ply.lexer import LexemeKind, RecordLexeme
from replay.formats.ply.model import RecordFault

TOKENS = frozenset((LexemeKind.WORD, LexemeKind.OPEN, LexemeKind.CLOSE, LexemeKind.STRAY))


class Rejected(Exception):
    """Rejects the record being parsed. The reader fills in `fault.record`."""

    def __init__(self, fault: RecordFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@contextmanager
def rejecting(at: RecordLexeme, clause: str) -> Iterator[None]:
    """Raise a `Usage` as a fault at a lexeme."""
    try:
        yield
    except Usage as error:
        raise rejected(at, clause, str(error)) from None


def rejected(
    at: RecordLexeme,
    clause: str,
    message: str,
    *,
    token: str | None = None,
    seat: int | None = None,
    event: int | None = None,
) -> Rejected:
    """Return the fault at a lexeme; `token` replaces the lexeme's text."""
    if token is None and at.kind in TOKENS and not at.problem:
        token = at.text
    return Rejected(RecordFault(0, event, at.line, at.column, token, seat, clause, message))
