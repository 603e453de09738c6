"""Recorded matches of Plybook: store, book, timelines, text records, drawing, words of the rules.

Use cases are functions in modules of their own over a `Book`; the command line and the HTTP
service call these and nothing below them.
"""
