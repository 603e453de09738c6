"""Archives (`.plybook`): a match with all its forks in one file that verifies by itself.

`model` defines the lines, `writer` writes them, `section` keeps those of one match, `reader` checks
them one by one and referees their events, `importer` stores them in a book.
"""
