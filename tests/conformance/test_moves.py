"""Moves of every game that is found."""

from plybook.testing.moves import *
