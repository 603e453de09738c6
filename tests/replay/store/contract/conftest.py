"""The backends that the contract of a store is tested with. A new backend is one entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from replay.store import temporary_store
from replay.store.protocol import Store

BACKENDS: dict[str, Callable[[], Store]] = {"sqlite": temporary_store}
"""Functions that return an empty store; closing it deletes it."""


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = BACKENDS[request.param]()
    yield opened
    opened.close()
