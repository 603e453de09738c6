"""Random records with random variations, comments and glyphs, for tests of forks and files."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from domain.entry.move_text import write
from domain.events import LineEvent, State
from domain.game import Game
from domain.match import open_match
from plybook.testing.subjects import random_event
from replay.annotations.editing import annotate
from replay.annotations.notation import PLACE, Wording
from replay.book import Book
from replay.branches.forks import fork, hide, promote
from replay.corrections.adjustments import adjust, write_position_at
from replay.corrections.amendments import amend, plan_deletion, plan_replacement
from replay.corrections.takebacks import take_back
from replay.errors import Refused, Usage
from replay.formats.ply.model import Node, Record, RecordLine
from replay.formats.ply.writer import write_record
from replay.record.addresses import Address
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.tags.match_tags import Tag

WORDS = ("calm", "sharper", "or else", "é ∞", "(x)", "$3")


def random_text(game: Game[Any], seed: int, plies: int = 12) -> str:
    """Return a random record in canonical form: a line, and variations that nest."""
    rng = Random(seed)
    seats = rng.choice(game.seats)
    match = open_match(game, None, seats)
    events = _events(game, match.start, rng, plies)
    for event in events:
        match = match.evolve(event)
    tags = tuple(Tag(f"Seat{seat}", f"Player {seat}") for seat in range(1, seats + 1))
    return write_record(Record(tags, match, _line(game, match.start, events, rng, 3)))


def _events(game: Game[Any], state: State, rng: Random, limit: int) -> list[LineEvent]:
    events: list[LineEvent] = []
    while state.outcome is None and len(events) < limit:
        events.append(random_event(game, state, rng))
        state, _ = events[-1].evolve(state)
    return events


def _line(
    game: Game[Any], state: State, events: list[LineEvent], rng: Random, depth: int
) -> RecordLine:
    """Return a line of these events with remarks, and with variations nested up to `depth`."""
    comments, nodes = _comments(game, rng), []
    for event in events:
        turn = state.position.turn
        variations = []
        while depth and rng.random() < 0.15:
            other = _events(game, state, rng, rng.randint(1, 4))
            if rng.random() < 0.2:
                other = [event]  # a variation that repeats the event it replaces
            variations.append(_line(game, state, other, rng, depth - 1))
        glyphs = tuple(sorted({rng.randint(0, 255) for _ in range(rng.choice((0, 0, 1, 2)))}))
        nodes.append(Node(event, turn, glyphs, _comments(game, rng), tuple(variations)))
        state, _ = event.evolve(state)
    return RecordLine(tuple(nodes), comments)


def _comments(game: Game[Any], rng: Random) -> tuple[str, ...]:
    return tuple(_comment(game, rng) for _ in range(rng.choice((0, 0, 0, 1, 2))))


def _comment(game: Game[Any], rng: Random) -> str:
    """Return words, or a circle on the board of the game, if it has one."""
    place = _place(game)
    return rng.choice((*WORDS, f"[%csl G{place}]") if place else WORDS)


@cache
def _place(game: Game[Any]) -> str:
    start = open_match(game, None, game.seats[0]).start.position
    places = game.scene(start.view(None)).places
    return min(filter(re.compile(PLACE).fullmatch, places), default="")


def random_book(book: Book, game: Game[Any], seed: int, deeds: int = 30) -> list[str]:
    """Open a match, and record, fork, edit, annotate, hide and promote; return all match ids."""
    rng = Random(seed)
    ids = [book.create(NewMatch(game)).id]
    for _ in range(deeds):
        record = book.open(rng.choice(ids))
        with suppress(Refused, Usage):  # some of these deeds are refused
            ids += _do(book, record, rng)
    return ids


def _do(book: Book, record: MatchRecord, rng: Random) -> list[str]:
    """Change a match at random; return the ids of new matches."""
    ply = rng.randint(0, len(record.match.line))
    match rng.choice(("play", "play", "play", "fork", "fork", "annotate", "back", "amend", "rare")):
        case "play":
            events = _events(record.game, record.state, rng, rng.randint(1, 5))
            play(book, record, events)
        case "fork":
            kind = rng.choice(("variation", "variation", "variation", "match"))
            version = rng.choice((None, rng.randint(0, record.match.version)))
            return [fork(book, *book.at(Address(record.id, ply, version)), kind).id]
        case "annotate":
            glyphs = (f"${rng.randint(1, 255)}",) if ply and rng.random() < 0.5 else ()
            annotate(book, record, ply, Wording(_comment(record.game, rng), glyphs))
        case "back":
            take_back(book, record, ply)
        case "amend" if ply and rng.random() < 0.5:
            amend(book, plan_deletion(record, ply))
        case "amend" if ply:
            event = random_event(record.game, record.match.at(ply - 1), rng)
            amend(book, plan_replacement(record, ply, write(record.game, event)))
        case "rare":
            _do_rarely(book, record, rng)
    return []


def _do_rarely(book: Book, record: MatchRecord, rng: Random) -> None:
    match rng.choice(("hide", "promote", "promote", "trash", "adjust")):
        case "hide":
            hide(book, record)
        case "promote":
            promote(book, record)
        case "trash":
            book.store.trash(record.stream.id).result()
        case "adjust":
            ply = rng.randint(0, len(record.match.line))
            adjust(book, record, write_position_at(record, ply), "so it stood")
