"""Queries over all matches: list, search, explorer, statistics and tags."""
