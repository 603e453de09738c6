"""Boards ahead: what the page would show after each move, within limits and without secrets."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from replay import rules_text
from replay.formats.ply.reader import read_records
from replay.registry import find
from service.pages import ahead
from tests.conformance import door
from tests.paths import ROOT


def grown(api: Any, match: Any, who: Any = None) -> dict[str, Any]:
    answer = api.get(f"/m/{match.id}/ahead", headers=who or match.host)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def board(tree: dict[str, Any], *moves: str) -> str:
    node = tree["nodes"][0]
    for move in moves:
        node = tree["nodes"][node["next"][move]]
    return "".join(tree["parts"][part] for part in node["frame"])


def depths(tree: dict[str, Any]) -> Iterator[int]:
    waiting = deque([(0, tree["nodes"][0])])
    while waiting:
        depth, node = waiting.popleft()
        yield depth
        waiting += [(depth + 1, tree["nodes"][each]) for each in node["next"].values()]


@pytest.mark.parametrize(
    ("game", "plies"),
    [("poptrix", 35), ("blockade", 20), ("power-play", 60), ("cube-pyramid", 25)],
)
def test_boards_ahead_equal_those_of_the_server(api, game, plies):
    (record,) = read_records(rules_text.demo(find(game)))
    line = [record.game.write(ply.event.move) for ply in record.match.line[: plies + 1]]
    match = api.open(game, players={"1": "<Jet>", "2": "Red"})
    api.play(match.id, match.host, *line[:plies])
    tree, seat = grown(api, match), record.match.line[plies].event.seat
    legal = api.get(f"/matches/{match.id}/legal", headers=match.host).json()["legal"]
    listed = {f"{who}:{token}" for who, tokens in legal.items() for token in tokens}
    assert set(tree["nodes"][0]["next"]) == listed
    assert tree["version"] == plies
    api.play(match.id, match.host, line[plies])
    there = api.get(f"/m/{match.id}/frame", headers=match.host).text
    assert board(tree, f"{seat}:{line[plies]}").strip() == there.strip()


def test_second_board_ahead_equals_that_of_the_server(api):
    match = api.open()
    tree = grown(api, match)
    assert max(depths(tree)) > 1
    api.play(match.id, match.host, "M@c1", "S@c6")
    there = api.get(f"/m/{match.id}/frame", headers=match.host).text
    assert board(tree, "1:M@c1", "2:S@c6").strip() == there.strip()


@pytest.mark.parametrize("game", ["blockade", "cube-pyramid"])
def test_boards_ahead_are_limited(api, game):
    answer = api.get(f"/m/{(match := api.open(game)).id}/ahead", headers=match.host)
    assert len(answer.json()["nodes"]) == ahead.MAX_BOARDS + 1
    assert int(answer.headers["content-length"]) < 30_000
    assert answer.headers["content-encoding"] == "gzip"


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("limit", [{"MAX_CHARACTERS": 50_000}, {"MAX_SECONDS": 0.05}])
def test_boards_that_are_long_or_take_long_are_fewer(api, monkeypatch, limit):
    for name, value in limit.items():
        monkeypatch.setattr(ahead, name, value)
    match = api.open()
    assert 0 < len(grown(api, match)["nodes"]) < 50


def test_boards_ahead_are_for_those_who_enter_moves(api):
    match = api.open()
    assert api.get(f"/m/{match.id}/ahead").status_code == 401
    own, other = (grown(api, match, match.seats[seat]) for seat in "12")
    assert set(depths(own)) == {0, 1}
    assert len(other["nodes"]) == 1


def test_sealed_moves_lead_to_one_board(api):
    match = api.open("pyramid-ball")
    tree = grown(api, match)
    assert list(tree["nodes"][0]["next"]) == ["1:", "2:"]
    # With the other program the turn would be revealed.
    assert set(depths(tree)) == {0, 1}
    program = "1:S=FFF,M=...,L=..."
    assert api.play(match.id, match.seats["1"], program).is_success
    there = api.get(f"/m/{match.id}/frame", headers=match.host).text
    assert board(tree, "1:").strip() == there.strip()
    for who in (match.host, *match.seats.values()):
        assert len(grown(api, match, who)["nodes"]) == 1


@pytest.mark.usefixtures("in_process")
def test_hidden_and_withheld_moves_have_no_boards(api, tmp_path):
    door.install(ROOT / "plugins" / "whist", tmp_path)
    with door.opened(tmp_path):
        match = api.open("whist", seats=4, dice="service")
        for seat in "1234":
            rolled = {"events": [{"roll": True, "seat": int(seat)}]}
            api.post(f"/matches/{match.id}/events", json=rolled, headers=match.seats[seat])
        for who in (match.host, *match.seats.values()):
            assert len(grown(api, match, who)["nodes"]) == 1
    silent = api.open(legal="withheld")
    assert len(grown(api, silent)["nodes"]) == 1


def test_boards_ahead_stop_at_a_service_roll(api):
    assert len(grown(api, api.open("blockade", dice="service"))["nodes"]) == 1
    assert len(grown(api, api.open("blockade"))["nodes"]) > 21


def test_new_names_are_in_the_boards_ahead(api):
    match = api.open()
    assert "Player 2" in board(grown(api, match), "1:M@c1")
    named = {"players": {"2": "Red"}}
    assert api.client.patch(
        f"/matches/{match.id}/people", json=named, headers=match.host
    ).is_success
    assert "Player 2" not in board(grown(api, match), "1:M@c1")
