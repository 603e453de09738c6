"""The backends that the contract of a store is tested with. A new backend is one entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from replay.runtime import TAB
from replay.store import temporary_store
from replay.store.sql.store import Store
from tests.replay.store.postgres_server import TemporaryPostgresStore

BACKENDS: dict[str, Callable[[pytest.FixtureRequest], Store]] = {
    "sqlite": lambda request: temporary_store(),
    "tab": lambda request: temporary_store(TAB),
    "postgres": lambda request: TemporaryPostgresStore(request.getfixturevalue("postgres")),
}
"""Functions that return an empty store; closing it deletes it."""


@pytest.fixture(params=["sqlite", "tab", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = BACKENDS[request.param](request)
    yield opened
    opened.close()
