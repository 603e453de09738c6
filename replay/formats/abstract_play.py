"""A finished match as Abstract Play's game record: `APGameRecord`, schema version 1-0-0.

The names of the fields are the schema's own:
https://www.abstractplay.com/schemas/gamerecord/1-0-0.json
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.entry import tokens
from domain.events import Adjusted, LineEvent, Moved, Ruled, Stood
from domain.position import Outcome
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.tags.match_tags import tags_of
from replay.tags.names import seats

SITE: Final = "Plybook"
"""The site of a match without that tag."""


class RoundEntry(Struct, omit_defaults=True):
    """A seat's move in a round; `result` is the scorekeeper's ruling on it."""

    move: str
    result: str | None = None


Round = list[RoundEntry | None]


def write_game_record(book: Book, recorded: MatchRecord) -> bytes:
    """Return a match as a game record, in JSON.

    Raises `Usage` for an unfinished match, which the format cannot hold.
    """
    outcome = recorded.state.outcome
    if outcome is None or outcome.abandoned:
        how = "was abandoned" if outcome else "is not over"
        raise Usage(f"{recorded.id} {how}; a game record of Abstract Play needs a win or a draw")
    record = {
        "header": _header(book, recorded, outcome),
        "moves": [*map(_round_entries, _rounds(recorded))],
    }
    return msgspec.json.format(msgspec.json.encode(record)) + b"\n"


def _header(book: Book, record: MatchRecord, outcome: Outcome) -> dict[str, Any]:
    facts = book.facts(record)
    tags = {tag.name: tag.value for tag in reversed(tags_of(facts))}
    game, options = record.game, record.game.set_options(record.match.options)
    started, ended = _dates(record, tags.get("Date", ""))
    header = {
        "game": {"name": game.name, "variants": [f"{k}={v}" for k, v in options.items()]},
        "site": {"name": tags.get("Site", SITE), "gameid": record.id},
        "date-start": started,
        "date-end": ended,
        "date-generated": _time(book.now()),
        "players": [_player(record, seat, outcome, tags) for seat in seats(record)],
    }
    if "Event" in tags and "Round" in tags:  # the schema wants both or none
        header |= {"event": tags["Event"], "round": tags["Round"]}
    if record.header.position is not None:
        header["startingPosition"] = record.header.position
    return header


def _player(
    record: MatchRecord, seat: int, outcome: Outcome, tags: dict[str, str]
) -> dict[str, Any]:
    drew = not outcome.winners and seat in record.state.position.playing
    return {
        "name": tags.get(f"Seat{seat}", f"seat {seat}"),
        "is_ai": False,
        "result": int(drew or seat in outcome.winners),
        "seat": seat,
    }


def _dates(record: MatchRecord, day: str) -> tuple[str, str]:
    """Return when a match began and ended: from its events, or an older record's date tag."""
    created = record.header.created
    played = _day(day)
    if played and played.date() < datetime.fromtimestamp(created / 1000).astimezone().date():
        return played.isoformat(), played.isoformat()
    last = max((record.entry(ply.version).at for ply in record.match.line), default=0)
    return _time(created), _time(max(last, created))


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y.%m.%d").replace(tzinfo=UTC)
    except ValueError:
        return None


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


class _Rounds:
    """The line sorted into rounds: a seat that is not after the last one begins a round."""

    def __init__(self, seats: int) -> None:
        self.rounds: list[Round] = []
        self._seats = seats
        self._turn = self._seat = 0
        self._last = RoundEntry("")  # the start, which has no entry

    def add(self, turn: int | None, seat: int, token: str) -> None:
        """Add a seat's event; only a move has a `turn`, and only moves begin rounds."""
        if not self.rounds or (turn is not None and self._is_over(turn, seat)):
            self.rounds.append([None] * self._seats)
        entry = self.rounds[-1][seat - 1]
        self._last = (
            RoundEntry(f"{entry.move} {token}", entry.result) if entry else RoundEntry(token)
        )
        self.rounds[-1][seat - 1] = self._last
        if turn is not None:
            self._turn, self._seat = turn, seat

    def add_result(self, words: str) -> None:
        """Attach an event without a seat to the last event of a seat."""
        self._last.result = "; ".join(filter(None, (self._last.result, words)))

    def _is_over(self, turn: int, seat: int) -> bool:
        played = seat <= self._seat or self.rounds[-1][seat - 1] is not None
        return turn != self._turn and played


def _rounds(record: MatchRecord) -> list[Round]:
    sorted_in = _Rounds(record.match.seats)
    for turn, seat, token in _events(record):
        if seat is None:
            sorted_in.add_result(token)
        else:
            sorted_in.add(turn, seat, token)
    return sorted_in.rounds


def _events(record: MatchRecord) -> Iterator[tuple[int | None, int | None, str]]:
    """Yield turn (of a move), seat and token of each visible event; sealed moves are omitted."""
    state = record.match.start
    for ply in record.match.line:
        if ply.version not in record.secrets:
            turn = state.position.turn if isinstance(ply.event, Moved | Stood) else None
            yield turn, getattr(ply.event, "seat", None), _token(record, ply.event)
            if isinstance(ply.event, Stood):
                yield None, None, f"against {ply.event.clause}; it stood: {ply.event.position}"
        state = ply.state


def _token(record: MatchRecord, event: LineEvent) -> str:
    match event:
        case Ruled(reason=reason):
            return ": ".join(filter(None, (tokens.write(record.game, event), reason)))
        case Adjusted():
            return f"position set to {event.position}: {event.reason}"
        case Stood():
            return event.token
    return tokens.split(tokens.write(record.game, event)).body


def _round_entries(entries: Round) -> list[RoundEntry | str | None]:
    return [entry.move if entry and entry.result is None else entry for entry in entries]
