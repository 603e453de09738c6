"""The way of a match: what happened at every ply of its line, as a given viewer may know it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Raw, Struct

from domain.edits import (
    Amended,
    Edit,
    SeedRevealed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)
from domain.effects import Effect
from domain.entry import tokens
from domain.events import Adjusted, LineEvent, Moved, Ruled
from domain.match import LogEvent
from domain.names import UNNAMED, Names
from domain.position import Awaited, Outcome
from domain.scene import Scene
from replay.match_record import MatchRecord
from replay.referee import clock
from replay.referee.clock import Clocks
from replay.referee.sealed_moves import sealing


class TimelineEntry(Struct, frozen=True):
    """One event of the line. `token` is `None` while the event is hidden from the viewer.

    `at` is in milliseconds since 1970, `hash` the chain's at this event, in hex. `note` is what
    the scorekeeper said with a ruling or an adjustment; `amended` tells that the event was not
    entered at its place, but put there by an amendment, whose actor and time these are. `used` is
    how long the clock of the seat ran for it, in milliseconds; `None` without a clock, for what is
    of no seat, and for what was before a fork or amended.
    """

    ply: int
    version: int
    turn: int
    seat: int | None
    type: str
    token: str | None
    effects: tuple[Effect, ...]
    actor: str
    at: int
    hash: str
    note: str = ""
    amended: bool = False
    used: int | None = None

    def words(self, names: Names = UNNAMED, amended: str = "amended") -> str:
        """Say what happened, and with `amended` if an amendment put it there."""
        said = [effect.words(names) for effect in self.effects] or [self.note]
        return "; ".join(filter(None, (*said, amended if self.amended else "")))


class LogEntry(Struct, frozen=True):
    """One event of the log, with what became of it: whether it still stands in the line.

    `token` is `None` for what is no event of the line, and while it is hidden from the viewer;
    then `event` has a commitment for the move. `what` tells it to a person.
    """

    version: int
    actor: str
    at: int
    hash: str
    stands: bool
    token: str | None
    what: str
    event: LogEvent | Raw


class LinePoint(Struct, frozen=True):
    """A point of the line as a viewer sees it: after which ply, and who is awaited there."""

    ply: int
    turn: int
    scene: Scene
    awaiting: tuple[Awaited, ...]
    outcome: Outcome | None
    offered: int | None


def entries(
    recorded: MatchRecord, viewer: int | None = None, after: int = 0
) -> Iterator[TimelineEntry]:
    """Tell the line after a ply, event by event, for a seat or with `None` for a spectator."""
    state = recorded.match.at(after)
    for number, ply in enumerate(recorded.match.line[after:], after + 1):
        stored = recorded.entry(ply.version)
        yield TimelineEntry(
            number,
            ply.version,
            state.position.turn,
            getattr(ply.event, "seat", None),
            str(ply.event.__struct_config__.tag),
            tokens.write(recorded.game, ply.event)
            if _open_to(recorded, ply.version, ply.event, viewer)
            else None,
            ply.effects,
            stored.actor,
            stored.at,
            stored.hash.hex(),
            _note(ply.event),
            stored.type == "amended",
            recorded.times.spent[ply.version - 1] if recorded.times else None,
        )
        state = ply.state


def clocks(recorded: MatchRecord) -> Clocks | None:
    """Return the clocks of the seats at the last event, if the match has a clock."""
    if recorded.header.clock is None or recorded.times is None:
        return None
    return clock.clocks(recorded.header.clock, recorded.times)


def log(
    recorded: MatchRecord, viewer: int | None = None, after: int = 0, names: Names = UNNAMED
) -> Iterator[LogEntry]:
    """Tell everything ever entered after a version, also what was taken back."""
    standing = {ply.version for ply in recorded.match.line}
    for stored, event in zip(recorded.log[after:], recorded.events[after:], strict=True):
        hidden = not _open_to(recorded, stored.version, event, viewer)
        token = None if hidden or isinstance(event, Edit) else tokens.write(recorded.game, event)
        yield LogEntry(
            stored.version,
            stored.actor,
            stored.at,
            stored.hash.hex(),
            isinstance(event, Edit) or stored.version in standing,
            token,
            _describe(recorded, event, token, names),
            Raw(stored.data) if hidden else event,
        )


def describe_edit(recorded: MatchRecord, edit: Edit, names: Names = UNNAMED) -> str:
    """Tell what an event that edits the line did."""
    match edit:
        case TakenBack():
            return f"taken back to ply {edit.ply}"
        case TakebackAsked():
            return f"{names[edit.seat]} asks to take back to ply {edit.ply}"
        case TakebackDeclined():
            return f"{names[edit.seat]} declines to take back"
        case Amended(more=True):
            return f"{_amended(recorded, edit)}, with what comes next"
        case Amended():
            return f"{_amended(recorded, edit)}; later events that stand: {edit.stood}"
        case SeedRevealed():
            return f"the seed of the dice is revealed: {edit.seed}"
    raise TypeError(edit)


def _amended(recorded: MatchRecord, edit: Amended) -> str:
    token = tokens.write(recorded.game, edit.event) if edit.event else ""
    match edit.how:
        case "replaced":
            return f"ply {edit.ply} amended to {token}"
        case "inserted":
            return f"{token} inserted as ply {edit.ply}"
    return f"ply {edit.ply} deleted"


def _describe(recorded: MatchRecord, event: LogEvent, token: str | None, names: Names) -> str:
    """Tell an event of the log; one whose token is `None` and that edits nothing is sealed."""
    if isinstance(event, Edit):
        return describe_edit(recorded, event, names)
    return ": ".join(filter(None, (token or "(sealed)", _note(event))))


def _note(event: LineEvent) -> str:
    """Return what the scorekeeper said with a ruling, or with a position set."""
    match event:
        case Adjusted():
            return f"{event.reason}; now {event.position}"
        case Ruled():
            return event.reason
    return ""


def point(
    recorded: MatchRecord, ply: int, viewer: int | None = None, names: Names = UNNAMED
) -> LinePoint:
    """Return the point after so many plies, for a seat or a spectator."""
    state = recorded.match.at(ply)
    effects = recorded.match.line[ply - 1].effects if ply else ()
    view = state.position.view(_seeing(recorded, ply, viewer))
    return LinePoint(
        ply,
        state.position.turn,
        recorded.game.scene(view, effects, names),
        () if state.outcome else state.position.awaiting(),
        state.outcome,
        state.offered,
    )


def _open_to(recorded: MatchRecord, version: int, event: LogEvent, viewer: int | None) -> bool:
    """Tell whether a viewer may read an event.

    The seats of a fork are other people's: they read no secret of the match that it leaves.
    """
    if version not in recorded.secrets:
        return True
    own = isinstance(event, Moved) and event.seat == viewer
    return own and version > recorded.shared


def _seeing(recorded: MatchRecord, ply: int, viewer: int | None) -> int | None:
    """Return the seat whose secrets are drawn for a viewer, or `None` for a spectator's view."""
    if viewer is None or not recorded.shared:
        return viewer
    sealed = sealing(recorded.match.line[:ply], viewer)
    if sealed is None or _open_to(recorded, sealed.version, sealed.event, viewer):
        return viewer
    return None
