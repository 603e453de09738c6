"""Import text records into the book."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from domain.events import Ply, State
from replay.access.credentials import MatchTokens
from replay.annotations import encode_notes, line_annotations
from replay.book import Book, NewVariation
from replay.formats.ply.model import SEAT_TAG, Record, RecordLine
from replay.match_record import MatchRecord
from replay.referee.entering import SCOREKEEPER
from replay.referee.sealed_moves import unrevealed_plies

KEPT_TAGS = ("Date", "Site")
OTHER_TAGS = "Tags"
"""The fact that holds the tags without a fact of their own, as JSON."""
POSITION_TAG = "Position"
"""The tag of a record with a set position; the fact keeps its place among the others."""


class ImportedRecord(NamedTuple):
    """A stored match, and the number of its stored variations.

    A variation that begins while a move is sealed, and stays so in the line that it leaves, is
    omitted: it could reveal the move.
    """

    recorded: MatchRecord
    variations: int
    left_out: int


def import_record(book: Book, record: Record) -> MatchRecord:
    """Store a record as a new match with its variations, all or nothing, and return it."""
    return imported(book, record).recorded


def imported(book: Book, record: Record, founding: MatchTokens | None = None) -> ImportedRecord:
    """Store a record with its comments, glyphs and variations, and count the variations.

    `founding` sets the id and the tokens of the match.
    """
    match = record.match
    kept = list(_storable(record))
    recorded = book.create(
        record.game,
        options=record.game.set_options(match.options),
        seats=match.seats,
        position=record.tag(POSITION_TAG),
        facts=_facts(record),
        events=[(ply.event, SCOREKEEPER) for ply in match.line],
        notes=encode_notes(book, line_annotations(record.line), SCOREKEEPER),
        branches=[_branch(book, each) for each in kept],
        charter=founding.charter(match.seats) if founding else None,
    )
    return repeat_answer(recorded, record)


def repeat_answer(recorded: MatchRecord, record: Record) -> ImportedRecord:
    """Return the result of an earlier import of a record as this match."""
    variations = sum(1 for _ in _storable(record))
    return ImportedRecord(recorded, variations, _count(record.line) - variations)


class _Variation(NamedTuple):
    """A variation, and its host and ply as `replay.book.NewVariation` counts them."""

    leaves: int
    ply: int
    line: RecordLine


def _storable(record: Record) -> Iterator[_Variation]:
    """Yield the variations to store, each after its host, those of one event in order."""
    lines = deque([(record.match.line, _Variation(0, 0, record.line))])
    for number in itertools.count():
        if not lines:
            return
        plies, (_, start, line) = lines.popleft()
        silent = unrevealed_plies(plies)
        for ply, node in enumerate(line.nodes, start):
            if not node.variations:
                continue
            state = plies[ply - 1].state if ply else record.match.start
            sealed = state.position.sealed
            if any(seat in sealed for each, seat in silent.items() if each <= ply):
                continue
            for inside in node.variations:
                variation = _Variation(number, ply, inside)
                lines.append(((*plies[:ply], *_played(state, inside)), variation))
                yield variation


def _played(state: State, line: RecordLine) -> Iterator[Ply]:
    for node in line.nodes:
        state, effects = node.event.evolve(state)
        yield Ply(node.event, 0, state, effects)


def _branch(book: Book, variation: _Variation) -> NewVariation:
    leaves, ply, line = variation
    notes = encode_notes(book, line_annotations(line, ply), SCOREKEEPER)
    return NewVariation(leaves, ply, [(node.event, SCOREKEEPER) for node in line.nodes], notes)


def _count(line: RecordLine) -> int:
    """Count the variations inside a line, including nested ones."""
    lines, count = [line], -1
    while lines:
        count += 1
        lines += (inside for node in lines.pop().nodes for inside in node.variations)
    return count


def _facts(record: Record) -> dict[str, str]:
    facts = {
        tag.name: tag.value
        for tag in record.tags
        if tag.name in KEPT_TAGS or SEAT_TAG.fullmatch(tag.name)
    }
    if record.others:
        facts[OTHER_TAGS] = msgspec.json.encode(record.others).decode()
    return facts
