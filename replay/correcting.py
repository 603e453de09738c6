"""Correct a record: amend an event of the line, set the position, take back.

The log keeps everything: what a correction put aside stays readable at its address.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain import tokens
from domain.edits import Amended, Amendment, TakebackAsked, TakebackDeclined, TakenBack, amendment
from domain.events import Adjusted, LineEvent
from domain.game import Position, Violation
from domain.match import LogEvent, Match
from replay import dice, rules
from replay.book import Book
from replay.errors import Refused, UnknownAddress, Usage
from replay.hints import legal_tokens
from replay.playing import SCOREKEEPER, append, judge
from replay.recorded import Recorded
from replay.refereeing import upon

How = Literal["replaced", "inserted", "deleted"]

LONGEST_REASON: Final = 500
"""Characters in the reason of an adjustment."""

NO_ROLL: Final = Violation("dice", "nothing is rolled in the past: take back, then roll")


class Fallen(Struct, frozen=True):
    """The first later event that does not stand after an amendment, and why.

    `ply` is where it was in the line, `legal` what would be by the rules in its place.
    """

    ply: int
    token: str
    seat: int | None
    clause: str
    words: str | None
    message: str
    legal: tuple[str, ...]


class Report(Struct, frozen=True):
    """What an amendment comes to: so many later events stand, and so many fall with the first.

    `was` is the token that stood at the ply, `token` the one that is put there or before it.
    """

    ply: int
    how: How
    was: str | None
    token: str | None
    stood: int
    fell: int
    first: Fallen | None


class Correction(Struct, frozen=True):
    """An amendment that can be made to the match as it was read, and its report."""

    recorded: Recorded
    edit: Amended
    report: Report


def replaced(recorded: Recorded, ply: int, token: str) -> Correction:
    """Find out what comes of another event at a ply.

    Raises `UnknownAddress` beyond the line, `Refused` for a token that is against the rules there
    and while something sealed is pending. Nothing is stored here, nor by the next two.
    """
    _check_place(recorded, ply, len(recorded.match.line))
    return _correction(recorded, Amended(ply, "replaced", _read(recorded, ply, token)))


def inserted(recorded: Recorded, ply: int, token: str) -> Correction:
    """Find out what comes of an event forgotten before the one at a ply. Raises as `replaced`."""
    _check_place(recorded, ply, len(recorded.match.line) + 1)
    return _correction(recorded, Amended(ply, "inserted", _read(recorded, ply, token)))


def deleted(recorded: Recorded, ply: int) -> Correction:
    """Find out what comes of deleting the event at a ply. Raises as `replaced`."""
    _check_place(recorded, ply, len(recorded.match.line))
    return _correction(recorded, Amended(ply, "deleted"))


def amend(book: Book, correction: Correction, *, actor: str = SCOREKEEPER) -> Recorded:
    """Make a correction and return the match with it. Raises `Stale` if others were quicker."""
    return _log(book, correction.recorded, correction.edit, actor)


def adjust(
    book: Book, recorded: Recorded, position: str, reason: str, *, actor: str = SCOREKEEPER
) -> Recorded:
    """Set the position as it is on the table, whatever the rules say, also after the end.

    Raises as `adjustment`, or `Stale`.
    """
    return _log(book, recorded, adjustment(book, recorded, position, reason), actor)


def adjustment(book: Book, recorded: Recorded, position: str, reason: str) -> Adjusted:
    """Return the event that sets the position, with its text in canonical form.

    Raises `Usage` without a reason, `Refused` for a text that is no position (its message names
    the column) and while something sealed is pending.
    """
    if not reason.strip() or not reason.isprintable() or len(reason) > LONGEST_REASON:
        raise Usage(
            f"say why the position is set, in one line of at most {LONGEST_REASON} characters"
        )
    event = Adjusted(position, reason.strip())
    judge(book, recorded, [event])
    canonical = recorded.state.position.set_up(position).text()
    return replace(event, position=canonical)


def position_text(recorded: Recorded, ply: int) -> str:
    """Return the position after so many plies as text.

    Raises `Usage` where something is sealed, and for a game whose positions have no text.
    """
    position = recorded.match.at(ply).position
    if position.sealed:
        raise Usage("something is sealed at this ply; a text of the position would tell it")
    return text_of(position)


def text_of(position: Position) -> str:
    """Return the text of a position. Raises `Usage` for a game that has none."""
    try:
        return position.text()
    except NotImplementedError:
        raise Usage("positions of this game have no text") from None


def take_back(book: Book, recorded: Recorded, ply: int, *, actor: str = SCOREKEEPER) -> Recorded:
    """Cut the line back to a ply and return the match; the log keeps what stood there.

    Raises `Refused` for a ply that is not behind the head, or `Stale`.
    """
    return _log(book, recorded, TakenBack(ply), actor)


def ask_back(book: Book, recorded: Recorded, seat: int, ply: int) -> Recorded:
    """Let a seat ask the others to take back to a ply. Lapses with whatever is logged next.

    Raises `Refused` for a ply that is not behind the head, or `Stale`.
    """
    return _log(book, recorded, TakebackAsked(seat, ply), _actor(seat))


def grant_back(book: Book, recorded: Recorded, seat: int) -> Recorded:
    """Let a seat grant what another asked: the line is cut. One seat's word is enough.

    Raises `Refused` if no other seat has asked, or `Stale`.
    """
    _check(recorded.match, TakebackDeclined(seat))
    assert recorded.match.asked is not None
    return _log(book, recorded, TakenBack(recorded.match.asked.ply), _actor(seat))


def decline_back(book: Book, recorded: Recorded, seat: int) -> Recorded:
    """Let a seat decline what another asked. Raises as `grant_back`."""
    return _log(book, recorded, TakebackDeclined(seat), _actor(seat))


def _actor(seat: int) -> str:
    return f"seat {seat}"


def _log(book: Book, recorded: Recorded, event: LogEvent, actor: str) -> Recorded:
    append(book, recorded, judge(book, recorded, [event]), actor=actor).result()
    return book.open(recorded.id)


def _check(match: Match, event: LogEvent) -> None:
    violation = match.check(event)
    if violation is not None:
        raise Refused(violation, match, getattr(event, "seat", None))


def _check_amendment(recorded: Recorded, edit: Amended) -> None:
    # Of the clock only what no time allows is refused here.
    violation = upon(recorded).check(edit, recorded.at)
    if violation is not None:
        raise Refused(violation, recorded.match, getattr(edit.event, "seat", None))


def _check_place(recorded: Recorded, ply: int, last: int) -> None:
    """Refuse a ply that is not there, and what would play through again what nobody revealed."""
    line = recorded.match.line
    if not 1 <= ply <= last:
        raise UnknownAddress(f"the line of {recorded.id} has plies 1 to {len(line)}; none is {ply}")
    hidden = any(played.version in recorded.secrets for played in line[ply - 1 :])
    if hidden or recorded.state.position.sealed:
        message = "nothing can be amended while something is sealed, nor before what stays sealed"
        raise Refused(Violation("turn", message), recorded.match)


def _read(recorded: Recorded, ply: int, token: str) -> LineEvent:
    """Read a token as an event at a ply, and referee it there."""
    before = _before(recorded.match, ply)
    if dice.asked(recorded.game, token):
        raise Refused(NO_ROLL, before, before.state.in_turn)
    event = tokens.read(recorded.game, before.state, token)
    violation = event if isinstance(event, Violation) else event.check(before.state)
    if isinstance(event, Violation) or violation is not None:
        assert violation is not None
        raise Refused(violation, before, tokens.split(token).seat or before.state.in_turn)
    return event


def _before(match: Match, ply: int) -> Match:
    return replace(match, line=match.line[: ply - 1])


def _correction(recorded: Recorded, edit: Amended) -> Correction:
    """Count what stands after an edit whose event, if any, is by the rules."""
    found = amendment(recorded.match, edit)
    edit = replace(edit, stood=found.stood)
    _check_amendment(recorded, edit)
    return Correction(recorded, edit, _report(recorded, edit, found))


def _report(recorded: Recorded, edit: Amended, found: Amendment) -> Report:
    game, line = recorded.game, recorded.match.line
    was = None if edit.how == "inserted" else tokens.write(game, line[edit.ply - 1].event)
    token = tokens.write(game, edit.event) if edit.event else None
    first = _fallen(recorded, found)
    return Report(edit.ply, edit.how, was, token, found.stood, found.fell, first)


def _fallen(recorded: Recorded, found: Amendment) -> Fallen | None:
    if found.broken is None or found.violation is None:
        return None
    game, event = recorded.game, found.broken.event
    there = replace(recorded.match, start=found.at, line=())
    return Fallen(
        recorded.match.line.index(found.broken) + 1,
        tokens.write(game, event),
        getattr(event, "seat", None),
        found.violation.clause,
        rules.words(game, found.violation.clause),
        found.violation.message,
        tuple(legal_tokens(recorded.header, there)),
    )
