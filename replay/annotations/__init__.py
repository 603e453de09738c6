"""Annotations of a match: comments, glyphs, marks and bookmarks, each attached to an event.

A stream of their own stores them, outside the hash chain of the match. Each has an author and a
time. It can be edited and retracted; the stream keeps its history.
"""
