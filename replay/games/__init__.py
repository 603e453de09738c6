"""Descriptions of a game and how to play it, for pages and commands."""
