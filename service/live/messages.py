"""The messages about each event of a match, shared by streams and WebHooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, structs

from domain.names import UNNAMED, Names
from domain.position import Awaited
from replay.book import Book
from replay.errors import UnknownMatch
from replay.library.changes import SeenChange
from replay.reading import timeline
from replay.reading.brought_in import brought_in
from replay.reading.timeline import LineEntry, LogEntry
from replay.record.match_record import MatchRecord, steps
from replay.record.match_summary import describe_standing
from replay.tags.names import names_of
from service.models import responses


def read_metadata(book: Book, stream: int) -> Any:
    """Return a value that changes only with the match's data outside its log."""
    store = book.store
    try:
        here = store.stream(stream)
        notes = store.notes(stream)
        facts = [store.metadata(stream)]
        while here.parent is not None:
            here = store.stream(here.parent)
            facts.append(store.metadata(here.id))
        tokens = store.account_tokens_of(stream)
        keys = frozenset(store.keys(stream)), store.operators(), tokens
        return store.stream(stream).trashed, notes and notes.head, facts, keys
    except UnknownMatch:
        return None


Kept = Annotated[int, Meta(ge=0, description="The plies of the former line that did not change.")]


EDITS: Final = ("taken back", "amended", "filled", "reopened")
"""The types of events that change earlier plies of the line."""


class Happened(LogEntry, frozen=True, kw_only=True):
    """An event of the log, and the state of the match after it.

    The line after it is the first `kept` plies of the line before, followed by `line`, which has
    several plies after an amendment and none after a take-back. `revealed` are earlier events of
    the log that were hidden until now, with their content. `ply` is the length of the line.
    """

    ply: responses.Ply
    kept: Kept
    line: tuple[LineEntry, ...]
    """The events that follow in the line."""
    revealed: tuple[LogEntry, ...]
    """Earlier events that were hidden until now."""
    awaiting: tuple[Awaited, ...]
    standing: str
    outcome: responses.Outcome | None


def live_messages(
    book: Book,
    before: MatchRecord,
    head: MatchRecord,
    viewer: int | None,
    most: int,
    names: Names = UNNAMED,
) -> Iterator[tuple[Happened, MatchRecord]]:
    """Yield at most this many events that followed `before`, each with the match after it.

    A message depends only on the log up to its event, on what the host imported of it, and on the
    players' names.
    """
    tell = partial(timeline.logged, viewer=viewer, names=names, brought_in=brought_in(book, head))
    for after in islice(steps(before, head), most):
        yield _happened(before, after, viewer, names, tell), after
        before = after


Tell = Callable[[MatchRecord, int], LogEntry]
"""Describes the event of a match at a version."""


def _happened(
    before: MatchRecord, after: MatchRecord, viewer: int | None, names: Names, tell: Tell
) -> Happened:
    own, state = tell(after, after.match.version), after.state
    told = (tell(after, version) for version in sorted(before.secrets - after.secrets))
    revealed = tuple(each for each in told if _is_of_another(each, viewer))
    kept = _kept(before, after, {each.version for each in revealed})
    return Happened(
        **structs.asdict(own),
        ply=after.ply(),
        kept=kept,
        line=tuple(timeline.entries(after, viewer, kept, names)),
        revealed=revealed,
        awaiting=state.awaiting(),
        standing=describe_standing(state, names),
        outcome=state.outcome.to_dict() if state.outcome else None,
    )


def _is_of_another(told: LogEntry, viewer: int | None) -> bool:
    """Return whether a revealed event is news for the viewer, because it is not their own."""
    return viewer is None or getattr(told.event, "seat", None) != viewer


def _kept(before: MatchRecord, after: MatchRecord, revealed: set[int]) -> int:
    """Return how many plies of the line before are unchanged for the viewer."""
    old, new = before.match.line, after.match.line
    kept = len(old)
    if after.entry(after.match.version).type in EDITS or len(new) < kept:
        pairs = enumerate(zip(old, new, strict=False))
        differ = (place for place, (one, other) in pairs if one.version != other.version)
        kept = next(differ, min(len(old), len(new)))
    if revealed:
        hidden = (place for place, ply in enumerate(new) if ply.version in revealed)
        kept = min(kept, next(hidden, kept))
    return kept


Happening = Literal["opened", "moved", "ended"]


class Activity(Struct, frozen=True):
    """A match was opened, moved on or ended, as a spectator sees it.

    `feed` names the history that the number of the message belongs to.
    """

    match: str
    game: str
    rules: str
    kind: responses.MatchKind
    players: dict[str, str]
    version: responses.Version
    ply: responses.Ply
    at: responses.Milliseconds
    standing: str
    outcome: responses.Outcome | None
    feed: str


def happenings(change: SeenChange, record: MatchRecord) -> Iterator[Happening]:
    """Yield the happenings that spectators see in a message about a match.

    A match that becomes public counts as opened, even if it is older.
    """
    if {"opened", "visibility", "restored"} & set(change.what):
        yield "opened"
        if record.match.version == (record.stream.fork_version or 0):
            return
    if "events" in change.what:
        yield "moved" if record.state.outcome is None else "ended"


def activity_of(book: Book, change: SeenChange, record: MatchRecord) -> Activity:
    """Return the state of a match after a change."""
    state, names = record.state, names_of(book, record)
    return Activity(
        record.id,
        record.game.slug,
        record.header.rules,
        record.header.kind,
        {str(seat): name for seat, name in names.players.items()},
        record.match.version,
        record.ply(),
        record.at,
        describe_standing(state, names),
        state.outcome.to_dict() if state.outcome else None,
        change.feed,
    )
