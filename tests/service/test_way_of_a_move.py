"""The way of a move: it is judged once, then stored, answered and sent to followers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from domain.games.poptrix.moves import Launch
from replay.record import codec
from tests.cli.conftest import plybook
from tests.service.live_service import live_match

__all__ = ["plybook"]

SETUP = ("M@c1", "S@c6")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often a launch is checked, evolved and decoded."""
    counted: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        called = getattr(owner, name)

        def counting(*arguments: Any) -> Any:
            counted[name] += 1
            return called(*arguments)

        monkeypatch.setattr(owner, name, counting)

    count(Launch, "evolve")
    count(Launch, "check")
    count(codec, "decode")
    return counted


async def test_http_move_is_evolved_once_and_never_decoded(calls, place):
    async with live_match() as (at, match, host, _):
        listeners = [await at.listen(f"/matches/{match}/stream?after=0") for _ in range(3)]
        for version, token in enumerate(SETUP, 1):
            await at.play(match, host, token)
            assert [(await one.next()).id for one in listeners] == [version] * 3
        calls.clear()
        await at.play(match, host, "c1>L@c3")
        told = [(await one.next()).data for one in listeners]
    assert [one["line"][0]["text"] for one in told] == ["c1>L@c3"] * 3
    if place == "server":  # a follower may read it there before its writer knows that it is stored
        assert calls["check"] == 1
    else:
        assert calls == {"check": 1, "evolve": 1}


async def test_correction_over_http_is_answered_without_decoding(calls):
    async with live_match() as (at, match, host, _):
        for token in (*SETUP, "c1>L@c3"):
            await at.play(match, host, token)
        calls.clear()
        answer = await at.client.post(f"/matches/{match}/takeback", json={"ply": 2}, headers=host)
        assert answer.json()["ply"] == 2
    assert calls == {}


def test_move_in_the_terminal_is_evolved_once(plybook, calls):
    match = plybook("new", "poptrix").out.strip()
    plybook("play", match, *SETUP)
    calls.clear()
    assert plybook("play", match, "c1>L@c3").code == 0
    assert (calls["check"], calls["evolve"]) == (1, 1)
