"""The conformance suite: properties of every game, as tests for pytest.

The test file of a game has two lines:

    from tic_tac_toe import GAME
    from plybook.testing import *

The game need not be installed. The suite needs pytest and hypothesis, which come with
the extra `testing`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

import pytest

MODULES: Final = tuple(
    f"plybook.testing.{name}"
    for name in (
        "amendments",
        "bad_input",
        "editors",
        "entry",
        "matches",
        "moves",
        "pictures",
        "positions",
        "secrets",
        "symmetries",
        "taps",
    )
)
pytest.register_assert_rewrite(*MODULES)  # before their import, so that failures show values

from plybook.testing.subjects import known_game, pytest_generate_tests  # noqa: E402, F401

for _module in map(import_module, MODULES):
    globals().update((name, test) for name, test in vars(_module).items() if name[:5] == "test_")

__all__ = sorted(
    name for name in globals() if name.startswith(("test_", "pytest_")) or name == "known_game"
)
