"""What happened in a match since a number of the feed of changes, as a spectator is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from replay.book import Book
from replay.library.changes import SeenChange
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import names_of
from service.models import responses

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
    """Yield what a change of a match means to those who watch the play.

    A match that becomes public opens to them, whenever it was opened.
    """
    if {"opened", "visibility", "restored"} & set(change.what):
        yield "opened"
        if record.match.version == (record.stream.fork_version or 0):
            return
    if "events" in change.what:
        yield "moved" if record.state.outcome is None else "ended"


def activity_of(book: Book, change: SeenChange, record: MatchRecord) -> Activity:
    """Return how a match stands after a change."""
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
