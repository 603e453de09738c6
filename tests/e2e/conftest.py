"""A server process for each test of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.e2e.living import SERVE, Living


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Living]]:
    """Start servers on a book; those that a failing test leaves running are killed."""
    started: list[Living] = []

    def start(*options: str, command: Sequence[str] = SERVE) -> Living:
        started.append(Living(tmp_path, *options, command=command))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture
def living(start: Callable[..., Living]) -> Iterator[Living]:
    running = start("--requests-per-minute=0")
    yield running
    if running.process.poll() is None:
        running.end()
