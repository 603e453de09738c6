"""Judge the beginning of a move: whether it is legal, and its continuations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from domain.entry import tokens
from domain.entry.candidates import (
    Try,
    best_refusal,
    can_try_all,
    candidate_seats,
    explaining_tokens,
    known_parts,
    legal_moves,
    listed_moves,
    parse_move,
    secret_kinds,
)
from domain.events import LineEvent, Moved, State
from domain.game import Game
from domain.position import Move, Violation
from domain.prefixes import Unfinished

Verdict = Literal["illegal", "incomplete", "complete"]


class Completion(Struct, frozen=True):
    """The judgement of the beginning of a token.

    `violation` is the reason if it is illegal, `event` the event if it is complete. `continuations`
    are longer beginnings, each longer by one part, sorted by code point; a complete token can have
    continuations too.
    """

    verdict: Verdict
    violation: Violation | None = None
    event: LineEvent | None = None
    continuations: tuple[str, ...] = ()


def entry(game: Game[Any], state: State, seat: int | None, prefix: str) -> Completion:
    """Judge the beginning of a token that `seat` enters; `None` means any awaited seat.

    A seat in the token takes precedence over `seat`. The continuations are exactly those that lead
    to a legal event, except for secret moves with too many tokens: theirs are those of the
    notation. Resignations and other match events are offered from their first letter on.
    """
    event = tokens.read(game, state, prefix, seat)
    refused = event if isinstance(event, Violation) else event.check(state)
    onward = tuple(sorted(set(_continuations(game, state, seat, prefix))))
    if not isinstance(event, Violation) and refused is None:
        return Completion("complete", event=event, continuations=onward)
    secret = _secret(game, state, seat, prefix)
    if onward or not all(begun.unfinished.size for begun in secret):
        return Completion("incomplete", continuations=onward)
    assert refused is not None
    # A complete token has a reason of its own.
    whole = refused.clause != "form"
    return Completion(
        "illegal", refused if whole else _reason(game, state, seat, prefix) or refused
    )


class BegunTokens(NamedTuple):
    """The tokens of a kind of move that begin with a prefix; their body begins with `rest`."""

    seat: int
    front: str
    kind: type[Move[Any]]
    rest: str
    unfinished: Unfinished


def _continuations(game: Game[Any], state: State, seat: int | None, prefix: str) -> Iterator[str]:
    for speaker in _speakers(state, seat, prefix):
        for move in listed_moves(state, speaker):
            for front, rest in _required_fronts(type(move), speaker, prefix):
                yield from _next_step(front, move, rest)
    for begun in _secret(game, state, seat, prefix):
        yield from _grow(state, begun)
    for word in _words(state, prefix):
        event = tokens.read(game, state, word)
        if word != prefix and not isinstance(event, Violation) and event.check(state) is None:
            yield word


def _speakers(state: State, seat: int | None, prefix: str) -> tuple[int, ...]:
    return candidate_seats(state, tokens.split(prefix).seat or seat)


def _fronts(seat: int, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the possible seat prefixes, none or the seat, each with the beginning of the body."""
    yield "", prefix
    front = f"{seat}:"
    if prefix.startswith(front) or front.startswith(prefix):
        yield front, prefix[len(front) :]


def _required_fronts(kind: type[Move[Any]], seat: int, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the seat prefixes with which a kind of move is written: the seat if required.

    Otherwise the seat is used only if the prefix begins with it.
    """
    for front, rest in _fronts(seat, prefix):
        if (front and (kind.names_seat or prefix)) or not (front or kind.names_seat):
            yield front, rest


def _next_step(front: str, move: Move[Any], rest: str) -> Iterator[str]:
    body = move.notation.write(move)
    if body.startswith(rest) and body != rest:
        yield front + move.notation.step(body, len(rest))


def _secret(game: Game[Any], state: State, seat: int | None, prefix: str) -> Iterator[BegunTokens]:
    for speaker in _speakers(state, seat, prefix):
        for kind in secret_kinds(game, state, speaker):
            for front, rest in _required_fronts(kind, speaker, prefix):
                for unfinished in kind.notation.beginning(rest):
                    yield BegunTokens(speaker, front, kind, rest, unfinished)


def _grow(state: State, begun: BegunTokens) -> Iterator[str]:
    """Yield the continuations of a secret kind: legal ones, if all can be tried."""
    seat, front, kind, rest, unfinished = begun
    if can_try_all(unfinished):
        for move in legal_moves(state, seat, kind, unfinished):
            yield from _next_step(front, move, rest)
        return
    for head, ended in unfinished.grown(len(rest)):
        if not ended or Moved(seat, parse_move(kind, head)).check(state) is None:
            yield front + head


def _words(state: State, prefix: str) -> list[str]:
    """Return the match events that begin with a non-empty prefix."""
    seat, body = tokens.split(prefix)
    front = f"{seat}:" if seat else ""
    winners = (f"+{seat}" for seat in state.position.playing)
    rulings = (f"ruled={result}" for result in (*winners, "=", "*"))
    words = (*(front + word for word in tokens.OF_A_SEAT), *rulings)
    return [word for word in words if body and word.startswith(prefix)]


def _reason(game: Game[Any], state: State, seat: int | None, prefix: str) -> Violation | None:
    """Return why nothing legal begins with the prefix; `None` if no token begins with it."""
    tries: list[Try] = []
    for number, speaker in enumerate(_speakers(state, seat, prefix)):
        seen = known_parts(state, speaker)
        for front, rest in _fronts(speaker, prefix):
            # Without a seat in front, only one seat can be meant.
            if front or not number:
                for kind in game.moves:
                    for unfinished in kind.notation.beginning(rest):
                        tries += explaining_tokens(front, kind, unfinished, seen)
    words = (Try(word, 1) for word in _words(state, prefix))
    return best_refusal(game, state, seat, [*tries, *words])
