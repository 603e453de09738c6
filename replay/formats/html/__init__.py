"""Self-contained HTML files of a match: one plays it, one is for paper."""
