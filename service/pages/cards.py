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


def describe_with_names(book: Book, record: MatchRecord) -> str:
    """Say how a match stands with the names of its players."""
    words = describe_standing_briefly(record.state, player_names(book, record))
    return words[:1].upper() + words[1:]


def _elsewhere(book: Book, record: MatchRecord) -> date | None:
    """Return the date in the record of a match; `None` for a match recorded as it was played."""
    opened = datetime.fromtimestamp(record.header.created / 1000).date()
    try:
        day = datetime.strptime(book.facts(record).get("Date", ""), "%Y.%m.%d").date()
    except ValueError:  # a record may leave parts of it open: 2026.??.??
        return None
    return day if abs(day - opened) > timedelta(days=1) else None


def _last(book: Book, record: MatchRecord) -> str:
    """Describe the last event, which distinguishes matches of unnamed players."""
    names = player_names(book, record)
    return sentence(describe_briefly(record, len(record.match.line), names))


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}" if count else "not begun"


def _card(book: Book, record: MatchRecord) -> MatchCard:
    day = _elsewhere(book, record)
    at = record.log[-1].at if record.log else record.header.created
    return MatchCard(
        id=record.id,
        over=record.state.outcome is not None,
        picture=thumbnail(record),
        players=dict(player_names(book, record).players),
        standing=describe_with_names(book, record),
        last=_last(book, record),
        game=record.game.name,
        moves=_moves(len(record.match.line)),
        day=day.isoformat() if day else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%dT%H:%MZ}",
        when=dated(day) if day else ago(at, time.time_ns() // 1_000_000),
    )
