"""Referee the matches of one ruleset under another one, and find where the two first differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.events import LineEvent, Moved, State, outcome_words
from domain.game import Game, OptionError
from domain.match import open_match
from domain.position import Violation
from domain.position_text import PositionError
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord, header_of


class RulesDifference(Struct, frozen=True):
    """The first ply of a match that another ruleset judges differently.

    Ply 0 is the start. `clause` is the rule that refuses the event; it is empty if the event is
    legal and the state after it differs.
    """

    match: str
    ply: int
    text: str
    clause: str
    message: str


class RulesComparison(Struct, frozen=True):
    """A match that was refereed under another ruleset, and the difference, if there is one."""

    match: str
    plies: int
    difference: RulesDifference | None = None


def compare_rules(book: Book, old: Game[Any], new: Game[Any]) -> Iterator[RulesComparison]:
    """Yield each match of the `old` ruleset as the `new` ruleset judges it, and no other matches.

    Raises `Usage` for rulesets of different games, or for the same ruleset twice.
    """
    if old.slug != new.slug or old.ruleset == new.ruleset:
        raise Usage(f"{old.ruleset} and {new.ruleset} are not two rulesets of one game")
    for stream in book.store.matches():
        if header_of(stream).rules == old.ruleset:
            record = book.read(stream)
            yield RulesComparison(record.id, len(record.match.line), find_difference(record, new))


def find_difference(record: MatchRecord, new: Game[Any]) -> RulesDifference | None:
    """Return where another ruleset first judges a match differently, or `None`."""
    header, game = record.header, record.game
    try:
        options = new.options(**header.options)
        state = open_match(
            new, options, header.seats, header.position, unjudged=header.unjudged
        ).state
    except (TypeError, OptionError, PositionError) as error:
        return RulesDifference(record.id, 0, "", "", f"it cannot be set up: {error}")
    for number, ply in enumerate(record.match.line, 1):
        text = game.write(ply.event.move) if isinstance(ply.event, Moved) else ""
        event = _translated(ply.event, text, new)
        judged = event if isinstance(event, Violation) else event.check(state) or event
        if isinstance(judged, Violation):
            return RulesDifference(record.id, number, text, judged.clause, judged.words())
        state, _ = judged.evolve(state)
        told, before = _standing(state), _standing(ply.state)
        if told != before:
            message = f"{new.ruleset}: {told}; {game.ruleset}: {before}"
            return RulesDifference(record.id, number, text, "", message)
    return None


def _translated(event: LineEvent, text: str, new: Game[Any]) -> LineEvent | Violation:
    """Return an event in another ruleset of its game, or why that notation lacks the move."""
    if not isinstance(event, Moved):
        return event
    move = new.parse(text)
    return new.malformed(text) if move is None else replace(event, move=move)


def _standing(state: State) -> str:
    """Say who must or may act next, or how the match ended."""
    if state.outcome is not None:
        return outcome_words(state.outcome)
    return ", ".join(f"seat {one.seat} {one.what}" for one in state.awaiting()) or "nobody acts"
