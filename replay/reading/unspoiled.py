"""Read a match without spoilers: ply by ply, and guess the next move."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.entry.taps import Choice
from domain.events import LineEvent, Moved
from domain.game import Game
from domain.position import Secret, Violation
from replay.reading import hints
from replay.record.dice import ROLL
from replay.record.match_record import MatchRecord

UNCLEAR: Final = "this can mean several moves"


class Guess(Struct, frozen=True):
    """The verdict on a guess: whether the move is legal, and whether it was played.

    `violation` is the broken rule, `event` the interpretation of the text. `played` is `None` if no
    move was recorded there, and for a secret move, which guesses must not reveal.
    """

    legal: bool
    played: bool | None = None
    violation: Violation | None = None
    event: LineEvent | None = None


def shorten(record: MatchRecord, ply: int) -> MatchRecord:
    """Return a match whose line is cut at a ply; its version and its log stay the same."""
    line = record.match.line[: record.ply(ply)]
    return replace(record, match=replace(record.match, line=line))


def unspoil(record: MatchRecord, ply: int) -> MatchRecord:
    """Return a match as if no more than its first plies had been recorded.

    Its version is the number of the ply, because the true version reveals the length of the record.
    It has no seed, no clocks and no request to take back: they belong to the whole match. Once that
    has ended, its legal moves are listed.
    """
    legal = record.header.legal if record.state.outcome is None else "listed"
    first = shorten(record, ply)
    match = replace(first.match, version=ply, asked=None, seed=None, aside=None)
    return replace(first, header=replace(first.header, legal=legal), match=match, times=None)


def guessable(game: Game[Any], choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices that a reader can guess: all but rolls."""
    return tuple(choice for choice in choices if not _is_chance(game, choice.text))


def guess(record: MatchRecord, ply: int, picks: str) -> Guess:
    """Judge picks, separated by commas, as a guess of the move after a ply.

    A move text is a pick as well. Raises `UnknownAddress` for a ply beyond the line.
    """
    before = unspoil(record, ply)
    event = _guessed(before, picks)
    if isinstance(event, Violation):
        return Guess(False, violation=event)
    line = record.match.line
    if ply == len(line) or (isinstance(event, Moved) and isinstance(event.move, Secret)):
        return Guess(True, event=event)
    return Guess(True, event == line[ply].event, event=event)


def _guessed(before: MatchRecord, picks: str) -> LineEvent | Violation:
    if any(choice.text == picks for choice in _choices(before)):
        return move_text.read(before.game, before.state, picks)
    found = hints.picked(before, None, picks)
    return found.event or found.violation or Violation("form", UNCLEAR)


def _choices(before: MatchRecord) -> list[Choice]:
    seats = dict.fromkeys(one.seat for one in before.state.awaiting())
    return [each for seat in seats for each in hints.legal_choices(before, seat)]


def _is_chance(game: Game[Any], text: str) -> bool:
    body = move_text.split(text).body
    move = game.parse(body)
    return body == ROLL or (move is not None and move.chance)
