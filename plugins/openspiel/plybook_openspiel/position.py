"""Positions of OpenSpiel by their actions, and what each seat learns of an action.

Only this module imports `pyspiel`, when a game is first used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from plybook.game import Awaited, Outcome, Position, TextCodec, View, fields


class Line(NamedTuple):
    """A game as OpenSpiel names it, `go(board_size=9)`, its seats, and the actions so far."""

    name: str
    seats: int
    actions: tuple[int, ...] = ()

    def then(self, *actions: int) -> Line:
        """Return the line with more actions."""
        return self._replace(actions=(*self.actions, *actions))


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
    # The state before is mostly known; every fiftieth is built in full, or recursion is too deep.
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

    A seat learns it if it knows different things after different actions, or sees that a different
    seat is next. Raises `ValueError` if some seats learn it, or if a seat learns a part of it: no
    record can hold that.
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
    """Return the seat that acts next; it also enters the public outcomes of chance before that."""
    at = state(line).clone()
    while at.is_chance_node():
        at.apply_action(max(at.chance_outcomes(), key=lambda outcome: outcome[1])[0])
    return max(1, int(at.current_player()) + 1)


@cache
def known_words(name: str, seats: int, chance: bool) -> dict[str, int]:
    """Return up to 1,000 actions, or outcomes of chance, by their words, from four random matches.

    They are always the same matches; at most 150 actions of each are looked at.
    """
    found = dict[str, int]()
    for line in random_lines(name, seats):
        if state(line).is_chance_node() == chance:
            found |= choices(line)
    return dict([*found.items()][:1000])


def random_lines(name: str, seats: int) -> Iterator[Line]:
    """Yield the points of some random matches."""
    for seed in range(4):
        rng, line = Random(seed), Line(name, seats)
        while choices(line) and len(line.actions) < 150:
            yield line
            line = line.then(rng.choice(list(choices(line).values())))


def possible(line: Line, known: Sequence[int | None]) -> Iterator[Line]:
    """Yield the lines that continue with the known actions, and with any in place of `None`."""
    if not known:
        yield line
        return
    # Cards that come later are tried last, or the search would go back for them.
    for action in sorted(choices(line).values(), key=known[1:].__contains__):
        if known[0] in (None, action):
            yield from possible(line.then(action), known[1:])


@lru_cache(maxsize=4096)
def imagined(line: Line, owners: tuple[int, ...], seat: int) -> Line | None:
    """Return a possible line with the actions that a seat knows (0: all seats), or `None`."""
    pairs = zip(line.actions, owners, strict=True)
    known = [action if alone in (0, seat) else None for action, alone in pairs]
    return next(possible(line._replace(actions=()), known), None)


class Seen(View, frozen=True):
    """A position with secrets as a seat knows it, or (0) a spectator: the open moves."""

    seat: int
    text: str


class Played(Position, frozen=True):
    """The actions so far; `owners` has the only seat that knows each, 0 for an open one.

    A game without secrets has no owners. The line of a `false` one has an impossible outcome of
    chance, like a card twice, and no seat may notice it before the end. `earlier` counts the turns
    before the game started over.
    """

    line: Line
    hidden: bool = False
    owners: tuple[int, ...] = ()
    false: bool = False
    earlier: int = 0

    @property
    def turn(self) -> int:
        """Each action is a turn, even one of chance (OSP-1.2)."""
        return self.earlier + len(self.line.actions) + 1

    @property
    def playing(self) -> tuple[int, ...]:
        """All seats, always."""
        return tuple(range(1, self.line.seats + 1))

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats with secrets, until OpenSpiel ends the game (OSP-2.5)."""
        return tuple(sorted({*self.owners} - {0})) if choices(self.known()) else ()

    @property
    def guarded(self) -> tuple[int, ...]:
        """The seats with secrets, because the legal moves of a seat can depend on these."""
        return self.sealed

    def known(self, seat: int = 0) -> Line:
        """Return the line; for a false one, a possible line that agrees with a seat's knowledge."""
        if not self.false:
            return self.line
        found = imagined(self.line, self.owners, seat) or imagined(self.line, self.owners, 0)
        assert found is not None, "`could_be` has refused what all seats know to be impossible"
        return found

    @property
    def alone(self) -> int:
        """The only seat that learns the next action, or 0."""
        return owner(self.known()) if self.hidden else 0

    def could_be(self, action: int) -> bool:
        """Return whether an action fits what the seats that learn it know (OSP-2.4)."""
        return imagined(self.line.then(action), (*self.owners, self.alone), self.alone) is not None

    def then(self, action: int) -> Played:
        """Return the position after an action."""
        owners = (*self.owners, self.alone) if self.hidden else ()
        false = self.false or action not in choices(self.line).values()
        return replace(self, line=self.line.then(action), owners=owners, false=false)

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the seat that acts, that learns an outcome of chance, or that acts after it."""
        line = self.known()
        if not choices(line):
            return ()
        chance, secret = state(line).is_chance_node(), self.alone > 0
        tag = ("act", "hide", "roll", "deal")[2 * chance + secret]
        task = ("move", "enter what chance brings")[chance] + " in secret" * secret
        return (Awaited(self.alone or actor(line), task, (tag,)),)

    def outcome(self) -> Outcome | None:
        """Turn the returns into winners and scores (OSP-3.1)."""
        if choices(self.known()):
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
        return seen(self, who or 0) if self.hidden and choices(self.known()) else self


@lru_cache(maxsize=1024)
def seen(position: Played, seat: int) -> Seen:
    """Return what a seat knows, or for 0 the open moves."""
    line, words = position.known(seat), []
    if seat:
        return Seen(seat, knowledge(state(line), seat))
    for at, (action, alone) in enumerate(zip(line.actions, position.owners, strict=True)):
        listed = choices(line._replace(actions=line.actions[:at]))
        words += ["(secret)"] if alone else [each for each in listed if listed[each] == action]
    return Seen(0, "\n".join(words))


def write(position: Played) -> str:
    """Write the game and its actions by number."""
    return f"{position.line.name} {','.join(map(str, position.line.actions)) or '-'}"


def read(position: Played, text: str) -> Played:
    """Play the actions of a text. Raises `PositionError`."""
    name, played = fields(text, ["the game", "the actions"])
    found = Played(position.line._replace(actions=()))
    name.choice("the game", {found.line.name: None})
    for part in played.split(",") if played.text != "-" else ():
        action = part.number("an action", 0, 999_999)
        if action not in choices(found.line).values():
            raise part.wrong(f"OpenSpiel does not list the action {part.shown} here")
        found = found.then(action)
    return found


TEXT = TextCodec(write, read, write)
