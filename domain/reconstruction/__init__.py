"""Reconstruction: find the legal lines that fit one or two scoresheets.

`reconstruct` answers with the cheapest line. `costs` has the table of errors, `lattice` the search,
`outlook` what guides it.
"""
