"""Engines at the matches of a server."""
