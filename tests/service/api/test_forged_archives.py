"""A forged archive with fitting hashes is stored or refused, never half, never with a 500."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from replay import registry
from replay.book import Book
from replay.store import temporary_store
from tests.replay.formats.archive.families import archived, family, forged
from tests.service.conftest import serve

ARCHIVE = "application/x-plybook-archive"
BOOK = Book(temporary_store())
SAMPLES = [
    archived(BOOK, family(BOOK, registry.find(game), 1)).splitlines(keepends=True)
    for game in ("poptrix", "pyramid-ball", "blockade")
]
VALUES: list[Any] = [
    *(None, True, 0, -1, 1, 9, 10, 999999, 2**63, 1e308, "", "a b", "x" * 5000, "\u202e", "\x00"),
    *([], [1, 2], {}, {"type": "moved"}, {"a b": 1}, {"__init__": 1}, {"class": 1}, "amended"),
    *("no-such-game/1", "no-such-game/2", "poptrix/1", "judged", "seed revealed", "noted"),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values in a JSON value."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(found for key, one in inner for found in places(one, (*path, key)))]


def changed(lines: list[bytes], rng: Random) -> bytes:
    """Return an archive with one to three values replaced, added or missing, and fitting hashes."""
    told = [json.loads(line) for line in lines]
    if rng.random() < 0.5:  # the game is not installed
        for line in told:
            if "header" in line:
                line["header"]["rules"] = "no-such-game/1"
    for _ in range(rng.randint(1, 3)):
        line = rng.choice([each for each in told[1:-1] if each["line"] != "note"])
        part = {"match": "header", "facts": "facts", "event": "data"}[line["line"]]
        *path, last = (part, *rng.choice(places(line[part])))
        here = line
        for key in path:
            here = here[key]
        match rng.randrange(3):
            case 0 if path and isinstance(here, dict):
                del here[last]
            case 1 if isinstance(here[last], dict):
                here[last][str(rng.choice(VALUES))] = rng.choice(VALUES)
            case _:
                here[last] = rng.choice(VALUES)
    return forged([lines[0], *(json.dumps(each).encode() + b"\n" for each in told[1:-1]), b""])


@pytest.mark.parametrize("seed", range(60))
def test_forged_archive_is_stored_or_refused(api, seed):
    check_forged(api, seed)


def check_forged(api: Any, seed: int) -> int:
    """Send a forged archive, and read what was stored of it; return the status."""
    rng = Random(seed)
    try:
        content = changed(rng.choice(SAMPLES), rng)
    except (AttributeError, KeyError, TypeError, ValueError):
        return 0  # not even the hashes of this can be computed
    before = len([*api.book.store.matches()])
    answer = api.post("/records?merge=true", content=content, headers={"Content-Type": ARCHIVE})
    assert answer.status_code in (201, 400, 409), (seed, answer.text)
    if answer.status_code != 201:
        assert len([*api.book.store.matches()]) == before, seed
        return answer.status_code
    for made in answer.json()["matches"]:
        for path in ("", "/events", "/record?format=archive", "/verify"):
            read = api.get(f"/matches/{made['match']}{path}")
            assert read.status_code < 500, (seed, path, read.text)
    return 201


CASES = {
    "no seats": ("header", "seats", 0),
    "negative seats": ("header", "seats", -1),
    "many seats": ("header", "seats", 999999),
    "name of an option": ("header", "options", {"a b": 1}),
    "keyword as an option": ("header", "options", {"class": 1}),
    "data without fields": ("data", None, [1, 2]),
    "unknown type": ("data", "type", "vanished"),
    "move without fields": ("data", "move", [1]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rules", ["no-such-game/1", "poptrix/1"])
@pytest.mark.parametrize("merge", ["", "?merge=true"])
def test_impossible_value_is_refused(api, case, rules, merge):
    part, field, value = CASES[case]
    told = [json.loads(line) for line in SAMPLES[0]]
    for line in told:
        if "header" in line:
            line["header"]["rules"] = rules
    line = next(each for each in told if part in each)
    if field is None:
        line[part] = value
    else:
        line[part][field] = value
    if case == "unknown type":
        line["type"] = value
    lines = [SAMPLES[0][0], *(json.dumps(each).encode() + b"\n" for each in told[1:-1]), b""]
    answer = api.post(f"/records{merge}", content=forged(lines), headers={"Content-Type": ARCHIVE})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-record"), answer.text


@pytest.mark.parametrize("merge", ["", "?merge=true"])
def test_match_of_a_game_that_is_not_installed_has_tokens(merge):
    told = [json.loads(line) for line in SAMPLES[0]]
    for line in told:
        if "header" in line:
            line["header"]["rules"] = "no-such-game/1"
    lines = [SAMPLES[0][0], *(json.dumps(each).encode() + b"\n" for each in told[1:-1]), b""]
    key = {"Content-Type": ARCHIVE, "Idempotency-Key": "k" * 32}
    with serve() as there:
        made = [there.post(f"/records{merge}", content=forged(lines), headers=key) for _ in "12"]
        assert [each.status_code for each in made] == [201, 201], made[0].text
        assert made[0].json() == made[1].json()
        for match in made[0].json()["matches"]:
            host = {"Authorization": f"Bearer {match['tokens']['host']}"}
            you = there.get(f"/matches/{match['match']}", headers=host).json()["you"]
            assert you["role"] == "host"
