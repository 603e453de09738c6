"""Run the tests of moves entered by taps on every registered game."""

from plybook.testing.taps import *
