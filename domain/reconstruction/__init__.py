"""Reconstruction: the legal lines that fit what one or two scoresheets say.

`reconstruct` answers with the cheapest line. `costs` has the table of errors, `lattice` the search.
"""
