"""Recorded matches of Plybook: store, book, timelines, text records, drawing, words of the rules.

Use cases are functions over a `Book`, each group in its own module. The command line and the HTTP
service call these functions and nothing below them.
"""
