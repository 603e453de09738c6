"""Recorded matches as data for generated clients, which know nothing of Plybook's Python."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.entry.move_text import write
from domain.events import Moved
from domain.games import BUILT_IN
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.paths import ROOT


def whole_matches() -> tuple[list[dict[str, Any]], list[Any]]:
    """Return a complete match of each game as request bodies, and the outcomes."""
    matches = [match_of(slug) for slug in BUILT_IN]
    return [match for match, _ in matches], [outcome for _, outcome in matches]


def whole_record(slug: str) -> Record:
    """Return the first complete recorded game."""
    text = (ROOT / "fixtures" / slug / "games.ply").read_text(encoding="utf-8")
    records = (each for each in read_records(text) if isinstance(each, Record))
    return next(each for each in records if each.match.state.outcome is not None)


def match_of(slug: str) -> tuple[dict[str, Any], Any]:
    """Return the recorded match of a game as request bodies, with its outcome.

    Moves are sent as JSON; in Pyramid Ball each by its own seat, so that its programs are secret.
    """
    record = whole_record(slug)
    assert record.match.state.outcome is not None
    opening = {
        "game": slug,
        "seats": record.match.seats,
        "options": msgspec.to_builtins(record.match.options),
    }
    events = [entry(record, ply.event) for ply in record.match.line]
    match = {"opening": opening, "events": events, "by_seats": slug == "pyramid-ball"}
    return match, record.match.state.outcome.to_dict()


def entry(record: Record, event: Any) -> dict[str, Any]:
    """Return an event as the API takes it."""
    if isinstance(event, Moved):
        return {"move": msgspec.json.decode(msgspec.json.encode(event.move)), "seat": event.seat}
    token = write(record.game, event)
    seat = getattr(event, "seat", None)
    return {"text": token if seat is None or token[1:2] == ":" else f"{seat}:{token}"}
