"""What could be meant: the moves to choose from, and the clause that refuses a set of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from domain.entry import tokens
from domain.entry.prefixes import Unfinished
from domain.events import Moved, State
from domain.game import Game
from domain.position import Move, Secret, Violation

FEW: Final = 300
"""So many tokens of a secret kind of move are tried; of more only the next part is offered."""

TRIED: Final = 64
"""How many tokens of a kind are tried to find out why none of them is legal."""

RANK: Final = {"turn": 1, "form": 2}
"""What is cited only where nothing else is; the rules of the game say most."""


def speakers(state: State, seat: int | None) -> tuple[int, ...]:
    """Return whose moves are meant: a seat's, or else of all awaited, first who must act."""
    if seat is not None:
        return (seat,)
    awaited = () if state.outcome else state.position.awaiting()
    urgent = sorted(awaited, key=lambda one: not one.must)
    return tuple(dict.fromkeys(one.seat for one in urgent)) or state.position.playing


def listed(state: State, seat: int) -> Iterator[Move[Any]]:
    """Yield the legal moves that the position lists; none once the match is over."""
    return iter(()) if state.outcome else state.position.legal(seat)


def secret_kinds(game: Game[Any], state: State, seat: int) -> list[type[Move[Any]]]:
    """Return the secret kinds of moves that a seat is awaited with."""
    awaited = () if state.outcome else state.position.awaiting()
    tags = {tag for one in awaited if one.seat == seat for tag in one.moves}
    secret = (kind for kind in game.moves if issubclass(kind, Secret))
    return [kind for kind in secret if kind.__struct_config__.tag in tags]


def made(kind: type[Move[Any]], body: str) -> Move[Any]:
    """Return the move of a token of that kind."""
    fields = kind.notation.read(body)
    assert fields is not None
    return kind(*fields)


def few(unfinished: Unfinished) -> bool:
    """Tell whether all the tokens can be tried."""
    return 0 < unfinished.size <= FEW


def lawful(
    state: State, seat: int, kind: type[Move[Any]], unfinished: Unfinished
) -> Iterator[Move[Any]]:
    """Yield the moves that are by the rules, of tokens of which there are few."""
    for body in unfinished.some(FEW):
        move = made(kind, body)
        if Moved(seat, move).check(state) is None:
            yield move


Known = dict[type[Move[Any]], list[set[str]]]
"""For kinds of moves that are legal now, what each part of their tokens is in one of them."""


def known(state: State, seat: int) -> Known:
    """Return what the legal moves of a seat consist of."""
    found: Known = {}
    for move in listed(state, seat):
        parts = move.notation.parts
        texts = move.notation.split(move.notation.write(move))
        seen = found.setdefault(type(move), [set() for _ in parts])
        for part, text, some in zip(parts, texts, seen, strict=True):
            some.add(part.written(text))
    return found


class Try(NamedTuple):
    """A token tried to find out why none is legal, and how many like it it speaks for."""

    token: str
    weight: float


def tried(front: str, kind: type[Move[Any]], unfinished: Unfinished, known: Known) -> Iterator[Try]:
    """Yield the tokens that tell best why none of them is legal, `front` before each.

    They say no more than they must, and what is open in them is as in legal moves: whoever has
    a small in the hand and taps a square wants to know about the small.
    """
    every = unfinished.plain
    likely = every.within(known[kind]) if kind in known else every
    texts = list(likely.some(TRIED))
    return (Try(front + text, min(every.size, TRIED) / len(texts)) for text in texts)


def cited(
    game: Game[Any], state: State, seat: int | None, tries: Iterable[Try]
) -> Violation | None:
    """Return what says best why all these tokens are refused, or `None` without any that is.

    It cites the clause that refuses most of them, in the words that it does so most often.
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
