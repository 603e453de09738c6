"""Games and matches of Plybook: pure reducers over immutable events.

No I/O, no clock, no randomness, no mutation. `game`, `position` and `effects` hold the interface
of a game, `games` the games, `match` the log and the line, `entry` how a move is written and
entered step by step, `scene` the drawing as data, `editor` moving things by hand.
"""
