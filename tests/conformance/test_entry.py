"""Moves entered step by step of every game that is found."""

from plybook.testing.entry import *
