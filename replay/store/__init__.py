"""Event streams kept for ever: the protocol, a store in memory and one in SQLite."""
