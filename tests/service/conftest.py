from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from litestar.testing import TestClient

from replay.book import Book
from service.app import create_app
from service.settings import Settings
from tests.replay.store.postgres_server import Server
from tests.service.stores import empty_store, on_server


class OpenedMatch(NamedTuple):
    id: str
    host: dict[str, str]
    seats: dict[str, dict[str, str]]


class Api:
    """The service over a temporary store, with short ways to open and to play."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.get = client.get
        self.post = client.post

    def open(self, game: str = "poptrix", **body: Any) -> OpenedMatch:
        answer = self.post("/matches", json={"game": game, **body})
        assert answer.status_code == 201, answer.text
        tokens = answer.json()["tokens"]
        seats = {seat: bearer(token) for seat, token in tokens["seats"].items()}
        return OpenedMatch(answer.json()["match"], bearer(tokens["host"]), seats)

    def play(self, match: str, who: dict[str, str], *tokens: str, **body: Any) -> Any:
        events = [{"token": token} for token in tokens]
        return self.post(f"/matches/{match}/events", json={"events": events, **body}, headers=who)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def serve(settings: Settings | None = None) -> Iterator[Api]:
    """Serve an empty book."""
    store = empty_store()
    app = create_app(Book(store), settings)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield Api(client)
    store.close()


@pytest.fixture(
    scope="module",
    autouse=True,
    params=["file", pytest.param("server", marks=pytest.mark.postgres)],
)
def place(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the tests of the service over files, and over databases of a PostgreSQL server."""
    if request.param == "file":
        yield request.param
        return
    server: Server = request.getfixturevalue("postgres")
    with on_server(server):
        yield request.param


@pytest.fixture(scope="module")
def shared(place: str) -> Iterator[Api]:
    """One service for the tests of a module, as starting one takes time; its book fills up."""
    with serve(Settings(requests_per_minute=0, matches_per_hour=0)) as api:
        yield api


@pytest.fixture
def api(shared: Api) -> Iterator[Api]:
    yield shared
    shared.client.cookies.clear()


@pytest.fixture
def fresh() -> Iterator[Api]:
    """A service with an empty book of its own."""
    with serve() as api:
        yield api
