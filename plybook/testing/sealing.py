"""Pairs of states that differ in one seat's sealed secret."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from domain.effects import Effect
from domain.events import LineEvent, Moved, State
from domain.position import Move
from plybook.testing.players import random_secret, secret_kinds
from plybook.testing.subjects import Subject


class Worlds(NamedTuple):
    """Two states that differ in the secret of one seat, and the effects of sealing it.

    `before` are the events that led there, `others` the viewers who must not learn the secret;
    `None` is a spectator.
    """

    before: list[LineEvent]
    seat: int
    secrets: tuple[Move[Any], Move[Any]]
    states: tuple[State, State]
    effects: tuple[tuple[Effect, ...], tuple[Effect, ...]]
    others: tuple[int | None, ...]


def worlds(subject: Subject) -> Iterator[Worlds]:
    """Yield a pair for each point of a match at which a seat can seal a secret."""
    rng = Random(subject.seed)
    events = [event for _, event, _ in subject.steps]
    for ply, state in enumerate(subject.states):
        if state.outcome is not None:
            continue
        for one in state.position.awaiting():
            for kind in secret_kinds(subject.game, state.position, one.seat):
                first, second = (random_secret(kind, state.position, one.seat, rng) for _ in "12")
                if first is None or second is None or first == second:
                    continue
                one_state, one_effects = Moved(one.seat, first).evolve(state)
                other_state, other_effects = Moved(one.seat, second).evolve(state)
                if (
                    one.seat in one_state.position.sealed
                    and one.seat in other_state.position.sealed
                ):
                    yield Worlds(
                        events[:ply],
                        one.seat,
                        (first, second),
                        (one_state, other_state),
                        (one_effects, other_effects),
                        tuple(seat for seat in (None, 1, 2, 3, 4) if seat != one.seat),
                    )
