"""Reconstruction by trying all legal lines, to compare the search with."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from math import inf

from domain.events import LineEvent, Moved, State
from domain.position import Violation
from domain.reconstruction import costs
from domain.reconstruction.scoresheet import Entry, Scoresheet, is_twice
from domain.reconstruction.steps import moves_at, read_entry

Line = tuple[tuple[State, LineEvent], ...]
"""The events of a line, each with the state before it."""


def lines(state: State, length: int) -> Iterator[Line]:
    """Yield all lines of legal moves up to a length."""
    yield ()
    if length:
        for moved in moves_at(state):
            after, _ = moved.evolve(state)
            yield from (((state, moved), *rest) for rest in lines(after, length - 1))


def cost(line: Line, sheets: Sequence[Scoresheet]) -> float:
    """Return the least cost of the errors by which scoresheets differ from a line."""

    @functools.cache
    def least(ply: int, at: tuple[int, ...], under: tuple[bool, ...]) -> float:
        ended = all(one == len(sheet.entries) for one, sheet in zip(at, sheets, strict=True))
        if ply == len(line) and ended:
            return 0.0
        found = inf
        for number, sheet in enumerate(sheets):
            if at[number] < len(sheet.entries):
                skipped = (*at[:number], at[number] + 1, *at[number + 1 :])
                extra = costs.TWICE if is_twice(sheet.entries, at[number]) else costs.STRAY
                found = min(found, extra + least(ply, skipped, under))
        if ply < len(line):
            for step, to, covers in _ways(ply, at, under, ended):
                found = min(found, step + least(ply + 1, to, covers))
        return found

    def _ways(
        ply: int, at: tuple[int, ...], under: tuple[bool, ...], ended: bool
    ) -> list[tuple[float, tuple[int, ...], tuple[bool, ...]]]:
        ways: list[tuple[float, tuple[int, ...], tuple[bool, ...]]] = [(0.0, (), ())]
        for number, sheet in enumerate(sheets):
            uses = list(_uses(line, ply, sheet.entries, at[number], under[number], ended))
            ways = [
                (one + step, (*to, place), (*covers, covered))
                for one, to, covers in ways
                for step, place, covered in uses
            ]
        return ways

    return least(0, (0,) * len(sheets), (False,) * len(sheets))


def _uses(
    line: Line, ply: int, entries: Sequence[Entry], at: int, under: bool, ended: bool
) -> Iterator[tuple[float, int, bool]]:
    """Yield the costs at which a scoresheet fits a ply, with the place after it."""
    state, event = line[ply]
    assert isinstance(event, Moved)
    if under and _same_turn(line, ply):
        yield costs.CONTINUED, at, True
    if at == len(entries):
        yield costs.LEFT_OUT if ended else costs.ENDED, at, False
        return
    yield costs.LEFT_OUT, at, False
    entry = entries[at]
    if entry.is_dash:
        yield costs.DASHED, at + 1, True
        return
    read = read_entry(state, entry.text)
    if not isinstance(read, Violation) and read == event:
        yield 0.0, at + 1, False
    elif entry.unsure:
        yield costs.UNSURE_SLIP, at + 1, False
    else:
        yield costs.slip(entry.split.body, state.game.write(event.move)), at + 1, False


def _same_turn(line: Line, ply: int) -> bool:
    (before, last), (state, event) = line[ply - 1], line[ply]
    same = before.position.turn == state.position.turn
    return same and getattr(last, "seat", 0) == getattr(event, "seat", 0)
