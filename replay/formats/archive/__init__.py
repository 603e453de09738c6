"""Archives (`.plybook`): files that hold a match with all its forks and can be verified alone.

`model` defines the lines, `writer` writes them, `section` collects the lines of one match, `reader`
checks every line and referees the events, `importer` stores the matches in a book.
"""
