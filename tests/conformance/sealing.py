"""Two worlds that differ in what one seat has sealed, wherever it can seal something in a match."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from domain.effects import Effect
from domain.events import LineEvent, Moved, State
from domain.position import Move
from tests.conformance.players import random_secret, secret_kinds
from tests.conformance.subjects import SUBJECTS, Subject

WITH_SECRETS = [subject for subject in SUBJECTS if not subject.game.lists_all]


class Worlds(NamedTuple):
    """Two states that differ in what one seat has sealed, and the effects of the sealing.

    `before` are the events that led there, `others` those who must not know, `None` a spectator.
    """

    before: list[LineEvent]
    seat: int
    secrets: tuple[Move, Move]
    states: tuple[State, State]
    effects: tuple[tuple[Effect, ...], tuple[Effect, ...]]
    others: tuple[int | None, ...]


def worlds(subject: Subject) -> Iterator[Worlds]:
    """Take two different secrets wherever one can be sealed in a match and stays sealed."""
    rng = Random(subject.seed)
    events = [event for _, event, _ in subject.steps]
    for ply, state in enumerate(subject.states):
        if state.outcome is not None:
            continue
        for one in state.position.awaiting():
            for kind in secret_kinds(subject.game, state.position, one.seat):
                first, second = (random_secret(kind, state.position, one.seat, rng) for _ in "12")
                if first is None or first == second:
                    continue
                steps = [Moved(one.seat, move).evolve(state) for move in (first, second)]
                if all(one.seat in after.position.sealed for after, _ in steps):
                    others = tuple(seat for seat in (None, 1, 2, 3, 4) if seat != one.seat)
                    made = ((first, second), *zip(*steps, strict=True))
                    yield Worlds(events[:ply], one.seat, *made, others)
