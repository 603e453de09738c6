"""Maintenance of a book: verify, back up, restore, examine, reindex; demonstration matches."""
