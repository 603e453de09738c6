"""Positions as text of every game that is found."""

from plybook.testing.positions import *
