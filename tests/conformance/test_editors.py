"""Run the position-editor tests on every registered game."""

import pytest

from domain.editor import NOT_BY_HAND
from domain.games import BUILT_IN, built_in
from plybook.testing.editors import *


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_built_in_game_can_be_shown_by_hand(slug):
    assert built_in(slug).editor is not NOT_BY_HAND
