"""Worker processes for expensive work, and a cache of its results."""
