"""Bad input of every game that is found."""

from plybook.testing.bad_input import *
