"""Matches of every game that is found."""

from plybook.testing.matches import *
