"""Hearts passes the tests that every game must pass."""

from hearts import GAME  # noqa: F401

from plybook.testing import *  # noqa: F403
