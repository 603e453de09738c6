"""The games and their rules over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import validator_for

from domain.games import BUILT_IN


def test_games_list_default_of_each_option_first(api):
    games = {game["slug"]: game for game in api.get("/games").json()["games"]}
    assert set(BUILT_IN) <= set(games)
    assert games["pyramid-ball"]["options"]["length"] == ["basic", "advanced"]
    assert games["power-play"]["seats"] == [2, 3, 4]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_notation_and_schema_fit_recorded_moves(api, slug, accepted):
    told = api.get(f"/games/{slug}").json()
    for kind in told["moves"]:
        assert re.fullmatch(kind["notation"], kind["example"].rpartition(":")[2]), kind
    valid = validator_for(told["move"])
    moves = accepted(slug)
    assert moves
    assert all(valid.is_valid(move) for move in moves)
    assert not valid.is_valid(moves[0] | {"more": 1})


def test_clause_has_the_words_of_refusals(api):
    clause = api.get("/games/poptrix/rules/POP-3.2").json()
    assert clause["words"].startswith("The new pyramid comes from one's stash")
    assert clause in api.get("/games/poptrix/rules").json()["clauses"]


@pytest.mark.parametrize(
    "path", ["/games/chess", "/games/chess/rules", "/games/poptrix/rules/POP-99.1"]
)
def test_unknown_games_and_rules_are_404(api, path):
    assert api.get(path).status_code == 404


@pytest.fixture
def accepted(api) -> Callable[[str], list[dict[str, Any]]]:
    """Return the moves of a recorded match as JSON, from the log of a match played here."""

    def moves(slug: str) -> list[dict[str, Any]]:
        text = Path("fixtures", slug, "commented.ply").read_bytes()
        answer = api.post("/records", content=text, headers={"Content-Type": "text/plain"})
        match = answer.json()["matches"][0]["match"]
        log = api.get(f"/matches/{match}/events").json()["events"]
        return [event["event"]["move"] for event in log if "move" in event["event"]]

    return moves


@pytest.mark.parametrize("clause", ["POP-3.2", "pop-3.2", "3.2"])
def test_clause_is_found_by_its_number(api, clause):
    assert api.get(f"/games/poptrix/rules/{clause}").json()["id"] == "POP-3.2"


@pytest.mark.parametrize("clause", ["POP-99.9", "-3.2", "2", "3.2.1"])
def test_unknown_clause_is_answered_with_the_first_one(api, clause):
    answer = api.get(f"/games/poptrix/rules/{clause}")
    assert answer.status_code == 404
