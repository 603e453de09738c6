"""The text record: `.ply` files read, refereed and written in their canonical form.

The way of a text: `lexer` (lines to lexemes) → `reader` (lexemes to records) → `reading` (one
record, with `head` for the tags and `draft` and `referee` for its lines) → `model.Record` or
`model.Fault` → `writer`, or `check` for what scripts read.
"""
