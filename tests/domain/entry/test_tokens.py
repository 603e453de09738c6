"""Moves as people write them, whatever a game's `script` returns."""

from __future__ import annotations

from typing import Any

import pytest

from domain.entry import move_text
from domain.games.poptrix import GAME as POPTRIX
from domain.games.poptrix.moves import Launch
from domain.match import open_match
from domain.notation import Script
from domain.position import Violation

TOKENLESS = Launch("nowhere", "M", "c3")  # type: ignore[arg-type]


@pytest.mark.parametrize("returned", [TOKENLESS, "M@c1", None], ids=repr)
def test_script_without_a_token_is_refused(monkeypatch, returned: Any) -> None:
    monkeypatch.setattr(POPTRIX, "script", Script(str, lambda position, text: returned))
    refused = move_text.read(POPTRIX, open_match(POPTRIX).state, "1:out")
    assert isinstance(refused, Violation)
    assert refused.message.startswith("'1:out' is not a move of Poptrix; moves look like ")
