"""Judge a match whose moves were only taken down, and find the first that breaks a rule."""

from __future__ import annotations

from msgspec import Struct

from domain.edits import Judged
from domain.entry import tokens
from domain.events import Noted
from domain.match import Match
from domain.names import UNNAMED, Names
from domain.position import Violation
from replay import rules_text
from replay.book import Book
from replay.fields import Ply, Token
from replay.match_record import MatchRecord
from replay.referee.entering import SCOREKEEPER, play


class BrokenPly(Struct, frozen=True):
    """The first event that breaks a rule: its ply, token and clause, with the text of the clause.

    It and all later events are not judged.
    """

    ply: Ply
    token: Token
    clause: str
    words: str | None
    message: str


def judge(book: Book, recorded: MatchRecord, *, actor: str = SCOREKEEPER) -> MatchRecord:
    """Judge what was taken down, unless that is done. Raises `Stale`."""
    return play(book, recorded, due(recorded), actor=actor) if due(recorded) else recorded


def due(recorded: MatchRecord) -> list[Judged]:
    """Return the event that judges a match; none if it is judged as it is entered."""
    return [Judged()] if recorded.match.start.quiet else []


def first_broken(match: Match, names: Names = UNNAMED) -> BrokenPly | None:
    """Return the first event of a judged line that breaks a rule, or `None`."""
    before = match.start
    for number, ply in enumerate(match.line, 1):
        if ply.state.quiet:
            event = ply.event
            broken = event.judged(before) if isinstance(event, Noted) else event.check(before)
            assert isinstance(broken, Violation)
            text = rules_text.words(match.game, broken.clause)
            token = tokens.write(match.game, event)
            return BrokenPly(number, token, broken.clause, text, broken.words(names))
        before = ply.state
    return None
