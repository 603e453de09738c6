"""Amend events of the line: replace, insert or delete them; later events stay while they are legal.

The log keeps everything: the earlier line stays readable at its address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.entry import move_text, stood
from domain.events import (
    DASH,
    Adjusted,
    FoundLater,
    LineEvent,
    Moved,
    NamedPerson,
    Stood,
    Unrecorded,
)
from domain.game import Game
from domain.log_edits import Amended, Amendment, Filled, Reopened, amendment
from domain.match import Match
from domain.names import UNNAMED, Names
from domain.position import Violation
from replay import rules_text
from replay.book import Book
from replay.errors import Refused, UnknownAddress, Usage
from replay.fields import EventText, Ply, Seat
from replay.reading.hints import legal_texts
from replay.record import dice
from replay.record.match_record import MatchRecord, fold_events
from replay.referee.entering import play
from replay.referee.referee import Referee
from replay.tags.names import SCOREKEEPER

How = Literal["replaced", "inserted", "deleted"]

NO_ROLL: Final = Violation("dice", "an amendment cannot roll; take back, then roll")

STILL_SEALED: Final = Violation(
    "sealed",
    "secret moves or hands are still sealed; amend after they are revealed, or take back",
)


class FirstDropped(Struct, frozen=True):
    """The first later event that an amendment drops, and why.

    `ply` is its old place in the line; `legal` are the legal moves there.
    """

    ply: Ply
    text: str
    seat: Seat | None
    clause: str
    words: str | None
    """A description in words."""
    message: str
    """The error in words."""
    legal: tuple[EventText, ...]


class AmendmentReport(Struct, frozen=True):
    """The result of an amendment: how many later events are kept, and how many dropped.

    `was` is the old move text at the ply; `texts` replace it or are inserted before it. `first` is
    the first dropped event. `sets` is the ply of the first later event, after the correction, whose
    position people gave: the board does not change from there on.
    """

    ply: Ply
    how: How
    """The kind of amendment."""
    was: EventText | None
    """The text that the amendment replaces."""
    texts: tuple[EventText, ...]
    """Events in the notation of the game."""
    stood: int
    """How many later events remain in the line."""
    fell: int
    """How many later events the amendment cut off."""
    first: FirstDropped | None
    """The first event that the amendment cut off."""
    sets: Ply | None
    """The first later ply whose position people set; null if there is none."""


class Correction(Struct, frozen=True):
    """A planned amendment of a match: an edit for each event, and the result of the last."""

    record: MatchRecord
    edits: tuple[Amended | Filled | Reopened, ...]
    result: Amendment
    sets: int | None

    def report(self, names: Names = UNNAMED) -> AmendmentReport:
        """Report the consequences for the later events."""
        game, line = self.record.game, self.record.match.line
        first = self.edits[0]
        ply, how = first.ply, first.how if isinstance(first, Amended) else "replaced"
        return AmendmentReport(
            ply,
            how,
            None if how == "inserted" else move_text.write(game, line[ply - 1].event),
            tuple(text for edit in self.edits for text in _texts(game, edit)),
            self.result.stood,
            self.result.fell,
            _first_dropped(self.record, self.result, names),
            self.sets,
        )


def plan_replacement(record: MatchRecord, ply: int, *written: str) -> Correction:
    """Plan to replace the event at a ply by one or several others.

    Moves in the place of a dash fill it; a dash in the place of what filled it opens it again.
    Raises `UnknownAddress` beyond the line, `Usage` without a move text, and `Refused` for an
    illegal event and while a move is sealed. The plan functions store nothing.
    """
    _check_place(record, ply, len(record.match.line))
    edits = [*_read_edits(record, ply, "replaced", written)]
    found = _filling(record, ply, edits)
    return _plan_filling(record, found) if found else plan_amendments(record, edits)


def plan_insertion(record: MatchRecord, ply: int, *written: str) -> Correction:
    """Plan to insert forgotten events before a ply. Raises as `plan_replacement` does."""
    _check_place(record, ply, len(record.match.line) + 1)
    return plan_amendments(record, _read_edits(record, ply, "inserted", written))


def preview(book: Book, record: MatchRecord, ply: int, *written: str) -> MatchRecord:
    """Return the match up to a ply with more events, as a preview of a correction.

    The book is unchanged. Raises as `plan_replacement` does.
    """
    _check_place(record, ply, len(record.match.line) + 1)
    edits = [replace(edit, more=True) for edit in _read_edits(record, ply, "inserted", written)]
    events = [
        book.encode(record.game, edit, SCOREKEEPER, at=record.at).as_stored(version, b"")
        for version, edit in enumerate(edits, record.match.version + 1)
    ]
    return fold_events(record, events)


def plan_deletion(record: MatchRecord, ply: int) -> Correction:
    """Plan to delete the event at a ply. Raises as `plan_replacement` does."""
    _check_place(record, ply, len(record.match.line))
    return plan_amendments(record, [Amended(ply, "deleted")])


def amend(book: Book, correction: Correction, *, actor: str = SCOREKEEPER) -> MatchRecord:
    """Store a planned amendment and return the match. Raises `Stale`."""
    return play(book, correction.record, correction.edits, actor=actor)


def _check_place(record: MatchRecord, ply: int, last: int) -> None:
    """Refuse a ply outside the line, and a ply from which a secret move would be replayed."""
    line = record.match.line
    if not 1 <= ply <= last:
        extent = f"has plies 1 to {len(line)}" if line else "is empty"
        raise UnknownAddress(f"the line of {record.id} {extent}, so ply {ply} cannot be amended")
    if record.state.position.sealed:
        raise Refused(STILL_SEALED, record.match)
    closed = record.match.at(ply - 1).position.sealed
    for number, played in enumerate(line, 1):
        later = number >= ply or getattr(played.event, "seat", None) in closed
        if later and played.version in record.secrets:
            message = f"ply {number} was never revealed; amend a ply after it, or take back"
            raise Refused(Violation("sealed", message), record.match)


def _read_edits(
    record: MatchRecord, ply: int, how: How, written_texts: Sequence[str]
) -> Iterator[Amended]:
    """Yield an edit for each move text; the first replaces or precedes the ply, the others follow.

    The referee checks the edits in order.
    """
    if not written_texts:
        raise Usage("an amendment needs the events that really happened; give one or several")
    before = replace(record.match, line=record.match.line[: ply - 1])
    for place, text in enumerate(written_texts):
        event = _read(before, text, place)
        yield Amended(ply + place, "inserted" if place else how, event)
        before = before.evolve(event)


def _read(before: Match, text: str, index: int) -> LineEvent:
    """Read a move text as the next event of a match, and check it there."""
    split = move_text.split(text)
    event = (
        NO_ROLL
        if dice.asked(before.game, split)
        else move_text.read(before.game, before.state, split)
    )
    judged = event if isinstance(event, Violation) else event.check(before.state) or event
    if isinstance(judged, Violation):
        raise Refused(judged, before, split.seat or before.state.in_turn, index)
    return judged


def plan_amendments(record: MatchRecord, edits: Iterable[Amended]) -> Correction:
    """Check edits whose events are legal, and count the later events that are kept.

    Raises `Refused`.
    """
    *first, last = edits
    referee, at = Referee(record.header, record.match, record.times), record.at
    checked = [replace(edit, more=True) for edit in first]
    for index, edit in enumerate(checked):
        _check_amendment(referee, edit, at, index)
        referee.take(edit, at)
    last, sets = _carry_over(record, referee.match, last)
    result = amendment(referee.match, last)
    checked.append(replace(last, stood=result.stood))
    # The clock refuses here only an event that it would refuse at any time.
    _check_amendment(referee, checked[-1], at, len(first))
    kept = sets if sets and sets <= result.stood else None
    place = last.ply - (last.how == "deleted")
    return Correction(record, tuple(checked), result, place + kept if kept else None)


def _carry_over(record: MatchRecord, match: Match, edit: Amended) -> tuple[Amended, int | None]:
    """Let later accepted illegal moves continue from the corrected position.

    The second result is the number of the first later event whose position people gave.
    """
    tail, state = edit.tail(match), edit.corrected(match)
    positions, sets = dict[int, str](), None
    for number, ply in enumerate(tail, 1):
        event = ply.event
        if isinstance(event, Stood):
            before = record.match.at(len(record.match.line) - len(tail) + number - 1)
            event = stood.carry_over(event, before, state)
        given = isinstance(event, Stood) and event.position != stood.carried(state, event)
        sets = sets or (number if given or isinstance(event, Adjusted) else None)
        if event.check(state) is not None:
            break
        if isinstance(event, Stood) and event != ply.event:
            positions[number] = event.position
        state, _ = event.evolve(state)
    return replace(edit, positions=positions or UNSET), sets


def _filling(record: MatchRecord, ply: int, edits: Sequence[Amended]) -> Filled | Reopened | None:
    """Return the event that fills a dash with the moves of edits, or opens it again."""
    old = record.match.line[ply - 1].event
    moves = [edit.event for edit in edits if isinstance(edit.event, Moved)]
    if isinstance(old, Unrecorded) and len(moves) == len(edits):
        texts = tuple(record.game.write(each.move) for each in moves)
        found = FoundLater(NamedPerson(SCOREKEEPER), (DASH,))
        return Filled(ply, moves[0].seat, texts, found)
    if not isinstance(edits[0].event, Unrecorded) or len(edits) > 1:
        return None
    opened = Reopened(ply)
    return opened if record.match.check(opened) is None else None


def _plan_filling(record: MatchRecord, edit: Filled | Reopened) -> Correction:
    violation = Referee(record.header, record.match, record.times).check(edit, record.at)
    if violation is not None:
        raise Refused(violation, record.match, getattr(edit, "seat", None))
    later = len(record.match.line) - edit.ply
    return Correction(record, (edit,), Amendment(later, 0, record.state), None)


def _texts(game: Game[Any], edit: Amended | Filled | Reopened) -> Sequence[str]:
    if isinstance(edit, Filled):
        return edit.texts
    if isinstance(edit, Reopened):
        return (DASH,)
    return (move_text.write(game, edit.event),) if edit.event else ()


def _check_amendment(referee: Referee, edit: Amended, at: int, index: int) -> None:
    violation = referee.check(edit, at)
    if violation is not None:
        raise Refused(violation, referee.match, getattr(edit.event, "seat", None), index)


def _first_dropped(record: MatchRecord, result: Amendment, names: Names) -> FirstDropped | None:
    broken = result.broken
    if broken is None or result.violation is None:
        return None
    game, event = record.game, broken.event
    at_event = replace(record.match, start=result.at, line=())
    return FirstDropped(
        next(n for n, ply in enumerate(record.match.line, 1) if ply.version == broken.version),
        move_text.write(game, event),
        getattr(event, "seat", None),
        result.violation.clause,
        rules_text.words(game, result.violation.clause),
        result.violation.words(names),
        tuple(legal_texts(record, at_event)),
    )
