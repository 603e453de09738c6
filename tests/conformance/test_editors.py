"""Run the position-editor tests on every registered game."""

import pytest

from domain.editor import NOT_BY_HAND
from domain.games import BUILT_IN, built_in
from plybook.testing.editors import *


@pytest.mark.parametrize("slug", BUILT_IN)
def test_built_in_game_has_an_editor(slug):
    assert built_in(slug).editor is not NOT_BY_HAND
