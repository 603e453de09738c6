"""Look after a book: verify, back up, examine, and seed it with demonstrations."""
