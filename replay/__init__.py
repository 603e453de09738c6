"""Recorded matches: the store, the book, timelines, text records, drawing, the text of the rules.

Use cases are functions over a `Book`, each group in its own module. The command line and the HTTP
service call these functions and nothing below them.
"""
