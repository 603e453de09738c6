"""No request of anyone but the host reveals a comment that a match holds until its end.

Two matches differ only in the words that their hosts wrote about a move. The answers to others
about the one match contain no more of its words than the answers about the other. Only an
operator's archive of the whole book has them, as a copy of the book would.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.contract.operations import Schema, path_values
from tests.contract.server import Server, run_server
from tests.contract.test_secrets import Asking, World, ask, only_asks, told_of, ways

WORDS = ("1:quokka", "1:zebroid")
"""A word of each comment, in the form that `ways` asks for; neither begins like a name here."""

SOUGHT = ("quokka", "zebroid", "near", "mine", "not yours")


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("held")) as running:
        yield running


@pytest.fixture(scope="module")
def schema(house) -> Schema:
    found: Schema = house.client.get("/schema/openapi.json").json()
    return found


def world(server: Server, schema: Schema, words: str) -> World:
    """Open a match that holds comments, write about it as its host, and fork it as a player."""
    match = server.open(game="poptrix", visibility="public", comments="end")
    assert server.enter(match, ["M@c1", "S@c6"]).status_code == 200
    found = path_values(server, match, schema)
    word = words.partition(":")[2]
    at = f"/matches/{match.id}/annotations"
    body = {"ply": 1, "comment": f"A {word} is near", "label": "d4=A", "author": f"Dr {word}"}
    assert server.client.post(at, json=body, headers=match.host).status_code == 201
    mine = {"ply": 2, "comment": "mine"}
    made = server.client.post(at, json=mine, headers=match.seats["1"]).json()["annotations"]
    reworded = {"comment": f"not yours, says the {word}"}
    url = f"{at}/{made[0]['id']}"
    assert server.client.patch(url, json=reworded, headers=match.host).status_code == 200
    server.client.post(f"/matches/{match.id}/forks", json={"ply": 2}, headers=match.seats["2"])
    people = {"a spectator": {}, **{f"seat {each}": who for each, who in match.seats.items()}}
    return World(match, people | {"an operator": server.operator()}, found, "1")


@pytest.mark.slow
def test_no_answer_reveals_a_held_comment(house, schema):
    asked = [each for each in ways(schema, WORDS) if only_asks(each)]
    asked += [Asking("search", "GET", "/search", f"q={text}") for text in SOUGHT]
    asked += [Asking("list", "GET", "/matches", f"q={text}") for text in SOUGHT]
    inside = [asking for asking in asked if "{match}" in asking.path]
    outside = [asking for asking in asked if "{match}" not in asking.path]
    aside = world(house, schema, WORDS[0])
    before = [told_of(ask(house, aside, asking, {}), WORDS) for asking in outside]
    pair = [world(house, schema, words) for words in WORDS]
    for asking, who in itertools.product(inside, pair[0].people):
        first, second = (
            told_of(ask(house, each, asking, each.people[who]), WORDS) for each in pair
        )
        assert first == second, (asking, who)
    for asking, known in zip(outside, before, strict=True):
        for each, who in itertools.product(pair, ("a spectator", "seat 1", "seat 2")):
            assert told_of(ask(house, each, asking, each.people[who]), WORDS) == known, asking
    shown = "".join(ask(house, pair[0], asking, pair[0].match.host) for asking in inside)
    assert "quokka" in shown, "the host reads it"
    assert house.enter(pair[0].match, ["resign"], pair[0].match.seats["1"]).status_code == 200
    everything = house.client.get(f"/matches/{pair[0].match.id}/annotations").text
    assert everything.count("quokka") > 2, "and everybody in the end"
    assert pair[0].match.id in house.client.get("/search?q=quokka").text
