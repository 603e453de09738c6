"""Look across all matches: list, search, explorer, statistics and tags."""
