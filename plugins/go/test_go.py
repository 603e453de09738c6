"""Go passes the tests that every game must pass."""

from plybook_go import GAME  # noqa: F401

from plybook.testing import *  # noqa: F403
