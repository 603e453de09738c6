"""Fixtures of the jobs with several servers: a database for them, and what fault jobs need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.conftest import budget, figures
from faults.server import Server
from replay.store import Location
from tests.cluster.serving import serving
from tests.replay.store.postgres_server import Server as Postgres

__all__ = ["budget", "figures"]

BACKENDS = [
    pytest.param("file", marks=pytest.mark.slow),
    pytest.param("postgres", marks=pytest.mark.postgres),
]


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    if request.param == "file":
        yield tmp_path / "book.db"
    else:
        yield from _new_book(request.getfixturevalue("postgres"))


@pytest.fixture
def url(postgres: Postgres) -> Iterator[str]:
    yield from _new_book(postgres)


@pytest.fixture
def pair(database: Location, tmp_path: Path) -> Iterator[list[Server]]:
    with serving(database, tmp_path) as servers:
        yield servers


def _new_book(postgres: Postgres) -> Iterator[str]:
    made = postgres.new_book()
    yield made
    postgres.drop(made)
