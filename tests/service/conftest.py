from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import pytest
from litestar._signature import SignatureModel
from litestar.handlers.base import BaseRouteHandler
from litestar.testing import TestClient
from litestar.utils.signature import ParsedSignature

from replay.book import Book
from replay.upkeep.purge import purge
from service.app import create_app
from service.settings import Settings
from service.telemetry import open_telemetry
from tests.service.stores import empty_store, on_server, without_threads


class OpenedMatch(NamedTuple):
    id: str
    host: dict[str, str]
    seats: dict[str, dict[str, str]]

    @classmethod
    def of(cls, answer: Any) -> OpenedMatch:
        """Return the match that an answer opened."""
        assert answer.status_code == 201, answer.text
        body = answer.json()
        seats = {seat: bearer(token) for seat, token in body["tokens"]["seats"].items()}
        return cls(body["match"], bearer(body["tokens"]["host"]), seats)


class Api:
    """The service over a book, with short ways to open and to play."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.get = client.get
        self.post = client.post

    @property
    def book(self) -> Book:
        return self.client.app.state.book

    def open(self, game: str = "poptrix", **body: Any) -> OpenedMatch:
        return OpenedMatch.of(self.post("/matches", json={"game": game, **body}))

    def fork(self, match: str, who: dict[str, str] | None = None, **body: Any) -> OpenedMatch:
        return OpenedMatch.of(self.post(f"/matches/{match}/forks", json=body, headers=who))

    def play(self, match: str, who: dict[str, str], *tokens: str, **body: Any) -> Any:
        events = [{"text": token} for token in tokens]
        return self.post(f"/matches/{match}/events", json={"events": events, **body}, headers=who)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def serve(settings: Settings | None = None, book: Book | None = None) -> Iterator[Api]:
    """Serve a book, by default an empty one, and close it afterwards."""
    served = book or Book(empty_store())
    with closing(served.store):
        app = create_app(served, settings, open_telemetry(settings or Settings()))
        with TestClient(app, raise_server_exceptions=False) as client:
            yield Api(client)


@pytest.fixture(scope="session", autouse=True)
def quick_starts() -> Iterator[None]:
    """Read each handler's signature once a process, and copy handlers flatly.

    Both are alike in all services, and two thirds of a service's start.
    """
    parse, create = ParsedSignature.from_fn, SignatureModel.create
    parsed: WeakKeyDictionary[Any, ParsedSignature] = WeakKeyDictionary()
    models: dict[tuple[Any, ...], type[SignatureModel]] = {}

    def from_fn(fn: Any, names: dict[str, Any]) -> ParsedSignature:
        if not inspect.isfunction(fn):
            return parse(fn, names)
        if fn not in parsed:
            parsed[fn] = parse(fn, names)
        return parsed[fn]

    def model(**given: Any) -> type[SignatureModel]:
        key = given["fn"], frozenset(given["dependency_name_set"]), given["data_dto"]
        if key not in models:
            models[key] = create(**given)
        return models[key]

    def copied(handler: BaseRouteHandler, memo: dict[int, Any]) -> BaseRouteHandler:
        made = memo[id(handler)] = copy.copy(handler)
        made.owner = copy.deepcopy(handler.owner, memo)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ParsedSignature, "from_fn", from_fn)
        patch.setattr(SignatureModel, "create", model)
        patch.setattr(BaseRouteHandler, "__deepcopy__", copied, raising=False)
        yield


SERVER = pytest.param("server", marks=pytest.mark.postgres)


@pytest.fixture(scope="module", autouse=True, params=["file", SERVER])
def place(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the tests of the service over files, and over databases of a PostgreSQL server."""
    yield from placed(request)


@pytest.fixture
def in_process(place: str) -> None:
    """Skip a test that changes this process where other processes do the work of requests."""
    if place == "server":
        pytest.skip("worker processes do not see what the test changes here")


def placed(request: pytest.FixtureRequest) -> Iterator[str]:
    """Make all empty stores at the place that a parameter names."""
    match request.param:
        case "server":
            with on_server(request.getfixturevalue("postgres")):
                yield request.param
        case "tab":
            with without_threads():
                yield request.param
        case _:
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


@pytest.fixture
def served() -> Iterator[Callable[..., Api]]:
    """Return a function that serves an empty book with some settings."""
    with ExitStack() as running:
        yield lambda **settings: running.enter_context(serve(Settings(**settings)))


@pytest.fixture
def emptied(shared: Api) -> Iterator[Api]:
    """The service of the module, with an empty book: a new service takes a fifth of a second."""
    yield shared
    shared.client.cookies.clear()
    for trashed in (False, True):
        for stream in [*shared.book.store.matches(trashed=trashed)]:
            purge(shared.book, stream, variations=True)
