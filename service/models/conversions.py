"""Convert events and legal moves of `replay` into the models of the API."""

from __future__ import annotations

from replay.match_record import MatchRecord
from replay.reading import hints, timeline
from service.models import responses


def line_event(entry: timeline.TimelineEntry) -> responses.Event:
    """Convert an event of the line."""
    return responses.Event(
        entry.ply,
        entry.version,
        entry.turn,
        entry.seat,
        entry.type,
        entry.token,
        entry.words(),
        entry.effects,  # type: ignore[arg-type]  # structs with a `type`, encoded as objects
        entry.actor,
        entry.at,
        entry.used,
        entry.hash,
        entry.note,
        entry.amended,
    )


def legal_choices(recorded: MatchRecord, seat: int) -> list[responses.Choice]:
    """Convert the legal moves of a seat, with the fields that are picked for each."""
    return [
        responses.Choice(one.token, tuple(responses.Field(*field) for field in one.fields))
        for one in hints.legal_choices(recorded, seat)
    ]
