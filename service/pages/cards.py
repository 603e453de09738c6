"""Matches as cards in lists: board, players, standing, the last event and its time."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing_briefly
from service.pages.frame import describe_briefly
from service.pages.relative_time import ago, dated
from service.pages.thumbnails import thumbnail
from service.pages.words import player_names, sentence


class MatchCard(Struct, frozen=True):
    """A match in a list: the address of its picture, and its texts.

    `day` is the machine-readable date of a match recorded elsewhere, or else of its last event;
    `when` is the date for people.
    """

    id: str
    over: bool
    picture: str
    players: dict[int, str]
    standing: str
    last: str
    game: str
    moves: str
    day: str
    when: str


def cards(book: Book, matches: Iterable[MatchRecord]) -> list[MatchCard]:
    """Return the cards of matches."""
    return [_card(book, each) for each in matches]


def describe_with_names(book: Book, recorded: MatchRecord) -> str:
    """Say how a match stands with the names of its players."""
    words = describe_standing_briefly(recorded.state, player_names(book, recorded))
    return words[:1].upper() + words[1:]


def _elsewhere(book: Book, recorded: MatchRecord) -> date | None:
    """Return the date in the record of a match; `None` for a match recorded as it was played."""
    opened = datetime.fromtimestamp(recorded.header.created / 1000).date()
    try:
        day = datetime.strptime(book.facts(recorded).get("Date", ""), "%Y.%m.%d").date()
    except ValueError:  # a record may leave parts of it open: 2026.??.??
        return None
    return day if abs(day - opened) > timedelta(days=1) else None


def _last(book: Book, recorded: MatchRecord) -> str:
    """Describe the last event, which distinguishes matches of unnamed players."""
    names = player_names(book, recorded)
    return sentence(describe_briefly(recorded, len(recorded.match.line), names))


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}" if count else "not begun"


def _card(book: Book, recorded: MatchRecord) -> MatchCard:
    day = _elsewhere(book, recorded)
    at = recorded.log[-1].at if recorded.log else recorded.header.created
    return MatchCard(
        id=recorded.id,
        over=recorded.state.outcome is not None,
        picture=thumbnail(recorded),
        players=dict(player_names(book, recorded).players),
        standing=describe_with_names(book, recorded),
        last=_last(book, recorded),
        game=recorded.game.name,
        moves=_moves(len(recorded.match.line)),
        day=day.isoformat() if day else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%dT%H:%MZ}",
        when=dated(day) if day else ago(at, time.time_ns() // 1_000_000),
    )
