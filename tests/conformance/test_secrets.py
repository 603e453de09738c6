"""Secrets of every game that is found."""

from plybook.testing.secrets import *
