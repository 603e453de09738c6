"""Until both scoresheets of a pair are open, no answer depends on what the other one says.

Two services have a pair each. The pairs differ only in the scoresheet of seat 2. Until they open,
nobody but their host and seat 2 gets answers that differ, about either scoresheet or about all
matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import httpx
import pytest

from tests.contract.server import bearer
from tests.contract.test_secrets import Asking, only_asks, ways
from tests.contract.twin_matches import Service, comparable, two_services

WRITTEN = (["M@c1", "S@c6", "c1>L@c3"], ["L@a1", "M@b6", "--"])
"""What seat 2 writes; both scoresheets have as many entries."""
WORDS = ("1:quokka", "1:zebroid")
"""What seat 2 comments, in the form that `ways` asks for."""
FILLED = {"version": "1", "ply": "1", "picture": "1.svg", "slug": "poptrix", "clause": "POP-1.1"}
FEED = re.compile(r'"feed":"[0-9a-f]+"')
"""The random name of a book's feed."""
LEFT_OUT = ("code.svg", "code/", "-code", "stream", "/schema")
"""Pictures of addresses, which are random; streams, which never end here; the API's own pages."""


class Pair(NamedTuple):
    """A pair in a service: the ids of both scoresheets, and the headers of their people."""

    service: Service
    sheets: tuple[str, str]
    host: dict[str, str]
    seats: tuple[dict[str, str], dict[str, str]]

    def send(self, asking: Asking, number: int, who: Mapping[str, str]) -> httpx.Response:
        path, match = asking.path, self.sheets[number]
        for name, value in {**FILLED, "match": match}.items():
            path = path.replace(f"{{{name}}}", value)
        query = asking.query.replace("{match}", match)
        client = self.service.client
        client.cookies.clear()
        return client.request(asking.method, f"{path}?{query}", json=asking.body, headers=who)

    def post(self, number: int, path: str, who: dict[str, str], **body: Any) -> httpx.Response:
        address = f"/matches/{self.sheets[number]}/{path}"
        return self.service.client.post(address, json=body, headers=who)


def opened(service: Service, written: list[str], words: str) -> Pair:
    """Open a pair, and let both seats write; seat 2 is not done yet."""
    body = {"game": "poptrix", "scoresheets": "each", "players": {"1": "Jet", "2": "Red"}}
    made = service.client.post("/matches", json=body).json()["scoresheets"]
    jet, red = (bearer(each["tokens"]["seats"][str(each["seat"])]) for each in made)
    host = bearer(made[1]["tokens"]["host"])
    pair = Pair(service, (made[0]["match"], made[1]["match"]), host, (jet, red))
    entries = [{"text": text} for text in ("M@c1", "S@c6")]
    assert pair.post(0, "events", jet, events=entries).status_code == 200
    for text in written:
        assert pair.post(1, "events", red, events=[{"text": text}]).status_code == 200
    comment = f"A {words.partition(':')[2]} is near"
    assert pair.post(1, "annotations", red, ply=1, comment=comment).status_code == 201
    return pair


def asked(service: Service) -> Iterator[Asking]:
    """Yield the reading requests; a stream sends what these answer."""
    schema = service.client.get("/schema/openapi.json").json()
    for each in ways(schema, WORDS):
        if only_asks(each) and not any(part in each.path for part in LEFT_OUT):
            yield each
    for text in (*(words.partition(":")[2] for words in WORDS), "Red", "near"):
        yield Asking("search", "GET", "/search", f"q={text}")


def told(answer: httpx.Response) -> tuple[int, dict[str, str], str]:
    """Return an answer without random parts."""
    status, headers, text = comparable(answer)
    return status, headers, FEED.sub("*", text)


@pytest.mark.slow
def test_no_answer_depends_on_the_other_scoresheet():
    with two_services() as services:
        pairs = [
            opened(service, written, words)
            for service, written, words in zip(services, WRITTEN, WORDS, strict=True)
        ]
        everything = list(asked(services[0]))
        for stage in ("neither is done", "the first is done"):
            if stage == "the first is done":
                said = [pair.post(0, "done", pair.seats[0]) for pair in pairs]
                assert [each.json()["open"] for each in said] == [False, False]
            for asking, number, is_player in product(everything, (0, 1), (True, False)):
                first, second = (
                    told(pair.send(asking, number, pair.seats[0] if is_player else {}))
                    for pair in pairs
                )
                assert first == second, (stage, asking, number, is_player)
        shown = "".join(pairs[0].send(each, 1, pairs[0].host).text for each in everything)
        assert "quokka" in shown, "the host reads it"
        assert pairs[0].post(1, "done", pairs[0].seats[1]).json()["open"]
        log = Asking("log", "GET", "/matches/{match}/events")
        assert "c1>L@c3" in pairs[0].send(log, 1, {}).text, "and everybody in the end"
