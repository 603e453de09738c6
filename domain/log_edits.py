"""Logged events that are not part of the line: take-backs, amendments, refused tries, the seed."""

from __future__ import annotations

import re
from typing import Final, Literal, Protocol

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.events import (
    DASH,
    STORED,
    FoundLater,
    LineEvent,
    Moved,
    Noted,
    Ply,
    Ruled,
    State,
    Stood,
    Unrecorded,
    as_noted,
    carry_on,
    found_later,
)
from domain.names import count
from domain.position import Position, Violation

SEED: Final = re.compile("[0-9a-f]{64}")
NO_ANSWER: Final = Violation("turn", "a secret move cannot stay without its answer")
EARLIER: Final = Violation("turn", "an earlier ply is not known yet: fill or correct it first")
NOT_FILLED: Final = Violation("turn", "this ply was no dash, or is one still: amend it")
UNANSWERED: Final = Violation(
    "turn",
    "this would leave a secret move without its answer: enter both in one correction, or take back",
)


class EditableMatch(Protocol):
    """The attributes of a `domain.match.Match` that edits use; that module imports this one."""

    @property
    def seats(self) -> int: ...
    @property
    def version(self) -> int: ...
    @property
    def line(self) -> tuple[Ply, ...]: ...
    @property
    def start(self) -> State: ...
    @property
    def state(self) -> State: ...
    @property
    def asked(self) -> TakebackAsked | None: ...
    @property
    def seed(self) -> str | None: ...
    @property
    def aside(self) -> tuple[Ply, ...] | None: ...
    def at(self, ply: int) -> State: ...


class Edit(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A logged event that is not part of the line: it edits the line, or requests an edit."""

    def check(self, match: EditableMatch) -> Violation | None:
        """Return why this edit of the log is impossible now, or `None`."""
        raise NotImplementedError

    def line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Return the line after it: unchanged, unless the event edits it."""
        return match.line


class TakenBack(Edit, frozen=True, tag="taken back"):
    """The line was cut back to `ply`; the log keeps the removed events."""

    ply: int

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a takeback to a ply before the head."""
        return _behind(match, self.ply)

    def line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Cut the line after the ply of the takeback.

        What the rules found because of an event that is cut becomes a dash again.
        """
        line, cut = match.line[: self.ply], match.line[self.ply :]
        reasons = {ply.version + 1 for ply in cut}
        for number, ply in enumerate(line, 1):
            if ply.version in reasons and found_by_rules(ply):
                return reopened(match, line, number)
        return line


class TakebackAsked(Edit, frozen=True, tag="takeback asked"):
    """A seat requested to take the line back to `ply`.

    A `TakenBack` to that ply grants it; any other event lets it lapse.
    """

    seat: int
    ply: int

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a seat of the match, and a ply before the head."""
        if not 1 <= self.seat <= match.seats:
            return _no_seat(self.seat)
        return _behind(match, self.ply)


class TakebackDeclined(Edit, frozen=True, tag="takeback declined"):
    """A seat declined the request, which is thereby dropped."""

    seat: int

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a takeback request of another seat."""
        if not 1 <= self.seat <= match.seats:
            return _no_seat(self.seat)
        if match.asked is None or match.asked.seat == self.seat:
            return Violation("turn", "no other seat has asked for a take-back")
        return None


class TryRefused(Edit, frozen=True, tag="try refused", rename=STORED):
    """A seat tried a move that the rules refuse, in a match that counts such tries.

    `clause` is the rule that the move breaks. `text` is the move without the seat; empty if it is
    not of the notation, or if only its seat may know it.
    """

    seat: int
    text: str
    clause: str

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a seat that is awaited, and an open move that breaks this clause."""
        state = match.state
        if all(one.seat != self.seat for one in state.awaiting()):
            return Violation("turn", f"no move of seat {self.seat} is awaited")
        move = state.game.parse(self.text) if self.text else None
        found = Moved(self.seat, move).check(state) if move else None
        if self.text and (found is None or found.clause != self.clause):
            return Violation("form", f"{self.text!r} does not break {self.clause} here")
        return None


class Amended(Edit, frozen=True, tag="amended"):
    """An event that was written wrongly, forgotten, or written twice was corrected in the line.

    At `ply` the event was `replaced` by another, an event was `inserted` before it, or it was
    `deleted`. The first `stood` of the later events stay in the line; the rest is cut.

    With `more` corrections to come, like a forgotten round, `stood` is 0: the later events are set
    aside, and the next amendment applies to the line including them.

    `positions` are the new positions after later accepted illegal moves, keyed by the number of the
    event after the corrected event, from 1. Moves that stood keep their position without it.
    """

    ply: int
    how: Literal["replaced", "inserted", "deleted"]
    event: LineEvent | None = None
    stood: int = 0
    more: bool = False
    positions: dict[int, str] | UnsetType = UNSET

    def check(self, match: EditableMatch) -> Violation | None:
        """Require an event that is legal at its ply, and the right count."""
        line = self.full_line(match)
        if not 1 <= self.ply <= len(line) + (self.how == "inserted"):
            return Violation("turn", f"the line has plies 1 to {len(line)}, not {self.ply}")
        if self.ply > len(match.line) + 1:
            return Violation("turn", f"amend a ply up to {len(match.line) + 1} first")
        if (self.event is None) != (self.how == "deleted"):
            return Violation(
                "form", "`replaced` and `inserted` need an event, `deleted` takes none"
            )
        if match.state.position.sealed and match.aside is None:
            return Violation("sealed", "amend after the sealed moves are revealed")
        fault = self.event.check(match.at(self.ply - 1)) if self.event else None
        return fault or self._check_tail(match)

    def _check_tail(self, match: EditableMatch) -> Violation | None:
        if self.more:
            return (
                Violation("form", "`more` and `stood` cannot be combined") if self.stood else None
            )
        found = amendment(match, self)
        if self.stood not in (found.stood, found.opened):
            return Violation("form", f"`stood` is {found.stood} here, not {self.stood}")
        if self.stood == 0 and is_unanswered(self.corrected(match).position):
            return UNANSWERED
        return None

    def corrected(self, match: EditableMatch) -> State:
        """Return the state after the correction, from which the later events are checked."""
        before = match.at(self.ply - 1)
        return before if self.event is None else self.event.evolve(before)[0]

    def line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Apply the correction, and replay the later events that stay."""
        line = list(match.line[: self.ply - 1])
        state = match.at(self.ply - 1)
        if self.event is not None:
            state, effects = self.event.evolve(state)
            line.append(Ply(self.event, match.version + 1, state, effects))
        return (*line, *carry_on(self.tail(match)[: self.stood], state))

    def full_line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Return the line to be amended, including the events set aside."""
        return (*match.line, *(match.aside or ()))

    def tail(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Return the plies after the corrected ply, with their new positions."""
        tail = self.full_line(match)[self.ply - (self.how == "inserted") :]
        if not self.positions:
            return tail
        return tuple(self._placed(number, ply) for number, ply in enumerate(tail, 1))

    def _placed(self, number: int, ply: Ply) -> Ply:
        assert self.positions
        if number not in self.positions or not isinstance(ply.event, Stood):
            return ply
        return replace(ply, event=replace(ply.event, position=self.positions[number]))


class Judged(Edit, frozen=True, tag="judged"):
    """The noted moves of an unjudged match were judged: legal ones became moves.

    The first illegal move and all later events stay unjudged. A correction of that move judges them
    again.
    """

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a match that is still unjudged."""
        if match.start.unjudged:
            return None
        return Violation("turn", "the moves of this match have already been judged")

    def line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Judge every event of an unjudged line, from the start."""
        return tuple(carry_on(match.line, replace(match.start, unjudged=False)))


class Filled(Edit, frozen=True, tag="filled"):
    """The dash at `ply` was filled: a seat made these moves there, within one turn.

    `texts` are the moves without the seat. `reconstructed` says who found them, and what each
    scoresheet said: each move keeps it. The later moves are judged from there, as after `Judged`.

    To fill a dash, enter the event, as with `replay.referee.entering.play(book, record, [edit])`:

        edit = Filled(3, 1, ("M@c3",), FoundLater("scoresheet", ("--", "M@c3")))
    """

    ply: int
    seat: int
    texts: tuple[str, ...]
    reconstructed: FoundLater

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a dash of this seat, and legal moves within one turn."""
        dash = match.line[self.ply - 1].event if 1 <= self.ply <= len(match.line) else None
        if not isinstance(dash, Unrecorded):
            return Violation("turn", f"ply {self.ply} is not a dash, so it cannot be filled")
        state = match.at(self.ply - 1)
        if state.unjudged:
            return EARLIER
        if dash.seat not in (None, self.seat):
            return Violation("turn", f"the dash at ply {self.ply} is of seat {dash.seat}")
        if not self.texts:
            return Violation("form", "a dash is filled by one or more moves; give them")
        turn = state.position.turn
        for text in self.texts:
            if state.position.turn != turn:
                return Violation("turn", f"a dash ends with its turn, so {text} is not part of it")
            event = Noted(self.seat, text).judged(state)
            if isinstance(event, Violation):
                return event
            state, _ = event.evolve(state)
        return None

    def line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Put the moves in the place of the dash, and judge the later ones."""
        before, dash, after = _split(match.line, self.ply)
        assert isinstance(dash.event, Unrecorded)
        moves = [
            Noted(self.seat, text, dash.event.unsure, self.reconstructed) for text in self.texts
        ]
        put = [Ply(move, match.version + 1, dash.state, ()) for move in moves]
        return _without_ruling((*before, *carry_on((*put, *after), match.at(self.ply - 1))))


def _without_ruling(line: tuple[Ply, ...]) -> tuple[Ply, ...]:
    """Leave out a ruling at the end if the rules give its result by now."""
    last = line[-1].event
    before = line[-2].state.outcome if isinstance(last, Ruled) and len(line) > 1 else None
    said = line[-1].state.outcome
    return line[:-1] if before and said and before.result == said.result else line


class Reopened(Edit, frozen=True, tag="reopened"):
    """The moves that had filled a dash, of which one is at `ply`, became a dash again."""

    ply: int

    def check(self, match: EditableMatch) -> Violation | None:
        """Require a move that filled a dash."""
        ply = match.line[self.ply - 1] if 1 <= self.ply <= len(match.line) else None
        found = ply and found_later(ply.event)
        return None if found and DASH in found.entries else NOT_FILLED

    def line(self, match: EditableMatch) -> tuple[Ply, ...]:
        """Put a dash in the place of the moves; no later move is judged."""
        return reopened(match, match.line, self.ply, by_person=True)


def reopened(
    match: EditableMatch, line: tuple[Ply, ...], ply: int, *, by_person: bool = False
) -> tuple[Ply, ...]:
    """Return a line with a dash in the place of the moves that filled it together."""
    this = line[ply - 1]
    while ply > 1 and found_later(line[ply - 2].event) and line[ply - 2].version == this.version:
        ply -= 1
    before, first, after = _split(line, ply)
    while after and found_later(after[0].event) and after[0].version == this.version:
        after = after[1:]
    move, state = first.event, match.at(ply - 1)
    assert isinstance(move, Moved | Noted)
    seat = None if state.in_turn == move.seat else move.seat
    dash = Unrecorded(seat, move.unsure, True if by_person else UNSET)
    put = Ply(dash, match.version + 1, state, ())
    return (*before, *carry_on((put, *after), state))


def found_by_rules(ply: Ply) -> bool:
    """Return whether the rules filled a dash with the move of a ply."""
    found = found_later(ply.event)
    return found is not None and found.by == "rules"


def _split(line: tuple[Ply, ...], ply: int) -> tuple[tuple[Ply, ...], Ply, tuple[Ply, ...]]:
    return line[: ply - 1], line[ply - 1], line[ply:]


class SeedRevealed(Edit, frozen=True, tag="seed revealed"):
    """The match has ended, and the seed of its dice (32 bytes in hex) was revealed.

    Callers that know the commitment must check that the seed matches it.
    """

    seed: str

    def check(self, match: EditableMatch) -> Violation | None:
        """Require the end of the match, and allow it once."""
        if not SEED.fullmatch(self.seed):
            return Violation("form", "a seed must be 64 hexadecimal digits")
        if match.state.outcome is None:
            return Violation("turn", "the seed can be revealed only when the match has ended")
        if match.seed is not None:
            return Violation("turn", "the seed has already been revealed")
        return None


class Amendment(Struct, frozen=True):
    """The result of an amendment: `stood` later events stay in the line, `fell` are cut.

    `broken` is the first event cut, with its `violation` and the state `at` which it is refused;
    `None` if all stay. `opened` of them stay up to the last point with nothing sealed: the count
    that older records have, whose amendments could not end within a deal of cards.
    """

    stood: int
    fell: int
    at: State
    broken: Ply | None = None
    violation: Violation | None = None
    opened: int = 0


def is_unanswered(position: Position) -> bool:
    """Return whether sealed moves wait for other seats' moves; hands, which are guarded, do not."""
    return not set(position.sealed) <= set(position.guarded)


def amendment(match: EditableMatch, edit: Amended) -> Amendment:
    """Count the later events that stay in the line after an amendment.

    The amended event must have passed its check. A secret move is cut if its answer is cut.
    """
    state = edit.corrected(match)
    tail = edit.tail(match)
    kept, opened = Amendment(0, len(tail), state), 0
    for number, ply in enumerate(tail, 1):
        event = as_noted(ply.event) if state.unjudged else ply.event
        violation = event.check(state)
        if violation is not None:
            return Amendment(kept.stood, kept.fell, state, ply, violation, opened)
        state, _ = event.evolve(state)
        if not is_unanswered(state.position):
            kept = Amendment(number, len(tail) - number, state)
        if not state.position.sealed:
            opened = number
    if kept.fell:
        kept = replace(kept, broken=tail[kept.stood], violation=NO_ANSWER)
    return replace(kept, opened=opened)


def _no_seat(seat: int) -> Violation:
    return Violation("turn", f"seat {seat} is not in this match")


def _behind(match: EditableMatch, ply: int) -> Violation | None:
    last = len(match.line)
    if 0 <= ply < last:
        return None
    if not last:
        return Violation("turn", "the line is empty: enter an event before a take-back")
    return Violation(
        "turn", f"the line has {count(last, 'ply', 'plies')}; ply {ply} cannot be its new end"
    )
