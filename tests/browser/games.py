"""Recorded games to enter by taps: the shortest complete ones of the fixtures."""

from __future__ import annotations

import re

from domain.entry import move_text
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.paths import FIXTURES


def shortest(game: str) -> Record:
    """Return the shortest recorded game of two seats that ended by the rules."""
    text = (FIXTURES / game / "games.ply").read_text(encoding="utf-8")
    ended = (record for record in read_records(text) if _is_ended(record))
    return min(ended, key=lambda record: len(record.match.line))  # type: ignore[union-attr]


def _is_ended(record: object) -> bool:
    if not isinstance(record, Record) or record.match.seats != 2:
        return False
    outcome = record.match.state.outcome
    return outcome is not None and bool(re.match("[A-Z]{3}-", outcome.clause))


def written(record: Record) -> list[str]:
    """Return the texts of the record's events, each with its seat."""
    return [
        token if re.match(r"\d:", token) else f"{ply.event.seat}:{token}"  # type: ignore[union-attr]
        for ply in record.match.line
        for token in [move_text.write(record.game, ply.event)]
    ]
