"""Run the move tests on every registered game."""

from plybook.testing.moves import *
