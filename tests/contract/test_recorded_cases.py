"""The recorded cases of an independent implementation, played over HTTP with equal verdicts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from domain.games import BUILT_IN, built_in
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.contract.server import ROOT, OpenedMatch, Server

LISTING = [slug for slug in BUILT_IN if built_in(slug).lists_all]

SAMPLE, ALL = 12, 1
"""The step between cases."""

some = pytest.mark.parametrize(
    "step", [pytest.param(SAMPLE, id="some"), pytest.param(ALL, id="all", marks=pytest.mark.slow)]
)
every_game = pytest.mark.parametrize("slug", BUILT_IN)


def text(slug: str, name: str) -> str:
    return (ROOT / "fixtures" / slug / name).read_text(encoding="utf-8")


def cases(slug: str, name: str, step: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text(slug, name).splitlines()[::step]]


def tags(record: str, name: str) -> list[str]:
    return re.findall(rf'^\[{name} "(.*)"\]$', record, re.MULTILINE)


def tokens(record: str) -> list[str]:
    """Return the move texts of a record without comments and result."""
    _, _, moves = record.strip().partition("\n\n")
    words = moves.split()
    assert "{" not in moves
    return [word for word in words[:-1] if not re.fullmatch(r"\d+\.|\$\d+", word)]


def opened(server: Server, slug: str, record: str) -> OpenedMatch:
    options = dict(option.split("=") for option in tags(record, "Option"))
    return opened_with(server, slug, options, len(tags(record, r"Seat\d")))


def opened_with(server: Server, slug: str, options: dict[str, Any], seats: int) -> OpenedMatch:
    """Open a match; options may be given as text."""
    choices = built_in(slug).choices()
    typed = {
        name: next(choice for choice in choices[name] if str(choice) == str(value))
        for name, value in options.items()
    }
    return server.open(slug, options=typed, seats=seats)


@some
@every_game
def test_complete_games_are_accepted_to_their_outcome(server, slug, step):
    whole = re.split(r"\n(?=\[Game )", text(slug, "games.ply"))[::step]
    for record, [read] in zip(whole, map(list, map(read_records, whole)), strict=True):
        assert isinstance(read, Record)
        match = opened(server, slug, record)
        entered = tokens(record)
        answer = server.enter(match, entered)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert (body["version"], body["ply"]) == (len(entered), len(read.match.line))
        outcome = read.match.state.outcome
        assert body["outcome"] == (outcome.to_dict() if outcome else None)
        listed = server.client.get(f"/matches/{match.id}/events").json()["events"]
        assert [event["text"] for event in listed] == [event["text"] for event in body["events"]]


@some
@every_game
def test_broken_games_are_refused_with_move_and_clause(server, slug, step):
    for case in cases(slug, "bad.jsonl", step):
        match = opened(server, slug, case["record"])
        entered = tokens(case["record"])[: case["move_index"] + 1]
        assert entered[-1] == case["token"]
        answer = server.enter(match, entered)
        assert answer.status_code == 409, (case, answer.text)
        refusal = answer.json()
        expected = case["move_index"], case["clause"], case["token"]
        assert (refusal["event"], refusal["clause"], refusal["text"]) == expected
        assert refusal["seat"] in (case.get("seat", refusal["seat"]), None)
        assert server.client.get(f"/matches/{match.id}").json()["version"] == 0


@some
@pytest.mark.parametrize("slug", LISTING)
def test_legal_moves_are_listed_as_recorded(server, slug, step):
    for case in cases(slug, "legal.jsonl", step):
        match = opened_with(server, slug, case["options"], case["seats"])
        before = case["after"].split()
        assert not before or server.enter(match, before).status_code == 200
        body = server.client.get(f"/matches/{match.id}/legal").json()
        listed = sorted(token for tokens in body["legal"].values() for token in tokens)
        assert listed == sorted(case["legal"])
