"""PGN, by the tokens of its standard, for any game of two seats that is written in it.

A text passes through `lexer` (lines to lexemes) and `reading` (the lexemes of a game to a record).
`writer` writes a record. The parts that a game adds to the standard are a `model.PgnGame`.
"""
