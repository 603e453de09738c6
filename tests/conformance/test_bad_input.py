"""Run the bad-input tests on every registered game."""

from plybook.testing.bad_input import *
