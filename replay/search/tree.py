"""Monte Carlo tree search: which move wins most of many random continuations.

Each playout draws a position that agrees with all that was seen, descends a tree of moves, adds one
node to it, and plays on at random. Nodes are the moves as the searching seat sees them: the
secret moves of others are drawn at random and count as one. Rolls are drawn as the dice give
them. In a game without secrets, a node all of whose ends are known is proven.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final

from msgspec import Struct

from domain.entry import move_text
from domain.events import Moved, State
from domain.position import Move, Position, Secret
from replay.sampling.moves import random_secret
from replay.search.playouts import Choices, Enough, Kind, Values, of_winners, play_out

EXPLORATION: Final = 0.7
"""The preference for rarely tried moves over good moves (the constant of UCB1)."""
WIDENING: Final = 2.0
"""The most candidates among secret moves: this times the square root of the visits."""
ALIKE: Final = 0.7
"""How often a new candidate is made from the best candidate by changing one part."""
MAX_PLIES: Final = 200
"""The deepest node of a tree."""
MAX_LINE: Final = 8
"""The most moves of a line that is reported."""

Winners = tuple[int, ...]
Draw = Callable[[Random], State | None]


class Candidate(Struct, frozen=True):
    """A first move: the best line from it, its value for its seat, its number of playouts.

    `winners` are the seats that win by force: empty in a forced draw, `None` if nothing is proven.
    """

    texts: tuple[str, ...]
    value: float
    playouts: int
    winners: Winners | None = None


class Findings(Struct, frozen=True):
    """The result of a search for a `seat`: the average `values` of all seats, the best moves first.

    `winners` are the seats that win by force: empty in a forced draw, `None` if nothing is proven.
    """

    seat: int
    playouts: int
    values: Values
    candidates: tuple[Candidate, ...]
    winners: Winners | None = None


class _Node:
    """A move in the tree: who made it, and which moves followed."""

    __slots__ = ("chance", "children", "moves", "position", "proven", "seat", "totals", "untried",
                 "visits")  # fmt: skip

    def __init__(self, seat: int, seats: int) -> None:
        self.seat = seat
        self.visits = 0
        self.totals = [0.0] * seats
        self.children: dict[Hashable, _Node] = {}
        self.position: Position | None = None
        self.moves: list[Move[Any]] = []
        self.untried: list[Move[Any]] = []
        self.chance = False
        self.proven: Winners | None = None

    def value(self, seat: int) -> float:
        """Return the average value for a seat."""
        if self.proven is not None:
            return of_winners(self.proven, len(self.totals))[seat - 1]
        return self.totals[seat - 1] / self.visits if self.visits else 0.5

    def loses(self, seat: int) -> bool:
        """Return whether it is proven that a seat does not win and that other seats do."""
        return bool(self.proven) and seat not in (self.proven or ())


def search(
    draw: Draw, seats: int, rng: Random, enough: Enough, seat: int | None = None
) -> Findings | None:
    """Search for the best move of a seat, by default of the next to move.

    A given `seat` will search its later moves too, so open ends count more for it in a game with
    secret moves, which the tree does not look through.
    `draw` gives a possible state. The search ends when `enough` is true for the number of playouts,
    at the latest when the result is proven. Returns `None` if no state is found or the match is
    over.
    """
    state = draw(rng)
    if state is None or not state.awaiting():
        return None
    return _SeatSearch(state, draw, seats, rng, seat).run(enough)


class _SeatSearch:
    """A search from the view of one seat."""

    def __init__(self, state: State, draw: Draw, seats: int, rng: Random, seat: int | None) -> None:
        self._choices = Choices(state.game)
        self._draw, self._rng, self._seats = draw, rng, seats
        self._seat = self._choices.mover(state.position, seat)
        self._root = _Node(0, seats)
        self._proves = state.game.lists_all
        self._hopeful = None if self._proves else seat

    def run(self, enough: Enough) -> Findings:
        """Run playouts until they are enough."""
        while self._root.proven is None and not enough(self._root.visits):
            state = self._draw(self._rng)
            if state is None:
                break
            self._play_out(state.position)
        return self._findings()

    def _play_out(self, position: Position) -> None:
        path, position = self._descend(position)
        leaf, outcome = path[-1], position.outcome()
        if outcome is not None and self._proves:
            leaf.proven = outcome.winners
        if leaf.proven is not None:
            values = of_winners(leaf.proven, self._seats)
        else:
            values = play_out(self._choices, position, self._seats, self._rng, self._hopeful)
        for node in path:
            node.visits += 1
            for index, value in enumerate(values):
                node.totals[index] += value
        if leaf.proven is not None:
            _prove(path)

    def _descend(self, position: Position) -> tuple[list[_Node], Position]:
        """Follow the tree to a new node, or to a node with a known result."""
        node = self._root
        path = [node]
        while position.outcome() is None and len(path) < MAX_PLIES:
            seat = self._choices.mover(position, self._seat)
            move = self._chosen(node, position, seat)
            if move is None:
                break
            position, _ = move.evolve(position, seat)
            hidden = isinstance(move, Secret) and seat != self._seat
            key: Hashable = type(move) if hidden else move
            child = node.children.get(key)
            if child is None:
                path.append(node.children.setdefault(key, _Node(seat, self._seats)))
                break
            node = child
            path.append(node)
            if node.proven is not None:
                break
        return path, position

    def _chosen(self, node: _Node, position: Position, seat: int) -> Move[Any] | None:
        """Return the move to follow: a roll, a guess of a secret, or the most promising move."""
        kind = self._choices.unlisted(position, seat)
        if kind is not None and kind.chance:
            node.chance = True
            if self._proves and not node.moves:
                node.moves = self._choices.listed(position, seat)
            return kind.roll(position, partial(self._rng.randint, 1))
        if kind is not None and seat != self._seat:
            return self._choices.at_random(position, seat, self._rng)
        if node.position is not position and node.position != position:
            self._renew(node, position, seat)
        if kind is not None:
            self._widen(node, kind, position, seat)
        if node.untried:
            return node.untried.pop()
        return self._most_promising(node, seat)

    def _renew(self, node: _Node, position: Position, seat: int) -> None:
        """Note the legal moves of a node, which may differ from position to position."""
        known = [move for move in node.children if isinstance(move, Secret)]
        legal = (move for move in known if move.check(position, seat) is None)
        node.moves = [*self._choices.listed(position, seat), *legal]
        node.untried = [move for move in node.moves if move not in node.children]
        self._rng.shuffle(node.untried)
        node.position = position

    def _widen(self, node: _Node, kind: Kind, position: Position, seat: int) -> None:
        """Add a secret move while there are few candidates; it often resembles the best."""
        if not node.untried and len(node.moves) < WIDENING * math.sqrt(node.visits + 1):
            known = [move for move in node.moves if isinstance(move, kind)]
            best = max(known, key=lambda move: node.children[move].visits, default=None)
            like = best if self._rng.random() < ALIKE else None
            move = random_secret(kind, position, seat, self._rng, like)
            if move is not None and move not in node.children:
                node.moves.append(move)
                node.untried.append(move)

    def _most_promising(self, node: _Node, seat: int) -> Move[Any] | None:
        """Return the move with the largest upper bound of its value (UCB1)."""
        log = math.log(node.visits + 1)

        def bound(move: Move[Any]) -> float:
            child = node.children[move]
            if child.loses(seat):
                return -1.0
            return child.value(seat) + EXPLORATION * math.sqrt(log / child.visits)

        return max(node.moves, key=bound, default=None)

    def _findings(self) -> Findings:
        root, game = self._root, self._choices.game
        ranked = sorted(root.children.items(), key=lambda each: _rank(each[1]), reverse=True)
        candidates = tuple(
            Candidate(
                tuple(move_text.write(game, moved) for moved in _best_line(move, child)),
                child.value(child.seat),
                child.visits,
                child.proven,
            )
            for move, child in ranked
            if isinstance(move, Move)
        )
        values = tuple(root.value(seat) for seat in range(1, self._seats + 1))
        return Findings(self._seat, root.visits, values, candidates, root.proven)


def _rank(node: _Node) -> tuple[bool, bool, int, float]:
    """Order candidates: forced wins first, forced losses last, else by visits, then by value."""
    wins = node.proven is not None and node.seat in node.proven
    return wins, not node.loses(node.seat), node.visits, node.value(node.seat)


def _best_line(move: Hashable, node: _Node) -> Iterator[Moved]:
    """Yield a move and the best moves after it, up to a secret move."""
    for _ in range(MAX_LINE):
        if not isinstance(move, Move):
            return
        yield Moved(node.seat, move)
        if isinstance(move, Secret) or not node.children:
            return
        move, node = max(node.children.items(), key=lambda each: _rank(each[1]))


def _prove(path: Sequence[_Node]) -> None:
    """Carry a proven end up the tree, as far as it decides the nodes above."""
    for parent, child in zip(path[-2::-1], path[:0:-1], strict=True):
        if child.proven is None:
            return
        if not parent.chance and child.seat in child.proven:
            parent.proven = child.proven
            continue
        if parent.untried or len(parent.children) < len(parent.moves):
            return
        ends = {each.proven for each in parent.children.values()}
        if None in ends:
            return
        if not parent.chance and () in ends:
            parent.proven = ()
        elif len(ends) == 1:
            parent.proven = ends.pop()
