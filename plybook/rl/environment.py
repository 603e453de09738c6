"""A game as an environment of PettingZoo, in which agents act one after the other (AEC)."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar, Final, Literal

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from domain.game import Game, OptionError, Options
from domain.position import Awaited, Move, Outcome, Secret, Violation
from plybook.rl.actions import WAIT, Actions, Begun
from replay.drawing.text import draw
from replay.errors import Usage
from replay.registry import find

CHANCE: Final = "chance_0"
"""The agent that rolls, if dice are a player."""

LENGTH: Final = 1024
"""The length of an observation in bytes; texts are shorter, and are filled up with zeros."""
JSON_LENGTH: Final = 8192
"""Its length where it is JSON: cards that fell may say much about hands that nobody knows."""

Dice = Literal["rolled", "player"]
Array = NDArray[np.int8] | NDArray[np.uint8]


def env(
    game: str | Game[Any],
    *,
    seats: int | None = None,
    dice: Dice = "rolled",
    max_moves: int = 1000,
    render_mode: str | None = None,
    **options: str | int,
) -> GameEnv:
    """Return an environment of a game, by its slug or as a value, with options of the game.

    With dice as a "player", the agent `chance_0` chooses what they show. An episode is truncated
    after `max_moves` moves. Raises `Usage` for a game, seats or options that do not exist.
    """
    found = find(game) if isinstance(game, str) else game
    try:
        chosen = found.read_options({name: str(value) for name, value in options.items()})
        found.start(chosen, seats)
    except OptionError as error:
        raise Usage(str(error)) from None
    if dice not in ("rolled", "player"):
        raise Usage(f"{dice!r} is not a way to roll; use rolled or player")
    if dice == "player" and any(kind.chance and not kind.listed for kind in found.moves):
        raise Usage(f"the deal of {found.name} is secret, so no player can choose it")
    return GameEnv(found, chosen, seats or found.seats[0], dice, max_moves, render_mode)


@functools.cache
def actions_of(game: Game[Any]) -> Actions:
    """Return the actions of a game."""
    return Actions(game)


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """An environment of a game.

    An agent `seat_1` observes the text of `text` as bytes, and a mask of the actions that are legal
    for it now. A seat that may act, but need not, is asked before the seat that must, and may
    wait (action 0). At the end each seat gets 1 if it won, -1 if another seat won, and 0 otherwise.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "plybook",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: Game[Any],
        options: Options,
        seats: int,
        dice: Dice,
        max_moves: int,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        self.game = game
        self._length = LENGTH if game.text else JSON_LENGTH
        self.actions = actions_of(game)
        self.render_mode = render_mode
        self._start = game.start(options, seats)
        self._by_player = dice == "player" and self.actions.has_chance
        self._max_moves = max_moves
        self._names = {f"seat_{seat}": seat for seat in range(1, seats + 1)}
        self.possible_agents = [*self._names, *([CHANCE] if self._by_player else [])]
        self._names_of = {seat: agent for agent, seat in self._names.items()}
        self._action_spaces = {
            agent: spaces.Discrete(self.actions.count) for agent in self.possible_agents
        }
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (self._length,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8),
            }
        )
        self._rng = Random()
        self.reset()

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        """Copy the changing state of a match; the game and its actions are shared."""
        memo |= {id(shared): shared for shared in (self.game, self.actions)}
        copied = GameEnv.__new__(type(self))
        copied.__dict__ = copy.deepcopy(self.__dict__, memo)
        return copied

    def __getstate__(self) -> dict[str, Any]:
        """Name the game, which `pickle` cannot store; it must be installed where it is loaded."""
        return self.__dict__ | {"game": self.game.ruleset, "actions": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the game and its actions."""
        game = find(state["game"])
        self.__dict__ = state | {"game": game, "actions": actions_of(game)}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for all agents."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions of an agent."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match; the seed decides the dice."""
        if seed is not None:
            self._rng = Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.position = self._start
        self.moves = 0
        self._ended = False
        self._seat = 0
        self._begun: Begun | None = None
        self._waited = set[int]()
        self._secrets = dict[int, str]()
        self._begin_turn()
        self._select()

    def step(self, action: Any) -> None:
        """Act for the selected agent. Raises `ValueError` for an action that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = int(action) if isinstance(action, np.integer) else action  # compared faster
        if chosen not in self._legal:
            raise ValueError(self._refusal(action))
        self._cumulative_rewards[agent] = 0
        move = self.actions.moves[int(chosen)]
        if chosen == WAIT:
            self._waited.add(self._seat)
        elif move is None:
            self._begun = self.actions.compose(self._begun, chosen)
            move = self._begun.move
        if move is not None:
            self._play(self._seat, move)
        self._select()

    def observe(self, agent: str) -> dict[str, Array]:
        """Return what an agent sees, and the mask of its actions: all 0 out of its turn.

        Raises `ValueError` if the text of the position is too long for an array.
        """
        text = self.text(agent).encode()
        if len(text) > self._length:
            raise ValueError(f"this position takes {len(text)} bytes, more than {self._length}")
        mask = np.zeros(self.actions.count, np.int8)
        if agent == self.agent_selection and self._legal:
            mask[self._legal] = 1
        return {
            "observation": np.frombuffer(text.ljust(self._length, b"\0"), np.uint8),
            "action_mask": mask,
        }

    def text(self, agent: str) -> str:
        """Return what an agent sees as a line of text: the position and its own secrets.

        The secrets are its sealed moves, and the beginning of a move that it composes. A game whose
        positions have no text gives the view of the seat as JSON.
        """
        seat = self._names.get(agent)
        if self.game.text is None:
            line = msgspec.json.encode(self.position.view(seat)).decode()
        else:
            line = self.game.write_position(self.position)
            if seat in self._secrets and seat in self.position.sealed:
                line = f"{line} {self._secrets[seat]}"
        if self._begun is not None and agent == self.agent_selection:
            line = f"{line} {''.join(self._begun.texts)}"
        return line

    def render(self) -> str | None:
        """Return the board as the selected agent sees it, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        return draw(self.game.scene(self.position.view(self._names.get(self.agent_selection))))

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""

    def actions_of(self, text: str) -> list[int]:
        """Return the actions that make a move, by its text without its seat.

        A move is one action, or one action for each part if it is composed. Raises `ValueError` for
        a text that the notation does not have.
        """
        move = self.game.parse(text)
        if move is None:
            raise ValueError(str(self.game.malformed(text).message))
        return self.actions.of(move)

    def _play(self, seat: int, move: Move[Any]) -> None:
        """Play a move, and the rolls after it."""
        if isinstance(move, Secret):
            self._secrets[seat] = self.game.write(move)
        self.position, _ = move.evolve(self.position, seat)
        self.moves += 1
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Forget the last turn of an agent, and roll if the dice are due."""
        self._begun = None
        self._waited.clear()
        outcome = self.position.outcome()
        if outcome is not None or self.moves >= self._max_moves:
            self._end(outcome)
            return
        if self._by_player or not self.actions.has_chance:
            return
        for awaited in self.position.awaiting():
            kind = self.actions.chance(awaited)
            if kind is not None:
                roll = kind.roll(self.position, lambda sides: self._rng.randint(1, sides))
                self._play(awaited.seat, roll)
                return

    def _end(self, outcome: Outcome | None) -> None:
        """End the episode; an episode without an outcome is truncated."""
        self._ended = True
        ended = self.truncations if outcome is None else self.terminations
        ended.update(dict.fromkeys(self.agents, True))
        if outcome is not None and outcome.winners:
            for agent, seat in self._names.items():
                self.rewards[agent] = 1 if seat in outcome.winners else -1
        self._accumulate_rewards()

    def _select(self) -> None:
        """Select the agent that acts next, and list its legal actions."""
        self._legal: list[int] = []
        if self._ended:
            self.agent_selection = self.agents[0]
            return
        if self._begun is not None:
            self._legal = list(self._begun.next_actions(self.position, self._seat))
            if self._legal:
                return
            self._begun = None  # no legal move begins like this: compose another
        for awaited in self._in_order():
            self._legal = self.actions.legal(self.game, self.position, awaited.seat)
            if self._legal:
                self._legal += [] if awaited.must else [WAIT]
                break
        self._seat = awaited.seat
        rolls = self._by_player and self.actions.chance(awaited)
        self.agent_selection = CHANCE if rolls else self._names_of[self._seat]

    def _in_order(self) -> Iterator[Awaited]:
        """Yield the seats that only may act, then the seats that must act."""
        awaiting = self.position.awaiting()
        must = [one for one in awaiting if one.must]
        if len(must) < len(awaiting):
            busy = {one.seat for one in must} | self._waited
            yield from (one for one in awaiting if not one.must and one.seat not in busy)
        yield from must

    def _refusal(self, action: object) -> str:
        """Return why an action is not legal; for a move, with the clause that it breaks."""
        if isinstance(action, int | np.integer) and 0 <= action < self.actions.count:
            move = self.actions.moves[int(action)]
            violation = move and move.check(self.position, self._seat)
            if move and isinstance(violation, Violation):
                return f"{self.game.write(move)}: {violation.message} ({violation.clause})"
        return f"{action} is not a legal action of {self.agent_selection}; use one of the mask"
