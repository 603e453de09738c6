"""Backgammon passes the tests that every game must pass."""

from backgammon import GAME  # noqa: F401

from plybook.testing import *  # noqa: F403
