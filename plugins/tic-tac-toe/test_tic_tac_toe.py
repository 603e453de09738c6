"""Tic-tac-toe passes the tests that every game must pass."""

from tic_tac_toe import GAME  # noqa: F401

from plybook.testing import *  # noqa: F403
