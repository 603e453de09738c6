"""Reconstruction: the legal lines that fit what one or two scoresheets say.

`reconstruct` answers with the cheapest line. `costs` has the table of errors, `lattice` the search.
"""

from domain.reconstruction.answer import (
    ExtraEntry,
    FoundPly,
    Misfit,
    PossibleEvent,
    Reconstruction,
    UnreachedPin,
    reconstruct,
)
from domain.reconstruction.scoresheet import DASH, MAX_SCORESHEETS, Entry, Pins, Scoresheet

__all__ = [
    "DASH",
    "MAX_SCORESHEETS",
    "Entry",
    "ExtraEntry",
    "FoundPly",
    "Misfit",
    "Pins",
    "PossibleEvent",
    "Reconstruction",
    "Scoresheet",
    "UnreachedPin",
    "reconstruct",
]
