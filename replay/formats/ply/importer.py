"""Import text records into the book, and build their lines event by event.

A record's digest is in the name of a fact, which the store can look up. It covers names and
comments. Erasing one of them erases the digest too, or it would confirm a guessed name.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from domain.events import LineEvent, Ply, State
from domain.game import Game
from domain.match import unrevealed_plies
from domain.position import Violation
from replay import registry
from replay.annotations.events import Annotation, Commented, Glyphed, encode_notes
from replay.annotations.notation import read_marks
from replay.book import OTHER_TAGS, Book
from replay.formats.ply.doubts import storable
from replay.formats.ply.lexer import RecordLexeme
from replay.formats.ply.model import POSITION_TAG, Node, Record, RecordLine
from replay.formats.ply.referee import LineCursor
from replay.formats.ply.writer import write_record
from replay.library.text_search import derive_texts
from replay.record.match_creation import (
    MatchCredentials,
    NewLine,
    NewVariation,
    line_of,
    new_match_id,
)
from replay.record.match_record import Header, MatchRecord
from replay.store.hash_chain import chain_events
from replay.store.people_chain import SEAT_TAG
from replay.store.types import Creation, MetadataItem, NewEvent, Stream, Text
from replay.tags.match_tags import IMPORTED, KEPT_TAGS
from replay.tags.names import SCOREKEEPER, UNKNOWN


class Draft:
    """A line being parsed. Remarks on its last event are collected until the next event."""

    __slots__ = (
        "cursor",
        "event",
        "glyphs",
        "nodes",
        "opened",
        "remarks",
        "start",
        "turn",
        "variations",
    )

    def __init__(self, game: Game[Any], start: State, opened: RecordLexeme | None = None) -> None:
        self.cursor = LineCursor(game, start)
        self.opened = opened
        self.nodes: list[Node] = []
        self.start: tuple[str, ...] = ()
        self.event: LineEvent | None = None
        self._clear()

    def _clear(self) -> None:
        self.glyphs: set[int] = set()
        self.remarks: list[str] = []
        self.variations: list[RecordLine] = []

    def play(self, text: str) -> Violation | None:
        """Add an event, or return the rule that it breaks."""
        turn = self.cursor.state.position.turn
        event = self.cursor.play(text)
        if isinstance(event, Violation):
            return event
        self._finish()
        self.event, self.turn = event, turn
        return None

    def _finish(self) -> None:
        """Add to the line the last event with its remarks, or the remarks before any event."""
        if self.event is None:
            self.start = tuple(self.remarks)
        elif self.glyphs or self.remarks or self.variations:
            glyphs = tuple(sorted(self.glyphs))
            remarks, variations = tuple(self.remarks), tuple(self.variations)
            self.nodes.append(Node(self.event, self.turn, glyphs, remarks, variations))
        else:
            self.nodes.append(Node(self.event, self.turn))
            return
        self._clear()

    def line(self) -> RecordLine:
        """Return the complete line of the match to be imported."""
        self._finish()
        return RecordLine(tuple(self.nodes), self.start)


def fact_of(record: Record) -> str:
    """Return the name of the fact that marks a match as imported from this record."""
    return IMPORTED + hashlib.sha256(write_record(record).encode()).hexdigest()


PAIRED: Final = "paired"
"""The value of the fact that matches of the same players, event, round and date share."""
PAIRING: Final = ("Event", "Round", "Date", POSITION_TAG)


def pairing_fact(record: Record) -> dict[str, str]:
    """Return the metadata that matches of a record's pairing share; empty without players.

    Its name begins like that of an import, so that erasing a name erases both.
    """
    if all(name in ("", UNKNOWN) for name in record.players.values()):
        return {}
    played = (record.game.ruleset, record.game.set_options(record.match.options))
    pairing = [record.tag(name) for name in PAIRING]
    said = msgspec.json.encode((played, sorted(record.players.items()), pairing))
    return {IMPORTED + hashlib.sha256(said).hexdigest(): PAIRED}


def find_imported(book: Book, fact: str) -> Stream | None:
    """Return a match with such a fact, perhaps in the trash, or `None`."""
    having = MetadataItem(fact, "")
    for trashed in (False, True):
        for stream in book.store.matches(trashed=trashed, having=having):
            return stream
    return None


class NewRecord(NamedTuple):
    """A record that is about to be stored: its line, and the store's creations for it.

    `left_out` counts the variations that are not among the stored `variations`.
    """

    line: NewLine
    creations: list[Creation]
    variations: int
    left_out: int


class ImportedRecord(NamedTuple):
    """A stored match, and the number of its stored variations.

    A variation that begins while a move is sealed, and stays so in the line that it leaves, is
    omitted: it could reveal the move.
    """

    record: MatchRecord
    variations: int
    left_out: int


def import_record(book: Book, record: Record) -> MatchRecord:
    """Store a record as a new match with its variations, all or nothing, and return it."""
    return imported(book, record).record


def imported(
    book: Book,
    record: Record,
    credentials: MatchCredentials | None = None,
    facts: Mapping[str, str] | None = None,
) -> ImportedRecord:
    """Store a record with its comments, glyphs and variations, and count the variations.

    `credentials` set the id and the tokens of the match. `facts` are stored with the record's own.
    """
    new = prepare(book, record, {fact_of(record): "", **(facts or {})}, credentials)
    return ImportedRecord(book.store_new(new.line, new.creations), new.variations, new.left_out)


def prepare(
    book: Book,
    record: Record,
    more_facts: Mapping[str, str],
    credentials: MatchCredentials | None = None,
) -> NewRecord:
    """Prepare a record for storing, with more facts than its own; nothing is stored yet."""
    game, match = record.game, record.match
    credentials = credentials or MatchCredentials(new_match_id())
    header = Header(
        credentials.id,
        game.ruleset,
        match.seats,
        game.set_options(match.options),
        book.now(),
        position=record.tag(POSITION_TAG),
        package=registry.package_of(game),
    )
    players = record.players
    said = (storable(ply.event, players) for ply in match.line)
    events = [book.encode(game, event, SCOREKEEPER) for event in said]
    line = line_of(header, match, events)
    kept = [_branch(book, each, players) for each in _storable(record)]
    facts = {**_facts(record), **more_facts, **pairing_fact(record)}
    notes = encode_notes(book, line_annotations(record.line), SCOREKEEPER)
    more = {
        "held": credentials.held,
        "keys": credentials.keys,
        "texts": _texts(facts, notes),
    }
    creations = book.creations(line, kept, metadata=facts, notes=notes, **more)
    return NewRecord(line, creations, len(kept), _count(record.line) - len(kept))


def _texts(facts: Mapping[str, str], notes: Sequence[NewEvent]) -> list[Text]:
    return derive_texts(facts, chain_events(0, b"", notes))


def repeat_answer(recorded: MatchRecord, record: Record) -> ImportedRecord:
    """Return the result of an earlier import of a record as this match."""
    variations = sum(1 for _ in _storable(record))
    return ImportedRecord(recorded, variations, _count(record.line) - variations)


class _Variation(NamedTuple):
    """A variation, and its host and ply as `NewVariation` counts them."""

    leaves: int
    ply: int
    line: RecordLine


def _storable(record: Record) -> Iterator[_Variation]:
    """Yield the variations to store, each after its host, alternatives in their order."""
    lines = deque([(record.match.line, _Variation(0, 0, record.line))])
    for number in itertools.count():
        if not lines:
            return
        plies, (_, start, line) = lines.popleft()
        if not any(node.variations for node in line.nodes):
            continue
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


def _branch(book: Book, variation: _Variation, players: Mapping[int, str]) -> NewVariation:
    leaves, ply, line = variation
    notes = encode_notes(book, line_annotations(line, ply), SCOREKEEPER)
    events = [(storable(node.event, players), SCOREKEEPER) for node in line.nodes]
    return NewVariation(leaves, ply, events, notes, _texts({}, notes))


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
        if tag.name in KEPT_TAGS or (tag.value and SEAT_TAG.fullmatch(tag.name))
    }
    if record.others:
        facts[OTHER_TAGS] = msgspec.json.encode(record.others).decode()
    return facts


def line_annotations(line: RecordLine, start: int = 0) -> Iterator[Annotation]:
    """Yield a record's annotations of a line whose events are the versions after `start`."""
    yield from _comment_annotations(start, line.comments)
    for version, node in enumerate(line.nodes, start + 1):
        yield from (Glyphed(version, glyph) for glyph in node.glyphs)
        yield from _comment_annotations(version, node.comments)


def _comment_annotations(on: int, comments: Sequence[str]) -> Iterator[Annotation]:
    marks = read_marks(comments[-1], on) if comments else ()
    yield from (Commented(on, text) for text in comments[: -1 if marks else None])
    yield from marks
