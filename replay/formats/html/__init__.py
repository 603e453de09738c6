"""A match as HTML files that need nothing beside them: one that plays it, one for paper."""
