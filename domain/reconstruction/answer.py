"""Reconstruct a line: which of its plies are certain, and what to ask of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import LineEvent, State
from domain.names import UNNAMED, Names
from domain.position import Violation
from domain.reconstruction import costs
from domain.reconstruction.lattice import WIDE, Edge, Lattice, Node, Search, Use
from domain.reconstruction.scoresheet import Pins, Scoresheet
from domain.reconstruction.steps import Work, is_decided, read_entry

MAX_CHOICES: Final = 5
MAX_WORK: Final = 1_000_000
"""The steps of a reconstruction: moves that are read, and legal moves that are tried."""
NO_PINS: Final = Pins()


class PossibleEvent(Struct, frozen=True):
    """An event that may have been played; `by` are the scoresheets, from 1, that have it.

    With a `clause` the event was written on a scoresheet and is illegal.
    """

    text: str
    """The event, or the entry as written if it is illegal."""
    by: tuple[int, ...]
    """The scoresheets, numbered from 1, that have the event."""
    clause: str | None = None
    """The clause that the entry breaks; null if the event is legal."""


class FoundPly(Struct, frozen=True):
    """An event of the line with each scoresheet's text for it; `None` if a scoresheet has no text.

    `unsure` are the scoresheets, from 1, whose writer was not sure. A ply that is not `certain` is
    a question: its `choices` are the legal events, the likeliest first, then events that break a
    rule.
    """

    ply: int
    seat: int | None
    """The seat of the event; null for an event of the scorekeeper."""
    text: str
    certain: bool
    """Whether the event is certain; otherwise it is a question."""
    entries: tuple[str | None, ...]
    """The entry of each scoresheet, as written; null without an entry."""
    unsure: tuple[int, ...]
    """The scoresheets, from 1, whose writer was not sure."""
    choices: tuple[PossibleEvent, ...]
    """The events that are possible, the likeliest first, then illegal entries."""


class ExtraEntry(Struct, frozen=True):
    """An entry that was written twice or fits nowhere, `after` a ply of the line."""

    scoresheet: int
    """The scoresheet, from 1."""
    after: int
    """The last ply of the line before the entry; 0 at the start."""
    text: str
    """The entry as written."""


class Misfit(Struct, frozen=True):
    """The first entry that no line fits, and the rule that it breaks; or why the search ended."""

    ply: int
    scoresheet: int | None
    """The number of the scoresheet, from 1; null if no scoresheet is to blame."""
    text: str | None
    """The entry as written; null if no entry is to blame."""
    clause: str | None
    """The clause that the entry breaks; null if it breaks none."""
    words: str
    """Why the entry does not fit."""


class Reconstruction(Struct, frozen=True):
    """The cheapest line: its plies, events and extra entries.

    Without a complete line these are the plies before the first that does not fit, the `fault`.
    """

    plies: tuple[FoundPly, ...]
    extra: tuple[ExtraEntry, ...]
    fault: Misfit | None
    events: tuple[LineEvent, ...]
    state: State
    cut: int | None = None
    """The ply after which only some of the lines were tried, because there were too many; or null.
    """

    @property
    def questions(self) -> int:
        """The number of plies that are not certain."""
        return sum(not ply.certain for ply in self.plies)


class UnreachedPin(ValueError):
    """No line that fits the scoresheets reaches a position or result; the message names it."""


def reconstruct(
    start: State,
    sheets: Sequence[Scoresheet],
    pins: Pins = NO_PINS,
    *,
    most: int = MAX_WORK,
    enough: Callable[[], bool] = lambda: False,
    names: Names = UNNAMED,
) -> Reconstruction:
    """Return the cheapest legal line from a state that fits one or two scoresheets.

    The search stops after `most` steps, or when it has done `enough`. Raises `UnreachedPin` if
    there is a line, but none that reaches the pins.
    """
    found = _search(start, sheets, pins, partial(Work, most, enough))
    if not found.is_complete and pins != NO_PINS:
        unpinned = _search(start, sheets, NO_PINS, partial(Work, most, enough))
        if unpinned.is_complete:
            raise UnreachedPin(_unreached(start, unpinned.path, pins))
    return found.answer(names)


def _search(
    start: State, sheets: Sequence[Scoresheet], pins: Pins, budget: Callable[[], Work]
) -> _Reading:
    """Search for lines; a lone scoresheet is taken as written while no entry of it is wrong."""
    if len(sheets) == 1:
        (sheet,) = sheets
        sure = replace(sheet, entries=tuple(replace(one, unsure=False) for one in sheet.entries))
        found = _Reading(sheets, pins, Search(start, [sure], pins, budget()).run())
        if found.is_complete and (not found.has_errors or sure == sheet):
            return found
    work = budget()
    found = _Reading(sheets, pins, Search(start, sheets, pins, work).run())
    if found.is_complete:
        return found
    wider = _Reading(sheets, pins, Search(start, sheets, pins, work, WIDE).run())
    return wider if wider.is_complete else found


def _unreached(start: State, path: Sequence[Edge], pins: Pins) -> str:
    """Say which pin the cheapest line misses, and which position of the line is nearest to it."""
    states = [start, *(edge.after.state for edge in path if edge.event)]
    pinned = [*pins.at.items(), *([(len(states) - 1, pins.end)] if pins.end else [])]
    for ply, target in pinned:
        there = states[ply] if ply < len(states) else states[-1]
        if ply >= len(states) or not target.matches(there):
            near = min(range(len(states)), key=lambda each: target.distance(states[each]))
            text = there.game.write_position(states[near].position)
            return (
                f"no line reaches {target.text} at ply {ply}; the nearest is {text} at ply {near}"
            )
    if pins.result is None:
        ply, text = max(pins.moves.items())
        return f"no line has {text} at ply {ply}; use one of the choices of a question"
    nearest = outcome.result if (outcome := states[-1].outcome) else "*"
    return f"no line ends with {pins.result}; the nearest ends with {nearest}"


Sheets = tuple[int, ...]
Broken = tuple[Sheets, str]
"""The scoresheets that have an illegal text, and the clause that it breaks."""


class _Value(NamedTuple):
    """The cost of the cheapest line with an event, and the scoresheets that wrote the event."""

    cost: float
    by: tuple[int, ...]


Values = dict[LineEvent | None, _Value]
"""The possible events of an entry or a ply; `None` stands for an entry that was passed over."""


class _Reading:
    """The reading of the cheapest line of a lattice."""

    def __init__(self, sheets: Sequence[Scoresheet], pins: Pins, lattice: Lattice) -> None:
        self._pins = pins
        self._entries = [sheet.entries for sheet in sheets]
        self._lattice = lattice
        end = min(lattice.ends, key=lambda end: end[1], default=None)
        self.is_complete = end is not None
        self.path = _way_to(end[0]) if end else _fitting(_way_to(_furthest(lattice)))
        errors = [use for edge in self.path for use in edge.uses if use.cost >= costs.UNSURE_SLIP]
        self.has_errors = bool(errors)
        self._has_wrong_entries = any(use.entry is not None for use in errors)
        """Whether the line differs from an entry, or passes over one."""
        self._limit = lattice.best + costs.UNIT if end else 0.0
        self._by_entry = defaultdict[tuple[int, int], Values](dict)
        self._by_ply = defaultdict[int, Values](dict)
        self._shortest = 0
        """The plies of the shortest line that is within one unit of the cheapest."""

    def answer(self, names: Names) -> Reconstruction:
        """Return the line with its questions."""
        if self.is_complete:
            self._look_back()
            self._gather()
        plies, extra = list[FoundPly](), list[ExtraEntry]()
        for edge in self.path:
            if edge.event is not None:
                plies.append(self._ply(len(plies) + 1, edge, edge.event))
            else:
                extra.extend(self._extra(edge, len(plies)))
        first = self._lattice.layers[0][0].state
        state = self.path[-1].after.state if self.path else first
        events = tuple(edge.event for edge in self.path if edge.event)
        fault = None if self.is_complete else self._fault(len(plies) + 1, names)
        return Reconstruction(tuple(plies), tuple(extra), fault, events, state, self._cut())

    def _look_back(self) -> None:
        """Find the cost from each node to the end; a node that was cut may be as good as any."""
        on_path = [0.0, *(edge.after.cost for edge in self.path if edge.event)]
        for node, cost in self._lattice.ends:
            node.rest = min(node.rest, cost - node.cost)
        for ply, layer in reversed([*enumerate(self._lattice.layers)]):
            for node in reversed(layer):
                if not node.known:
                    node.rest = self._lattice.best - on_path[min(ply, len(on_path) - 1)]
                for edge in node.edges:
                    edge.before.rest = min(edge.before.rest, edge.cost + node.rest)

    def _gather(self) -> None:
        """Note for each entry, and each ply, the events that the lines have there."""
        ends = {id(node) for node, cost in self._lattice.ends if cost <= self._limit}
        layers = enumerate(self._lattice.layers)
        self._shortest = next(ply for ply, layer in layers if not ends.isdisjoint(map(id, layer)))
        for ply, layer in enumerate(self._lattice.layers):
            for node in layer:
                for edge in node.edges:
                    cost = edge.before.cost + edge.cost + node.rest
                    if cost > self._limit + costs.OTHER_MOVE:
                        continue
                    exact = enumerate(map(_is_exact, edge.uses), 1)
                    value = _Value(cost, tuple(sheet for sheet, same in exact if same))
                    for sheet, use in enumerate(edge.uses):
                        if use.entry is not None and not use.goes_on:
                            _put(self._by_entry[sheet, use.entry], edge.event, value)
                    if edge.event is not None:
                        _put(self._by_ply[ply], edge.event, value)

    def _ply(self, number: int, edge: Edge, event: LineEvent) -> FoundPly:
        entries = [
            None if use.entry is None else self._entries[sheet][use.entry]
            for sheet, use in enumerate(edge.uses)
        ]
        certain = self._is_certain(number, edge, event)
        return FoundPly(
            number,
            getattr(event, "seat", None),
            move_text.write(edge.before.state.game, event),
            certain,
            tuple(entry.text if entry else None for entry in entries),
            tuple(each for each, entry in enumerate(entries, 1) if entry and entry.unsure),
            () if certain else tuple(self._choices(number, edge, event)),
        )

    def _is_certain(self, number: int, edge: Edge, event: LineEvent) -> bool:
        """Return whether two scoresheets decide a ply, or all cheap lines agree on it."""
        if number in self._pins.moves:
            return True
        if not self.is_complete:
            return all(map(_is_exact, edge.uses))
        exact = sum(map(_is_exact, edge.uses))
        dashes = sum(use.opens or use.goes_on for use in edge.uses)
        if len(edge.uses) > 1 and exact and exact + dashes == len(edge.uses):
            return True
        written = sum(use.entry is not None for use in edge.uses) - dashes
        if is_decided(event) and written > 1:
            return False
        if len(edge.uses) == 1 and not exact and (written or self._has_wrong_entries):
            return False
        places = self._places(number, edge)
        if number <= self._shortest:
            places = [*places, self._by_ply[number]]
        elif places[0] is self._by_ply[number]:  # a line as cheap ends before the ply
            return False
        return any(
            all(other == event or value.cost > self._limit for other, value in values.items())
            for values in places
        )

    def _places(self, number: int, edge: Edge) -> list[Values]:
        """Return the readings of each entry of a ply, or of the ply if no scoresheet has it."""
        entries = [
            self._by_entry[sheet, use.entry]
            for sheet, use in enumerate(edge.uses)
            if use.entry is not None and not use.goes_on
        ]
        return entries or [self._by_ply[number]]

    def _choices(self, number: int, edge: Edge, event: LineEvent) -> Iterator[PossibleEvent]:
        state, values = edge.before.state, Values()
        for place in self._places(number, edge):
            for other, value in place.items():
                _put(values, other, value)
        written, illegal = self._written(edge)
        for other, by in written.items():
            values.setdefault(other, _Value(float("inf"), by))
        values.pop(None, None)
        ranked = sorted(values, key=lambda each: (each != event, values[each].cost))
        kept = [each for each in ranked if values[each].by][:MAX_CHOICES]
        kept += [each for each in ranked if not values[each].by][: MAX_CHOICES - len(kept)]
        texts = set[str]()
        for other in sorted(kept, key=ranked.index):
            assert other is not None
            text = move_text.write(state.game, other)
            texts.add(text)
            yield PossibleEvent(text, values[other].by)
        for text, (by, clause) in illegal.items():
            if text not in texts:
                yield PossibleEvent(text, by, clause)

    def _written(self, edge: Edge) -> tuple[Mapping[LineEvent, Sheets], Mapping[str, Broken]]:
        """Return the legal events that scoresheets have for a ply, and the texts that are not."""
        legal, illegal = dict[LineEvent, Sheets](), dict[str, Broken]()
        for sheet, use in enumerate(edge.uses):
            if use.entry is None or self._entries[sheet][use.entry].is_dash:
                continue
            text = self._entries[sheet][use.entry].text
            event = read_entry(edge.before.state, text)
            if isinstance(event, Violation):
                illegal[text] = (*illegal.get(text, ((), ""))[0], sheet + 1), event.clause
            else:
                legal[event] = (*legal.get(event, ()), sheet + 1)
        return legal, illegal

    def _extra(self, edge: Edge, after: int) -> Iterator[ExtraEntry]:
        for sheet, use in enumerate(edge.uses):
            if use.entry is not None and use.cost:
                yield ExtraEntry(sheet + 1, after, self._entries[sheet][use.entry].text)

    def _fault(self, ply: int, names: Names) -> Misfit:
        """Name the first entry that does not fit."""
        if self._lattice.stopped:
            return Misfit(ply, None, None, None, "the search ended here: too many lines may fit")
        node = self.path[-1].after if self.path else self._lattice.layers[0][0]
        misfit = Misfit(ply, None, None, None, "no legal line fits the entries from here on")
        for sheet, (at, entries) in enumerate(zip(node.at, self._entries, strict=True), 1):
            if at == len(entries):
                continue
            broken = None if entries[at].is_dash else read_entry(node.state, entries[at].text)
            if isinstance(broken, Violation):
                words = broken.words(names)
                return Misfit(ply, sheet, entries[at].text, broken.clause, words)
            if misfit.text is None:
                misfit = replace(misfit, scoresheet=sheet, text=entries[at].text)
        return misfit

    def _cut(self) -> int | None:
        layers = enumerate(self._lattice.layers)
        return next((ply for ply, layer in layers if not all(node.known for node in layer)), None)


def _put(values: Values, event: LineEvent | None, value: _Value) -> None:
    if event not in values or value.cost < values[event].cost:
        values[event] = value


def _is_exact(use: Use) -> bool:
    return use.entry is not None and use.cost == 0


def _way_to(node: Node) -> list[Edge]:
    """Return the steps of the cheapest way to a node."""
    path = list[Edge]()
    while node.edges:
        path.append(min(node.edges, key=lambda edge: edge.before.cost + edge.cost))
        node = path[-1].before
    return path[::-1]


def _furthest(lattice: Lattice) -> Node:
    """Return the node that is furthest in the scoresheets, at the lowest cost."""
    return max(
        (node for layer in lattice.layers[-2:] for node in layer),
        key=lambda node: (sum(node.at), -node.cost),
    )


def _fitting(path: list[Edge]) -> list[Edge]:
    """Leave out the steps at the end of a path that no scoresheet wrote."""
    while path and not any(map(_is_exact, path[-1].uses)):
        path.pop()
    return path
