"""Correct a record: amend an event of the line, set the position, take back.

The log keeps everything: what a correction put aside stays readable at its address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.edits import Amended, Amendment, TakebackAsked, TakebackDeclined, TakenBack, amendment
from domain.entry import tokens
from domain.events import Adjusted, LineEvent
from domain.game import Game
from domain.match import LogEvent, Match
from domain.position import Position, Violation
from replay import rules_text
from replay.book import Book
from replay.errors import Refused, UnknownAddress, Usage
from replay.match_record import MatchRecord, fold_events
from replay.reading.hints import legal_tokens
from replay.referee import dice
from replay.referee.entering import SCOREKEEPER, append, judge
from replay.referee.referee import Referee, referee_at_head
from replay.store.protocol import StoredEvent

How = Literal["replaced", "inserted", "deleted"]

LONGEST_REASON: Final = 500
"""Characters in the reason of an adjustment."""

NO_ROLL: Final = Violation("dice", "nothing is rolled in the past: take back, then roll")


class FirstDropped(Struct, frozen=True):
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


class AmendmentReport(Struct, frozen=True):
    """What an amendment comes to: so many later events stand, and so many fall with the first.

    `was` is the token that stood at the ply, `tokens` are put there or before it.
    """

    ply: int
    how: How
    was: str | None
    tokens: tuple[str, ...]
    stood: int
    fell: int
    first: FirstDropped | None


class Correction(Struct, frozen=True):
    """What can be amended in the match as it was read, an edit for each event, and its report."""

    recorded: MatchRecord
    edits: tuple[Amended, ...]
    report: AmendmentReport


def plan_replacement(recorded: MatchRecord, ply: int, *written: str) -> Correction:
    """Find out what comes of another event, or several, instead of the one at a ply.

    Raises `UnknownAddress` beyond the line, `Usage` without a token, and `Refused` for one that is
    against the rules there and while something sealed is pending. Nothing is stored here, nor by
    the next two.
    """
    _check_place(recorded, ply, len(recorded.match.line))
    return _correction(recorded, _entered(recorded, ply, "replaced", written))


def plan_insertion(recorded: MatchRecord, ply: int, *written: str) -> Correction:
    """Find out what comes of events forgotten before the one at a ply. Raises as `replaced`."""
    _check_place(recorded, ply, len(recorded.match.line) + 1)
    return _correction(recorded, _entered(recorded, ply, "inserted", written))


def preview(book: Book, recorded: MatchRecord, ply: int, *written: str) -> MatchRecord:
    """Return the match as it is in the middle of a correction: with these events, and none after.

    They come before the one at a ply, or instead of it. Nothing is stored. Raises as `replaced`.
    """
    _check_place(recorded, ply, len(recorded.match.line) + 1)
    edits = [replace(edit, more=True) for edit in _entered(recorded, ply, "inserted", written)]
    imagined = [
        StoredEvent(version, new.id, new.type, new.actor, new.at, new.data, hash=b"")
        for version, edit in enumerate(edits, recorded.match.version + 1)
        for new in [book.encode(recorded.game, edit, SCOREKEEPER, at=recorded.at)]
    ]
    return fold_events(recorded, imagined)


def plan_deletion(recorded: MatchRecord, ply: int) -> Correction:
    """Find out what comes of deleting the event at a ply. Raises as `replaced`."""
    _check_place(recorded, ply, len(recorded.match.line))
    return _correction(recorded, [Amended(ply, "deleted")])


def amend(book: Book, correction: Correction, *, actor: str = SCOREKEEPER) -> MatchRecord:
    """Make a correction and return the match with it. Raises `Stale` if others were quicker."""
    return _log(book, correction.recorded, correction.edits, actor)


def adjust(
    book: Book, recorded: MatchRecord, position: str, reason: str, *, actor: str = SCOREKEEPER
) -> MatchRecord:
    """Set the position as it is on the table, whatever the rules say, also after the end.

    Raises as `adjustment`, or `Stale`.
    """
    return _log(book, recorded, [adjustment(book, recorded, position, reason)], actor)


def adjustment(book: Book, recorded: MatchRecord, position: str, reason: str) -> Adjusted:
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
    game, before = recorded.game, recorded.state.position
    canonical = game.write_position(game.read_position(before, position))
    return replace(event, position=canonical)


def position_text(recorded: MatchRecord, ply: int) -> str:
    """Return the position after so many plies as text.

    Raises `Usage` where something is sealed, and for a game whose positions have no text.
    """
    position = recorded.match.at(ply).position
    if position.sealed:
        raise Usage("something is sealed at this ply; a text of the position would tell it")
    return position_as_text(recorded.game, position)


def position_as_text(game: Game[Any], position: Position) -> str:
    """Return the text of a position. Raises `Usage` for a game that has none."""
    if game.text is None:
        raise Usage("positions of this game have no text")
    return game.write_position(position)


def take_back(
    book: Book, recorded: MatchRecord, ply: int, *, actor: str = SCOREKEEPER
) -> MatchRecord:
    """Cut the line back to a ply and return the match; the log keeps what stood there.

    Raises `Refused` for a ply that is not behind the head, or `Stale`.
    """
    return _log(book, recorded, [TakenBack(ply)], actor)


def ask_takeback(book: Book, recorded: MatchRecord, seat: int, ply: int) -> MatchRecord:
    """Let a seat ask the others to take back to a ply. Lapses with whatever is logged next.

    Raises `Refused` for a ply that is not behind the head, or `Stale`.
    """
    return _log(book, recorded, [TakebackAsked(seat, ply)], _actor(seat))


def grant_takeback(book: Book, recorded: MatchRecord, seat: int) -> MatchRecord:
    """Let a seat grant what another asked: the line is cut. One seat's word is enough.

    Raises `Refused` if no other seat has asked, or `Stale`.
    """
    _check(recorded.match, TakebackDeclined(seat))
    assert recorded.match.asked is not None
    return _log(book, recorded, [TakenBack(recorded.match.asked.ply)], _actor(seat))


def decline_takeback(book: Book, recorded: MatchRecord, seat: int) -> MatchRecord:
    """Let a seat decline what another asked. Raises as `grant_back`."""
    return _log(book, recorded, [TakebackDeclined(seat)], _actor(seat))


def _actor(seat: int) -> str:
    return f"seat {seat}"


def _log(book: Book, recorded: MatchRecord, events: Sequence[LogEvent], actor: str) -> MatchRecord:
    append(book, recorded, judge(book, recorded, events), actor=actor).result()
    return book.open(recorded.id)


def _check(match: Match, event: LogEvent) -> None:
    violation = match.check(event)
    if violation is not None:
        raise Refused(violation, match, getattr(event, "seat", None))


def _check_place(recorded: MatchRecord, ply: int, last: int) -> None:
    """Refuse a ply that is not there, and one from which a secret would be played again."""
    line = recorded.match.line
    if not 1 <= ply <= last:
        there = f"has plies 1 to {len(line)}" if line else "has no plies yet"
        raise UnknownAddress(f"the line of {recorded.id} {there}; none is {ply}")
    closed = recorded.match.at(ply - 1).position.sealed
    hidden = any(
        played.version in recorded.secrets
        and (number >= ply or getattr(played.event, "seat", None) in closed)
        for number, played in enumerate(line, 1)
    )
    if hidden or recorded.state.position.sealed:
        message = "nothing can be amended while something is sealed, nor before what stays sealed"
        raise Refused(Violation("turn", message), recorded.match)


def _entered(
    recorded: MatchRecord, ply: int, how: How, written: Sequence[str]
) -> Iterator[Amended]:
    """Yield an edit for each event: the first is put at the ply or before it, the others after it.

    The events are refereed one after the other.
    """
    if not written:
        raise Usage("say what really happened: a token, or several")
    before = replace(recorded.match, line=recorded.match.line[: ply - 1])
    for place, token in enumerate(written):
        event = _read(before, token, place)
        yield Amended(ply + place, "inserted" if place else how, event)
        before = before.evolve(event)


def _read(before: Match, token: str, index: int) -> LineEvent:
    """Read a token as an event that follows upon a match, and referee it there."""
    split = tokens.split(token)
    event = (
        NO_ROLL if dice.asked(before.game, split) else tokens.read(before.game, before.state, split)
    )
    violation = event if isinstance(event, Violation) else event.check(before.state)
    if violation is not None or isinstance(event, Violation):
        assert violation is not None
        seat = split.seat or before.state.in_turn
        raise Refused(violation, before, seat, index)
    return event


def _correction(recorded: MatchRecord, edits: Iterable[Amended]) -> Correction:
    """Count what stands after edits whose events, if any, are by the rules."""
    *first, last = edits
    referee, at = referee_at_head(recorded), recorded.at
    made = [replace(edit, more=True) for edit in first]
    for index, edit in enumerate(made):
        _check_amendment(referee, edit, at, index)
        referee.take(edit, at)
    found = amendment(referee.match, last)
    made.append(replace(last, stood=found.stood))
    # Of the clock only what no time allows is refused here.
    _check_amendment(referee, made[-1], at, len(first))
    return Correction(recorded, tuple(made), _report(recorded, made, found))


def _check_amendment(referee: Referee, edit: Amended, at: int, index: int) -> None:
    violation = referee.check(edit, at)
    if violation is not None:
        raise Refused(violation, referee.match, getattr(edit.event, "seat", None), index)


def _report(recorded: MatchRecord, edits: Sequence[Amended], found: Amendment) -> AmendmentReport:
    game, (ply, how) = recorded.game, (edits[0].ply, edits[0].how)
    was = None if how == "inserted" else tokens.write(game, recorded.match.line[ply - 1].event)
    written = tuple(tokens.write(game, edit.event) for edit in edits if edit.event)
    first = _fallen(recorded, found)
    return AmendmentReport(ply, how, was, written, found.stood, found.fell, first)


def _fallen(recorded: MatchRecord, found: Amendment) -> FirstDropped | None:
    if found.broken is None or found.violation is None:
        return None
    game, event = recorded.game, found.broken.event
    there = replace(recorded.match, start=found.at, line=())
    return FirstDropped(
        recorded.match.line.index(found.broken) + 1,
        tokens.write(game, event),
        getattr(event, "seat", None),
        found.violation.clause,
        rules_text.words(game, found.violation.clause),
        found.violation.message,
        tuple(legal_tokens(recorded.header, there)),
    )
