"""Judge a match of a free board by the rules of a real game.

The pictures of the two boards are compared, so the game needs no knowledge of free boards. A move
of the game is legal if it leads to a later picture of the board. Several changes of the free board
may make one move: castling moves two pieces, and a pawn that captures and is promoted takes three
changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from domain.entry import move_text
from domain.entry.taps import picked
from domain.events import Moved, State, outcome_words
from domain.game import Game
from domain.games.free_board import GAME as FREE_BOARD
from domain.games.free_board.moves import Pass
from domain.games.free_board.pieces import KINDS, Set
from domain.games.free_board.position import Layout, places
from domain.match import Match, open_match
from domain.names import UNNAMED, Names
from domain.position import Violation
from domain.reconstruction.steps import moves_at
from domain.scene import Grid, Piece
from replay import rules_text
from replay.errors import Usage
from replay.fields import EventText
from replay.referee.unjudged import BrokenPly

MAX_CHANGES: Final = 8
"""The most changes of the board that can be one move of the game."""

LIGHT: Final = ("light", "clear", "seat1")
DARK: Final = ("dark", "black", "seat2")

Laid = Mapping[str, tuple[str, ...]]
"""The pieces on each occupied place, from the bottom up, as the free board writes them."""


class JudgedAs(Struct, frozen=True):
    """A match of a free board as a game reads it: the moves, and the first ply that breaks a rule.

    `moves` are the moves before that ply. Pieces placed before the start of the game count as
    set-up.
    """

    moves: tuple[EventText, ...]
    """The moves before it, in the notation of the game."""
    broken: BrokenPly | None = None
    """The first ply that breaks a rule, or null."""


class Change(NamedTuple):
    """A ply of the free board that passed or changed the pieces, and the pieces after it."""

    ply: int
    text: str
    picks: tuple[str, ...]
    laid: Laid

    @property
    def is_pass(self) -> bool:
        """Whether it changed nothing."""
        return not self.picks


class Reading(NamedTuple):
    """A state of the game that has the same pieces as the board, and the moves that led to it."""

    state: State
    moves: tuple[EventText, ...]


def judge_as(match: Match, game: Game[Any], names: Names = UNNAMED) -> JudgedAs:
    """Judge a match of a free board by a game's rules. Raises `Usage` if that is impossible."""
    _check_games(match, game)
    changes = list(_changes(match))
    begun, pieces = open_match(game).state, _layout(match.state).pieces
    first = _laid(begun, pieces)
    start = next((at for at, each in enumerate(changes) if each.laid == first), None)
    if start is None:
        differs = _difference(first, changes[0].laid, game)
        raise Usage(f"the board never shows the start of {game.name}; {differs} at ply 0")
    reached: list[list[Reading]] = [[] for _ in changes]
    reached[start].append(Reading(begun, ()))
    for at in range(start, len(changes) - 1):
        for reading in reached[at]:
            for to, next_reading in _onward(reading, changes, at, pieces):
                if all(one.state.position != next_reading.state.position for one in reached[to]):
                    reached[to].append(next_reading)
    furthest = max(at for at, readings in enumerate(reached) if readings)
    found = reached[furthest][0]
    if furthest == len(changes) - 1:
        return JudgedAs(found.moves)
    wrong = changes[furthest + 1]
    refused = _refusal(found.state, wrong, pieces, names)
    words = rules_text.words(game, refused.clause)
    message = refused.words(names)
    return JudgedAs(found.moves, BrokenPly(wrong.ply, wrong.text, refused.clause, words, message))


def _check_games(match: Match, game: Game[Any]) -> None:
    if match.game.slug != FREE_BOARD.slug:
        raise Usage(f"this is a match of {match.game.name}; give a match of a free board")
    if match.start.unjudged:
        raise Usage("this match is unjudged; judge it as a free board first")
    if 2 not in game.seats or game.has_secrets or any(move.chance for move in game.moves):
        raise Usage(f"a free board has two seats and no secrets or dice, unlike {game.name}")
    if not game.lists_all:
        raise Usage(f"{game.name} cannot list its moves, so it cannot judge a free board")


def _changes(match: Match) -> Iterator[Change]:
    """Yield the start, and each ply that passed or changed the pieces."""
    before = _placed(match.start)
    yield Change(0, "", (), before)
    for number, ply in enumerate(match.line, 1):
        laid = _placed(ply.state)
        move = ply.event.move if isinstance(ply.event, Moved) else None
        if laid != before or isinstance(move, Pass):
            fields = (getattr(move, name, "") for name in ("piece", "from_", "at", "to"))
            picks = tuple(filter(None, fields)) if laid != before else ()
            yield Change(number, move_text.write(match.game, ply.event), picks, laid)
        before = laid


def _placed(state: State) -> Laid:
    layout = _layout(state)
    stacks = zip(places(layout.size), layout.stacks, strict=True)
    return {at: stack for at, stack in stacks if stack}


def _layout(state: State) -> Layout:
    assert isinstance(state.position, Layout)
    return state.position


def _laid(state: State, pieces: Set) -> Laid:
    """Return the pieces in a game's picture, written as on the free board."""
    panels = state.game.scene(state.position.view(None)).panels
    return {
        cell.at.lower(): tuple(_code(piece, pieces) for piece in cell.pieces)
        for panel in panels
        if isinstance(panel, Grid)
        for cell in panel.cells
        if cell.pieces
    }


def _code(piece: Piece, pieces: Set) -> str:
    """Return a piece as the free board writes it, or the words for a piece that it lacks."""
    side = "w" if piece.colour in LIGHT else "b" if piece.colour in DARK else ""
    match pieces:
        case "letters":
            return piece.text
        case "pyramids" if piece.size:
            kind = KINDS["pyramids"][piece.size - 1]
        case "chess":
            kind = piece.text[:1].upper()
        case "draughts":
            kind = "K" if piece.text else "M"
        case _:
            kind = ""
    return side + kind if side else f"{piece.colour} {piece.shape}"


def _onward(
    reading: Reading, changes: Sequence[Change], at: int, pieces: Set
) -> Iterator[tuple[int, Reading]]:
    """Yield the changes that a reading can explain next, each with the reading after it."""
    if changes[at + 1].is_pass:
        yield at + 1, reading
    later = changes[at + 1 : at + 1 + MAX_CHANGES]
    for moved, state, laid in _successors(reading.state, pieces):
        text = move_text.write(state.game, moved)
        for to, change in enumerate(later, at + 1):
            if change.laid == laid and (laid != changes[at].laid or change.is_pass):
                yield to, Reading(state, (*reading.moves, text))
                break


def _successors(state: State, pieces: Set) -> Iterator[tuple[Moved, State, Laid]]:
    for moved in moves_at(state):
        after, _ = moved.evolve(state)
        yield moved, after, _laid(after, pieces)


def _refusal(state: State, wrong: Change, pieces: Set, names: Names) -> Violation:
    """Return why no move of the game explains a change."""
    if state.outcome is not None:
        message = f"{state.game.name} was over: {outcome_words(state.outcome, names)}"
        return Violation("over", message)
    entered = [picked(state.game, state, None, one) for one in _taps(wrong.picks, state, pieces)]
    refusals = [one.violation for one in entered if one.violation]
    cited = [one for one in refusals if one.clause != "form"]
    if len(refusals) == len(entered) and cited:
        return max(cited, key=lambda one: _place_in_rules(one.clause))
    onward = {text for one in entered for text in one.texts}
    written = [
        (move_text.write(state.game, one), laid) for one, _, laid in _successors(state, pieces)
    ]
    near = [each for each in written if each[0] in onward] or written
    text, laid = min(near, key=lambda each: len(_differing(each[1], wrong.laid)))
    differs = _difference(laid, wrong.laid, state.game)
    return Violation("form", f"no move of {state.game.name} does this; after {text} {differs}")


def _taps(picks: tuple[str, ...], state: State, pieces: Set) -> Iterator[tuple[str, ...]]:
    """Yield the taps by which a change may have to be entered in a game.

    A piece that is put down is named by its kind, and may come from any piece on the board.
    """
    first, *rest = picks
    if not rest or first[0] not in "wb" or first[1:].isdigit():
        yield picks
        return
    put = (first[1:], *rest) if first[1:] else (*rest,)
    yield put
    yield from ((at, *put) for at in _laid(state, pieces) if first[1:])


def _place_in_rules(clause: str) -> list[int]:
    """Return the numbers of a clause: of several refusals the last is nearest to a legal move."""
    return [int(number) for number in re.findall(r"\d+", clause)]


def _differing(one: Laid, other: Laid) -> list[str]:
    return sorted(at for at in {**one, **other} if one.get(at) != other.get(at))


def _difference(right: Laid, laid: Laid, game: Game[Any]) -> str:
    """Name the place where a board differs from the game's."""
    at = _differing(right, laid)[0]
    here, there = ("+".join(each.get(at, ())) or "nothing" for each in (laid, right))
    return f"{at} has {there} in {game.name}, and {here} on the board"
