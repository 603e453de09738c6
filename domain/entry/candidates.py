"""Candidates for an incomplete entry: possible moves, and the clause that refuses them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from domain.entry import tokens
from domain.events import Moved, State
from domain.game import Game
from domain.position import Move, Secret, Violation
from domain.prefixes import Unfinished

FEW: Final = 300
"""Up to this many tokens of a secret move are tried; beyond, only the next part is offered."""

TRIED: Final = 64
"""The number of tokens of a kind that are tried to find out why none is legal."""

RANK: Final = {"turn": 1, "form": 2}
"""Clauses that are cited only if no rule of the game is violated."""


def candidate_seats(state: State, seat: int | None) -> tuple[int, ...]:
    """Return the seats that may be meant: the given one, or all awaited, required ones first."""
    if seat is not None:
        return (seat,)
    awaited = state.awaiting()
    urgent = sorted(awaited, key=lambda one: not one.must)
    return tuple(dict.fromkeys(one.seat for one in urgent)) or state.position.playing


def listed_moves(state: State, seat: int) -> Iterator[Move[Any]]:
    """Yield the legal moves that the game lists; none after the end, and while it is quiet."""
    return iter(()) if state.outcome or state.quiet else state.game.legal(state.position, seat)


def secret_kinds(game: Game[Any], state: State, seat: int) -> list[type[Move[Any]]]:
    """Return the secret kinds of moves for which a seat is awaited."""
    awaited = state.awaiting()
    tags = {tag for one in awaited if one.seat == seat for tag in one.moves}
    secret = (kind for kind in game.moves if issubclass(kind, Secret))
    return [kind for kind in secret if kind.__struct_config__.tag in tags]


def parse_move(kind: type[Move[Any]], body: str) -> Move[Any]:
    """Return the move of a token of a kind."""
    fields = kind.notation.read(body)
    assert fields is not None
    return kind(*fields)


def can_try_all(unfinished: Unfinished) -> bool:
    """Return whether there are few enough tokens to try them all."""
    return 0 < unfinished.size <= FEW


def legal_moves(
    state: State, seat: int, kind: type[Move[Any]], unfinished: Unfinished
) -> Iterator[Move[Any]]:
    """Yield the legal moves among a few tokens."""
    for body in unfinished.some(FEW):
        move = parse_move(kind, body)
        if Moved(seat, move).check(state) is None:
            yield move


Known = dict[type[Move[Any]], list[set[str]]]
"""For kinds of moves that are legal now, the texts of each part of their tokens."""


def known_parts(state: State, seat: int) -> Known:
    """Return the parts of the legal moves of a seat."""
    found: Known = {}
    for move in listed_moves(state, seat):
        parts = move.notation.parts
        texts = move.notation.split(move.notation.write(move))
        seen = found.setdefault(type(move), [set() for _ in parts])
        for part, text, some in zip(parts, texts, seen, strict=True):
            some.add(part.written(text))
    return found


class Try(NamedTuple):
    """A token to be tried, and the number of similar tokens that it represents."""

    token: str
    weight: float


def explaining_tokens(
    front: str, kind: type[Move[Any]], unfinished: Unfinished, known_parts: Known
) -> Iterator[Try]:
    """Yield the tokens that best explain why none is legal, each after `front`.

    They add as little as possible, and open parts are as in legal moves: somebody who picked a
    small pyramid and tapped a square wants to know about the small one.
    """
    every = unfinished.plain
    likely = every.within(known_parts[kind]) if kind in known_parts else every
    texts = list(likely.some(TRIED))
    return (Try(front + text, min(every.size, TRIED) / len(texts)) for text in texts)


def best_refusal(
    game: Game[Any], state: State, seat: int | None, tries: Iterable[Try]
) -> Violation | None:
    """Return the best reason why all these tokens are refused, or `None` without a refusal.

    It cites the clause that refuses most of them, with its most frequent message.
    """
    weights: dict[Violation, float] = {}
    for token, weight in tries:
        violation = _refusal(game, state, seat, token)
        if violation is not None:
            weights[violation] = weights.get(violation, 0) + weight
    if not weights:
        return None
    clauses: dict[str, float] = {}
    for violation, weight in weights.items():
        clauses[violation.clause] = clauses.get(violation.clause, 0) + weight
    clause = max(clauses, key=lambda each: (-RANK.get(each, 0), clauses[each]))
    return max((each for each in weights if each.clause == clause), key=weights.__getitem__)


def _refusal(game: Game[Any], state: State, seat: int | None, text: str) -> Violation | None:
    event = tokens.read(game, state, text, seat)
    return event if isinstance(event, Violation) else event.check(state)
