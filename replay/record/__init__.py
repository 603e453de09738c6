"""Recorded matches: their events, states, summaries and addresses."""
