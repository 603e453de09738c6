"""Run the tests of secrets on every registered game."""

from plybook.testing.secrets import *
