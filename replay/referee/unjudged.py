"""Judge a match whose moves were only recorded, and find the first that breaks a rule."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from domain.entry import move_text
from domain.events import Noted, Unrecorded
from domain.log_edits import Judged
from domain.match import Match
from domain.names import UNNAMED, Names
from domain.position import Violation
from domain.reconstruction import dashes
from replay import rules_text
from replay.book import Book
from replay.errors import Refused
from replay.fields import EventText, Ply, Seat
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.tags.names import SCOREKEEPER

PARENT_FIRST: Final = Violation(
    "turn", "this match is a fork of an unjudged match, which its host must judge first"
)


class BrokenPly(Struct, frozen=True):
    """The first event that breaks a rule: its ply, text and clause, with the words of the clause.

    That event and all later events are not judged.
    """

    ply: Ply
    text: EventText
    clause: str
    words: str | None
    message: str
    """The error in words."""


class OpenDash(Struct, frozen=True):
    """The first dash that is still open: its ply, its seat if it is known, and possible moves.

    Each of the `choices` are moves of one seat within a turn, at most five choices. They are empty
    if the match withholds its legal moves.
    """

    ply: Ply
    seat: Seat | None
    """The seat whose moves are missing; null if nobody knows it."""
    choices: tuple[tuple[EventText, ...], ...]
    """The moves that may fill the dash, the likeliest first."""


def find_dash(record: MatchRecord) -> OpenDash | None:
    """Return the open dash of a match with the moves that may fill it, or `None`."""
    match = record.match
    ply = match.open_dash()
    if ply is None:
        return None
    seat = getattr(match.line[ply - 1].event, "seat", None) or match.at(ply - 1).in_turn
    found = dashes.choices(match) if record.header.legal == "listed" else []
    return OpenDash(ply, seat, tuple(found))


def judge(book: Book, record: MatchRecord, *, actor: str = SCOREKEEPER) -> MatchRecord:
    """Judge the unjudged moves of a match, if any. Raises `Stale`."""
    return play(book, record, due(record), actor=actor) if due(record) else record


def plan_judgement(book: Book, record: MatchRecord) -> list[Judged]:
    """Return the event by which the host judges a match.

    Any reader can fork a match and is the host of the fork, so the parent match must have been
    judged first. Raises `Refused`.
    """
    parent = book.parent(record)
    if parent is not None and record.match.start.unjudged and parent.match.start.unjudged:
        raise Refused(PARENT_FIRST, record.match)
    return [Judged()]


def due(record: MatchRecord) -> list[Judged]:
    """Return the event that judges a match, unless it is judged already."""
    return [Judged()] if record.match.start.unjudged else []


def first_broken(match: Match, names: Names = UNNAMED) -> BrokenPly | None:
    """Return the first event of a judged line that breaks a rule; `None` up to an open dash."""
    before = match.start
    for number, ply in enumerate(match.line, 1):
        if ply.state.unjudged:
            event = ply.event
            if isinstance(event, Unrecorded):
                return None
            broken = event.judged(before) if isinstance(event, Noted) else event.check(before)
            assert isinstance(broken, Violation)
            text = move_text.write(match.game, event)
            rule = rules_text.words(match.game, broken.clause)
            return BrokenPly(number, text, broken.clause, rule, broken.words(names))
        before = ply.state
    return None
