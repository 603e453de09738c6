"""Positions of OpenSpiel by their actions, and what each seat learns of an action.

Only this module imports `pyspiel`, when a game is first used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import lcm
from random import Random
from typing import Any, NamedTuple

from plybook.game import Awaited, Outcome, Position, TextCodec, View, fields, read_turn

MAX_SIDES = 2**32
"""The sides of a die for probabilities that are no simple fractions."""


class Line(NamedTuple):
    """A game as OpenSpiel names it, `go(board_size=9)`, its seats, and the actions so far."""

    name: str
    seats: int
    actions: tuple[int, ...] = ()

    def then(self, action: int) -> Line:
        """Return the line with one action more."""
        return self._replace(actions=(*self.actions, action))


@cache
def load(name: str, seats: int) -> Any:
    """Load a game for a number of seats, if that can be chosen."""
    import pyspiel

    game, parameters = pyspiel.load_game(name), pyspiel.game_parameters_from_string(name)
    if "players" in game.get_type().parameter_specification:
        parameters["players"] = seats
    return pyspiel.load_game(parameters.pop("name"), parameters)


@lru_cache(maxsize=4096)
def state(line: Line) -> Any:
    """Return the state after the actions. It is shared: clone it to change it."""
    if not line.actions:
        return load(line.name, line.seats).new_initial_state()
    # The state before is mostly known; every fiftieth is made anew, or recursion goes too deep.
    before = line.actions[:-1] if len(line.actions) % 50 else ()
    found = state(line._replace(actions=before)).clone()
    for action in line.actions[len(before) :]:
        found.apply_action(action)
    return found


@lru_cache(maxsize=4096)
def choices(line: Line) -> dict[str, int]:
    """Return the actions of the player who is to act, or of chance, by OpenSpiel's words."""
    at, found = state(line), dict[str, int]()
    chance = at.is_chance_node()
    for action in (each[0] for each in at.chance_outcomes()) if chance else at.legal_actions():
        words = " ".join(at.action_to_string(at.current_player(), action).split())
        found[f"{words} #{action}" if words in found else words] = action
    return found


def knowledge(at: Any, seat: int) -> str:
    """Return all that a seat knows, or, if the game does not say, what it sees."""
    if at.get_game().get_type().provides_information_state_string:
        return str(at.information_state_string(seat - 1))
    return str(at.observation_string(seat - 1))


@lru_cache(maxsize=4096)
def owner(line: Line) -> int:
    """Return the only seat that learns the next action, or 0 if all seats do.

    A seat learns it if it knows different things after different actions, or sees another seat to
    be next. Raises `ValueError` if some seats learn it, or if a seat learns a part of it: no record
    can hold that.
    """
    at, knowing = state(line), []
    after = [at.child(action) for action in choices(line).values()]
    for seat in range(1, line.seats + 1):
        known = {(knowledge(each, seat), each.current_player()) for each in after}
        forced = len(after) == 1 and knowledge(after[0], seat) != knowledge(at, seat)
        if forced or len(known) == len(after) > 1 or seat == at.current_player() + 1:
            knowing.append(seat)
        elif len(known) > 1:
            raise ValueError(f"seat {seat} learns a part of {next(iter(choices(line)))!r}")
    if len(knowing) not in (1, line.seats):
        raise ValueError(f"the seats {knowing} learn {next(iter(choices(line)))!r}")
    return 0 if len(knowing) == line.seats else knowing[0]


def actor(line: Line) -> int:
    """Return the seat that acts next; it enters what chance brings before, if all may see it."""
    at = state(line).clone()
    while at.is_chance_node():
        at.apply_action(max(at.chance_outcomes(), key=lambda outcome: outcome[1])[0])
    return max(1, int(at.current_player()) + 1)


def weights(chances: Sequence[float]) -> list[int]:
    """Return whole numbers in the ratio of probabilities.

    They are exact for fractions with a denominator up to 10,000 whose sum is 1. Others are as close
    as a die with 2**32 sides comes: none differs by more than 2**-32.
    """
    exact = [Fraction(chance).limit_denominator(10_000) for chance in chances]
    sides = lcm(*(each.denominator for each in exact))
    close = all(abs(each - chance) < 1e-9 for each, chance in zip(exact, chances, strict=True))
    if close and sum(exact) == 1 and sides <= MAX_SIDES:
        return [int(each * sides) for each in exact]
    ends = [round(MAX_SIDES * end / sum(chances)) for end in accumulate(chances)]
    return [after - before for before, after in pairwise([0, *ends])]


def random_lines(name: str, seats: int, matches: int = 4) -> Iterator[Line]:
    """Yield the points of some random matches, at most 150 of each; always the same ones."""
    for seed in range(matches):
        rng, line = Random(seed), Line(name, seats)
        while choices(line) and len(line.actions) < 150:
            yield line
            line = line.then(rng.choice(list(choices(line).values())))


@cache
def known_words(name: str, seats: int, chance: bool) -> tuple[str, ...]:
    """Return up to 1,000 words for actions, or for what chance brings, from random matches."""
    lines = (line for line in random_lines(name, seats) if state(line).is_chance_node() == chance)
    return tuple(dict.fromkeys(words for line in lines for words in choices(line)))[:1000]


TASKS = {
    "act": "move",
    "hide": "move in secret",
    "roll": "enter what chance brings",
    "deal": "enter what chance brings, in secret",
}
"""What a seat has to do, by the tag of its move."""


class Seen(View, frozen=True):
    """A position with secrets as a seat knows it, or (0) a spectator: the open moves."""

    seat: int
    text: str


class Played(Position, frozen=True):
    """The actions so far; `owners` are the seats that alone know each, 0 for an open one.

    A game without secrets has no owners. `earlier` counts the turns before a wrong deal.
    """

    line: Line
    hidden: bool = False
    owners: tuple[int, ...] = ()
    earlier: int = 0

    @property
    def turn(self) -> int:
        """Each action is a turn, also one of chance (OSP-1.2)."""
        return self.earlier + len(self.line.actions) + 1

    @property
    def playing(self) -> tuple[int, ...]:
        """All seats, always."""
        return tuple(range(1, self.line.seats + 1))

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats with secrets, until OpenSpiel ends the game (OSP-2.5)."""
        return tuple(sorted({*self.owners} - {0})) if choices(self.line) else ()

    @property
    def guarded(self) -> tuple[int, ...]:
        """The same: what a seat may do can depend on what only it knows."""
        return self.sealed

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the seat that acts, that learns what chance brings, or that acts after it."""
        if not choices(self.line):
            return ()
        alone = owner(self.line) if self.hidden else 0
        tag = [*TASKS][2 * state(self.line).is_chance_node() + bool(alone)]
        return (Awaited(alone or actor(self.line), TASKS[tag], (tag,)),)

    def outcome(self) -> Outcome | None:
        """Turn the returns into winners and scores (OSP-3.1)."""
        if choices(self.line):
            return None
        returns = state(self.line).returns()
        low = min(returns) if len(returns) > 1 else 0
        best = tuple(seat for seat in self.playing if returns[seat - 1] == max(returns) > low)
        counts = load(self.line.name, self.line.seats).max_utility() > 1
        counts = counts and all(float(each).is_integer() for each in returns)
        return Outcome("OSP-3.1", best, tuple(map(int, returns)) if counts else ())

    def view(self, seat: int | None) -> View:
        """Return what a seat knows, or the open moves; everything after the end."""
        who = seat if seat in self.playing else 0
        return _seen(self, who or 0) if self.hidden and choices(self.line) else self


@lru_cache(maxsize=1024)
def _seen(position: Played, seat: int) -> Seen:
    line, words = position.line, []
    if seat:
        return Seen(seat, knowledge(state(line), seat))
    for at, (action, alone) in enumerate(zip(line.actions, position.owners, strict=True)):
        listed = choices(line._replace(actions=line.actions[:at]))
        words += ["(secret)"] if alone else [each for each in listed if listed[each] == action]
    return Seen(0, "\n".join(words))


def write(position: Played) -> str:
    """Write the game, its actions by number, the seat that acts, and the turn."""
    played = ",".join(map(str, position.line.actions)) or "-"
    return f"{position.line.name} {played} {_acting(position)} {position.turn}"


def _acting(position: Played) -> str:
    return "".join(str(one.seat) for one in position.awaiting()) or "-"


def read(position: Played, text: str) -> Played:
    """Play the actions of a text. Raises `PositionError`."""
    name, played, seat, turn = fields(text, ["the game", "the actions", "the seat", "the turn"])
    found = Played(position.line._replace(actions=()))
    name.choice("the game", {found.line.name: None})
    for part in played.split(",") if played.text != "-" else ():
        action = part.number("an action", 0, 999_999)
        if action not in choices(found.line).values():
            raise part.wrong(f"OpenSpiel does not list the action {part.shown} here")
        found = Played(found.line.then(action))
    seat.choice("the seat", {_acting(found): None})
    if read_turn(turn) != found.turn:
        raise turn.wrong(f"after these actions comes turn {found.turn}, not {turn.shown}")
    return found


TEXT = TextCodec(write, read)
