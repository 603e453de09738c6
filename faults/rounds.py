"""Rounds of a fault job: each in a folder of its own, until the time is up."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from faults.conftest import Budget


class Outcome(Protocol):
    """The result of a round."""

    @property
    def whole(self) -> bool: ...


Round = TypeVar("Round", bound=Outcome)


def repeat(
    root: Path, budget: Budget, run: Callable[[Path], Round], *, reserve: float, least: int = 1
) -> list[Round]:
    """Run rounds while more than `reserve` seconds are left; keep the folders of faulty ones."""
    rounds: list[Round] = []
    while len(rounds) < least or budget.left > reserve:
        folder = root / str(len(rounds))
        folder.mkdir()
        rounds.append(run(folder))
        if rounds[-1].whole:
            shutil.rmtree(folder)
    return rounds
