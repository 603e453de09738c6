"""Forks and variations: create, name, compare and lay out the lines of a match."""
