"""The heading of a match on paper and on a page."""

from __future__ import annotations

from msgspec import Struct

from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.tags.match_tags import SEAT_TAG, tags_of


class MatchHeading(Struct, frozen=True):
    """The players by seat, the game, place and date, and the identity of the record.

    `facts` are date, place and other tags by name, `head` the hash of the last event in hex.
    """

    title: str
    match: str
    rules: str
    players: dict[int, str]
    facts: dict[str, str]
    options: dict[str, str]
    head: str


def heading(book: Book, record: MatchRecord) -> MatchHeading:
    """Build the heading of a match."""
    facts = book.facts(record)
    seats = range(1, record.match.seats + 1)
    named = {seat: facts.get(f"Seat{seat}", "?") for seat in seats}
    players = {seat: f"seat {seat}" if who == "?" else who for seat, who in named.items()}
    return MatchHeading(
        title=f"{record.game.name}: {' – '.join(players.values())}",
        match=f"{record.id}@{len(record.match.line)}v{record.match.version}",
        rules=record.header.rules,
        players=players,
        facts={tag.name: tag.value for tag in tags_of(facts) if not SEAT_TAG.fullmatch(tag.name)},
        options={name: str(value) for name, value in record.header.options.items()},
        head=_head(record),
    )


def _head(record: MatchRecord) -> str:
    """Return the hash of the shown version, which may not be the newest."""
    if not record.log:
        return record.stream.origin.hex()
    return record.log[-1].hash.hex()
