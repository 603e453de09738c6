"""One match in two services that differ only in the sealed move of one seat.

Both get the same requests, and must give the same answers until the secret is revealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import httpx
from litestar.testing import TestClient

from domain.entry import move_text
from domain.events import LineEvent, Moved
from plybook.testing.secrets import Worlds
from replay.access import accounts, operators
from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.store import temporary_store
from service.app import create_app
from service.settings import Settings
from tests.conformance.subjects import Subject
from tests.contract.server import bearer

NOW = 1_700_000_000_000
FULL = 170
"""The limit of events per match: so low that the requests meet it too."""
SETTINGS = Settings(requests_per_minute=0, matches_per_hour=0, events_per_match=FULL)

CHANCE = re.compile(r"[\w-]{22,}|[0-9a-z]{12,}|(?:[0-9a-f]{4} ){7,}[0-9a-f]{4}")
"""Ids, hashes (also in groups) and tokens: random, so never the same."""
COMPARED = ("content-type", "etag", "location", "retry-after", "www-authenticate", "cache-control")

Headers = dict[str, str]


class Request(NamedTuple):
    """A request; `{match}` in its path stands for the match."""

    kind: str
    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}


class Service(NamedTuple):
    """A service and its book."""

    client: TestClient[Any]
    book: Book


class Side(NamedTuple):
    """A match in a service, with the headers of everybody who must not know the secret."""

    service: Service
    match: str
    people: dict[str, Headers]

    @property
    def record(self) -> MatchRecord:
        return self.service.book.open(self.match)

    def send(self, request: Request, who: str) -> httpx.Response:
        path = request.path.replace("{match}", self.match)
        headers = {**self.people[who], **request.headers}
        client = self.service.client
        return client.request(request.method, path, json=request.body, headers=headers)


class TwinMatches:
    """A match in both services. `version` is that of the secret, `world` its origin."""

    def __init__(self, sides: Sequence[Side], subject: Subject, world: Worlds) -> None:
        self.sides = sides
        self.subject = subject
        self.world = world
        self.version = sides[0].record.match.version

    @property
    def revealed(self) -> bool:
        """Whether the secret is revealed, in both services or in none."""
        first, second = (self.version not in side.record.secrets for side in self.sides)
        assert first == second
        return first

    def ask(self, request: Request, who: str) -> list[httpx.Response]:
        return [side.send(request, who) for side in self.sides]

    def forked(self, answers: Sequence[httpx.Response]) -> TwinMatches:
        """Return the new forks, with the tokens of all their seats."""
        made = [answer.json() for answer in answers]
        people = [_people(each["tokens"]) for each in made]
        pairs = zip(self.sides, made, people, strict=True)
        sides = [Side(side.service, each["match"], known) for side, each, known in pairs]
        return TwinMatches(sides, self.subject, self.world)


def comparable(answer: httpx.Response) -> tuple[int, dict[str, str], str]:
    """Return an answer's status, headers and text, without random parts."""
    headers = {name: CHANCE.sub("*", answer.headers.get(name, "")) for name in COMPARED}
    text = answer.content.decode(errors="replace")
    return answer.status_code, headers, CHANCE.sub("*", text)


@contextmanager
def two_services() -> Iterator[list[Service]]:
    """Serve two empty books at a fixed time."""
    with ExitStack() as stack:
        services = []
        for _ in "12":
            store = temporary_store()
            stack.callback(store.close)
            book = Book(store, now=lambda: NOW)
            app = create_app(book, SETTINGS)
            client = stack.enter_context(TestClient(app, raise_server_exceptions=False))
            services.append(Service(client, book))
        yield services


def play_twins(
    services: Sequence[Service], subject: Subject, world: Worlds, tries: int | None = None
) -> TwinMatches:
    """Play a match in both services until the seat seals its secret, a different one in each.

    With `tries` it counts refused tries, and lists no legal moves.
    """
    pairs = zip(services, world.secrets, strict=True)
    helped = {"legal": "withheld", "tries": tries} if tries else {}
    sides = [
        _side(service, subject, world, Moved(world.seat, move), helped) for service, move in pairs
    ]
    return TwinMatches(sides, subject, world)


def _side(
    service: Service, subject: Subject, world: Worlds, secret: Moved, helped: dict[str, Any]
) -> Side:
    opening = {
        "game": subject.game.slug,
        "seats": subject.seats,
        "options": subject.game.set_options(subject.options),
        "visibility": "public",
        **helped,
    }
    made = service.client.post("/matches", json=opening).json()
    people = _people(made["tokens"])
    side = Side(service, made["match"], people)
    _enter(side, subject, world.before, "the host", bool(helped))
    _enter(side, subject, [secret], f"seat {world.seat}")
    viewer = Request("invite", "POST", "/matches/{match}/invitations", {"role": "viewer"})
    people["an operator"] = bearer(operators.issue(service.book))
    people["a viewer"] = bearer(side.send(viewer, "the host").json()["token"])
    people["an account that views"] = _account(side, "all", {"role": "viewer"})
    people["an account that is asked to be a host"] = _account(side, "ask", {"role": "host"})
    people["an account elsewhere"] = _account(side, "ask", {})
    del people[f"seat {world.seat}"]
    return side


def _account(side: Side, accept: str, role: dict[str, Any]) -> Headers:
    """Add an account, and give or offer it a role in the match."""
    book = side.service.book
    name = f"account{len(accounts.list_accounts(book))}"  # the same in both services
    who = bearer(accounts.add(book, name))
    side.service.client.patch("/account", json={"accept": accept}, headers=who).raise_for_status()
    if role:
        giving = Request("give", "PUT", f"/matches/{{match}}/accounts/{name}", role)
        assert side.send(giving, "the host").is_success
    return who


def _people(held: dict[str, Any]) -> dict[str, Headers]:
    seats = {f"seat {name}": bearer(token) for name, token in held["seats"].items()}
    return {"nobody": {}, "the host": bearer(held["host"]), **seats}


def _enter(
    side: Side, subject: Subject, events: Sequence[LineEvent], who: str, apart: bool = False
) -> None:
    """Enter events: one by one if `apart`, or if their seats are guarded from the host."""
    written = [{"text": move_text.write(subject.game, event)} for event in events]
    guarded = apart or any(state.position.guarded for state in subject.states)
    for some in [[each] for each in written] if guarded else filter(None, [written]):
        body = {"events": some}
        answer = side.send(Request("enter", "POST", "/matches/{match}/events", body), who)
        assert answer.status_code == 200, answer.text
