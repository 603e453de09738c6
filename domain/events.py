"""Events of the line: moves, resignations, offers, rulings, adjustments, accepted illegal moves.

Each event knows when it is possible and which state follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.effects import Effect, Irregularity
from domain.game import Game
from domain.names import UNNAMED, Names, Player, Sentence, all_of
from domain.position import Awaited, Move, Outcome, Position, Secret, Violation
from domain.position_text import PositionError

SEALED: Final = Violation("sealed", "wait until the sealed moves are revealed")
NEVER_STANDS: Final = Violation(
    "turn", "a secret move is judged when it is revealed: adjust the position then"
)
UNJUDGED: Final = Violation(
    "turn", "this match records moves without judging them; judge it to see the position"
)
HIDDEN: Final = Violation(
    "hidden", "only the player of this seat may know whether this move is legal, and why not"
)
STORED: Final = {"text": "token", "unjudged": "quiet"}
"""The fields that a book calls otherwise, by their names."""
BY_THE_RULES: Final = Violation("form", "this move breaks no rule: enter it as an ordinary move")


DASH: Final = "--"
"""The text of one or more moves of a seat that nobody wrote down."""
NO_DASH: Final = Violation(
    "turn", "a match of this game has secret moves, so none can be left out; amend it later"
)


class NamedPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """The person who said which move was made."""

    name: str
    """`scorekeeper` or `seat 1`, so that the name of a player stays erasable; or a given name."""


Decider = Literal["rules", "scoresheet"] | NamedPerson
"""Who decided what a move was: the rules, the other scoresheet, or a person."""


class FoundLater(Struct, frozen=True, forbid_unknown_fields=True):
    """How a move was found out later: who decided, and what each scoresheet said there."""

    by: Decider
    """The rules, because one legal line fits; the other scoresheet; or a person."""
    entries: tuple[str, ...]
    """The text of each scoresheet: `--` for a dash, empty if it left the move out."""


Unsure = bool | UnsetType
"""Whether the writer of an entry was not sure; absent if they were."""


class State(Struct, frozen=True):
    """A point of the line: position, pending draw offer, and the outcome if it has ended.

    While it is `unjudged`, moves are only recorded, and the position is an earlier one. `stood`
    are the clauses that the accepted illegal moves of the line have broken so far. It is `doubtful`
    if the line has a dash, or a move whose writer was not sure or that was found out later.
    """

    game: Game[Any]
    position: Position
    outcome: Outcome | None = None
    offered: int | None = None
    accepted: tuple[int, ...] = ()
    unjudged: bool = False
    stood: tuple[str, ...] = ()
    doubtful: bool = False

    def awaiting(self) -> tuple[Awaited, ...]:
        """Return the seats that must or may act; none after the end, and while it is unjudged."""
        return () if self.outcome or self.unjudged else self.position.awaiting()

    def withheld(self, viewer: int | None) -> tuple[int, ...]:
        """Return the seats whose legal moves a viewer may not know; `None` is a spectator."""
        return tuple(seat for seat in self.position.guarded if seat != viewer)

    @property
    def in_turn(self) -> int | None:
        """The seat of a move text without a seat: the only one that must act, or `None`."""
        must = [awaited.seat for awaited in self.awaiting() if awaited.must]
        return must[0] if len(must) == 1 else None


Step = tuple[State, tuple[Effect, ...]]


class Event(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """An event of the line, named in the past tense."""

    def check(self, state: State) -> Violation | None:
        """Return why this event is impossible in a state, or `None`."""
        raise NotImplementedError

    def evolve(self, state: State) -> Step:
        """Return the state after the event, and the effects.

        Never fails on an event that passed `check`.
        """
        raise NotImplementedError


class Moved(Event, frozen=True):
    """A seat made a move of the game; its writer may be `unsure`.

    A move that was `reconstructed` was not written down when it was made.
    """

    seat: int
    move: Move[Any]
    unsure: Unsure = UNSET
    reconstructed: FoundLater | UnsetType = UNSET

    def check(self, state: State) -> Violation | None:
        """Refuse a move after the end, or by a seat not awaited; the game checks the rest."""
        if state.outcome is not None:
            return _over(state)
        if state.unjudged:
            return UNJUDGED
        return _not_awaited(state, self.seat) or self.move.check(state.position, self.seat)

    def evolve(self, state: State) -> Step:
        """Apply the move of the event. A draw offer of another seat lapses."""
        position, effects = self.move.evolve(state.position, self.seat)
        after = _after_move(state, self.seat, position)
        return _with_doubt(after) if self.unsure or self.reconstructed else after, effects


class Resigned(Event, frozen=True):
    """A seat resigned: the others win, or play on if the game says so."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Require that the seat that resigns is still playing."""
        return _absent(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Remove the seat that resigned, or end the game."""
        return _put_out(state, self.seat, "resigned")


class Forfeited(Event, frozen=True):
    """A seat lost because of its refused tries, or gave up: it counts as a resignation."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Require that the seat that forfeits is still playing."""
        return _absent(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Remove the seat that forfeited, or end the game."""
        return _put_out(state, self.seat, "forfeited")


class Flagged(Event, frozen=True):
    """A seat claimed that the time of the opponent, or of the awaited seat, is up."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Require that the time of the only opponent, or of the only awaited seat, can be up."""
        absent = _absent(state, self.seat)
        if absent is not None or self.late(state) is not None:
            return absent
        message = Sentence("only the time of {seat} is running", seat=Player(self.seat))
        return Violation("turn", message)

    def evolve(self, state: State) -> Step:
        """Remove the late seat, or end the game."""
        late = self.late(state)
        assert late is not None
        return _put_out(state, late, "flagged")

    def late(self, state: State) -> int | None:
        """Return the seat whose time should be up: the only opponent, else the seat in turn."""
        others = [seat for seat in state.position.playing if seat != self.seat]
        if len(others) == 1:
            return others[0]
        return state.in_turn if state.in_turn != self.seat else None


class DrawOffered(Event, frozen=True, tag="draw offered"):
    """A seat offered a draw; the offer is pending until it is declined or another seat moves."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Refuse a second draw offer."""
        if state.outcome is None and state.offered is not None:
            message = Sentence("the draw offer of {seat} is still open", seat=Player(state.offered))
            return Violation("turn", message)
        return _absent(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Record the draw offer."""
        return replace(state, offered=self.seat, accepted=()), ()


class DrawAccepted(Event, frozen=True, tag="draw accepted"):
    """A seat accepted the draw; the match is drawn once all other playing seats have accepted."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Require a draw offer of another seat, not yet accepted."""
        return _no_offer_for(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Record the acceptance, and end the game with the last one."""
        return _agree(replace(state, accepted=(*state.accepted, self.seat))), ()


class DrawDeclined(Event, frozen=True, tag="draw declined"):
    """A seat declined the draw offer, which is thereby dropped."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Require a draw offer of another seat."""
        return _no_offer_for(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Drop the draw offer."""
        return replace(state, offered=None, accepted=()), ()


class Ruled(Event, frozen=True):
    """The scorekeeper ended the match: `winner` and its team won, it is drawn, or abandoned."""

    result: Literal["won", "drawn", "abandoned"]
    winner: int | None = None
    reason: str = ""

    def check(self, state: State) -> Violation | None:
        """Require a ruling for a winner that is still playing."""
        if state.outcome is not None:
            return _over(state)
        if (self.result == "won") != (self.winner is not None):
            return Violation(
                "form", "name a winner with `won`; a draw or an abandoned match has none"
            )
        return None if self.winner is None else _absent(state, self.winner)

    def evolve(self, state: State) -> Step:
        """End the match as the ruling says."""
        winners = state.game.team(self.winner, state.position.playing) if self.winner else ()
        outcome = Outcome("ruled", winners, abandoned=self.result == "abandoned")
        return _settled(state, state.position, outcome), ()


class Adjusted(Event, frozen=True):
    """The scorekeeper set the position to record irregular play that the players accepted.

    `position` is in the game's own text form.
    """

    position: str
    reason: str

    def check(self, state: State) -> Violation | None:
        """Require a valid position; a match that has ended can be adjusted too."""
        if state.unjudged:
            return UNJUDGED
        return SEALED if state.position.sealed else _no_position(state, self.position)

    def evolve(self, state: State) -> Step:
        """Continue from the position of the adjustment. A draw offer lapses."""
        position = state.game.read_position(state.position, self.position)
        return _settled(replace(state, unjudged=False), position, position.outcome()), ()


class Stood(Event, frozen=True, rename=STORED):
    """A seat made a move against the rules, and the players accepted it.

    `text` is the move without its seat. `clause` is the rule that it breaks, found by
    the referee. `position` is the text of the position after it.
    """

    seat: int
    text: str
    clause: str
    position: str

    def check(self, state: State) -> Violation | None:
        """Require a move that breaks this clause, even after the end, and a valid position."""
        broken = broken_clause(state, self.seat, self.text)
        if isinstance(broken, Violation):
            return broken
        if broken != self.clause:
            return Violation("form", f"this move breaks {broken}, not {self.clause}")
        return _no_position(state, self.position)

    def evolve(self, state: State) -> Step:
        """Continue from the position after the move. A draw offer of another seat lapses."""
        position = state.game.read_position(state.position, self.position)
        effect = Irregularity(self.seat, self.text, self.clause)
        after = _after_move(state, self.seat, position)
        return replace(after, stood=(*state.stood, self.clause)), (effect,)


class Noted(Event, frozen=True, rename=STORED):
    """A move was recorded without being judged.

    `text` is the move without its seat, which may be unknown.
    """

    seat: int | None
    text: str
    unsure: Unsure = UNSET
    reconstructed: FoundLater | UnsetType = UNSET

    def check(self, state: State) -> Violation | None:
        """Require a move text of the notation, legal or not."""
        if state.game.parse(self.text) is None:
            return state.game.malformed(self.text)
        return _over(state) if state.unjudged and state.outcome is not None else None

    def evolve(self, state: State) -> Step:
        """Play the move if it is legal in a known position; else stop judging."""
        judged = self.judged(state)
        if isinstance(judged, Moved):
            return judged.evolve(state)
        after = _hush(state)
        return _with_doubt(after) if self.unsure or self.reconstructed else after, ()

    def judged(self, state: State) -> Moved | Violation:
        """Return the legal move at a state, or the rule that it breaks."""
        move = state.game.parse(self.text)
        if move is None:
            return state.game.malformed(self.text)
        if state.unjudged:
            return UNJUDGED
        seat = self.seat or state.in_turn
        if seat is None:
            return needs_seat(state)
        event = Moved(seat, move, self.unsure, self.reconstructed)
        return event.check(state) or event


class Unrecorded(Event, frozen=True):
    """A dash: nobody wrote down one or more moves that a seat made within one turn.

    The `seat` may be unknown. No later move is judged until the dash is `Filled`. A dash that was
    `reopened` is filled only by people.
    """

    seat: int | None
    unsure: Unsure = UNSET
    reopened: bool | UnsetType = UNSET

    def check(self, state: State) -> Violation | None:
        """Require a game that is not over, without secret moves, and a seat that is playing."""
        if state.outcome is not None:
            return _over(state)
        if state.game.has_secrets:
            return NO_DASH
        if self.seat is None:
            return None
        absent = _absent(state, self.seat)
        return absent if absent or state.unjudged else _not_awaited(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Stop judging."""
        return _with_doubt(_hush(state)), ()


def found_later(event: LineEvent) -> FoundLater | None:
    """Return how the move of an event was found out later, if it was."""
    return (event.reconstructed or None) if isinstance(event, Moved | Noted) else None


def as_noted(event: LineEvent) -> LineEvent:
    """Return a move as it is taken down while nothing is judged; another event stays as it is."""
    if not isinstance(event, Moved):
        return event
    text = event.move.notation.write(event.move)
    return Noted(event.seat, text, event.unsure, event.reconstructed)


def carry_on(plies: Iterable[Ply], state: State) -> Iterator[Ply]:
    """Replay plies from a state; a noted move that is legal becomes that move.

    The first illegal event and all later ones are unjudged.
    """
    for ply in plies:
        event: LineEvent = as_noted(ply.event) if state.unjudged else ply.event
        if isinstance(event, Noted):
            judged = event.judged(state)
            event = judged if isinstance(judged, Moved) else event
        elif not state.unjudged and event.check(state) is not None:
            state = _hush(state)
        state, effects = event.evolve(state)
        yield Ply(event, ply.version, state, effects)


def _hush(state: State) -> State:
    """Return the state in which the position is no longer known."""
    return _settled(replace(state, unjudged=True), state.position, None)


def _with_doubt(state: State) -> State:
    return state if state.doubtful else replace(state, doubtful=True)


LineEvent = (
    Moved
    | Resigned
    | Forfeited
    | Flagged
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | Ruled
    | Adjusted
    | Stood
    | Noted
    | Unrecorded
)


class Ply(Struct, frozen=True):
    """An event of the line, its version, and the state and effects after it."""

    event: LineEvent
    version: int
    state: State
    effects: tuple[Effect, ...]


def broken_clause(state: State, seat: int, text: str) -> str | Violation:
    """Return the clause that a move breaks, or why it cannot be recorded as accepted."""
    if state.unjudged:
        return UNJUDGED
    if state.position.sealed:
        return SEALED
    move = state.game.parse(text)
    if move is None:
        return state.game.malformed(text)
    if isinstance(move, Secret):
        return NEVER_STANDS
    if seat in state.position.guarded:
        return HIDDEN
    if seat not in state.position.playing:
        return _not_playing(state, seat)
    violation = Moved(seat, move).check(state)
    return violation.clause if violation else BY_THE_RULES


def awaited_words(state: State, names: Names = UNNAMED) -> str:
    """Name the awaited seats and their tasks."""
    if state.outcome is not None:
        return "the game is over"
    return task_words(state.position.awaiting(), state.game.tasks_by_name, names)


def task_of(game: Game[Any], seat: int, what: str, names: Names = UNNAMED) -> str:
    """Return the task of a seat, in other words if its player has a name."""
    return game.tasks_by_name.get(what, what) if seat in names.players else what


def task_words(
    awaiting: Iterable[Awaited], by_name: Mapping[str, str], names: Names = UNNAMED
) -> str:
    """Write which seats are awaited, and for what; `by_name` has the tasks of named players.

    If no seat must act, any awaited seat may, as on a sheet that is filled freely.
    """
    awaited = list(awaiting)
    tasks = [
        (one.seat, by_name.get(one.what, one.what) if one.seat in names.players else one.what)
        for one in awaited
        if one.must
    ]
    if awaited and not tasks:
        return f"anybody may {awaited[0].what}"
    if len(tasks) == 1:
        return f"{names[tasks[0][0]]} is to {tasks[0][1]}"
    alike = len({task for _, task in tasks}) == 1
    if alike and all(seat in names.players for seat, _ in tasks):
        return f"{all_of(names[seat] for seat, _ in tasks)} are to {tasks[0][1]}"
    return " and ".join(f"{names[seat]} is to {task}" for seat, task in tasks)


def outcome_words(outcome: Outcome, names: Names = UNNAMED) -> str:
    """Say how a match ended: "seat 1 won (POP-6.3)"."""
    return f"{result_words(outcome, names)} ({outcome.clause})"


def result_words(outcome: Outcome, names: Names = UNNAMED) -> str:
    """Name the result without the clause: "seat 1 won", "seat 1 and seat 3 won 7:6", "a draw".

    With ranks: "seat 2 won with 30, then seat 1 with 20, seat 3 with 10".

    >>> result_words(Outcome("POP-6.3", winners=(1, 3))), result_words(Outcome("agreed"))
    ('seat 1 and seat 3 won', 'a draw')
    """
    if outcome.winners and outcome.ranks:
        first, *others = ranked_words(outcome, names)
        return f"{first}, then {', '.join(others)}"
    if outcome.winners:
        won = f"{all_of(names[seat] for seat in outcome.winners)} won"
        return f"{won} {_points(outcome)}" if outcome.scores else won
    return "abandoned" if outcome.abandoned else "a draw"


def ranked_words(outcome: Outcome, names: Names = UNNAMED) -> tuple[str, ...]:
    """Name the seats of each rank, the best first: "seat 2 won with 30"; empty without ranks."""
    return tuple(_ranked(outcome, seats, names) for seats in outcome.ranks)


def _ranked(outcome: Outcome, seats: Sequence[int], names: Names) -> str:
    """Name the seats of a rank, and their points if they are the same."""
    won = " won" if tuple(seats) == outcome.winners else ""
    points = {outcome.scores[seat - 1] for seat in seats} if outcome.scores else ()
    told = f" with {points.pop()}" if len(points) == 1 else ""
    return f"{all_of(names[seat] for seat in seats)}{won}{told}"


def _points(outcome: Outcome) -> str:
    """Write the winners' points, then the points of the others: "7:6". Partners have the same."""
    points = dict(enumerate(outcome.scores, 1))
    won = [points.pop(seat) for seat in outcome.winners]
    partners = len(won) > 1
    others = dict.fromkeys(points.values()) if partners else points.values()
    return ":".join(map(str, (won[0], *others)))


def _not_awaited(state: State, seat: int) -> Violation | None:
    for one in state.position.awaiting():
        if one.seat == seat:
            return None
    message = Sentence(
        "it is not for {seat} to move: {awaited}",
        seat=Player(seat),
        awaited=partial(awaited_words, state),
    )
    return Violation("turn", message)


def needs_seat(state: State) -> Violation:
    """Refuse a move without a seat in a state in which no single seat must act."""
    if state.outcome is not None:
        return _over(state)
    if state.unjudged:
        return UNJUDGED
    message = Sentence("this move needs its seat: {who}", who=partial(awaited_words, state))
    return Violation("turn", message)


def _over(state: State) -> Violation:
    assert state.outcome is not None
    result = partial(outcome_words, state.outcome)
    return Violation("over", Sentence("the game has ended: {result}", result=result))


def _absent(state: State, seat: int) -> Violation | None:
    if state.outcome is not None:
        return _over(state)
    return None if seat in state.position.playing else _not_playing(state, seat)


def _not_playing(state: State, seat: int) -> Violation:
    message = Sentence(
        "{seat} is out of the game; still in: {playing}",
        seat=Player(seat),
        playing=methodcaller("listed", state.position.playing),
    )
    return Violation("turn", message)


def _no_position(state: State, text: str) -> Violation | None:
    """Return why a text is not a position of the game, or `None`."""
    try:
        state.game.read_position(state.position, text)
    except PositionError as error:
        what = Sentence(
            "this position is invalid, column {column}: {fault}",
            column=error.column,
            fault=error.message,
        )
        return Violation("form", what)
    return None


def _after_move(state: State, seat: int, position: Position) -> State:
    """Return the state after a seat's move; only the seat's own draw offer stays pending."""
    outcome = position.outcome()
    game, stood, doubtful = state.game, state.stood, state.doubtful
    if state.offered == seat:
        return State(game, position, outcome, seat, state.accepted, False, stood, doubtful)
    return State(game, position, outcome, None, (), False, stood, doubtful)


def _no_offer_for(state: State, seat: int) -> Violation | None:
    absent = _absent(state, seat)
    if absent is None and (state.offered in (None, seat) or seat in state.accepted):
        message = Sentence("{seat} has no draw offer to answer", seat=Player(seat))
        return Violation("turn", message)
    return absent


def _agree(state: State) -> State:
    """End the match if every playing seat has offered or accepted the draw."""
    if {state.offered, *state.accepted} >= set(state.position.playing):
        return _settled(state, state.position, Outcome("agreed"))
    return state


def _settled(state: State, position: Position, outcome: Outcome | None) -> State:
    """Return the state at a position and with an outcome, if any; a draw offer lapses."""
    return replace(state, position=position, outcome=outcome, offered=None, accepted=())


def _put_out(state: State, seat: int, clause: Literal["resigned", "forfeited", "flagged"]) -> Step:
    """Return the state after a seat leaves; the game says whether it ends.

    If the game has no answer, it ends, and the other teams win together; a lone player gives up.
    Games know no forfeits, which count as resignations.
    """
    game, before = state.game, state.position
    known: Literal["resigned", "flagged"] = "flagged" if clause == "flagged" else "resigned"
    concluded = game.concluded(before, seat, known)
    if isinstance(concluded, Outcome) and concluded.clause == known:
        concluded = replace(concluded, clause=clause)
    if concluded is None:
        team = game.team(seat, before.playing)
        others = tuple(other for other in before.playing if other not in team)
        concluded = Outcome(clause, others, abandoned=not others)
    if isinstance(concluded, Outcome):
        return _settled(state, before, concluded), ()
    position, effects = concluded
    outcome = position.outcome()
    if outcome is not None or state.offered in (None, seat):
        return _settled(state, position, outcome), effects
    accepted = tuple(other for other in state.accepted if other != seat)
    return _agree(replace(state, position=position, outcome=None, accepted=accepted)), effects
