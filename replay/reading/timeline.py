"""The timeline of a match: the events of its line, its log and its points, for a given viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from domain.effects import Effect
from domain.entry import move_text
from domain.events import (
    STORED,
    Adjusted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Flagged,
    Forfeited,
    FoundLater,
    LineEvent,
    Moved,
    NamedPerson,
    Noted,
    Resigned,
    Ruled,
    State,
    Stood,
    Unrecorded,
    Unsure,
)
from domain.events import Ply as LinePly
from domain.log_edits import (
    Amended,
    Edit,
    Filled,
    Judged,
    Reopened,
    SeedRevealed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TryRefused,
)
from domain.match import LogEvent
from domain.names import UNNAMED, Names
from domain.position import Awaited
from domain.scene import Arrow, Scene
from replay.fields import EventText, EventVersion, Hash, Milliseconds, Ply, Seat, Typed
from replay.record import clock
from replay.record.clock import Clocks
from replay.record.match_record import MatchRecord
from replay.record.match_summary import StoredOutcome

TOLD: Final = {stored: name for name, stored in STORED.items()}
BroughtIn = Annotated[
    int, Meta(description="When the host brought the event in, in milliseconds since 1970.")
]


class LineEntry(Struct, frozen=True, omit_defaults=True):
    """An event of the line. `text` is null while it is hidden from the caller.

    `script` is the move as people write it, like `Nf3`; games without such a notation omit it.

    `effects` are its consequences, `words` describe them. `used` is how long the clock of its seat
    ran for it, in milliseconds; it is null without a clock, for an event without a seat, and for an
    event before a fork. `note` is the scorekeeper's reason for a ruling or an adjustment. `amended`
    is true if an amendment put it there; actor and time are then the amendment's.
    """

    ply: Ply
    version: EventVersion
    turn: int
    """The number of the turn, from 1."""
    seat: Seat | None
    type: str
    """The tag that names the kind of object."""
    text: EventText | None
    words: str
    """The consequences of the event in words."""
    effects: tuple[Typed, ...]
    """The consequences of the event, as the game defines them."""
    actor: str
    """The cause of the event: `host`, `seat 1` and so on, or the service."""
    at: Milliseconds
    used: int | None
    """Milliseconds used; null without a clock."""
    hash: Hash
    """The event's link of the hash chain: SHA-256 in hexadecimal."""
    note: str
    """A remark; may be empty or null."""
    amended: bool
    """Whether an amendment put the event there."""
    script: str | None = None
    """The move as people write it, like `Nf3`, if that is not its text."""
    unsure: Unsure = UNSET
    """True if the writer of the entry was not sure; otherwise absent."""
    reconstructed: FoundLater | UnsetType = UNSET
    """Who found the move later, and what each scoresheet said; absent for a move as written."""

    @property
    def written(self) -> str:
        """The move as people read it: its script, or else its move text."""
        return "(sealed)" if self.text is None else self.script or move_text.shown(self.text)


class LogEntry(Struct, frozen=True):
    """An event of the log, even if it is no longer in the line.

    While it is hidden from the caller `text` is null and `event` has a commitment for the move.
    `what` describes the event. The host brought the event in from an archive at `brought_in`, if
    that is there; `actor` and `at` are then claims of the archive.
    """

    version: EventVersion
    actor: str
    """The cause of the event: `host`, `seat 1` and so on, or the service."""
    at: Milliseconds
    hash: Hash
    """The event's link of the hash chain: SHA-256 in hexadecimal."""
    stands: bool
    """Whether the event is still in the line."""
    text: EventText | None
    what: str
    """The event in words."""
    event: Typed
    """The event as an object, as the game defines it."""
    brought_in: BroughtIn | UnsetType = UNSET
    author: (
        Annotated[str, Meta(description="The host's account, for those at the table.")] | UnsetType
    ) = UNSET


class LinePoint(Struct, frozen=True):
    """A point of the line as a viewer sees it: its ply, the scene, and who is awaited."""

    ply: int
    turn: int
    scene: Scene
    awaiting: tuple[Awaited, ...]
    outcome: StoredOutcome | None
    offered: int | None


def entries(
    record: MatchRecord, viewer: int | None = None, after: int = 0, names: Names = UNNAMED
) -> Iterator[LineEntry]:
    """Yield the events of the line after a ply, as a seat may see them, or spectators (`None`)."""
    state, game, log, secrets = (
        record.match.at(after),
        record.match.game,
        record.log,
        record.secrets,
    )
    for number, ply in enumerate(record.match.line[after:], after + 1):
        stored, event = log[ply.version - 1], ply.event
        hidden = secrets and not record.opens(ply.version, event, viewer)
        amended = stored.type == "amended"
        words = describe_effects(ply, names)
        yield LineEntry(
            number,
            ply.version,
            number if isinstance(event, Noted) else state.position.turn,
            getattr(event, "seat", None) or _implied_seat(event, state),
            str(event.__struct_config__.tag),
            None if hidden else move_text.write(game, event),
            "; ".join(filter(None, (words, "amended"))) if amended else words,
            ply.effects,
            stored.actor,
            stored.at,
            record.times.spent[ply.version - 1] if record.times else None,
            stored.hash.hex(),
            "" if isinstance(event, Moved | Stood) else _note(event),
            amended,
            move_text.script(game, state, event) if game.script and not hidden else None,
            getattr(event, "unsure", UNSET),
            getattr(event, "reconstructed", UNSET),
        )
        state = ply.state


def filled_since(
    record: MatchRecord, version: int, viewer: int | None = None
) -> Iterator[LineEntry]:
    """Yield the moves with which the referee filled dashes after a version."""
    edits = [event for event in record.events[version:] if isinstance(event, Filled)]
    if edits:
        for entry in entries(record, viewer, min(edit.ply for edit in edits) - 1):
            if entry.version > version and entry.reconstructed:
                yield entry


def _implied_seat(event: LineEvent, state: State) -> int | None:
    return state.in_turn if isinstance(event, Unrecorded) else None


def is_amended(record: MatchRecord, ply: LinePly) -> bool:
    """Return whether an amendment put an event into the line."""
    return record.entry(ply.version).type == "amended"


def describe_effects(ply: LinePly, names: Names = UNNAMED) -> str:
    """Describe the effects of an event and its doubts, or give the scorekeeper's reason for it."""
    words = [effect.words(names) for effect in ply.effects]
    return "; ".join([*words, *_doubts(ply.event, names)]) or _note(ply.event)


def doubt_words(event: LineEvent, names: Names = UNNAMED) -> str:
    """Say what is doubtful about an event: how it was found, and that its writer was not sure."""
    return "; ".join(_doubts(event, names))


def _doubts(event: LineEvent, names: Names) -> list[str]:
    """Say that the writer of a move was not sure, and how it was found out later."""
    words = []
    if isinstance(event, Moved | Noted) and event.reconstructed:
        words.append(found_words(event.reconstructed, names))
    if isinstance(event, Moved | Noted | Unrecorded) and event.unsure:
        words.append("not sure")
    if isinstance(event, Unrecorded):
        words.append("nobody wrote this down")
    return words


def found_words(found: FoundLater, names: Names = UNNAMED) -> str:
    """Say who found a move later, and what was written at the time."""
    written = " and ".join(text or "nothing" for text in found.entries)
    return f"written as {written}, found by {_by(found, names)}"


def _by(found: FoundLater, names: Names) -> str:
    if isinstance(found.by, NamedPerson):
        kind, _, seat = found.by.name.partition(" ")
        return names[int(seat)] if kind == "seat" and seat.isdecimal() else found.by.name
    return "the rules" if found.by == "rules" else "the other scoresheet"


def clocks(record: MatchRecord) -> Clocks | None:
    """Return the clocks of the seats at the last event, if the match has a clock."""
    if record.header.clock is None or record.times is None:
        return None
    return clock.clocks(record.header.clock, record.times)


def log(
    record: MatchRecord,
    viewer: int | None = None,
    after: int = 0,
    names: Names = UNNAMED,
    brought_in: Mapping[int, int] = MappingProxyType({}),
    authors: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[LogEntry]:
    """Yield all events of the log after a version, including those taken back.

    `brought_in` has the times at which versions were brought in (`replay.reading.brought_in`),
    `authors` the accounts that entered them (`replay.access.authors`).
    """
    standing = {ply.version for ply in record.match.line}
    for version in range(after + 1, record.match.version + 1):
        event = record.events[version - 1]
        stands = isinstance(event, Edit) or version in standing
        entry = _logged(record, version, stands, viewer, names, brought_in)
        yield replace(entry, author=authors[version]) if version in authors else entry


def logged(
    record: MatchRecord,
    version: int,
    viewer: int | None = None,
    names: Names = UNNAMED,
    brought_in: Mapping[int, int] = MappingProxyType({}),
) -> LogEntry:
    """Return an event of the log, which costs little if it is near the end of the line."""
    is_edit = isinstance(record.events[version - 1], Edit)
    stands = is_edit or any(ply.version == version for ply in reversed(record.match.line))
    return _logged(record, version, stands, viewer, names, brought_in)


def _logged(
    record: MatchRecord,
    version: int,
    stands: bool,
    viewer: int | None,
    names: Names,
    brought_in: Mapping[int, int],
) -> LogEntry:
    stored, event = record.entry(version), record.events[version - 1]
    hidden = not record.opens(version, event, viewer)
    text = None if hidden or isinstance(event, Edit) else move_text.write(record.game, event)
    return LogEntry(
        version,
        stored.actor,
        stored.at,
        stored.hash.hex(),
        stands,
        text,
        _describe(record, event, text, names),
        Raw(stored.data) if hidden else shown_event(event),
        brought_in.get(version, UNSET),
    )


def shown_event(event: LogEvent | None) -> Any:
    """Return an event for answers: what a log calls the `token` of a move is its `text`."""
    match event:
        case Amended():
            return replace(event, event=shown_event(event.event))
        case Noted() | Stood() | TryRefused():
            return {TOLD.get(name, name): each for name, each in to_builtins(event).items()}
    return event


def describe_edit(record: MatchRecord, edit: Edit, names: Names = UNNAMED) -> str:
    """Describe an event that edits the line."""
    match edit:
        case TakenBack():
            return f"taken back to ply {edit.ply}"
        case TakebackAsked():
            return f"{names[edit.seat]} asks to take back to ply {edit.ply}"
        case TakebackDeclined():
            return f"{names[edit.seat]} declines to take back"
        case TryRefused():
            tried = edit.text or "a move"
            return f"{names[edit.seat]} tries {tried}, against {edit.clause}"
        case Amended():
            together = "judged together with the next correction"
            kept = together if edit.more else f"later events kept: {edit.stood}"
            return f"{_amended(record, edit)}; {kept}"
        case Judged():
            return "the moves are judged"
        case Filled():
            found = found_words(edit.reconstructed, names)
            return f"ply {edit.ply} must have been {' '.join(edit.texts)}: {found}"
        case Reopened():
            return f"ply {edit.ply} is a dash again"
        case SeedRevealed():
            return f"the seed of the dice is revealed: {edit.seed}"
    raise TypeError(edit)


def _amended(record: MatchRecord, edit: Amended) -> str:
    text = move_text.shown(move_text.write(record.game, edit.event)) if edit.event else ""
    match edit.how:
        case "replaced":
            return f"ply {edit.ply} amended to {text}"
        case "inserted":
            return f"{text} inserted as ply {edit.ply}"
    return f"ply {edit.ply} deleted"


DEEDS: Final[dict[type[LineEvent], str]] = {
    Resigned: "{} resigns",
    Forfeited: "{} forfeits",
    Flagged: "{} claims that time is up",
    DrawOffered: "{} offers a draw",
    DrawAccepted: "{} accepts the draw",
    DrawDeclined: "{} declines the draw",
}
"""The sentences of the events of a seat that are no moves."""
RULINGS: Final = {
    "won": "{} wins by a ruling",
    "drawn": "a draw by a ruling",
    "abandoned": "abandoned by a ruling",
}


def _describe(record: MatchRecord, event: LogEvent, text: str | None, names: Names) -> str:
    """Describe an event of the log; a line event without a text is sealed."""
    if isinstance(event, Edit):
        return describe_edit(record, event, names)
    match event:
        case Resigned() | Forfeited() | Flagged() | DrawOffered() | DrawAccepted() | DrawDeclined():
            return DEEDS[type(event)].format(names[event.seat])
        case Ruled():
            told = RULINGS[event.result].format(names[event.winner or 0])
            return ": ".join(filter(None, (told, event.reason)))
    notes = filter(None, (_note(event), doubt_words(event, names)))
    return ": ".join((move_text.shown(text or "(sealed)"), *notes))


def _note(event: LineEvent) -> str:
    """Return the reason for a ruling or an adjustment, or the clause that a move broke."""
    match event:
        case Adjusted():
            return f"{event.reason}; now {event.position}"
        case Stood():
            return f"against {event.clause}; now {event.position}"
        case Ruled():
            return event.reason
    return ""


def point(
    record: MatchRecord,
    ply: int,
    viewer: int | None = None,
    names: Names = UNNAMED,
    effects: Sequence[Effect] | None = None,
) -> LinePoint:
    """Return the point after a ply, for a seat or for spectators.

    Its scene shows the effects, by default of the last event. After a dash, it is the scene of the
    last position that is known. While the match is unjudged, it is empty.
    """
    state, dash = record.match.at(ply), record.match.open_dash(ply)
    known = ply if dash is None else dash - 1
    if effects is None or known != ply:
        effects = record.match.line[known - 1].effects if known else ()
    view = record.match.at(known).position.view(record.seeing(viewer, known))
    hidden = record.match.at(known).unjudged
    return LinePoint(
        ply,
        state.position.turn,
        Scene(()) if hidden else record.game.scene(view, effects, names),
        state.awaiting(),
        StoredOutcome.of(state.outcome) if state.outcome else None,
        state.offered,
    )


def motion(record: MatchRecord, ply: int) -> tuple[LinePly, ...]:
    """Return the events of the turn up to a ply.

    An event continues the previous event if its arrow begins where the previous arrow ended, or if
    it has no effects, like the end of a jump.
    """
    first, arrows = ply, cache(partial(_arrows, record))  # each event is drawn once
    while first > 1 and _continues(record, first, arrows):
        first -= 1
    return record.match.line[max(0, first - 1) : ply]


def motion_point(
    record: MatchRecord, ply: int, names: Names = UNNAMED, viewer: int | None = None
) -> LinePoint:
    """Return the point after a ply, as a viewer sees it, with the whole motion drawn."""
    return draw_motion(record, ply, motion(record, ply), names, viewer)


def draw_motion(
    record: MatchRecord,
    ply: int,
    whole: Sequence[LinePly],
    names: Names = UNNAMED,
    viewer: int | None = None,
) -> LinePoint:
    """Return the point as `motion_point` does, given the motion that led to the ply."""
    effects = tuple(effect for each in whole for effect in each.effects)
    return point(record, ply, viewer, names, effects)


def _arrows(record: MatchRecord, ply: int) -> tuple[Arrow, ...]:
    return point(record, ply).scene.arrows


def _continues(record: MatchRecord, ply: int, arrows: Callable[[int], tuple[Arrow, ...]]) -> bool:
    """Return whether the event that led to a ply continues the one before it."""
    turn = _turn(record, ply)
    if turn is None or turn != _turn(record, ply - 1):
        return False
    if not record.match.line[ply - 1].effects:
        return True
    ends, starts = arrows(ply - 1), arrows(ply)
    return bool(ends and starts) and ends[-1].end == starts[0].start


def _turn(record: MatchRecord, ply: int) -> tuple[int, int] | None:
    """Return the turn and the seat of a move, or `None` for any other event."""
    event = record.match.line[ply - 1].event
    turn = record.match.at(ply - 1).position.turn
    return (turn, event.seat) if isinstance(event, Moved) else None
