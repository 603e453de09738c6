"""Random moves, legal and illegal, and data sets of them."""
