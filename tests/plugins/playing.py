"""Play move texts of a plug-in's game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.effects import Effect
from domain.entry import move_text
from domain.events import State
from domain.position import Violation


def play(state: State, texts: Sequence[str]) -> tuple[Any, list[Effect]]:
    """Return the state and the effects after moves, or the refusal of the last one."""
    effects = list[Effect]()
    for number, text in enumerate(texts, 1):
        event = move_text.read(state.game, state, text)
        refused = event if isinstance(event, Violation) else event.check(state)
        if refused is not None:
            assert number == len(texts), (text, refused)
            return refused, effects
        state, told = event.evolve(state)
        effects += told
    return state, effects
