"""Enter events into a match: read move texts, referee the moves, and append them."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.entry.move_text import SplitText
from domain.events import Moved, Ply, as_noted
from domain.log_edits import Edit, SeedRevealed
from domain.match import AppliedEvents, LogEvent, Match
from domain.names import Player, Sentence
from domain.position import Violation
from domain.reconstruction import dashes
from replay.book import Book
from replay.errors import Refused
from replay.record import codec, dice
from replay.record.dice import RollRequest
from replay.record.match_record import MatchRecord
from replay.record.sealed_moves import opened, sealing
from replay.referee import tries
from replay.referee.referee import Referee
from replay.store.types import Appended
from replay.tags.names import SCOREKEEPER

UNSEEN: Final = Violation(
    "dice", "a roll must be the last event of a request: read the dice, then continue"
)
UNOPENED: Final = Violation(
    "sealed",
    "the event before this one opens sealed moves, so it must end its request:"
    " read them, then continue",
)
UNSHOWN: Final = Violation("dice", "a dry run does not roll the dice; enter the roll to see them")
Entry = str | SplitText | LogEvent | RollRequest
"""An entry: a move text, an event, or a request that the service roll (the move text `roll`)."""

Split = SplitText | LogEvent | RollRequest
"""An entry whose move text, if it is one, is split into seat and body."""

Roll = Callable[[Match, RollRequest], LogEvent | Violation]


class JudgedEvents(Struct, frozen=True):
    """Legal events, each with the match it leads to, to append at version `expected`.

    `at` is the time of all events, in milliseconds since 1970. There may be one more event than was
    entered: the event that ends a match is followed by the seed of its dice.
    """

    events: tuple[LogEvent, ...]
    stretches: tuple[AppliedEvents, ...]
    match: Match
    expected: int
    at: int


def judge(book: Book, record: MatchRecord, entries: Sequence[Entry]) -> JudgedEvents:
    """Referee entries one after the other from the head of the match, and roll its dice.

    It stores nothing. Raises `Refused` with the index of the first entry that breaks a rule, or
    that follows a roll or a reveal. The result may contain a roll or the seed, which must stay
    secret until the result is stored; to try entries, use `dry_run`.
    """
    judged = _judged(book, record, entries, functools.partial(_roll, book, record))
    if judged.match.state.unjudged:
        judged = _resumed(judged)
    match = judged.match
    if record.header.dice == "table" or match.state.outcome is None or match.seed is not None:
        return judged
    seed = book.seed(record)
    if seed is None:
        return judged
    reveal = SeedRevealed(seed.hex())
    match = match.evolve(reveal)
    stretches = (*judged.stretches, AppliedEvents((reveal,), match))
    return replace(judged, events=(*judged.events, reveal), stretches=stretches, match=match)


def _resumed(judged: JudgedEvents) -> JudgedEvents:
    """Fill the dashes that the last entry decides: exactly one legal line fits them."""
    if not judged.events or isinstance(judged.events[-1], Edit):
        return judged
    for edit, match in dashes.fillings(judged.match):
        stretches = (*judged.stretches, AppliedEvents((edit,), match))
        judged = replace(judged, events=(*judged.events, edit), stretches=stretches, match=match)
    return judged


def dry_run(book: Book, record: MatchRecord, entries: Sequence[Entry]) -> JudgedEvents:
    """Referee like `judge`, but roll no dice and reveal nothing.

    Raises `Refused`, even for a roll asked of the service.
    """
    return _judged(book, record, entries, functools.partial(_roll_unseen, record))


def _judged(book: Book, record: MatchRecord, written: Sequence[Entry], roll: Roll) -> JudgedEvents:
    entries = [move_text.split(each) if isinstance(each, str) else each for each in written]
    if record.header.tries and sum(not isinstance(each, Edit) for each in entries) > 1:
        raise Refused(tries.ONE_BY_ONE, record.match, index=1)
    if record.secrets:
        _check_unblocked(record, entries)
    referee = Referee(record.header, record.match, record.times)
    at = book.time_after(record)
    events, stretches = list[LogEvent](), list[AppliedEvents]()
    for index, entry in enumerate(entries):
        before = referee.match
        request = dice.asked(before.game, entry)
        event = _read(record, before, entry) if request is None else roll(before, request)
        if not isinstance(event, Violation):
            event = referee.check(event, at) or event
        if isinstance(event, Violation):
            raise Refused(event, before, _seat(before, entry), index)
        if index + 1 < len(entries) and request is not None:
            # The match before the roll, because a refusal must not reveal the dice.
            after = entries[index + 1]
            raise Refused(UNSEEN, before, _seat(before, after), index + 1)
        referee.take(event, at)
        if index + 1 < len(entries) and opened(record.state.position.sealed, referee.match):
            # A refusal, or the lack of one, would reveal the sealed move.
            raise Refused(UNOPENED, before, _seat(before, entries[index + 1]), index + 1)
        events.append(event)
        stretches.append(AppliedEvents((event,), referee.match))
    version = record.match.version
    return JudgedEvents(tuple(events), tuple(stretches), referee.match, version, at)


def _read(record: MatchRecord, match: Match, entry: Split) -> LogEvent | Violation:
    assert not isinstance(entry, RollRequest)
    state = match.state
    event = move_text.read(match.game, state, entry) if isinstance(entry, SplitText) else entry
    if isinstance(event, Moved) and state.unjudged:
        event = as_noted(event)
    elif isinstance(entry, Moved):  # a move text was read into this form
        event = replace(entry, move=entry.move.normal(state.position))
    return event if isinstance(event, Violation) else dice.by_hand(record.header, event) or event


def _roll(
    book: Book, record: MatchRecord, match: Match, request: RollRequest
) -> LogEvent | Violation:
    return dice.roll(record.header, match, request.seat, functools.partial(book.seed, record))


def _roll_unseen(record: MatchRecord, match: Match, request: RollRequest) -> LogEvent | Violation:
    """Return why a roll is impossible, or that a dry run does not show it."""
    rolled = dice.roll(record.header, match, request.seat, lambda: None)
    return UNSHOWN if rolled == dice.NOT_HERE else rolled


def _check_unblocked(record: MatchRecord, entries: Sequence[Split]) -> None:
    """Refuse entries while a sealed move whose secret is missing is pending."""
    blocked = next(pending(record), None)
    if blocked is not None and not all(isinstance(entry, Edit) for entry in entries):
        seat = getattr(blocked.event, "seat", 0)
        shared = blocked.version <= record.shared
        why = "belongs to the match that this one leaves" if shared else "is not in this book"
        message = Sentence(
            "the sealed move of {seat} {why}: take it back, then continue",
            seat=Player(seat),
            why=why,
        )
        raise Refused(Violation("turn", message), record.match, seat)


def pending(record: MatchRecord) -> Iterator[Ply]:
    """Yield the sealed moves still to be revealed whose secret is missing.

    A fork can be taken back to a move that its parent never revealed; its players must not reveal
    it either.
    """
    for ply in still_sealed(record):
        foreign = ply.version <= record.shared and ply.version in record.secrets
        if foreign or codec.is_withheld(record.entry(ply.version)):
            yield ply


def still_sealed(record: MatchRecord) -> Iterator[Ply]:
    """Yield the sealed moves that the players have yet to reveal."""
    state = record.state
    for seat in state.position.sealed if state.outcome is None else ():
        ply = sealing(record.match.line, seat)
        assert ply is not None
        yield ply


def judge_texts(match: Match, entries: Sequence[str]) -> Match:
    """Play move texts on a match that is not stored. Raises `Refused`."""
    for index, entry in enumerate(entries):
        event = move_text.read(match.game, match.state, entry)
        judged = event if isinstance(event, Violation) else match.check(event) or event
        if isinstance(judged, Violation):
            raise Refused(judged, match, _seat(match, move_text.split(entry)), index)
        match = match.evolve(judged)
    return match


def append(
    book: Book,
    record: MatchRecord,
    judged: JudgedEvents,
    *,
    actor: str = SCOREKEEPER,
    ids: Sequence[bytes] | None = None,
    epoch: int | None = None,
    account: bytes | None = None,
) -> Future[Appended]:
    """Append judged events to the log of a match.

    The future raises `Stale` if the log has grown since.

    It raises `Outdated` if the given `epoch` has ended. `ids` are the ids of
    the entered events; events added by the judge get derived ids. An `account` is their author.
    """
    events, game = judged.events, judged.match.game
    keys = _ids(ids, len(events)) if ids else iter(book.new_id, None)
    encoded = [
        codec.encode(game, event, event_id=key, actor=actor, at=judged.at, account=account)
        for event, key in zip(events, keys, strict=False)
    ]
    return book.append(record, encoded, judged.match, epoch)


def _ids(ids: Sequence[bytes], count: int) -> list[bytes]:
    """Return the ids with derived ids for added events, so that a retry has the same ids."""
    more = (hashlib.sha256(ids[-1] + bytes([n])).digest()[:16] for n in range(count - len(ids)))
    return [*ids, *more]


def play(
    book: Book,
    record: MatchRecord,
    entries: Sequence[Entry],
    *,
    actor: str = SCOREKEEPER,
) -> MatchRecord:
    """Enter move texts or events, all or none, and return the match after them.

    A refused move is logged if the match counts it as a try. Raises `Refused` or `Stale`.
    """
    try:
        judged = judge(book, record, entries)
    except Refused as refused:
        counted = judge_try(book, record, refused, entries)
        if counted is not None:
            after = _enter(book, record, counted, actor)
            refused.tries_left = tries.left(after, refused.seat or 0)
        raise
    return _enter(book, record, judged, actor)


def _enter(book: Book, record: MatchRecord, judged: JudgedEvents, actor: str) -> MatchRecord:
    appended = append(book, record, judged, actor=actor).result()
    return book.publish(record, judged.stretches, appended)


def judge_try(
    book: Book, record: MatchRecord, refused: Refused, entries: Sequence[Entry]
) -> JudgedEvents | None:
    """Return the events for a refused entry; `None` unless the match counts it as a try."""
    events = tries.events_of(record, refused, entries[refused.index])
    return judge(book, record, events) if events else None


def _seat(match: Match, entry: Split) -> int | None:
    """Return the seat that the entry names, or else the awaited seat."""
    named: int | None = getattr(entry, "seat", None)
    return named or match.state.in_turn
