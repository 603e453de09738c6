"""Run the tests of step-by-step entry on every registered game."""

from plybook.testing.entry import *
