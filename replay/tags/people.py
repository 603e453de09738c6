"""Name the players of a match: who may, and until when."""

from __future__ import annotations

from collections.abc import Mapping

from replay.book import Book
from replay.errors import Forbidden, Stale
from replay.record.match_record import MatchRecord
from replay.tags.match_tags import tag
from replay.tags.names import UNKNOWN


def name_players(
    book: Book, record: MatchRecord, names: Mapping[int, str], player: int | None = None
) -> None:
    """Write the names of seats, or erase those that are empty, as a host or a `player`.

    The end of a match fixes who won it, so from then on a player may only erase. Raises `Usage` for
    an invalid name, and `Forbidden` for a player who is late.
    """
    values = {f"Seat{seat}": name or UNKNOWN for seat, name in names.items()}
    if player is None or not any(names.values()):
        tag(book, record, values)
        return
    while not _named_before_the_end(book, record, values):
        record = book.read(book.find_by_id(record.id))


def _named_before_the_end(book: Book, record: MatchRecord, values: Mapping[str, str]) -> bool:
    """Write names unless the match has ended, and return whether it had no later events then."""
    if record.state.outcome is not None:
        raise Forbidden(
            f"{record.id} is over, so its host names the players; you may erase your name"
        )
    try:
        tag(book, record, values, at=record.match.version)
    except Stale:
        return False
    return True
