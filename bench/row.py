"""A row of the benchmarks: how it is measured, and the figures it gives."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar

from msgspec import Struct

Sample = Callable[[], Sequence[float]]
"""Measures once, and returns a value for each figure of the row."""


class Figure(Struct, frozen=True):
    """A measured figure, its unit (`×` for a ratio) and its aim, if it has one."""

    name: str
    unit: str = "×"
    at_least: float | None = None
    at_most: float | None = None

    def reached(self, value: float) -> bool | None:
        """Return whether a value reaches the aim; `None` without an aim."""
        if self.at_least is not None:
            return value >= self.at_least
        return None if self.at_most is None else value <= self.at_most


class NotMeasured(Exception):
    """Raised when a row cannot be measured here; the message says why."""


class Row(ABC):
    """A row. Its docstring says how it is measured."""

    rounds: ClassVar[int] = 3
    """How often it is measured, unless the caller asks for another number."""

    @property
    @abstractmethod
    def figures(self) -> Sequence[Figure]:
        """The figures, in the order of their values in a sample."""

    @abstractmethod
    def prepared(self) -> AbstractContextManager[Sample]:
        """Prepare the measurement, and clean up at the end."""


def explain(row: Row) -> str:
    """Return how a row is measured, in one line."""
    return " ".join((inspect.getdoc(type(row)) or "").split())
