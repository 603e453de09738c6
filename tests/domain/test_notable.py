"""Notable effects, which a reader in a hurry wants to see."""

from __future__ import annotations

import pytest

from domain.effects import Effect, Skipped
from domain.games.blockade.effects import Landed, TowerBuilt
from domain.games.poptrix.effects import Launched, Removed
from domain.games.pyramid_ball.effects import Goal, Stepped


@pytest.mark.parametrize("kind", [Skipped, TowerBuilt, Removed, Goal])
def test_an_effect_that_changes_the_game_is_notable(kind: type[Effect]) -> None:
    assert kind.notable


@pytest.mark.parametrize("kind", [Landed, Launched, Stepped])
def test_ordinary_moves_are_not_notable(kind: type[Effect]) -> None:
    assert not kind.notable
