"""Run the match tests on every registered game."""

from plybook.testing.matches import *
