"""The stores that the contract suite runs against."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from replay.store import open_store
from replay.store.protocol import Store
from replay.store.sqlite import SqliteStore

BACKENDS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: open_store(None),
    "sqlite": lambda folder: open_store(folder / "matches.db"),
}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = BACKENDS[request.param](tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture
def sqlite(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path, timeout=5)
    yield opened
    opened.close()
