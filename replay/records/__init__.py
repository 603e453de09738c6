"""The text record: `.ply` files read, refereed and written in their canonical form.

The way of a text: `lexer` (lines to lexemes) → `reader` (lexemes to a record, with `head` for the
tags and `referee` for the moves) → `model.Record` or `model.Fault` → `writer`.
"""
