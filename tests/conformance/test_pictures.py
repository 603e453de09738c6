"""Run the picture tests on every registered game."""

from plybook.testing.pictures import *
