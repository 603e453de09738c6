"""Games and matches of Plybook: pure reducers over immutable events.

No I/O, no clock, no randomness, no mutation. `game`, `position` and `effects` are the interface of
a game, `games` the built-in games, `match` the log and the line, `entry` the notation of moves and
their completion, `scene` drawings as data, `editor` editing positions by hand.
"""
