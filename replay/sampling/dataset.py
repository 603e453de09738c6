"""Data sets of judged moves: half of them illegal, spread over the clauses that they break.

A data set consists of rounds. The moves of a round follow only from the seed and its number, so
processes can make rounds at the same time. Items are chosen from the rounds in their order: a data
set is the same whatever the number of processes.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from domain.entry import move_text
from domain.events import Moved, State
from domain.game import Game
from domain.match import open_match
from domain.position import Position, Violation
from replay import registry, rules_text
from replay.drawing.text import draw
from replay.errors import Usage
from replay.processes import ProcessPool
from replay.sampling.moves import changed, random_of, random_turn, setups

MATCHES: Final = 4
"""The matches of a round."""

PAIRS: Final = 30
"""A round gives at most this many legal moves, and as many illegal moves."""

OFFERED: Final = 25
"""A round offers at most this many illegal moves of a clause."""

BARREN: Final = 40
"""The data set ends after this many rounds in a row without a new pair."""

FEW: Final = 400
"""Up to this many items, this process makes all, because starting others takes longer."""
PLIES: Final = 200
"""A match without an end stops after this many moves."""
ATTEMPTS: Final = 40
"""The moves that are tried in each position."""


class JudgedMove(Struct, frozen=True):
    """A move in a position, with the answer of the referee.

    `moves` led to the position from the start. `drawing` is the view of the seat. `position` is the
    text of the position; null in a game without position texts. `clause`, its text `words` and the
    `message` are null if the move is legal.
    """

    ruleset: str
    seats: int
    options: dict[str, Any]
    moves: tuple[str, ...]
    position: str | None
    drawing: str
    seat: int
    move: str
    legal: bool
    clause: str | None
    words: str | None
    message: str | None
    squares: tuple[str, ...]


class Round(NamedTuple):
    """A round of a data set: the ruleset, the seed and the number of the round."""

    ruleset: str
    seed: int
    number: int


class SampledMove(NamedTuple):
    """An encoded item with the clause that its move breaks; the clause is empty for a legal move.

    `key` is a digest of the position, the seat and the move.
    """

    key: bytes
    clause: str
    line: bytes


def judged_moves(game: Game[Any], items: int, seed: int) -> Iterator[bytes]:
    """Yield a number of different items as lines of JSON, half of them illegal moves.

    Raises `Usage` after the last item if the game has fewer items, and at once for a game whose
    moves contain free text.
    """
    try:
        for kind in game.moves:
            random_of(kind, Random(seed))
    except TypeError as error:
        raise Usage(f"no moves of {game.name} can be drawn at random: {error}") from None
    rounds = (Round(game.ruleset, seed, number) for number in itertools.count())
    chosen = Selection(items)
    apart = candidates if items > FEW else None
    with ProcessPool(candidates, apart, enough=0) as pool:
        for one in rounds:
            for found in pool.put(one, 1):
                yield from chosen.choose(found)
                if not chosen.left:
                    return
                if chosen.barren == BARREN:
                    made = items - chosen.left
                    raise Usage(f"only {made} different moves of {game.name} were found")


class Selection:
    """Chooses the items of a data set from the candidates of its rounds."""

    def __init__(self, items: int) -> None:
        self.left = items
        """The number of items still to be chosen."""
        self.barren = 0
        """The number of rounds in a row without a new pair."""
        self._clauses = Counter[str]()
        self._keys = set[bytes]()

    def choose(self, found: list[SampledMove]) -> list[bytes]:
        """Choose as many legal as illegal moves from the candidates of the next round."""
        fresh = {each.key: each for each in found if each.key not in self._keys}
        legal = [each for each in fresh.values() if not each.clause]
        illegal = [each for each in fresh.values() if each.clause]
        # The last item of an odd number is legal.
        pairs = min(len(illegal), len(legal), PAIRS, self.left // 2)
        singles = pairs + (self.left - 2 * pairs == 1 and len(legal) > pairs)
        chosen = [*legal[:singles], *self._evenly(illegal, pairs)]
        self.barren = 0 if chosen else self.barren + 1
        self.left -= len(chosen)
        self._keys.update(each.key for each in chosen)
        # The digests are as good as random, so the order does not reveal which moves are legal.
        return [each.line for each in sorted(chosen)]

    def _evenly(self, illegal: list[SampledMove], number: int) -> Iterator[SampledMove]:
        """Yield illegal moves, each time of the clause with the fewest moves so far."""
        waiting = dict[str, list[SampledMove]]()
        for each in illegal:
            waiting.setdefault(each.clause, []).append(each)
        for _ in range(number):
            clause = min(filter(waiting.get, waiting), key=lambda one: (self._clauses[one], one))
            self._clauses[clause] += 1
            yield waiting[clause].pop()


def candidates(one: Round) -> list[SampledMove]:
    """Return the candidates of a round: more legal and illegal moves than it will give."""
    game, rng = registry.find(one.ruleset), Random(f"{one.seed}/{one.number}")
    known = frozenset(rules_text.clauses(game))
    by_clause = dict[str, dict[bytes, Trial]]()
    for trial in itertools.chain.from_iterable(trials(game, rng) for _ in range(MATCHES)):
        if trial.violation is None or trial.clause in known:
            by_clause.setdefault(trial.clause, {})[trial.key] = trial
    return [
        SampledMove(key, clause, msgspec.json.encode(_item(found[key])))
        for clause, found in sorted(by_clause.items())
        for key in _some(list(found), OFFERED if clause else 2 * PAIRS, rng)
    ]


def _some(keys: list[bytes], most: int, rng: Random) -> list[bytes]:
    return rng.sample(keys, min(len(keys), most))


def _item(trial: Trial) -> JudgedMove:
    place, event, violation = trial
    game = place.state.game
    return JudgedMove(
        game.ruleset,
        place.seats,
        place.options,
        place.played,
        place.text,
        draw(game.scene(place.state.position.view(event.seat))),
        event.seat,
        move_text.write(game, event),
        violation is None,
        violation.clause if violation else None,
        rules_text.words(game, violation.clause) if violation else None,
        violation.words() if violation else None,
        violation.squares if violation else (),
    )


class SampledPlace(NamedTuple):
    """A position of a random match: its setup, the moves that led there, its state and its text."""

    seats: int
    options: dict[str, Any]
    played: tuple[str, ...]
    state: State
    text: str | None


class Trial(NamedTuple):
    """A move in a position, and why it is illegal, if it is."""

    place: SampledPlace
    event: Moved
    violation: Violation | None

    @property
    def clause(self) -> str:
        """The clause that the move breaks; empty for a legal move."""
        return self.violation.clause if self.violation else ""

    @property
    def key(self) -> bytes:
        """The digest of the position, the seat and the move."""
        place = self.place
        parts = (place.seats, place.options, place.text or place.state.position, self.event)
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).digest()


def trials(game: Game[Any], rng: Random) -> Iterator[Trial]:
    """Play a random match, and yield its moves and the moves that were tried on the way."""
    for place, event in _places(game, rng):
        tried = itertools.chain([event], _attempts(game, place.state.position, rng))
        for each in dict.fromkeys(tried):
            yield Trial(place, each, each.check(place.state))


def _places(game: Game[Any], rng: Random) -> Iterator[tuple[SampledPlace, Moved]]:
    """Yield the positions of a random match, each with the move that was made there."""
    seats, options = rng.choice(setups(game))
    chosen, state = game.set_options(options), open_match(game, options, seats).state
    played = tuple[str, ...]()
    while state.outcome is None and len(played) < PLIES:
        event = random_turn(game, state.position, rng)
        text = game.write_position(state.position) if game.text else None
        yield SampledPlace(seats, chosen, played, state, text), event
        played = (*played, move_text.write(game, event))
        state, _ = event.evolve(state)


def _attempts(game: Game[Any], position: Position, rng: Random) -> Iterator[Moved]:
    """Yield moves of the awaited seats, half of them legal moves with one field changed."""
    legal = list(game.legal_moves(position))
    awaited = position.awaiting()
    for number in range(ATTEMPTS):
        if legal and number % 2:
            seat, move = rng.choice(legal)
            yield Moved(seat, changed(move, rng))
        else:
            yield Moved(rng.choice(awaited).seat, random_of(rng.choice(game.moves), rng))
