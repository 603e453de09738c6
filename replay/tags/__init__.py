"""The tags of matches and the names of players."""
