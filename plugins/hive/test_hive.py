"""Hive passes the tests that every game must pass."""

from hive import GAME  # noqa: F401

from plybook.testing import *  # noqa: F403
