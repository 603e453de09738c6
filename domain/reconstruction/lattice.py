"""The lines that fit scoresheets, as a lattice: a layer of nodes per ply, and edges between them.

A beam search makes it. A node is a state with a place in each scoresheet. Each layer keeps the
nodes whose cost is within a window of the lowest; a layer with too many of them is cut.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Final, NamedTuple

from domain.entry import move_text
from domain.events import LineEvent, Moved, State
from domain.position import Violation
from domain.reconstruction import costs
from domain.reconstruction.outlook import foresee
from domain.reconstruction.scoresheet import Entry, Pins, Scoresheet, is_twice
from domain.reconstruction.steps import Work, moves_at, read_entry


class LatticeEffort(NamedTuple):
    """How much of a lattice a search tries.

    A layer keeps at most `width` nodes within a `window` of its cheapest; from `deep` of them all
    legal moves are tried. `strain` limits the errors of a line.
    """

    window: float
    width: int
    deep: int
    strain: float


USUAL: Final = LatticeEffort(2.75, 200, 48, 14.0)
WIDE: Final = LatticeEffort(4.0, 400, 24, 20.0)
"""For scoresheets with so many errors that the usual effort finds no line."""
WIDEST: Final = 600
"""The nodes of a layer if all possibilities are tried."""
FADING: Final = 0.1
"""How much narrower the window is for each ply since the last error, down to one unit."""
THOROUGH: Final = 6
"""Up to this many entries all possibilities are tried, however much they cost.

Each of them needs a thousand steps.
"""
RELIEF: Final = 0.5
"""How much of the strain by errors passes with each ply."""

Covered = tuple[int, int] | None
"""The seat and the turn of a dash that may cover further moves."""


class Use(NamedTuple):
    """The entry that a scoresheet has for an event, by its index, and the cost.

    Without an index the scoresheet has no entry for the event. An entry that is a dash `opens` with
    its first move, and `goes_on` with each further one.
    """

    cost: float
    entry: int | None = None
    goes_on: bool = False
    opens: bool = False


class Edge(NamedTuple):
    """A step of a line: an event with each scoresheet's entry for it, or an entry passed over."""

    before: Node
    after: Node
    cost: float
    event: LineEvent | None
    uses: tuple[Use, ...]


class Node:
    """A state, and the places in the scoresheets; `cost` is that of the cheapest way to it."""

    __slots__ = (
        "age",
        "at",
        "cost",
        "covered",
        "doubted",
        "edges",
        "known",
        "meant",
        "rest",
        "state",
        "strain",
    )

    def __init__(self, state: State, at: tuple[int, ...], covered: tuple[Covered, ...]) -> None:
        self.state = state
        self.at = at
        self.covered = covered
        self.cost = self.strain = 0.0
        self.age = 0
        """The plies since the last error on the cheapest way."""
        self.edges: list[Edge] = []
        self.rest = math.inf
        self.known = True
        """Whether its continuations were searched; false for a node that was cut."""
        self.meant: list[LineEvent | None] = []
        """The legal event that each scoresheet has next, once its entry was read."""
        self.doubted = False
        """Whether the next entries differ or break a rule."""


Key = tuple[State, tuple[int, ...], tuple[Covered, ...]]
Layer = list[Node]


class Lattice(NamedTuple):
    """The layers from the start on, and the complete lines by their last nodes and total costs.

    `stopped` says that the limit of work was reached.
    """

    layers: list[Layer]
    ends: list[tuple[Node, float]]
    stopped: bool = False

    @property
    def best(self) -> float:
        """The cost of the cheapest lines."""
        return min((cost for _, cost in self.ends), default=math.inf)


class Search:
    """A beam search for the lines from a state that fit scoresheets and pins."""

    def __init__(
        self,
        start: State,
        sheets: Sequence[Scoresheet],
        pins: Pins,
        work: Work,
        effort: LatticeEffort = USUAL,
    ) -> None:
        self._sheets = sheets
        self._entries = [sheet.entries for sheet in sheets]
        self._ends = tuple(map(len, self._entries))
        self._pins = pins
        self._work = work
        self._thorough = sum(self._ends) <= THOROUGH <= work.left // 1000
        self._window = effort.strain if self._thorough else effort.window
        share = work.left // max((*self._ends, 1))
        width = WIDEST if self._thorough else effort.width
        self._width = max(8, min(width, share // 4))
        self._deep = max(2, min(width if self._thorough else effort.deep, share // 80))
        self._strain = effort.strain
        self._last_pin = max(pins.at, default=0)
        self._start = start
        self._outlook = foresee(start.game, self._entries)
        self._meant = dict[State, dict[str, LineEvent | None]]()
        """The legal events of entries that were read, by the state."""

    def run(self) -> Lattice:
        """Build the lattice ply by ply until no further line can be among the cheapest."""
        first = Node(self._start, (0,) * len(self._ends), (None,) * len(self._ends))
        lattice = Lattice([], [])
        layer = [first]
        while layer:
            layer = self._close(layer)
            lattice.layers.append(layer)
            ply = len(lattice.layers)
            lattice.ends.extend(self._complete(layer, ply - 1))
            if self._work.ended:
                return lattice._replace(stopped=True)
            limit = lattice.best + costs.UNIT
            layer = self._advance(
                [node for node in layer if node.known and node.cost <= limit], ply
            )
        return lattice

    def _fits(self, ply: int, state: State) -> bool:
        pin = self._pins.at.get(ply)
        return pin is None or (not state.unjudged and pin.matches(state))

    def _complete(self, layer: Layer, ply: int) -> Iterator[tuple[Node, float]]:
        """Yield the nodes at which lines may end, with their costs."""
        for node in layer:
            if node.at == self._ends and ply >= self._last_pin and self._may_end(node.state):
                outcome = node.state.outcome
                result = outcome.result if outcome else "*"
                known = [sheet.result for sheet in self._sheets if sheet.result != "*"]
                known += [self._pins.result] if self._pins.result else []
                wrong = sum(each != result for each in known)
                yield node, node.cost + costs.OTHER_RESULT * wrong

    def _may_end(self, state: State) -> bool:
        if state.outcome and self._pins.result not in (None, state.outcome.result):
            return False
        return self._pins.end is None or self._pins.end.matches(state)

    def _close(self, layer: Layer) -> Layer:
        """Add the nodes that pass over entries, and cut the layer. They are sorted by place."""
        layer = sorted(layer, key=self._expected)
        best = self._expected(layer[0])
        waiting, unread = layer[: 2 * self._width], layer[2 * self._width :]
        nodes = {(node.state, node.at, node.covered): node for node in waiting}
        while waiting:
            node = waiting.pop()
            self._read(node)
            for sheet, at in enumerate(node.at):
                entries = self._entries[sheet]
                twice = at < len(entries) and is_twice(entries, at)
                if at == len(entries) or not (node.doubted or twice):
                    continue
                free = entries[at].implied and node.state.outcome is not None
                cost = 0.0 if free else costs.TWICE if twice else costs.STRAY
                to = (*node.at[:sheet], at + 1, *node.at[sheet + 1 :])
                if node.cost + cost + self._ahead(to) <= best + self._window:
                    uses = tuple(
                        Use(cost, at) if each == sheet else Use(0.0) for each in range(len(to))
                    )
                    if self._put(nodes, node, None, node.state, to, node.covered, uses):
                        waiting.append(nodes[node.state, to, node.covered])
        kept = sorted(nodes.values(), key=self._promise)
        left = [*kept[self._width :], *unread]
        for node in left:
            node.known = False
        near = (node for node in left if self._expected(node) <= best + costs.UNIT)
        return sorted([*kept[: self._width], *near], key=lambda node: sum(node.at))

    def _advance(self, layer: Layer, ply: int) -> Layer:
        """Return the nodes one ply further."""
        nodes = dict[Key, Node]()
        layer = sorted(layer, key=self._expected)
        bound = _Limit(self._window)
        for node in layer:
            if self._expected(node) > bound.most:
                break
            for event in dict.fromkeys(node.meant):
                if event is not None:
                    self._step(nodes, node, event, bound, ply)
        for node in self._deep_nodes(layer, bound, ply):
            for moved in moves_at(node.state):
                if self._work.take() and moved not in node.meant:
                    self._step(nodes, node, moved, bound, ply)
        return [
            node for node in nodes.values() if self._expected(node) <= bound.most - self._fade(node)
        ]

    def _ahead(self, at: tuple[int, ...]) -> float:
        """Return what the scoresheets cost from a place on, if every entry is legal."""
        return self._outlook.get(at, math.inf)

    def _expected(self, node: Node) -> float:
        """Return the cost of a line through a node, if every later entry is legal."""
        return node.cost + self._ahead(node.at)

    def _deep_nodes(self, layer: Layer, bound: _Limit, ply: int) -> Iterator[Node]:
        """Yield the nodes from which all legal moves are tried, the most promising first."""
        costs_of = ((self._expected_else(node), node) for node in layer)
        if ply in self._pins.moves:
            costs_of = ((self._expected(node), node) for node in layer)
        for number, (cost, node) in enumerate(sorted(costs_of, key=itemgetter(0))):
            if cost > bound.most:
                break
            if number < self._deep:
                yield node
            elif cost <= bound.most - self._window + costs.UNIT:
                node.known = False

    def _fade(self, node: Node) -> float:
        """Return how much narrower the window is for a way whose last error is long ago."""
        if self._thorough:
            return 0.0
        return min(node.age * FADING, self._window - costs.UNIT)

    def _read(self, node: Node) -> None:
        """Read the next entry of each scoresheet."""
        read = self._meant.setdefault(node.state, {})
        for entries, at in zip(self._entries, node.at, strict=True):
            if at < len(entries) and not entries[at].is_dash and entries[at].text not in read:
                self._work.take()
                event = read_entry(node.state, entries[at].text)
                read[entries[at].text] = None if isinstance(event, Violation) else event
        node.meant = [
            read.get(entries[at].text) if at < len(entries) else None
            for entries, at in zip(self._entries, node.at, strict=True)
        ]
        node.doubted = self._thorough or len({*read.values()}) > 1 or None in read.values()

    def _promise(self, node: Node) -> float:
        """Return the cost of a node, and a unit for each next entry that is no move there."""
        nexts = zip(node.meant, node.at, self._ends, strict=True)
        return self._expected(node) + costs.UNIT * sum(
            event is None and at < end for event, at, end in nexts
        )

    def _expected_else(self, node: Node) -> float:
        """Return the least cost of a line that goes on with a move that no scoresheet has."""
        if node.at == self._ends and not self._goes_on(node):
            return math.inf
        ways = itertools.product(*map(partial(self._unwritten, node), range(len(self._ends))))
        return node.cost + min(
            sum(cost for cost, _ in way) + self._ahead(tuple(to for _, to in way)) for way in ways
        )

    def _unwritten(self, node: Node, sheet: int) -> Iterator[tuple[float, int]]:
        """Yield what a move costs that a scoresheet does not have, and the place after it."""
        at, entries = node.at[sheet], self._entries[sheet]
        if node.covered[sheet]:
            yield costs.CONTINUED, at
        if at == len(entries):
            yield self._after_end(node), at
            return
        yield costs.LEFT_OUT, at
        entry = entries[at]
        slip = costs.UNSURE_SLIP if entry.unsure else costs.SLIP
        yield costs.DASHED if entry.is_dash else slip, at + 1

    def _goes_on(self, node: Node) -> bool:
        """Return whether a line may go on after the end of all scoresheets."""
        return bool(self._pins.at or self._pins.end or self._pins.result)

    def _after_end(self, node: Node) -> float:
        return costs.LEFT_OUT if node.at == self._ends else costs.ENDED

    def _step(
        self, nodes: dict[Key, Node], node: Node, event: LineEvent, bound: _Limit, ply: int
    ) -> None:
        """Add a node for each way in which an event fits the scoresheets."""
        chosen = list[tuple[float, tuple[int, ...], tuple[Use, ...]]]()
        for way in itertools.product(
            *(self._uses(node, each, event) for each in range(len(self._ends)))
        ):
            to = tuple(
                at + (use.entry is not None and not use.goes_on)
                for at, use in zip(node.at, way, strict=True)
            )
            expected = node.cost + sum(use.cost for use in way) + self._ahead(to)
            if expected <= bound.most:
                chosen.append((expected, to, way))
        if not chosen:
            return
        said = self._pins.moves.get(ply)
        if said is not None and move_text.write(node.state.game, event) != said:
            return
        state, _ = event.evolve(node.state)
        if not self._fits(ply, state):
            return
        seat = getattr(event, "seat", 0)
        same = state.outcome is None and state.position.turn == node.state.position.turn
        go_on: Covered = (seat, state.position.turn) if same else None
        for expected, to, way in chosen:
            covered = tuple(go_on if use.opens or use.goes_on else None for use in way)
            self._put(nodes, node, event, state, to, covered, way)
            bound.lower(expected)

    def _uses(self, node: Node, sheet: int, event: LineEvent) -> list[Use]:
        """Return how a scoresheet can fit an event at a node."""
        entries, at, covered = self._entries[sheet], node.at[sheet], node.covered[sheet]
        seat = getattr(event, "seat", None)
        found = []
        if covered and covered[0] == seat:
            found.append(Use(costs.CONTINUED, at - 1, goes_on=True))
        if at == len(entries):
            return [*found, Use(self._after_end(node))]
        entry = entries[at]
        if entry.is_dash:
            if entry.split.seat in (None, seat):
                found.append(Use(costs.DASHED, at, opens=True))
        elif node.meant[sheet] == event:
            found.append(Use(0.0, at))
            return [*found, Use(costs.LEFT_OUT)] if node.doubted else found
        elif isinstance(event, Moved):
            found.append(Use(_slip(entry, event, node.state), at))
        return [*found, Use(costs.LEFT_OUT)]

    def _put(
        self,
        nodes: dict[Key, Node],
        before: Node,
        event: LineEvent | None,
        state: State,
        at: tuple[int, ...],
        covered: tuple[Covered, ...],
        uses: tuple[Use, ...],
    ) -> bool:
        """Add an edge, and return whether its node is new or cheaper than before."""
        step = sum(use.cost for use in uses)
        cost, strain = (
            before.cost + step,
            max(0.0, before.strain - RELIEF * (event is not None)) + step,
        )
        if strain > self._strain:
            return False
        node = nodes.get((state, at, covered))
        better = node is None or cost < node.cost
        if node is None:
            node = nodes[state, at, covered] = Node(state, at, covered)
        if better:
            node.cost, node.strain = cost, strain
            node.age = 0 if step else before.age + 1
        node.edges.append(Edge(before, node, step, event, uses))
        return better


class _Limit:
    """The most that a node of a layer may cost: the lowest cost so far, and the window."""

    def __init__(self, window: float) -> None:
        self._window = window
        self.most = math.inf

    def lower(self, cost: float) -> None:
        self.most = min(self.most, cost + self._window)


def _slip(entry: Entry, event: Moved, state: State) -> float:
    if entry.unsure:
        return costs.UNSURE_SLIP
    written, game = entry.split.body, state.game
    cost = costs.slip(written, game.write(event.move))
    if game.script is not None and game.parse(written) is None:
        return min(cost, costs.slip(written, game.script.write(state.position, event.move)))
    return cost
