"""Judge the beginning of a move: its continuations, or the clause that refuses them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from domain.entry import move_text
from domain.events import LineEvent, Moved, State
from domain.game import Game
from domain.notation import Unfinished
from domain.position import Move, Violation

FEW: Final = 300
"""Try up to this many move texts of a secret move; if there are more, offer the next part only."""

MAX_TRIED: Final = 64
"""The number of move texts of a kind that are tried to find out why none is legal."""

RANK: Final = {"turn": 1, "form": 2}
"""Clauses that are cited only if no rule of the game is violated."""


def candidate_seats(state: State, seat: int | None) -> tuple[int, ...]:
    """Return the seats that may be meant: the given seat, or all awaited, required ones first."""
    if seat is not None:
        return (seat,)
    awaited = state.awaiting()
    urgent = sorted(awaited, key=lambda one: not one.must)
    return tuple(dict.fromkeys(one.seat for one in urgent)) or state.position.playing


def listed_moves(state: State, seat: int) -> Iterator[Move[Any]]:
    """Yield the legal moves that the game lists. A finished or unjudged match yields none."""
    return iter(()) if state.outcome or state.unjudged else state.game.legal(state.position, seat)


def unlisted_kinds(game: Game[Any], state: State, seat: int) -> list[type[Move[Any]]]:
    """Return the kinds of moves that are not listed, and for which a seat is awaited."""
    awaited = state.awaiting()
    tags = {tag for one in awaited if one.seat == seat for tag in one.moves}
    kinds = (kind for kind in game.moves if not kind.listed)
    return [kind for kind in kinds if kind.__struct_config__.tag in tags]


def parse_move(kind: type[Move[Any]], body: str) -> Move[Any]:
    """Return the move of a text of its kind."""
    fields = kind.notation.read(body)
    assert fields is not None
    return kind(*fields)


def can_try_all(unfinished: Unfinished) -> bool:
    """Return whether there are few enough move texts to try them all."""
    return 0 < unfinished.size <= FEW


def legal_moves(
    state: State, seat: int, kind: type[Move[Any]], unfinished: Unfinished
) -> Iterator[Move[Any]]:
    """Yield the legal moves among a few move texts."""
    for body in unfinished.some(FEW):
        move = parse_move(kind, body)
        if Moved(seat, move).check(state) is None:
            yield move


Known = dict[type[Move[Any]], list[set[str]]]
"""For kinds of moves that are legal now, the texts of each of their parts."""


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
    """A move text to be tried, and the number of similar move texts that it represents."""

    text: str
    weight: float


def explaining_texts(
    front: str, kind: type[Move[Any]], unfinished: Unfinished, known_parts: Known
) -> Iterator[Try]:
    """Yield the move texts that best explain why none is legal, each after `front`.

    A text fills open parts with as little as possible, taken from legal moves: after a small
    pyramid and a square were picked, the explanation is about the small pyramid.
    """
    every = unfinished.plain
    likely = every.within(known_parts[kind]) if kind in known_parts else every
    texts = list(likely.some(MAX_TRIED))
    return (Try(front + text, min(every.size, MAX_TRIED) / len(texts)) for text in texts)


def best_refusal(
    game: Game[Any], state: State, seat: int | None, tries: Iterable[Try]
) -> Violation | None:
    """Return the best reason why all these move texts are refused, or `None` without a refusal.

    It cites the clause that refuses most of them, with its most frequent message.
    """
    weights: dict[Violation, float] = {}
    for text, weight in tries:
        violation = _refusal(game, state, seat, text)
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
    event = move_text.read(game, state, text, seat)
    return event if isinstance(event, Violation) else event.check(state)


Verdict = Literal["illegal", "incomplete", "complete"]


class Completion(Struct, frozen=True):
    """The judgement of the beginning of a move text.

    `violation` is the reason if it is illegal, `event` the event if it is complete. `continuations`
    are longer beginnings, each longer by one part, sorted by code point; a complete text can have
    continuations too.
    """

    verdict: Verdict
    violation: Violation | None = None
    event: LineEvent | None = None
    continuations: tuple[str, ...] = ()


def entry(game: Game[Any], state: State, seat: int | None, prefix: str) -> Completion:
    """Judge the beginning of a move text that `seat` enters; `None` means any awaited seat.

    A seat in the move text takes precedence over `seat`. Every continuation leads to a legal event,
    except for secret moves with too many texts: theirs follow the notation only. Resignations and
    other match events are offered from their first letter on.

    >>> from domain.games import built_in
    >>> from domain.match import open_match
    >>> game = built_in("poptrix")
    >>> state = open_match(game).state
    >>> entry(game, state, None, "M").verdict, entry(game, state, None, "x").verdict
    ('incomplete', 'illegal')
    >>> entry(game, state, 1, "M@c").continuations
    ('M@c1',)
    """
    event = move_text.read(game, state, prefix, seat)
    refused = event if isinstance(event, Violation) else event.check(state)
    onward = tuple(sorted(set(_continuations(game, state, seat, prefix))))
    if not isinstance(event, Violation) and refused is None:
        return Completion("complete", event=event, continuations=onward)
    secret = _secret(game, state, seat, prefix)
    if onward or not all(begun.unfinished.size for begun in secret):
        return Completion("incomplete", continuations=onward)
    assert refused is not None
    # A complete move text is refused for its own reason; a misread text may be a beginning.
    misread = isinstance(event, Violation) and event.clause not in ("form", "over", "turn")
    whole = refused.clause != "form" and (game.script is not None or not misread)
    reason = refused if whole else _reason(game, state, seat, prefix)
    # Where a broken rule is only proven, moves that are not listed are taken, too.
    taken = reason is None and by_notation(game, state, seat, prefix).verdict == "incomplete"
    return Completion("incomplete") if taken else Completion("illegal", reason or refused)


def by_notation(game: Game[Any], state: State, seat: int | None, prefix: str) -> Completion:
    """Judge the beginning only by the notation, for a viewer who may not know the legal moves."""
    event = move_text.read(game, state, prefix, seat)
    if not isinstance(event, Violation):
        return Completion("complete", event=event)
    body = move_text.split(prefix).body
    begun = any(True for kind in game.moves for _ in kind.notation.beginning(body))
    return Completion("incomplete") if begun else Completion("illegal", event)


class BegunTexts(NamedTuple):
    """The move texts of a kind of move that begin with a prefix; their body begins with `rest`."""

    seat: int
    front: str
    kind: type[Move[Any]]
    rest: str
    unfinished: Unfinished


def _continuations(game: Game[Any], state: State, seat: int | None, prefix: str) -> Iterator[str]:
    for speaker in _speakers(state, seat, prefix):
        for move in listed_moves(state, speaker):
            for front, rest in _required_fronts(game, type(move), speaker, prefix):
                yield from _next_step(front, move, rest)
            if prefix and game.script:
                text = game.script.write(state.position, move)
                if text.startswith(prefix) and text != prefix:
                    yield text
    for begun in _secret(game, state, seat, prefix):
        yield from _grow(state, begun)
    for word in _words(state, prefix):
        event = move_text.read(game, state, word)
        if word != prefix and not isinstance(event, Violation) and event.check(state) is None:
            yield word


def _speakers(state: State, seat: int | None, prefix: str) -> tuple[int, ...]:
    return candidate_seats(state, move_text.split(prefix).seat or seat)


def _fronts(seat: int, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the possible seat prefixes, none or the seat, each with the beginning of the body."""
    yield "", prefix
    front = f"{seat}:"
    if prefix.startswith(front) or front.startswith(prefix):
        yield front, prefix[len(front) :]


def _required_fronts(
    game: Game[Any], kind: type[Move[Any]], seat: int, prefix: str
) -> Iterator[tuple[str, str]]:
    """Yield the seat prefixes with which a kind of move is written: the seat if required.

    Otherwise the seat is used only if the prefix begins with it, or with a digit that begins no
    move.
    """
    for front, rest in _fronts(seat, prefix):
        if kind.names_seat:
            if front:
                yield front, rest
        elif not front or prefix.startswith(front) or (prefix and not _begins(game, prefix)):
            yield front, rest


def _begins(game: Game[Any], prefix: str) -> bool:
    """Return whether move texts without a seat begin with a prefix."""
    kinds = (kind for kind in game.moves if not kind.names_seat)
    return any(next(kind.notation.beginning(prefix), None) is not None for kind in kinds)


def _next_step(front: str, move: Move[Any], rest: str) -> Iterator[str]:
    body = move.notation.write(move)
    if body.startswith(rest) and body != rest:
        yield front + move.notation.step(body, len(rest))


def _secret(game: Game[Any], state: State, seat: int | None, prefix: str) -> Iterator[BegunTexts]:
    for speaker in _speakers(state, seat, prefix):
        for kind in unlisted_kinds(game, state, speaker):
            for front, rest in _required_fronts(game, kind, speaker, prefix):
                for unfinished in kind.notation.beginning(rest):
                    yield BegunTexts(speaker, front, kind, rest, unfinished)


def _grow(state: State, begun: BegunTexts) -> Iterator[str]:
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
    seat, body = move_text.split(prefix)
    front = f"{seat}:" if seat else ""
    winners = (f"+{seat}" for seat in state.position.playing)
    rulings = (f"ruled={result}" for result in (*winners, "=", "*"))
    words = (*(front + word for word in move_text.OF_A_SEAT), *rulings)
    return [word for word in words if body and word.startswith(prefix)]


def _reason(game: Game[Any], state: State, seat: int | None, prefix: str) -> Violation | None:
    """Return why no legal move begins with the prefix; `None` if no move text begins with it."""
    tries: list[Try] = []
    for number, speaker in enumerate(_speakers(state, seat, prefix)):
        seen = known_parts(state, speaker)
        for front, rest in _fronts(speaker, prefix):
            # Without a seat in front, only one seat can be meant.
            if front or not number:
                for kind in game.moves:
                    for unfinished in kind.notation.beginning(rest):
                        tries += explaining_texts(front, kind, unfinished, seen)
    words = (Try(word, 1) for word in _words(state, prefix))
    return best_refusal(game, state, seat, [*tries, *words])
