"""Run the tests of position text on every registered game."""

from plybook.testing.positions import *
