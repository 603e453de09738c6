"""The text record: `.ply` files are parsed, refereed and written in canonical form.

A text passes through `lexer` (lines to lexemes), `reader` (lexemes to records) and `parser` (one
record, with `head` for the tags and `referee` for the lines). The result is a `model.Record` or a
`model.RecordFault`, for `writer`, or for `check`, whose output is for scripts.
"""
