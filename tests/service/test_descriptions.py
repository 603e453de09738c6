"""A match has the same fields with the same meaning at every door."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from cli import main
from replay.book import Book
from replay.library.match_state import MatchState, MatchSummary
from replay.store import open_store
from service.app import create_app

OF_A_CALLER = {"you"}
OF_A_LIST = {"changed", "number"}
OF_A_PLY = {"last", "annotations"}
DRAWN = {"scene"}
SHORT = set(MatchSummary.__struct_fields__)
WHOLE = set(MatchState.__struct_fields__) - DRAWN


@pytest.fixture
def described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return what each door says about a finished fork with a name."""
    path = tmp_path / "book.db"
    with closing(open_store(path)) as store, TestClient(create_app(Book(store))) as client:
        made = client.post("/matches", json={"game": "poptrix", "players": {"1": "Jet"}}).json()
        enter(client, made, "M@c1", "S@c6")
        body = {"ply": 1, "kind": "match", "name": "a calmer start"}
        opened = client.post(f"/matches/{made['match']}/forks", json=body).json()
        enter(client, opened, "S@c6", "1:resign")
        (listed,) = (
            each
            for each in client.get("/matches", headers=host(opened)).json()["matches"]
            if each["match"] == opened["match"]
        )
        shown = client.get(f"/matches/{opened['match']}").json()
        drawn = client.get(f"/matches/{opened['match']}?scene=true").json()
        visibility = {"visibility": "public"}
        written = [
            client.put(
                f"/matches/{opened['match']}/visibility{query}",
                json=visibility,
                headers=host(opened),
            ).json()
            for query in ("", "?scene=true")
        ]
    match = opened["match"]
    told = [printed(path, capsys, match, "show", match, *more) for more in ((), ("--scene",))]
    in_list = printed(path, capsys, match, "list")
    return {
        "open": opened,
        "list": listed,
        "show": shown,
        "drawn": drawn,
        "write": written[0],
        "drawn write": written[1],
        "command show": told[0],
        "drawn command": told[1],
        "command list": in_list,
    }


def host(made: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {made['tokens']['host']}"}


def enter(client: Any, made: dict[str, Any], *texts: str) -> None:
    body = {"events": [{"text": text} for text in texts]}
    answer = client.post(f"/matches/{made['match']}/events", json=body, headers=host(made))
    assert answer.status_code == 200, answer.text


def printed(path: Path, capsys: Any, match: str, *words: str) -> dict[str, Any]:
    """Return what a command says about a match in JSON."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([*words, "--json", "--db", str(path)])
    assert ended.value.code == 0
    told = map(json.loads, capsys.readouterr().out.splitlines())
    return next(each for each in told if each["match"] == match)


def test_doors_give_the_same_fields(described):
    from service.mcp.tools import LOOKED

    fields = {door: set(told) for door, told in described.items()}
    assert fields["open"] - {"tokens", "invitations"} == WHOLE | OF_A_CALLER
    assert fields["show"] == fields["write"] == WHOLE | OF_A_CALLER
    assert fields["drawn"] == fields["drawn write"] == WHOLE | OF_A_CALLER | DRAWN
    assert fields["list"] == fields["command list"] == SHORT | OF_A_LIST
    assert fields["command show"] == WHOLE | OF_A_PLY
    assert fields["drawn command"] == WHOLE | OF_A_PLY | DRAWN
    assert set(LOOKED) <= fields["show"]


def test_fields_mean_the_same_at_each_door(described):
    shown = described["show"]
    for door, told in described.items():
        if "open" not in door:
            both = (set(told) & set(shown)) - OF_A_CALLER - {"visibility"}
            assert {each: told[each] for each in both} == {each: shown[each] for each in both}, door
    assert shown["name"] == "a calmer start"
    assert shown["fork"]["ply"] == 1
    assert shown["dice"]["by"] == "table"
    assert (shown["result"], shown["ended"] >= shown["created"]) == ("+2", True)
