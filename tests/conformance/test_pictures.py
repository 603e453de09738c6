"""Pictures of every game that is found."""

from plybook.testing.pictures import *
